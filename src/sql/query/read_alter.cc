// Statements of a script that change or end what is defined: ALTER, DROP, TRUNCATE.
#include <utility>

#include "sql/query/parser.h"

namespace schemaward::sql::query {

Status Parser::Alter(Change& change) {
  Skip();
  change.kind = ChangeKind::Other;
  if (is_mysql_) TakeWord("IGNORE");
  if (!IsWord("TABLE") || (IsWordAt(1, "ALL") && IsWordAt(2, "IN"))) {
    TakeRest();
    return Ok();
  }
  Skip();
  change.kind = ChangeKind::Alter;
  change.if_exists = TakeWords({"IF", "EXISTS"});
  TakeWord("ONLY");
  change.target = std::make_unique<TableExpression>();
  change.target->begin = Now().begin;
  WARD_TRY(change.target->names, DottedName("a table's name"));
  change.target->end = tokens_[at_ - 1].end;
  TakeSymbol("*");
  do {
    WARD_TRY(AlterAction action, ReadAlterAction());
    change.actions.push_back(std::move(action));
  } while (TakeSymbol(","));
  return Ok();
}

Result<AlterAction> Parser::ReadAlterAction() {
  AlterAction action;
  action.begin = Now().begin;
  if (TakeWord("ADD")) {
    WARD_TRY(auto constraint, Constraint());
    if (constraint) {
      action.kind = AlterKind::AddConstraint;
      action.constraint = *std::move(constraint);
      action.is_not_valid = tokens_[at_ - 1].upper == "VALID";
    } else if (!IsWord("PARTITION")) {
      action.kind = AlterKind::AddColumn;
      TakeWord("COLUMN");
      TakeWords({"IF", "NOT", "EXISTS"});
      if (!IsSymbol("(")) {
        WARD_TRY(action.column, ReadColumn());
      }
    }
  } else if (TakeWord("DROP")) {
    const bool is_column = TakeWord("COLUMN");
    const bool is_other = IsWord("CONSTRAINT") || IsWord("INDEX") || IsWord("KEY") ||
                          IsWord("FOREIGN") || IsWord("PRIMARY") || IsWord("CHECK") ||
                          IsWord("PARTITION");
    if (is_column || !is_other) {
      action.kind = AlterKind::DropColumn;
      TakeWords({"IF", "EXISTS"});
      WARD_TRY(action.column.name, ReadName("a column's name"));
    }
  } else if (TakeWord("ALTER")) {
    TakeWord("COLUMN");
    WARD_TRY(action.column.name, ReadName("a column's name"));
    if (TakeWords({"SET", "NOT", "NULL"}))
      action.kind = AlterKind::SetNotNull;
    else if (IsWord("TYPE") || (IsWord("SET") && IsWordAt(1, "DATA")))
      action.kind = AlterKind::AlterType;
  } else if (IsWord("MODIFY") || IsWord("CHANGE")) {
    action.kind = AlterKind::AlterType;
  } else if (IsWord("RENAME")) {
    action.kind = AlterKind::Rename;
  }
  SkipElement();
  action.end = tokens_[at_ - 1].end;
  return action;
}

Status Parser::Drop(Change& change) {
  change.kind = ChangeKind::Drop;
  Skip();
  change.is_temporary = TakeWord("TEMPORARY");
  TakeWord("MATERIALIZED");
  Skip();  // TABLE, VIEW...
  change.is_concurrent = TakeWord("CONCURRENTLY");
  change.if_exists = TakeWords({"IF", "EXISTS"});
  do {
    if (!IsName()) break;
    WARD_TRY(auto name, DottedName("a name"));
    change.objects.push_back(std::move(name));
    if (IsSymbol("(")) SkipBalanced();  // a function's arguments
  } while (TakeSymbol(","));
  for (; Now().kind != TokenKind::End; Skip())
    if (IsWord("CASCADE")) change.is_cascade = true;
  return Ok();
}

Status Parser::Truncate(Change& change) {
  change.kind = ChangeKind::Truncate;
  Skip();
  TakeWord("TABLE");
  TakeWord("ONLY");
  do {
    WARD_TRY(auto name, DottedName("a table's name"));
    change.objects.push_back(std::move(name));
    TakeSymbol("*");
  } while (TakeSymbol(","));
  for (; Now().kind != TokenKind::End; Skip())
    if (IsWord("CASCADE")) change.is_cascade = true;
  return Ok();
}

}  // namespace schemaward::sql::query

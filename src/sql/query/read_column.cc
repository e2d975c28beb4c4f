// Definitions of columns, types, keys and constraints, in CREATE TABLE and ALTER TABLE.
#include <algorithm>
#include <array>
#include <utility>

#include "sql/query/parser.h"

namespace schemaward::sql::query {
namespace {

// Words that end a type, or a default's value, in a column's definition.
constexpr auto kAfterType = std::to_array<std::string_view>(
    {"AS",        "AUTOINCREMENT", "AUTO_INCREMENT", "CHARACTER", "CHARSET", "CHECK", "COLLATE",
     "COMMENT",   "CONSTRAINT",    "DEFAULT",        "GENERATED", "KEY",     "NOT",   "NULL",
     "ON",        "PRIMARY",       "REFERENCES",     "UNIQUE",    "USING",   "FIRST", "AFTER",
     "INVISIBLE", "VIRTUAL",       "STORED"});

// Types of columns that no cast of every dialect names.
constexpr auto kPlainTypes = std::to_array<std::string_view>(
    {"BIGINT", "BOOLEAN", "DATETIME", "INT", "SMALLINT", "TEXT", "TIMESTAMP", "VARCHAR"});

std::string Upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

}  // namespace

// True at a word that ends a column's type.
bool Parser::IsColumnClause() const {
  return std::find(kAfterType.begin(), kAfterType.end(), Now().upper) != kAfterType.end();
}

// A constraint of the table, where one begins here.
Result<std::optional<TableConstraint>> Parser::Constraint() {
  TableConstraint made;
  made.begin = Now().begin;
  const bool is_named = IsWord("CONSTRAINT");
  if (is_named) {
    Skip();
    if (!IsWord("PRIMARY") && !IsWord("UNIQUE") && !IsWord("FOREIGN") && !IsWord("CHECK")) {
      WARD_TRY(made.name, ReadName("a constraint's name"));
    }
  }
  const bool is_key =
      is_mysql_ && (IsWord("KEY") || IsWord("INDEX") || IsWord("FULLTEXT") || IsWord("SPATIAL"));
  if (TakeWords({"PRIMARY", "KEY"})) {
    made.kind = ConstraintKind::PrimaryKey;
  } else if (IsWord("UNIQUE") && (is_named || !IsTypeWord(1))) {
    Skip();
    made.kind = ConstraintKind::Unique;
    if (!TakeWord("KEY")) TakeWord("INDEX");
    if (TakeWords({"NULLS", "NOT"}) || TakeWord("NULLS")) TakeWord("DISTINCT");
  } else if (TakeWords({"FOREIGN", "KEY"})) {
    made.kind = ConstraintKind::ForeignKey;
  } else if (IsWord("CHECK") && IsSymbolAt(1, "(")) {
    Skip(2);
    made.kind = ConstraintKind::Check;
    WARD_TRY(made.check, Value());
    WARD_CHECK(NeedSymbol(")"));
  } else if (is_key && !is_named) {
    made.kind =
        IsWord("FULLTEXT") || IsWord("SPATIAL") ? ConstraintKind::Other : ConstraintKind::Index;
    Skip();
    if (!TakeWord("KEY")) TakeWord("INDEX");
  } else if (is_named) {
    made.kind = ConstraintKind::Other;
  } else {
    return std::optional<TableConstraint>();
  }
  if (made.kind != ConstraintKind::Check && made.kind != ConstraintKind::Other) {
    while (!IsSymbol("(") && !EndsElement()) Skip();  // an index's name, USING BTREE
    if (IsSymbol("(")) {
      WARD_TRY(made.columns, KeyColumns());
    }
  }
  if (made.kind == ConstraintKind::ForeignKey) {
    WARD_TRY(made.references, References());
  }
  made.end = tokens_[at_ - 1].end;
  SkipElement();
  return std::optional<TableConstraint>(std::move(made));
}

// (a, b DESC, c(10)): names; expressions are left out.
Result<std::vector<Name>> Parser::KeyColumns() {
  std::vector<Name> names;
  WARD_CHECK(NeedSymbol("("));
  do {
    const bool is_plain = IsName() && !(IsSymbolAt(1, "(") && Ahead(2).kind != TokenKind::Integer);
    if (is_plain) {
      WARD_TRY(Name name, ReadName("a column's name"));
      names.push_back(std::move(name));
    }
    SkipElement();
  } while (TakeSymbol(","));
  WARD_CHECK(NeedSymbol(")"));
  return names;
}

Result<Reference> Parser::References() {
  Reference made;
  WARD_CHECK(NeedWord("REFERENCES"));
  WARD_TRY(made.table, DottedName("a table's name"));
  if (IsSymbol("(")) {
    WARD_TRY(made.columns, NameList());
  }
  while (IsWord("ON") || IsWord("MATCH")) {
    const bool deletes = IsWordAt(1, "DELETE");
    Skip(2);
    std::string action = Now().upper;
    Skip();
    if (action == "SET" || action == "NO") {
      action += ' ' + Now().upper;
      Skip();
    }
    if (deletes) made.on_delete = std::move(action);
  }
  return made;
}

Result<ColumnDefinition> Parser::ReadColumn() {
  ColumnDefinition column;
  column.begin = Now().begin;
  if (Now().kind == TokenKind::Word && !EndsElement()) {  // a reserved word may be a column
    column.name = {tokens_[at_++].value, false, false};
  } else {
    WARD_TRY(column.name, ReadName("a column's name"));
  }
  while (is_duckdb_ && TakeSymbol(".")) Skip();  // a struct's field
  if (!EndsElement()) {
    if (!IsColumnClause()) {
      WARD_TRY(column.type, ReadColumnType());
      const bool begins_next = IsTypeWord(1) || std::find(kPlainTypes.begin(), kPlainTypes.end(),
                                                          Ahead().upper) != kPlainTypes.end();
      if (IsName() && !IsColumnClause() && begins_next) return Expected("\",\"");  // a INT b INT
    }
  }
  while (!EndsElement()) {
    WARD_TRY(const bool known, ColumnConstraint(column));
    if (known) continue;
    if (IsSymbol("("))
      SkipBalanced();
    else
      Skip();
  }
  column.end = tokens_[at_ - 1].end;
  return column;
}

// One clause of a column's definition. Returns false, and takes nothing, where it is not one.
Result<bool> Parser::ColumnConstraint(ColumnDefinition& column) {
  if (TakeWords({"NOT", "NULL"})) {
    column.is_not_null = true;
  } else if (TakeWord("NULL")) {
    column.is_null = true;
  } else if (TakeWords({"PRIMARY", "KEY"})) {
    column.is_primary_key = true;
  } else if (TakeWord("UNIQUE")) {
    column.is_unique = true;
    TakeWord("KEY");
  } else if (TakeWord("AUTO_INCREMENT") || TakeWord("AUTOINCREMENT")) {
    column.is_counting = true;
  } else if (TakeWords({"CHARACTER", "SET"}) || TakeWord("CHARSET")) {
    column.has_character_set = true;
  } else if (TakeWord("DEFAULT")) {
    constexpr int kAboveNot = 4;  // DEFAULT 1 NOT NULL
    WARD_TRY(column.default_value, Value(kAboveNot));
  } else if (IsWord("CHECK") && IsSymbolAt(1, "(")) {
    Skip(2);
    WARD_TRY(column.check, Value());
    WARD_CHECK(NeedSymbol(")"));
  } else if (IsWord("REFERENCES")) {
    WARD_TRY(column.references, References());
  } else if (TakeWord("GENERATED")) {
    column.is_generated = true;
    while (!EndsElement() && !IsSymbol("(") && !IsWord("NOT") && !IsWord("PRIMARY")) {
      if (IsWord("IDENTITY")) column.is_counting = true;
      Skip();
    }
  } else {
    return false;
  }
  return true;
}

// DAY TO SECOND behind INTERVAL.
void Parser::SkipIntervalFields() {
  for (const std::string_view word : {"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"}) {
    if (!TakeWord(word)) continue;
    if (TakeWord("TO")) Skip();
    if (IsSymbol("(")) SkipBalanced();
    return;
  }
}

Result<ColumnType> Parser::ReadColumnType() {
  ColumnType type;
  type.begin = Now().begin;
  if (is_duckdb_ && IsWord("UNION")) {
    type.name = "UNION";
    Skip();
  } else {
    WARD_TRY(const auto names, DottedName("a type"));
    type.name = Upper(names.back().text);
  }
  const auto take = [&](std::string_view word) {
    if (!TakeWord(word)) return false;
    type.name += ' ' + std::string(word);
    return true;
  };
  take("PRECISION");
  take("VARYING");
  if (type.name == "LONG") take("VARCHAR");
  while (is_sqlite_ && IsName() && (IsSymbolAt(1, "(") || IsSymbolAt(1, ")") || IsName(1))) {
    if (IsColumnClause()) break;  // UNSIGNED BIG INT
    type.name += ' ' + Now().upper;
    Skip();
  }
  if (type.name == "NATIONAL" && (take("CHARACTER") || take("CHAR"))) take("VARYING");
  if (IsSymbol("(")) {
    Skip();
    while (!IsSymbol(")") && Now().kind != TokenKind::End) {
      if (!IsSymbol(",")) type.arguments.push_back(Now().value);
      if (IsSymbol("("))
        SkipBalanced();
      else
        Skip();
    }
    WARD_CHECK(NeedSymbol(")"));
  }
  if (TakeWords({"WITH", "TIME", "ZONE"})) type.name += " WITH TIME ZONE";
  if (TakeWords({"WITHOUT", "TIME", "ZONE"})) type.name += " WITHOUT TIME ZONE";
  while (take("UNSIGNED") || take("SIGNED") || take("ZEROFILL") || take("INTEGER")) {
  }
  if (is_mysql_ && TakeWords({"CHARACTER", "SET"})) Skip();
  if (is_postgres_ && type.name == "INTERVAL") SkipIntervalFields();
  if (TakeWord("ARRAY")) type.is_array = true;
  while (IsSymbol("[")) {
    SkipBalanced();
    type.is_array = true;
  }
  type.end = tokens_[at_ - 1].end;
  return type;
}

}  // namespace schemaward::sql::query

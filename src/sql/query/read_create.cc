// Statements of a script that define: CREATE, ALTER, DROP. What a definition says beyond what rules
// ask is skipped, bracket by bracket.
#include <array>
#include <utility>

#include "sql/query/parser.h"

namespace schemaward::sql::query {
namespace {

constexpr std::size_t kOptionWordsMax = 40;

// Words that end a type, or a default's value, in a column's definition.
constexpr auto kAfterType = std::to_array<std::string_view>(
    {"AS",        "AUTOINCREMENT", "AUTO_INCREMENT", "CHARACTER", "CHARSET", "CHECK", "COLLATE",
     "COMMENT",   "CONSTRAINT",    "DEFAULT",        "GENERATED", "KEY",     "NOT",   "NULL",
     "ON",        "PRIMARY",       "REFERENCES",     "UNIQUE",    "USING",   "FIRST", "AFTER",
     "INVISIBLE", "VIRTUAL",       "STORED"});

bool IsOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string Upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

}  // namespace

// True at the comma or bracket that ends a definition.
bool Parser::EndsElement() const {
  return Now().kind == TokenKind::End || IsSymbol(",") || IsSymbol(")");
}

// Takes "(...)" or "[...]".
void Parser::SkipBalanced() {
  std::size_t depth = 0;
  while (Now().kind != TokenKind::End) {
    if (IsSymbol("(") || IsSymbol("[")) ++depth;
    const bool closes = IsSymbol(")") || IsSymbol("]");
    Skip();
    if (closes && --depth == 0) return;
  }
}

void Parser::SkipElement() {
  while (!EndsElement())
    if (IsSymbol("("))
      SkipBalanced();
    else
      Skip();
}

bool Parser::IsStatementWord() const {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"ANALYZE", "ATTACH",     "CALL",    "CHECKPOINT", "CLOSE",    "CLUSTER", "COMMENT",
       "COPY",    "DEALLOCATE", "DECLARE", "DELIMITER",  "DETACH",   "DISCARD", "DO",
       "EXECUTE", "EXPLAIN",    "EXPORT",  "FETCH",      "FLUSH",    "HANDLER", "IMPORT",
       "INSTALL", "KILL",       "LISTEN",  "LOAD",       "LOCK",     "MERGE",   "MOVE",
       "NOTIFY",  "OPTIMIZE",   "PREPARE", "REASSIGN",   "REFRESH",  "REINDEX", "RELEASE",
       "RENAME",  "RESET",      "REVOKE",  "SAVEPOINT",  "SECURITY", "SET",     "SHUTDOWN",
       "START",   "UNLISTEN",   "UNLOCK",  "USE",        "VACUUM",   "XA",      "PIVOT",
       "UNPIVOT"});
  return std::find(kWords.begin(), kWords.end(), Now().upper) != kWords.end();
}

Status Parser::Create(Change& change) {
  Skip();
  while (Now().kind == TokenKind::Word) {
    if (IsWord("TABLE")) return CreateTable(change);
    if (IsWord("INDEX")) return CreateIndex(change);
    if (IsWord("VIEW")) return CreateView(change);
    if (IsWord("FUNCTION") || IsWord("PROCEDURE")) {
      CreateRoutine(change);
      return Ok();
    }
    if (IsWord("TEMP") || IsWord("TEMPORARY")) change.is_temporary = true;
    if (IsWord("UNIQUE")) change.is_unique = true;
    if (IsWord("REPLACE")) change.is_replacing = true;
    if (!IsOneOf(Now().upper, {"OR", "REPLACE", "TEMP", "TEMPORARY", "UNIQUE", "UNLOGGED", "GLOBAL",
                               "LOCAL", "MATERIALIZED", "RECURSIVE", "FULLTEXT", "SPATIAL",
                               "ALGORITHM", "DEFINER", "SQL", "SECURITY", "INVOKER"}))
      break;
    Skip();
    if (TakeSymbol("=")) Skip();
    if (TakeSymbol("@")) Skip();
  }
  TakeRest();
  return Ok();
}

Status Parser::CreateTable(Change& change) {
  change.kind = ChangeKind::CreateTable;
  Skip();
  change.if_exists = TakeWords({"IF", "NOT", "EXISTS"});
  change.target = std::make_unique<TableExpression>();
  change.target->begin = Now().begin;
  WARD_TRY(change.target->names, DottedName("a table's name"));
  change.target->end = tokens_[at_ - 1].end;
  if (IsSymbol("(") && !BeginsQuery() && !IsWordAt(1, "LIKE")) {
    Skip();
    do {
      WARD_CHECK(TableElement(change));
    } while (TakeSymbol(","));
    WARD_CHECK(NeedSymbol(")"));
  }
  while (Now().kind != TokenKind::End && !IsWord("AS") && !BeginsQuery()) {
    if (IsSymbol("(")) {
      SkipBalanced();
      continue;
    }
    if (Now().kind != TokenKind::Symbol && change.options.size() < kOptionWordsMax)
      change.options.push_back(Upper(Now().value));
    Skip();
  }
  TakeWord("AS");
  if (BeginsQuery()) {
    WARD_TRY(change.query, ReadQuery());
  }
  TakeRest();  // WITH NO DATA
  return Ok();
}

Status Parser::TableElement(Change& change) {
  WARD_TRY(auto constraint, Constraint());
  if (constraint) {
    change.constraints.push_back(*std::move(constraint));
    return Ok();
  }
  if (IsWord("LIKE") || IsWord("EXCLUDE") || IsWord("PERIOD")) {
    SkipElement();
    return Ok();
  }
  WARD_TRY(ColumnDefinition column, ReadColumn());
  change.definitions.push_back(std::move(column));
  return Ok();
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
  if (!EndsElement()) {
    const bool has_type =
        std::find(kAfterType.begin(), kAfterType.end(), Now().upper) == kAfterType.end();
    if (has_type) {
      WARD_TRY(column.type, ReadColumnType());
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

Result<ColumnType> Parser::ReadColumnType() {
  ColumnType type;
  type.begin = Now().begin;
  WARD_TRY(const auto names, DottedName("a type"));
  type.name = Upper(names.back().text);
  const auto take = [&](std::string_view word) {
    if (!TakeWord(word)) return false;
    type.name += ' ' + std::string(word);
    return true;
  };
  take("PRECISION");
  take("VARYING");
  if (type.name == "LONG") take("VARCHAR");
  if (type.name == "NATIONAL" && (take("CHARACTER") || take("CHAR"))) take("VARYING");
  if (IsSymbol("(")) {
    Skip();
    while (!IsSymbol(")") && Now().kind != TokenKind::End) {
      if (!IsSymbol(",")) type.arguments.push_back(Now().value);
      Skip();
    }
    WARD_CHECK(NeedSymbol(")"));
  }
  if (TakeWords({"WITH", "TIME", "ZONE"})) type.name += " WITH TIME ZONE";
  if (TakeWords({"WITHOUT", "TIME", "ZONE"})) type.name += " WITHOUT TIME ZONE";
  while (take("UNSIGNED") || take("SIGNED") || take("ZEROFILL") || take("INTEGER")) {
  }
  while (IsSymbol("[")) {
    SkipBalanced();
    type.is_array = true;
  }
  type.end = tokens_[at_ - 1].end;
  return type;
}

Status Parser::CreateIndex(Change& change) {
  change.kind = ChangeKind::CreateIndex;
  Skip();
  change.is_concurrent = TakeWord("CONCURRENTLY");
  change.if_exists = TakeWords({"IF", "NOT", "EXISTS"});
  if (!IsWord("ON")) {
    WARD_TRY(auto name, DottedName("an index's name"));
    change.objects.push_back(std::move(name));
  }
  if (is_mysql_ && TakeWord("USING")) Skip();
  WARD_CHECK(NeedWord("ON"));
  TakeWord("ONLY");
  change.target = std::make_unique<TableExpression>();
  change.target->begin = Now().begin;
  WARD_TRY(change.target->names, DottedName("a table's name"));
  change.target->end = tokens_[at_ - 1].end;
  if (TakeWord("USING")) Skip();
  WARD_TRY(change.columns, KeyColumns());
  while (Now().kind != TokenKind::End && !IsWord("WHERE")) Skip();
  if (TakeWord("WHERE")) {
    WARD_TRY(change.where, Value());
  }
  TakeRest();
  return Ok();
}

Status Parser::CreateView(Change& change) {
  change.kind = ChangeKind::CreateView;
  Skip();
  change.if_exists = TakeWords({"IF", "NOT", "EXISTS"});
  change.target = std::make_unique<TableExpression>();
  change.target->begin = Now().begin;
  WARD_TRY(change.target->names, DottedName("a view's name"));
  change.target->end = tokens_[at_ - 1].end;
  if (IsSymbol("(")) {
    WARD_TRY(change.columns, KeyColumns());
  }
  while (Now().kind != TokenKind::End && !IsWord("AS"))
    if (IsSymbol("("))
      SkipBalanced();
    else
      Skip();
  WARD_CHECK(NeedWord("AS"));
  WARD_TRY(change.query, ReadQuery());
  TakeRest();
  return Ok();
}

void Parser::CreateRoutine(Change& change) {
  change.kind = ChangeKind::CreateRoutine;
  for (; Now().kind != TokenKind::End; Skip()) {
    if (IsWord("SECURITY") && IsWordAt(1, "DEFINER")) change.is_security_definer = true;
    if (IsWord("SET") && IsWordAt(1, "SEARCH_PATH")) change.sets_search_path = true;
  }
}

Status Parser::Alter(Change& change) {
  Skip();
  change.kind = ChangeKind::Other;
  if (!TakeWord("TABLE")) {
    TakeRest();
    return Ok();
  }
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

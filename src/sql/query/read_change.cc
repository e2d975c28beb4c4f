// Statements of a script that are no reads: INSERT, UPDATE, DELETE, transactions, rights.
#include <utility>

#include "sql/query/parser.h"

namespace schemaward::sql::query {
namespace {

constexpr std::size_t kWordsMax = 12;

// Definitions pass over what rules do not ask of.
bool IsDefinition(const ScriptStatement& statement) {
  if (!statement.change) return false;
  switch (statement.change->kind) {
    case ChangeKind::Insert:
    case ChangeKind::Update:
    case ChangeKind::Delete:
    case ChangeKind::Merge:
      return false;
    default:
      return true;
  }
}

}  // namespace

ScriptStatement Parser::OneOfScript() {
  ScriptStatement statement;
  statement.begin = Now().begin;
  statement.head_end = Now().end;
  statement.end = tokens_.back().end;
  if (auto done = ScriptStatementOf(statement); !done) {
    statement.read.reset();
    statement.change.reset();
    statement.failure = std::move(done).error();
    statement.failed_begin = Now().begin;
    statement.failed_end = std::max(Now().end, Now().begin + 1);
  } else {
    statement.inner = std::move(inner_);
    statement.is_skimmed = is_skimmed_ || IsDefinition(statement);
  }
  return statement;
}

Status Parser::ScriptStatementOf(ScriptStatement& statement) {
  if (IsWord("WITH")) {
    Change change;
    change.with.begin = Now().begin;
    auto done = With(change.with);
    if (done && !BeginsQuery()) {
      WARD_CHECK(ReadChange(change));
      if (Now().kind != TokenKind::End) return Expected("the end of the statement");
      statement.change = std::move(change);
      return Ok();
    }
    at_ = questions_ = 0;
    inner_.clear();
  }
  if (IsWord("EXPLAIN")) return ExplainOfScript(statement);
  const bool describes = IsWord("SHOW") || IsWord("DESCRIBE") || IsWord("DESC") ||
                         IsWord("SUMMARIZE") || IsWord("PRAGMA");
  if (BeginsQuery()) {
    WARD_TRY(statement.read, One());
    return Ok();
  }
  Change change;
  if (describes) {
    TakeWordsOf(change);
    TakeRest();
  } else {
    WARD_CHECK(ReadChange(change));
  }
  if (Now().kind != TokenKind::End) return Expected("the end of the statement");
  statement.change = std::move(change);
  return Ok();
}

Status Parser::ReadChange(Change& change) {
  if (Now().kind != TokenKind::Word) return Expected("a statement");
  TakeWordsOf(change);
  if (IsWord("INSERT") || IsWord("REPLACE")) return Insert(change);
  if (IsWord("UPDATE") && !(is_duckdb_ && IsWordAt(1, "EXTENSIONS"))) return Update(change);
  if (IsWord("DELETE")) return Delete(change);
  if (IsWord("MERGE") && (is_postgres_ || is_duckdb_)) return Merge(change);
  if (IsWord("CREATE")) return Create(change);
  if (IsWord("ALTER")) return Alter(change);
  if (IsWord("DROP")) return Drop(change);
  if (IsWord("TRUNCATE")) return Truncate(change);
  if (IsWord("GRANT")) return Grant(change);
  if (IsWord("BEGIN") || (IsWord("START") && IsWordAt(1, "TRANSACTION")))
    change.kind = ChangeKind::Begin;
  else if (IsWord("COMMIT") || IsWord("END"))
    change.kind = ChangeKind::Commit;
  else if (IsWord("ROLLBACK") || IsWord("ABORT"))
    change.kind = ChangeKind::Rollback;
  else if (!IsStatementWord() && !IsWord("UPDATE"))
    return Expected("a statement");
  TakeRest();
  return Ok();
}

// Notes the first words of the statement; takes nothing.
void Parser::TakeWordsOf(Change& change) {
  for (std::size_t i = 0; i < kWordsMax && Ahead(i).kind != TokenKind::End; ++i)
    if (Ahead(i).kind == TokenKind::Word) change.words.push_back(Ahead(i).upper);
}

void Parser::TakeRest() {
  is_skimmed_ = is_skimmed_ || Now().kind != TokenKind::End;
  at_ = tokens_.size() - 1;
}

Result<ExpressionPtr> Parser::ValueOrDefault() {
  if (!IsWord("DEFAULT") || IsSymbolAt(1, "(")) return Value();
  auto literal = std::make_unique<Expression>();
  literal->form = "word";
  literal->text = "DEFAULT";
  literal->begin = Now().begin;
  literal->end = Now().end;
  Skip();
  return literal;
}

Status Parser::Insert(Change& change) {
  change.kind = ChangeKind::Insert;
  change.is_replacing = IsWord("REPLACE");
  Skip();
  while (!IsWord("INTO") && Now().kind == TokenKind::Word) {
    if (IsWord("REPLACE")) change.is_replacing = true;
    if (IsWord("IGNORE")) change.ignores_errors = true;
    if (!IsWord("OR") && !IsWord("REPLACE") && !IsWord("IGNORE") && !IsWord("ABORT") &&
        !IsWord("FAIL") && !IsWord("ROLLBACK") && !IsWord("LOW_PRIORITY") &&
        !IsWord("HIGH_PRIORITY") && !IsWord("DELAYED"))
      break;
    Skip();
  }
  if (!TakeWord("INTO") && !is_mysql_) return Expected("INTO");
  auto target = std::make_unique<TableExpression>();
  target->begin = Now().begin;
  WARD_TRY(target->names, DottedName("a table's name"));
  target->end = tokens_[at_ - 1].end;
  if (is_mysql_ && IsWord("PARTITION") && IsSymbolAt(1, "(")) {
    Skip();
    SkipBalanced();
  }
  if (TakeWord("AS")) {
    WARD_TRY(target->alias, ReadName("an alias"));
  }
  change.target = std::move(target);
  if (IsSymbol("(") && IsSymbolAt(1, ")")) {
    Skip(2);
  } else if (IsSymbol("(") && !BeginsQuery()) {
    WARD_CHECK(InsertColumns(change));
  }
  if (TakeWord("OVERRIDING")) Skip(2);  // SYSTEM VALUE
  if (is_duckdb_ && IsWord("BY") && IsWordAt(1, "NAME")) change.is_by_name = true;
  if (is_duckdb_ && TakeWord("BY")) Skip();  // NAME, POSITION
  WARD_CHECK(InsertSource(change));
  if (is_mysql_ && TakeWord("AS")) {
    WARD_TRY(const Name row, ReadName("an alias"));
    (void)row;
    if (IsSymbol("(")) SkipBalanced();
  }
  do {
    WARD_CHECK(OnConflict(change));
  } while (is_sqlite_ && IsWord("ON"));
  return ChangeTail(change);
}

// (a, b, c.field, d[1]).
Status Parser::InsertColumns(Change& change) {
  Skip();
  do {
    WARD_TRY(Name name, ReadName("a column's name"));
    change.columns.push_back(std::move(name));
    while (is_postgres_ && (IsSymbol("[") || IsSymbol("."))) {
      if (IsSymbol("["))
        SkipBalanced();
      else
        Skip(2);
    }
  } while (TakeSymbol(","));
  return NeedSymbol(")");
}

Status Parser::InsertSource(Change& change) {
  if (TakeWord("DEFAULT")) {
    change.has_default_values = true;
    return NeedWord("VALUES");
  }
  if (is_mysql_ && TakeWord("SET")) {
    WARD_CHECK(Assignments(change.assignments));
    std::vector<ExpressionPtr> row;
    for (Assignment& one : change.assignments) {
      change.columns.push_back(one.column.back());
      row.push_back(std::move(one.value));
    }
    change.assignments.clear();
    change.rows.push_back(std::move(row));
    return Ok();
  }
  if (TakeWord("VALUES") || (is_mysql_ && TakeWord("VALUE"))) return Rows(change);
  if (!BeginsQuery()) return Expected("VALUES or SELECT");
  WARD_TRY(change.query, ReadQuery());
  return Ok();
}

Status Parser::Rows(Change& change) {
  do {
    if (is_mysql_) TakeWord("ROW");
    WARD_CHECK(NeedSymbol("("));
    std::vector<ExpressionPtr> row;
    if (!IsSymbol(")")) {
      do {
        WARD_TRY(auto value, ValueOrDefault());
        row.push_back(std::move(value));
      } while (TakeSymbol(","));
    }
    WARD_CHECK(NeedSymbol(")"));
    change.rows.push_back(std::move(row));
  } while (TakeSymbol(","));
  return Ok();
}

Status Parser::OnConflict(Change& change) {
  if (!TakeWord("ON")) return Ok();
  change.has_conflict_clause = true;
  if (TakeWords({"DUPLICATE", "KEY", "UPDATE"})) return Assignments(change.assignments);
  WARD_CHECK(NeedWord("CONFLICT"));
  if (IsSymbol("(")) SkipBalanced();
  if (TakeWord("WHERE")) {
    WARD_TRY(const auto partial, Value());
    (void)partial;
  }
  if (TakeWords({"ON", "CONSTRAINT"})) Skip();
  WARD_CHECK(NeedWord("DO"));
  if (TakeWord("NOTHING")) return Ok();
  WARD_CHECK(NeedWord("UPDATE"));
  WARD_CHECK(NeedWord("SET"));
  WARD_CHECK(Assignments(change.assignments));
  if (TakeWord("WHERE")) {
    WARD_TRY(change.where, Value());
  }
  return Ok();
}

Status Parser::Assignments(std::vector<Assignment>& to) {
  do {
    Assignment one;
    one.begin = Now().begin;
    if (IsSymbol("(")) {  // (a, b) = (1, 2)
      WARD_TRY(one.column, NameList());
    } else {
      WARD_TRY(one.column, DottedName("a column's name"));
      if (IsSymbol("[")) SkipBalanced();
    }
    if (!TakeSymbol("=") && !TakeSymbol(":=")) return Expected("\"=\"");
    WARD_TRY(one.value, ValueOrDefault());
    one.end = tokens_[at_ - 1].end;
    to.push_back(std::move(one));
  } while (TakeSymbol(","));
  return Ok();
}

Status Parser::Update(Change& change) {
  change.kind = ChangeKind::Update;
  Skip();
  if (is_sqlite_ && TakeWord("OR")) Skip();
  TakeWord("LOW_PRIORITY");
  if (TakeWord("IGNORE")) change.ignores_errors = true;
  WARD_TRY(change.target, Joined());
  while (is_mysql_ && TakeSymbol(",")) {
    WARD_TRY(auto more, Joined());
    change.from.push_back(std::move(more));
  }
  WARD_CHECK(NeedWord("SET"));
  WARD_CHECK(Assignments(change.assignments));
  if (TakeWord("FROM")) {
    do {
      WARD_TRY(auto item, Joined());
      change.from.push_back(std::move(item));
    } while (TakeSymbol(","));
  }
  return ChangeTail(change);
}

Status Parser::Delete(Change& change) {
  change.kind = ChangeKind::Delete;
  Skip();
  for (const std::string_view word : {"LOW_PRIORITY", "QUICK", "IGNORE"}) TakeWord(word);
  if (is_mysql_ && IsWord("FROM") && NamesBeforeUsing()) return DeleteByUsing(change);
  if (is_mysql_ && !IsWord("FROM")) {  // DELETE a, b FROM ...
    do {
      WARD_TRY(auto name, TableWithStar());
      change.objects.push_back(std::move(name));
    } while (TakeSymbol(","));
  }
  WARD_CHECK(NeedWord("FROM"));
  WARD_TRY(change.target, Joined());
  if (TakeWord("USING")) {
    do {
      WARD_TRY(auto item, Joined());
      change.from.push_back(std::move(item));
    } while (TakeSymbol(","));
  }
  return ChangeTail(change);
}

// a, a.*, s.a.*
Result<std::vector<Name>> Parser::TableWithStar() {
  std::vector<Name> names;
  do {
    if (!names.empty() && TakeSymbol("*")) return names;
    WARD_TRY(Name name, ReadName("a table's name"));
    names.push_back(std::move(name));
  } while (TakeSymbol("."));
  return names;
}

// DELETE FROM a, b.* USING ...: True where USING follows nothing but names.
bool Parser::NamesBeforeUsing() const {
  std::size_t i = 1;
  bool has_comma = false;
  for (; IsName(i) || IsSymbolAt(i, ".") || IsSymbolAt(i, "*") || IsSymbolAt(i, ","); ++i)
    has_comma = has_comma || IsSymbolAt(i, ",") || IsSymbolAt(i, "*");
  return has_comma && IsWordAt(i, "USING");
}

Status Parser::DeleteByUsing(Change& change) {
  Skip();
  do {
    WARD_TRY(auto name, TableWithStar());
    change.objects.push_back(std::move(name));
  } while (TakeSymbol(","));
  WARD_CHECK(NeedWord("USING"));
  WARD_TRY(change.target, Joined());
  return ChangeTail(change);
}

Status Parser::ChangeTail(Change& change) {
  if (change.where == nullptr && TakeWord("WHERE")) {
    if (TakeWords({"CURRENT", "OF"})) {
      Skip();
      change.where = std::make_unique<Expression>();
      change.where->kind = ExpressionKind::Parameter;
    } else {
      WARD_TRY(change.where, Value());
    }
  }
  if (TakeWord("ORDER")) {
    WARD_CHECK(NeedWord("BY"));
    WARD_TRY(change.order_by, OrderItems());
  }
  if (TakeWord("LIMIT")) {
    WARD_TRY(change.limit, Value());
    if (is_sqlite_ && (TakeWord("OFFSET") || TakeSymbol(","))) {
      WARD_TRY(const auto more, Value());
      (void)more;
    }
  }
  if (TakeWord("RETURNING")) {
    if (TakeWord("WITH") && IsSymbol("(")) SkipBalanced();  // (OLD AS o)
    do {
      WARD_TRY(Output output, ReadOutput());
      change.returning.push_back(std::move(output));
    } while (TakeSymbol(","));
  }
  return Ok();
}

Status Parser::Grant(Change& change) {
  change.kind = ChangeKind::Grant;
  Skip();
  std::string privilege;
  while (!IsWord("ON") && !IsWord("TO") && Now().kind != TokenKind::End) {
    if (IsSymbol("(")) {
      SkipBalanced();
      continue;
    }
    if (IsSymbol(",")) {
      change.privileges.push_back(std::exchange(privilege, ""));
    } else if (Now().kind == TokenKind::Word) {
      privilege += (privilege.empty() ? "" : " ") + Now().upper;
    }
    Skip();
  }
  change.privileges.push_back(std::move(privilege));
  while (!IsWord("TO") && Now().kind != TokenKind::End) Skip();
  WARD_CHECK(NeedWord("TO"));
  do {
    if (Now().kind == TokenKind::Text) {
      change.grantees.push_back({tokens_[at_++].value, true, false});
    } else {
      TakeWord("ROLE");
      TakeWord("GROUP");
      WARD_TRY(Name name, ReadName("who gets the right"));
      change.grantees.push_back(std::move(name));
    }
    if (TakeSymbol("@")) Skip();
  } while (TakeSymbol(","));
  TakeRest();
  return Ok();
}

}  // namespace schemaward::sql::query

// Statements, their selects and clauses.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/ascii.h"
#include "sql/query/parser.h"

namespace schemaward::sql::query {
namespace {

// First words of statements that change something or reach beyond the query, for a clear refusal.
constexpr auto kChanging = std::to_array<std::string_view>(
    {"ALTER",    "ANALYZE", "ATTACH",   "BEGIN",  "CALL",       "CHECKPOINT", "CLUSTER",
     "COMMENT",  "COMMIT",  "COPY",     "CREATE", "DEALLOCATE", "DECLARE",    "DELETE",
     "DETACH",   "DISCARD", "DO",       "DROP",   "EXECUTE",    "EXPORT",     "FLUSH",
     "GRANT",    "HANDLER", "IMPORT",   "INSERT", "INSTALL",    "KILL",       "LISTEN",
     "LOAD",     "LOCK",    "MERGE",    "NOTIFY", "OPTIMIZE",   "PREPARE",    "REFRESH",
     "REINDEX",  "RENAME",  "REPLACE",  "RESET",  "REVOKE",     "ROLLBACK",   "SAVEPOINT",
     "SECURITY", "SET",     "SHUTDOWN", "START",  "TRUNCATE",   "UNLISTEN",   "UPDATE",
     "USE",      "VACUUM",  "XA"});

bool IsIntersect(std::string_view op) { return op.find("INTERSECT") != std::string_view::npos; }

}  // namespace

Result<Statement> Parser::One() {
  Statement statement;
  if (Now().kind == TokenKind::End) return Expected("a statement");
  if (BeginsQuery()) {
    WARD_TRY(statement.query, ReadQuery());
  } else if (IsWord("EXPLAIN") ||
             ((IsWord("DESCRIBE") || IsWord("DESC")) && is_mysql_ && BeginsQuery(1))) {
    WARD_TRY(statement, Explain());
  } else if (IsWord("SHOW") || IsWord("DESCRIBE") || IsWord("DESC") || IsWord("PRAGMA") ||
             IsWord("SUMMARIZE")) {
    WARD_TRY(statement, CatalogStatement());
  } else {
    for (const std::string_view word : kChanging)
      if (IsWord(word)) return NotRead(fmt::format("begins with {}, which is not a read", word));
    return Expected("SELECT, WITH, VALUES, TABLE or EXPLAIN");
  }
  while (TakeSymbol(";")) continue;  // an empty one is none
  if (Now().kind != TokenKind::End && at_ > 0 && tokens_[at_ - 1].value == ";")
    return Error(
        NotRead("is not alone: another follows")
            .Hint("Give one statement at a time; what changes something is for the user to run."));
  if (Now().kind != TokenKind::End) return Expected("the end of the statement");
  statement.parameters = std::max(parameters_, questions_);
  return statement;
}

Result<ExpressionPtr> Parser::Condition() {
  WARD_TRY(auto value, Value());
  if (Now().kind != TokenKind::End) return Expected("the end of the condition");
  return value;
}

// EXPLAIN peels off; what it explains is read like any other, and ANALYZE would run it.
Result<Statement> Parser::Explain() {
  ++at_;
  Statement statement;
  statement.kind = StatementKind::Explain;
  if (is_sqlite_) TakeWords({"QUERY", "PLAN"});
  if (IsWord("ANALYZE") || IsWord("ANALYSE")) return NotRead("is EXPLAIN ANALYZE, which runs it");
  TakeWord("VERBOSE");
  if (is_mysql_ && TakeWord("FORMAT")) {
    WARD_CHECK(NeedSymbol("="));
    ++at_;
  }
  if (IsSymbol("(") && !BeginsQuery()) {
    ++at_;
    while (!TakeSymbol(")")) {
      if (IsWord("ANALYZE") || IsWord("ANALYSE"))
        return NotRead("is EXPLAIN ANALYZE, which runs it");
      static constexpr auto kOptions = std::to_array<std::string_view>(
          {"FORMAT", "VERBOSE", "COSTS", "SETTINGS", "SUMMARY", "TIMING", "BUFFERS", "WAL", "JSON",
           "TEXT", "YAML", "XML", "ON", "OFF", "TRUE", "FALSE"});
      const bool known = std::any_of(kOptions.begin(), kOptions.end(),
                                     [&](std::string_view word) { return IsWord(word); });
      if (!known && !IsSymbol(",")) return Expected("an option of EXPLAIN");
      ++at_;
    }
  }
  if (!BeginsQuery()) {
    for (const std::string_view word : kChanging)
      if (IsWord(word)) return NotRead(fmt::format("explains a {}, which is not a read", word));
    if (is_mysql_ && at_ == 1 && IsName()) {  // EXPLAIN t is DESCRIBE t
      statement.kind = StatementKind::Catalog;
      statement.form = "describe";
      statement.table = std::make_unique<TableExpression>();
      WARD_TRY(statement.table->names, DottedName("a table's name"));
      return statement;
    }
    return Expected("the query to explain");
  }
  WARD_TRY(statement.query, ReadQuery());
  return statement;
}

// What describes the schema. Each is printed anew; nothing else of SHOW or PRAGMA is read.
Result<Statement> Parser::CatalogStatement() {
  Statement statement;
  statement.kind = StatementKind::Catalog;
  const bool is_pragma = IsWord("PRAGMA");
  if (is_pragma && is_sqlite_) {
    ++at_;
    if (TakeWord("TABLE_LIST")) {
      if (IsSymbol("(") || IsSymbol("=")) return Expected("the end of the statement");
      statement.form = "pragma_table_list";
      return statement;
    }
    std::vector<Name> schema;
    if (IsName() && IsSymbolAt(1, ".")) {
      WARD_TRY(Name name, ReadName("a schema"));
      WARD_CHECK(NeedSymbol("."));
      schema.push_back(std::move(name));
    }
    static constexpr auto kPragmas = std::to_array<std::string_view>(
        {"TABLE_INFO", "TABLE_XINFO", "INDEX_LIST", "FOREIGN_KEY_LIST"});
    for (const std::string_view word : kPragmas) {
      if (!IsWord(word) || !IsSymbolAt(1, "(")) continue;
      statement.form = fmt::format("pragma_{}", Now().value);
      statement.form = LowerAscii(statement.form);
      at_ += 2;
      statement.table = std::make_unique<TableExpression>();
      statement.table->names = std::move(schema);
      if (Now().kind == TokenKind::Text) {
        statement.table->names.push_back({tokens_[at_++].value, true, false});
      } else {
        WARD_TRY(Name name, ReadName("a table's name"));
        statement.table->names.push_back(std::move(name));
      }
      WARD_CHECK(NeedSymbol(")"));
      return statement;
    }
    return OfCatalog("is a PRAGMA that is not on the list of reading ones");
  }
  if ((is_mysql_ || is_duckdb_) && TakeWord("SHOW")) {
    if (is_duckdb_ && TakeWords({"ALL", "TABLES"})) {
      statement.form = "show_all_tables";
      return statement;
    }
    statement.is_full = is_mysql_ && TakeWord("FULL");
    if (TakeWord("TABLES")) {
      statement.form = "show_tables";
      if (is_mysql_ && TakeWord("LIKE")) {
        if (Now().kind != TokenKind::Text) return Expected("a pattern");
        WARD_TRY(statement.like, Literal());
      }
      return statement;
    }
    if (is_mysql_ && (TakeWord("COLUMNS") || TakeWord("FIELDS"))) {
      if (!TakeWord("FROM") && !TakeWord("IN")) return Expected("FROM");
      statement.form = "describe";
    } else if (is_duckdb_ && IsName() && Ahead().kind == TokenKind::End && !IsWord("DATABASES") &&
               !IsWord("SCHEMAS") && !IsWord("VARIABLES")) {
      statement.form = "describe";
    } else {
      return OfCatalog("is a SHOW that is not on the list of reading ones");
    }
  } else if (is_duckdb_ && TakeWord("SUMMARIZE")) {
    statement.form = "summarize";
  } else if ((is_mysql_ || is_duckdb_) && (TakeWord("DESCRIBE") || TakeWord("DESC"))) {
    statement.form = "describe";
  } else {
    return OfCatalog(
        fmt::format("begins with {}, which this dialect's guard does not read", Now().upper));
  }
  if (is_duckdb_ && BeginsQuery()) {
    WARD_TRY(statement.query, ReadQuery());
    return statement;
  }
  statement.table = std::make_unique<TableExpression>();
  WARD_TRY(statement.table->names, DottedName("a table's name"));
  return statement;
}

bool Parser::BeginsQuery(std::size_t ahead) const {
  while (IsSymbolAt(ahead, "(")) ++ahead;
  for (const std::string_view word : {"SELECT", "WITH", "VALUES", "TABLE"})
    if (IsWordAt(ahead, word)) return true;
  const bool pivots = IsWordAt(ahead, "PIVOT") || IsWordAt(ahead, "UNPIVOT");
  return is_duckdb_ && (IsWordAt(ahead, "FROM") || (pivots && !reads_script_));
}

Result<QueryPtr> Parser::ReadQuery() {
  const Deeper deeper(*this);
  WARD_CHECK(deeper.Check());
  auto query = std::make_unique<Query>();
  query->begin = Now().begin;
  WARD_CHECK(With(*query));
  WARD_CHECK(Terms(*query));
  WARD_CHECK(Tail(*query));
  if (!reads_script_) WARD_CHECK(OrderWithinBrackets(*query));
  query->end = tokens_[at_ - 1].end;
  return query;
}

// (SELECT ...) ORDER BY x is the select's own ORDER BY: its names mean columns of the select too.
// Where that has an order or a limit itself, engines differ in what comes first.
Status Parser::OrderWithinBrackets(Query& query) {
  const auto is_bare = [](const Query& one) {
    return one.order_by.empty() && !one.orders_all && one.limit == nullptr && one.offset == nullptr;
  };
  const auto is_nested = [](const Query& one) {
    return one.terms.size() == 1 && one.terms.front().nested != nullptr;
  };
  if (!is_nested(query) || (query.order_by.empty() && !query.orders_all)) return Ok();
  QueryPtr inner = std::move(query.terms.front().nested);
  while (is_nested(*inner) && is_bare(*inner) && inner->with.empty()) {
    QueryPtr next = std::move(inner->terms.front().nested);
    inner = std::move(next);
  }
  if (!is_bare(*inner) || (!inner->with.empty() && !query.with.empty()))
    return NotRead("orders a select in brackets that is ordered or cut itself; write it in FROM");
  query.terms = std::move(inner->terms);
  if (inner->with.empty()) return Ok();
  query.with = std::move(inner->with);
  query.is_recursive = inner->is_recursive;
  return Ok();
}

Status Parser::With(Query& query) {
  if (!TakeWord("WITH")) return Ok();
  query.is_recursive = TakeWord("RECURSIVE");
  do {
    CommonTable common;
    common.begin = Now().begin;
    common.end = Now().end;
    WARD_TRY(common.name, ReadName("the name of a common table"));
    if (IsSymbol("(")) {
      WARD_TRY(common.columns, NameList());
    }
    if (reads_script_ && is_duckdb_ && TakeWords({"USING", "KEY"})) SkipBalanced();
    WARD_CHECK(NeedWord("AS"));
    if (TakeWord("NOT")) WARD_CHECK(NeedWord("MATERIALIZED"));
    TakeWord("MATERIALIZED");
    WARD_CHECK(NeedSymbol("("));
    const bool changes =
        IsWord("INSERT") || IsWord("UPDATE") || IsWord("DELETE") || IsWord("MERGE");
    if (reads_script_ && is_postgres_ && changes) {
      WARD_CHECK(ChangeInWith(common));
    } else if (!BeginsQuery()) {
      for (const std::string_view word : kChanging)
        if (IsWord(word)) return NotRead(fmt::format("holds a {} in WITH", word));
      return Expected("a query");
    } else {
      WARD_TRY(common.query, ReadQuery());
    }
    WARD_CHECK(NeedSymbol(")"));
    if (reads_script_) WARD_CHECK(SkipSearchAndCycle(common));
    query.with.push_back(std::move(common));
  } while (TakeSymbol(","));
  if (!BeginsQuery()) {
    if (reads_script_)
      for (const std::string_view word : {"INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE"})
        if (IsWord(word)) return Ok();
    for (const std::string_view word : kChanging)
      if (IsWord(word)) return NotRead(fmt::format("is a {} after WITH", word));
    return Expected("SELECT");
  }
  return Ok();
}

// INTERSECT binds more strongly than UNION and EXCEPT, but not in SQLite, whose grammar has no
// parentheses there either.
Status Parser::Terms(Query& query) {
  SetTerm first;
  WARD_CHECK(Term(first));
  query.terms.push_back(std::move(first));
  while (true) {
    std::string op = SetOperator();
    if (op.empty()) return Ok();
    SetTerm term;
    WARD_CHECK(Term(term));
    if (!is_sqlite_ && !IsIntersect(op)) WARD_CHECK(Intersections(term));
    term.op = std::move(op);
    query.terms.push_back(std::move(term));
  }
}

// Folds the INTERSECTs that follow into the term.
Status Parser::Intersections(SetTerm& term) {
  if (!IsWord("INTERSECT")) return Ok();
  auto nested = std::make_unique<Query>();
  nested->terms.push_back(std::move(term));
  while (IsWord("INTERSECT")) {
    SetTerm more;
    more.op = SetOperator();
    WARD_CHECK(Term(more));
    nested->terms.push_back(std::move(more));
  }
  term = SetTerm();
  term.nested = std::move(nested);
  return Ok();
}

std::string Parser::SetOperator() {
  std::string op;
  if (TakeWord("UNION"))
    op = " UNION";
  else if (TakeWord("INTERSECT"))
    op = " INTERSECT";
  else if (TakeWord("EXCEPT") || (!is_postgres_ && TakeWord("MINUS")))
    op = " EXCEPT";
  if (op.empty()) return op;
  if (TakeWord("ALL"))
    op += " ALL";
  else
    TakeWord("DISTINCT");
  if (is_duckdb_ && TakeWords({"BY", "NAME"})) op += " BY NAME";
  return op + ' ';
}

Status Parser::Term(SetTerm& term) {
  if (!IsSymbol("(")) {
    WARD_TRY(term.core, ReadCore());
    return Ok();
  }
  ++at_;
  WARD_TRY(term.nested, ReadQuery());
  return NeedSymbol(")");
}

Result<Core> Parser::ReadCore() {
  const Deeper deeper(*this);
  WARD_CHECK(deeper.Check());
  const Token first = Now();
  WARD_TRY(Core core, CoreForm());
  core.begin = first.begin;
  core.head_end = first.end;
  core.end = tokens_[at_ - 1].end;
  return core;
}

Result<Core> Parser::CoreForm() {
  Core core;
  if (TakeWord("VALUES")) return Values();
  if (TakeWord("TABLE")) {
    auto table = std::make_unique<TableExpression>();
    WARD_TRY(table->names, DottedName("a table's name"));
    core.from.push_back(std::move(table));
    Output all;
    all.expression = std::make_unique<Expression>();
    all.expression->kind = ExpressionKind::Star;
    core.outputs.push_back(std::move(all));
    return core;
  }
  if (is_duckdb_ && (IsWord("PIVOT") || IsWord("UNPIVOT"))) {  // SELECT * FROM (PIVOT ...)
    WARD_TRY(auto pivot, Pivot());
    core.from.push_back(std::move(pivot));
    core.outputs.emplace_back().expression = std::make_unique<Expression>();
    core.outputs.back().expression->kind = ExpressionKind::Star;
    return core;
  }
  if (is_duckdb_ && TakeWord("FROM")) {  // FROM first
    WARD_CHECK(FromItems(core));
    if (TakeWord("SELECT")) {
      WARD_CHECK(SelectClause(core));
    } else {
      Output all;
      all.expression = std::make_unique<Expression>();
      all.expression->kind = ExpressionKind::Star;
      core.outputs.push_back(std::move(all));
    }
    WARD_CHECK(AfterFrom(core));
    return core;
  }
  if (!TakeWord("SELECT")) return Expected("SELECT");
  WARD_CHECK(SelectClause(core));
  if (IsWord("INTO")) WARD_CHECK(TakeInto());
  if (TakeWord("FROM")) {
    const bool is_dual = is_mysql_ && IsWord("DUAL") && !IsSymbolAt(1, ".") && !IsSymbolAt(1, ",");
    if (is_dual)
      ++at_;
    else
      WARD_CHECK(FromItems(core));
  }
  if (reads_script_ && IsWord("INTO")) WARD_CHECK(TakeInto());
  if (IsWord("INTO")) return NotRead("selects INTO something, which is not a read");
  WARD_CHECK(AfterFrom(core));
  return core;
}

Status Parser::SelectClause(Core& core) {
  if (is_mysql_) {
    static constexpr auto kHints = std::to_array<std::string_view>(
        {"STRAIGHT_JOIN", "SQL_NO_CACHE", "SQL_CACHE", "HIGH_PRIORITY", "SQL_SMALL_RESULT",
         "SQL_BIG_RESULT", "SQL_BUFFER_RESULT", "SQL_CALC_FOUND_ROWS"});
    bool taken = true;
    while (taken) {
      taken = false;
      for (const std::string_view hint : kHints) taken = TakeWord(hint) || taken;
      if (TakeWord("DISTINCTROW")) taken = core.is_distinct = true;
      if (IsWord("DISTINCT") && !core.is_distinct) {
        ++at_;
        taken = core.is_distinct = true;
      }
    }
  }
  if (TakeWord("DISTINCT")) core.is_distinct = true;
  if (core.is_distinct && !is_mysql_ && !is_sqlite_ && TakeWord("ON")) {
    WARD_CHECK(NeedSymbol("("));
    WARD_TRY(core.distinct_on, Values(")"));
    WARD_CHECK(NeedSymbol(")"));
  }
  if (!core.is_distinct) TakeWord("ALL");
  return Outputs(core);
}

Status Parser::Outputs(Core& core) {
  // PostgreSQL has selects without columns; a query that runs here has not.
  const bool is_empty = IsWord("FROM") || IsWord("WHERE") || IsSymbol(")") || IsSymbol(";") ||
                        Now().kind == TokenKind::End;
  if (reads_script_ && is_postgres_ && is_empty) return Ok();
  // EXISTS (SELECT FROM t): it does not matter which.
  const bool in_exists = at_ > 2 && tokens_[at_ - 2].value == "(" &&
                         tokens_[at_ - 3].kind == TokenKind::Word &&
                         tokens_[at_ - 3].upper == "EXISTS";
  if (is_postgres_ && IsWord("FROM") && in_exists) {
    core.outputs.emplace_back().expression = std::make_unique<Expression>();
    core.outputs.back().expression->form = "integer";
    core.outputs.back().expression->text = "1";
    return Ok();
  }
  if (IsWord("FROM") || Now().kind == TokenKind::End) return Expected("what to select");
  do {
    if (is_duckdb_ && (IsWord("FROM") || Now().kind == TokenKind::End)) return Ok();
    WARD_TRY(Output output, ReadOutput());
    core.outputs.push_back(std::move(output));
  } while (TakeSymbol(","));
  return Ok();
}

Result<Output> Parser::ReadOutput() {
  Output output;
  output.begin = Now().begin;
  if (is_duckdb_ && IsName() && IsSymbolAt(1, ":")) {  // name: value
    WARD_TRY(output.alias, ReadName("a name"));
    WARD_CHECK(NeedSymbol(":"));
    WARD_TRY(output.expression, Value());
    output.end = tokens_[at_ - 1].end;
    return output;
  }
  WARD_TRY(output.expression, Value());
  if (output.expression->kind != ExpressionKind::Star)
    if (auto alias = Alias()) output.alias = *std::move(alias);
  output.end = tokens_[at_ - 1].end;
  return output;
}

Status Parser::AfterFrom(Core& core) {
  if (TakeWord("WHERE")) {
    WARD_TRY(core.where, Value());
  }
  if (IsWord("GROUP")) WARD_CHECK(GroupBy(core));
  if (TakeWord("HAVING")) {
    WARD_TRY(core.having, Value());
  }
  if (IsWord("WINDOW")) WARD_CHECK(Windows(core));
  if (is_duckdb_ && TakeWord("QUALIFY")) {
    WARD_TRY(core.qualify, Value());
  }
  if (is_duckdb_ && IsWord("USING") && IsWordAt(1, "SAMPLE")) {
    if (!reads_script_) return UsingSample(core);
    Skip(2);
    SkipSample();
  }
  return Ok();
}

Status Parser::GroupBy(Core& core) {
  ++at_;
  WARD_CHECK(NeedWord("BY"));
  if (TakeWord("ALL")) {
    if (is_duckdb_) {
      core.groups_all = true;
      return Ok();
    }
  } else if (IsWord("DISTINCT") && (!reads_script_ || !is_postgres_)) {
    return Expected("what to group by");
  } else {
    TakeWord("DISTINCT");
  }
  do {
    if (TakeWords({"GROUPING", "SETS"})) {
      WARD_CHECK(NeedSymbol("("));
      std::vector<Part> parts;
      parts.push_back(TextPart("GROUPING SETS ("));
      do {
        const std::string before = parts.size() > 1 ? ", " : "";
        if (IsSymbol("(") && IsSymbolAt(1, ")")) {
          at_ += 2;
          parts.push_back(TextPart(before + "()"));
          continue;
        }
        WARD_TRY(auto set, Value());
        parts.push_back(ValuePart(before, std::move(set)));
      } while (TakeSymbol(","));
      WARD_CHECK(NeedSymbol(")"));
      parts.push_back(TextPart(")"));
      core.group_by.push_back(MakeSyntax("grouping_sets", std::move(parts), false));
      continue;
    }
    const bool is_rollup = IsWord("ROLLUP") && IsSymbolAt(1, "(");
    if (is_rollup || (IsWord("CUBE") && IsSymbolAt(1, "("))) {
      at_ += 2;
      std::vector<Part> parts;
      parts.push_back(TextPart(is_rollup ? "ROLLUP (" : "CUBE ("));
      WARD_TRY(auto keys, Values(")"));
      for (auto& key : keys)
        parts.push_back(ValuePart(parts.size() > 1 ? ", " : "", std::move(key)));
      WARD_CHECK(NeedSymbol(")"));
      parts.push_back(TextPart(")"));
      core.group_by.push_back(MakeSyntax(is_rollup ? "rollup" : "cube", std::move(parts), false));
      continue;
    }
    if (IsSymbol("(") && IsSymbolAt(1, ")")) {
      at_ += 2;
      std::vector<Part> parts;
      parts.push_back(TextPart("()"));
      core.group_by.push_back(MakeSyntax("empty_set", std::move(parts), false));
      continue;
    }
    WARD_TRY(auto key, Value());
    core.group_by.push_back(std::move(key));
    if (reads_script_ && is_mysql_ && !TakeWord("ASC")) TakeWord("DESC");
  } while (TakeSymbol(","));
  if (is_mysql_ && TakeWords({"WITH", "ROLLUP"})) core.group_suffix = " WITH ROLLUP";
  return Ok();
}

Status Parser::Windows(Core& core) {
  ++at_;
  do {
    NamedWindow window;
    WARD_TRY(window.name, ReadName("a window's name"));
    WARD_CHECK(NeedWord("AS"));
    WARD_TRY(window.spec, WindowSpec());
    core.windows.push_back(std::move(window));
  } while (TakeSymbol(","));
  return Ok();
}

Result<Core> Parser::Values() {
  Core core;
  do {
    if (is_mysql_) TakeWord("ROW");
    WARD_CHECK(NeedSymbol("("));
    WARD_TRY(auto row, Values(")"));
    WARD_CHECK(NeedSymbol(")"));
    if (!core.values.empty() && core.values.front().size() != row.size())
      return Expected("rows of the same length");
    core.values.push_back(std::move(row));
  } while (TakeSymbol(","));
  return core;
}

Status Parser::RefuseLocks() const {
  if (IsWord("FOR")) return NotRead("locks rows (FOR ...), which is not a read");
  if (IsWord("LOCK")) return NotRead("locks rows (LOCK IN SHARE MODE), which is not a read");
  if (IsWord("INTO")) return NotRead("selects INTO something, which is not a read");
  if (IsWord("PROCEDURE")) return NotRead("calls a PROCEDURE");
  return Ok();
}

// FOR UPDATE OF t SKIP LOCKED, LOCK IN SHARE MODE: of a script.
void Parser::TakeLock(Query& query) {
  if (!TakeWord("FOR") && !TakeWord("LOCK")) return;
  query.lock = "SHARE";
  while (Now().kind != TokenKind::End && !IsSymbol(")") && !IsSymbol(";")) {
    if (IsWord("UPDATE")) query.lock = "UPDATE";
    ++at_;
  }
}

// INTO [TEMP] [TABLE] name, INTO @a, @b: of a script.
Status Parser::TakeInto() {
  if (!reads_script_) return NotRead("selects INTO something, which is not a read");
  ++at_;
  do {
    TakeSymbol("@");
    if (TakeWord("OUTFILE") || TakeWord("DUMPFILE")) {
      while (Now().kind != TokenKind::End && !IsWord("FROM") && !IsSymbol(")")) Skip();
      return Ok();
    }
    for (const std::string_view word : {"TEMPORARY", "TEMP", "UNLOGGED", "TABLE"}) TakeWord(word);
    WARD_TRY(const auto into, DottedName("what to select into"));
    (void)into;
  } while (TakeSymbol(","));
  return Ok();
}

Status Parser::Tail(Query& query) {
  if (TakeWord("ORDER")) {
    WARD_CHECK(NeedWord("BY"));
    if (is_duckdb_ && IsWord("ALL")) {
      ++at_;
      query.orders_all = true;
      if (!TakeWord("ASC") && TakeWord("DESC")) query.orders_all_suffix = " DESC";
      if (TakeWords({"NULLS", "FIRST"})) query.orders_all_suffix += " NULLS FIRST";
      if (TakeWords({"NULLS", "LAST"})) query.orders_all_suffix += " NULLS LAST";
    } else {
      WARD_TRY(query.order_by, OrderItems());
    }
  }
  WARD_CHECK(Limits(query));
  if (reads_script_) TakeLock(query);
  if (reads_script_ && is_mysql_ && IsWord("INTO")) WARD_CHECK(TakeInto());
  if (reads_script_ && is_mysql_ && IsWord("PROCEDURE") && IsSymbolAt(2, "(")) {
    Skip(2);
    SkipBalanced();
  }
  return RefuseLocks();
}

Status Parser::Limits(Query& query) {
  for (int clause = 0; clause < 2; ++clause) {
    if (query.limit == nullptr && TakeWord("LIMIT")) {
      if (TakeWord("ALL")) continue;
      constexpr int kAboveProduct = 13;  // LIMIT 10% is no remainder
      const bool is_number = Now().kind == TokenKind::Integer || Now().kind == TokenKind::Decimal;
      if (is_duckdb_ && !reads_script_ && is_number &&
          (IsSymbolAt(1, "%") || IsWordAt(1, "PERCENT"))) {
        WARD_TRY(auto share, Literal());
        ++at_;
        std::vector<Part> parts;
        parts.push_back(ValuePart("", std::move(share)));
        parts.push_back(TextPart("%"));
        query.limit = MakeSyntax("percent", std::move(parts), false);
        continue;
      }
      WARD_TRY(query.limit, Value(reads_script_ && is_duckdb_ ? kAboveProduct : 0));
      if (reads_script_ && is_duckdb_ && !TakeSymbol("%")) TakeWord("PERCENT");
      if (is_duckdb_ && IsSymbol("%")) return Expected("a number of rows");
      if (!is_postgres_ && TakeSymbol(",")) {
        query.offset = std::move(query.limit);
        WARD_TRY(query.limit, Value());
      }
    } else if (query.offset == nullptr && TakeWord("OFFSET")) {
      WARD_TRY(query.offset, Value());
      if (!TakeWord("ROWS")) TakeWord("ROW");
    } else if (query.limit == nullptr && TakeWord("FETCH")) {
      if (!TakeWord("FIRST") && !TakeWord("NEXT")) return Expected("FIRST");
      if (IsWord("ROW") || IsWord("ROWS")) {
        query.limit = std::make_unique<Expression>();
        query.limit->form = "integer";
        query.limit->text = "1";
      } else {
        WARD_TRY(query.limit, Value());
      }
      if (!TakeWord("ROWS") && !TakeWord("ROW")) return Expected("ROWS");
      if (!TakeWord("ONLY")) {
        WARD_CHECK(NeedWord("WITH"));
        WARD_CHECK(NeedWord("TIES"));
        query.has_ties = true;
      }
    }
  }
  return Ok();
}

Result<std::vector<OrderItem>> Parser::OrderItems() {
  std::vector<OrderItem> items;
  do {
    WARD_TRY(OrderItem item, ReadOrderItem());
    items.push_back(std::move(item));
  } while (TakeSymbol(","));
  return items;
}

Result<OrderItem> Parser::ReadOrderItem() {
  OrderItem item;
  WARD_TRY(item.expression, Value());
  if (TakeWord("DESC"))
    item.suffix = " DESC";
  else
    TakeWord("ASC");
  if (IsWord("USING") && reads_script_ && is_postgres_) {
    Skip();
    if (IsWord("OPERATOR")) Skip();
    if (IsSymbol("("))
      SkipBalanced();
    else
      Skip();
  } else if (IsWord("USING") && !(reads_script_ && is_duckdb_)) {
    return Expected("ASC or DESC");
  }
  if (TakeWords({"NULLS", "FIRST"})) item.suffix += " NULLS FIRST";
  if (TakeWords({"NULLS", "LAST"})) item.suffix += " NULLS LAST";
  return item;
}

}  // namespace schemaward::sql::query

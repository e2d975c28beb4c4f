// Forms that only a script is read with: what engines know and no query that runs here needs. They
// are kept as far as rules ask; the guard's reader has none of them.
#include <array>

#include "base/ascii.h"
#include "base/contains.h"
#include "sql/query/parser.h"

namespace schemaward::sql::query {
namespace {

constexpr int kAssign = 0, kCompare = 6, kRange = 7, kOther = 8;  // as in read_expression.cc

// Calls that may have words between their arguments: XMLELEMENT(NAME a, ...), JSON_TABLE(...).
constexpr auto kWordyCalls = std::to_array<std::string_view>(
    {"ADDDATE",       "CHAR",           "COLLATION",    "CONVERT",        "DATE_ADD",
     "DATE_SUB",      "GET_FORMAT",     "GROUP_CONCAT", "JSON",           "JSON_ARRAY",
     "JSON_ARRAYAGG", "JSON_EXISTS",    "JSON_OBJECT",  "JSON_OBJECTAGG", "JSON_QUERY",
     "JSON_SCALAR",   "JSON_SERIALIZE", "JSON_TABLE",   "JSON_VALUE",     "NORMALIZE",
     "OVERLAY",       "SUBDATE",        "TREAT",        "WEIGHT_STRING",  "XMLCONCAT",
     "XMLELEMENT",    "XMLEXISTS",      "XMLFOREST",    "XMLPARSE",       "XMLPI",
     "XMLROOT",       "XMLSERIALIZE",   "XMLTABLE"});

// Words that the reader keeps from names, and that are no reserved words of the dialect.
constexpr auto kSoftEverywhere =
    std::to_array<std::string_view>({"ANTI", "ASOF", "FILTER", "GLOB", "MINUS", "PIVOT",
                                     "POSITIONAL", "QUALIFY", "SEMI", "UNPIVOT", "WITHIN"});
constexpr auto kSoftInSome = std::to_array<std::string_view>(
    {"FULL", "ILIKE", "OFFSET", "OVERLAPS", "SIMILAR", "TABLESAMPLE"});  // MySQL and SQLite

}  // namespace

/// A value of which nothing is known.
ExpressionPtr Parser::Opaque(std::size_t begin) const {
  auto value = std::make_unique<Expression>();
  value->kind = ExpressionKind::Parameter;
  value->number = 1;
  value->begin = begin;
  value->end = tokens_[at_ - 1].end;
  return value;
}

bool Parser::IsOperatorOfScript() const {
  if (!reads_script_ || (!is_postgres_ && !is_duckdb_) || Now().kind != TokenKind::Symbol)
    return false;
  const std::string& symbol = Now().value;
  return symbol != "=>" && symbol != "*" && symbol != "?" &&
         symbol.find_first_not_of("+-*/<>=~!@#%^&|?") == std::string::npos;
}

bool Parser::IsSoftWord() const {
  if (!reads_script_ || Now().kind != TokenKind::Word) return false;
  if (Contains(kSoftEverywhere, Now().upper)) return true;
  return (is_mysql_ || is_sqlite_) && Contains(kSoftInSome, Now().upper);
}

bool Parser::IsWordyCall(const std::vector<Name>& names) const {
  if (!reads_script_ || names.size() != 1 || names.front().is_quoted) return false;
  std::string upper(names.front().text);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return Contains(kWordyCalls, upper);
}

/// Operators that a query is not read with. Returns false, and takes nothing, where none follows.
Result<bool> Parser::InfixOfScript(ExpressionPtr& left, int level) {
  const std::size_t begin = left->begin;
  const auto join = [&](ExpressionPtr right, std::string text) {
    std::vector<Part> parts;
    parts.push_back(ValuePart("", std::move(left)));
    parts.push_back(ValuePart(std::move(text), std::move(right)));
    left = MakeSyntax("operator", std::move(parts), true);
  };
  if (level < kOther && IsOperatorOfScript()) {
    std::string text = ' ' + Now().value + ' ';
    Skip();
    WARD_TRY(left, Compared(std::move(left), std::move(text), kOther));
    return true;
  }
  if (level < kOther && is_postgres_ && IsWord("OPERATOR") && IsSymbolAt(1, "(")) {
    Skip();
    SkipBalanced();
    WARD_TRY(auto right, Value(kOther));
    join(std::move(right), " OPERATOR ");
    return true;
  }
  if (is_postgres_ && level < kOther && TakeWords({"AT", "LOCAL"})) return true;
  if (is_mysql_ && level < kCompare &&
      (TakeWords({"MEMBER", "OF"}) || TakeWords({"SOUNDS", "LIKE"}))) {
    WARD_TRY(auto right, Value(kCompare));
    join(std::move(right), " MEMBER OF ");
    return true;
  }
  if (is_mysql_ && level == kAssign && left->kind == ExpressionKind::Parameter &&
      TakeSymbol(":=")) {
    WARD_TRY(left, Value(kAssign));
    left->begin = begin;
    return true;
  }
  return false;
}

/// IS JSON OBJECT, IS NFC NORMALIZED, IS DOCUMENT: behind IS [NOT].
bool Parser::TakeIsForm() {
  if (TakeWord("DOCUMENT") || TakeWord("NORMALIZED")) return true;
  for (const std::string_view form : {"NFC", "NFD", "NFKC", "NFKD"})
    if (TakeWords({form, "NORMALIZED"})) return true;
  if (!TakeWord("JSON")) return false;
  for (const std::string_view kind : {"VALUE", "ARRAY", "OBJECT", "SCALAR"}) TakeWord(kind);
  if (IsWordAt(1, "UNIQUE") && (TakeWord("WITH") || TakeWord("WITHOUT"))) {
    Skip();
    TakeWord("KEYS");
  }
  return true;
}

/// What IN may have instead of a bracket: a table in SQLite, a list in DuckDB.
Result<ExpressionPtr> Parser::InOfScript(ExpressionPtr operand) {
  std::vector<Part> parts;
  parts.push_back(ValuePart("", std::move(operand)));
  if (is_duckdb_) {
    WARD_TRY(auto list, Value(kRange));
    parts.push_back(ValuePart(" IN ", std::move(list)));
  } else {
    WARD_TRY(const auto table, DottedName("\"(\""));
    (void)table;
    if (IsSymbol("(")) SkipBalanced();
    parts.push_back(TextPart(" IN a table"));
  }
  return MakeSyntax("in_list", std::move(parts), true);
}

/// Values that begin with what begins none in a query. Returns null, and takes nothing, elsewhere.
Result<ExpressionPtr> Parser::PrimaryOfScript() {
  const std::size_t begin = Now().begin;
  if (IsSymbol("?") && is_postgres_) {  // a driver's parameter
    Skip();
    return Opaque(begin);
  }
  const bool is_psql = is_postgres_ && Ahead().kind == TokenKind::Text;  // :'name'
  const bool is_named = IsSymbol(":") && (IsName(1) || is_psql) && Ahead().begin == Now().end;
  if (is_named || (is_duckdb_ && IsSymbol("#") && Ahead().kind == TokenKind::Integer)) {
    Skip(2);
    return Opaque(begin);
  }
  if (is_mysql_ && IsSymbol("{")) {  // {ts '2024-01-01 00:00:00'}
    SkipBalanced();
    return Opaque(begin);
  }
  if (is_mysql_ && TakeWords({"NEXT", "VALUE", "FOR"})) {
    WARD_TRY(const auto sequence, DottedName("a sequence"));
    (void)sequence;
    return Opaque(begin);
  }
  return ExpressionPtr();
}

/// REPLACE (value AS name, ...) and RENAME (a AS b) behind a star.
Status Parser::StarOfScript(Expression& star) {
  if (IsWord("COLUMNS") && IsSymbolAt(1, "(")) {
    Skip();
    SkipBalanced();
    star.parts.push_back(TextPart("COLUMNS"));
  }
  return Ok();
}

/// What may stand behind a table, beyond what a query is read with.
Status Parser::AfterTableOfScript(TableExpression& table) {
  if (is_mysql_ && IsWord("PARTITION") && IsSymbolAt(1, "(")) {
    Skip();
    SkipBalanced();
  }
  if (is_mysql_ && TakeWords({"FOR", "SYSTEM_TIME"})) {
    if (TakeWord("ALL")) return Ok();
    const bool is_span = IsWord("BETWEEN") || IsWord("FROM");
    if (!TakeWords({"AS", "OF"})) Skip();
    WARD_TRY(const auto moment, Value(kRange));
    (void)moment;
    if (is_span) {
      Skip();
      WARD_TRY(const auto last, Value(kRange));
      (void)last;
    }
  }
  if (is_duckdb_ && IsWord("AT") && IsSymbolAt(1, "(")) {
    Skip();
    SkipBalanced();
  }
  const bool pivots = is_duckdb_ && (IsWord("PIVOT") || IsWord("UNPIVOT"));
  if (pivots && (IsSymbolAt(1, "(") || IsWordAt(2, "NULLS"))) {
    const std::size_t begin = Now().begin;
    while (!IsSymbol("(") && Now().kind != TokenKind::End) Skip();
    SkipBalanced();
    MakeUnknown(table, begin);
  }
  return Ok();
}

/// Makes it an item of FROM of whose columns nothing is known.
void Parser::MakeUnknown(TableExpression& table, std::size_t begin) {
  table.kind = TableKind::Function;
  table.names.clear();
  table.call = std::make_unique<Expression>();
  table.call->kind = ExpressionKind::Call;
  table.call->names.push_back({"pivot", true, false});
  table.call->begin = begin;
  table.call->end = tokens_[at_ - 1].end;
}

/// Items of FROM that a query is not read with. Returns null, and takes nothing, elsewhere.
Result<TableExpressionPtr> Parser::TableOfScript() {
  const std::size_t begin = Now().begin;
  auto table = std::make_unique<TableExpression>();
  if (is_postgres_ && IsWord("ROWS") && IsWordAt(1, "FROM") && IsSymbolAt(2, "(")) {
    Skip(2);
    SkipBalanced();
    MakeUnknown(*table, begin);
    table->with_ordinality = TakeWords({"WITH", "ORDINALITY"});
    return table;
  }
  if (is_duckdb_ && IsSymbol("(") && (IsWordAt(1, "PIVOT") || IsWordAt(1, "UNPIVOT"))) {
    SkipBalanced();
    MakeUnknown(*table, begin);
    return table;
  }
  if (is_mysql_ && IsSymbol("{") && IsWordAt(1, "OJ")) {
    Skip(2);
    WARD_TRY(auto joined, Joined());
    WARD_CHECK(NeedSymbol("}"));
    return joined;
  }
  return TableExpressionPtr();
}

/// TABLESAMPLE and USING SAMPLE in every form.
void Parser::SkipSample() {
  if (Now().kind == TokenKind::Integer || Now().kind == TokenKind::Decimal) {
    Skip();
    if (!TakeSymbol("%") && !TakeWord("PERCENT")) TakeWord("ROWS");
  } else if (Now().kind == TokenKind::Word) {
    Skip();
  }
  if (IsSymbol("(")) SkipBalanced();
  if (TakeWord("REPEATABLE") || TakeWord("SEED"))
    if (IsSymbol("(")) SkipBalanced();
}

/// SEARCH ... SET and CYCLE ... USING behind a common table.
Status Parser::SkipSearchAndCycle(CommonTable& common) {
  if (TakeWord("SEARCH")) {
    common.adds_columns = true;
    while (Now().kind != TokenKind::End && !IsWord("SET")) Skip();
    Skip(2);
  }
  if (TakeWord("CYCLE")) {
    common.adds_columns = true;
    while (Now().kind != TokenKind::End && !IsWord("USING")) Skip();
    WARD_CHECK(NeedWord("USING"));
    Skip();
  }
  return Ok();
}

/// WITH x AS (DELETE FROM ... RETURNING ...): the change is kept beside the statement.
Status Parser::ChangeInWith(const CommonTable& common) {
  Change change;
  WARD_CHECK(ReadChange(change));
  change.common_begin = common.begin;
  inner_.push_back(std::move(change));
  return Ok();
}

/// EXPLAIN in all its forms: the statement behind it, where it is a query or where ANALYZE runs it.
Status Parser::ExplainOfScript(ScriptStatement& statement) {
  static constexpr auto kOptions = std::to_array<std::string_view>(
      {"ANALYZE", "ANALYSE", "EXTENDED", "FORMAT", "PARTITIONS", "PLAN", "QUERY", "VERBOSE"});
  Change change;
  TakeWordsOf(change);
  Skip();
  bool runs = false;
  while (Contains(kOptions, Now().upper) || (IsSymbol("(") && !BeginsQuery())) {
    runs = runs || IsWord("ANALYZE") || IsWord("ANALYSE");
    if (IsSymbol("(")) {
      runs = runs || IsWordAt(1, "ANALYZE") || IsWordAt(1, "ANALYSE");
      SkipBalanced();
      continue;
    }
    Skip();
    if (TakeSymbol("=")) Skip();
  }
  if (BeginsQuery() && !IsWord("WITH")) {
    WARD_TRY(statement.read, One());
    return Ok();
  }
  if (runs || IsWord("WITH")) return ScriptStatementOf(statement);
  TakeRest();
  statement.change = std::move(change);
  return Ok();
}

}  // namespace schemaward::sql::query

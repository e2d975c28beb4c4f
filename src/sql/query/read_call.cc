// Calls: the forms with words inside, plain functions with what may follow them, windows.
#include <array>

#include <fmt/format.h>

#include "base/ascii.h"
#include "sql/query/dialect_bits.h"
#include "sql/query/parser.h"

namespace schemaward::sql::query {
namespace {

constexpr auto kExtractFields = std::to_array<std::string_view>(
    {"CENTURY",     "DAY",          "DAYOFWEEK",  "DAYOFYEAR",    "DAY_HOUR",    "DAY_MINUTE",
     "DAY_SECOND",  "DECADE",       "DOW",        "HOUR_MINUTE",  "HOUR_SECOND", "MINUTE_SECOND",
     "DOY",         "EPOCH",        "HOUR",       "ISODOW",       "ISOYEAR",     "JULIAN",
     "MICROSECOND", "MICROSECONDS", "MILLENNIUM", "MILLISECONDS", "MINUTE",      "MONTH",
     "QUARTER",     "SECOND",       "TIMEZONE",   "WEEK",         "WEEKDAY",     "YEAR",
     "YEARWEEK",    "YEAR_MONTH"});

// The first argument of TIMESTAMPDIFF and TIMESTAMPADD.
constexpr auto kUnits = std::to_array<std::string_view>(
    {"MICROSECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR"});

// Functions of DuckDB whose second argument is a lambda. Elsewhere x -> y is a path into JSON.
constexpr auto kTakeLambdas = std::to_array<std::string_view>(
    {"apply", "array_apply", "array_filter", "array_reduce", "array_transform", "filter",
     "list_apply", "list_filter", "list_reduce", "list_transform", "reduce"});

Part Closing() { return TextPart(")"); }

}  // namespace

// Returns null where the word has no form of its own. Now() is the word, "(" follows.
Result<ExpressionPtr> Parser::SpecialCall() {
  if (IsWord("CAST") || (is_duckdb_ && IsWord("TRY_CAST"))) return CastCall();
  if (is_duckdb_ && IsWord("TRY")) return TryCall();
  if (IsWord("EXTRACT")) return ExtractCall();
  if (IsWord("POSITION") && !is_sqlite_) return PositionCall();
  if ((IsWord("SUBSTRING") || IsWord("SUBSTR")) && !is_sqlite_) return SubstringCall();
  if (IsWord("OVERLAY") && is_postgres_) return OverlayCall();
  if (IsWord("TRIM") && !is_sqlite_) return TrimCall();
  if (IsWord("CONVERT") && is_mysql_) return ConvertCall();
  if (is_mysql_ && (IsWord("TIMESTAMPDIFF") || IsWord("TIMESTAMPADD"))) {
    const std::string function = Now().upper;
    at_ += 2;
    for (const std::string_view unit : kUnits) {
      if (!TakeWord(unit)) continue;
      std::vector<Part> parts;
      parts.push_back(TextPart(fmt::format("{}({}", function, unit)));
      while (TakeSymbol(",")) {
        WARD_TRY(auto value, Value());
        parts.push_back(ValuePart(", ", std::move(value)));
      }
      WARD_CHECK(NeedSymbol(")"));
      parts.push_back(Closing());
      return MakeSyntax("timestamp_arithmetic", std::move(parts), false);
    }
    return Expected("a unit such as DAY");
  }
  if (reads_script_ && IsWord("COLLATION") && IsWordAt(1, "FOR")) Skip();
  return ExpressionPtr();
}

Result<ExpressionPtr> Parser::CastCall() {
  const std::string open = IsWord("CAST") ? "CAST(" : "TRY_CAST(";
  at_ += 2;
  WARD_TRY(auto operand, Value());
  WARD_CHECK(NeedWord("AS"));
  WARD_TRY(auto cast, CastTo(open, std::move(operand)));
  WARD_CHECK(NeedSymbol(")"));
  return cast;
}

Result<ExpressionPtr> Parser::ExtractCall() {
  at_ += 2;
  std::string field = Now().upper;
  if (Now().kind == TokenKind::Text || Now().kind == TokenKind::Name) {
    field = Now().value;
    for (char& c : field)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  const bool is_any = reads_script_ && Now().kind != TokenKind::Symbol && IsWordAt(1, "FROM");
  if (!is_any &&
      std::find(kExtractFields.begin(), kExtractFields.end(), field) == kExtractFields.end())
    return Expected("a field such as YEAR");
  ++at_;
  WARD_CHECK(NeedWord("FROM"));
  std::vector<Part> parts;
  WARD_TRY(auto operand, Value());
  parts.push_back(ValuePart(fmt::format("EXTRACT({} FROM ", field), std::move(operand)));
  WARD_CHECK(NeedSymbol(")"));
  parts.push_back(Closing());
  return MakeSyntax("extract", std::move(parts), false);
}

Result<ExpressionPtr> Parser::PositionCall() {
  at_ += 2;
  constexpr int kAboveIn = 8;
  std::vector<Part> parts;
  WARD_TRY(auto needle, Value(kAboveIn));
  parts.push_back(ValuePart("POSITION(", std::move(needle)));
  WARD_CHECK(NeedWord("IN"));
  WARD_TRY(auto text, Value(kAboveIn));
  parts.push_back(ValuePart(" IN ", std::move(text)));
  WARD_CHECK(NeedSymbol(")"));
  parts.push_back(Closing());
  return MakeSyntax("position", std::move(parts), false);
}

Result<ExpressionPtr> Parser::SubstringCall() {
  at_ += 2;
  std::vector<Part> parts;
  WARD_TRY(auto text, Value());
  parts.push_back(ValuePart("SUBSTRING(", std::move(text)));
  if (TakeWord("FROM")) {
    WARD_TRY(auto from, Value());
    parts.push_back(ValuePart(" FROM ", std::move(from)));
    if (TakeWord("FOR")) {
      WARD_TRY(auto length, Value());
      parts.push_back(ValuePart(" FOR ", std::move(length)));
    }
  } else {
    while (TakeSymbol(",")) {
      WARD_TRY(auto value, Value());
      parts.push_back(ValuePart(", ", std::move(value)));
    }
  }
  WARD_CHECK(NeedSymbol(")"));
  parts.push_back(Closing());
  return MakeSyntax("substring", std::move(parts), false);
}

// OVERLAY(text PLACING other FROM at [FOR length])
Result<ExpressionPtr> Parser::OverlayCall() {
  at_ += 2;
  std::vector<Part> parts;
  WARD_TRY(auto text, Value());
  parts.push_back(ValuePart("OVERLAY(", std::move(text)));
  WARD_CHECK(NeedWord("PLACING"));
  WARD_TRY(auto other, Value());
  parts.push_back(ValuePart(" PLACING ", std::move(other)));
  WARD_CHECK(NeedWord("FROM"));
  WARD_TRY(auto from, Value());
  parts.push_back(ValuePart(" FROM ", std::move(from)));
  if (TakeWord("FOR")) {
    WARD_TRY(auto length, Value());
    parts.push_back(ValuePart(" FOR ", std::move(length)));
  }
  WARD_CHECK(NeedSymbol(")"));
  parts.push_back(Closing());
  return MakeSyntax("overlay", std::move(parts), false);
}

Result<ExpressionPtr> Parser::TrimCall() {
  at_ += 2;
  std::string open = "TRIM(";
  bool has_side = false;
  for (const std::string_view side : {"BOTH", "LEADING", "TRAILING"})
    if (TakeWord(side)) {
      open += std::string(side) + ' ';
      has_side = true;
      break;
    }
  std::vector<Part> parts;
  if (has_side && TakeWord("FROM")) open += "FROM ";
  WARD_TRY(auto first, Value());
  parts.push_back(ValuePart(open, std::move(first)));
  if (TakeWord("FROM")) {
    WARD_TRY(auto text, Value());
    parts.push_back(ValuePart(" FROM ", std::move(text)));
  } else if (TakeSymbol(",")) {
    WARD_TRY(auto characters, Value());
    parts.push_back(ValuePart(", ", std::move(characters)));
  }
  WARD_CHECK(NeedSymbol(")"));
  parts.push_back(Closing());
  return MakeSyntax("trim", std::move(parts), false);
}

// CONVERT(x, type) and CONVERT(x USING charset).
Result<ExpressionPtr> Parser::ConvertCall() {
  at_ += 2;
  std::vector<Part> parts;
  WARD_TRY(auto operand, Value());
  parts.push_back(ValuePart("CONVERT(", std::move(operand)));
  if (TakeWord("USING")) {
    if (reads_script_ && Now().kind == TokenKind::Word && IsSymbolAt(1, ")")) {
      Skip(2);
      return MakeSyntax("cast", std::move(parts), false);
    }
    for (const std::string_view set : kCharacterSets)
      if (TakeWord(set)) {
        parts.push_back(TextPart(fmt::format(" USING {})", set)));
        WARD_CHECK(NeedSymbol(")"));
        return MakeSyntax("cast", std::move(parts), false);
      }
    return Expected("a character set that is on the list");
  }
  WARD_CHECK(NeedSymbol(","));
  WARD_TRY(const std::string type, Type());
  parts.push_back(TextPart(", " + type + ")"));
  WARD_CHECK(NeedSymbol(")"));
  return MakeSyntax("cast", std::move(parts), false);
}

/// `is_method`: a value in front of the dot is the first argument.
Result<ExpressionPtr> Parser::Call(std::vector<Name> names, bool is_method) {
  const Deeper deeper(*this);
  WARD_CHECK(deeper.Check());
  auto call = std::make_unique<Expression>();
  call->kind = ExpressionKind::Call;
  call->names = std::move(names);
  call->begin = Now().begin;
  WARD_CHECK(NeedSymbol("("));
  const std::size_t from = at_;
  const std::size_t questions = questions_;
  Status done = Arguments(*call, is_method);
  if (done) done = NeedSymbol(")");
  if (!done && !IsWordyCall(call->names)) return std::move(done).error();
  if (!done) {
    at_ = from - 1;
    questions_ = questions;
    call->parts.clear();
    call->parts.push_back(TextPart("("));
    SkipBalanced();
  }
  call->parts.push_back(TextPart(")"));
  WARD_CHECK(AfterCall(*call));
  call->end = tokens_[at_ - 1].end;
  return call;
}

Status Parser::Arguments(Expression& call, bool is_method) {
  call.parts.push_back(TextPart("("));
  if (IsSymbol(")")) return Ok();
  if (TakeWord("DISTINCT"))
    call.parts.back().text += "DISTINCT ";
  else if (IsWord("ALL") && !IsSymbolAt(1, "("))
    ++at_;
  const bool takes_lambda =
      is_duckdb_ && std::find(kTakeLambdas.begin(), kTakeLambdas.end(),
                              LowerAscii(call.names.back().text)) != kTakeLambdas.end();
  std::size_t place = is_method ? 1 : 0;  // x.f(y): x is the first
  do {
    if (reads_script_ && is_postgres_) TakeWord("VARIADIC");
    const bool is_for_lambda = takes_lambda && place == 1;
    const bool may_be_lambda = is_for_lambda || (is_duckdb_ && reads_script_);
    WARD_TRY(auto argument,
             may_be_lambda ? TryLambda(is_for_lambda) : Result<ExpressionPtr>(ExpressionPtr()));
    if (argument == nullptr) {
      WARD_TRY(argument, Argument());
    }
    call.parts.push_back(ValuePart(call.parts.size() == 1 ? "" : ", ", std::move(argument)));
    ++place;
  } while (TakeSymbol(","));
  if (TakeWord("ORDER")) {
    WARD_CHECK(NeedWord("BY"));
    WARD_TRY(auto items, OrderItems());
    for (std::size_t i = 0; i < items.size(); ++i) {
      call.parts.push_back(ValuePart(i == 0 ? " ORDER BY " : ", ", std::move(items[i].expression)));
      call.parts.push_back(TextPart(items[i].suffix));
    }
  }
  if (is_duckdb_ && TakeWords({"IGNORE", "NULLS"}))
    call.parts.push_back(TextPart(" IGNORE NULLS"));
  else if (reads_script_ && (TakeWords({"IGNORE", "NULLS"}) || TakeWords({"RESPECT", "NULLS"})))
    call.parts.push_back(TextPart(""));
  if (is_mysql_ && TakeWord("SEPARATOR")) {
    if (Now().kind != TokenKind::Text) return Expected("a string");
    WARD_TRY(auto text, Literal());
    call.parts.push_back(ValuePart(" SEPARATOR ", std::move(text)));
  }
  if (is_mysql_ && !reads_script_ && TakeWord("LIMIT")) {  // of MariaDB's GROUP_CONCAT
    if (Now().kind != TokenKind::Integer) return Expected("a number");
    WARD_TRY(auto rows, Literal());
    call.parts.push_back(ValuePart(" LIMIT ", std::move(rows)));
  }
  return Ok();
}

// A value, a query, or a name and a value.
Result<ExpressionPtr> Parser::Argument() {
  const bool is_values_of = reads_script_ && is_mysql_ && IsWord("VALUES");  // VALUES(a) > 1
  if (BeginsQuery() && !IsSymbol("(") && !is_values_of) {
    std::vector<Part> parts;
    WARD_TRY(auto query, ReadQuery());
    parts.push_back(QueryPart("(", std::move(query)));
    parts.push_back(TextPart(")"));
    return MakeSyntax("subquery", std::move(parts), false);
  }
  // struct_pack(name := value), make_interval(days => 1)
  const bool is_named = (is_duckdb_ && IsSymbolAt(1, ":=")) ||
                        (is_postgres_ && (IsSymbolAt(1, "=>") || IsSymbolAt(1, ":=")));
  if (reads_script_ && !is_named && !is_mysql_ && IsName() &&
      (IsSymbolAt(1, "=>") || IsSymbolAt(1, ":="))) {
    Skip(2);
    return Value();
  }
  if (is_named && IsName()) {
    std::vector<Part> parts;
    const std::string name = QuoteIdentifier(dialect_, Now().value);
    at_ += 2;
    WARD_TRY(auto value, Value());
    parts.push_back(ValuePart(name + (is_postgres_ ? " => " : " := "), std::move(value)));
    return MakeSyntax("named", std::move(parts), false);
  }
  return Value();
}

Status Parser::AfterCall(Expression& call) {
  if (TakeWords({"WITHIN", "GROUP"})) {
    WARD_CHECK(NeedSymbol("("));
    WARD_CHECK(NeedWord("ORDER"));
    WARD_CHECK(NeedWord("BY"));
    WARD_TRY(auto items, OrderItems());
    for (std::size_t i = 0; i < items.size(); ++i) {
      call.parts.push_back(
          ValuePart(i == 0 ? " WITHIN GROUP (ORDER BY " : ", ", std::move(items[i].expression)));
      call.parts.push_back(TextPart(items[i].suffix));
    }
    call.parts.push_back(Closing());
    WARD_CHECK(NeedSymbol(")"));
  }
  if (IsWord("FILTER") && IsSymbolAt(1, "(")) {
    at_ += 2;
    if (!is_duckdb_ || IsWord("WHERE")) WARD_CHECK(NeedWord("WHERE"));
    WARD_TRY(auto condition, Value());
    call.parts.push_back(ValuePart(" FILTER (WHERE ", std::move(condition)));
    call.parts.push_back(Closing());
    WARD_CHECK(NeedSymbol(")"));
  }
  if (reads_script_ && is_mysql_ && IsWord("AGAINST") && IsSymbolAt(1, "(")) {
    Skip();
    SkipBalanced();
  }
  const bool counts_from = IsWord("FROM") && (IsWordAt(1, "FIRST") || IsWordAt(1, "LAST")) &&
                           (IsWordAt(2, "RESPECT") || IsWordAt(2, "IGNORE") || IsWordAt(2, "OVER"));
  if (reads_script_ && counts_from) Skip(2);
  if (TakeWords({"IGNORE", "NULLS"})) call.parts.push_back(TextPart(" IGNORE NULLS"));
  if (TakeWords({"RESPECT", "NULLS"})) call.parts.push_back(TextPart(" RESPECT NULLS"));
  if (!TakeWord("OVER")) return Ok();
  call.has_window = true;
  if (!IsSymbol("(")) {
    WARD_TRY(const Name window, ReadName("a window"));
    call.parts.push_back(TextPart(" OVER " + QuoteIdentifier(dialect_, window.text)));
    return Ok();
  }
  WARD_TRY(auto spec, WindowSpec());
  call.parts.push_back(ValuePart(" OVER ", std::move(spec)));
  return Ok();
}

Result<ExpressionPtr> Parser::WindowSpec() {
  WARD_CHECK(NeedSymbol("("));
  auto spec = MakeSyntax("window", {}, false);
  std::string open = "(";
  if (IsName() && !IsWord("ROWS") && !IsWord("RANGE") && !IsWord("GROUPS")) {
    WARD_TRY(const Name base, ReadName("a window"));
    open += QuoteIdentifier(dialect_, base.text);
  }
  spec->parts.push_back(TextPart(open));
  if (TakeWord("PARTITION")) {
    WARD_CHECK(NeedWord("BY"));
    WARD_TRY(auto keys, Values(")"));
    for (std::size_t i = 0; i < keys.size(); ++i)
      spec->parts.push_back(ValuePart(i == 0 ? " PARTITION BY " : ", ", std::move(keys[i])));
  }
  if (TakeWord("ORDER")) {
    WARD_CHECK(NeedWord("BY"));
    WARD_TRY(auto items, OrderItems());
    for (std::size_t i = 0; i < items.size(); ++i) {
      spec->parts.push_back(
          ValuePart(i == 0 ? " ORDER BY " : ", ", std::move(items[i].expression)));
      spec->parts.push_back(TextPart(items[i].suffix));
    }
  }
  for (const std::string_view unit : {"ROWS", "RANGE", "GROUPS"}) {
    if (!TakeWord(unit)) continue;
    spec->parts.push_back(TextPart(' ' + std::string(unit)));
    if (TakeWord("BETWEEN")) {
      spec->parts.push_back(TextPart(" BETWEEN"));
      WARD_TRY(const std::string from, FrameBound(*spec));
      spec->parts.push_back(TextPart(from));
      WARD_CHECK(NeedWord("AND"));
      spec->parts.push_back(TextPart(" AND"));
    }
    WARD_TRY(const std::string to, FrameBound(*spec));
    spec->parts.push_back(TextPart(to));
    if (TakeWord("EXCLUDE")) {
      if (TakeWords({"CURRENT", "ROW"}))
        spec->parts.push_back(TextPart(" EXCLUDE CURRENT ROW"));
      else if (TakeWords({"NO", "OTHERS"}))
        spec->parts.push_back(TextPart(" EXCLUDE NO OTHERS"));
      else if (TakeWord("GROUP"))
        spec->parts.push_back(TextPart(" EXCLUDE GROUP"));
      else if (TakeWord("TIES"))
        spec->parts.push_back(TextPart(" EXCLUDE TIES"));
      else
        return Expected("what to exclude");
    }
    break;
  }
  WARD_CHECK(NeedSymbol(")"));
  spec->parts.push_back(Closing());
  return spec;
}

// Adds the offset to the parts and returns the words behind it.
Result<std::string> Parser::FrameBound(Expression& spec) {
  if (TakeWords({"CURRENT", "ROW"})) return std::string(" CURRENT ROW");
  if (TakeWords({"UNBOUNDED", "PRECEDING"})) return std::string(" UNBOUNDED PRECEDING");
  if (TakeWords({"UNBOUNDED", "FOLLOWING"})) return std::string(" UNBOUNDED FOLLOWING");
  constexpr int kAboveAnd = 3;
  WARD_TRY(auto offset, Value(kAboveAnd));
  spec.parts.push_back(ValuePart(" ", std::move(offset)));
  if (TakeWord("PRECEDING")) return std::string(" PRECEDING");
  WARD_CHECK(NeedWord("FOLLOWING"));
  return std::string(" FOLLOWING");
}

}  // namespace schemaward::sql::query

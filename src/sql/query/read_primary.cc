// What stands between operators: literals, parameters, brackets, CASE, lists, stars and names.
// Calls are in read_call.cc.
#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "sql/query/parser.h"

namespace schemaward::sql::query {

Result<ExpressionPtr> Parser::Primary() {
  const Deeper deeper(*this);
  WARD_CHECK(deeper.Check());
  switch (Now().kind) {
    case TokenKind::Integer:
    case TokenKind::Decimal:
    case TokenKind::Text:
    case TokenKind::Bits:
      return Literal();
    case TokenKind::Parameter:
      return Parameter();
    case TokenKind::Name:
      return NameOrCall();
    case TokenKind::Word:
      return WordPrimary();
    case TokenKind::Symbol:
      if (IsSymbol("(")) return Parens();
      if (IsSymbol("*")) return StarOf({});
      if (is_duckdb_ && IsSymbol("[")) return List("[", "]");
      if (is_duckdb_ && IsSymbol("{")) return StructOf();
      if (reads_script_) {
        WARD_TRY(auto value, PrimaryOfScript());
        if (value != nullptr) return value;
      }
      if (reads_script_ && IsSymbol("@")) return Variable();
      if (IsSymbol("@")) return Error(NotListed("reads a variable (@...)"));
      [[fallthrough]];
    case TokenKind::End:
      break;
  }
  return Expected("a value");
}

Result<ExpressionPtr> Parser::Literal() {
  const Token& token = tokens_[at_++];
  auto literal = std::make_unique<Expression>();
  literal->begin = token.begin;
  literal->end = token.end;
  literal->text = token.value;
  literal->form = token.kind == TokenKind::Integer   ? "integer"
                  : token.kind == TokenKind::Decimal ? "decimal"
                  : token.kind == TokenKind::Bits    ? "bits"
                                                     : "text";
  if (token.kind == TokenKind::Text) {
    literal->value = token.value;
    // 'a' 'b' is one string in MySQL, and over lines elsewhere.
    while (Now().kind == TokenKind::Text && !is_sqlite_) literal->value += tokens_[at_++].value;
  }
  return literal;
}

Result<ExpressionPtr> Parser::Parameter() {
  const Token& token = tokens_[at_++];
  auto parameter = std::make_unique<Expression>();
  parameter->kind = ExpressionKind::Parameter;
  parameter->begin = token.begin;
  parameter->end = token.end;
  constexpr std::size_t kDigitsMax = 4;
  if (token.value.size() > kDigitsMax)
    return SyntaxAt(token.begin, token.end, "a parameter's number", token.value);
  if (token.value.empty()) {
    parameter->number = ++questions_;
  } else {
    for (const char c : token.value)
      parameter->number = parameter->number * 10 + static_cast<std::size_t>(c - '0');
    if (parameter->number == 0)
      return SyntaxAt(token.begin, token.end, "a parameter's number from 1", token.value);
  }
  parameters_ = std::max(parameters_, parameter->number);
  return parameter;
}

// @name and @@name: a value that is not known.
Result<ExpressionPtr> Parser::Variable() {
  ++at_;
  TakeSymbol("@");
  WARD_TRY(auto names, DottedName("a variable"));
  auto variable = std::make_unique<Expression>();
  variable->kind = ExpressionKind::Parameter;
  variable->number = 1;
  return variable;
}

Result<std::vector<ExpressionPtr>> Parser::Values(std::string_view close) {
  std::vector<ExpressionPtr> values;
  if (IsSymbol(close)) return values;
  do {
    WARD_TRY(auto value, Value());
    values.push_back(std::move(value));
  } while (TakeSymbol(","));
  return values;
}

// (value), (value, value), (SELECT ...).
Result<ExpressionPtr> Parser::Parens() {
  const std::size_t begin = Now().begin;
  ++at_;
  if (BeginsQuery() && !IsSymbol("(")) {
    std::vector<Part> parts;
    WARD_TRY(auto query, ReadQuery());
    parts.push_back(QueryPart("(", std::move(query)));
    WARD_CHECK(NeedSymbol(")"));
    parts.push_back(TextPart(")"));
    return MakeSyntax("subquery", std::move(parts), false);
  }
  if (BeginsQuery())
    if (QueryPtr query = QueryInBrackets()) {
      std::vector<Part> parts;
      parts.push_back(QueryPart("(", std::move(query)));
      parts.push_back(TextPart(")"));
      return MakeSyntax("subquery", std::move(parts), false);
    }
  WARD_TRY(auto values, Values(")"));
  WARD_CHECK(NeedSymbol(")"));
  if (values.empty()) return SyntaxAt(begin, Now().begin, "a value", ")");
  if (values.size() == 1) {
    // A name in parentheses can be a whole row: (p).city.
    if (values.front()->kind == ExpressionKind::Column && IsSymbol(".")) {
      std::vector<Part> parts;
      parts.push_back(ValuePart("", std::move(values.front())));
      return MakeSyntax("parens", std::move(parts), true);
    }
    return std::move(values.front());
  }
  std::vector<Part> parts;
  for (std::size_t i = 0; i < values.size(); ++i)
    parts.push_back(ValuePart(i == 0 ? "(" : ", ", std::move(values[i])));
  parts.push_back(TextPart(")"));
  return MakeSyntax("row", std::move(parts), false);
}

Result<ExpressionPtr> Parser::CaseOf() {
  ++at_;
  std::vector<Part> parts;
  parts.push_back(TextPart("CASE"));
  if (!IsWord("WHEN")) {
    WARD_TRY(auto operand, Value());
    parts.push_back(ValuePart(" ", std::move(operand)));
  }
  if (!IsWord("WHEN")) return Expected("WHEN");
  while (TakeWord("WHEN")) {
    WARD_TRY(auto when, Value());
    parts.push_back(ValuePart(" WHEN ", std::move(when)));
    WARD_CHECK(NeedWord("THEN"));
    WARD_TRY(auto then, Value());
    parts.push_back(ValuePart(" THEN ", std::move(then)));
  }
  if (TakeWord("ELSE")) {
    WARD_TRY(auto otherwise, Value());
    parts.push_back(ValuePart(" ELSE ", std::move(otherwise)));
  }
  WARD_CHECK(NeedWord("END"));
  parts.push_back(TextPart(" END"));
  return MakeSyntax("case", std::move(parts), true);
}

// INTERVAL '7 days' and, in MySQL and DuckDB, INTERVAL 7 DAY.
Result<ExpressionPtr> Parser::Interval() {
  static constexpr auto kUnits = std::to_array<std::string_view>(
      {"MICROSECOND", "MILLISECOND", "SECOND",  "MINUTE",    "HOUR",         "DAY",
       "WEEK",        "MONTH",       "QUARTER", "YEAR",      "SECONDS",      "MINUTES",
       "HOURS",       "DAYS",        "WEEKS",   "MONTHS",    "QUARTERS",     "YEARS",
       "DECADE",      "DECADES",     "CENTURY", "CENTURIES", "MICROSECONDS", "MILLISECONDS"});
  static constexpr auto kPairs = std::to_array<std::string_view>(
      {"SECOND_MICROSECOND", "MINUTE_SECOND", "HOUR_SECOND", "HOUR_MINUTE", "DAY_HOUR",
       "DAY_MINUTE", "DAY_SECOND", "YEAR_MONTH"});
  ++at_;
  std::vector<Part> parts;
  if (reads_script_ && is_postgres_ && IsSymbol("(")) SkipBalanced();  // INTERVAL(3) '1 second'
  if (is_postgres_ && Now().kind != TokenKind::Text) return Expected("the text of an interval");
  WARD_TRY(auto amount, is_mysql_ ? Value() : Signed());
  const bool has_text = amount->kind == ExpressionKind::Literal && amount->form == "text";
  parts.push_back(ValuePart("INTERVAL ", std::move(amount)));
  for (const std::string_view unit : kUnits)
    if (TakeWord(unit)) {
      parts.push_back(TextPart(" " + std::string(unit)));
      if (reads_script_ && TakeWord("TO")) Skip();
      return MakeSyntax("interval", std::move(parts), false);
    }
  for (const std::string_view unit : kPairs)
    if (is_mysql_ && TakeWord(unit)) {
      parts.push_back(TextPart(" " + std::string(unit)));
      return MakeSyntax("interval", std::move(parts), false);
    }
  if (reads_script_ && is_mysql_ && Now().upper.find('_') != std::string::npos) {  // DAY_HOUR
    Skip();
    return MakeSyntax("interval", std::move(parts), false);
  }
  if (!has_text || is_mysql_) return Expected("a unit such as DAY");
  return MakeSyntax("interval", std::move(parts), false);
}

// ARRAY[...] and ARRAY(SELECT ...).
Result<ExpressionPtr> Parser::ArrayOf() {
  ++at_;
  if (IsSymbol("[")) return List("ARRAY[", "]");
  WARD_CHECK(NeedSymbol("("));
  std::vector<Part> parts;
  WARD_TRY(auto query, ReadQuery());
  parts.push_back(QueryPart("ARRAY(", std::move(query)));
  WARD_CHECK(NeedSymbol(")"));
  parts.push_back(TextPart(")"));
  return MakeSyntax("array", std::move(parts), false);
}

Result<ExpressionPtr> Parser::List(std::string_view open, std::string_view close) {
  ++at_;
  std::vector<Part> parts;
  parts.push_back(TextPart(std::string(open)));
  if (!IsSymbol(close)) {
    do {
      // An inner list of an ARRAY needs no word.
      ExpressionPtr item;
      if (is_postgres_ && IsSymbol("[")) {
        WARD_TRY(item, List("[", "]"));
      } else {
        WARD_TRY(item, Value());
      }
      parts.push_back(ValuePart(parts.size() > 1 ? ", " : "", std::move(item)));
      if (is_duckdb_ && parts.size() == 2 && IsWord("FOR"))  // [x + 1 FOR x IN list]
        return Comprehension(std::move(parts.back().expression));
    } while (TakeSymbol(","));
  }
  WARD_CHECK(NeedSymbol(close));
  parts.push_back(TextPart(std::string(close)));
  return MakeSyntax("array", std::move(parts), false);
}

// {'a': 1, b: 2} of DuckDB.
Result<ExpressionPtr> Parser::StructOf() {
  ++at_;
  std::vector<Part> parts;
  do {
    if (Now().kind != TokenKind::Text && !IsName()) return Expected("a field's name");
    const Token& token = tokens_[at_++];
    WARD_CHECK(NeedSymbol(":"));
    WARD_TRY(auto value, Value());
    parts.push_back(
        ValuePart((parts.empty() ? "{" : ", ") + QuoteIdentifier(dialect_, token.value) + ": ",
                  std::move(value)));
  } while (TakeSymbol(","));
  WARD_CHECK(NeedSymbol("}"));
  parts.push_back(TextPart("}"));
  return MakeSyntax("struct", std::move(parts), false);
}

Result<ExpressionPtr> Parser::StarOf(std::vector<Name> qualifier) {
  const std::size_t begin = Now().begin;
  WARD_CHECK(NeedSymbol("*"));
  auto star = std::make_unique<Expression>();
  star->kind = ExpressionKind::Star;
  star->names = std::move(qualifier);
  star->begin = begin;
  if (is_duckdb_ &&
      (TakeWord("EXCLUDE") || (IsWord("EXCEPT") && IsSymbolAt(1, "(") && TakeWord("EXCEPT")))) {
    if (IsSymbol("(")) {
      WARD_TRY(star->excluded, NameList());
    } else {
      WARD_TRY(Name name, ReadName("a column"));
      star->excluded.push_back(std::move(name));
    }
  }
  if (is_duckdb_) WARD_CHECK(StarChanges(*star));
  if (is_duckdb_ && reads_script_) WARD_CHECK(StarOfScript(*star));
  star->end = tokens_[at_ - 1].end;
  return star;
}

// REPLACE (value AS column, ...) and RENAME (column AS name, ...) of DuckDB.
Status Parser::StarChanges(Expression& star) {
  if (IsWord("REPLACE") && IsSymbolAt(1, "(")) {
    at_ += 2;
    do {
      WARD_TRY(auto value, Value());
      TakeWord("AS");
      WARD_TRY(const Name column, ReadName("the column to replace"));
      star.parts.push_back(ValuePart(column.text, std::move(value)));
    } while (TakeSymbol(","));
    WARD_CHECK(NeedSymbol(")"));
  }
  if (IsWord("RENAME") && IsSymbolAt(1, "(")) {
    at_ += 2;
    do {
      WARD_TRY(Name column, ReadName("the column to rename"));
      WARD_CHECK(NeedWord("AS"));
      WARD_TRY(Name name, ReadName("a name"));
      star.renamed.emplace_back(std::move(column), std::move(name));
    } while (TakeSymbol(","));
    WARD_CHECK(NeedSymbol(")"));
  }
  return Ok();
}

Result<ExpressionPtr> Parser::WordPrimary() {
  if (reads_script_) {
    WARD_TRY(auto value, PrimaryOfScript());
    if (value != nullptr) return value;
  }
  if (IsWord("CASE")) return CaseOf();
  if (is_duckdb_ && IsWord("MAP") && IsSymbolAt(1, "{")) return MapOf();
  if (IsWord("INTERVAL") && !IsSymbolAt(1, ".") && !IsSymbolAt(1, ",") && !IsSymbolAt(1, ")")) {
    if (!is_mysql_ || !IsSymbolAt(1, "(")) return Interval();
    // INTERVAL (x) DAY, or MySQL's function INTERVAL(x, y, ...).
    const std::size_t at = at_;
    const std::size_t questions = questions_;
    if (!FailedHere()) {
      auto interval = Interval();
      if (interval) return interval;
      GoBack(at, questions);
    }
  }
  if (IsWord("ARRAY") && (IsSymbolAt(1, "[") || IsSymbolAt(1, "("))) return ArrayOf();
  if (IsWord("EXISTS") && IsSymbolAt(1, "(")) {
    at_ += 2;
    std::vector<Part> parts;
    WARD_TRY(auto query, ReadQuery());
    parts.push_back(QueryPart("EXISTS (", std::move(query)));
    WARD_CHECK(NeedSymbol(")"));
    parts.push_back(TextPart(")"));
    return MakeSyntax("exists", std::move(parts), false);
  }
  static constexpr auto kWords =
      std::to_array<std::string_view>({"NULL", "TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIME",
                                       "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP"});
  // Reserved words of PostgreSQL: without quotes no column is called so.
  static constexpr auto kWho = std::to_array<std::string_view>(
      {"CURRENT_USER", "SESSION_USER", "CURRENT_ROLE", "CURRENT_CATALOG", "USER"});
  for (const std::string_view word : kWho) {
    const bool is_meant = is_postgres_ && !reads_script_ && IsWord(word);
    if (!is_meant || IsSymbolAt(1, ".") || IsSymbolAt(1, "(")) continue;
    ++at_;
    auto literal = std::make_unique<Expression>();
    literal->form = "word";
    literal->text = word;
    return literal;
  }
  for (const std::string_view word : kWords) {
    if (!IsWord(word) || IsSymbolAt(1, ".")) continue;
    ++at_;
    auto literal = std::make_unique<Expression>();
    literal->form = "word";
    literal->text = word;
    if (word.size() > 5 && TakeSymbol("(")) {  // CURRENT_TIMESTAMP(3), and () in MySQL
      if (Now().kind == TokenKind::Integer) literal->text += '(' + tokens_[at_++].value + ')';
      WARD_CHECK(NeedSymbol(")"));
    }
    return literal;
  }
  if (Ahead().kind == TokenKind::Symbol && IsSymbolAt(1, "(")) {
    WARD_TRY(auto special, SpecialCall());
    if (special != nullptr) return special;
  }
  // DATE '2024-01-01', and _utf8mb4'x' of MySQL.
  if (Ahead().kind == TokenKind::Text && !is_sqlite_) {
    if (is_mysql_ && Now().value.front() == '_') {
      static constexpr auto kSets = std::to_array<std::string_view>(
          {"_UTF8MB4", "_UTF8MB3", "_UTF8", "_LATIN1", "_ASCII", "_BINARY"});
      for (const std::string_view set : kSets)
        if (TakeWord(set)) {
          WARD_TRY(auto text, Literal());
          std::string lowered = LowerAscii(set);
          std::vector<Part> parts;
          parts.push_back(ValuePart(lowered, std::move(text)));
          return MakeSyntax("introduced", std::move(parts), false);
        }
      return Expected("a character set that is on the list");
    }
    // To MySQL the string behind another type's word is an alias, and the word a column.
    const bool is_typed = !is_mysql_ || IsWord("DATE") || IsWord("TIME") || IsWord("TIMESTAMP");
    if ((is_typed && IsTypeWord()) ||
        (reads_script_ && !is_mysql_ && IsName())) {  // POINT '(1, 2)'
      WARD_TRY(const std::string type, Type());
      WARD_TRY(auto text, Literal());
      std::vector<Part> parts;
      if (is_mysql_) {
        parts.push_back(ValuePart(type + ' ', std::move(text)));
        return MakeSyntax("typed", std::move(parts), false);
      }
      parts.push_back(ValuePart("CAST(", std::move(text)));
      parts.push_back(TextPart(" AS " + type + ")"));
      return MakeSyntax("cast", std::move(parts), false);
    }
  }
  if (is_postgres_ && IsWord("ROW") && IsSymbolAt(1, "(")) {
    at_ += 2;
    WARD_TRY(auto values, Values(")"));
    WARD_CHECK(NeedSymbol(")"));
    std::vector<Part> parts;
    parts.push_back(TextPart("ROW("));
    for (auto& value : values)
      parts.push_back(ValuePart(parts.size() > 1 ? ", " : "", std::move(value)));
    parts.push_back(TextPart(")"));
    return MakeSyntax("row", std::move(parts), false);
  }
  return NameOrCall();
}

Result<ExpressionPtr> Parser::NameOrCall() {
  const std::size_t begin = Now().begin;
  std::vector<Name> names;
  // Words that are reserved as names are functions all the same: LEFT(x, 2).
  const bool is_reserved_call =
      Now().kind == TokenKind::Word && IsSymbolAt(1, "(") &&
      (IsWord("LEFT") || IsWord("RIGHT") || IsWord("REPLACE") || IsWord("GLOB") || IsWord("LIKE") ||
       IsWord("FILTER") || IsWord("ISNULL") || (reads_script_ && IsWord("VALUES")));
  if (is_reserved_call) {
    names.push_back({tokens_[at_++].value, false, false});
  } else {
    do {
      if (!names.empty() && IsSymbol("*")) return StarOf(std::move(names));
      if (!names.empty() && Now().kind == TokenKind::Word) {  // any word may follow a dot
        const Token& token = tokens_[at_++];
        names.push_back({token.value, false, false});
        continue;
      }
      WARD_TRY(Name name, ReadName("a value"));
      names.push_back(std::move(name));
    } while (TakeSymbol("."));
  }
  if (IsSymbol("(")) {
    const bool is_method = IsMethod(names);
    Name function = is_method ? std::move(names.back()) : Name();
    if (is_method) names.pop_back();
    WARD_TRY(auto call, is_method ? MethodCall(ColumnOf(std::move(names), begin), function)
                                  : Call(std::move(names)));
    call->begin = begin;
    return call;
  }
  constexpr std::size_t kPartsMax = 4;
  if (names.size() > kPartsMax) return Expected("a column's name of at most four parts");
  return ColumnOf(std::move(names), begin);
}

ExpressionPtr Parser::ColumnOf(std::vector<Name> names, std::size_t begin) const {
  auto column = std::make_unique<Expression>();
  column->kind = ExpressionKind::Column;
  column->names = std::move(names);
  column->begin = begin;
  column->end = tokens_[at_ - 1].end;
  return column;
}

}  // namespace schemaward::sql::query

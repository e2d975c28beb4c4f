// Forms of DuckDB that stand for calls: x.f(), [e FOR x IN list IF c], MAP {...}, TRY(...). The
// tree holds the call where there is one.
#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "sql/query/parser.h"

namespace schemaward::sql::query {
namespace {

// Schemas and databases that every DuckDB has: behind them a dot leads to their functions.
bool IsOfTheSystem(const Name& name) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"main", "memory", "temp", "system", "pg_catalog", "information_schema"});
  return std::find(kNames.begin(), kNames.end(), LowerAscii(name.text)) != kNames.end();
}

// The form of a function whose call is read by a grammar of its own; empty for another.
std::string_view OwnFormOf(std::string_view lowered) {
  if (lowered == "substring" || lowered == "substr") return "substring";
  return lowered == "trim" ? lowered : std::string_view();
}

// Words whose brackets hold no list of values, and words that stand for a value: x.f() cannot be
// written as f(x) with these. LEFT and its like are functions too.
bool IsOfTheGrammar(std::string_view lowered, bool is_reserved) {
  static constexpr auto kFunctions =
      std::to_array<std::string_view>({"filter", "glob", "left", "like", "replace", "right"});
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"columns", "current_date", "current_time", "current_timestamp", "extract", "false",
       "interval", "localtime", "localtimestamp", "null", "overlay", "position", "true", "try",
       "try_cast"});
  const auto holds = [lowered](const auto& words) {
    return std::find(words.begin(), words.end(), lowered) != words.end();
  };
  return holds(kWords) || (is_reserved && !holds(kFunctions));
}

ExpressionPtr CallOf(std::string_view function, ExpressionPtr first,
                     ExpressionPtr second = nullptr) {
  auto call = std::make_unique<Expression>();
  call->kind = ExpressionKind::Call;
  call->names.push_back({std::string(function), false, false});
  call->parts.push_back(TextPart("("));
  call->parts.push_back(ValuePart("", std::move(first)));
  if (second != nullptr) call->parts.push_back(ValuePart(", ", std::move(second)));
  call->parts.push_back(TextPart(")"));
  return call;
}

ExpressionPtr LambdaOf(const std::vector<Name>& names, ExpressionPtr body, const Dialect& dialect) {
  std::string open = "(";
  for (const Name& name : names)
    open += (open.size() > 1 ? ", " : "") + QuoteIdentifier(dialect, name.text);
  const std::size_t begin = body->begin, end = body->end;
  std::vector<Part> parts;
  parts.push_back(ValuePart(open + ") -> ", std::move(body)));
  auto lambda = MakeSyntax("lambda", std::move(parts), false);
  lambda->names = names;
  lambda->begin = begin;
  lambda->end = end;
  return lambda;
}

}  // namespace

bool Parser::IsMethod(const std::vector<Name>& names) const {
  return is_duckdb_ && names.size() > 1 &&
         std::none_of(names.begin(), names.end() - 1, IsOfTheSystem);
}

/// x.f(y) is f(x, y). The opening bracket is next.
Result<ExpressionPtr> Parser::MethodCall(ExpressionPtr operand, Name function) {
  const std::string lowered = LowerAscii(function.text);
  if (IsOfTheGrammar(lowered, IsReserved(function.text)))
    return Expected("a function that may stand behind a dot");
  if (operand->form == "parens") operand = std::move(operand->parts.front().expression);
  if (const std::string_view form = OwnFormOf(lowered); !form.empty())
    return FormOf(form, std::move(operand));
  std::vector<Name> names;
  names.push_back(std::move(function));
  WARD_TRY(auto call, Call(std::move(names), true));
  call->begin = operand->begin;
  if (call->parts.size() > 1 && call->parts[1].expression && call->parts[1].text.empty())
    call->parts[1].text = ", ";
  call->parts.insert(call->parts.begin() + 1, ValuePart("", std::move(operand)));
  return call;
}

/// x.trim(y) and x.substring(y, z), as the calls with words inside are held.
Result<ExpressionPtr> Parser::FormOf(std::string_view form, ExpressionPtr operand) {
  WARD_CHECK(NeedSymbol("("));
  WARD_TRY(auto values, Values(")"));
  if (form == "trim" && values.size() > 1) return Expected("one text to trim");
  WARD_CHECK(NeedSymbol(")"));
  std::vector<Part> parts;
  parts.push_back(ValuePart(form == "trim" ? "TRIM(" : "SUBSTRING(", std::move(operand)));
  for (ExpressionPtr& value : values) parts.push_back(ValuePart(", ", std::move(value)));
  parts.push_back(TextPart(")"));
  return MakeSyntax(std::string(form), std::move(parts), false);
}

/// x -> value, (x, y) -> value, lambda x, y: value. Returns null, and takes nothing, elsewhere.
/// `takes_any`: the function takes nothing but a lambda here.
Result<ExpressionPtr> Parser::TryLambda(bool takes_any) {
  std::vector<Name> names;
  const bool is_word = IsWord("LAMBDA") && IsName(1);
  std::size_t ahead = is_word ? 1 : IsSymbol("(") ? 1 : 0;
  const bool is_list = ahead == 1;
  while (IsName(ahead)) {
    names.push_back({Ahead(ahead++).value, true, false});
    if (!is_list || !IsSymbolAt(ahead, ",")) break;
    ++ahead;
  }
  const bool is_closed = is_word || !is_list || IsSymbolAt(ahead++, ")");
  const bool is_lambda = !names.empty() && is_closed && IsSymbolAt(ahead, is_word ? ":" : "->");
  // Elsewhere x -> 'key' is a path into JSON.
  const bool is_path = !takes_any && !is_word && Ahead(ahead + 1).kind == TokenKind::Text;
  if (!is_lambda || is_path) return ExpressionPtr();
  Skip(ahead + 1);
  WARD_TRY(auto body, Value());
  return LambdaOf(names, std::move(body), dialect_);
}

/// FOR x IN list [IF condition] ], behind the value: list_transform and list_filter.
Result<ExpressionPtr> Parser::Comprehension(ExpressionPtr value) {
  WARD_CHECK(NeedWord("FOR"));
  std::vector<Name> names;
  do {
    WARD_TRY(const Name name, ReadName("a variable"));
    names.push_back({name.text, true, false});
  } while (TakeSymbol(","));
  WARD_CHECK(NeedWord("IN"));
  WARD_TRY(auto list, Value());
  if (IsWord("IF") && names.size() > 1)  // a filter would move the places that the second counts
    return Expected("one variable where IF follows");
  if (TakeWord("IF")) {
    WARD_TRY(auto condition, Value());
    const std::size_t begin = list->begin;
    list = CallOf("list_filter", std::move(list), LambdaOf(names, std::move(condition), dialect_));
    list->begin = begin;
    list->end = tokens_[at_ - 1].end;
  }
  WARD_CHECK(NeedSymbol("]"));
  return CallOf("list_transform", std::move(list), LambdaOf(names, std::move(value), dialect_));
}

/// MAP {key: value, ...}.
Result<ExpressionPtr> Parser::MapOf() {
  Skip(2);
  std::vector<Part> parts;
  parts.push_back(TextPart("MAP {"));
  if (!IsSymbol("}")) {
    do {
      WARD_TRY(auto key, Value());
      parts.push_back(ValuePart(parts.size() > 1 ? ", " : "", std::move(key)));
      WARD_CHECK(NeedSymbol(":"));
      WARD_TRY(auto value, Value());
      parts.push_back(ValuePart(": ", std::move(value)));
    } while (TakeSymbol(","));
  }
  WARD_CHECK(NeedSymbol("}"));
  parts.push_back(TextPart("}"));
  return MakeSyntax("map", std::move(parts), false);
}

/// TRY(value): NULL where the value fails.
Result<ExpressionPtr> Parser::TryCall() {
  Skip(2);
  std::vector<Part> parts;
  WARD_TRY(auto value, Value());
  parts.push_back(ValuePart("TRY(", std::move(value)));
  WARD_CHECK(NeedSymbol(")"));
  parts.push_back(TextPart(")"));
  return MakeSyntax("try", std::move(parts), false);
}

/// @ value is abs(value); the sign is taken.
Result<ExpressionPtr> Parser::AbsoluteOf(int level) {
  WARD_TRY(auto value, Value(level));
  return CallOf("abs", std::move(value));
}

}  // namespace schemaward::sql::query

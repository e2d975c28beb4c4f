#include "interchange/aggregate_text.h"

#include <array>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "interchange/expressions.h"
#include "sql/read/expression.h"
#include "sql/read/tokens.h"
#include "sql/rewrite.h"

namespace schemaward::interchange {
namespace {

using semantic::Aggregation;
using sql::Token;
using sql::TokenKind;

Error Cannot(std::string_view reason) { return {ErrorKind::SqlSyntax, reason}; }

struct Word {
  std::string_view word;
  Aggregation aggregation;
};
constexpr std::array<Word, 7> kWords = {{{"sum", Aggregation::Sum},
                                         {"count", Aggregation::Count},
                                         {"avg", Aggregation::Avg},
                                         {"average", Aggregation::Avg},
                                         {"min", Aggregation::Min},
                                         {"max", Aggregation::Max},
                                         {"median", Aggregation::Median}}};

std::optional<Aggregation> AggregationOf(const Token& token) {
  if (token.kind != TokenKind::Word) return std::nullopt;
  for (const Word& row : kWords)
    if (row.word == token.lowered) return row.aggregation;
  return std::nullopt;
}

bool IsSymbol(const Token& token, std::string_view symbol) {
  return token.kind == TokenKind::Symbol && token.value == symbol;
}

/// The token that closes the bracket at `open`, or the end.
std::size_t CloseOf(const std::vector<Token>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (IsSymbol(tokens[i], "(")) ++depth;
    if (IsSymbol(tokens[i], ")") && --depth == 0) return i;
  }
  return tokens.size() - 1;
}

/// case when condition then x end: x and the condition.
void SplitCase(AggregateCall& call) {
  const auto tree = sql::ReadExpression(call.operand);
  if (!tree) return;
  const auto* choice = std::get_if<sql::Case>(&(*tree)->node);
  if (choice == nullptr || choice->branches.size() != 1 || choice->otherwise != nullptr) return;
  call.filters.push_back(sql::PrintExpression(choice->branches[0].when));
  call.operand = sql::PrintExpression(choice->branches[0].then);
}

Result<AggregateCall> ReadCall(std::string_view text, const std::vector<Token>& tokens,
                               std::size_t name, std::size_t close) {
  AggregateCall call;
  call.aggregation = *AggregationOf(tokens[name]);
  std::size_t first = name + 2;
  const bool counts = call.aggregation == Aggregation::Count;
  if (tokens[first].lowered == "distinct") {
    if (!counts) return Cannot("distinct is read in count() only");
    call.aggregation = Aggregation::CountDistinct;
    ++first;
  }
  if (first >= close) return Cannot("an aggregate of nothing");
  if (counts && first + 1 == close && (IsSymbol(tokens[first], "*") || tokens[first].value == "1"))
    return call;
  call.operand =
      std::string(text.substr(tokens[first].begin, tokens[close].begin - tokens[first].begin));
  WARD_TRY(call.operand, Normalized(call.operand));
  SplitCase(call);
  if (counts && call.aggregation == Aggregation::Count && call.operand == "1") call.operand.clear();
  return call;
}

std::string Qualified(const semantic::Metric& metric, const std::string& text) {
  auto qualified = Renamed(text, [&](const sql::ColumnRef& column) {
    return Spelled(column.qualifier.empty() ? metric.entity : column.qualifier, column.column);
  });
  return qualified ? *std::move(qualified) : text;
}

std::string Operand(const semantic::Metric& metric) {
  const std::string own = metric.column.empty() ? metric.expression : Spelled(metric.column);
  return own.empty() ? "1" : Qualified(metric, own);
}

}  // namespace

std::string AggregateText::NameOf(std::size_t call) { return fmt::format("agg_{}", call + 1); }

Result<AggregateText> ReadAggregates(std::string_view text) {
  // '*' of count(*) is a symbol of the language, so the tokens are the same.
  WARD_TRY(const std::vector<Token> tokens, sql::Tokenize(text));
  AggregateText result;
  std::size_t at = 0;  // of the text
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!AggregationOf(tokens[i]) || !IsSymbol(tokens[i + 1], "(")) continue;
    if (result.calls.size() == kAggregatesMax) return Cannot("too many aggregates");
    const std::size_t close = CloseOf(tokens, i + 1);
    if (!IsSymbol(tokens[close], ")")) return Cannot("a bracket is not closed");
    WARD_TRY(AggregateCall call, ReadCall(text, tokens, i, close));
    result.expression += text.substr(at, tokens[i].begin - at);
    result.expression += AggregateText::NameOf(result.calls.size());
    result.calls.push_back(std::move(call));
    at = tokens[close].end;
    i = close;
  }
  result.expression += text.substr(at);
  if (result.calls.empty()) return Cannot("it aggregates nothing that can be read");
  WARD_TRY(const sql::ExpressionPtr tree, sql::ReadExpression(result.expression));
  WARD_CHECK(sql::VisitColumns(tree, [&](const sql::ColumnRef& column) -> Status {
    for (std::size_t i = 0; i < result.calls.size(); ++i)
      if (column.qualifier.empty() && column.column == AggregateText::NameOf(i)) return Ok();
    return Cannot("\"" + column.column + "\" stands outside of an aggregate");
  }));
  result.expression = sql::PrintExpression(tree);
  return result;
}

Result<std::string> PrintAggregate(const semantic::Metric& metric,
                                   const std::vector<std::string>& more) {
  if (metric.type != semantic::MetricType::Simple) return Cannot("it is no simple metric");
  if (metric.semi_additive) return Cannot("it takes the first or last row of a period");
  std::string operand = Operand(metric);
  std::string condition;
  for (const auto* filters : {&metric.filters, &more})
    for (const std::string& filter : *filters)
      condition += (condition.empty() ? "(" : " AND (") + Qualified(metric, filter) + ")";
  if (!condition.empty()) operand = fmt::format("CASE WHEN {} THEN {} END", condition, operand);
  switch (metric.aggregation) {
    case Aggregation::Sum:
      return "SUM(" + operand + ")";
    case Aggregation::Count:
      return condition.empty() && operand == "1" ? std::string("COUNT(*)")
                                                 : "COUNT(" + operand + ")";
    case Aggregation::CountDistinct:
      return "COUNT(DISTINCT " + operand + ")";
    case Aggregation::Avg:
      return "AVG(" + operand + ")";
    case Aggregation::Min:
      return "MIN(" + operand + ")";
    case Aggregation::Max:
      return "MAX(" + operand + ")";
    case Aggregation::Median:
      return fmt::format("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {})", operand);
    case Aggregation::Percentile:
      return fmt::format("PERCENTILE_CONT({}) WITHIN GROUP (ORDER BY {})",
                         metric.percentile.value_or(0.5), operand);
    case Aggregation::SumBoolean:
      return "SUM(CASE WHEN " + operand + " THEN 1 ELSE 0 END)";
    case Aggregation::None:
      break;
  }
  return Cannot("it has no aggregation");
}

}  // namespace schemaward::interchange

#include "suggest/metrics.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "semantic/columns.h"
#include "suggest/entities.h"
#include "suggest/names.h"
#include "suggest/type_family.h"
#include "text/words.h"

namespace schemaward::suggest {
namespace {

using semantic::Aggregation;
using semantic::Method;
using Words = std::vector<std::string>;

// What the last word of a column that adds up says. A price is of one piece, a balance of one
// moment: neither adds up.
constexpr std::string_view kAdditive[] = {
    "amount",     "amt",     "attendance", "budget",     "byte",     "charge",    "click",
    "commission", "cost",    "count",      "distance",   "duration", "earning",   "expense",
    "fee",        "freight", "hour",       "impression", "income",   "kilometer", "km",
    "mile",       "minute",  "payment",    "payroll",    "profit",   "qty",       "quantity",
    "refund",     "revenue", "salary",     "sale",       "second",   "spend",     "spending",
    "subtotal",   "tax",     "tip",        "total",      "unit",     "view",      "visit",
    "vote",       "wage",    "weight"};
constexpr std::string_view kAveraged[] = {"average", "grade",  "pct",   "percent", "percentage",
                                          "rate",    "rating", "ratio", "score",   "star"};
// Words that make a number something else: of one piece, a bound, an average already, a label.
constexpr std::string_view kNeither[] = {
    "allowed",  "average",  "avg",       "balance",   "code",  "cumulative", "discount",
    "latitude", "limit",    "list",      "longitude", "max",   "maximum",    "min",
    "minimum",  "month",    "number",    "per",       "phone", "price",      "rank",
    "running",  "standard", "threshold", "unit",      "year",  "ytd",        "zip"};

bool Has(std::span<const std::string_view> list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// What to do with the values of a column of this name.
Aggregation AggregationOf(const ColumnWords& name) {
  if (name.words.empty()) return Aggregation::None;
  const bool counts = name.words.size() > 2 && name.words[1] == "of" &&
                      (name.words[0] == "number" || name.words[0] == "num");  // number_of_guests
  if (counts) return Aggregation::Sum;
  const std::string& last = name.words.back();
  if (Has(kAveraged, last)) return Aggregation::Avg;
  if (!Has(kAdditive, last)) return Aggregation::None;
  const bool is_other = std::any_of(name.words.begin(), name.words.end() - 1,
                                    [](const std::string& word) { return Has(kNeither, word); });
  return is_other ? Aggregation::None : Aggregation::Sum;
}

bool StartsWith(const Words& words, const std::string& entity) {
  const std::string snake = Snake(words);
  return snake == entity || snake.starts_with(entity + "_");
}

std::string NameOf(const std::string& entity, const std::string& column, Aggregation aggregation) {
  const Words words = text::SplitWords(column);
  const std::string own = StartsWith(words, entity) ? ToName(words) : entity + "_" + ToName(words);
  return aggregation == Aggregation::Avg ? "average_" + own : own;
}

semantic::Metric Draft(std::string name, const std::string& entity, Aggregation aggregation,
                       const std::string& column, std::string evidence, Method method) {
  semantic::Metric metric;
  metric.name = std::move(name);
  metric.entity = entity;
  metric.aggregation = aggregation;
  metric.column = column;
  metric.trust = {.method = method,
                  .state = semantic::State::Draft,
                  .observations = 0,
                  .evidence = {std::move(evidence)}};
  return metric;
}

bool HoldsTime(const catalog::Column& column) {
  return semantic::TimeKindOf(column.type).has_value() && !column.is_array;
}

/// placed_at, created_on, order_date of an order, date.
bool IsPlainMoment(const ColumnWords& name, const std::string& entity) {
  static constexpr std::string_view kVerbs[] = {
      "created",  "creation", "create", "placed", "ordered",  "booked", "occurred",    "happened",
      "inserted", "recorded", "logged", "posted", "received", "event",  "transaction", "purchase"};
  static constexpr std::string_view kEnds[] = {"at", "on", "date", "time", "timestamp", "datetime"};
  Words words = name.words;
  if (!words.empty() && words.front() == "date")
    std::rotate(words.begin(), words.begin() + 1, words.end());
  if (words.size() == 1) return Has(kEnds, words[0]) || words[0] == "created" || words[0] == "ts";
  if (words.size() > 2 || !Has(kEnds, words.back()))
    return words.size() > 2 && Has(kEnds, words.back()) &&
           Snake({words.begin(), words.end() - 1}) == entity;
  return Has(kVerbs, words.front()) || words.front() == entity ||
         entity.ends_with("_" + words.front());
}

/// Moments of something else than the row's event.
bool IsOtherMoment(const ColumnWords& name) {
  static constexpr std::string_view kOther[] = {
      "updated", "update", "modified",   "deleted",   "expire", "expired",
      "expires", "expiry", "expiration", "due",       "end",    "until",
      "valid",   "birth",  "birthday",   "birthdate", "dob",    "last",
      "next",    "closed", "cancelled",  "canceled",  "death"};
  return std::any_of(name.words.begin(), name.words.end(),
                     [](const std::string& word) { return Has(kOther, word); });
}

}  // namespace

std::optional<std::string> TimeDimensionOf(const catalog::Table& table, const std::string& entity,
                                           ColumnNames& names) {
  std::vector<std::string> plain, others;
  for (const catalog::Column& column : table.columns) {
    if (!HoldsTime(column)) continue;
    const ColumnWords& name = names.Read(column.name);
    if (IsPlainMoment(name, entity))
      plain.push_back(column.name);
    else if (!IsOtherMoment(name))
      others.push_back(column.name);
  }
  if (plain.size() == 1) return plain.front();
  if (plain.empty() && others.size() == 1) return others.front();
  return std::nullopt;
}

std::vector<semantic::Metric> MetricsOf(const catalog::Table& table, const std::string& entity,
                                        const std::set<std::string>& references,
                                        const privacy::Policy& policy, ColumnNames& names,
                                        const TakeMetricName& take) {
  std::vector<semantic::Metric> metrics;
  metrics.push_back(Draft(take(entity + "_count"), entity, Aggregation::Count, "",
                          "rows of " + catalog::QualifiedName(table), Method::Inferred));
  for (const catalog::Column& column : table.columns) {
    if (metrics.size() >= kMetricsPerEntityMax) break;
    if (references.contains(column.name) || column.is_array) continue;
    if (FamilyOf(column) != Family::Number || !semantic::IsNumericType(column.type)) continue;
    const ColumnWords& name = names.Read(column.name);
    const Aggregation aggregation = AggregationOf(name);
    if (aggregation == Aggregation::None || policy.RuleOf(table, column).IsBlocked()) continue;
    metrics.push_back(Draft(take(NameOf(entity, column.name, aggregation)), entity, aggregation,
                            column.name,
                            fmt::format("column {} is named like {}", column.name,
                                        aggregation == Aggregation::Avg ? "a rate" : "an amount"),
                            Method::Inferred));
  }
  return metrics;
}

}  // namespace schemaward::suggest

#include "semantic/definitions.h"

#include <algorithm>
#include <charconv>

namespace schemaward::semantic {

void Trust::Bind(json::Fields& f) {
  f("method", method, "how it came to be", {.omit_empty = true});
  f("state", state, "draft, applied or confirmed");
  f("observations", observations, "statements of the query log that showed it",
    {.omit_empty = true});
  f("evidence", evidence, "what it was inferred from", {.omit_empty = true});
}

void Dimension::Bind(json::Fields& f) {
  f("name", name, "name", {.required = true});
  f("expression", expression, "SQL over the table's columns", {.required = true});
  f("type", type, "text, number, boolean, date, timestamp or timestamptz", {.omit_empty = true});
  f("description", description, "what it means", {.omit_empty = true});
  f("synonyms", synonyms, "other words for it", {.omit_empty = true});
}

void Entity::Bind(json::Fields& f) {
  f("name", name, "name", {.required = true});
  f("description", description, "what one of them is", {.omit_empty = true});
  f("synonyms", synonyms, "other words for it", {.omit_empty = true});
  f("table", table, "qualified name of a table or view", {.required = true});
  f("identity", identity, "columns that tell one from another", {.required = true});
  f("columns", columns, "columns that may be used; all where absent", {.omit_empty = true});
  f("dimensions", dimensions, "named expressions", {.omit_empty = true});
  f("default_time_dimension", default_time_dimension, "column or dimension", {.omit_empty = true});
  f("time_zone", time_zone, "IANA zone of its times without a zone", {.omit_empty = true});
  f("trust", trust, "where it comes from", {.omit_empty = true});
}

void ColumnPair::Bind(json::Fields& f) {
  f("from", from, "column of the first", {.required = true});
  f("to", to, "column of the second", {.required = true});
}

void Bridge::Bind(json::Fields& f) {
  f("table", table, "qualified name of the bridge table", {.required = true});
  f("from", from, "pairs of the from entity and the bridge", {.required = true});
  f("to", to, "pairs of the bridge and the to entity", {.required = true});
}

void Join::Bind(json::Fields& f) {
  f("name", name, "name", {.required = true});
  f("description", description, "what the relation means", {.omit_empty = true});
  f("from", from, "entity", {.required = true});
  f("to", to, "entity", {.required = true});
  f("on", on, "column pairs", {.omit_empty = true});
  f("cardinality", cardinality, "from the first to the second");
  f("role", role, "what the second is to the first", {.omit_empty = true});
  f("from_role", from_role, "what the first is to the second", {.omit_empty = true});
  f("through", through, "bridge table that is no entity", {.omit_empty = true});
  f("trust", trust, "where it comes from", {.omit_empty = true});
}

void MetricInput::Bind(json::Fields& f) {
  f("metric", metric, "name of a metric", {.required = true});
  f("alias", alias, "its name in the expression", {.omit_empty = true});
  f("filters", filters, "expressions added to its own", {.omit_empty = true});
  f("offset", offset, "how long before", {.omit_empty = true});
  f("align", align, "calendar or week");
}

void SemiAdditive::Bind(json::Fields& f) {
  f("take", take, "first or last");
  f("by", by, "columns each of which has its own moment", {.omit_empty = true});
}

void ConstantProperty::Bind(json::Fields& f) {
  f("base", base, "column of the base event", {.required = true});
  f("conversion", conversion, "column of the conversion event", {.required = true});
}

void Metric::Bind(json::Fields& f) {
  f("name", name, "name", {.required = true});
  f("type", type, "simple, ratio, derived, cumulative, conversion or period_over_period");
  f("description", description, "what it measures", {.omit_empty = true});
  f("synonyms", synonyms, "other words for it", {.omit_empty = true});
  f("unit", unit, "ISO 4217 code, percent, or text", {.omit_empty = true});
  f("owner", owner, "who answers for it", {.omit_empty = true});
  f("entity", entity, "entity whose rows are aggregated", {.omit_empty = true});
  f("aggregation", aggregation,
    "sum, count, count_distinct, avg, min, max, median, percentile, sum_boolean");
  f("column", column, "column that is aggregated", {.omit_empty = true});
  f("expression", expression, "SQL over columns, or over inputs", {.omit_empty = true});
  f("percentile", percentile, "between 0 and 1", {.omit_empty = true});
  f("filters", filters, "expressions that rows must meet", {.omit_empty = true});
  f("time_dimension", time_dimension, "column of time", {.omit_empty = true});
  f("time_grains", time_grains, "allowed grains", {.omit_empty = true});
  f("semi_additive", semi_additive, "first or last over time", {.omit_empty = true});
  f("numerator", numerator, "metric", {.omit_empty = true, .shorthand = "metric"});
  f("denominator", denominator, "metric", {.omit_empty = true, .shorthand = "metric"});
  f("inputs", inputs, "metrics of the expression", {.omit_empty = true, .shorthand = "metric"});
  f("input", input, "metric", {.omit_empty = true, .shorthand = "metric"});
  f("window", window, "length of time", {.omit_empty = true});
  f("grain_to_date", grain_to_date, "week, month, quarter or year", {.omit_empty = true});
  f("offset", offset, "how long before", {.omit_empty = true});
  f("align", align, "calendar or week");
  f("calculation", calculation, "what is made of the two values", {.omit_empty = true});
  f("base", base, "metric of the base event", {.omit_empty = true});
  f("conversion", conversion, "metric of the conversion event", {.omit_empty = true});
  f("match", match, "columns that tell who did it", {.omit_empty = true});
  f("constant_properties", constant_properties, "columns that stay equal", {.omit_empty = true});
  f("trust", trust, "where it comes from", {.omit_empty = true});
}

std::optional<Span> ParseSpan(std::string_view text) {
  constexpr std::int64_t kCountMax = 10'000;
  constexpr std::array<std::string_view, 6> kUnits = {"hour",  "day",     "week",
                                                      "month", "quarter", "year"};
  Span span;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), span.count);
  if (code != std::errc() || span.count < 1 || span.count > kCountMax) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (unit.size() > 1 && unit.back() == 's') unit.remove_suffix(1);
  if (std::find(kUnits.begin(), kUnits.end(), unit) == kUnits.end()) return std::nullopt;
  span.unit = std::string(unit);
  return span;
}

bool IsDefinitionName(std::string_view name) {
  constexpr std::size_t kNameMax = 64;
  if (name.empty() || name.size() > kNameMax || (name.front() >= '0' && name.front() <= '9'))
    return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace schemaward::semantic

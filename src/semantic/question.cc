#include "semantic/question.h"

#include "base/ascii.h"

namespace schemaward::semantic {
namespace {

constexpr std::size_t kNameMax = 400;
constexpr std::size_t kWordMax = 64;

constexpr std::array<std::string_view, 13> kWords = {
    "eq",     "ne",      "lt",       "lte",     "gt",       "gte",        "in",
    "not_in", "is_null", "not_null", "between", "contains", "starts_with"};

struct Spelling {
  std::string_view word;
  Op op;
};

// Letters only, so that "not in", "NOT_IN" and "not-in" are one.
constexpr std::array<Spelling, 33> kSpellings = {{
    {"=", Op::Eq},
    {"==", Op::Eq},
    {"!=", Op::Ne},
    {"<>", Op::Ne},
    {"<", Op::Lt},
    {"<=", Op::Lte},
    {">", Op::Gt},
    {">=", Op::Gte},
    {"equals", Op::Eq},
    {"equal", Op::Eq},
    {"is", Op::Eq},
    {"neq", Op::Ne},
    {"notequal", Op::Ne},
    {"notequals", Op::Ne},
    {"isnot", Op::Ne},
    {"le", Op::Lte},
    {"ge", Op::Gte},
    {"notin", Op::NotIn},
    {"nin", Op::NotIn},
    {"isnull", Op::IsNull},
    {"null", Op::IsNull},
    {"notnull", Op::NotNull},
    {"isnotnull", Op::NotNull},
    {"exists", Op::NotNull},
    {"like", Op::Contains},
    {"ilike", Op::Contains},
    {"includes", Op::Contains},
    {"startswith", Op::StartsWith},
    {"prefix", Op::StartsWith},
    {"beginswith", Op::StartsWith},
    {"lessthan", Op::Lt},
    {"greaterthan", Op::Gt},
    {"anyof", Op::In},
}};

std::string Plain(std::string_view word) {
  std::string plain;
  for (const char c : word)
    if (c != ' ' && c != '_' && c != '-') plain += LowerAscii(c);
  return plain;
}

constexpr json::FieldSpec kName{.length_max = kNameMax};
constexpr json::FieldSpec kWord{.length_max = kWordMax};

}  // namespace

void FilterLeaf::Bind(json::Fields& f) {
  f("column", column, "entity.column", {.required = true, .length_max = kNameMax});
  f("op", op, "as in filters", kWord);
  f("value", value, "value to compare with");
  f("values", values, "for in, not_in, between", {.items_max = kFilterValuesMax});
}

void Filter::Bind(json::Fields& f) {
  f("column", column, "entity.column, or role.column", kName);
  f("op", op,
    "eq ne lt lte gt gte in not_in is_null not_null between contains starts_with, or = != < <= > "
    ">=",
    kWord);
  f("value", value, "value to compare with");
  f("values", values, "for in, not_in, between", {.items_max = kFilterValuesMax});
  f("any_of", any_of, "instead of column: one of these must hold", {.items_max = kFiltersMax});
}

std::vector<FilterLeaf> Filter::Leaves() const {
  if (!any_of.empty()) return any_of;
  return {FilterLeaf{column, op, value, values}};
}

void Having::Bind(json::Fields& f) {
  f("metric", metric, "a metric that is asked", {.required = true, .length_max = kNameMax});
  f("op", op, "as in filters", kWord);
  f("value", value, "number");
  f("values", values, "for in, not_in, between", {.items_max = kFilterValuesMax});
}

void TimeRange::Bind(json::Fields& f) {
  f("start", start,
    "ISO date or time, included; or today, yesterday, this_/last_ day week month quarter year, "
    "last_7_days",
    kWord);
  f("end", end, "ISO date or time, excluded", kWord);
}

void Compare::Bind(json::Fields& f) {
  f("offset", offset, "how long before: 1 month, 1 year",
    {.required = true, .length_max = kWordMax});
  f("align", align, "calendar: same dates; week: same weekdays", kWord);
}

void OrderBy::Bind(json::Fields& f) {
  f("column", column, "metric, group_by column or time",
    {.required = true, .length_max = kNameMax});
  f("direction", direction, "asc or desc", kWord);
}

void Question::Bind(json::Fields& f) {
  f("name", name, "metric", kName);
  f("metrics", metrics, "instead of name: 1 to 5 metrics", {.items_max = kMetricsMax});
  f("group_by", group_by, "entity.column, or role.column", {.items_max = kGroupsMax});
  f("filters", filters, "all must hold", {.items_max = kFiltersMax});
  f("having", having, "conditions on the metrics",
    {.items_max = kMetricsMax, .shorthand = "metric"});
  f("time_range", time_range, "which time; half-open", {.shorthand = "start"});
  f("time_grain", time_grain, "hour day week month quarter year", kWord);
  f("time_dimension", time_dimension, "entity.column, where several could be meant", kName);
  f("time_zone", time_zone, "IANA zone; default UTC", kWord);
  f("week_start", week_start, "monday or sunday", kWord);
  f("compare", compare, "adds each metric's earlier value and the change", {.shorthand = "offset"});
  f("fill_gaps", fill_gaps, "also periods without rows");
  f("limit", limit, "most rows; default 100", {.minimum = 1, .maximum = kRowsMax});
  f("via", via, "join names, or entity.column=join, where paths are ambiguous", {.items_max = 16});
  f("order_by", order_by, "default: time, then groups",
    {.items_max = kGroupsMax, .shorthand = "column"});
  f("response_format", response_format, "detailed adds plan and provenance");
  f("compile_only", compile_only, "SQL without running it");
  f("source", source, "source name; needed only where two have the metric", kName);
}

std::optional<Op> OpOf(std::string_view word) {
  const std::string plain = Plain(word);
  for (std::size_t i = 0; i < kWords.size(); ++i)
    if (Plain(kWords[i]) == plain) return static_cast<Op>(i);
  for (const Spelling& spelling : kSpellings)
    if (spelling.word == plain) return spelling.op;
  return std::nullopt;
}

std::string_view WordOf(Op op) { return kWords[static_cast<std::size_t>(op)]; }

}  // namespace schemaward::semantic

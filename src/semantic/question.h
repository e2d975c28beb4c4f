#pragma once

// A question about metrics, as it is asked: the arguments of get_metric.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/fields.h"

namespace schemaward::semantic {

inline constexpr std::size_t kMetricsMax = 5;
inline constexpr std::size_t kGroupsMax = 8;
inline constexpr std::size_t kFiltersMax = 20;
inline constexpr std::size_t kFilterValuesMax = 200;
inline constexpr std::int64_t kRowsDefault = 100;
inline constexpr std::int64_t kRowsMax = 10'000;

/// column op value. The ops and their other spellings are in OpOf.
struct FilterLeaf {
  std::string column;
  std::string op = "eq";
  json::Raw value;                ///< of ops with one value
  std::vector<json::Raw> values;  ///< of in, not_in (1 to kFilterValuesMax) and between (2)
  void Bind(json::Fields& f);
};

/// A leaf, or a list of leaves one of which must hold.
struct Filter {
  std::string column;
  std::string op = "eq";
  json::Raw value;
  std::vector<json::Raw> values;
  std::vector<FilterLeaf> any_of;
  void Bind(json::Fields& f);
  /// The leaves that the filter is: one, or those of any_of.
  std::vector<FilterLeaf> Leaves() const;
};

struct Having {
  std::string metric;
  std::string op = "gt";
  json::Raw value;
  std::vector<json::Raw> values;
  void Bind(json::Fields& f);
};

/// Half-open: start is in, end is not. ISO dates or times, or `start` a word such as last_month and
/// no end.
struct TimeRange {
  std::string start;
  std::string end;
  void Bind(json::Fields& f);
};

struct Compare {
  std::string offset;
  std::string align = "calendar";
  void Bind(json::Fields& f);
};

struct OrderBy {
  std::string column;
  std::string direction;  ///< asc | desc; empty: asc
  void Bind(json::Fields& f);
};

/// How much an answer holds. [R-SIZE-1]
enum class AnswerFormat : std::uint8_t { Concise, Detailed };

struct Question {
  std::string name;
  std::vector<std::string> metrics;
  std::vector<std::string> group_by;
  std::vector<Filter> filters;
  std::vector<Having> having;
  std::optional<TimeRange> time_range;
  std::string time_grain;
  std::string time_dimension;
  std::string time_zone;
  std::string week_start;  ///< monday | sunday; empty: monday
  std::optional<Compare> compare;
  bool fill_gaps = false;
  std::optional<std::int64_t> limit;
  std::vector<std::string> via;
  std::vector<OrderBy> order_by;
  AnswerFormat response_format = AnswerFormat::Concise;
  bool compile_only = false;
  std::optional<std::string> source;
  void Bind(json::Fields& f);
};

enum class Op : std::uint8_t {
  Eq,
  Ne,
  Lt,
  Lte,
  Gt,
  Gte,
  In,
  NotIn,
  IsNull,
  NotNull,
  Between,
  Contains,
  StartsWith
};

/// Returns the op that `word` spells: eq ne lt lte gt gte in not_in is_null not_null between
/// contains starts_with, = == != <> < <= > >=, or the like in other spelling ("is not null",
/// "startswith").
std::optional<Op> OpOf(std::string_view word);

/// The canonical word of an op.
std::string_view WordOf(Op op);

}  // namespace schemaward::semantic

template <>
struct schemaward::json::EnumNames<schemaward::semantic::AnswerFormat> {
  static constexpr std::array<std::string_view, 2> kNames = {"concise", "detailed"};
};

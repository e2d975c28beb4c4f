#pragma once

// What people and inference say of a database's meaning: entities, canonical joins, metrics. Plain
// data: the YAML files, the store's records and the exports are forms of these structs.
// docs/formats/definitions.md has the files. Nothing here is checked against a catalog; see
// model.h.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/fields.h"

namespace schemaward::semantic {

/// How a definition came to be. The first five are the charter's; Inferred, from names, types or
/// values, has no word there and is null on the wire. [R-CONF-2]
enum class Method : std::uint8_t {
  ManuallyAuthored,
  LlmSuggested,
  FkConstraint,
  DbtImport,
  ObservedInQueryLog,
  Inferred
};

enum class State : std::uint8_t { Draft, Applied, Confirmed };

/// Where a definition comes from and how far it is trusted.
struct Trust {
  Method method = Method::ManuallyAuthored;
  State state = State::Applied;
  std::int64_t observations = 0;      ///< of ObservedInQueryLog: statements that showed it
  std::vector<std::string> evidence;  ///< one line each: what it was inferred from
  void Bind(json::Fields& f);
  bool operator==(const Trust&) const = default;
};

/// A named expression over an entity's columns.
struct Dimension {
  std::string name;
  std::string expression;  ///< SQL over column names of the table; docs/formats/definitions.md has
                           ///< the grammar
  std::string type;  ///< text | number | boolean | date | timestamp | timestamptz; empty: not said
  std::string description;
  std::vector<std::string> synonyms;
  void Bind(json::Fields& f);
  bool operator==(const Dimension&) const = default;
};

struct Entity {
  std::string name;
  std::string table;                  ///< qualified name of a table or view
  std::vector<std::string> identity;  ///< columns that tell one from another; at least one
  std::vector<std::string> columns;   ///< those that may be used; empty: all
  std::vector<Dimension> dimensions;
  std::string default_time_dimension;  ///< a column or dimension of this entity; may be empty
  std::string time_zone;  ///< IANA zone its columns without a zone are written in; may be empty
  std::string description;
  std::vector<std::string> synonyms;
  Trust trust;
  void Bind(json::Fields& f);
  bool operator==(const Entity&) const = default;
};

enum class Cardinality : std::uint8_t { ManyToOne, OneToOne, OneToMany, ManyToMany };

/// from.column = to.column.
struct ColumnPair {
  std::string from;
  std::string to;
  void Bind(json::Fields& f);
  bool operator==(const ColumnPair&) const = default;
};

/// A bridge table that is no entity: `from` pairs a column of the join's from entity with one of
/// the bridge, `to` a column of the bridge with one of the to entity.
struct Bridge {
  std::string table;
  std::vector<ColumnPair> from;
  std::vector<ColumnPair> to;
  void Bind(json::Fields& f);
  bool operator==(const Bridge&) const = default;
};

struct Join {
  std::string name;
  std::string from;  ///< entity
  std::string to;    ///< entity; may equal `from`
  std::vector<ColumnPair> on;
  Cardinality cardinality = Cardinality::ManyToOne;  ///< from -> to
  std::string role;  ///< what `to` is to `from`: billing_address, manager; may be empty. Usable in
                     ///< place of `to` in column names
  std::string from_role;          ///< what `from` is to `to`: report; may be empty
  std::optional<Bridge> through;  ///< then `on` is empty and the cardinality many_to_many
  std::string description;
  Trust trust;
  void Bind(json::Fields& f);
  bool operator==(const Join&) const = default;
};

enum class MetricType : std::uint8_t {
  Simple,
  Ratio,
  Derived,
  Cumulative,
  Conversion,
  PeriodOverPeriod
};

enum class Aggregation : std::uint8_t {
  None,
  Sum,
  Count,
  CountDistinct,
  Avg,
  Min,
  Max,
  Median,
  Percentile,
  SumBoolean
};

/// Calendar: the same dates a month or year before. Week: whole weeks before, so that weekdays
/// match.
enum class Alignment : std::uint8_t { Calendar, Week };

/// A metric that another one uses.
struct MetricInput {
  std::string metric;
  std::string alias;                 ///< its name in the expression; empty: the metric's
  std::vector<std::string> filters;  ///< expressions, added to the metric's own
  std::string offset;                ///< how long before: "1 month"; may be empty
  Alignment align = Alignment::Calendar;
  void Bind(json::Fields& f);
  bool operator==(const MetricInput&) const = default;
};

/// Of a simple metric that does not add up over time (a balance): which rows of a period count.
struct SemiAdditive {
  std::string take = "last";  ///< first | last
  std::vector<std::string>
      by;  ///< columns; the first or last moment of each is taken. Empty: of all rows
  void Bind(json::Fields& f);
  bool operator==(const SemiAdditive&) const = default;
};

/// Columns that must be equal in the two events of a conversion.
struct ConstantProperty {
  std::string base;
  std::string conversion;
  void Bind(json::Fields& f);
  bool operator==(const ConstantProperty&) const = default;
};

struct Metric {
  std::string name;
  MetricType type = MetricType::Simple;
  std::string description;
  std::vector<std::string> synonyms;
  std::string unit;   ///< ISO 4217 code, "percent", or any text; may be empty
  std::string owner;  ///< may be empty

  // Simple.
  std::string entity;
  Aggregation aggregation = Aggregation::None;
  std::string column;                ///< one of column and expression; none: rows are counted
  std::string expression;            ///< also of Derived: over the inputs' aliases
  std::optional<double> percentile;  ///< in (0, 1)
  std::vector<std::string> filters;  ///< expressions over columns of the entity or entity.column
  std::string time_dimension;  ///< column, dimension, or entity.column over joins; may be empty
  std::vector<std::string> time_grains;  ///< allowed grains; empty: all that the column has
  std::optional<SemiAdditive> semi_additive;

  // Ratio.
  std::optional<MetricInput> numerator, denominator;
  // Derived.
  std::vector<MetricInput> inputs;
  // Cumulative (input; one of window and grain_to_date, or none for all time) and PeriodOverPeriod
  // (input, offset, align, calculation).
  std::optional<MetricInput> input;
  std::string window;         ///< "28 days"; also of Conversion: how long after the base event
  std::string grain_to_date;  ///< week | month | quarter | year
  std::string offset;
  Alignment align = Alignment::Calendar;
  std::string calculation;  ///< PeriodOverPeriod: difference | ratio | percent_change | previous.
                            ///< Conversion: rate | count
  // Conversion: two simple metrics whose events are rows of their entities.
  std::string base, conversion;
  std::vector<ColumnPair>
      match;  ///< columns that tell who did it: base event's = conversion event's
  std::vector<ConstantProperty> constant_properties;

  Trust trust;
  void Bind(json::Fields& f);
  bool operator==(const Metric&) const = default;
};

/// All that is said of one source.
struct Definitions {
  std::vector<Entity> entities;  ///< each list sorted by name
  std::vector<Join> joins;
  std::vector<Metric> metrics;
  bool operator==(const Definitions&) const = default;
};

/// A length of time as definitions write it: "28 days", "1 month".
struct Span {
  std::int64_t count = 0;
  std::string unit;  ///< hour | day | week | month | quarter | year
  bool operator==(const Span&) const = default;
};

/// Returns the span that `text` says, singular or plural; nothing where it says none or the count
/// is not in [1, 10000].
std::optional<Span> ParseSpan(std::string_view text);

/// Names of entities, joins, metrics, dimensions and roles: [A-Za-z_][A-Za-z0-9_]*, at most 64.
bool IsDefinitionName(std::string_view name);

}  // namespace schemaward::semantic

template <>
struct schemaward::json::EnumNames<schemaward::semantic::Method> {
  static constexpr std::array<std::string_view, 6> kNames = {
      "manually_authored", "llm_suggested",         "fk_constraint",
      "dbt_import",        "observed_in_query_log", "inferred"};
};
template <>
struct schemaward::json::EnumNames<schemaward::semantic::State> {
  static constexpr std::array<std::string_view, 3> kNames = {"draft", "applied", "confirmed"};
};
template <>
struct schemaward::json::EnumNames<schemaward::semantic::Cardinality> {
  static constexpr std::array<std::string_view, 4> kNames = {"many_to_one", "one_to_one",
                                                             "one_to_many", "many_to_many"};
};
template <>
struct schemaward::json::EnumNames<schemaward::semantic::MetricType> {
  static constexpr std::array<std::string_view, 6> kNames = {
      "simple", "ratio", "derived", "cumulative", "conversion", "period_over_period"};
};
template <>
struct schemaward::json::EnumNames<schemaward::semantic::Aggregation> {
  static constexpr std::array<std::string_view, 10> kNames = {
      "none", "sum", "count",  "count_distinct", "avg",
      "min",  "max", "median", "percentile",     "sum_boolean"};
};
template <>
struct schemaward::json::EnumNames<schemaward::semantic::Alignment> {
  static constexpr std::array<std::string_view, 2> kNames = {"calendar", "week"};
};

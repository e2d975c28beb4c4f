#pragma once

// Semantic models and metrics of MetricFlow as they are written, found again by name.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interchange/document.h"
#include "interchange/report.h"
#include "json/value.h"

namespace schemaward::interchange {

enum class LinkKind : std::uint8_t { Primary, Unique, Foreign, Natural };

/// What MetricFlow calls an entity of a semantic model: a key to join by.
struct FlowLink {
  std::string name;
  LinkKind kind = LinkKind::Foreign;
  std::optional<std::string> column;  ///< nothing where it is an expression
};

struct FlowDimension {
  std::string name;
  std::string expression;
  std::optional<std::string> column;  ///< where the expression is a column alone
  bool is_time = false;
  std::string grain;    ///< of a time dimension
  std::string problem;  ///< why there is no such dimension for us; empty: there is
  const json::Value* node = nullptr;
  /// What stands for it in our expressions: its column, else the dimension's own name.
  const std::string& Spelling() const { return column ? *column : name; }
};

struct FlowModel {
  std::string name;
  std::string entity;  ///< our entity's name
  std::string table;
  std::string primary;  ///< name of the primary link, or what stands for it
  std::vector<FlowLink> links;
  std::vector<FlowDimension> dimensions;
  std::string default_time;  ///< name of a dimension
  const json::Value* node = nullptr;
  const FlowLink* Link(std::string_view link) const;
  const FlowDimension* Dimension(std::string_view dimension) const;
};

struct FlowMeasure {
  std::size_t model = 0;
  const json::Value* node = nullptr;  ///< name, agg, expr, ...
};

/// Lifetime: the files outlive it.
struct FlowProject {
  std::vector<FlowModel> models;  ///< sorted by name
  std::map<std::string, FlowMeasure, std::less<>> measures;
  std::map<std::string, const json::Value*, std::less<>> metrics;
};

/// Reads all files. What is there twice, or has no name that definitions may have, is a loss.
FlowProject ReadFlow(const std::vector<SourceFile>& files, Losses& losses);

/// Our entities, their dimensions and joins.
void AddEntities(const FlowProject& project, semantic::Definitions& definitions, Losses& losses);

/// Our metrics.
void AddMetrics(const FlowProject& project, semantic::Definitions& definitions, Losses& losses);

/// Returns the filter as an expression of definitions. `fact`: the model whose rows are filtered;
/// `metric_time`: a column or dimension of it, may be empty. Errors: SqlSyntax, with the reason why
/// it cannot be translated.
Result<std::string> TranslateFilter(const FlowProject& project, const FlowModel& fact,
                                    const FlowDimension* metric_time, std::string_view filter);

/// Filters as they are written: one text, a list, or {where_filters: [{where_sql_template}]}.
std::vector<std::string> FiltersOf(const json::Value& filter);

/// dbt_import, applied.
semantic::Trust FlowTrust();

}  // namespace schemaward::interchange

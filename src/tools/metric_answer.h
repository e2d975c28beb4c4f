#pragma once

// What get_metric answers: the shape of its data, and how it is filled from a plan and its rows.

#include <optional>
#include <string>
#include <vector>

#include "connect/connector.h"
#include "json/fields.h"
#include "semantic/compile.h"
#include "semantic/planner.h"
#include "semantic/question.h"
#include "sql/render.h"
#include "tool/tool.h"
#include "tools/services.h"

namespace schemaward::tools {

struct MetricColumnOut {
  std::string name, kind, type, unit;
  void Bind(json::Fields& f);
};

struct MetricTrustOut {
  std::string name;
  tool::Confidence confidence = tool::Confidence::High;
  tool::Provenance provenance;
  void Bind(json::Fields& f);
};

struct TimeOut {
  std::string dimension;
  std::string resolution;  ///< local | inherited | unavailable
  std::vector<std::string> via;
  std::string grain, zone;
  std::optional<std::string> start, end;
  std::vector<std::string> incomplete;
  void Bind(json::Fields& f);
};

struct NearValuesOut {
  std::string column;
  std::vector<std::string> values;
  void Bind(json::Fields& f);
};

struct MetricOut {
  std::vector<MetricColumnOut> columns;
  std::vector<json::Raw> rows;  ///< arrays
  std::int64_t row_count = 0;
  bool truncated = false;
  std::string reading, sql;
  std::vector<json::Raw> params;
  std::vector<std::string> required_joins, fan_out_joins, semi_joins;
  std::vector<std::string> degradations;
  std::vector<TimeOut> time;
  std::vector<NearValuesOut> nearest_values;
  std::vector<MetricTrustOut> definitions;
  std::string plan;
  std::string source, indexed_at;
  void Bind(json::Fields& f);
};

/// Everything of the answer but its rows.
tool::Outcome<MetricOut> DescribeAnswer(const semantic::Model& model,
                                        const semantic::Question& question,
                                        const semantic::Planned& planned,
                                        const semantic::Compiled& compiled,
                                        const sql::Rendered& rendered);

/// Puts the rows in; sets what was cut, and `empty` where nothing matched. Errors: Internal where a
/// row is not as wide as what was asked for.
Status FillRows(const semantic::Question& question, const semantic::Planned& planned,
                const semantic::Compiled& compiled, const connect::QueryResult& result,
                tool::Outcome<MetricOut>& outcome);

}  // namespace schemaward::tools

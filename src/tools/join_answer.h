#pragma once

// The answer of resolve_join: a path of canonical joins, leg by leg, and a query that makes it.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/fields.h"
#include "semantic/definitions.h"
#include "semantic/paths.h"
#include "tool/tool.h"
#include "tools/join_candidates.h"

namespace schemaward::tools {

/// Columns that are equal.
struct JoinPairOut {
  std::string source_column, target_column;
  void Bind(json::Fields& f);
};

/// One leg of the path, as it is gone.
struct JoinLegOut {
  std::string name, description, source_entity, target_entity, source_table, target_table, role,
      direction;
  std::vector<JoinPairOut> on;
  semantic::Cardinality cardinality = semantic::Cardinality::ManyToOne;
  tool::Confidence confidence = tool::Confidence::High;
  tool::Provenance provenance;
  void Bind(json::Fields& f);
};

struct ResolvedJoinOut {
  std::string name, source_entity, target_entity, source, sql_skeleton, indexed_at;
  std::vector<std::string> join_names;
  std::vector<JoinLegOut> joins;
  std::int64_t hops = 0;
  semantic::Cardinality cardinality = semantic::Cardinality::ManyToOne;
  void Bind(json::Fields& f);
};

/// Returns the answer for the path between both ends, which has a leg at least. Errors: as
/// sql::Render. Thread: any.
Result<tool::Outcome<ResolvedJoinOut>> ShowPath(const Ends& ends, const semantic::Path& path);

}  // namespace schemaward::tools

#include "guard/guard.h"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "guard/resolve.h"
#include "sql/render.h"

namespace schemaward::guard {
namespace {

// Ids of the rules, as the audit record names them, in the order in which they are applied.
constexpr const char* kNamesResolve = "names_resolve";
constexpr const char* kListedFunctions = "listed_functions";
constexpr const char* kKnownLineage = "known_lineage";
constexpr const char* kPiiFloor = "pii_floor";
constexpr const char* kRendered = "rendered";

Status CheckLineage(const Reads& reads, const privacy::Policy& policy) {
  for (const catalog::Table* table : reads.tables)
    if (!policy.KnowsLineage(*table))
      return Error(ErrorKind::PolicyBlocked,
                   fmt::format("view \"{}\" cannot be read", catalog::QualifiedName(*table)))
          .Detail("A view can show a credential, card number or government id under another name.");
  return Ok();
}

Status CheckFloor(const Reads& reads, const privacy::Policy& policy) {
  std::set<std::string> categories;
  std::string columns;
  for (const ColumnRead& read : reads.columns) {
    const auto category = policy.FloorOf(*read.table, *read.column);
    if (!category) continue;
    categories.emplace(privacy::NameOf(*category));
    columns += (columns.empty() ? "" : ", ") + catalog::QualifiedName(*read.table) + "." +
               catalog::QuoteName(read.column->name);
  }
  if (categories.empty()) return Ok();
  return Error(ErrorKind::PiiBlocked,
               fmt::format("the statement reads protected columns: {}", columns))
      .Categories({categories.begin(), categories.end()});
}

std::vector<TableRead> ToTableReads(const Reads& reads) {
  std::vector<TableRead> result;
  for (const catalog::Table* table : reads.tables) {
    TableRead read{table->schema, table->name, {}};
    for (const ColumnRead& column : reads.columns)
      if (column.table == table) read.columns.push_back(column.column->name);
    std::sort(read.columns.begin(), read.columns.end());
    result.push_back(std::move(read));
  }
  std::sort(result.begin(), result.end(), [](const TableRead& a, const TableRead& b) {
    return std::tie(a.schema, a.table) < std::tie(b.schema, b.table);
  });
  return result;
}

}  // namespace

Result<Approved> Guard::ApproveTree(const sql::Select& select, const sql::Dialect& dialect,
                                    const std::vector<catalog::Table>& tables,
                                    const Principal& /*principal*/) const {
  WARD_TRY(const Reads reads, Resolve(select, tables));
  WARD_CHECK(CheckFloor(reads, policy_));
  WARD_CHECK(CheckLineage(reads, policy_));
  WARD_TRY(sql::Rendered rendered, sql::Render(select, dialect));
  Approved approved;
  approved.text_ = std::move(rendered.text);
  approved.parameters_ = std::move(rendered.parameters);
  approved.dialect_ = &dialect;
  approved.reads_ = ToTableReads(reads);
  approved.rules_ = {kNamesResolve, kListedFunctions, kPiiFloor, kKnownLineage, kRendered};
  return approved;
}

}  // namespace schemaward::guard

#pragma once

// One index of one source: catalog read, compared with the store, and only what changed written.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "connect/connector.h"
#include "json/fields.h"
#include "privacy/policy.h"
#include "store/store.h"

namespace schemaward::index {

/// What was read of the catalog, and the hash of each table's shape as store::HashOf gives it.
struct Indexed {
  const catalog::Database& database;
  std::vector<std::int64_t> shapes;
};

/// What is done after the index was committed, with what was read of the catalog. What fails there
/// fails there: the index stands.
using AfterIndex =
    std::function<void(const store::Source&, connect::Connector&, Indexed, CallContext&)>;

/// What is done where a look at the source found its catalog unchanged: there may be news
/// elsewhere, as in its query log.
using WhenUnchanged = std::function<void(const store::Source&, connect::Connector&, CallContext&)>;

struct RunOptions {
  std::optional<connect::Scope> scope{};  ///< none: as the source was indexed last
  privacy::Policy policy{};
  std::int64_t sample_rows = 0;   ///< --sample N: values of up to so many rows a table; 0: none
  bool classify_content = false;  ///< --classify-content: values are checked, verdicts kept
  AfterIndex after{};
  WhenUnchanged when_unchanged{};  ///< called by the refresher, not by Run
};

/// Names are qualified (schema.table) and sorted; at most kNamesMax of each kind, the counts say
/// how many there are.
struct Summary {
  std::int64_t added = 0;
  std::int64_t changed = 0;
  std::int64_t removed = 0;
  std::int64_t unchanged = 0;
  std::int64_t estimates_updated = 0;  ///< of the unchanged: row counts or statistics are new
  std::vector<std::string> added_names;
  std::vector<std::string> changed_names;
  std::vector<std::string> removed_names;
  std::vector<catalog::Missing> missing;
  std::int64_t tables = 0;  ///< all kinds but views
  std::int64_t views = 0;
  std::int64_t columns = 0;
  std::int64_t sampled_tables = 0;
  std::int64_t generation = 0;
  std::int64_t introspect_ms = 0;
  std::int64_t sample_ms = 0;
  std::int64_t write_ms = 0;
  std::int64_t classified_columns = 0;  ///< that a check of their values found to be personal

  /// True when something of the catalog could not be read.
  bool IsPartial() const { return !missing.empty(); }
  void Bind(json::Fields& f);
};

inline constexpr std::size_t kNamesMax = 50;
inline constexpr std::size_t kMissingMax = 500;  ///< the last entry then says how many more
inline constexpr std::int64_t kSampleRowsMax = 100;
inline constexpr std::size_t kSampleTablesMax = 2'000;
inline constexpr std::size_t kSampleValueBytesMax = 200;
inline constexpr std::size_t kSampleBytesMax = 64U << 20U;  ///< of all values of a run
/// Raise it when DocumentMaker makes other documents of the same table: all are then made again.
inline constexpr std::int64_t kDocumentVersion = 1;

/// Indexes `source` through `connector`. The store changes in one transaction at the end, which is
/// also where other writers are kept waiting; the source is not asked meanwhile. The scope is kept
/// with the source, for those that index it without one. Values that the policy no longer lets be
/// read are deleted. Progress: the tables written, of all.
/// Errors: as Connector and Store; InvalidArgument when there is no table in the scope that is
/// given; UnknownSource when the source was removed; Cancelled and DeadlineExceeded as ctx says.
/// The index is then the old one.
/// Thread: any; one connector is one thread's.
Result<Summary> Run(connect::Connector& connector, store::Store& store, const store::Source& source,
                    const RunOptions& options, CallContext& ctx);

}  // namespace schemaward::index

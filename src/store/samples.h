#pragma once

// A few values of columns, kept only where somebody asked for them (--sample) and the policy lets
// them be read.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace schemaward::store {

/// Values of one column, in the order of the rows they come from; none stands for null.
struct ColumnSample {
  std::string column;
  std::vector<std::optional<std::string>> values;
  bool operator==(const ColumnSample&) const = default;
};

/// The column of a table of which values are kept.
struct SampledColumn {
  std::int64_t table_id = 0;
  std::string column;
  bool operator==(const SampledColumn&) const = default;
};

/// Values kept of a table, sorted by column; none where nobody sampled it. Whoever shows them asks
/// the policy first, as for any value. Errors: as Store. Thread: any.
Result<std::vector<ColumnSample>> ReadSamples(Store& store, std::int64_t table_id);

}  // namespace schemaward::store

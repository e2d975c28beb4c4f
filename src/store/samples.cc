#include "store/samples.h"

#include "store/impl.h"

namespace schemaward::store {
namespace {

constexpr std::string_view kRead =
    "SELECT column_name, value FROM sample WHERE object_id = ?1 ORDER BY column_name, ordinal";

}  // namespace

Result<std::vector<ColumnSample>> ReadSamples(Store& store, std::int64_t table_id) {
  WARD_TRY(auto connection, store.impl().Read());
  WARD_TRY(auto row, connection->Prepared(kRead));
  row->Bind(1, table_id);
  std::vector<ColumnSample> samples;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return samples;
    if (samples.empty() || samples.back().column != row->Text(0))
      samples.push_back({std::string(row->Text(0)), {}});
    samples.back().values.push_back(row->OptionalText(1));
  }
}

}  // namespace schemaward::store

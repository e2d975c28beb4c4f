#include "store/require_source.h"

namespace schemaward::store {

Status RequireSource(Connection& connection, std::int64_t source_id) {
  WARD_TRY(auto row, connection.Prepared("SELECT 1 FROM source WHERE id = ?1"));
  WARD_TRY(const bool found, row->Bind(1, source_id).Step());
  if (found) return Ok();
  return Error(ErrorKind::UnknownSource, "the source is not in the store any more");
}

}  // namespace schemaward::store

#include "store/removal.h"

#include <array>
#include <string_view>

#include "store/search_store.h"

namespace schemaward::store {
namespace {

// ?1 is the object's id; object itself goes last.
constexpr std::array<std::string_view, 9> kOfObject = {
    "DELETE FROM object_body WHERE id = ?1",
    "DELETE FROM key_edge WHERE from_id = ?1",
    "DELETE FROM sample WHERE object_id = ?1",
    // A query is no example any more where a table of it is gone.
    "DELETE FROM mined_query WHERE id IN (SELECT query_id FROM mined_table WHERE object_id = ?1)",
    "DELETE FROM mined_table WHERE query_id IN"
    " (SELECT query_id FROM mined_table WHERE object_id = ?1)",
    "DELETE FROM mined_table WHERE object_id = ?1",
    "DELETE FROM vector WHERE object_id = ?1",
    "DELETE FROM description WHERE object_id = ?1",
    "DELETE FROM object WHERE id = ?1",
};

// ?1 is the source's id.
constexpr std::array<std::string_view, 14> kOfSource = {
    "DELETE FROM object_body WHERE id IN (SELECT id FROM object WHERE source_id = ?1)",
    "DELETE FROM key_edge WHERE from_id IN (SELECT id FROM object WHERE source_id = ?1)",
    "DELETE FROM sample WHERE object_id IN (SELECT id FROM object WHERE source_id = ?1)",
    "DELETE FROM mined_table WHERE query_id IN (SELECT id FROM mined_query WHERE source_id = ?1)",
    "DELETE FROM mined_query WHERE source_id = ?1",
    "DELETE FROM mined_log WHERE source_id = ?1",
    "DELETE FROM definition WHERE source_id = ?1",
    "DELETE FROM definition_stamp WHERE source_id = ?1",
    "DELETE FROM draft_state WHERE source_id = ?1",
    "DELETE FROM vector WHERE source_id = ?1",
    "DELETE FROM description WHERE object_id IN (SELECT id FROM object WHERE source_id = ?1)",
    "DELETE FROM object WHERE source_id = ?1",
    "DELETE FROM schema_count WHERE source_id = ?1",
    "DELETE FROM source WHERE id = ?1",
};

constexpr std::string_view kIdsOfSource = "SELECT id FROM object WHERE source_id = ?1";

template <std::size_t N>
Status RunEach(Connection& connection, const std::array<std::string_view, N>& statements,
               std::int64_t id) {
  for (const std::string_view sql : statements) {
    WARD_TRY(auto statement, connection.Prepared(sql));
    WARD_CHECK(statement->Bind(1, id).Run());
  }
  return Ok();
}

Status ForgetSearch(Connection& connection, std::int64_t source_id) {
  WARD_TRY(auto search, SearchWriter::Open(connection.database()));
  WARD_TRY(auto row, connection.Prepared(kIdsOfSource));
  row->Bind(1, source_id);
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return search.Finish();
    WARD_CHECK(search.Remove(row->Int(0)));
  }
}

}  // namespace

Status RemoveRowsOfObject(Connection& connection, std::int64_t object_id) {
  return RunEach(connection, kOfObject, object_id);
}

Status RemoveRowsOfSource(Connection& connection, std::int64_t source_id) {
  WARD_CHECK(ForgetSearch(connection, source_id));
  return RunEach(connection, kOfSource, source_id);
}

}  // namespace schemaward::store

#include "store/definitions.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "store/impl.h"
#include "store/require_source.h"

namespace schemaward::store {
namespace {

constexpr std::string_view kList =
    "SELECT kind, name, from_files, body FROM definition WHERE source_id = ?1 ORDER BY kind, name";
constexpr std::string_view kPut =
    "INSERT INTO definition(source_id, kind, name, from_files, body) VALUES(?1, ?2, ?3, ?4, ?5)"
    " ON CONFLICT DO UPDATE SET from_files = ?4, body = ?5";
constexpr std::string_view kRemove =
    "DELETE FROM definition WHERE source_id = ?1 AND kind = ?2 AND name = ?3";
constexpr std::string_view kStamp =
    "INSERT INTO definition_stamp(source_id, generation) VALUES(?1, 1)"
    " ON CONFLICT DO UPDATE SET generation = generation + 1";
constexpr std::string_view kGeneration =
    "SELECT generation FROM definition_stamp WHERE source_id = ?1";

Status Put(Connection& connection, std::int64_t source_id, const DefinitionRow& row) {
  WARD_TRY(auto put, connection.Prepared(kPut));
  put->Bind(1, source_id)
      .Bind(2, static_cast<std::int64_t>(row.kind))
      .Bind(3, std::string_view(row.name))
      .Bind(4, std::int64_t{row.from_files ? 1 : 0})
      .Bind(5, std::string_view(row.body_json));
  return put->Run();
}

Status Remove(Connection& connection, std::int64_t source_id, const DefinitionRow& row) {
  WARD_TRY(auto remove, connection.Prepared(kRemove));
  remove->Bind(1, source_id)
      .Bind(2, static_cast<std::int64_t>(row.kind))
      .Bind(3, std::string_view(row.name));
  return remove->Run();
}

}  // namespace

Result<std::vector<DefinitionRow>> ListDefinitions(Store& store, std::int64_t source_id) {
  WARD_TRY(auto connection, store.impl().Read());
  WARD_TRY(auto row, connection->Prepared(kList));
  row->Bind(1, source_id);
  std::vector<DefinitionRow> rows;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return rows;
    DefinitionRow& added = rows.emplace_back();
    added.source_id = source_id;
    added.kind = static_cast<DefinitionKind>(row->Int(0));
    added.name = std::string(row->Text(1));
    added.from_files = row->Int(2) != 0;
    added.body_json = std::string(row->Text(3));
  }
}

Status ChangeDefinitions(Store& store, std::int64_t source_id, const DefinitionChanges& changes) {
  if (changes.put.empty() && changes.remove.empty()) return Ok();
  WARD_TRY(auto connection, store.impl().Write());
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(connection->database()));
  WARD_CHECK(RequireSource(*connection, source_id));
  for (const DefinitionRow& row : changes.remove) WARD_CHECK(Remove(*connection, source_id, row));
  for (const DefinitionRow& row : changes.put) WARD_CHECK(Put(*connection, source_id, row));
  {
    WARD_TRY(auto stamp, connection->Prepared(kStamp));
    WARD_CHECK(stamp->Bind(1, source_id).Run());
  }
  return transaction.Commit();
}

Result<std::int64_t> DefinitionGeneration(Store& store, std::int64_t source_id) {
  WARD_TRY(auto connection, store.impl().Read());
  WARD_TRY(auto row, connection->Prepared(kGeneration));
  WARD_TRY(const bool found, row->Bind(1, source_id).Step());
  return found ? row->Int(0) : 0;
}

}  // namespace schemaward::store

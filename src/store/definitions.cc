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
constexpr std::string_view kFind =
    "SELECT from_files, body FROM definition WHERE source_id = ?1 AND kind = ?2 AND name = ?3";
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
constexpr std::string_view kDrafts =
    "SELECT generation, stamp, body FROM draft_state WHERE source_id = ?1";
constexpr std::string_view kDraftStamp =
    "SELECT generation, stamp, x'' FROM draft_state WHERE source_id = ?1";
constexpr std::string_view kPutDrafts =
    "INSERT OR REPLACE INTO draft_state(source_id, generation, stamp, body) VALUES(?1, ?2, ?3, ?4)";
constexpr std::string_view kForgetDrafts = "DELETE FROM draft_state WHERE source_id = ?1";

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

Result<std::int64_t> GenerationOf(Connection& connection, std::int64_t source_id) {
  WARD_TRY(auto row, connection.Prepared(kGeneration));
  WARD_TRY(const bool found, row->Bind(1, source_id).Step());
  return found ? row->Int(0) : 0;
}

Status PutDrafts(Connection& connection, std::int64_t source_id, std::int64_t before,
                 std::int64_t after, const DraftState& drafts) {
  if (drafts.generation != before) {
    WARD_TRY(auto forget, connection.Prepared(kForgetDrafts));
    return forget->Bind(1, source_id).Run();
  }
  WARD_TRY(auto put, connection.Prepared(kPutDrafts));
  put->Bind(1, source_id).Bind(2, after);
  return put->BindBlob(3, drafts.stamp).BindBlob(4, drafts.body).Run();
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

Result<std::optional<DefinitionRow>> FindDefinition(Store& store, std::int64_t source_id,
                                                    DefinitionKind kind, std::string_view name) {
  WARD_TRY(auto connection, store.impl().Read());
  WARD_TRY(auto row, connection->Prepared(kFind));
  row->Bind(1, source_id).Bind(2, static_cast<std::int64_t>(kind)).Bind(3, name);
  WARD_TRY(const bool found, row->Step());
  if (!found) return std::optional<DefinitionRow>();
  return std::optional(DefinitionRow{source_id, kind, std::string(name), std::string(row->Text(1)),
                                     row->Int(0) != 0});
}

Status ChangeDefinitions(Store& store, std::int64_t source_id, const DefinitionChanges& changes) {
  const bool any = !changes.put.empty() || !changes.remove.empty();
  if (!any && !changes.drafts) return Ok();
  WARD_TRY(auto connection, store.impl().Write());
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(connection->database()));
  WARD_CHECK(RequireSource(*connection, source_id));
  WARD_TRY(const std::int64_t before, GenerationOf(*connection, source_id));
  for (const DefinitionRow& row : changes.remove) WARD_CHECK(Remove(*connection, source_id, row));
  for (const DefinitionRow& row : changes.put) WARD_CHECK(Put(*connection, source_id, row));
  if (any) {
    WARD_TRY(auto stamp, connection->Prepared(kStamp));
    WARD_CHECK(stamp->Bind(1, source_id).Run());
  }
  if (changes.drafts)
    WARD_CHECK(
        PutDrafts(*connection, source_id, before, any ? before + 1 : before, *changes.drafts));
  return transaction.Commit();
}

Result<std::optional<DraftState>> GetDraftState(Store& store, std::int64_t source_id,
                                                bool with_body) {
  WARD_TRY(auto connection, store.impl().Read());
  WARD_TRY(auto row, connection->Prepared(with_body ? kDrafts : kDraftStamp));
  WARD_TRY(const bool found, row->Bind(1, source_id).Step());
  if (!found) return std::optional<DraftState>();
  return std::optional(
      DraftState{row->Int(0), std::string(row->Blob(1)), std::string(row->Blob(2))});
}

Result<std::int64_t> DefinitionGeneration(Store& store, std::int64_t source_id) {
  WARD_TRY(auto connection, store.impl().Read());
  return GenerationOf(*connection, source_id);
}

}  // namespace schemaward::store

#include "store/definitions.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "store/impl.h"

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
constexpr std::string_view kSourceExists = "SELECT 1 FROM source WHERE id = ?1";

constexpr std::string_view kForgetLinks =
    "DELETE FROM mined_table WHERE query_id IN"
    " (SELECT id FROM mined_query WHERE source_id = ?1 AND origin = ?2)";
constexpr std::string_view kForgetQueries =
    "DELETE FROM mined_query WHERE source_id = ?1 AND origin = ?2";
constexpr std::string_view kAddQuery =
    "INSERT INTO mined_query(source_id, origin, calls, sql) VALUES(?1, ?2, ?3, ?4) RETURNING id";
constexpr std::string_view kAddLink =
    "INSERT OR IGNORE INTO mined_table(object_id, query_id) VALUES(?1, ?2)";
constexpr std::string_view kQueriesOf =
    "SELECT q.id, q.source_id, q.origin, q.calls, q.sql FROM mined_table AS t"
    " JOIN mined_query AS q ON q.id = t.query_id WHERE t.object_id = ?1"
    " ORDER BY q.calls DESC, q.sql LIMIT ?2";
constexpr std::string_view kTablesOf =
    "SELECT object_id FROM mined_table WHERE query_id = ?1 ORDER BY object_id";

Status RequireSource(Connection& connection, std::int64_t source_id) {
  WARD_TRY(auto row, connection.Prepared(kSourceExists));
  WARD_TRY(const bool found, row->Bind(1, source_id).Step());
  if (found) return Ok();
  return Error(ErrorKind::UnknownSource, "the source is not in the store any more");
}

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

Status AddQuery(Connection& connection, std::int64_t source_id, std::string_view origin,
                const MinedQuery& query) {
  std::int64_t id = 0;
  {
    WARD_TRY(auto add, connection.Prepared(kAddQuery));
    add->Bind(1, source_id)
        .Bind(2, origin)
        .Bind(3, query.calls)
        .Bind(4, std::string_view(query.sql));
    WARD_TRY(const bool found, add->Step());
    if (!found) return Error(ErrorKind::Internal, "a query was not given an id");
    id = add->Int(0);
  }
  for (const std::int64_t table : query.table_ids) {
    WARD_TRY(auto link, connection.Prepared(kAddLink));
    WARD_CHECK(link->Bind(1, table).Bind(2, id).Run());
  }
  return Ok();
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

Status ReplaceMinedQueries(Store& store, std::int64_t source_id, std::string_view origin,
                           std::vector<MinedQuery> queries) {
  std::stable_sort(queries.begin(), queries.end(),
                   [](const MinedQuery& a, const MinedQuery& b) { return a.calls > b.calls; });
  queries.resize(std::min(queries.size(), kMinedMax));
  WARD_TRY(auto connection, store.impl().Write());
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(connection->database()));
  WARD_CHECK(RequireSource(*connection, source_id));
  for (const std::string_view sql : {kForgetLinks, kForgetQueries}) {
    WARD_TRY(auto forget, connection->Prepared(sql));
    WARD_CHECK(forget->Bind(1, source_id).Bind(2, origin).Run());
  }
  for (const MinedQuery& query : queries)
    WARD_CHECK(AddQuery(*connection, source_id, origin, query));
  return transaction.Commit();
}

Result<std::vector<MinedQuery>> MinedQueriesOf(Store& store, std::int64_t table_id,
                                               std::size_t limit) {
  WARD_TRY(auto connection, store.impl().Read());
  std::vector<MinedQuery> queries;
  std::vector<std::int64_t> ids;
  {
    WARD_TRY(auto row, connection->Prepared(kQueriesOf));
    row->Bind(1, table_id).Bind(2, static_cast<std::int64_t>(limit));
    while (true) {
      WARD_TRY(const bool found, row->Step());
      if (!found) break;
      ids.push_back(row->Int(0));
      MinedQuery& added = queries.emplace_back();
      added.source_id = row->Int(1);
      added.origin = std::string(row->Text(2));
      added.calls = row->Int(3);
      added.sql = std::string(row->Text(4));
    }
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    WARD_TRY(auto row, connection->Prepared(kTablesOf));
    row->Bind(1, ids[i]);
    while (true) {
      WARD_TRY(const bool found, row->Step());
      if (!found) break;
      queries[i].table_ids.push_back(row->Int(0));
    }
  }
  return queries;
}

}  // namespace schemaward::store

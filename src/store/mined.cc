#include "store/mined.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <nlohmann/json.hpp>

#include "json/value.h"
#include "store/impl.h"
#include "store/require_source.h"

namespace schemaward::store {
namespace {

constexpr std::string_view kList =
    "SELECT origin, stamp, body FROM mined_log WHERE source_id = ?1 ORDER BY origin";
constexpr std::string_view kForgetTables =
    "DELETE FROM mined_table WHERE query_id IN"
    " (SELECT id FROM mined_query WHERE source_id = ?1 AND origin = ?2)";
constexpr std::string_view kForgetQueries =
    "DELETE FROM mined_query WHERE source_id = ?1 AND origin = ?2";
constexpr std::string_view kForgetLog =
    "DELETE FROM mined_log WHERE source_id = ?1 AND origin = ?2";
constexpr std::string_view kAddLog =
    "INSERT INTO mined_log(source_id, origin, stamp, body) VALUES(?1, ?2, ?3, ?4)";
constexpr std::string_view kAddQuery =
    "INSERT INTO mined_query(source_id, origin, calls, sql) VALUES(?1, ?2, ?3, ?4) RETURNING id";
constexpr std::string_view kAddTable =
    "INSERT OR IGNORE INTO mined_table(object_id, query_id, columns) VALUES(?1, ?2, ?3)";
constexpr std::string_view kQueriesOf =
    "SELECT q.id, q.origin, q.calls, q.sql FROM mined_table AS t"
    " JOIN mined_query AS q ON q.id = t.query_id WHERE t.object_id = ?1"
    " ORDER BY q.calls DESC, q.sql, q.origin LIMIT ?2";
constexpr std::string_view kTablesOf =
    "SELECT object_id, columns FROM mined_table WHERE query_id = ?1 ORDER BY object_id";

std::string ToJson(const std::vector<std::string>& names) {
  std::string text = "[";
  for (const std::string& name : names) {
    if (text.size() > 1) text += ',';
    json::AppendQuoted(text, name);
  }
  return text + "]";
}

Result<std::vector<std::string>> FromJson(std::string_view text) {
  WARD_TRY(const auto document, json::Parse(text));
  std::vector<std::string> names;
  for (const json::Value& name : document.value())
    if (name.is_string()) names.push_back(name.get<std::string>());
  return names;
}

Status Forget(Connection& connection, std::int64_t source_id, std::string_view origin) {
  for (const std::string_view sql : {kForgetTables, kForgetQueries, kForgetLog}) {
    WARD_TRY(auto forget, connection.Prepared(sql));
    WARD_CHECK(forget->Bind(1, source_id).Bind(2, origin).Run());
  }
  return Ok();
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
  for (const MinedTable& table : query.tables) {
    const std::string columns = ToJson(table.columns);
    WARD_TRY(auto add, connection.Prepared(kAddTable));
    WARD_CHECK(add->Bind(1, table.table_id).Bind(2, id).Bind(3, std::string_view(columns)).Run());
  }
  return Ok();
}

Status AddLog(Connection& connection, std::int64_t source_id, const MinedLog& log) {
  WARD_TRY(auto add, connection.Prepared(kAddLog));
  add->Bind(1, source_id)
      .Bind(2, std::string_view(log.origin))
      .Bind(3, std::string_view(log.stamp))
      .Bind(4, std::string_view(log.body_json));
  return add->Run();
}

Result<std::vector<MinedTable>> TablesOf(Connection& connection, std::int64_t query_id) {
  WARD_TRY(auto row, connection.Prepared(kTablesOf));
  row->Bind(1, query_id);
  std::vector<MinedTable> tables;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return tables;
    WARD_TRY(auto columns, FromJson(row->Text(1)));
    tables.push_back({row->Int(0), std::move(columns)});
  }
}

}  // namespace

Result<std::vector<MinedLog>> ListMinedLogs(Store& store, std::int64_t source_id) {
  WARD_TRY(auto connection, store.impl().Read());
  WARD_TRY(auto row, connection->Prepared(kList));
  row->Bind(1, source_id);
  std::vector<MinedLog> logs;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return logs;
    logs.push_back(
        {std::string(row->Text(0)), std::string(row->Text(1)), std::string(row->Text(2))});
  }
}

Status PutMinedLog(Store& store, std::int64_t source_id, const MinedLog& log,
                   std::vector<MinedQuery> queries) {
  std::sort(queries.begin(), queries.end(), [](const MinedQuery& a, const MinedQuery& b) {
    return std::tie(b.calls, a.sql) < std::tie(a.calls, b.sql);
  });
  queries.resize(std::min(queries.size(), kMinedMax));
  WARD_TRY(auto connection, store.impl().Write());
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(connection->database()));
  WARD_CHECK(RequireSource(*connection, source_id));
  WARD_CHECK(Forget(*connection, source_id, log.origin));
  WARD_CHECK(AddLog(*connection, source_id, log));
  for (const MinedQuery& query : queries)
    WARD_CHECK(AddQuery(*connection, source_id, log.origin, query));
  return transaction.Commit();
}

Status RemoveMinedLog(Store& store, std::int64_t source_id, std::string_view origin) {
  WARD_TRY(auto connection, store.impl().Write());
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(connection->database()));
  WARD_CHECK(RequireSource(*connection, source_id));
  WARD_CHECK(Forget(*connection, source_id, origin));
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
      queries.push_back({std::string(row->Text(3)), row->Int(2), {}, std::string(row->Text(1))});
    }
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    WARD_TRY(queries[i].tables, TablesOf(*connection, ids[i]));
  }
  return queries;
}

}  // namespace schemaward::store

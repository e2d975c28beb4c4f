// Store: the questions about tables and keys.
#include <algorithm>
#include <tuple>

#include "store/impl.h"
#include "store/name_key.h"
#include "store/record.h"
#include "store/store.h"

namespace schemaward::store {
namespace {

// Each selects id, source_id, schema, name, kind. Plans: object_name (covering the keys) and a
// sort of the few that match; object_id; the primary key, in order.
constexpr std::string_view kFindByName =
    "SELECT id, source_id, schema, name, kind FROM object WHERE name_key = ?1"
    " ORDER BY source_id, schema, name";
constexpr std::string_view kFindByPlace =
    "SELECT id, source_id, schema, name, kind FROM object WHERE name_key = ?1 AND schema_key = ?2"
    " ORDER BY source_id, schema, name";
constexpr std::string_view kEntry =
    "SELECT id, source_id, schema, name, kind FROM object WHERE id = ?1";
constexpr std::string_view kPage =
    "SELECT id, source_id, schema, name, kind FROM object"
    " WHERE source_id = ?1 AND (schema, name) > (?2, ?3) ORDER BY schema, name LIMIT ?4";
constexpr std::string_view kVisit =
    "SELECT id, source_id, schema, name, kind FROM object WHERE source_id = ?1"
    " ORDER BY schema, name";
constexpr std::string_view kBody = "SELECT body FROM object_body WHERE id = ?1";
constexpr std::string_view kSourceIds = "SELECT id FROM source ORDER BY id";

// Each selects from_id, ordinal, key, to_id, to's exact names, from's. A target is met by its
// folded names, by the index that holds all three (without statistics SQLite would walk the whole
// source); which of several that differ only by case is meant is decided in EdgeReader.
constexpr std::string_view kEdgesFrom =
    "SELECT e.from_id, e.ordinal, e.key, o.id, o.schema, o.name, f.schema, f.name"
    " FROM object f JOIN key_edge e ON e.from_id = f.id JOIN object o INDEXED BY object_name"
    " ON o.name_key = e.target_name_key AND o.schema_key = e.target_schema_key"
    " AND o.source_id = e.source_id WHERE f.id = ?1 ORDER BY e.from_id, e.ordinal, o.id";
constexpr std::string_view kEdgesTo =
    "SELECT e.from_id, e.ordinal, e.key, o.id, o.schema, o.name, f.schema, f.name"
    " FROM object t JOIN key_edge e"
    " ON e.target_name_key = t.name_key AND e.target_schema_key = t.schema_key"
    " AND e.source_id = t.source_id JOIN object o INDEXED BY object_name"
    " ON o.name_key = e.target_name_key"
    " AND o.schema_key = e.target_schema_key AND o.source_id = e.source_id"
    " JOIN object f ON f.id = e.from_id"
    " WHERE t.id = ?1 ORDER BY e.from_id, e.ordinal, o.id";

TableEntry EntryOfRow(const sqlite::Statement& row) {
  return {row.Int(0), row.Int(1), std::string(row.Text(2)), std::string(row.Text(3)),
          static_cast<catalog::TableKind>(row.Int(4))};
}

bool Wanted(std::span<const std::int64_t> source_ids, std::int64_t id) {
  return source_ids.empty() ||
         std::find(source_ids.begin(), source_ids.end(), id) != source_ids.end();
}

/// The sources asked for, or all, in order of their ids.
Result<std::vector<std::int64_t>> OrderedSources(Connection& connection,
                                                 std::span<const std::int64_t> source_ids) {
  std::vector<std::int64_t> ids(source_ids.begin(), source_ids.end());
  if (ids.empty()) {
    WARD_TRY(auto row, connection.Prepared(kSourceIds));
    while (true) {
      WARD_TRY(const bool found, row->Step());
      if (!found) break;
      ids.push_back(row->Int(0));
    }
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// Turns rows (one for each table that a key may mean, those of one key together) into edges: the
/// target whose names are exactly the key's, else the only one.
class EdgeReader {
 public:
  Status Add(const sqlite::Statement& row) {
    if (row.Int(0) != from_ || row.Int(1) != ordinal_) {
      Flush();
      from_ = row.Int(0);
      ordinal_ = row.Int(1);
      WARD_TRY(key_, Decode<catalog::ForeignKey>(row.Blob(2)));
      from_schema_ = row.Text(6);
      from_name_ = row.Text(7);
    }
    ++candidates_;
    const bool exact = row.Text(4) == key_.target_schema && row.Text(5) == key_.target_table;
    if (exact || candidates_ == 1) to_ = row.Int(3);
    exact_ = exact_ || exact;
    return Ok();
  }

  std::vector<KeyEdge> Take() {
    Flush();
    return std::move(edges_);
  }

 private:
  void Flush() {
    if (candidates_ == 1 || exact_)
      edges_.push_back({from_, to_, std::move(key_), from_schema_, from_name_});
    candidates_ = 0;
    exact_ = false;
  }

  std::vector<KeyEdge> edges_;
  catalog::ForeignKey key_;
  std::string from_schema_, from_name_;
  std::int64_t from_ = 0;
  std::int64_t ordinal_ = -1;
  std::int64_t to_ = 0;
  int candidates_ = 0;
  bool exact_ = false;
};

Result<std::vector<KeyEdge>> ReadEdges(Connection& connection, std::string_view sql,
                                       std::int64_t table_id) {
  WARD_TRY(auto row, connection.Prepared(sql));
  row->Bind(1, table_id);
  EdgeReader reader;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return reader.Take();
    WARD_CHECK(reader.Add(*row));
  }
}

void SortEdges(std::vector<KeyEdge>& edges) {
  std::sort(edges.begin(), edges.end(), [](const KeyEdge& a, const KeyEdge& b) {
    return std::tie(a.from_id, a.key.name, a.key.columns, a.to_id) <
           std::tie(b.from_id, b.key.name, b.key.columns, b.to_id);
  });
}

}  // namespace

Result<std::vector<TableEntry>> Store::FindTables(std::span<const std::int64_t> source_ids,
                                                  const std::optional<std::string>& schema,
                                                  std::string_view name) {
  WARD_TRY(auto connection, impl_->Read());
  WARD_TRY(auto row, connection->Prepared(schema ? kFindByPlace : kFindByName));
  row->Bind(1, std::string_view(NameKey(name)));
  if (schema) row->Bind(2, std::string_view(NameKey(*schema)));
  std::vector<TableEntry> entries;
  while (entries.size() < kFindMax) {
    WARD_TRY(const bool found, row->Step());
    if (!found) break;
    if (Wanted(source_ids, row->Int(1))) entries.push_back(EntryOfRow(*row));
  }
  return entries;
}

Result<std::optional<TableEntry>> Store::GetEntry(std::int64_t table_id) {
  WARD_TRY(auto connection, impl_->Read());
  WARD_TRY(auto row, connection->Prepared(kEntry));
  WARD_TRY(const bool found, row->Bind(1, table_id).Step());
  return found ? std::optional<TableEntry>(EntryOfRow(*row)) : std::nullopt;
}

Result<std::optional<catalog::Table>> Store::GetTable(std::int64_t table_id) {
  WARD_TRY(auto connection, impl_->Read());
  WARD_TRY(auto row, connection->Prepared(kBody));
  WARD_TRY(const bool found, row->Bind(1, table_id).Step());
  if (!found) return std::optional<catalog::Table>();
  WARD_TRY(auto table, Decode<catalog::Table>(row->Blob(0)));
  return std::optional<catalog::Table>(std::move(table));
}

Result<std::vector<TableEntry>> Store::ListTables(std::span<const std::int64_t> source_ids,
                                                  const std::optional<TableEntry>& after,
                                                  std::size_t limit) {
  WARD_TRY(auto connection, impl_->Read());
  WARD_TRY(const auto ids, OrderedSources(*connection, source_ids));
  std::vector<TableEntry> entries;
  for (const std::int64_t id : ids) {
    if (entries.size() >= limit) break;
    if (after && id < after->source_id) continue;
    const bool resumes = after && id == after->source_id;
    WARD_TRY(auto row, connection->Prepared(kPage));
    row->Bind(1, id)
        .Bind(2, std::string_view(resumes ? after->schema : ""))
        .Bind(3, std::string_view(resumes ? after->name : ""))
        .Bind(4, static_cast<std::int64_t>(limit - entries.size()));
    while (true) {
      WARD_TRY(const bool found, row->Step());
      if (!found) break;
      entries.push_back(EntryOfRow(*row));
    }
  }
  return entries;
}

Status Store::VisitTables(std::span<const std::int64_t> source_ids,
                          const std::function<bool(const TableEntry&)>& visit) {
  WARD_TRY(auto connection, impl_->Read());
  WARD_TRY(const auto ids, OrderedSources(*connection, source_ids));
  for (const std::int64_t id : ids) {
    WARD_TRY(auto row, connection->Prepared(kVisit));
    row->Bind(1, id);
    while (true) {
      WARD_TRY(const bool found, row->Step());
      if (!found) break;
      if (!visit(EntryOfRow(*row))) return Ok();
    }
  }
  return Ok();
}

Result<std::vector<KeyEdge>> Store::EdgesOf(std::int64_t table_id) {
  WARD_TRY(auto connection, impl_->Read());
  WARD_TRY(auto edges, ReadEdges(*connection, kEdgesFrom, table_id));
  WARD_TRY(auto incoming, ReadEdges(*connection, kEdgesTo, table_id));
  for (KeyEdge& edge : incoming)
    if (edge.to_id == table_id && edge.from_id != table_id) edges.push_back(std::move(edge));
  SortEdges(edges);
  return edges;
}

Result<std::vector<KeyEdge>> Store::EdgesTo(std::int64_t table_id) {
  WARD_TRY(auto connection, impl_->Read());
  WARD_TRY(auto edges, ReadEdges(*connection, kEdgesTo, table_id));
  std::erase_if(edges, [&](const KeyEdge& edge) { return edge.to_id != table_id; });
  SortEdges(edges);
  return edges;
}

}  // namespace schemaward::store

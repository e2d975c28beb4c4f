#include "store/index_writer.h"

#include <optional>
#include <string_view>
#include <utility>

#include "sqlite/sqlite.h"
#include "store/impl.h"
#include "store/name_key.h"
#include "store/record.h"
#include "store/removal.h"
#include "store/search_store.h"

namespace schemaward::store {
namespace {

constexpr std::string_view kSourceExists = "SELECT 1 FROM source WHERE id = ?1";
constexpr std::string_view kExisting =
    "SELECT id, schema, name, shape_hash, content_hash FROM object WHERE source_id = ?1"
    " ORDER BY schema, name";
// Ids are never used again, so that an id which somebody still holds cannot mean another table.
constexpr std::string_view kReadNextId = "SELECT value FROM meta WHERE key = 'next_object_id'";
constexpr std::string_view kWriteNextId =
    "INSERT INTO meta(key, value) VALUES('next_object_id', ?1)"
    " ON CONFLICT(key) DO UPDATE SET value = excluded.value";
constexpr std::string_view kInsertObject =
    "INSERT INTO object(source_id, schema, name, id, kind, shape_hash, content_hash, schema_key,"
    " name_key) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
constexpr std::string_view kUpdateObject =
    "UPDATE object SET kind = ?2, shape_hash = ?3, content_hash = ?4 WHERE id = ?1";
constexpr std::string_view kPutBody = "INSERT OR REPLACE INTO object_body(id, body) VALUES(?1, ?2)";
constexpr std::string_view kDeleteKeys = "DELETE FROM key_edge WHERE from_id = ?1";
constexpr std::string_view kInsertKey =
    "INSERT INTO key_edge(from_id, ordinal, source_id, target_schema_key, target_name_key, key)"
    " VALUES(?1, ?2, ?3, ?4, ?5, ?6)";
constexpr std::string_view kForgetCounts = "DELETE FROM schema_count WHERE source_id = ?1";
constexpr std::string_view kCount =
    "INSERT INTO schema_count(source_id, schema, tables, views)"
    " SELECT source_id, schema, sum(kind NOT IN (1, 2)), sum(kind IN (1, 2)) FROM object"
    " WHERE source_id = ?1 GROUP BY schema";
static_assert(static_cast<int>(catalog::TableKind::View) == 1 &&
              static_cast<int>(catalog::TableKind::MaterializedView) == 2);
constexpr std::string_view kStamp =
    "UPDATE source SET generation = generation + 1, database = ?2, engine_version = ?3,"
    " fingerprint = ?4, missing = ?5, indexed_at_us = ?6,"
    " table_count = (SELECT coalesce(sum(tables), 0) FROM schema_count WHERE source_id = ?1),"
    " document_version = ?7, schemas = ?8,"
    " view_count = (SELECT coalesce(sum(views), 0) FROM schema_count WHERE source_id = ?1)"
    " WHERE id = ?1";
constexpr std::string_view kForgetSamples = "DELETE FROM sample WHERE object_id = ?1";
constexpr std::string_view kForgetSample =
    "DELETE FROM sample WHERE object_id = ?1 AND column_name = ?2";
constexpr std::string_view kInsertSample =
    "INSERT INTO sample(object_id, column_name, ordinal, value) VALUES(?1, ?2, ?3, ?4)";
constexpr std::string_view kSampled =
    "SELECT DISTINCT s.object_id, s.column_name FROM sample s JOIN object o ON o.id = s.object_id"
    " WHERE o.source_id = ?1 ORDER BY s.object_id, s.column_name";
constexpr std::string_view kDocumentVersion = "SELECT document_version FROM source WHERE id = ?1";
constexpr std::string_view kGeneration = "SELECT generation FROM source WHERE id = ?1";

std::int64_t Fnv1a(std::string_view bytes) { return static_cast<std::int64_t>(SearchHash(bytes)); }

}  // namespace

TableHash HashOf(const catalog::Table& table) {
  TableHash hash;
  catalog::Table shape = table;
  for (catalog::Column& column : shape.columns) column.verdicts.clear();
  hash.content = Fnv1a(Encode(shape));
  shape.row_estimate.reset();
  for (catalog::Column& column : shape.columns) column.statistic.reset();
  hash.shape = Fnv1a(Encode(shape));
  return hash;
}

struct IndexWriter::State {
  State(Lease the_connection, sqlite::Transaction the_transaction, std::int64_t source)
      : connection(std::move(the_connection)),
        transaction(std::move(the_transaction)),
        source_id(source) {}
  Lease connection;
  sqlite::Transaction transaction;     // ends before the connection goes back
  std::optional<SearchWriter> search;  // made at first need; ends before the transaction
  std::int64_t source_id;
  std::int64_t next_id = 0;  // 0: not read yet
  bool objects_changed = false;
};

IndexWriter::IndexWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
IndexWriter::~IndexWriter() = default;

Result<std::unique_ptr<IndexWriter>> IndexWriter::Begin(Store& store, std::int64_t source_id) {
  WARD_TRY(auto connection, store.impl().Write());
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(connection->database()));
  {
    WARD_TRY(auto row, connection->Prepared(kSourceExists));
    WARD_TRY(const bool found, row->Bind(1, source_id).Step());
    if (!found) return Error(ErrorKind::UnknownSource, "the source was removed from the store");
  }
  return std::unique_ptr<IndexWriter>(new IndexWriter(
      std::make_unique<State>(std::move(connection), std::move(transaction), source_id)));
}

Status IndexWriter::OpenSearch() {
  if (state_->search) return Ok();
  WARD_TRY(auto search, SearchWriter::Open(state_->connection->database()));
  state_->search.emplace(std::move(search));
  return Ok();
}

Status IndexWriter::PutSearch(std::int64_t id, const SearchDocument& document) {
  WARD_CHECK(OpenSearch());
  return state_->search->Put(id, document);
}

Result<std::vector<IndexedTable>> IndexWriter::Existing() {
  WARD_TRY(auto row, state_->connection->Prepared(kExisting));
  row->Bind(1, state_->source_id);
  std::vector<IndexedTable> tables;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return tables;
    tables.push_back({row->Int(0), std::string(row->Text(1)), std::string(row->Text(2)),
                      TableHash{row->Int(3), row->Int(4)}});
  }
}

Result<std::int64_t> IndexWriter::NextId() {
  if (state_->next_id == 0) {
    WARD_TRY(auto row, state_->connection->Prepared(kReadNextId));
    WARD_TRY(const bool found, row->Step());
    state_->next_id = found ? row->Int(0) : 1;
  }
  return state_->next_id++;
}

Status IndexWriter::WriteBody(std::int64_t id, const catalog::Table& table) {
  WARD_TRY(auto put, state_->connection->Prepared(kPutBody));
  return put->Bind(1, id).BindBlob(2, Encode(table)).Run();
}

Status IndexWriter::WriteKeys(std::int64_t id, const catalog::Table& table) {
  WARD_TRY(auto insert, state_->connection->Prepared(kInsertKey));
  std::int64_t ordinal = 0;
  for (const catalog::ForeignKey& key : table.foreign_keys) {
    insert->Bind(1, id)
        .Bind(2, ordinal++)
        .Bind(3, state_->source_id)
        .Bind(4, std::string_view(NameKey(key.target_schema)))
        .Bind(5, std::string_view(NameKey(key.target_table)))
        .BindBlob(6, Encode(key));
    WARD_CHECK(insert->Run());
  }
  return Ok();
}

Result<std::int64_t> IndexWriter::Add(const catalog::Table& table, const TableHash& hash) {
  WARD_TRY(const std::int64_t id, NextId());
  state_->objects_changed = true;
  {
    WARD_TRY(auto insert, state_->connection->Prepared(kInsertObject));
    insert->Bind(1, state_->source_id)
        .Bind(2, std::string_view(table.schema))
        .Bind(3, std::string_view(table.name))
        .Bind(4, id)
        .Bind(5, static_cast<std::int64_t>(table.kind))
        .Bind(6, hash.shape)
        .Bind(7, hash.content)
        .Bind(8, std::string_view(NameKey(table.schema)))
        .Bind(9, std::string_view(NameKey(table.name)));
    WARD_CHECK(insert->Run());
  }
  WARD_CHECK(WriteBody(id, table));
  WARD_CHECK(WriteKeys(id, table));
  return id;
}

Status IndexWriter::Replace(std::int64_t id, const catalog::Table& table, const TableHash& hash) {
  state_->objects_changed = true;
  {
    WARD_TRY(auto update, state_->connection->Prepared(kUpdateObject));
    update->Bind(1, id)
        .Bind(2, static_cast<std::int64_t>(table.kind))
        .Bind(3, hash.shape)
        .Bind(4, hash.content);
    WARD_CHECK(update->Run());
  }
  {
    WARD_TRY(auto forget, state_->connection->Prepared(kDeleteKeys));
    WARD_CHECK(forget->Bind(1, id).Run());
  }
  WARD_CHECK(WriteBody(id, table));
  return WriteKeys(id, table);
}

Status IndexWriter::Remove(std::int64_t id) {
  state_->objects_changed = true;
  WARD_CHECK(OpenSearch());
  WARD_CHECK(state_->search->Remove(id));
  return RemoveRowsOfObject(*state_->connection, id);
}

Status IndexWriter::PutSamples(std::int64_t id, const std::vector<ColumnSample>& samples) {
  {
    WARD_TRY(auto forget, state_->connection->Prepared(kForgetSamples));
    WARD_CHECK(forget->Bind(1, id).Run());
  }
  WARD_TRY(auto insert, state_->connection->Prepared(kInsertSample));
  for (const ColumnSample& sample : samples) {
    std::int64_t ordinal = 0;
    for (const auto& value : sample.values) {
      insert->Bind(1, id)
          .Bind(2, std::string_view(sample.column))
          .Bind(3, ordinal++)
          .Bind(4, value);
      WARD_CHECK(insert->Run());
    }
  }
  return Ok();
}

Result<std::vector<SampledColumn>> IndexWriter::SampledColumns() {
  WARD_TRY(auto row, state_->connection->Prepared(kSampled));
  row->Bind(1, state_->source_id);
  std::vector<SampledColumn> columns;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return columns;
    columns.push_back({row->Int(0), std::string(row->Text(1))});
  }
}

Status IndexWriter::RemoveSample(const SampledColumn& sampled) {
  WARD_TRY(auto forget, state_->connection->Prepared(kForgetSample));
  return forget->Bind(1, sampled.table_id).Bind(2, std::string_view(sampled.column)).Run();
}

Result<std::int64_t> IndexWriter::DocumentVersion() {
  WARD_TRY(auto row, state_->connection->Prepared(kDocumentVersion));
  WARD_TRY(const bool found, row->Bind(1, state_->source_id).Step());
  return found ? row->Int(0) : 0;
}

Status IndexWriter::CountAgain() {
  for (const std::string_view sql : {kForgetCounts, kCount}) {
    WARD_TRY(auto statement, state_->connection->Prepared(sql));
    WARD_CHECK(statement->Bind(1, state_->source_id).Run());
  }
  return Ok();
}

Result<std::int64_t> IndexWriter::Commit(const IndexStamp& stamp) {
  Connection& connection = *state_->connection;
  if (state_->search) WARD_CHECK(state_->search->Finish());
  if (state_->objects_changed) WARD_CHECK(CountAgain());
  if (state_->next_id != 0) {
    WARD_TRY(auto write, connection.Prepared(kWriteNextId));
    WARD_CHECK(write->Bind(1, state_->next_id).Run());
  }
  {
    WARD_TRY(auto update, connection.Prepared(kStamp));
    update->Bind(1, state_->source_id)
        .Bind(2, std::string_view(stamp.database))
        .Bind(3, std::string_view(stamp.engine_version))
        .Bind(4, std::string_view(stamp.fingerprint))
        .BindBlob(5, Encode(stamp.missing))
        .Bind(6, stamp.indexed_at_us)
        .Bind(7, stamp.document_version)
        .BindBlob(8, Encode(stamp.schemas));
    WARD_CHECK(update->Run());
  }
  std::int64_t generation = 0;
  {
    WARD_TRY(auto row, connection.Prepared(kGeneration));
    WARD_TRY(const bool found, row->Bind(1, state_->source_id).Step());
    if (found) generation = row->Int(0);
  }
  WARD_CHECK(state_->transaction.Commit());
  state_->search.reset();
  // The page cache of a large index is not kept by an idle server. Where that fails, nothing is
  // lost but memory: the index is committed.
  (void)connection.database().Execute("PRAGMA shrink_memory");
  return generation;
}

}  // namespace schemaward::store

// Store: opening, sources, and the instance key. store_tables.cc has the questions about tables.
#include "store/store.h"

#include "store/impl.h"
#include "store/name_key.h"
#include "store/record.h"
#include "store/source_row.h"

namespace schemaward::store {
namespace {

constexpr std::string_view kListSources =
    "SELECT id, name, engine, location, secret_ref, database, engine_version, fingerprint,"
    " generation, indexed_at_us, table_count, view_count, missing, schemas FROM source ORDER BY "
    "name";
constexpr std::string_view kDataVersion = "PRAGMA data_version";
constexpr std::string_view kFindSource =
    "SELECT id, name, engine, location, secret_ref, database, engine_version, fingerprint,"
    " generation, indexed_at_us, table_count, view_count, missing, schemas FROM source WHERE "
    "name_key = ?";
constexpr std::string_view kCountSchemas =
    "SELECT schema, tables, views FROM schema_count WHERE source_id = ? ORDER BY schema";
constexpr std::string_view kInstanceKey = "SELECT value FROM meta WHERE key = 'instance_key'";

}  // namespace

Result<Source> SourceOfRow(const sqlite::Statement& row) {
  Source source{.id = row.Int(0),
                .name = std::string(row.Text(1)),
                .engine = std::string(row.Text(2)),
                .location = std::string(row.Text(3)),
                .secret_ref = std::string(row.Text(4)),
                .database = std::string(row.Text(5)),
                .engine_version = std::string(row.Text(6)),
                .fingerprint = std::string(row.Text(7)),
                .generation = row.Int(8),
                .indexed_at_us = row.Int(9),
                .table_count = row.Int(10),
                .view_count = row.Int(11),
                .missing = {},
                .schemas = {}};
  const std::string_view missing = row.Blob(12);
  if (!missing.empty()) {
    WARD_TRY(source.missing, Decode<std::vector<catalog::Missing>>(missing));
  }
  const std::string_view schemas = row.Blob(13);
  if (!schemas.empty()) {
    WARD_TRY(source.schemas, Decode<std::vector<std::string>>(schemas));
  }
  return source;
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::Open(const std::string& path, const StoreOptions& options) {
  return std::unique_ptr<Store>(new Store(std::make_unique<Impl>(path, options)));
}

const std::string& Store::path() const { return impl_->path(); }

Result<std::int64_t> Connection::Version() {
  WARD_TRY(auto row, Prepared(kDataVersion));
  WARD_CHECK(row->Step());
  return row->Int(0);
}

Result<const std::vector<Source>*> Connection::Sources() {
  WARD_TRY(const std::int64_t version, Version());
  if (sources_version_ == version) return &sources_;
  // What changes between the two statements is found by the next call: the version is the older.
  WARD_TRY(auto row, Prepared(kListSources));
  std::vector<Source> sources;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) break;
    WARD_TRY(auto source, SourceOfRow(*row));
    sources.push_back(std::move(source));
  }
  sources_ = std::move(sources);
  sources_version_ = version;
  return &sources_;
}

Result<std::vector<Source>> Store::ListSources() {
  WARD_TRY(auto connection, impl_->Read());
  WARD_TRY(const std::vector<Source>* sources, connection->Sources());
  return *sources;
}

Result<std::optional<Source>> Store::FindSource(std::string_view name) {
  WARD_TRY(auto connection, impl_->Read());
  WARD_TRY(auto row, connection->Prepared(kFindSource));
  WARD_TRY(const bool found, row->Bind(1, std::string_view(NameKey(name))).Step());
  if (!found) return std::optional<Source>();
  WARD_TRY(auto source, SourceOfRow(*row));
  return std::optional<Source>(std::move(source));
}

Result<std::vector<SchemaCount>> Store::CountSchemas(std::int64_t source_id) {
  WARD_TRY(auto connection, impl_->Read());
  WARD_TRY(auto row, connection->Prepared(kCountSchemas));
  row->Bind(1, source_id);
  std::vector<SchemaCount> counts;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return counts;
    counts.push_back({std::string(row->Text(0)), row->Int(1), row->Int(2)});
  }
}

Result<std::string> Store::InstanceKey() {
  if (auto known = impl_->KnownKey(); !known.empty()) return known;
  WARD_TRY(auto connection, impl_->Read());
  WARD_TRY(auto row, connection->Prepared(kInstanceKey));
  WARD_TRY(const bool found, row->Step());
  if (!found) return Error(ErrorKind::StoreUnusable, "the store has lost its instance key");
  std::string key(row->Blob(0));
  impl_->KeepKey(key);
  return key;
}

}  // namespace schemaward::store

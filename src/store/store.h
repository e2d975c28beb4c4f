#pragma once

// The store: one SQLite file that keeps sources, their catalogs as last indexed, and what search
// needs. Its interface speaks of tables and sources, never of SQL, so that a second kind of store
// can stand behind it. docs/formats/store.md has the layout.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"

namespace schemaward::store {

/// A source as the store knows it. Never holds a secret. [R-CLI-4]
struct Source {
  std::int64_t id = 0;
  std::string name;
  std::string engine;
  std::string location;    ///< what the engine opens, without the secret
  std::string secret_ref;  ///< env:NAME, service, passfile, password_command:..., none
  std::string database;    ///< the engine's own name of it
  std::string engine_version;
  std::string fingerprint;
  std::int64_t generation = 0;     ///< grows with each index; 0: never indexed
  std::int64_t indexed_at_us = 0;  ///< microseconds since 1970
  std::int64_t table_count = 0;
  std::int64_t view_count = 0;  ///< views and materialized views; not in table_count
  std::vector<catalog::Missing> missing;
  std::vector<std::string> schemas;  ///< that its last index was told to keep to; empty: all
};

/// A table's name and place. `id` stays the same while the table keeps its name.
struct TableEntry {
  std::int64_t id = 0;
  std::int64_t source_id = 0;
  std::string schema;
  std::string name;
  catalog::TableKind kind = catalog::TableKind::Table;
};

struct SchemaCount {
  std::string schema;
  std::int64_t tables = 0;
  std::int64_t views = 0;
};

/// A declared foreign key between two indexed tables.
struct KeyEdge {
  std::int64_t from_id = 0;  ///< the table that refers
  std::int64_t to_id = 0;    ///< the table referred to
  catalog::ForeignKey key;
  std::string from_schema;
  std::string from_name;
};

struct StoreOptions {
  bool create = false;
  int busy_timeout_ms = 5000;
};

/// Thread: any; each call borrows one of a few read connections, writes take turns. Several
/// processes may hold one store. Errors of every call: StoreLocked, StoreUnusable, DiskFull.
class Store {
 public:
  /// Returns the store in the file at `path`. Nothing is read before the first call, which creates
  /// the file (where `create` says so) or migrates an older one after a backup. Errors: none here;
  /// the first call gives StoreUnusable when there is no file, when it is no store, or when it is
  /// of a newer schema version (both versions named), and the next call tries again.
  static Result<std::unique_ptr<Store>> Open(const std::string& path, const StoreOptions& options);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const std::string& path() const;

  /// All sources, sorted by name.
  Result<std::vector<Source>> ListSources();
  Result<std::optional<Source>> FindSource(std::string_view name);

  /// Per schema of a source, sorted by name.
  Result<std::vector<SchemaCount>> CountSchemas(std::int64_t source_id);

  /// Tables whose name equals `name` but for case, in any of `source_ids` (empty: all), sorted by
  /// source, schema, name. A given `schema` must match but for case too. At most kFindMax.
  static constexpr std::size_t kFindMax = 200;
  Result<std::vector<TableEntry>> FindTables(std::span<const std::int64_t> source_ids,
                                             const std::optional<std::string>& schema,
                                             std::string_view name);

  Result<std::optional<TableEntry>> GetEntry(std::int64_t table_id);
  Result<std::optional<catalog::Table>> GetTable(std::int64_t table_id);

  /// A page of tables in order of source id, schema, name; starts after `after` where it is given.
  Result<std::vector<TableEntry>> ListTables(std::span<const std::int64_t> source_ids,
                                             const std::optional<TableEntry>& after,
                                             std::size_t limit);
  /// Calls `visit` with every table of `source_ids` (empty: all), until it returns false. The entry
  /// lives for the call only.
  Status VisitTables(std::span<const std::int64_t> source_ids,
                     const std::function<bool(const TableEntry&)>& visit);

  /// Declared foreign keys from and to a table, sorted by (from, name).
  Result<std::vector<KeyEdge>> EdgesOf(std::int64_t table_id);
  /// Those that point at the table, in the same order; its keys to itself are among them.
  Result<std::vector<KeyEdge>> EdgesTo(std::int64_t table_id);

  /// 32 random bytes that this store was created with; signs cursors. Never leaves the process.
  Result<std::string> InstanceKey();

  class Impl;
  /// For the files of this module (index writer, search postings).
  Impl& impl() { return *impl_; }

 private:
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace schemaward::store

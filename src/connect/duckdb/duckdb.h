#pragma once

// The DuckDB engine: database files, read-only, by DuckDB's own library, 1.4 and later.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "connect/connector.h"
#include "connect/duckdb/session.h"

namespace schemaward::connect::duckdb {

/// The Connector of one file. It holds nothing open: each call borrows the file from the engine's
/// list. Thread: one at a time.
class FileConnector final : public Connector {
 public:
  /// path: real and absolute. `library` and `instances` are shared with the engine, which may end
  /// first.
  FileConnector(std::string path, std::string name, std::shared_ptr<const Library> library,
                std::shared_ptr<Instances> instances);

  const Capabilities& capabilities() const override;
  const sql::Dialect& dialect() const override;
  Result<catalog::Database> Introspect(const Scope& scope, CallContext& ctx) override;
  Result<std::string> Fingerprint(CallContext& ctx) override;
  Result<QueryResult> Query(const guard::Approved& approved, const QueryLimits& limits,
                            CallContext& ctx) override;
  Result<PlanEstimate> Explain(const guard::Approved& approved, CallContext& ctx) override;
  Status Ping(CallContext& ctx) override;
  bool IsBroken() const override { return is_broken_; }

  /// For tests: runs any text in the state in which queries run.
  Status Attempt(const std::string& sql, CallContext& ctx);
  /// For tests: statements that were prepared so far.
  std::int64_t statements() const { return statements_; }

 private:
  template <class T, class Work>
  Result<T> With(Joins joins, std::chrono::milliseconds time_max, CallContext& ctx, Work work);

  const std::string path_;
  const std::string name_;
  const std::shared_ptr<const Library> library_;
  const std::shared_ptr<Instances> instances_;
  std::int64_t statements_ = 0;
  bool is_broken_ = false;
};

/// Thread: any.
class DuckdbEngine final : public Engine {
 public:
  std::string_view name() const override { return "duckdb"; }
  Result<std::unique_ptr<Connector>> Open(const Target& target, CallContext& ctx) override;

  /// The files that are open, for tests.
  Instances& instances() { return *instances_; }

 private:
  Result<std::shared_ptr<const Library>> LibraryOf(const Target& target);

  const std::shared_ptr<Instances> instances_ = std::make_shared<Instances>();
  Mutex mutex_;
  std::shared_ptr<const Library> library_ GUARDED_BY(mutex_);  // once it was found
};

/// Returns the engine.
std::unique_ptr<Engine> MakeEngine();

}  // namespace schemaward::connect::duckdb

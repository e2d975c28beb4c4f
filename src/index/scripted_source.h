#pragma once

// For tests: a source whose catalog the test holds and changes, and which fails when told to.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "connect/connector.h"

namespace schemaward::index {

/// Thread: any.
class ScriptedSource {
 public:
  void Set(catalog::Database database) {
    const MutexLock lock(mutex_);
    database_ = std::move(database);
  }
  catalog::Database Get() const {
    const MutexLock lock(mutex_);
    return database_;
  }
  /// Every later call fails with `error`; none: they work again.
  void Fail(std::optional<Error> error) {
    const MutexLock lock(mutex_);
    error_ = std::move(error);
  }
  std::optional<Error> failure() const {
    const MutexLock lock(mutex_);
    return error_;
  }
  /// The same for Query alone.
  void FailQueries(std::optional<Error> error) {
    const MutexLock lock(mutex_);
    query_error_ = std::move(error);
  }
  std::optional<Error> query_failure() const {
    const MutexLock lock(mutex_);
    return query_error_;
  }
  /// While set, Fingerprint and Introspect wait for the stop token.
  std::atomic<bool> hangs = false;
  std::atomic<int> opens = 0;
  std::atomic<int> fingerprints = 0;
  std::atomic<int> introspections = 0;

  /// The statements that were asked, in order.
  std::vector<std::string> asked() const {
    const MutexLock lock(mutex_);
    return asked_;
  }
  void Record(const std::string& text) {
    const MutexLock lock(mutex_);
    asked_.push_back(text);
  }

 private:
  mutable Mutex mutex_;
  catalog::Database database_ GUARDED_BY(mutex_);
  std::optional<Error> error_ GUARDED_BY(mutex_);
  std::optional<Error> query_error_ GUARDED_BY(mutex_);
  std::vector<std::string> asked_ GUARDED_BY(mutex_);
};

/// Answers each query with two rows of as many cells as it has columns: "v" and null.
class ScriptedConnector final : public connect::Connector {
 public:
  explicit ScriptedConnector(ScriptedSource& source) : source_(source) { ++source_.opens; }
  const connect::Capabilities& capabilities() const override { return capabilities_; }
  const sql::Dialect& dialect() const override { return sql::Sqlite(); }
  Result<catalog::Database> Introspect(const connect::Scope& /*scope*/, CallContext& ctx) override {
    ++source_.introspections;
    WARD_CHECK(Answer(ctx));
    return source_.Get();
  }
  Result<std::string> Fingerprint(CallContext& ctx) override {
    ++source_.fingerprints;
    WARD_CHECK(Answer(ctx));
    return source_.Get().fingerprint;
  }
  Result<connect::QueryResult> Query(const guard::Approved& approved,
                                     const connect::QueryLimits& /*limits*/,
                                     CallContext& ctx) override {
    source_.Record(approved.text());
    if (auto error = source_.query_failure()) return *std::move(error);
    WARD_CHECK(Answer(ctx));
    connect::QueryResult result;
    for (const std::string& column : approved.reads().at(0).columns)
      result.columns.push_back({column, ""});
    result.rows.assign(2, std::vector<connect::Cell>(result.columns.size()));
    for (auto& cell : result.rows[0]) cell = std::string("v");
    return result;
  }
  Result<connect::PlanEstimate> Explain(const guard::Approved& /*approved*/,
                                        CallContext& /*ctx*/) override {
    return connect::PlanEstimate{};
  }
  Status Ping(CallContext& ctx) override { return Answer(ctx); }
  bool IsBroken() const override { return false; }

 private:
  Status Answer(CallContext& ctx) {
    while (source_.hangs && !ctx.stop.stop_requested()) std::this_thread::yield();
    WARD_CHECK(ctx.Check());
    if (auto error = source_.failure()) return *std::move(error);
    return Ok();
  }

  ScriptedSource& source_;
  connect::Capabilities capabilities_{.runs_queries = true};
};

}  // namespace schemaward::index

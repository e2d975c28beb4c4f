#pragma once

// The Connector of one database file. Each call looks at the file afresh, so that a file that was
// replaced, a writer that came or went, and another caller's state cannot matter. A query uses a
// handle that an earlier one left, where the file is still what it was.

#include <chrono>
#include <memory>
#include <string>

#include "connect/connector.h"
#include "connect/sqlite/kept_handles.h"
#include "connect/sqlite/session.h"

namespace schemaward::connect::sqlite_engine {

/// Thread: one at a time.
class FileConnector final : public Connector {
 public:
  /// `kept` is shared with the engine, which may end first.
  FileConnector(std::string path, std::shared_ptr<KeptHandles> kept)
      : path_(std::move(path)), kept_(std::move(kept)) {}

  const Capabilities& capabilities() const override;
  const sql::Dialect& dialect() const override;
  Result<catalog::Database> Introspect(const Scope& scope, CallContext& ctx) override;
  Result<std::string> Fingerprint(CallContext& ctx) override;
  Result<QueryResult> Query(const guard::Approved& approved, const QueryLimits& limits,
                            CallContext& ctx) override;
  Result<PlanEstimate> Explain(const guard::Approved& approved, CallContext& ctx) override;
  Status Ping(CallContext& ctx) override;
  bool IsBroken() const override { return is_broken_; }

  const std::string& path() const { return path_; }
  /// Statements that were prepared so far, for tests.
  std::int64_t statements() const { return statements_; }
  /// Sessions that opened the file anew, for tests.
  std::int64_t opened() const { return opened_; }

 private:
  Result<Session> Begin(Mode mode, std::chrono::milliseconds time_max, CallContext& ctx);
  // Begins a session, hands it to `work`, and does so once more where the file was written while it
  // was read as immutable.
  template <class T, class Work>
  Result<T> With(Mode mode, std::chrono::milliseconds time_max, CallContext& ctx, Work work);

  const std::string path_;
  const std::shared_ptr<KeptHandles> kept_;
  std::int64_t statements_ = 0;
  std::int64_t opened_ = 0;
  bool is_broken_ = false;
};

}  // namespace schemaward::connect::sqlite_engine

#pragma once

// An engine without a database: serves a given catalog and scripted rows, and fails or blocks when
// told. For tests of what stands on connect/; shipped beside what it fakes.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "connect/connector.h"

namespace schemaward::connect {

enum class FakeCall : std::uint8_t { Open, Introspect, Fingerprint, Query, Explain, Ping };
inline constexpr std::size_t kFakeCalls = 6;

/// What the fake answers, shared by all its sessions. Thread: any.
class FakeSource {
 public:
  explicit FakeSource(catalog::Database database);

  /// Replaces the catalog, as DDL would.
  void SetDatabase(catalog::Database database);
  /// The rows of the next Query that has none yet; without any, a query answers no rows.
  void AddResult(QueryResult result);
  /// The nth call of this kind from now on (1 is the next) fails. SourceUnreachable also breaks its
  /// session.
  void FailNth(FakeCall call, int nth, Error error);
  /// The nth call from now on waits until it is cancelled, its deadline passes, or Release.
  void BlockNth(FakeCall call, int nth);
  /// Lets every blocked call go on.
  void Release();
  /// Breaks every session that is open now, as a restart of the server would.
  void EndSessions();

  int calls(FakeCall call) const;
  /// Calls that wait in BlockNth.
  int blocked() const;
  int open_sessions() const;
  /// Texts of the statements that ran, in order; at most the last kTextsMax.
  std::vector<std::string> texts() const;
  static constexpr std::size_t kTextsMax = 1'000;

 private:
  friend class FakeEngine;
  friend class FakeConnector;
  // Counts a call; then blocks or fails as told.
  Status Enter(FakeCall call, CallContext& ctx);
  std::optional<Error> Planned(FakeCall call, int count) REQUIRES(mutex_);

  mutable Mutex mutex_;
  CondVar wake_;
  catalog::Database database_ GUARDED_BY(mutex_);
  std::deque<QueryResult> results_ GUARDED_BY(mutex_);
  std::array<int, kFakeCalls> counts_ GUARDED_BY(mutex_){};
  std::map<std::pair<FakeCall, int>, Error> failures_ GUARDED_BY(mutex_);
  std::map<std::pair<FakeCall, int>, bool> blocks_
      GUARDED_BY(mutex_);  // to whether it was released
  int blocked_ GUARDED_BY(mutex_) = 0;
  int open_ GUARDED_BY(mutex_) = 0;
  int epoch_ GUARDED_BY(mutex_) = 0;  // grows with EndSessions
  std::vector<std::string> texts_ GUARDED_BY(mutex_);
};

/// Thread: any.
class FakeEngine final : public Engine {
 public:
  explicit FakeEngine(std::shared_ptr<FakeSource> source, std::string name = "fake")
      : source_(std::move(source)), name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  Result<std::unique_ptr<Connector>> Open(const Target& target, CallContext& ctx) override;

 private:
  std::shared_ptr<FakeSource> source_;  // shared with the test that scripts it
  std::string name_;
};

}  // namespace schemaward::connect

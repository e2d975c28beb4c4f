#include "connect/fake/fake_engine.h"

#include <algorithm>
#include <utility>

namespace schemaward::connect {
namespace {

constexpr Capabilities kCapabilities{
    .runs_queries = true, .has_schemas = true, .cancels_in_engine = true, .explains_cost = true};

}  // namespace

class FakeConnector final : public Connector {
 public:
  FakeConnector(std::shared_ptr<FakeSource> source, int epoch)
      : source_(std::move(source)), epoch_(epoch) {}
  ~FakeConnector() override {
    MutexLock lock(source_->mutex_);
    --source_->open_;
  }

  const Capabilities& capabilities() const override { return kCapabilities; }
  const sql::Dialect& dialect() const override { return sql::Postgres(); }

  Result<catalog::Database> Introspect(const Scope& scope, CallContext& ctx) override {
    WARD_CHECK(Enter(FakeCall::Introspect, ctx));
    MutexLock lock(source_->mutex_);
    catalog::Database database = source_->database_;
    std::erase_if(database.tables, [&](const catalog::Table& table) {
      return !scope.schemas.empty() && std::find(scope.schemas.begin(), scope.schemas.end(),
                                                 table.schema) == scope.schemas.end();
    });
    return database;
  }

  Result<std::string> Fingerprint(CallContext& ctx) override {
    WARD_CHECK(Enter(FakeCall::Fingerprint, ctx));
    MutexLock lock(source_->mutex_);
    return source_->database_.fingerprint;
  }

  Result<QueryResult> Query(const guard::Approved& approved, const QueryLimits& limits,
                            CallContext& ctx) override {
    WARD_CHECK(Enter(FakeCall::Query, ctx));
    MutexLock lock(source_->mutex_);
    if (source_->texts_.size() < FakeSource::kTextsMax) source_->texts_.push_back(approved.text());
    if (source_->results_.empty()) return QueryResult();
    QueryResult result = std::move(source_->results_.front());
    source_->results_.pop_front();
    if (std::cmp_greater(result.rows.size(), limits.rows_max)) {
      result.rows.resize(static_cast<std::size_t>(limits.rows_max));
      result.truncated = true;
    }
    return result;
  }

  Result<PlanEstimate> Explain(const guard::Approved& /*approved*/, CallContext& ctx) override {
    WARD_CHECK(Enter(FakeCall::Explain, ctx));
    return PlanEstimate{.cost = 1, .rows = 1, .text = "fake plan"};
  }

  Status Ping(CallContext& ctx) override { return Enter(FakeCall::Ping, ctx); }

  bool IsBroken() const override {
    if (is_lost_) return true;
    MutexLock lock(source_->mutex_);
    return epoch_ != source_->epoch_;
  }

 private:
  Status Enter(FakeCall call, CallContext& ctx) {
    Status entered = source_->Enter(call, ctx);
    if (entered && IsBroken())
      entered = Error(ErrorKind::SourceUnreachable, "the session was ended");
    if (!entered && entered.error().kind() == ErrorKind::SourceUnreachable) is_lost_ = true;
    return entered;
  }

  std::shared_ptr<FakeSource> source_;  // outlives its sessions
  const int epoch_;
  bool is_lost_ = false;
};

FakeSource::FakeSource(catalog::Database database) : database_(std::move(database)) {}

void FakeSource::SetDatabase(catalog::Database database) {
  MutexLock lock(mutex_);
  database_ = std::move(database);
}

void FakeSource::AddResult(QueryResult result) {
  MutexLock lock(mutex_);
  results_.push_back(std::move(result));
}

void FakeSource::FailNth(FakeCall call, int nth, Error error) {
  MutexLock lock(mutex_);
  failures_.insert_or_assign({call, counts_[static_cast<std::size_t>(call)] + nth},
                             std::move(error));
}

void FakeSource::BlockNth(FakeCall call, int nth) {
  MutexLock lock(mutex_);
  blocks_[{call, counts_[static_cast<std::size_t>(call)] + nth}] = false;
}

void FakeSource::Release() {
  MutexLock lock(mutex_);
  for (auto& [call, released] : blocks_) released = true;
  wake_.notify_all();
}

void FakeSource::EndSessions() {
  MutexLock lock(mutex_);
  ++epoch_;
}

int FakeSource::calls(FakeCall call) const {
  MutexLock lock(mutex_);
  return counts_[static_cast<std::size_t>(call)];
}

int FakeSource::blocked() const {
  MutexLock lock(mutex_);
  return blocked_;
}

int FakeSource::open_sessions() const {
  MutexLock lock(mutex_);
  return open_;
}

std::vector<std::string> FakeSource::texts() const {
  MutexLock lock(mutex_);
  return texts_;
}

std::optional<Error> FakeSource::Planned(FakeCall call, int count) {
  const auto failure = failures_.find({call, count});
  if (failure == failures_.end()) return std::nullopt;
  return failure->second;
}

Status FakeSource::Enter(FakeCall call, CallContext& ctx) {
  // A block without a deadline ends with Release or a stop; a test's own time limit stands behind
  // both.
  constexpr std::chrono::milliseconds kBlockMax{60'000};
  WARD_CHECK(ctx.Check());
  MutexLock lock(mutex_);
  const int count = ++counts_[static_cast<std::size_t>(call)];
  if (const auto block = blocks_.find({call, count}); block != blocks_.end()) {
    ++blocked_;
    const auto until = std::chrono::steady_clock::now() + ctx.deadline.Left(ctx.clock, kBlockMax);
    const bool released =
        wake_.wait_until(mutex_, ctx.stop, until, [&block] { return block->second; });
    --blocked_;
    WARD_CHECK(ctx.Check());
    if (!released) return Error(ErrorKind::DeadlineExceeded, "the call ran out of time");
  }
  if (auto error = Planned(call, count)) return *std::move(error);
  return Ok();
}

Result<std::unique_ptr<Connector>> FakeEngine::Open(const Target& /*target*/, CallContext& ctx) {
  WARD_CHECK(source_->Enter(FakeCall::Open, ctx));
  MutexLock lock(source_->mutex_);
  ++source_->open_;
  return std::unique_ptr<Connector>(std::make_unique<FakeConnector>(source_, source_->epoch_));
}

}  // namespace schemaward::connect

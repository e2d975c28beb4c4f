#include "explore/run_store.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace schemaward::explore {
namespace {

using View = std::string_view;

constexpr std::size_t kIdShown = 40;  // bytes of an id that is none

// Budgets are columns with their limits beside them: no writer can charge more than there is.
constexpr std::string_view kSchema = R"(
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS run(
  id TEXT PRIMARY KEY, status TEXT NOT NULL, principal TEXT NOT NULL, source TEXT NOT NULL,
  owner TEXT NOT NULL, attempt INTEGER NOT NULL,
  started_us INTEGER NOT NULL, updated_us INTEGER NOT NULL,
  steps INTEGER NOT NULL DEFAULT 0, steps_max INTEGER NOT NULL,
  lookups_used INTEGER NOT NULL DEFAULT 0, lookups_max INTEGER NOT NULL,
  searches_used INTEGER NOT NULL DEFAULT 0, searches_max INTEGER NOT NULL,
  body TEXT NOT NULL, progress TEXT NOT NULL,
  CHECK(steps <= steps_max), CHECK(lookups_used <= lookups_max),
  CHECK(searches_used <= searches_max)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS step(
  run_id TEXT NOT NULL, number INTEGER NOT NULL, attempt INTEGER NOT NULL, at_us INTEGER NOT NULL,
  body TEXT NOT NULL, PRIMARY KEY(run_id, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claim(
  run_id TEXT NOT NULL, number INTEGER NOT NULL, at_us INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY(run_id, number)) WITHOUT ROWID;
PRAGMA user_version = 1;
)";
constexpr std::string_view kColumns =
    "SELECT id, status, principal, source, owner, attempt, started_us, updated_us, steps, "
    "lookups_used, searches_used, body, progress FROM run ";

// Steps go first: a run without steps says what it is, steps without a run say nothing.
constexpr std::string_view kForgetOld = R"(
CREATE TEMP TABLE IF NOT EXISTS old_run(id TEXT PRIMARY KEY);
DELETE FROM old_run;
INSERT INTO old_run SELECT id FROM (
  SELECT id, status FROM run ORDER BY started_us DESC, id LIMIT -1 OFFSET {}) WHERE status <> 'running';
DELETE FROM step WHERE run_id IN (SELECT id FROM old_run);
DELETE FROM claim WHERE run_id IN (SELECT id FROM old_run);
DELETE FROM run WHERE id IN (SELECT id FROM old_run);
)";

std::string NewId() {
  constexpr std::size_t kIdBytes = 8;
  std::array<unsigned char, kIdBytes> bytes{};
  std::string id = "run_";
  // getrandom gives up to 256 bytes whole, once the machine has started.
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  for (const unsigned char byte : bytes) id += fmt::format("{:02x}", byte);
  return id;
}

// A process by its number and when it began, so that a number given anew is not taken for it.
std::string ProcessName(const std::string& pid) {
  std::ifstream in("/proc/" + pid + "/stat");
  std::string line;
  if (!std::getline(in, line)) return {};
  // After the name in parentheses come state and 18 numbers, then the start.
  constexpr int kFieldsBefore = 19;
  std::size_t at = line.rfind(')');
  for (int i = 0; i <= kFieldsBefore && at != std::string::npos; ++i) at = line.find(' ', at + 1);
  if (at == std::string::npos) return {};
  return pid + ":" + line.substr(at + 1, line.find(' ', at + 1) - at - 1);
}

std::string ThisProcess() { return ProcessName(fmt::format("{}", ::getpid())); }

bool IsAlive(const std::string& owner) {
  return !owner.empty() && ProcessName(owner.substr(0, owner.find(':'))) == owner;
}

Status MakeFile(const std::string& path) {
  constexpr mode_t kPrivate = S_IRUSR | S_IWUSR;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): open(2) is what it is
  const int file = ::open(path.c_str(), O_CREAT | O_CLOEXEC | O_RDWR, kPrivate);
  if (file < 0) return Error(ErrorKind::StoreUnusable, "the file of runs cannot be made");
  ::close(file);
  return Ok();
}

std::int64_t CallsOf(const Budget& budget) { return budget.is_on ? budget.calls_max : 0; }

}  // namespace

Error NoSuchRun(const std::string& id) {
  return Error(ErrorKind::UnknownRun, fmt::format("there is no run {}", id.substr(0, kIdShown)));
}

std::string RunsPath(const std::string& store_path) { return store_path + ".runs"; }

RunStore::RunStore(std::string path, const Clock& clock, std::int64_t kept_max)
    : path_(std::move(path)), clock_(clock), kept_max_(kept_max) {}

Result<sqlite::Database*> RunStore::Opened(bool create) {
  if (database_) return &*database_;
  if (!create && !std::filesystem::exists(path_)) return nullptr;
  WARD_CHECK(MakeFile(path_));
  WARD_TRY(auto database, sqlite::Database::Open(path_, {.create = true}));
  WARD_CHECK(database.Execute(kSchema));
  database_.emplace(std::move(database));
  return &*database_;
}

Status RunStore::Create(RunRecord& run) {
  const MutexLock lock(mutex_);
  WARD_TRY(sqlite::Database * database, Opened(true));
  if (run.id.empty()) run.id = NewId();
  if (run.id.empty()) return Error(ErrorKind::Internal, "no random bytes for the id of a run");
  run.status = "running";
  run.started_us = run.updated_us = clock_.UnixMicros();
  WARD_TRY(auto insert,
           database->Prepare("INSERT INTO run(id, status, principal, source, owner, attempt, "
                             "started_us, updated_us, steps_max, lookups_max, searches_max, body, "
                             "progress) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  const std::string owner = run.driver == Driver::Model ? ThisProcess() : std::string();
  const std::string body = BodyOf(run);
  insert.Bind(1, View(run.id))
      .Bind(2, View(run.status))
      .Bind(3, View(run.principal))
      .Bind(4, View(run.source));
  insert.Bind(5, View(owner));
  insert.Bind(6, run.attempt).Bind(7, run.started_us).Bind(8, run.updated_us);
  insert.Bind(9, run.limits.steps_max).Bind(10, CallsOf(run.limits.lookups));
  insert.Bind(11, CallsOf(run.limits.searches)).Bind(12, View(body));
  const std::string progress = ProgressOf(run);
  insert.Bind(13, View(progress));
  WARD_CHECK(insert.Run());
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(*database));
  WARD_CHECK(database->Execute(fmt::format(kForgetOld, kept_max_)));
  return transaction.Commit();
}

Result<std::vector<RunRecord>> RunStore::Read(std::string_view where, const std::string& value,
                                              std::size_t limit) {
  std::vector<RunRecord> runs;
  WARD_TRY(sqlite::Database * database, Opened(false));
  if (database == nullptr) return runs;
  WARD_TRY(auto select, database->Prepare(std::string(kColumns) + std::string(where)));
  if (!value.empty()) select.Bind(1, View(value));
  while (runs.size() < limit) {
    WARD_TRY(const bool more, select.Step());
    if (!more) break;
    RunRecord run;
    run.id = select.Text(0);
    run.status = select.Text(1);
    run.principal = select.Text(2);
    run.source = select.Text(3);
    const std::string owner(select.Text(4));
    run.attempt = select.Int(5);
    run.started_us = select.Int(6);
    run.updated_us = select.Int(7);
    run.steps = select.Int(8);
    run.lookups_used = select.Int(9);
    run.searches_used = select.Int(10);
    WARD_CHECK(ReadBody(select.Text(11), run));
    WARD_CHECK(ReadProgress(select.Text(12), run));
    if (run.status == "running" && run.driver == Driver::Model && !IsAlive(owner))
      run.status = "interrupted";
    runs.push_back(std::move(run));
  }
  return runs;
}

Result<std::optional<RunRecord>> RunStore::Find(const std::string& id) {
  if (id.empty()) return std::optional<RunRecord>();
  const MutexLock lock(mutex_);
  WARD_TRY(auto runs, Read("WHERE id = ?", id, 1));
  if (runs.empty()) return std::optional<RunRecord>();
  return std::optional<RunRecord>(std::move(runs.front()));
}

Result<std::vector<RunRecord>> RunStore::List(std::size_t limit) {
  const MutexLock lock(mutex_);
  return Read("ORDER BY started_us DESC, id", "", limit);
}

Result<std::vector<Step>> RunStore::Steps(const std::string& id) {
  const MutexLock lock(mutex_);
  std::vector<Step> steps;
  WARD_TRY(sqlite::Database * database, Opened(false));
  if (database == nullptr) return steps;
  WARD_TRY(auto select,
           database->Prepare("SELECT body FROM step WHERE run_id = ? ORDER BY number"));
  select.Bind(1, View(id));
  while (true) {
    WARD_TRY(const bool more, select.Step());
    if (!more) return steps;
    WARD_TRY(auto step, StepFromJson(select.Text(0)));
    steps.push_back(std::move(step));
  }
}

Result<bool> RunStore::Append(RunRecord& run, const Step& step) {
  const MutexLock lock(mutex_);
  WARD_TRY(sqlite::Database * database, Opened(true));
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(*database));
  const std::int64_t lookups = step.is_charged && step.kind == StepKind::Lookup ? 1 : 0;
  const std::int64_t searches = step.is_charged && step.kind == StepKind::Search ? 1 : 0;
  const std::int64_t now = clock_.UnixMicros();
  WARD_TRY(auto charge,
           database->Prepare(
               "UPDATE run SET steps = steps + 1, lookups_used = lookups_used + ?1, searches_used "
               "= searches_used + ?2, updated_us = ?3, progress = ?7 WHERE id = ?4 AND attempt = "
               "?5 AND steps = "
               "?6 AND status = 'running' AND steps < steps_max AND lookups_used + ?1 <= "
               "lookups_max AND searches_used + ?2 <= searches_max"));
  charge.Bind(1, lookups).Bind(2, searches).Bind(3, now).Bind(4, View(run.id));
  charge.Bind(5, run.attempt).Bind(6, run.steps);
  const Counters before = run.counters;
  Count(step, run.counters);
  const std::string progress = ProgressOf(run);
  run.counters = before;
  charge.Bind(7, View(progress));
  WARD_CHECK(charge.Run());
  if (database->Changes() != 1) return false;
  WARD_TRY(auto insert, database->Prepare("INSERT INTO step(run_id, number, attempt, at_us, body) "
                                          "VALUES(?, ?, ?, ?, ?)"));
  insert.Bind(1, View(run.id)).Bind(2, step.number).Bind(3, run.attempt).Bind(4, now);
  const std::string body = StepToJson(step);
  insert.Bind(5, View(body));
  WARD_CHECK(insert.Run());
  WARD_CHECK(transaction.Commit());
  ++run.steps;
  Count(step, run.counters);
  run.lookups_used += lookups;
  run.searches_used += searches;
  run.updated_us = now;
  return true;
}

Result<bool> RunStore::Save(RunRecord& run) {
  const MutexLock lock(mutex_);
  WARD_TRY(sqlite::Database * database, Opened(true));
  run.updated_us = clock_.UnixMicros();
  const std::string body = BodyOf(run);
  WARD_TRY(auto update, database->Prepare("UPDATE run SET status = iif(status = 'cancelled', "
                                          "status, ?), updated_us = ?, body = ?, progress = ?, "
                                          "steps_max = ? WHERE id = ? AND attempt = ?"));
  update.Bind(1, View(run.status)).Bind(2, run.updated_us).Bind(3, View(body));
  const std::string progress = ProgressOf(run);
  update.Bind(4, View(progress)).Bind(5, run.limits.steps_max);
  update.Bind(6, View(run.id)).Bind(7, run.attempt);
  WARD_CHECK(update.Run());
  return database->Changes() == 1;
}

Result<RunRecord> RunStore::TakeOver(const std::string& id) {
  const MutexLock lock(mutex_);
  WARD_TRY(auto runs, Read("WHERE id = ?", id, 1));
  if (id.empty() || runs.empty()) return NoSuchRun(id);
  RunRecord run = std::move(runs.front());
  const bool is_over = run.status == "completed" || run.status == "cancelled";
  if (run.driver == Driver::Agent || is_over || run.status == "running")
    return Error(ErrorKind::InvalidArgument,
                 fmt::format("run {} is {} and cannot be resumed", run.id,
                             run.driver == Driver::Agent ? "an agent's" : run.status));
  WARD_TRY(sqlite::Database * database, Opened(true));
  WARD_TRY(auto update,
           database->Prepare("UPDATE run SET status = 'running', owner = ?, attempt = attempt + 1, "
                             "updated_us = ? WHERE id = ? AND attempt = ?"));
  run.updated_us = clock_.UnixMicros();
  const std::string owner = ThisProcess();
  update.Bind(1, View(owner)).Bind(2, run.updated_us).Bind(3, View(id)).Bind(4, run.attempt);
  WARD_CHECK(update.Run());
  if (database->Changes() != 1)
    return Error(ErrorKind::StoreLocked, fmt::format("run {} is being resumed elsewhere", id));
  ++run.attempt;
  run.status = "running";
  run.error_kind.clear();
  run.error_text.clear();
  return run;
}

Result<bool> RunStore::InsertClaim(sqlite::Database& database, const std::string& id,
                                   const std::string& claim) {
  WARD_TRY(auto insert,
           database.Prepare("INSERT INTO claim(run_id, number, at_us, body) SELECT ?1, count(*) + "
                            "1, ?2, ?3 FROM claim WHERE run_id = ?1 HAVING count(*) < ?4"));
  insert.Bind(1, View(id)).Bind(2, clock_.UnixMicros()).Bind(3, View(claim)).Bind(4, kClaimsMax);
  WARD_CHECK(insert.Run());
  return database.Changes() == 1;
}

Result<bool> RunStore::AddClaim(const std::string& id, const std::string& claim) {
  const MutexLock lock(mutex_);
  WARD_TRY(sqlite::Database * database, Opened(true));
  return InsertClaim(*database, id, claim);
}

Result<bool> RunStore::AddEndingClaim(RunRecord& run, const std::string& claim) {
  const MutexLock lock(mutex_);
  WARD_TRY(sqlite::Database * database, Opened(true));
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(*database));
  WARD_TRY(const bool is_kept, InsertClaim(*database, run.id, claim));
  if (!is_kept) return false;
  ++run.claims_checked;
  const std::string progress = ProgressOf(run);
  --run.claims_checked;
  WARD_TRY(auto update,
           database->Prepare("UPDATE run SET progress = ? WHERE id = ? AND attempt = ?"));
  update.Bind(1, View(progress)).Bind(2, View(run.id)).Bind(3, run.attempt);
  WARD_CHECK(update.Run());
  if (database->Changes() != 1) return false;
  WARD_CHECK(transaction.Commit());
  ++run.claims_checked;
  return true;
}

Result<std::vector<std::string>> RunStore::Claims(const std::string& id) {
  const MutexLock lock(mutex_);
  std::vector<std::string> claims;
  WARD_TRY(sqlite::Database * database, Opened(false));
  if (database == nullptr) return claims;
  WARD_TRY(auto select,
           database->Prepare("SELECT body FROM claim WHERE run_id = ? ORDER BY number"));
  select.Bind(1, View(id));
  while (true) {
    WARD_TRY(const bool more, select.Step());
    if (!more) return claims;
    claims.emplace_back(select.Text(0));
  }
}

Result<bool> RunStore::Cancel(const std::string& id) {
  const MutexLock lock(mutex_);
  WARD_TRY(sqlite::Database * database, Opened(false));
  if (database == nullptr) return false;
  WARD_TRY(auto update, database->Prepare("UPDATE run SET status = 'cancelled', updated_us = ? "
                                          "WHERE id = ? AND status NOT IN ('completed', "
                                          "'cancelled', 'failed')"));
  update.Bind(1, clock_.UnixMicros()).Bind(2, View(id));
  WARD_CHECK(update.Run());
  return database->Changes() == 1;
}

}  // namespace schemaward::explore

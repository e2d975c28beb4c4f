// Two copies of the data that differ in blocked columns alone must answer every approved statement
// alike: the same rows in the same order, or the same failure. Statements are made at random,
// judged by the guard, and run on both copies in a real engine.
//
// usage: guard_oracle ENGINE EXECUTIONS SEED [--a URI --b URI] [--blind]
//        guard_oracle script ENGINE a|b      prints the statements that make a copy
// ENGINE: sqlite | duckdb (library in SCHEMAWARD_DUCKDB) | postgres | granted | mysql. The last
// three are given two databases, empty but for mysql, whose copies are made by `script`. granted:
// PostgreSQL as a role that may read the columns that are not blocked and call the guard's
// functions alone; a statement that is approved and that the engine then denies is a finding.
// Prints each finding and one line of counts; exit 1 where there is one.
// --blind: the policy lets contact data through, which the oracle must see: it shows that it can
// fail.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "guard/guard.h"
#include "oracle/maker.h"
#include "oracle/sides.h"

namespace schemaward::oracle {

Answer AnswerOf(const Error& error) {
  using What = Answer::What;
  if (error.kind() == ErrorKind::PermissionDenied) return {What::Denied, error.private_detail()};
  const bool is_limit = error.kind() == ErrorKind::StatementTimeout ||
                        error.kind() == ErrorKind::DeadlineExceeded ||
                        error.kind() == ErrorKind::DiskFull;
  if (is_limit) return {What::Stopped, ""};
  return {What::Failed, std::to_string(static_cast<int>(error.kind()))};
}

namespace {

constexpr std::size_t kBatch = 64;  // statements that go to a copy at once
constexpr std::uint64_t kFindingsMax = 20;
constexpr int kTries = 10;

struct Flags {
  std::string engine, a, b;
  std::uint64_t executions = 0, seed = 0;
  bool is_blind = false;
};

struct Counts {
  std::uint64_t made = 0, approved = 0, ran = 0, failed = 0, stopped = 0, unstable = 0,
                findings = 0;
};

std::optional<Engine> EngineOf(std::string_view name) {
  static const std::map<std::string_view, Engine> engines = {{"sqlite", Engine::Sqlite},
                                                             {"duckdb", Engine::DuckDb},
                                                             {"postgres", Engine::Postgres},
                                                             {"granted", Engine::Postgres},
                                                             {"mysql", Engine::MySql}};
  const auto found = engines.find(name);
  return found == engines.end() ? std::nullopt : std::optional(found->second);
}

const sql::Dialect& DialectOf(Engine engine) {
  switch (engine) {
    case Engine::Postgres:
      return sql::Postgres();
    case Engine::MySql:
      return sql::MySql();
    case Engine::DuckDb:
      return sql::DuckDb();
    case Engine::Sqlite:
      break;
  }
  return sql::Sqlite();
}

Result<std::unique_ptr<Sides>> OpenSides(const Flags& flags, CallContext& ctx) {
  switch (*EngineOf(flags.engine)) {
    case Engine::Postgres:
      return OpenPostgres(flags.a, flags.b, flags.engine == "granted", ctx);
    case Engine::MySql:
      return OpenMySql(flags.a, flags.b, ctx);
    case Engine::DuckDb: {
      const char* library = std::getenv("SCHEMAWARD_DUCKDB");  // NOLINT(concurrency-mt-unsafe)
      return OpenDuckDb(library == nullptr ? "" : library, ctx);
    }
    case Engine::Sqlite:
      break;
  }
  return OpenSqlite();
}

privacy::Policy PolicyOf(const Flags& flags) {
  privacy::PolicyData data;
  if (flags.is_blind)
    data.first.categories[static_cast<std::size_t>(privacy::Category::Contact)] = privacy::kAllow;
  return privacy::Policy(data);
}

/// Makes, judges and runs. Thread: owner.
class Run {
 public:
  Run(const Flags& flags, Sides& sides)
      : flags_(flags),
        sides_(sides),
        dialect_(DialectOf(*EngineOf(flags.engine))),
        lookup_(sides.tables()),
        guard_(PolicyOf(flags)),
        maker_(*EngineOf(flags.engine), flags.seed, Relations(flags.engine != "granted")) {}

  Status All() {
    const std::uint64_t findings_max = flags_.is_blind ? 1 : kFindingsMax;
    while (counts.approved < flags_.executions && counts.findings < findings_max) {
      MakeBatch();
      WARD_TRY(const std::vector<Answer> a, sides_.Run(Copy::A, batch_));
      WARD_TRY(const std::vector<Answer> b, sides_.Run(Copy::B, batch_));
      for (std::size_t i = 0; i < batch_.size(); ++i) WARD_CHECK(Compare(i, a[i], b[i]));
    }
    return Ok();
  }

  Counts counts;

 private:
  void MakeBatch() {
    batch_.clear();
    texts_.clear();
    while (batch_.size() < kBatch && counts.approved < flags_.executions) {
      ++counts.made;
      std::string text = maker_.Statement();
      auto judged = guard_.ApproveText({text, {}}, dialect_, lookup_, {}, nullptr);
      if (!judged) {
        if (judged.error().kind() == ErrorKind::Internal) Report(text, "", "not printed well");
        continue;
      }
      ++counts.approved;
      texts_.push_back(std::move(text));
      batch_.push_back(*std::move(judged));
    }
  }

  Status Compare(std::size_t i, const Answer& a, const Answer& b) {
    using What = Answer::What;
    const std::string& printed = batch_[i].text();
    if (a.what == What::Denied || b.what == What::Denied) {
      Report(texts_[i], printed, "denied: " + a.text + b.text);
    } else if (a.what == What::Stopped || b.what == What::Stopped) {
      ++counts.stopped;
    } else if (!(a == b)) {
      WARD_TRY(const bool is_unstable, IsUnstable(i, a, b));
      if (is_unstable)
        ++counts.unstable;
      else
        Report(texts_[i], printed, "differ");
    } else if (a.what == What::Failed) {
      ++counts.failed;
    } else {
      ++counts.ran;
    }
    return Ok();
  }

  // Some statements have no one answer (groups without an order on several threads): they are told
  // by a copy that gives, in a few tries, what the other gave.
  Result<bool> IsUnstable(std::size_t i, const Answer& a, const Answer& b) {
    std::vector<Answer> of_a = {a}, of_b = {b};
    const std::vector<guard::Approved> one = {batch_[i]};
    for (int tries = 0; tries < kTries; ++tries) {
      WARD_TRY(const auto more_a, sides_.Run(Copy::A, one));
      WARD_TRY(const auto more_b, sides_.Run(Copy::B, one));
      of_a.push_back(more_a.front());
      of_b.push_back(more_b.front());
      if (std::find_first_of(of_a.begin(), of_a.end(), of_b.begin(), of_b.end()) != of_a.end())
        return true;
    }
    return false;
  }

  void Report(const std::string& text, const std::string& printed, const std::string& what) {
    ++counts.findings;
    std::printf("FINDING %s\n  %s\n  %s\n", what.c_str(), text.c_str(), printed.c_str());
  }

  const Flags& flags_;
  Sides& sides_;
  const sql::Dialect& dialect_;
  guard::TableList lookup_;
  const guard::Guard guard_;
  Maker maker_;
  std::vector<guard::Approved> batch_;
  std::vector<std::string> texts_;
};

int Main(const Flags& flags) {
  const SystemClock clock;
  CallContext ctx(clock);
  const auto sides = OpenSides(flags, ctx);
  if (!sides) {
    std::printf("%s: %s\n", flags.engine.c_str(), sides.error().ToLogText().c_str());
    return 2;
  }
  Run run(flags, **sides);
  const Status done = run.All();
  const Counts& n = run.counts;
  std::printf(
      "%s seed %llu: %llu made, %llu approved, %llu ran, %llu failed, %llu stopped, %llu "
      "findings\n",
      flags.engine.c_str(), static_cast<unsigned long long>(flags.seed),
      static_cast<unsigned long long>(n.made), static_cast<unsigned long long>(n.approved),
      static_cast<unsigned long long>(n.ran), static_cast<unsigned long long>(n.failed),
      static_cast<unsigned long long>(n.stopped), static_cast<unsigned long long>(n.findings));
  if (!done) std::printf("%s\n", done.error().ToLogText().c_str());
  // A run whose statements do not run shows nothing.
  return done && n.findings == 0 && n.ran > n.approved / 3 ? 0 : 1;
}

}  // namespace
}  // namespace schemaward::oracle

int main(int argc, char** argv) {
  schemaward::oracle::Flags flags;
  if (argc == 4 && std::string_view(argv[1]) == "script" && schemaward::oracle::EngineOf(argv[2])) {
    const auto copy = *argv[3] == 'a' ? schemaward::oracle::Copy::A : schemaward::oracle::Copy::B;
    for (const std::string& statement :
         schemaward::oracle::Script(*schemaward::oracle::EngineOf(argv[2]), copy))
      std::printf("%s;\n", statement.c_str());
    return 0;
  }
  if (argc < 4 || !schemaward::oracle::EngineOf(argv[1])) {
    std::fputs("usage: guard_oracle ENGINE EXECUTIONS SEED [--a URI --b URI] [--blind]\n", stderr);
    return 2;
  }
  flags.engine = argv[1];
  flags.executions = std::strtoull(argv[2], nullptr, 10);
  flags.seed = std::strtoull(argv[3], nullptr, 10);
  for (int i = 4; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--blind") flags.is_blind = true;
    if (flag == "--a" && i + 1 < argc) flags.a = argv[++i];
    if (flag == "--b" && i + 1 < argc) flags.b = argv[++i];
  }
  return schemaward::oracle::Main(flags);
}

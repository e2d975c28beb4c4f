// Two copies of the data that differ in blocked columns alone must answer every approved statement
// alike: the same rows in the same order, or the same failure. Statements are made at random,
// judged by the guard, and run on both copies in a real engine.
//
// usage: guard_oracle ENGINE EXECUTIONS SEED [--a URI --b URI] [--blind] [--read FILE]
//          [--meaning] [--stats] [--refused] [--shape N]
//        guard_oracle script ENGINE a|b [N]  prints the statements that make a copy
// ENGINE: sqlite | duckdb (library in SCHEMAWARD_DUCKDB) | postgres | granted | mysql. The last
// three are given two databases, empty but for mysql, whose copies are made by `script`. granted:
// PostgreSQL as a role that may read the columns that are not blocked and call the guard's
// functions alone; a statement that is approved and that the engine then denies is a finding.
// Prints each finding and one line of counts. Exit: 1 where there is a finding; 3 where there is
// none but the engine died of a statement, which is printed with it, and the run went on; 2 where
// it could not.
// --blind: the policy lets contact data through, which the oracle must see: it shows that it can
// fail.
// --read FILE: statements of a file, one a line, in place of made ones; each under both profiles.
// --meaning: what was approved without masks gives, in any order, the rows that the text gives as
// it was written; where a part of the rows is asked for they may be others. Differences are
// printed, and are no findings: some statements have no one answer.
// --stats: how many statements of each family were made, approved and ran. --refused: what was
// refused, and why.
// --shape: columns in another order, with other keys, indexes and types (shape.h); 0 is the fixed
// one.
// A quarter of the statements is judged under the profile dev, which masks: what a mask shows,
// where there is a value, is the same in both copies. The role `granted` cannot read what is
// masked.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <set>
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
constexpr std::uint64_t kMaskingOneIn = 4;

struct Flags {
  std::string engine, a, b, read;
  std::uint64_t executions = 0, seed = 0, shape = 0;
  bool is_blind = false, has_stats = false, has_refusals = false, has_meanings = false;
};

struct Counts {
  std::uint64_t made = 0, approved = 0, ran = 0, failed = 0, stopped = 0, unstable = 0,
                findings = 0, died = 0;
};

struct FamilyCounts {
  std::uint64_t made = 0, approved = 0, ran = 0;
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
  const Shape shape(flags.shape);
  switch (*EngineOf(flags.engine)) {
    case Engine::Postgres:
      return OpenPostgres(flags.a, flags.b, flags.engine == "granted", shape, ctx);
    case Engine::MySql:
      return OpenMySql(flags.a, flags.b, shape, ctx);
    case Engine::DuckDb: {
      const char* library = std::getenv("SCHEMAWARD_DUCKDB");  // NOLINT(concurrency-mt-unsafe)
      return OpenDuckDb(library == nullptr ? "" : library, shape, ctx);
    }
    case Engine::Sqlite:
      break;
  }
  return OpenSqlite(shape, ctx);
}

privacy::Policy PolicyOf(const Flags& flags, privacy::Profile profile) {
  privacy::PolicyData data;
  if (flags.is_blind)
    data.first.categories[static_cast<std::size_t>(privacy::Category::Contact)] = privacy::kAllow;
  return privacy::Policy(data, profile);
}

// A partitioned table is read whole where a list of names is given, with what the role may not.
std::vector<Relation> RelationsOf(const Flags& flags) {
  const bool is_granted = flags.engine == "granted";
  std::vector<Relation> relations = Relations(*EngineOf(flags.engine), !is_granted);
  if (is_granted)
    std::erase_if(relations, [](const Relation& relation) { return relation.name == "event"; });
  else
    for (ShapeView& view : Shape(flags.shape).Views(StoredTables(*EngineOf(flags.engine))))
      relations.push_back(std::move(view.relation));
  return relations;
}

/// Makes, judges and runs. Thread: owner.
class Run {
 public:
  Run(const Flags& flags, Sides& sides)
      : flags_(flags),
        sides_(sides),
        dialect_(DialectOf(*EngineOf(flags.engine))),
        lookup_(sides.tables()),
        guard_(PolicyOf(flags, privacy::Profile::Team)),
        masking_guard_(PolicyOf(flags, privacy::Profile::Dev)),
        maker_(*EngineOf(flags.engine), flags.seed, RelationsOf(flags), flags.engine != "granted") {
  }

  Status All() {
    WARD_CHECK(CheckData());
    const std::uint64_t findings_max = flags_.is_blind ? 1 : kFindingsMax;
    if (!flags_.read.empty()) WARD_CHECK(ReadStatements());
    while (HasMore() && counts.findings < findings_max) {
      MakeBatch();
      WARD_CHECK(RunBatch());
    }
    return Ok();
  }

  Counts counts;
  std::map<std::string_view, FamilyCounts> families;

 private:
  // Copies differ in what the guard holds to be blocked, and in nothing else.
  Status CheckData() {
    if (flags_.is_blind) return Ok();
    for (const Relation& relation : Relations(*EngineOf(flags_.engine), false))
      for (const catalog::Table& table : sides_.tables())
        if (table.name == relation.name && table.kind == catalog::TableKind::Table)
          for (const catalog::Column& column : table.columns)
            for (const Column& known : relation.columns)
              if (known.name == column.name &&
                  known.is_blocked != guard_.policy().RuleOf(table, column).IsBlocked())
                return Error(ErrorKind::Internal, "the policy and the data do not agree")
                    .Private(table.name + "." + column.name);
    return Ok();
  }

  // Joins of a table with itself show most where masks let blocked columns through.
  std::uint64_t MaskingOneIn() const {
    if (!given_.empty()) return 2;
    return maker_.families().contains("join_of_itself") ? 2 : kMaskingOneIn;
  }

  Status ReadStatements() {
    std::ifstream file(flags_.read);
    std::string line;
    while (std::getline(file, line))
      if (!line.empty()) given_.insert(given_.end(), {line, line});  // for each of the profiles
    if (given_.empty())
      return Error(ErrorKind::InvalidArgument, "the file has no statement").Private(flags_.read);
    return Ok();
  }

  bool HasMore() const {
    return counts.approved < flags_.executions && (given_.empty() || counts.made < given_.size());
  }

  void MakeBatch() {
    batch_.clear();
    texts_.clear();
    families_.clear();
    while (batch_.size() < kBatch && HasMore()) {
      ++counts.made;
      std::string text = given_.empty() ? maker_.Statement() : given_[counts.made - 1];
      for (const std::string_view family : maker_.families()) ++families[family].made;
      const bool is_masking = flags_.engine != "granted" && counts.made % MaskingOneIn() == 0;
      auto judged = (is_masking ? masking_guard_ : guard_)
                        .ApproveText({text, {}}, dialect_, lookup_, {}, nullptr);
      if (!judged) {
        if (judged.error().kind() == ErrorKind::Internal)
          Report(text, judged.error().ToLogText(), "not printed well");
        if (flags_.has_refusals)
          std::printf("REFUSED %s\n  %s\n", text.c_str(), judged.error().ToLogText().c_str());
        continue;
      }
      ++counts.approved;
      for (const std::string_view family : maker_.families()) ++families[family].approved;
      families_.push_back(maker_.families());
      texts_.push_back(std::move(text));
      batch_.push_back(*std::move(judged));
    }
  }

  void Remove(std::size_t i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    batch_.erase(batch_.begin() + at);
    texts_.erase(texts_.begin() + at);
    families_.erase(families_.begin() + at);
  }

  // What a connection was lost over is taken out, and the rest runs again. It may be the statement
  // before it: a server that dies while it puts that one away is missed by the next.
  Status RunBatch() {
    std::array<std::vector<Answer>, 2> answers;
    const auto runs = [&](Copy copy) -> Result<bool> {
      auto& of = answers[static_cast<std::size_t>(copy)];
      WARD_TRY(of, sides_.Run(copy, batch_));
      if (of.empty() || of.back().what != Answer::What::Lost) return true;
      std::size_t at = of.size() - 1;
      WARD_CHECK(GoOn(at, of.back()));
      if (at > 0) Remove(at--);
      Remove(at);
      return false;
    };
    while (true) {
      WARD_TRY(const bool has_a, runs(Copy::A));
      if (!has_a) continue;
      WARD_TRY(const bool has_b, runs(Copy::B));
      if (has_b) break;
    }
    for (std::size_t i = 0; i < batch_.size(); ++i)
      WARD_CHECK(Compare(i, answers[0][i], answers[1][i]));
    return Ok();
  }

  Status GoOn(std::size_t i, const Answer& lost) {
    const auto is_other = sides_.Reopen();
    const bool has_died = !is_other || *is_other;
    ++(has_died ? counts.died : counts.stopped);
    std::printf("%s\n  %s\n  %s\n", has_died ? "ENGINE DIED" : "CONNECTION LOST", texts_[i].c_str(),
                lost.text.c_str());
    if (i > 0)
      std::printf("  or behind\n  %s\n  %s\n", texts_[i - 1].c_str(), batch_[i - 1].text().c_str());
    if (!is_other) return is_other.error();
    return Ok();
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
      if (flags_.has_meanings) WARD_CHECK(CompareMeaning(i, a));
      ++counts.ran;
      for (const std::string_view family : families_[i]) ++families[family].ran;
    }
    return Ok();
  }

  static std::vector<std::string> SortedRowsOf(const Answer& answer) {
    std::vector<std::string> rows;
    std::size_t begin = 0;
    for (std::size_t end; (end = answer.text.find('\n', begin)) != std::string::npos;
         begin = end + 1)
      rows.push_back(answer.text.substr(begin, end - begin));
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  Status CompareMeaning(std::size_t i, const Answer& a) {
    if (!batch_[i].masked().empty()) return Ok();
    WARD_TRY(const Answer written, sides_.RunAsWritten(texts_[i]));
    if (written.what == Answer::What::Stopped || written.what == Answer::What::Lost) return Ok();
    if (written.what == Answer::What::Rows && SortedRowsOf(written) == SortedRowsOf(a)) return Ok();
    const char* const how =
        written.what == Answer::What::Rows ? "MEANS OTHER ROWS" : "FAILS AS WRITTEN";
    std::printf("%s\n  %s\n  %s\n", how, texts_[i].c_str(), batch_[i].text().c_str());
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
      for (const Answer& more : {more_a.front(), more_b.front()})
        if (more.what == Answer::What::Lost) {
          WARD_CHECK(GoOn(i, more));
          return true;
        }
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
  const guard::Guard guard_, masking_guard_;
  Maker maker_;
  std::vector<std::string> given_;  // statements; empty: made ones
  std::vector<guard::Approved> batch_;
  std::vector<std::string> texts_;
  std::vector<std::set<std::string_view>> families_;  // of each
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
      "findings, %llu times the engine died\n",
      flags.engine.c_str(), static_cast<unsigned long long>(flags.seed),
      static_cast<unsigned long long>(n.made), static_cast<unsigned long long>(n.approved),
      static_cast<unsigned long long>(n.ran), static_cast<unsigned long long>(n.failed),
      static_cast<unsigned long long>(n.stopped), static_cast<unsigned long long>(n.findings),
      static_cast<unsigned long long>(n.died));
  if (flags.has_stats)
    for (const auto& [family, of] : run.families)
      std::printf("  %s: %llu made, %llu approved, %llu ran\n", std::string(family).c_str(),
                  static_cast<unsigned long long>(of.made),
                  static_cast<unsigned long long>(of.approved),
                  static_cast<unsigned long long>(of.ran));
  if (!done) std::printf("%s\n", done.error().ToLogText().c_str());
  // A run whose statements do not run shows nothing.
  if (n.findings > 0 || (done && n.ran <= n.approved / 3)) return 1;
  if (!done) return 2;
  return n.died > 0 ? 3 : 0;
}

}  // namespace
}  // namespace schemaward::oracle

int main(int argc, char** argv) {
  schemaward::oracle::Flags flags;
  if ((argc == 4 || argc == 5) && std::string_view(argv[1]) == "script" &&
      schemaward::oracle::EngineOf(argv[2])) {
    const schemaward::oracle::Shape shape(argc == 5 ? std::strtoull(argv[4], nullptr, 10) : 0);
    const auto copy = *argv[3] == 'a' ? schemaward::oracle::Copy::A : schemaward::oracle::Copy::B;
    for (const std::string& statement :
         schemaward::oracle::Script(*schemaward::oracle::EngineOf(argv[2]), copy, shape))
      std::printf("%s;\n", statement.c_str());
    return 0;
  }
  if (argc < 4 || !schemaward::oracle::EngineOf(argv[1])) {
    std::fputs(
        "usage: guard_oracle ENGINE EXECUTIONS SEED [--a URI --b URI] [--blind] [--read FILE] "
        "[--meaning] [--stats] [--refused] [--shape N]\n",
        stderr);
    return 2;
  }
  flags.engine = argv[1];
  flags.executions = std::strtoull(argv[2], nullptr, 10);
  flags.seed = std::strtoull(argv[3], nullptr, 10);
  for (int i = 4; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--blind") flags.is_blind = true;
    if (flag == "--stats") flags.has_stats = true;
    if (flag == "--meaning") flags.has_meanings = true;
    if (flag == "--refused") flags.has_refusals = true;
    if (flag == "--shape" && i + 1 < argc) flags.shape = std::strtoull(argv[++i], nullptr, 10);
    if (flag == "--a" && i + 1 < argc) flags.a = argv[++i];
    if (flag == "--b" && i + 1 < argc) flags.b = argv[++i];
    if (flag == "--read" && i + 1 < argc) flags.read = argv[++i];
  }
  return schemaward::oracle::Main(flags);
}

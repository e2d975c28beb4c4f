// schemaward guard test: a corpus of statements against the guard, and on an engine where one is
// given.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/read_file.h"
#include "cli/output.h"
#include "cli/scratch_folder.h"
#include "cli/verbs.h"
#include "guard/guard.h"
#include "json/value.h"
#include "privacy/policy_file.h"

namespace schemaward::cli {
namespace {

constexpr std::uintmax_t kFileBytesMax = 64U << 20U;

/// A line of a corpus.
struct Case {
  std::string id, engine, expect, sql, setup;
};

/// What came of it.
struct Verdict {
  std::string word;  ///< accepted, pii or refused
  std::string kind;  ///< kind/reason of a refusal
  std::string message;
  std::string ran;  ///< of an accepted one on an engine: what the engine said where it failed
};

struct Count {
  std::size_t all = 0, right = 0, failed_to_run = 0;
};

std::string TextOf(const json::Value& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

constexpr std::string_view kShape =
    R"(Write one object a line, as {"engine": "sqlite", "expect": "refused", "sql": "DROP TABLE t"}.)";

Result<std::vector<Case>> ReadCorpus(const std::string& path) {
  WARD_TRY(const std::string text, ReadFile(path, kFileBytesMax));
  std::vector<Case> cases;
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto read = json::Parse(line);
    if (!read || !read->value().is_object())
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("line {} of {} is no JSON object", number, path))
          .Hint(kShape);
    const json::Value& value = read->value();
    Case one{TextOf(value, "id"), TextOf(value, "engine"), TextOf(value, "expect"),
             TextOf(value, "sql"), TextOf(value, "setup")};
    if (one.id.empty()) one.id = fmt::format("line {}", number);
    if (one.expect != "accepted" && one.expect != "refused" && one.expect != "pii")
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("line {} of {} expects \"{}\"; it can be accepted, refused or pii",
                               number, path, one.expect));
    cases.push_back(std::move(one));
  }
  if (cases.empty())
    return Error(ErrorKind::InputUnreadable, fmt::format("{} holds no cases", path)).Hint(kShape);
  return cases;
}

/// Finds the tables of a fixture, or of a database.
class Catalogs {
 public:
  Catalogs(app::Application& app, std::string fixture) : app_(app), fixture_(std::move(fixture)) {}

  // The fixture and what a case sets up, read as a script without a database.
  Result<const std::vector<catalog::Table>*> Of(const std::string& setup, std::string_view engine,
                                                CallContext& ctx) {
    const std::string key = std::string(engine) + '\n' + setup;
    if (const auto known = known_.find(key); known != known_.end()) return &known->second;
    WARD_TRY(const ScratchFolder folder, ScratchFolder::Make());
    const auto file = folder.path() / "fixture.sql";
    std::ofstream(file, std::ios::binary) << fixture_ << "\n"
                                          << setup << (setup.empty() ? "" : ";\n");
    WARD_TRY(const auto ddl, app_.engines().Find("ddl"));
    auto connector = ddl->Open({"ddl", file.string(), ""}, ctx);
    auto database = connector ? (*connector)->Introspect({}, ctx)
                              : Result<catalog::Database>(connector.error());
    if (!database) return database.error();
    const sql::Dialect* dialect = sql::FindDialect(engine);
    for (catalog::Table& table : database->tables) {
      table.schema =
          dialect->default_schema.empty() ? "shop" : std::string(dialect->default_schema);
      for (catalog::ForeignKey& key_of : table.foreign_keys) key_of.target_schema = table.schema;
    }
    return &(known_[key] = std::move(database->tables));
  }

 private:
  app::Application& app_;
  std::string fixture_;
  std::map<std::string, std::vector<catalog::Table>> known_;
};

Verdict Judge(const guard::Guard& guard, const Case& one, const sql::Dialect& dialect,
              const std::vector<catalog::Table>& tables, const Principal& principal,
              connect::Connector* connector, CallContext& ctx) {
  guard::TableList lookup(tables);
  const auto approved = guard.ApproveText({one.sql, {}}, dialect, lookup, principal, nullptr);
  if (!approved) {
    const ErrorRow& row = approved.error().row();
    return {approved.error().kind() == ErrorKind::PiiBlocked ? "pii" : "refused",
            fmt::format("{}/{}", row.kind, row.reason), approved.error().message(), ""};
  }
  Verdict verdict{"accepted", "", "", ""};
  if (connector == nullptr) return verdict;
  connect::QueryLimits limits;
  limits.rows_max = 10;
  limits.time_max = std::chrono::seconds(10);
  Status ran = Ok();
  if (approved->is_explain()) {
    if (auto plan = connector->Explain(*approved, ctx); !plan) ran = plan.error();
  } else if (auto rows = connector->Query(*approved, limits, ctx); !rows) {
    ran = rows.error();
  }
  if (!ran) verdict.ran = ran.error().ToLogText();
  return verdict;
}

// The file of that name in the corpus's folder, if there is one.
std::optional<std::string> Beside(const std::string& corpus, const char* name) {
  const std::filesystem::path path = std::filesystem::path(corpus).parent_path() / name;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  return path.string();
}

Result<int> Run(const CommandLine& line, app::Application& app) {
  WARD_TRY(const std::vector<Case> cases, ReadCorpus(line.arguments.front()));
  privacy::PolicyData data;
  if (const auto path = line.policy ? line.policy : Beside(line.arguments.front(), "policy.yaml")) {
    WARD_TRY(data, privacy::ReadPolicyFile(*path));
  }
  const guard::Guard guard{privacy::Policy(std::move(data))};
  CallContext ctx = app.CommandContext();
  std::string fixture;
  const auto tables_of =
      line.fixture || line.dsn ? line.fixture : Beside(line.arguments.front(), "fixture.sql");
  if (tables_of) {
    WARD_TRY(fixture, ReadFile(*tables_of, kFileBytesMax));
  }
  Catalogs catalogs(app, fixture);
  std::unique_ptr<connect::Connector> connector;
  std::vector<catalog::Table> live;
  if (line.dsn) {
    WARD_TRY(const connect::SourceSpec spec, connect::ParseSource(*line.dsn));
    WARD_TRY(const auto engine, app.engines().Find(spec.engine));
    connect::Target target{spec.engine, spec.location, spec.secret};
    if (spec.engine == "duckdb") target.library = app.config().Get("engines.duckdb.library");
    WARD_TRY(connector, engine->Open(target, ctx));
    WARD_TRY(auto database, connector->Introspect({}, ctx));
    live = std::move(database.tables);
  }
  std::map<std::string, Count> counts;
  std::string out = "[";
  for (const Case& one : cases) {
    const std::string engine = one.engine.empty() ? line.engine.value_or("sqlite") : one.engine;
    if (line.engine && engine != *line.engine) continue;
    const sql::Dialect* dialect = sql::FindDialect(engine);
    if (dialect == nullptr)
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("case {} is of engine \"{}\", which is not known", one.id, engine));
    const std::vector<catalog::Table>* tables = &live;
    if (connector == nullptr) {
      WARD_TRY(tables, catalogs.Of(one.setup, engine, ctx));
    }
    const Verdict verdict =
        Judge(guard, one, *dialect, *tables, ctx.principal, connector.get(), ctx);
    // A statement that is expected to be refused may be refused as personal data.
    const bool is_right =
        verdict.word == one.expect || (one.expect == "refused" && verdict.word == "pii");
    Count& count = counts[engine + " " + one.expect];
    ++count.all;
    count.right += is_right ? 1 : 0;
    count.failed_to_run += verdict.ran.empty() ? 0 : 1;
    if (line.json) {
      out += out.size() > 1 ? "," : "";
      out += fmt::format(
          R"({{"id":{},"expect":{},"verdict":{},"kind":{},"message":{},"right":{},"ran":{}}})",
          json::Quote(one.id), json::Quote(one.expect), json::Quote(verdict.word),
          json::Quote(verdict.kind), json::Quote(verdict.message), is_right,
          json::Quote(verdict.ran));
    } else if (!is_right) {
      PrintLine(fmt::format("{}: expected {}, got {} ({}): {}\n    {}", one.id, one.expect,
                            verdict.word, verdict.kind, verdict.message, one.sql));
    } else if (!verdict.ran.empty()) {
      PrintLine(fmt::format("{}: accepted, and the engine failed: {}\n    {}", one.id, verdict.ran,
                            one.sql));
    }
  }
  bool all_right = true;
  std::vector<std::vector<std::string>> rows = {
      {"engine, expected", "right", "of", "failed to run"}};
  for (const auto& [name, count] : counts) {
    all_right = all_right && count.right == count.all;
    rows.push_back({name, fmt::format("{}", count.right), fmt::format("{}", count.all),
                    fmt::format("{}", count.failed_to_run)});
  }
  if (line.json)
    PrintLine(out + "]");
  else
    PrintTable(rows);
  return all_right ? kDone : kNo;
}

int RunGuardTest(const CommandLine& line, app::Application& app) {
  const auto done = Run(line, app);
  return done ? *done : PrintError(done.error());
}

}  // namespace

void AddGuard(Syntax& program, CommandLine& line) {
  Syntax guard =
      program.Group("guard", "Try the guard of SQL text", "  schemaward guard test attacks.jsonl");
  Syntax verb = guard.Verb(
      "test",
      "Run a corpus of statements against the guard; exit code 1 where one is judged otherwise",
      "  schemaward guard test attacks.jsonl --fixture tables.sql --policy policy.yaml\n"
      "  schemaward guard test queries.jsonl --engine sqlite --dsn ./shop.db --json",
      RunGuardTest);
  verb.Words("CORPUS", {},
             "JSON lines: {\"id\", \"engine\", \"expect\": accepted | refused | pii, \"sql\"}");
  verb.Text("--fixture", "FILE.sql", line.fixture,
            "CREATE statements of the tables that the corpus speaks of; fixture.sql beside it "
            "where absent");
  verb.Text("--policy", "FILE.yaml", line.policy,
            "The policy to judge by; policy.yaml beside the corpus, else the built-in one, where "
            "absent");
  verb.Text("--engine", "ENGINE", line.engine,
            "Only cases of this engine: postgres, sqlite, mysql, duckdb");
  verb.Text("--dsn", "SOURCE", line.dsn,
            "A database whose tables the corpus speaks of; accepted statements run on it");
}

}  // namespace schemaward::cli

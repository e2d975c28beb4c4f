// Both copies in memory, by SQLite's own interface: the fastest of the four.
#include <array>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <sqlite3.h>

#include "connect/sqlite/engine.h"
#include "oracle/sides.h"

namespace schemaward::oracle {
namespace {

constexpr int kSteps = 20'000;  // of SQLite's machine
constexpr int kStepsAtOnce = 100;
constexpr int kRowsRead = 2'000;
constexpr int kLengthMax = 100'000;

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using Handle = std::unique_ptr<sqlite3, Close>;

namespace fs = std::filesystem;

Handle Open(Copy copy, const Shape& shape, const char* path) {
  sqlite3* db = nullptr;
  sqlite3_open(path, &db);
  Handle handle(db);
  for (const std::string& statement : Script(Engine::Sqlite, copy, shape))
    if (sqlite3_exec(db, statement.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) std::abort();
  for (const std::string& plan : shape.Plans(Engine::Sqlite))
    sqlite3_exec(db, plan.c_str(), nullptr, nullptr, nullptr);
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kLengthMax);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);  // as the connector has it
  return handle;
}

Answer RunOn(sqlite3* db, const std::string& text) {
  sqlite3_stmt* statement = nullptr;
  const int prepared =
      sqlite3_prepare_v2(db, text.c_str(), static_cast<int>(text.size()), &statement, nullptr);
  if (prepared != SQLITE_OK) return {Answer::What::Failed, std::to_string(prepared)};
  int left = kSteps / kStepsAtOnce;
  sqlite3_progress_handler(
      db, kStepsAtOnce, [](void* steps) { return --*static_cast<int*>(steps) <= 0 ? 1 : 0; },
      &left);
  std::string out;
  int code = SQLITE_ROW;
  for (int row = 0; row < kRowsRead && (code = sqlite3_step(statement)) == SQLITE_ROW; ++row) {
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const auto* cell = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
      out += cell == nullptr ? "\1" : cell;
      out += '\2';
    }
    out += '\n';
  }
  sqlite3_finalize(statement);
  if (code == SQLITE_INTERRUPT) return {Answer::What::Stopped, ""};
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    return {Answer::What::Failed, std::to_string(code)};
  return {Answer::What::Rows, out};
}

/// What an approved statement needs set, as the connector sets it; as it was before when it ends.
/// Lifetime: the connection outlives it.
class Settings {
 public:
  explicit Settings(sqlite3* db) : db_(db) {}
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;
  ~Settings() {
    for (const auto& [name, value] : before_) Set(name, value);
  }

  Status Apply(const std::vector<std::pair<std::string, std::string>>& settings) {
    for (const auto& [name, value] : settings) {
      const Answer before = RunOn(db_, "PRAGMA " + name);
      // What SQLite does not know it passes over without a word.
      const std::size_t end = before.text.find('\2');
      if (before.what != Answer::What::Rows || end == std::string::npos)
        return Error(ErrorKind::Internal, "a setting that SQLite does not have").Private(name);
      before_.emplace_back(name, before.text.substr(0, end));
      Set(name, value);
    }
    return Ok();
  }

 private:
  void Set(const std::string& name, const std::string& value) {
    RunOn(db_, fmt::format("PRAGMA {} = {}", name, value));
  }

  sqlite3* const db_;
  std::vector<std::pair<std::string, std::string>> before_;
};

class SqliteSides final : public Sides {
 public:
  SqliteSides(std::vector<catalog::Table> tables, const Shape& shape)
      : tables_(std::move(tables)),
        copies_{oracle::Open(Copy::A, shape, ":memory:"),
                oracle::Open(Copy::B, shape, ":memory:")} {}
  const std::vector<catalog::Table>& tables() const override { return tables_; }
  Result<std::vector<Answer>> Run(Copy copy, const std::vector<guard::Approved>& batch) override {
    std::vector<Answer> answers;
    answers.reserve(batch.size());
    sqlite3* const db = copies_[static_cast<std::size_t>(copy)].get();
    for (const guard::Approved& approved : batch) {
      Settings settings(db);
      WARD_CHECK(settings.Apply(approved.session().settings));
      answers.push_back(RunOn(db, approved.text()));
    }
    return answers;
  }
  Result<Answer> RunAsWritten(const std::string& text) override {
    return RunOn(copies_.front().get(), text);
  }

 private:
  const std::vector<catalog::Table> tables_;
  const std::array<Handle, 2> copies_;
};

// The catalog as the engine's connector gives it of a file.
Result<std::vector<catalog::Table>> CatalogOf(const fs::path& folder, const Shape& shape,
                                              CallContext& ctx) {
  const std::string path = folder / "a.db";
  Open(Copy::A, shape, path.c_str());
  WARD_TRY(const auto connector, connect::MakeSqliteEngine()->Open({"sqlite", path, {}}, ctx));
  WARD_TRY(catalog::Database database, connector->Introspect({}, ctx));
  return std::move(database.tables);
}

}  // namespace

Result<std::unique_ptr<Sides>> OpenSqlite(const Shape& shape, CallContext& ctx) {
  std::string folder = (fs::temp_directory_path() / "ward_oracle_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr)
    return Error(ErrorKind::DiskFull, "no folder for the catalog");
  auto tables = CatalogOf(folder, shape, ctx);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!tables) return tables.error();
  return std::make_unique<SqliteSides>(*std::move(tables), shape);
}

}  // namespace schemaward::oracle

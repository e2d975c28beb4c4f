// Two DuckDB files in a folder of their own, read through the engine itself: read-only, locked, one
// connection a statement.
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "connect/duckdb/duckdb.h"
#include "connect/duckdb/library.h"
#include "oracle/sides.h"

namespace schemaward::oracle {
namespace {

namespace duck = connect::duckdb;
namespace fs = std::filesystem;

constexpr connect::QueryLimits kLimits{.rows_max = 500, .time_max = std::chrono::milliseconds(500)};

std::string TextOf(const connect::Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return "\1";
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.17g}", *number);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* decimal = std::get_if<connect::Decimal>(&cell)) return decimal->text;
  return std::get<connect::Blob>(cell).bytes;
}

Status Write(const duck::Api& api, const std::string& path, Copy copy) {
  duck::Database raw = nullptr;
  char* why = nullptr;
  if (api.open_ext(path.c_str(), &raw, nullptr, &why) != duck::State::Success)
    return Error(ErrorKind::SourceUnreachable, "the file could not be made");
  const duck::Owned<duck::Database> database(raw, api.close);
  duck::Connection session = nullptr;
  if (api.connect(raw, &session) != duck::State::Success)
    return Error(ErrorKind::SourceUnreachable, "no session");
  const duck::Owned<duck::Connection> connection(session, api.disconnect);
  for (const std::string& statement : Script(Engine::DuckDb, copy)) {
    duck::RawResult result{};
    const duck::State state = api.query(session, statement.c_str(), &result);
    const std::string text = state == duck::State::Success ? "" : api.result_error(&result);
    api.destroy_result(&result);
    if (!text.empty()) return Error(ErrorKind::SqlRuntime, text);
  }
  return Ok();
}

class DuckDbSides final : public Sides {
 public:
  DuckDbSides(fs::path folder, CallContext& ctx) : folder_(std::move(folder)), ctx_(ctx) {}
  ~DuckDbSides() override {
    connectors_ = {};
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  DuckDbSides(const DuckDbSides&) = delete;
  DuckDbSides& operator=(const DuckDbSides&) = delete;

  Status Open(const std::string& library) {
    WARD_TRY(const auto loaded, duck::Library::Load({library}));
    engine_ = duck::MakeEngine();
    for (const Copy copy : {Copy::A, Copy::B}) {
      const std::string path = folder_ / (copy == Copy::A ? "a.duckdb" : "b.duckdb");
      WARD_CHECK(Write(loaded->api(), path, copy));
      auto& connector = connectors_[static_cast<std::size_t>(copy)];
      WARD_TRY(connector, engine_->Open({"duckdb", path, {}, library}, ctx_));
    }
    WARD_TRY(catalog::Database database, connectors_[0]->Introspect({}, ctx_));
    tables_ = std::move(database.tables);
    return Ok();
  }

  const std::vector<catalog::Table>& tables() const override { return tables_; }

  Result<std::vector<Answer>> Run(Copy copy, const std::vector<guard::Approved>& batch) override {
    std::vector<Answer> answers;
    for (const guard::Approved& approved : batch) {
      const auto result =
          connectors_[static_cast<std::size_t>(copy)]->Query(approved, kLimits, ctx_);
      if (!result) {
        answers.push_back(AnswerOf(result.error()));
        continue;
      }
      std::string text;
      for (const auto& row : result->rows) {
        for (const connect::Cell& cell : row) text += TextOf(cell) + '\2';
        text += '\n';
      }
      answers.push_back({Answer::What::Rows, text});
    }
    return answers;
  }

 private:
  const fs::path folder_;
  CallContext& ctx_;
  std::unique_ptr<connect::Engine> engine_;
  std::array<std::unique_ptr<connect::Connector>, 2> connectors_;
  std::vector<catalog::Table> tables_;
};

}  // namespace

Result<std::unique_ptr<Sides>> OpenDuckDb(const std::string& library, CallContext& ctx) {
  std::string pattern = (fs::temp_directory_path() / "ward_oracle_XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr)
    return Error(ErrorKind::DiskFull, "no folder for the copies");
  auto sides = std::make_unique<DuckDbSides>(pattern, ctx);
  WARD_CHECK(sides->Open(library));
  return sides;
}

}  // namespace schemaward::oracle

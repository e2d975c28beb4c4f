// Two DuckDB databases in memory, on one thread each, a session for all statements: on more threads
// groups and rows come in an order that no run repeats, and most of the time goes to handing tasks
// around. What the engine's own connector does between (read-only, locked) is tested beside it.
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "connect/duckdb/cells.h"
#include "connect/duckdb/duckdb.h"
#include "connect/duckdb/errors.h"
#include "connect/duckdb/library.h"
#include "connect/duckdb/session.h"
#include "oracle/sides.h"

namespace schemaward::oracle {
namespace {

namespace duck = connect::duckdb;
namespace fs = std::filesystem;

constexpr std::size_t kRowsRead = 500;
constexpr int kLoopOfAsof = 64;  // the engine's own
constexpr std::chrono::milliseconds kTimeMax{10'000};
constexpr std::chrono::milliseconds kLookEvery{50};

std::string TextOf(const connect::Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return "\1";
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.17g}", *number);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* decimal = std::get_if<connect::Decimal>(&cell)) return decimal->text;
  return std::get<connect::Blob>(cell).bytes;
}

/// Interrupts the statement that runs when it has run for kTimeMax. Thread: owner; has its own.
class Timer {
 public:
  explicit Timer(const duck::Api& api)
      : api_(api), thread_([this](const std::stop_token& quit) { Watch(quit); }) {}

  void Begin(duck::Connection connection) {
    const std::lock_guard lock(mutex_);
    running_ = connection;
    until_ = std::chrono::steady_clock::now() + kTimeMax;
    has_fired_ = false;
  }
  /// True where it was interrupted.
  bool End() {
    const std::lock_guard lock(mutex_);
    running_ = nullptr;
    return has_fired_;
  }

 private:
  void Watch(const std::stop_token& quit) {
    std::unique_lock lock(mutex_);
    while (!quit.stop_requested()) {
      wake_.wait_for(lock, quit, kLookEvery, [] { return false; });
      if (running_ == nullptr || std::chrono::steady_clock::now() < until_) continue;
      has_fired_ = true;
      api_.interrupt(running_);
    }
  }

  const duck::Api& api_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any wake_;
  duck::Connection running_ = nullptr;
  std::chrono::steady_clock::time_point until_;
  bool has_fired_ = false;
  std::jthread thread_;  // last: it uses the rest
};

/// One copy. Lifetime: `api` outlives it.
class Side {
 public:
  static Result<std::unique_ptr<Side>> Open(const duck::Api& api, const char* path, Copy copy,
                                            const Shape& shape) {
    std::unique_ptr<Side> side(new Side(api));
    duck::Config raw_config = nullptr;
    if (api.create_config(&raw_config) != duck::State::Success)
      return Error(ErrorKind::SourceUnreachable, "no configuration");
    const duck::Owned<duck::Config> config(raw_config, api.destroy_config);
    api.set_config(raw_config, "threads", "1");
    duck::Database database = nullptr;
    char* why = nullptr;
    if (api.open_ext(path, &database, raw_config, &why) != duck::State::Success)
      return Error(ErrorKind::SourceUnreachable, "the copy could not be made");
    side->database_ = {database, api.close};
    duck::Connection session = nullptr;
    if (api.connect(database, &session) != duck::State::Success)
      return Error(ErrorKind::SourceUnreachable, "no session");
    side->connection_ = {session, api.disconnect};
    for (const std::string& statement : Script(Engine::DuckDb, copy, shape))
      WARD_CHECK(side->Do(statement));
    return side;
  }

  Status Do(const std::string& statement) {
    duck::RawResult result{};
    const duck::State state = api_.query(connection_.get(), statement.c_str(), &result);
    const std::string text = state == duck::State::Success ? "" : api_.result_error(&result);
    api_.destroy_result(&result);
    if (!text.empty()) return Error(ErrorKind::SqlRuntime, text);
    return Ok();
  }

  /// The engine gave the copy up: the connector opens a file anew then.
  bool IsBroken() const { return is_broken_; }

  Answer Ask(const std::string& text, Timer& timer) {
    timer.Begin(connection_.get());
    Answer answer = Ask(text);
    if (timer.End()) return {Answer::What::Stopped, ""};
    return answer;
  }

 private:
  explicit Side(const duck::Api& api) : api_(api) {}

  Answer Ask(const std::string& text) {
    duck::RawResult raw{};
    const duck::State state = api_.query(connection_.get(), text.c_str(), &raw);
    duck::Rows rows(api_, raw);
    if (state != duck::State::Success) {
      const char* why = api_.result_error(&rows.raw());
      is_broken_ = why != nullptr && duck::IsFatal(why);
      const Error error = duck::MakeError(why == nullptr ? "" : why, duck::During::Query);
      return AnswerOf(error);
    }
    std::vector<duck::ColumnType> types;
    for (std::uint64_t i = 0; i < api_.column_count(&rows.raw()); ++i) {
      const duck::Owned<duck::LogicalType> type(api_.column_logical_type(&rows.raw(), i),
                                                api_.destroy_logical_type);
      types.push_back(duck::DescribeType(api_, type.get()));
      if (!duck::IsReadable(types.back())) return {Answer::What::Failed, "a type without cells"};
    }
    return {Answer::What::Rows, TextOfRows(rows, types)};
  }

  std::string TextOfRows(duck::Rows& rows, const std::vector<duck::ColumnType>& types) {
    std::string text;
    std::size_t count = 0;
    while (const duck::Chunk raw = api_.fetch_chunk(rows.raw())) {
      const duck::Owned<duck::Chunk> chunk(raw, api_.destroy_data_chunk);
      for (std::uint64_t row = 0; row < api_.data_chunk_get_size(raw); ++row) {
        if (++count > kRowsRead) return text;
        for (std::size_t i = 0; i < types.size(); ++i)
          text +=
              TextOf(duck::CellAt(api_, types[i], api_.data_chunk_get_vector(raw, i), row)) + '\2';
        text += '\n';
      }
    }
    return text;
  }

  const duck::Api& api_;
  duck::Owned<duck::Database> database_;
  duck::Owned<duck::Connection> connection_;
  bool is_broken_ = false;
};

class DuckDbSides final : public Sides {
 public:
  DuckDbSides(std::shared_ptr<const duck::Library> library, const Shape& shape)
      : library_(std::move(library)), shape_(shape), timer_(library_->api()) {}

  /// Opens the copies, and takes the catalog as the engine's connector gives it of a file.
  Status Open(const fs::path& folder, const std::string& library, CallContext& ctx) {
    for (const Copy copy : {Copy::A, Copy::B}) {
      auto& side = sides_[static_cast<std::size_t>(copy)];
      WARD_TRY(side, Side::Open(library_->api(), ":memory:", copy, shape_));
    }
    const std::string path = folder / "a.duckdb";
    { WARD_TRY(const auto file, Side::Open(library_->api(), path.c_str(), Copy::A, shape_)); }
    const auto engine = duck::MakeEngine();
    WARD_TRY(const auto connector, engine->Open({"duckdb", path, {}, library}, ctx));
    WARD_TRY(catalog::Database database, connector->Introspect({}, ctx));
    tables_ = std::move(database.tables);
    return Ok();
  }

  const std::vector<catalog::Table>& tables() const override { return tables_; }

  Result<std::vector<Answer>> Run(Copy copy, const std::vector<guard::Approved>& batch) override {
    auto& side = sides_[static_cast<std::size_t>(copy)];
    std::vector<Answer> answers;
    answers.reserve(batch.size());
    for (const guard::Approved& approved : batch) {
      if (side->IsBroken()) {
        WARD_TRY(side, Side::Open(library_->api(), ":memory:", copy, shape_));
      }
      const auto& settings = approved.session().settings;
      for (const auto& [name, value] : settings)
        WARD_CHECK(side->Do(fmt::format("SET GLOBAL {} = '{}'", name, value)));
      // As the connector has it: else the engine ends the process.
      WARD_CHECK(side->Do(fmt::format("SET GLOBAL asof_loop_join_threshold = {}",
                                      settings.empty() ? kLoopOfAsof : 0)));
      answers.push_back(side->Ask(approved.text(), timer_));
      if (side->IsBroken()) continue;
      for (const auto& setting : settings) WARD_CHECK(side->Do("RESET GLOBAL " + setting.first));
    }
    return answers;
  }

  Result<Answer> RunAsWritten(const std::string& text) override {
    auto& side = sides_.front();
    if (side->IsBroken()) {
      WARD_TRY(side, Side::Open(library_->api(), ":memory:", Copy::A, shape_));
    }
    return side->Ask(text, timer_);
  }

 private:
  const std::shared_ptr<const duck::Library> library_;
  const Shape shape_;
  Timer timer_;
  std::array<std::unique_ptr<Side>, 2> sides_;
  std::vector<catalog::Table> tables_;
};

}  // namespace

Result<std::unique_ptr<Sides>> OpenDuckDb(const std::string& library, const Shape& shape,
                                          CallContext& ctx) {
  std::string folder = (fs::temp_directory_path() / "ward_oracle_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr)
    return Error(ErrorKind::DiskFull, "no folder for the copies");
  WARD_TRY(auto loaded, duck::Library::Load({library}));
  auto sides = std::make_unique<DuckDbSides>(std::move(loaded), shape);
  const Status opened = sides->Open(folder, library, ctx);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!opened) return opened.error();
  return sides;
}

}  // namespace schemaward::oracle

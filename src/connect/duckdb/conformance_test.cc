// DuckDB passes the suite.

#include "connect/conformance/conformance.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "connect/duckdb/duckdb.h"
#include "connect/duckdb/test_file.h"

namespace schemaward::connect {
namespace {

namespace fs = std::filesystem;
using duckdb::DuckdbEngine;
using duckdb::FileConnector;
using duckdb::TestFile;

constexpr std::string_view kValues = R"(
CREATE TABLE value_cases (
  big_int BIGINT, small_int SMALLINT, decimal_text DECIMAL(20, 4), bytes BLOB, text_utf8 VARCHAR, no_value VARCHAR,
  not_a_number DOUBLE, infinite DOUBLE, naive_time TIMESTAMP, zoned_time TIMESTAMPTZ,
  yes BOOLEAN, tiny FLOAT, wide_decimal DECIMAL(38, 2), small_decimal DECIMAL(4, 3), huge HUGEINT, huge_fits HUGEINT,
  unsigned_huge UHUGEINT, unsigned_big UBIGINT, byte UTINYINT, day DATE, endless TIMESTAMP, seconds TIMESTAMP_S, nanos TIMESTAMP_NS,
  clock TIME, span INTERVAL, id UUID, bits BIT, mood ENUM('sad', 'ok'), list INTEGER[], pair STRUCT(a INTEGER, b VARCHAR),
  lookup MAP(INTEGER, VARCHAR), long_text VARCHAR, document JSON,
  first_day DATE, late_day DATE, late TIMESTAMP, early TIMESTAMP, late_zoned TIMESTAMPTZ, late_second TIMESTAMP_S);
INSERT INTO value_cases VALUES (
  9007199254740993, 42, 12345678901234.5000, '\x00\xFFA', 'na' || chr(239) || 've', NULL,
  'NaN', '-Infinity', '2024-02-29 12:34:56.5', '2024-02-29 12:34:56+02',
  true, 0.1, -123456789012345678901234567890123456.78, -0.005, -170141183460469231731687303715884105727, 12,
  340282366920938463463374607431768211455, 18446744073709551615, 255, '0099-01-02', 'infinity', '2024-02-29 12:34:56', '2024-02-29 12:34:56.123456789',
  '12:34:56.5', INTERVAL '1 month 2 days 3 hours', '00000000-0000-0000-0000-00000000000a', '0101', 'ok', [1, NULL, 3], {'a': 1, 'b': 'x, y'},
  MAP {1: 'one'}, repeat('long ', 4), '{"a": [1]}',
  '5877642-06-25 (BC)', '12024-01-02', '294247-01-10 04:00:54.5', '0044-03-15 (BC) 12:00:00', '12024-01-02 03:04:05+00', '12024-01-02 03:04:05'))";

std::vector<ValueCase> ValueCases() {
  return {{"big_int", std::int64_t{9007199254740993}},
          {"small_int", std::int64_t{42}},
          {"decimal_text", Decimal{"12345678901234.5000"}},
          {"bytes", Blob{std::string("\0\xff\x41", 3)}},
          {"text_utf8", std::string("na\303\257ve")},
          {"no_value", std::monostate()},
          {"not_a_number", std::string("NaN")},
          {"infinite", std::string("-Infinity")},
          {"naive_time", std::string("2024-02-29T12:34:56.5")},
          {"zoned_time", std::string("2024-02-29T10:34:56+00:00")},
          {"yes", true},
          {"tiny", 0.1},
          {"wide_decimal", Decimal{"-123456789012345678901234567890123456.78"}},
          {"small_decimal", Decimal{"-0.005"}},
          {"huge", Decimal{"-170141183460469231731687303715884105727"}},
          {"huge_fits", std::int64_t{12}},
          {"unsigned_huge", Decimal{"340282366920938463463374607431768211455"}},
          {"unsigned_big", Decimal{"18446744073709551615"}},
          {"byte", std::int64_t{255}},
          {"day", std::string("0099-01-02")},
          {"endless", std::string("infinity")},
          {"seconds", std::string("2024-02-29T12:34:56")},
          {"nanos", std::string("2024-02-29T12:34:56.123456789")},
          {"clock", std::string("12:34:56.5")},
          {"span", std::string("1 month 2 days 03:00:00")},
          {"id", std::string("00000000-0000-0000-0000-00000000000a")},
          {"bits", std::string("0101")},
          {"mood", std::string("ok")},
          {"list", std::string("[1, NULL, 3]")},
          {"pair", std::string("{'a': 1, 'b': 'x, y'}")},
          {"lookup", std::string("{1=one}")},
          {"long_text", std::string("long long long long ")},
          {"document", std::string("{\"a\": [1]}")},
          {"first_day", std::string("5877642-06-25 (BC)")},
          {"late_day", std::string("12024-01-02")},
          {"late", std::string("294247-01-10T04:00:54.5")},
          {"early", std::string("0044-03-15 (BC) 12:00:00")},
          {"late_zoned", std::string("12024-01-02T03:04:05+00:00")},
          {"late_second", std::string("12024-01-02T03:04:05")}};
}

struct Replacement {
  std::string_view from;
  std::string_view to;
};
// What DuckDB says in another way or cannot say.
constexpr Replacement kReplacements[] = {
    {") STORED", ")"},
    {"FOREIGN KEY (pa, pb) REFERENCES parent (a, b) ON UPDATE SET NULL ON DELETE CASCADE",
     "FOREIGN KEY (pb, pa) REFERENCES parent (b, a)"},
    {"CREATE UNIQUE INDEX child_part_key ON child (pb) WHERE pa > 1;", ""},
    // A table with an index cannot be renamed.
    {"ALTER TABLE added RENAME", "DROP INDEX added_x; ALTER TABLE added RENAME"}};

std::string Translate(std::string_view sql) {
  std::string text(sql);
  for (const Replacement& row : kReplacements)
    if (const std::size_t at = text.find(row.from); at != std::string::npos)
      text.replace(at, row.from.size(), row.to);
  return text;
}

class DuckdbHarness final : public Harness {
 public:
  explicit DuckdbHarness(std::unique_ptr<TestFile> file) : file_(std::move(file)) {}

  Engine& engine() override { return engine_; }
  Target target() const override { return {"duckdb", file_->path(), "", file_->library_path()}; }
  Target UnreachableTarget() const override {
    return {"duckdb", file_->folder() / "absent.duckdb", "", file_->library_path()};
  }
  Status Reset() override { return Execute("CREATE TABLE first (x INTEGER); DROP TABLE first"); }
  // In this process the engine's file is in the way of its own owner, unlike in any other.
  Status Execute(std::string_view sql) override {
    engine_.instances().CloseIdle();
    return file_->Execute(Translate(sql));
  }
  std::string schema() const override { return "main"; }
  ValueFixture values() const override { return {std::string(kValues), ValueCases()}; }
  bool HasPartialIndexes() const override { return false; }
  bool HasReferentialActions() const override { return false; }
  Status Analyze() override { return Execute("ANALYZE"); }
  Status AttemptInSession(Connector& connector, std::string_view sql) override {
    CallContext ctx(clock_);
    return dynamic_cast<FileConnector&>(connector).Attempt(std::string(sql), ctx);
  }
  std::optional<std::int64_t> StatementsSent(Connector& connector) override {
    return dynamic_cast<FileConnector&>(connector).statements();
  }
  // The engine runs inside the call: when that has returned, nothing runs.
  Result<std::int64_t> QueriesRunning() override { return 0; }
  bool EndSessions() override { return false; }
  std::string StoredState() override {
    std::string state =
        std::to_string(fs::last_write_time(file_->path()).time_since_epoch().count());
    for (const auto& entry : fs::directory_iterator(file_->folder()))
      state += entry.path().filename().string() + ";";
    std::ifstream file(file_->path(), std::ios::binary);
    return state.append(std::istreambuf_iterator<char>(file), {});
  }

 private:
  const std::unique_ptr<TestFile> file_;
  DuckdbEngine engine_;
  SystemClock clock_;
};

std::unique_ptr<Harness> Make() {
  auto file = TestFile::Make("test 'quote' #1.duckdb");
  if (file == nullptr) return nullptr;
  return std::make_unique<DuckdbHarness>(std::move(file));
}

INSTANTIATE_TEST_SUITE_P(Duckdb, ConnectorConformance,
                         ::testing::Values(HarnessMaker{"duckdb", &Make}), NameOfHarness);

}  // namespace
}  // namespace schemaward::connect

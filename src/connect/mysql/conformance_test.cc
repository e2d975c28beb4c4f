// The suite of every engine, on the MariaDB server that the environment names.

#include "connect/conformance/conformance.h"

#include <array>
#include <regex>
#include <utility>

#include <fmt/format.h>

#include "connect/mysql/mysql.h"
#include "connect/mysql/test_server.h"

namespace schemaward::connect {
namespace {

using mysql::MySqlConnector;
using mysql::TestDatabase;

constexpr std::string_view kValues = R"(
CREATE TABLE value_cases (
  big_int bigint, small_int smallint, decimal_text decimal(20, 4), bytes varbinary(10),
  text_utf8 varchar(20) CHARACTER SET utf8mb4, nothing text, naive_time datetime(3),
  zoned_time timestamp NULL, flag tinyint(1), huge bigint unsigned, bits bit(10), tiny float,
  twice double, day date, no_day date, no_time datetime, span time(1), made year, document json,
  shape point, kind enum('a', 'b'), several set('x', 'y', 'z'), large longblob,
  many decimal(65, 0), words longtext CHARACTER SET latin1, id uuid, small_padded int(5) zerofill);
INSERT INTO value_cases VALUES (
  9007199254740993, 42, 12345678901234.5000, x'00ff41', 'gr)"
                                     "\xC3\xBC\xC3\x9F"
                                     R"(e', NULL, '2024-02-29 12:34:56.5',
  '2024-02-29 10:34:56', 2, 18446744073709551615, b'1000000001', 0.1,
  -1.7976931348623157e308, '2024-02-29', '0000-00-00', '0000-00-00 00:00:00', '-100:59:58.5', 2024,
  '{"a": [1]}', point(1, 2), 'b', 'x,z', repeat(x'00ff', 5000),
  10000000000000000000000000000000000000000, 'caf)"
                                     "\xC3\xA9"
                                     R"(', '00000000-0000-0000-0000-00000000000a', 42))";

std::vector<ValueCase> ValueCases() {
  std::string large;
  for (int i = 0; i < 5000; ++i) large += std::string("\0\xff", 2);
  std::string point("\0\0\0\0\x01\x01\0\0\0", 9);
  point += std::string("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40", 16);
  return {{"big_int", std::int64_t{9007199254740993}},
          {"small_int", std::int64_t{42}},
          {"decimal_text", Decimal{"12345678901234.5000"}},
          {"bytes", Blob{std::string("\0\xff\x41", 3)}},
          {"text_utf8", std::string("gr\303\274\303\237e")},
          {"nothing", std::monostate()},
          {"naive_time", std::string("2024-02-29T12:34:56.5")},
          {"zoned_time", std::string("2024-02-29T10:34:56+00:00")},
          {"flag", std::int64_t{2}},
          {"huge", Decimal{"18446744073709551615"}},
          {"bits", std::int64_t{513}},
          {"tiny", 0.1},
          {"twice", -1.7976931348623157e308},
          {"day", std::string("2024-02-29")},
          {"no_day", std::string("0000-00-00")},
          {"no_time", std::string("0000-00-00 00:00:00")},
          {"span", std::string("-100:59:58.5")},
          {"made", std::int64_t{2024}},
          {"document", std::string("{\"a\": [1]}")},
          {"shape", Blob{point}},
          {"kind", std::string("b")},
          {"several", std::string("x,z")},
          {"large", Blob{large}},
          {"many", Decimal{"1" + std::string(40, '0')}},
          {"words", std::string("caf\303\251")},
          {"id", std::string("00000000-0000-0000-0000-00000000000a")},
          {"small_padded", std::int64_t{42}}};
}

// What the suite's SQL says in words that MariaDB does not take: a foreign key must name its
// columns and have an index on the other side, a stored column must not follow one that a foreign
// key sets to null, and an index has neither a condition nor an expression.
struct Word {
  const char* pattern;
  const char* instead;
};
constexpr std::array<Word, 6> kWords = {
    {{R"(REFERENCES child,)", "REFERENCES child (id),"},
     {R"(REFERENCES (more_\d+),)", "REFERENCES $1 (a),"},
     {R"(PRIMARY KEY \(b, a\))", "PRIMARY KEY (b, a), KEY parent_ab (a, b)"},
     {R"( STORED)", " VIRTUAL"},
     {R"(CREATE UNIQUE INDEX child_part_key[^;]*;)", ""},
     {R"(\(lower\(state\)\))", "(state(3))"}}};

class MySqlHarness final : public Harness {
 public:
  explicit MySqlHarness(std::unique_ptr<TestDatabase> database) : database_(std::move(database)) {}

  Engine& engine() override { return *engine_; }
  // Without a database: all schemas that the user may see.
  Target target() const override { return {"mysql", database_->UriFor(database_->user(), ""), ""}; }
  Target UnreachableTarget() const override {
    return {"mysql", "mysql://nobody@127.0.0.1:1/nowhere", ""};
  }
  Status Reset() override { return Ok(); }  // each harness has a database of its own
  Status Execute(std::string_view sql) override {
    std::string text(sql);
    for (const Word& word : kWords)
      text = std::regex_replace(text, std::regex(word.pattern), word.instead);
    return database_->Execute(text);
  }
  std::string schema() const override { return database_->name(); }
  ValueFixture values() const override { return {std::string(kValues), ValueCases()}; }
  Status Analyze() override { return database_->Execute("ANALYZE TABLE many"); }
  Status AttemptInSession(Connector& connector, std::string_view sql) override {
    const SystemClock clock;
    CallContext ctx(clock);
    WARD_TRY(const QueryResult result,
             static_cast<MySqlConnector&>(connector).RunInReadOnlyState(std::string(sql), {}, ctx));
    return Ok();
  }
  std::optional<std::int64_t> StatementsSent(Connector& connector) override {
    return static_cast<MySqlConnector&>(connector).StatementsSent();
  }
  Result<std::int64_t> QueriesRunning() override {
    WARD_TRY(const std::string count,
             database_->Ask(fmt::format("SELECT count(*) FROM information_schema.processlist WHERE "
                                        "user = '{}' AND command NOT IN ('Sleep', 'Killed')",
                                        database_->user())));
    return std::stoll(count);
  }
  bool EndSessions() override { return database_->EndSessions().has_value(); }
  std::string StoredState() override {
    return database_->Ask("SELECT concat(count(*), '-', sum(crc32(i))) FROM many").value_or("");
  }
  bool HasPartialIndexes() const override { return false; }

 private:
  std::unique_ptr<TestDatabase> database_;
  std::unique_ptr<Engine> engine_ = mysql::MakeEngine();
};

std::unique_ptr<Harness> MakeMariaDb() {
  auto database = TestDatabase::Make();
  if (database == nullptr) return nullptr;
  return std::make_unique<MySqlHarness>(std::move(database));
}

INSTANTIATE_TEST_SUITE_P(MySql, ConnectorConformance,
                         ::testing::Values(HarnessMaker{"mariadb", &MakeMariaDb}), NameOfHarness);

}  // namespace
}  // namespace schemaward::connect

// The suite of every engine, on each server that the environment names.

#include "connect/conformance/conformance.h"

#include <utility>

#include "connect/postgres/postgres.h"
#include "connect/postgres/test_server.h"

namespace schemaward::connect {
namespace {

using postgres::PostgresConnector;
using postgres::TestDatabase;

constexpr std::string_view kValues = R"(
CREATE TABLE value_cases (
  big_int bigint, small_int smallint, decimal_text numeric(20, 4), bytes bytea, text_utf8 text, nothing text,
  not_a_number double precision, infinite double precision, naive_time timestamp, zoned_time timestamptz,
  yes boolean, many numeric, tiny real, small_array integer[], document jsonb, id uuid, span interval, endless timestamptz);
INSERT INTO value_cases VALUES (
  9007199254740993, 42, 12345678901234.5000, '\x00ff41', E'gr\u00FC\u00DFe', NULL,
  'NaN', '-Infinity', '2024-02-29 12:34:56.5', '2024-02-29 12:34:56+02',
  true, 1e40, 0.1, '{1,NULL,3}', '{"a": [1]}', '00000000-0000-0000-0000-00000000000a', '1 day 02:00:00', 'infinity'))";

std::vector<ValueCase> ValueCases() {
  const std::string many = "1" + std::string(40, '0');
  return {{"big_int", std::int64_t{9007199254740993}},
          {"small_int", std::int64_t{42}},
          {"decimal_text", Decimal{"12345678901234.5000"}},
          {"bytes", Blob{std::string("\0\xff\x41", 3)}},
          {"text_utf8", std::string("gr\303\274\303\237e")},
          {"nothing", std::monostate()},
          {"not_a_number", std::string("NaN")},
          {"infinite", std::string("-Infinity")},
          {"naive_time", std::string("2024-02-29T12:34:56.5")},
          {"zoned_time", std::string("2024-02-29T10:34:56+00:00")},
          {"yes", true},
          {"many", Decimal{many}},
          {"tiny", 0.1},
          {"small_array", std::string("{1,NULL,3}")},
          {"document", std::string("{\"a\": [1]}")},
          {"id", std::string("00000000-0000-0000-0000-00000000000a")},
          {"span", std::string("P1DT2H")},
          {"endless", std::string("infinity")}};
}

class PostgresHarness final : public Harness {
 public:
  // A pooler in front keeps sessions of its own, so ending the server's does not end ours.
  PostgresHarness(std::unique_ptr<TestDatabase> database, bool has_pooler)
      : database_(std::move(database)), has_pooler_(has_pooler) {}

  Engine& engine() override { return *engine_; }
  Target target() const override { return {"postgres", database_->uri(), ""}; }
  Target UnreachableTarget() const override {
    return {"postgres", "postgres://nobody@127.0.0.1:1/nowhere", ""};
  }
  Status Reset() override { return Ok(); }  // each harness has a database of its own
  Status Execute(std::string_view sql) override { return database_->Execute(sql); }
  std::string schema() const override { return "public"; }
  ValueFixture values() const override { return {std::string(kValues), ValueCases()}; }
  Status Analyze() override { return database_->Execute("ANALYZE"); }
  Status AttemptInSession(Connector& connector, std::string_view sql) override {
    const SystemClock clock;
    CallContext ctx(clock);
    WARD_TRY(
        const QueryResult result,
        static_cast<PostgresConnector&>(connector).RunInReadOnlyState(std::string(sql), {}, ctx));
    return Ok();
  }
  std::optional<std::int64_t> StatementsSent(Connector& connector) override {
    return static_cast<PostgresConnector&>(connector).StatementsSent();
  }
  Result<std::int64_t> QueriesRunning() override {
    WARD_TRY(
        const std::string count,
        database_->Ask(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "
            "state = 'active' AND pid <> pg_backend_pid() AND backend_type = 'client backend'"));
    return std::stoll(count);
  }
  bool EndSessions() override { return !has_pooler_ && database_->EndSessions().has_value(); }
  std::string StoredState() override {
    return database_->Ask("SELECT md5(string_agg(concat(ctid, xmin, i), ',' ORDER BY i)) FROM many")
        .value_or("");
  }

 private:
  std::unique_ptr<TestDatabase> database_;
  std::unique_ptr<Engine> engine_ = postgres::MakeEngine();
  bool has_pooler_;
};

std::unique_ptr<Harness> Make(const char* variable, bool has_pooler) {
  auto database = TestDatabase::Make(variable);
  if (database == nullptr) return nullptr;
  return std::make_unique<PostgresHarness>(std::move(database), has_pooler);
}

std::unique_ptr<Harness> Make12() { return Make("SCHEMAWARD_TEST_PG12", false); }
std::unique_ptr<Harness> Make15() { return Make("SCHEMAWARD_TEST_PG15", false); }
std::unique_ptr<Harness> Make17() { return Make("SCHEMAWARD_TEST_PG17", false); }
std::unique_ptr<Harness> MakeBouncer() { return Make("SCHEMAWARD_TEST_PGBOUNCER", true); }

INSTANTIATE_TEST_SUITE_P(Postgres, ConnectorConformance,
                         ::testing::Values(HarnessMaker{"postgres12", &Make12},
                                           HarnessMaker{"postgres15", &Make15},
                                           HarnessMaker{"postgres17", &Make17},
                                           HarnessMaker{"pgbouncer", &MakeBouncer}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace schemaward::connect

#include <ostream>
#include <stdexcept>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/result_matchers.h"
#include "connect/conformance/conformance.h"
#include "guard/guard.h"
#include "sql/samples.h"

namespace schemaward::connect {
namespace {

constexpr std::int64_t kReadRowsMax = 1000;

struct Describer {
  std::string operator()(std::monostate /*null*/) const { return "null"; }
  std::string operator()(bool value) const { return value ? "bool:true" : "bool:false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("int:{}", value); }
  std::string operator()(double value) const { return fmt::format("double:{}", value); }
  std::string operator()(const std::string& value) const { return "text:" + value; }
  std::string operator()(const Decimal& value) const { return "decimal:" + value.text; }
  std::string operator()(const Blob& value) const {
    std::string hex = "blob:";
    for (const char byte : value.bytes)
      hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return hex;
  }
};

}  // namespace

std::string Describe(const Cell& cell) { return std::visit(Describer(), cell); }

std::string NameOfHarness(const ::testing::TestParamInfo<HarnessMaker>& info) {
  return info.param.name;
}

void PrintTo(const HarnessMaker& maker, std::ostream* out) { *out << maker.name; }

void ConnectorConformance::SetUp() {
  harness_ = GetParam().make();
  if (harness_ == nullptr) GTEST_SKIP() << GetParam().name << " is not on this machine";
  ASSERT_THAT(harness_->Reset(), IsOk());
}

void ConnectorConformance::TearDown() { harness_.reset(); }

void ConnectorConformance::Given(std::string_view sql) {
  const Status done = harness_->Execute(sql);
  if (!done) throw std::runtime_error(fmt::format("{}: {}", sql, done.error().ToLogText()));
}

std::unique_ptr<Connector> ConnectorConformance::Connect() {
  auto connector = harness_->engine().Open(harness_->target(), ctx_);
  if (!connector) {
    ADD_FAILURE() << connector.error().ToLogText();
    throw std::runtime_error("no connection");  // ends the test: GoogleTest reports it
  }
  return std::move(*connector);
}

catalog::Database ConnectorConformance::Catalog(Connector& connector) {
  auto database = connector.Introspect({}, ctx_);
  EXPECT_THAT(database, IsOk());
  return database ? *database : catalog::Database();
}

const catalog::Table& ConnectorConformance::TableOf(const catalog::Database& database,
                                                    std::string_view name) {
  for (const catalog::Table& table : database.tables)
    if (table.name == name && table.schema == harness_->schema()) return table;
  throw std::runtime_error(fmt::format("table {} is not in the catalog", name));
}

guard::Approved ConnectorConformance::Approve(Connector& connector, const sql::Select& select) {
  const catalog::Database database = Catalog(connector);
  auto approved = guard::Guard(privacy::Policy())
                      .ApproveTree(select, connector.dialect(), database.tables, ctx_.principal);
  if (!approved) throw std::runtime_error(approved.error().ToLogText());
  return *approved;
}

QueryResult ConnectorConformance::Read(Connector& connector, const std::string& table,
                                       const std::vector<std::string>& columns) {
  const guard::Approved approved =
      Approve(connector, sql::SampleSelect(harness_->schema(), table, columns, kReadRowsMax));
  auto result = connector.Query(approved, {}, ctx_);
  EXPECT_THAT(result, IsOk());
  return result ? *result : QueryResult();
}

void ConnectorConformance::GivenManyRows() {
  Given("CREATE TABLE many (i INTEGER NOT NULL)");
  Given(
      "INSERT INTO many WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
      "2000) SELECT i FROM n");
}

sql::Select ConnectorConformance::Endless() const {
  sql::Select select;
  select.columns.push_back(
      {sql::MakeCall({.function = "count", .arguments = {}, .star = true}), "n"});
  select.from = sql::TableRef{harness_->schema(), "many", "a"};
  for (const char* alias : {"b", "c", "d", "e"})
    select.joins.push_back(
        {sql::JoinKind::Inner, sql::TableRef{harness_->schema(), "many", alias},
         sql::MakeBinary("<>", sql::MakeColumn(alias, "i"), sql::MakeColumn("a", "i"))});
  return select;
}

}  // namespace schemaward::connect

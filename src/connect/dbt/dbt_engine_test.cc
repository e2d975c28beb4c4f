#include "connect/dbt/dbt_engine.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "connect/dbt/read_target.h"
#include "guard/guard.h"
#include "sql/samples.h"

namespace schemaward::connect::dbt {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const fs::path fixtures = fs::path(WARD_SOURCE_DIR) / "tests/fixtures/interchange";

class DbtEngineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("ward_dbt_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
               std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void Write(std::string_view name, std::string_view text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::unique_ptr<Connector> Open(const fs::path& folder) {
    auto connector = MakeDbtEngine()->Open({"dbt", folder.string(), ""}, ctx_);
    if (!connector) throw std::runtime_error(connector.error().ToLogText());
    return std::move(*connector);
  }
  catalog::Database Read(const fs::path& folder) {
    auto database = Open(folder)->Introspect({}, ctx_);
    if (!database) throw std::runtime_error(database.error().ToLogText());
    return std::move(*database);
  }

  SystemClock clock_;
  CallContext ctx_{clock_};
  fs::path folder_;
};

const catalog::Table& TableOf(const catalog::Database& database, std::string_view name) {
  for (const catalog::Table& table : database.tables)
    if (table.name == name) return table;
  throw std::runtime_error("no table " + std::string(name));
}

const catalog::Column& ColumnOf(const catalog::Table& table, std::string_view name) {
  return table.columns.at(catalog::FindColumn(table, name));
}

std::vector<std::string> ReasonsFor(const catalog::Database& database, std::string_view object) {
  std::vector<std::string> reasons;
  for (const catalog::Missing& missing : database.missing)
    if (missing.object == object) reasons.push_back(missing.reason);
  return reasons;
}

TEST_F(DbtEngineTest, ReadsModelsSeedsAndSourcesAsTables) {
  const catalog::Database database = Read(fixtures / "dbt_v12");
  EXPECT_EQ(database.engine, "dbt");
  EXPECT_EQ(database.engine_version, "1.9.4 (snowflake)");
  EXPECT_EQ(database.name, "warehouse");
  std::vector<std::string> names;
  for (const catalog::Table& table : database.tables)
    names.push_back(catalog::QualifiedName(table));
  EXPECT_THAT(names,
              ElementsAre("analytics.addresses", "analytics.countries", "analytics.customers",
                          "analytics.fct_orders", "analytics.order_items", "raw.PEOPLE_V2"));
  EXPECT_EQ(TableOf(database, "addresses").kind, catalog::TableKind::View);
  EXPECT_EQ(TableOf(database, "customers").comment, "People who bought or may buy.");
  EXPECT_EQ(TableOf(database, "customers").row_estimate, 1200);
}

TEST_F(DbtEngineTest, TakesColumnsFromCatalogJsonElseAsDeclared) {
  const catalog::Database database = Read(fixtures / "dbt_v12");
  const catalog::Table& orders = TableOf(database, "fct_orders");
  ASSERT_THAT(orders.columns, SizeIs(5));
  EXPECT_EQ(orders.columns[0].name, "ORDER_ID");
  EXPECT_EQ(ColumnOf(orders, "ORDERED_AT").type, "TIMESTAMP_NTZ");
  EXPECT_EQ(ColumnOf(orders, "ORDERED_AT").comment, "When it was placed.");
  EXPECT_THAT(ReasonsFor(database, "analytics.fct_orders.gone"), Contains(HasSubstr("catalog")));
  EXPECT_EQ(ColumnOf(TableOf(database, "order_items"), "amount").type, "numeric");
  EXPECT_THAT(ReasonsFor(database, "analytics.order_items"), Contains(HasSubstr("catalog.json")));
}

TEST_F(DbtEngineTest, TestsAndConstraintsBecomeKeys) {
  const catalog::Database database = Read(fixtures / "dbt_v12");
  const catalog::Table& customers = TableOf(database, "customers");
  ASSERT_TRUE(customers.primary_key);
  EXPECT_THAT(customers.primary_key->columns, ElementsAre("CUSTOMER_ID"));
  EXPECT_FALSE(ColumnOf(customers, "CUSTOMER_ID").nullable);
  EXPECT_TRUE(ColumnOf(customers, "EMAIL").nullable);
  EXPECT_THAT(TableOf(database, "addresses").primary_key->columns, ElementsAre("address_id"));
  const catalog::Table& items = TableOf(database, "order_items");
  EXPECT_FALSE(items.primary_key);
  EXPECT_THAT(items.unique_keys,
              ElementsAre(Field(&catalog::Key::columns, ElementsAre("order_id", "line"))));
  EXPECT_THAT(items.checks, ElementsAre(Field(&catalog::Check::expression, "amount >= 0")));
}

TEST_F(DbtEngineTest, TestsOfSomeRowsAndTestsThatOnlyWarnMakeNoKeys) {
  const catalog::Database v12 = Read(fixtures / "dbt_v12");
  EXPECT_THAT(TableOf(v12, "customers").unique_keys, IsEmpty());
  EXPECT_THAT(ReasonsFor(v12, "analytics.customers"), Contains(HasSubstr("some rows only")));
  const catalog::Database v10 = Read(fixtures / "dbt_v10");
  EXPECT_THAT(TableOf(v10, "customers_history").unique_keys, IsEmpty());
  EXPECT_THAT(ReasonsFor(v10, "snapshots.customers_history"), Contains(HasSubstr("only warns")));
}

TEST_F(DbtEngineTest, RelationshipsBecomeForeignKeysWhereTheTargetIsUnique) {
  const catalog::Database database = Read(fixtures / "dbt_v12");
  const auto to = [](std::string_view table, std::string_view column, std::string_view target) {
    return AllOf(Field(&catalog::ForeignKey::target_table, std::string(table)),
                 Field(&catalog::ForeignKey::columns, ElementsAre(std::string(column))),
                 Field(&catalog::ForeignKey::target_columns, ElementsAre(std::string(target))));
  };
  EXPECT_THAT(TableOf(database, "fct_orders").foreign_keys,
              ElementsAre(to("addresses", "BILLING_ADDRESS_ID", "address_id"),
                          to("customers", "CUSTOMER_ID", "CUSTOMER_ID")));
  EXPECT_THAT(TableOf(database, "order_items").foreign_keys,
              ElementsAre(to("fct_orders", "order_id", "ORDER_ID")));
  EXPECT_THAT(TableOf(database, "customers").foreign_keys, IsEmpty());
  EXPECT_THAT(ReasonsFor(database, "analytics.customers"), Contains(HasSubstr("is unique")));
}

TEST_F(DbtEngineTest, ATableMayReferToItself) {
  const catalog::Database database = Read(fixtures / "dbt_v10");
  const catalog::Table& customers = TableOf(database, "customers");
  ASSERT_THAT(customers.foreign_keys, SizeIs(1));
  EXPECT_EQ(customers.foreign_keys[0].target_table, "customers");
  EXPECT_THAT(customers.foreign_keys[0].columns, ElementsAre("parent_id"));
}

TEST_F(DbtEngineTest, AcceptedValuesAreLabelsAndMetaGivesTags) {
  const catalog::Database database = Read(fixtures / "dbt_v12");
  EXPECT_THAT(ColumnOf(TableOf(database, "fct_orders"), "STATUS").labels,
              ElementsAre("placed", "shipped", "cancelled"));
  EXPECT_THAT(ColumnOf(TableOf(database, "customers"), "EMAIL").tags,
              ElementsAre("contact", "pii:email"));
  EXPECT_THAT(ColumnOf(TableOf(database, "addresses"), "city").tags, ElementsAre("place", "pii"));
  EXPECT_THAT(ColumnOf(TableOf(database, "addresses"), "address_id").tags,
              ElementsAre("pii", "pii:ssn", "pii:pci"));
  EXPECT_THAT(ColumnOf(TableOf(database, "customers"), "COUNTRY").tags, IsEmpty());
}

TEST_F(DbtEngineTest, ReadsOneSchemaWhereAsked) {
  const auto database = Open(fixtures / "dbt_v12")->Introspect({{"raw"}}, ctx_);
  ASSERT_THAT(database, IsOk());
  EXPECT_THAT(database->tables, SizeIs(1));
}

TEST_F(DbtEngineTest, FingerprintFollowsBothFiles) {
  fs::copy(fixtures / "dbt_v12" / "manifest.json", folder_ / "manifest.json");
  const auto connector = Open(folder_);
  const auto before = connector->Fingerprint(ctx_);
  ASSERT_THAT(before, IsOk());
  EXPECT_EQ(connector->Introspect({}, ctx_)->fingerprint, *before);
  Write("catalog.json", R"({"nodes": {}})");
  EXPECT_THAT(connector->Fingerprint(ctx_), IsOkAnd(Not(Eq(*before))));
}

TEST_F(DbtEngineTest, RefusesOldManifestsAndWarnsOfNewOnes) {
  Write("manifest.json",
        R"({"metadata": {"dbt_schema_version": "https://x/dbt/manifest/v9.json"}, "nodes": {}})");
  EXPECT_THAT(Open(folder_)->Introspect({}, ctx_),
              IsError(ErrorKind::InputUnreadable, HasSubstr("schema v9")));
  Write("manifest.json",
        R"({"metadata": {"dbt_schema_version": "https://x/dbt/manifest/v13.json"}, "nodes": {}})");
  EXPECT_THAT(ReasonsFor(Read(folder_), "manifest.json"), ElementsAre(HasSubstr("newer than v12")));
}

TEST_F(DbtEngineTest, SaysWhatIsWrongWithTheFiles) {
  EXPECT_THAT(MakeDbtEngine()->Open({"dbt", folder_.string(), ""}, ctx_),
              IsError(ErrorKind::SourceUnreachable, HasSubstr("manifest.json")));
  Write("manifest.json", "{\"metadata\": ");
  EXPECT_THAT(Open(folder_)->Introspect({}, ctx_),
              IsError(ErrorKind::InputUnreadable, HasSubstr("cannot be read")));
  Write("manifest.json", "[1]");
  EXPECT_THAT(Open(folder_)->Introspect({}, ctx_),
              IsError(ErrorKind::InputUnreadable, HasSubstr("no manifest")));
  fs::copy(fixtures / "dbt_v10" / "manifest.json", folder_ / "manifest.json",
           fs::copy_options::overwrite_existing);
  Write("catalog.json", "{");
  EXPECT_THAT(ReasonsFor(Read(folder_), "catalog.json"), ElementsAre(HasSubstr("cannot be read")));
}

TEST_F(DbtEngineTest, AnswersNoQueries) {
  const auto connector = Open(fixtures / "dbt_v10");
  EXPECT_FALSE(connector->capabilities().runs_queries);
  const auto database = connector->Introspect({}, ctx_);
  ASSERT_THAT(database, IsOk());
  const auto approved = guard::Guard(privacy::Policy())
                            .ApproveTree(sql::SampleSelect("analytics", "customers", {"id"}, 10),
                                         connector->dialect(), database->tables, ctx_.principal);
  ASSERT_THAT(approved, IsOk());
  EXPECT_THAT(connector->Query(*approved, {}, ctx_),
              IsError(ErrorKind::EngineUnavailable, HasSubstr("no rows")));
  EXPECT_THAT(connector->Explain(*approved, ctx_), IsError(ErrorKind::EngineUnavailable));
}

TEST_F(DbtEngineTest, ListsABoundedNumberOfWhatIsMissing) {
  std::string nodes;
  for (int i = 0; i < 150; ++i)
    nodes += (i > 0 ? "," : "") + std::string("\"model.p.m") + std::to_string(i) +
             R"(": {"resource_type": "model", "name": "", "config": {}})";
  Write("manifest.json",
        R"({"metadata": {"dbt_schema_version": "https://x/dbt/manifest/v12.json"}, "nodes": {)" +
            nodes + "}}");
  EXPECT_THAT(Read(folder_).missing, SizeIs(kMissingMax + 1));
}

}  // namespace
}  // namespace schemaward::connect::dbt

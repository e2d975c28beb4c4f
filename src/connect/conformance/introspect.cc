// What an engine says of its catalog.

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/result_matchers.h"
#include "connect/conformance/conformance.h"

namespace schemaward::connect {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kShop = R"(
CREATE TABLE parent (
  a INTEGER NOT NULL,
  b INTEGER NOT NULL,
  note VARCHAR(20),
  PRIMARY KEY (b, a)
);
CREATE TABLE child (
  id INTEGER PRIMARY KEY,
  pb INTEGER,
  pa INTEGER,
  state VARCHAR(10) DEFAULT 'new' NOT NULL CHECK (state IN ('new', 'paid', 'it''s')),
  twice INTEGER GENERATED ALWAYS AS (pa * 2) STORED,
  boss INTEGER REFERENCES child,
  FOREIGN KEY (pa, pb) REFERENCES parent (a, b) ON UPDATE SET NULL ON DELETE CASCADE
);
CREATE UNIQUE INDEX child_state_key ON child (state, pa);
CREATE UNIQUE INDEX child_part_key ON child (pb) WHERE pa > 1;
CREATE UNIQUE INDEX child_lower_key ON child (lower(state));
CREATE INDEX child_boss ON child (boss);
CREATE VIEW child_view AS SELECT id, state FROM child;
)";

std::vector<std::string> NamesOf(const catalog::Database& database) {
  std::vector<std::string> names;
  for (const catalog::Table& table : database.tables) names.push_back(table.name);
  return names;
}

std::vector<std::string> ColumnsOf(const catalog::Table& table) {
  std::vector<std::string> names;
  for (const catalog::Column& column : table.columns) names.push_back(column.name);
  return names;
}

const catalog::Column& ColumnOf(const catalog::Table& table, std::string_view name) {
  return table.columns.at(catalog::FindColumn(table, name));
}

const catalog::ForeignKey& KeyTo(const catalog::Table& table, std::string_view target) {
  for (const catalog::ForeignKey& key : table.foreign_keys)
    if (key.target_table == target) return key;
  throw std::runtime_error(fmt::format("no foreign key to {}", target));
}

const catalog::Index& IndexOf(const catalog::Table& table, std::string_view name) {
  for (const catalog::Index& index : table.indexes)
    if (index.name == name) return index;
  throw std::runtime_error(fmt::format("no index {}", name));
}

TEST_P(ConnectorConformance, SaysNothingOfAnEmptyDatabase) {
  const catalog::Database database = Catalog(*Connect());
  EXPECT_THAT(database.tables, IsEmpty());
  EXPECT_THAT(database.missing, IsEmpty());
  EXPECT_EQ(database.engine, harness_->engine().name());
  EXPECT_FALSE(database.engine_version.empty());
  EXPECT_FALSE(database.fingerprint.empty());
}

TEST_P(ConnectorConformance, ListsTablesAndViewsByNameWithoutSystemObjects) {
  Given(kShop);
  const catalog::Database database = Catalog(*Connect());
  EXPECT_THAT(NamesOf(database), ElementsAre("child", "child_view", "parent"));
  EXPECT_THAT(database.tables, Each(Field(&catalog::Table::schema, harness_->schema())));
  EXPECT_EQ(TableOf(database, "child").kind, catalog::TableKind::Table);
  EXPECT_EQ(TableOf(database, "child_view").kind, catalog::TableKind::View);
  EXPECT_THAT(ColumnsOf(TableOf(database, "child_view")), ElementsAre("id", "state"));
}

TEST_P(ConnectorConformance, KeepsTheOrderOfColumnsAndOfThePrimaryKey) {
  Given(kShop);
  const catalog::Database database = Catalog(*Connect());
  const catalog::Table& parent = TableOf(database, "parent");
  EXPECT_THAT(ColumnsOf(parent), ElementsAre("a", "b", "note"));
  ASSERT_TRUE(parent.primary_key.has_value());
  EXPECT_THAT(parent.primary_key->columns, ElementsAre("b", "a"));
  EXPECT_THAT(parent.columns, Each(Field(&catalog::Column::type, Not(IsEmpty()))));
}

TEST_P(ConnectorConformance, PairsTheColumnsOfACompositeForeignKeyByPosition) {
  Given(kShop);
  const catalog::Database database = Catalog(*Connect());
  const catalog::Table& child = TableOf(database, "child");
  EXPECT_THAT(child.foreign_keys, SizeIs(2));
  const catalog::ForeignKey& key = KeyTo(child, "parent");
  // Which pair comes first is the engine's affair: some keep the order of the key referred to.
  EXPECT_THAT(key.columns, UnorderedElementsAre("pa", "pb"));
  ASSERT_THAT(key.target_columns, SizeIs(2));
  for (std::size_t i = 0; i < key.columns.size(); ++i)
    EXPECT_EQ(key.target_columns[i], key.columns[i] == "pa" ? "a" : "b");
  EXPECT_EQ(key.target_schema, harness_->schema());
  if (!harness_->HasReferentialActions()) return;
  EXPECT_EQ(key.on_update, "set null");
  EXPECT_EQ(key.on_delete, "cascade");
}

TEST_P(ConnectorConformance, ResolvesAForeignKeyWithoutTargetColumns) {
  Given(kShop);
  const catalog::Database database = Catalog(*Connect());
  const catalog::ForeignKey& key = KeyTo(TableOf(database, "child"), "child");
  EXPECT_THAT(key.columns, ElementsAre("boss"));
  EXPECT_THAT(key.target_columns, ElementsAre("id"));
  // Some engines print the one for the other: they check at the same moment.
  EXPECT_THAT(key.on_delete, ::testing::AnyOf("no action", "restrict"));
}

TEST_P(ConnectorConformance, KeepsTwoForeignKeysToOneTableApart) {
  Given(
      "CREATE TABLE team (id INTEGER PRIMARY KEY);"
      "CREATE TABLE game (home INTEGER REFERENCES team (id), away INTEGER REFERENCES team (id));");
  const catalog::Database database = Catalog(*Connect());
  const catalog::Table& game = TableOf(database, "game");
  EXPECT_THAT(game.foreign_keys,
              UnorderedElementsAre(Field(&catalog::ForeignKey::columns, ElementsAre("home")),
                                   Field(&catalog::ForeignKey::columns, ElementsAre("away"))));
}

TEST_P(ConnectorConformance, TakesOnlyPlainAndWholeUniqueIndexesForKeys) {
  Given(kShop);
  const catalog::Database database = Catalog(*Connect());
  const catalog::Table& child = TableOf(database, "child");
  EXPECT_THAT(child.unique_keys,
              ElementsAre(Field(&catalog::Key::columns, ElementsAre("state", "pa"))));
  EXPECT_THAT(IndexOf(child, "child_lower_key").columns, SizeIs(1));
  EXPECT_FALSE(IndexOf(child, "child_boss").unique);
  EXPECT_THAT(IndexOf(child, "child_boss").columns, ElementsAre("boss"));
}

TEST_P(ConnectorConformance, KeepsTheConditionOfAPartialIndex) {
  if (!harness_->HasPartialIndexes()) GTEST_SKIP() << "the engine's indexes have no conditions";
  Given(kShop);
  const catalog::Database database = Catalog(*Connect());
  const catalog::Table& child = TableOf(database, "child");
  EXPECT_TRUE(IndexOf(child, "child_part_key").predicate.has_value());
  EXPECT_TRUE(IndexOf(child, "child_part_key").unique);
}

TEST_P(ConnectorConformance, ReportsUniqueConstraints) {
  Given("CREATE TABLE u (a INTEGER, b INTEGER, c INTEGER UNIQUE, UNIQUE (b, a))");
  const catalog::Database database = Catalog(*Connect());
  EXPECT_THAT(TableOf(database, "u").unique_keys,
              UnorderedElementsAre(Field(&catalog::Key::columns, ElementsAre("c")),
                                   Field(&catalog::Key::columns, ElementsAre("b", "a"))));
}

TEST_P(ConnectorConformance, ReportsNullabilityDefaultsAndGeneratedColumns) {
  Given(kShop);
  const catalog::Database database = Catalog(*Connect());
  const catalog::Table& child = TableOf(database, "child");
  EXPECT_FALSE(ColumnOf(child, "id").nullable);
  EXPECT_FALSE(ColumnOf(child, "state").nullable);
  EXPECT_TRUE(ColumnOf(child, "pa").nullable);
  ASSERT_TRUE(ColumnOf(child, "state").default_value.has_value());
  EXPECT_THAT(*ColumnOf(child, "state").default_value, ::testing::HasSubstr("'new'"));
  EXPECT_FALSE(ColumnOf(child, "pa").default_value.has_value());
  ASSERT_TRUE(ColumnOf(child, "twice").generated.has_value());
  EXPECT_THAT(*ColumnOf(child, "twice").generated, ::testing::HasSubstr("* 2"));
  EXPECT_FALSE(ColumnOf(child, "twice").default_value.has_value());
}

TEST_P(ConnectorConformance, ReadsLabelsFromACheckInList) {
  Given(kShop);
  const catalog::Database database = Catalog(*Connect());
  const catalog::Table& child = TableOf(database, "child");
  EXPECT_THAT(ColumnOf(child, "state").labels, ElementsAre("new", "paid", "it's"));
  EXPECT_THAT(ColumnOf(child, "pa").labels, IsEmpty());
  EXPECT_THAT(child.checks, SizeIs(1));
}

TEST_P(ConnectorConformance, TakesNoLabelsFromAConditionThatOnlyLooksLikeAList) {
  Given(
      "CREATE TABLE loose (a VARCHAR(5) CHECK (a IN ('x', 'y') OR a > 'z'), b VARCHAR(5) CHECK (b "
      "NOT IN ('x', 'y')))");
  const catalog::Database database = Catalog(*Connect());
  const catalog::Table& loose = TableOf(database, "loose");
  EXPECT_THAT(ColumnOf(loose, "a").labels, IsEmpty());
  EXPECT_THAT(ColumnOf(loose, "b").labels, IsEmpty());
  EXPECT_THAT(loose.checks, SizeIs(2));
}

TEST_P(ConnectorConformance, KeepsNamesAsTheyAre) {
  const std::string long_name = std::string(62, 'n') + "Z";
  Given(fmt::format(
      R"(CREATE TABLE "Mixed Case" ("Order" INTEGER PRIMARY KEY, "quo""te" TEXT, "a.b" TEXT, "{}" TEXT, "a
b" TEXT))",
      "\xE6\x97\xA5\xE6\x9C\xAC"));
  Given(fmt::format(R"(CREATE TABLE "{}" (x INTEGER))", long_name));
  Given(R"(CREATE TABLE "select" ("from" INTEGER REFERENCES "Mixed Case" ("Order")))");
  const catalog::Database database = Catalog(*Connect());
  EXPECT_THAT(NamesOf(database), UnorderedElementsAre("Mixed Case", long_name, "select"));
  EXPECT_THAT(ColumnsOf(TableOf(database, "Mixed Case")),
              ElementsAre("Order", "quo\"te", "a.b", "\xE6\x97\xA5\xE6\x9C\xAC", "a\nb"));
  EXPECT_THAT(KeyTo(TableOf(database, "select"), "Mixed Case").target_columns,
              ElementsAre("Order"));
}

TEST_P(ConnectorConformance, SortsTablesByTheBytesOfTheirNames) {
  Given(
      R"(CREATE TABLE b (x INTEGER); CREATE TABLE a_b (x INTEGER); CREATE TABLE "Zebra" (x INTEGER); CREATE TABLE ab (x INTEGER))");
  EXPECT_THAT(NamesOf(Catalog(*Connect())), ElementsAre("Zebra", "a_b", "ab", "b"));
}

TEST_P(ConnectorConformance, KeepsTablesOfOneNameInSeveralSchemasApart) {
  auto connector = Connect();
  if (!connector->capabilities().has_schemas) GTEST_SKIP() << "the engine has no schemas";
  Given(
      "CREATE TABLE twin (a INTEGER PRIMARY KEY); CREATE SCHEMA \"Other\"; CREATE TABLE "
      "\"Other\".twin (b INTEGER PRIMARY KEY);"
      "CREATE TABLE \"Other\".refers (b INTEGER REFERENCES \"Other\".twin (b))");
  const catalog::Database database = Catalog(*connector);
  ASSERT_THAT(database.tables, SizeIs(3));
  EXPECT_EQ(database.tables[0].schema, "Other");
  EXPECT_THAT(ColumnsOf(database.tables[1]), ElementsAre("b"));
  EXPECT_EQ(database.tables[0].foreign_keys.at(0).target_schema, "Other");
  EXPECT_THAT(ColumnsOf(TableOf(database, "twin")), ElementsAre("a"));
}

TEST_P(ConnectorConformance, ReadsOnlyTheSchemasOfTheScope) {
  auto connector = Connect();
  if (!connector->capabilities().has_schemas) GTEST_SKIP() << "the engine has no schemas";
  Given(
      "CREATE TABLE twin (a INTEGER); CREATE SCHEMA \"Other\"; CREATE TABLE \"Other\".twin (b "
      "INTEGER)");
  auto database = connector->Introspect({.schemas = {"Other"}}, ctx_);
  ASSERT_THAT(database, IsOk());
  EXPECT_THAT(database->tables, ElementsAre(Field(&catalog::Table::schema, "Other")));
}

TEST_P(ConnectorConformance, EstimatesRowsFromTheEnginesOwnStatistics) {
  GivenManyRows();
  Given("CREATE INDEX many_i ON many (i)");
  ASSERT_THAT(harness_->Analyze(), IsOk());
  const catalog::Database database = Catalog(*Connect());
  ASSERT_TRUE(TableOf(database, "many").row_estimate.has_value());
  EXPECT_GE(*TableOf(database, "many").row_estimate, 1000);
  EXPECT_LE(*TableOf(database, "many").row_estimate, 4000);
}

TEST_P(ConnectorConformance, SaysTheSameTwice) {
  Given(kShop);
  auto connector = Connect();
  const catalog::Database first = Catalog(*connector);
  EXPECT_EQ(first, Catalog(*connector));
  EXPECT_EQ(first, Catalog(*Connect()));
}

TEST_P(ConnectorConformance, KeepsItsFingerprintWhileOnlyRowsChange) {
  Given(kShop);
  auto connector = Connect();
  const std::string before = Catalog(*connector).fingerprint;
  EXPECT_THAT(connector->Fingerprint(ctx_), IsOkAnd(before));
  Given(
      "INSERT INTO parent (a, b, note) VALUES (1, 2, 'x'); UPDATE parent SET note = 'y'; DELETE "
      "FROM parent");
  EXPECT_THAT(connector->Fingerprint(ctx_), IsOkAnd(before));
  EXPECT_THAT(Connect()->Fingerprint(ctx_), IsOkAnd(before));
}

TEST_P(ConnectorConformance, ChangesItsFingerprintWithEachChangeOfTheSchema) {
  Given(kShop);
  auto connector = Connect();
  // A change that is taken back may give the earlier text again.
  std::string before = Catalog(*connector).fingerprint;
  for (const char* change :
       {"ALTER TABLE parent ADD COLUMN extra INTEGER", "CREATE TABLE added (x INTEGER)",
        "CREATE INDEX added_x ON added (x)", "CREATE VIEW added_view AS SELECT x FROM added",
        "DROP VIEW added_view", "ALTER TABLE added RENAME TO renamed", "DROP TABLE renamed"}) {
    Given(change);
    auto now = connector->Fingerprint(ctx_);
    ASSERT_THAT(now, IsOk()) << change;
    EXPECT_NE(*now, before) << change;
    before = *now;
  }
}

TEST_P(ConnectorConformance, SendsAsManyStatementsForManyTablesAsForFew) {
  Given(kShop);
  auto small = Connect();
  (void)Catalog(*small);
  const auto few = harness_->StatementsSent(*small);
  if (!few) GTEST_SKIP() << "the engine does not count statements";
  for (int i = 0; i < 60; ++i)
    Given(
        fmt::format("CREATE TABLE more_{0} (a INTEGER PRIMARY KEY, b INTEGER REFERENCES more_{0}, "
                    "c TEXT UNIQUE)",
                    i));
  auto large = Connect();
  EXPECT_THAT(Catalog(*large).tables, SizeIs(63));
  EXPECT_EQ(harness_->StatementsSent(*large), few);
}

TEST_P(ConnectorConformance, DoesNotIntrospectForACallerWhoGaveUp) {
  Given(kShop);
  auto connector = Connect();
  std::stop_source stop;
  stop.request_stop();
  CallContext cancelled(clock_);
  cancelled.stop = stop.get_token();
  EXPECT_THAT(connector->Introspect({}, cancelled), IsError(ErrorKind::Cancelled));
  CallContext late(clock_);
  late.deadline = Deadline(clock_.Now());
  EXPECT_THAT(connector->Introspect({}, late), IsError(ErrorKind::DeadlineExceeded));
  EXPECT_THAT(connector->Introspect({}, ctx_), IsOk());
}

}  // namespace
}  // namespace schemaward::connect

#include "suggest/foreign_keys.h"

#include <chrono>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suggest/names.h"
#include "suggest/test_support.h"

namespace schemaward::suggest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Tables = std::vector<catalog::Table>;

std::vector<std::string> Infer(const Tables& tables, const InferOptions& options = {}) {
  std::vector<std::string> shown;
  ColumnNames names;
  for (const InferredKey& key : InferForeignKeys(tables, options, names))
    shown.push_back(fmt::format("{}({}) -> {}({})", tables[key.table].name,
                                fmt::join(key.columns, ","), tables[key.target].name,
                                fmt::join(key.target_columns, ",")));
  return shown;
}

const catalog::Table customers_table =
    MakeTable("customers", {{"id", "integer"}, {"name", "text"}}, {"id"});

TEST(ForeignKeys, FindsAColumnNamedForATable) {
  const Tables tables{customers_table,
                      MakeTable("orders", {{"id", "integer"}, {"customer_id", "integer"}}, {"id"})};
  EXPECT_THAT(Infer(tables), ElementsAre("orders(customer_id) -> customers(id)"));
}

TEST(ForeignKeys, ReadsCamelCasePluralsAndPrefixes) {
  const Tables tables{
      MakeTable("tbl_Countries", {{"CountryCode", "char(2)"}}, {"CountryCode"}),
      MakeTable("Person", {{"PersonID", "int"}, {"BirthCountryCode", "char(2)"}}, {"PersonID"})};
  EXPECT_THAT(Infer(tables), ElementsAre("Person(BirthCountryCode) -> tbl_Countries(CountryCode)"));
}

TEST(ForeignKeys, ReadsRolesAndNumbers) {
  const Tables tables{MakeTable("team", {{"team_id", "int"}}, {"team_id"}),
                      MakeTable("game",
                                {{"game_id", "int"},
                                 {"home_team_id", "int"},
                                 {"away_team_id", "int"},
                                 {"team_id_3", "int"}},
                                {"game_id"})};
  EXPECT_THAT(Infer(tables), ElementsAre("game(away_team_id) -> team(team_id)",
                                         "game(home_team_id) -> team(team_id)",
                                         "game(team_id_3) -> team(team_id)"));
}

TEST(ForeignKeys, FindsHierarchiesAndActors) {
  const Tables tables{
      MakeTable("employee", {{"id", "int"}, {"manager_id", "int"}}, {"id"}),
      MakeTable("category", {{"id", "int"}, {"parent_id", "int"}, {"created_by", "int"}}, {"id"})};
  EXPECT_THAT(Infer(tables), ElementsAre("employee(manager_id) -> employee(id)",
                                         "category(created_by) -> employee(id)",
                                         "category(parent_id) -> category(id)"));
}

TEST(ForeignKeys, TheTableThatANameBelongsToOwnsIt) {
  // Both have person_id as their key; it is the person's.
  const Tables tables{MakeTable("driver", {{"person_id", "int"}}, {"person_id"}),
                      MakeTable("people", {{"person_id", "int"}}, {"person_id"})};
  EXPECT_THAT(Infer(tables), ElementsAre("driver(person_id) -> people(person_id)"));
}

TEST(ForeignKeys, GuessesNothingWhereTwoTablesFitAlike) {
  const Tables tables{MakeTable("alpha", {{"ticket_id", "int"}}, {"ticket_id"}),
                      MakeTable("beta", {{"ticket_id", "int"}}, {"ticket_id"}),
                      MakeTable("gamma", {{"id", "int"}, {"ticket_id", "int"}}, {"id"})};
  EXPECT_THAT(Infer(tables), IsEmpty());
}

TEST(ForeignKeys, NeverPairsGenericNames) {
  const Tables tables{MakeTable("a", {{"id", "int"}, {"name", "text"}, {"type", "int"}}, {"id"}),
                      MakeTable("b", {{"id", "int"}, {"name", "text"}, {"type", "int"}}, {"id"}),
                      MakeTable("c", {{"name", "text"}}, {"name"})};
  EXPECT_THAT(Infer(tables), IsEmpty());
}

TEST(ForeignKeys, TypesMustAgree) {
  const Tables tables{customers_table,
                      MakeTable("orders", {{"id", "integer"}, {"customer_id", "text"}}, {"id"})};
  EXPECT_THAT(Infer(tables), IsEmpty());
  EXPECT_THAT(Infer(tables, {.types_are_loose = true}),
              ElementsAre("orders(customer_id) -> customers(id)"));
}

TEST(ForeignKeys, StaysInOneSchemaAndLeavesViewsAndDeclaredKeysAlone) {
  Tables tables{customers_table,
                MakeTable("orders", {{"id", "integer"}, {"customer_id", "integer"}}, {"id"}),
                MakeTable("late_orders", {{"customer_id", "integer"}}),
                MakeTable("returns", {{"customer_id", "integer"}})};
  tables[1].foreign_keys.push_back({"fk", {"customer_id"}, "public", "customers", {"id"}, {}, {}});
  tables[2].kind = catalog::TableKind::View;
  tables[3].schema = "other";
  EXPECT_THAT(Infer(tables), IsEmpty());
}

TEST(ForeignKeys, RepeatedCompositeKeysRefer) {
  const Tables tables{
      MakeTable("orders", {{"order_id", "int"}}, {"order_id"}),
      MakeTable("order_lines", {{"order_id", "int"}, {"line_no", "int"}}, {"order_id", "line_no"}),
      MakeTable("shipments", {{"id", "int"}, {"order_id", "int"}, {"line_no", "int"}}, {"id"})};
  EXPECT_THAT(Infer(tables),
              ElementsAre("order_lines(order_id) -> orders(order_id)",
                          "shipments(order_id) -> orders(order_id)",
                          "shipments(order_id,line_no) -> order_lines(order_id,line_no)"));
}

TEST(ForeignKeys, SaysWhetherTheTargetIsUnique) {
  const Tables tables{MakeTable("team", {{"year", "int"}, {"team_id", "int"}}),
                      MakeTable("game", {{"id", "int"}, {"team_id", "int"}}, {"id"})};
  ColumnNames names;
  const auto keys = InferForeignKeys(tables, {}, names);
  ASSERT_EQ(keys.size(), 1U);
  EXPECT_FALSE(keys[0].target_is_unique);
  EXPECT_EQ(keys[0].evidence, "column team_id is named as the key team_id of public.team");
}

// A name that thousands of tables share must not make the work grow with their product.
TEST(ForeignKeys, WorkGrowsWithTheNumberOfColumns) {
  constexpr int kTables = 5'000;
  Tables tables;
  for (int t = 0; t < kTables; ++t)
    tables.push_back(MakeTable(fmt::format("shard_{}", t),
                               {{"account_id", "int"}, {"tenant_id", "int"}, {"amount", "int"}},
                               {"account_id", "tenant_id"}));
  for (int t = 0; t < kTables; ++t) tables[static_cast<std::size_t>(t)].name += "_orders";
  const auto started = std::chrono::steady_clock::now();
  EXPECT_THAT(Infer(tables), IsEmpty());
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(20));
}

TEST(Names, ReadTheWordThatSaysIdentifier) {
  const ColumnWords apart = ReadColumnName("CustomerIDs");
  EXPECT_THAT(apart.stem, ElementsAre("customer"));
  EXPECT_EQ(apart.id_word, "id");
  const ColumnWords together = ReadColumnName("stuid");
  EXPECT_THAT(together.stem, ElementsAre("stu"));
  EXPECT_FALSE(together.id_apart);
  EXPECT_EQ(ReadColumnName("total").id_word, "");
  EXPECT_TRUE(ReadColumnName("").words.empty());
}

TEST(Names, FitTellsOwnersFromOthers) {
  EXPECT_EQ(FitOf({"customer"}, {"customer"}), Fit::Same);
  EXPECT_EQ(FitOf({"template", "type"}, {"document", "template", "type"}), Fit::Trailing);
  EXPECT_EQ(FitOf({"stu"}, {"student"}), Fit::Prefix);
  EXPECT_EQ(FitOf({"dept"}, {"department"}), Fit::Letters);
  EXPECT_EQ(FitOf({"p"}, {"publication"}), Fit::Initial);
  EXPECT_EQ(FitOf({"color"}, {"publication"}), Fit::None);
  EXPECT_EQ(FitOf({}, {"publication"}), Fit::None);
}

}  // namespace
}  // namespace schemaward::suggest

#include "guard/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/functions.h"
#include "sql/samples.h"

namespace schemaward::guard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

catalog::Table MakeTable(const char* name, std::vector<std::string> columns) {
  catalog::Table table;
  table.schema = "main";
  table.name = name;
  for (std::string& column : columns) {
    table.columns.emplace_back();
    table.columns.back().name = std::move(column);
  }
  return table;
}

std::vector<catalog::Table> Tables() {
  return {MakeTable("people", {"id", "name", "ssn", "card_number"}),
          MakeTable("orders", {"id", "person_id", "amount"})};
}

Result<Approved> Approve(const sql::Select& select) {
  return Guard(privacy::Policy()).ApproveTree(select, sql::Sqlite(), Tables(), Principal());
}

sql::Select Joined() {
  sql::Select select = sql::SampleSelect("main", "people", {"name"}, 3);
  select.joins.push_back(
      {sql::JoinKind::Inner, sql::TableRef{"main", "orders", "o"},
       sql::MakeBinary("=", sql::MakeColumn("o", "person_id"), sql::MakeColumn("t", "id"))});
  return select;
}

TEST(Guard, ApprovesASampleAndSaysWhatItReads) {
  auto approved = Approve(sql::SampleSelect("main", "people", {"name", "id"}, 5));
  ASSERT_THAT(approved, IsOk());
  EXPECT_EQ(approved->text(),
            R"(SELECT "t"."name" AS "name", "t"."id" AS "id" FROM "main"."people" AS "t" LIMIT 5)");
  EXPECT_EQ(&approved->dialect(), &sql::Sqlite());
  EXPECT_THAT(approved->reads(), ElementsAre(TableRead{"main", "people", {"id", "name"}}));
  EXPECT_THAT(approved->rules(), ElementsAre("names_resolve", "listed_functions", "pii_floor",
                                             "known_lineage", "rendered"));
}

TEST(Guard, ListsEveryTableOfAJoin) {
  auto approved = Approve(Joined());
  ASSERT_THAT(approved, IsOk());
  EXPECT_THAT(approved->reads(), ElementsAre(TableRead{"main", "orders", {"person_id"}},
                                             TableRead{"main", "people", {"id", "name"}}));
}

TEST(Guard, BindsValuesInsteadOfPrintingThem) {
  sql::Select select = sql::SampleSelect("main", "people", {"name"}, 3);
  select.where = sql::MakeBinary("=", sql::MakeColumn("t", "name"),
                                 sql::MakeLiteral({std::string("x' OR 1=1")}));
  auto approved = Approve(select);
  ASSERT_THAT(approved, IsOk());
  EXPECT_THAT(approved->text(), HasSubstr("= ?"));
  EXPECT_THAT(approved->parameters(), SizeIs(1));
}

TEST(Guard, RefusesNamesThatAreNotThere) {
  EXPECT_THAT(Approve(sql::SampleSelect("main", "persons", {"name"}, 1)),
              IsError(ErrorKind::SqlUnknownName, HasSubstr("persons")));
  EXPECT_THAT(Approve(sql::SampleSelect("other", "people", {"name"}, 1)),
              IsError(ErrorKind::SqlUnknownName));
  EXPECT_THAT(Approve(sql::SampleSelect("main", "people", {"nam"}, 1)),
              IsError(ErrorKind::SqlUnknownName, HasSubstr("t.nam")));
  EXPECT_THAT(Approve(sql::SampleSelect("main", "people", {"NAME"}, 1)),
              IsError(ErrorKind::SqlUnknownName));
}

TEST(Guard, RefusesAnUnqualifiedColumnThatFitsTwoTables) {
  sql::Select select = Joined();
  select.columns.push_back({sql::MakeColumn("", "id"), "x"});
  EXPECT_THAT(Approve(select), IsError(ErrorKind::SqlUnknownName));
}

TEST(Guard, RefusesOneAliasForTwoTables) {
  sql::Select select = Joined();
  std::get<sql::TableRef>(select.joins.front().table).alias = "t";
  EXPECT_THAT(Approve(select), IsError(ErrorKind::Internal));
}

// A floor column is refused wherever it stands: each row puts it in another place.
TEST(Guard, RefusesFloorColumnsWhereverTheyStand) {
  const auto ssn = sql::MakeColumn("t", "ssn");
  sql::Select plain = sql::SampleSelect("main", "people", {"name"}, 1);
  sql::Select where = plain, order = plain, group = plain, call = plain, joined = Joined(),
              alias = plain;
  where.where = sql::MakeBinary("like", ssn, sql::MakeLiteral({std::string("1%")}));
  order.order_by.push_back({ssn, false});
  group.group_by.push_back(ssn);
  call.columns.push_back({sql::MakeCall({.function = "min", .arguments = {ssn}}), "m"});
  joined.joins.front().on = sql::MakeBinary("=", sql::MakeColumn("o", "amount"), ssn);
  alias.columns.push_back({ssn, "harmless"});
  struct Row {
    const char* name;
    sql::Select select;
  };
  for (const Row& row : {Row{"where", where}, Row{"order by", order}, Row{"group by", group},
                         Row{"call", call}, Row{"join", joined}, Row{"alias", alias}}) {
    auto refused = Approve(row.select);
    EXPECT_THAT(refused, IsError(ErrorKind::PiiBlocked, HasSubstr("main.people.ssn"))) << row.name;
    ASSERT_FALSE(refused) << row.name;
    EXPECT_THAT(refused.error().pii_categories(), ElementsAre("government_id")) << row.name;
  }
}

TEST(Guard, NamesEveryBlockedCategoryOnce) {
  auto refused = Approve(sql::SampleSelect("main", "people", {"ssn", "card_number", "name"}, 1));
  ASSERT_THAT(refused, IsError(ErrorKind::PiiBlocked));
  EXPECT_THAT(refused.error().pii_categories(), ElementsAre("government_id", "payment_card"));
}

TEST(Guard, LetsAnAliasOfTheOutputOrderTheRows) {
  sql::Select select = sql::SampleSelect("main", "people", {}, 1);
  select.columns.push_back(
      {sql::MakeCall({.function = "count", .arguments = {}, .star = true}), "n"});
  select.order_by.push_back({sql::MakeColumn("", "n"), true});
  EXPECT_THAT(Approve(select), IsOk());
  select.order_by.front().expression = sql::MakeColumn("", "m");
  EXPECT_THAT(Approve(select), IsError(ErrorKind::SqlUnknownName));
}

TEST(Guard, RefusesFunctionsThatAreNotListed) {
  sql::Select select = sql::SampleSelect("main", "people", {"name"}, 1);
  select.columns.push_back(
      {sql::MakeCall({.function = "load_extension", .arguments = {sql::MakeColumn("t", "name")}}),
       "x"});
  EXPECT_THAT(Approve(select), IsError(ErrorKind::NotARead, HasSubstr("load_extension")));
  for (const char* name :
       {"pg_sleep", "randomblob", "zeroblob", "printf", "random", "group_concat", "COUNT", ""})
    EXPECT_FALSE(IsListedFunction(name)) << name;
  for (const char* name : {"abs", "count", "sum", "upper"})
    EXPECT_TRUE(IsListedFunction(name)) << name;
}

TEST(Guard, RefusesViewsWhoseColumnsMayHaveOtherNames) {
  std::vector<catalog::Table> tables = Tables();
  tables[0].kind = catalog::TableKind::View;
  EXPECT_THAT(Guard(privacy::Policy())
                  .ApproveTree(sql::SampleSelect("main", "people", {"name"}, 1), sql::Sqlite(),
                               tables, Principal()),
              IsError(ErrorKind::PolicyBlocked, HasSubstr("main.people")));
}

TEST(Guard, BoundsDepth) {
  sql::Select select = sql::SampleSelect("main", "people", {"name"}, 1);
  select.where = sql::MakeColumn("t", "id");
  for (int i = 0; i < 200; ++i) select.where = sql::MakeUnary("not", select.where);
  EXPECT_THAT(Approve(select), IsError(ErrorKind::Internal));
}

}  // namespace
}  // namespace schemaward::guard

// What queries add to declared and inferred keys.
#include "suggest/links.h"

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suggest/test_support.h"

namespace schemaward::suggest {
namespace {

using querylog::ObservedJoin;
using semantic::Method;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<catalog::Table> Shop() {
  return {MakeTable("accounts", {{"code", "int"}, {"region", "text"}}, {"code"}),
          MakeTable("customers", {{"id", "int"}, {"region", "text"}}, {"id"}),
          MakeTable("orders",
                    {{"id", "int"},
                     {"customer_id", "int"},
                     {"ledger", "int"},
                     {"region", "text"},
                     {"tenant", "int"}},
                    {"id"})};
}

ObservedJoin Observed(const std::string& table, const std::vector<std::string>& columns,
                      const std::string& target, const std::vector<std::string>& target_columns,
                      std::int64_t observations) {
  return {"public." + table, "public." + target, columns,
          target_columns,    observations,       observations * 10};
}

std::vector<Link> Find(const std::vector<ObservedJoin>& observed) {
  ColumnNames names;
  return FindLinks(Shop(), {}, observed, names);
}

std::string Show(const Link& link) {
  const auto tables = Shop();
  return fmt::format("{}({}) -> {}({})", tables[link.table].name, fmt::join(link.columns, ","),
                     tables[link.target].name, fmt::join(link.target_columns, ","));
}

TEST(Links, SayHowManyQueriesShowAnInferredOne) {
  const auto links = Find({Observed("customers", {"id"}, "orders", {"customer_id"}, 3)});
  ASSERT_THAT(links, SizeIs(1));
  EXPECT_EQ(Show(links[0]), "orders(customer_id) -> customers(id)");
  EXPECT_EQ(links[0].method, Method::ObservedInQueryLog);
  EXPECT_EQ(links[0].observations, 3);
  EXPECT_THAT(links[0].evidence, Contains("seen in 3 queries (30 calls)"));
  EXPECT_THAT(links[0].evidence, SizeIs(2));
}

TEST(Links, OneQueryIsEvidenceBesideNamesButNotInPlaceOfThem) {
  const auto links = Find({Observed("customers", {"id"}, "orders", {"customer_id"}, 1)});
  ASSERT_THAT(links, SizeIs(1));
  EXPECT_EQ(links[0].method, Method::Inferred);
  EXPECT_THAT(links[0].evidence, Contains("seen in 1 query (10 calls)"));
}

TEST(Links, QueriesAloneMakeOneWhereASideHasAKey) {
  const auto links = Find({Observed("accounts", {"code"}, "orders", {"ledger"}, 1)});
  ASSERT_THAT(links, SizeIs(2));
  EXPECT_EQ(Show(links[1]), "orders(ledger) -> accounts(code)");
  EXPECT_EQ(links[1].method, Method::ObservedInQueryLog);
  EXPECT_TRUE(links[1].target_is_unique);
}

TEST(Links, ColumnsThatTellNoRowsApartJoinOnlyWhatNothingElseJoins) {
  const auto apart = Observed("accounts", {"region"}, "orders", {"region"}, 2);
  EXPECT_THAT(Find({apart}), SizeIs(2));
  const auto once = Observed("accounts", {"region"}, "orders", {"region"}, 1);
  EXPECT_THAT(Find({once}), SizeIs(1));
  const auto beside = Observed("customers", {"region"}, "orders", {"region"}, 9);
  EXPECT_THAT(Find({beside}), SizeIs(1));
  const auto keyed = Observed("accounts", {"code"}, "orders", {"ledger"}, 1);
  EXPECT_THAT(Find({apart, keyed}), SizeIs(2));
}

TEST(Links, ConditionsBesideAKnownOneAreNoOtherJoin) {
  const auto links =
      Find({Observed("customers", {"id", "region"}, "orders", {"customer_id", "region"}, 2)});
  ASSERT_THAT(links, SizeIs(1));
  EXPECT_THAT(links[0].columns, ElementsAre("customer_id"));
  EXPECT_EQ(links[0].observations, 2);
}

TEST(Links, DeclaredKeysStayDeclared) {
  auto tables = Shop();
  tables[2].foreign_keys.push_back({"fk", {"customer_id"}, "public", "customers", {"id"}, "", ""});
  ColumnNames names;
  const auto links =
      FindLinks(tables, {}, {Observed("customers", {"id"}, "orders", {"customer_id"}, 5)}, names);
  ASSERT_THAT(links, SizeIs(1));
  EXPECT_EQ(links[0].method, Method::FkConstraint);
  EXPECT_THAT(links[0].evidence, ElementsAre("foreign key fk", "seen in 5 queries (50 calls)"));
}

TEST(Links, NamesThatAreGoneAreLeftOut) {
  EXPECT_THAT(Find({Observed("accounts", {"code"}, "gone", {"code"}, 5),
                    Observed("accounts", {"gone"}, "orders", {"ledger"}, 5),
                    Observed("accounts", {"code"}, "orders", {}, 5)}),
              SizeIs(1));
}

TEST(Links, WithoutQueriesSayNothingOfThem) {
  for (const Link& link : Find({})) {
    EXPECT_EQ(link.observations, 0);
    EXPECT_THAT(link.evidence, Not(IsEmpty()));
    EXPECT_THAT(link.evidence, Not(Contains(testing::HasSubstr("seen in"))));
  }
}

}  // namespace
}  // namespace schemaward::suggest

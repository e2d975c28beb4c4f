#include "suggest/drafts.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "semantic/model.h"
#include "suggest/entities.h"
#include "suggest/metrics.h"
#include "suggest/test_support.h"

namespace schemaward::suggest {
namespace {

using semantic::Cardinality;
using semantic::Definitions;
using semantic::Method;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Definitions Make(std::vector<catalog::Table> tables, const Definitions& kept = {}) {
  std::sort(tables.begin(), tables.end(), [](const auto& a, const auto& b) {
    return std::tie(a.schema, a.name) < std::tie(b.schema, b.name);
  });
  ColumnNames names;
  return MakeDrafts(tables, FindLinks(tables, {}, {}, names), kept, {}, names).definitions;
}

template <class List>
std::vector<std::string> Names(const List& list) {
  std::vector<std::string> names;
  for (const auto& one : list) names.push_back(one.name);
  return names;
}

template <class List>
const auto& Named(const List& list, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
  if (found == list.end()) std::abort();
  return *found;
}

catalog::Table Customers() {
  return MakeTable("customers", {{"id", "integer"}, {"name", "text"}}, {"id"});
}

catalog::Table Orders() {
  auto table = MakeTable("orders",
                         {{"id", "integer"},
                          {"customer_id", "integer"},
                          {"referrer_customer_id", "integer"},
                          {"total", "numeric(10,2)"},
                          {"tax_rate", "numeric"},
                          {"unit_cost", "numeric"},
                          {"placed_at", "timestamp with time zone"},
                          {"updated_at", "timestamp with time zone"}},
                         {"id"});
  table.foreign_keys.push_back(
      {"orders_customer_fk", {"customer_id"}, "public", "customers", {"id"}, {}, {}});
  return table;
}

catalog::Table ProductTags(bool with_weight) {
  auto table = MakeTable("product_tags",
                         {{"product_id", "int"}, {"tag_id", "int"}, {"created_at", "timestamp"}},
                         {"product_id", "tag_id"});
  if (with_weight) {
    table.columns.emplace_back();
    table.columns.back().name = "weight";
    table.columns.back().type = "int";
  }
  return table;
}

TEST(Drafts, TablesBecomeEntitiesWithTheirKeys) {
  const Definitions drafts = Make({Customers(), Orders()});
  ASSERT_THAT(Names(drafts.entities), ElementsAre("customer", "order"));
  EXPECT_EQ(drafts.entities[1].table, "public.orders");
  EXPECT_THAT(drafts.entities[1].identity, ElementsAre("id"));
  EXPECT_EQ(drafts.entities[1].default_time_dimension, "placed_at");
  EXPECT_EQ(drafts.entities[1].trust.method, Method::FkConstraint);
  EXPECT_EQ(drafts.entities[1].trust.state, semantic::State::Draft);
  EXPECT_THAT(drafts.entities[1].trust.evidence, ElementsAre("primary key orders_pkey"));
}

TEST(Drafts, TwoKeysBetweenTheSameTablesAreTwoRoles) {
  const Definitions drafts = Make({Customers(), Orders()});
  ASSERT_EQ(drafts.joins.size(), 2U);
  const auto& declared = Named(drafts.joins, "order_customer");
  EXPECT_EQ(declared.role, "order_customer");  // "customer" is the entity
  EXPECT_EQ(declared.trust.method, Method::FkConstraint);
  EXPECT_EQ(declared.cardinality, Cardinality::ManyToOne);
  const auto& inferred = Named(drafts.joins, "order_referrer_customer");
  EXPECT_EQ(inferred.role, "referrer_customer");
  EXPECT_EQ(inferred.trust.method, Method::Inferred);
  EXPECT_EQ(inferred.trust.evidence.size(), 1U);
}

TEST(Drafts, AmountsAreSummedRatesAveragedAndPricesLeftAlone) {
  const Definitions drafts = Make({Customers(), Orders()});
  EXPECT_THAT(Names(drafts.metrics), ElementsAre("average_order_tax_rate", "customer_count",
                                                 "order_count", "order_total"));
  EXPECT_EQ(Named(drafts.metrics, "order_total").aggregation, semantic::Aggregation::Sum);
  EXPECT_EQ(Named(drafts.metrics, "order_total").unit, "");
}

TEST(Drafts, NoMetricReadsAFloorColumnOrAKey) {
  const Definitions drafts = Make({MakeTable("accounts",
                                             {{"id", "int"},
                                              {"card_number", "bigint"},
                                              {"ssn", "bigint"},
                                              {"total_id", "int"},
                                              {"year", "int"}},
                                             {"id"})});
  EXPECT_THAT(Names(drafts.metrics), ElementsAre("account_count"));
}

TEST(Drafts, ABridgeIsAJoinUnlessItSaysMore) {
  const auto products = MakeTable("products", {{"id", "int"}}, {"id"});
  const auto tags = MakeTable("tags", {{"id", "int"}}, {"id"});
  const Definitions bare = Make({products, tags, ProductTags(false)});
  EXPECT_THAT(Names(bare.entities), ElementsAre("product", "tag"));
  ASSERT_THAT(Names(bare.joins), ElementsAre("product_tag"));
  ASSERT_TRUE(bare.joins[0].through.has_value());
  EXPECT_EQ(bare.joins[0].through->table, "public.product_tags");
  EXPECT_EQ(bare.joins[0].cardinality, Cardinality::ManyToMany);
  const Definitions rich = Make({products, tags, ProductTags(true)});
  EXPECT_THAT(Names(rich.entities), ElementsAre("product", "product_tag", "tag"));
  EXPECT_THAT(Names(rich.joins), ElementsAre("product_tag_product", "product_tag_tag"));
}

TEST(Drafts, ASelfKeyHasARole) {
  const Definitions drafts =
      Make({MakeTable("employees", {{"id", "int"}, {"manager_id", "int"}}, {"id"})});
  ASSERT_EQ(drafts.joins.size(), 1U);
  EXPECT_EQ(drafts.joins[0].name, "employee_manager");
  EXPECT_EQ(drafts.joins[0].role, "manager");
}

TEST(Drafts, NumberedKeysHaveRolesOfTheirOwn) {
  const Definitions drafts = Make(
      {MakeTable("club", {{"club_id", "int"}}, {"club_id"}),
       MakeTable("match", {{"id", "int"}, {"club_id_1", "int"}, {"club_id_2", "int"}}, {"id"})});
  EXPECT_THAT(Names(drafts.joins), ElementsAre("match_club_1", "match_club_2"));
  EXPECT_EQ(drafts.joins[1].role, "club_2");
}

TEST(Drafts, NothingProvesUniquenessWhereNoKeyIsDeclared) {
  const Definitions drafts = Make({MakeTable("team", {{"year", "int"}, {"team_id", "int"}}),
                                   MakeTable("game", {{"id", "int"}, {"team_id", "int"}}, {"id"})});
  ASSERT_EQ(drafts.joins.size(), 1U);
  EXPECT_EQ(drafts.joins[0].cardinality, Cardinality::ManyToMany);
  EXPECT_EQ(Named(drafts.entities, "team").trust.method, Method::Inferred);
}

TEST(Drafts, NamesOfTwoSchemasAndOfMetricsNeverClash) {
  auto other = Customers();
  other.schema = "crm";
  const auto counts = MakeTable("customer_count", {{"id", "int"}}, {"id"});
  const Definitions drafts = Make({Customers(), other, counts});
  EXPECT_THAT(Names(drafts.entities),
              ElementsAre("crm_customer", "customer_count", "public_customer"));
  EXPECT_THAT(Names(drafts.metrics),
              ElementsAre("crm_customer_count", "customer_count_count", "public_customer_count"));
}

TEST(Drafts, WhatPeopleWroteIsNotSaidAgain) {
  Definitions kept;
  semantic::Entity buyer;
  buyer.name = "buyer";
  buyer.table = "public.customers";
  buyer.identity = {"id"};
  kept.entities.push_back(buyer);
  semantic::Metric count;
  count.name = "buyers";
  count.entity = "buyer";
  count.aggregation = semantic::Aggregation::Count;
  kept.metrics.push_back(count);
  const Definitions drafts = Make({Customers(), Orders()}, kept);
  EXPECT_THAT(Names(drafts.entities), ElementsAre("order"));
  EXPECT_EQ(Named(drafts.joins, "order_referrer_customer").to, "buyer");
  EXPECT_THAT(Names(drafts.metrics),
              ElementsAre("average_order_tax_rate", "order_count", "order_total"));
}

TEST(Drafts, ViewsAndTablesWithoutAnyKeyAreNoEntities) {
  auto view = Customers();
  view.name = "best_customers";
  view.kind = catalog::TableKind::View;
  const Definitions drafts = Make({view, MakeTable("notes", {{"text", "text"}})});
  EXPECT_THAT(drafts.entities, IsEmpty());
  EXPECT_THAT(drafts.metrics, IsEmpty());
}

TEST(Drafts, AreCutAtTheirBoundAndSayHowManyTablesWereLeft) {
  std::vector<catalog::Table> tables;
  for (std::size_t t = 0; t < kEntitiesMax + 2; ++t)
    tables.push_back(MakeTable(fmt::format("thing{:05}x", t), {{"id", "int"}}, {"id"}));
  ColumnNames names;
  const Drafts drafts = MakeDrafts(tables, {}, {}, {}, names);
  EXPECT_EQ(drafts.definitions.entities.size(), kEntitiesMax);
  EXPECT_EQ(drafts.tables_left_out, 2);
}

TEST(Drafts, AllOfThemFitTheModel) {
  const std::vector<catalog::Table> tables = {
      Customers(),
      MakeTable("employees", {{"id", "int"}, {"manager_id", "int"}}, {"id"}),
      Orders(),
      ProductTags(false),
      MakeTable("products", {{"id", "int"}}, {"id"}),
      MakeTable("tags", {{"id", "int"}}, {"id"})};
  const auto model = semantic::Model::Build(Make(tables), tables);
  for (const auto& finding : model->Findings())
    ADD_FAILURE() << finding.definition << ": " << finding.problem.message;
}

TEST(TimeDimension, IsTheOnePlainMoment) {
  const auto of = [](const std::vector<ColumnDef>& columns) {
    ColumnNames names;
    return TimeDimensionOf(MakeTable("orders", columns), "order", names).value_or("none");
  };
  EXPECT_EQ(of({{"created_at", "timestamp"}, {"updated_at", "timestamp"}}), "created_at");
  EXPECT_EQ(of({{"order_date", "date"}, {"shipped_date", "date"}}), "order_date");
  EXPECT_EQ(of({{"order_date", "date"}, {"created_at", "timestamp"}}), "none");
  EXPECT_EQ(of({{"started", "timestamp"}, {"ended", "timestamp"}}), "none");
  EXPECT_EQ(of({{"departure", "timestamp"}}), "departure");
  EXPECT_EQ(of({{"birth_date", "date"}}), "none");
  EXPECT_EQ(of({{"created_at", "text"}}), "none");
}

}  // namespace
}  // namespace schemaward::suggest

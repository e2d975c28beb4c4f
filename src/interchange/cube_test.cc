#include "interchange/cube.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::interchange {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

constexpr std::string_view kShop = R"yaml(
cubes:
  - name: orders
    sql_table: public.orders
    title: Purchases
    joins:
      - {name: users, relationship: many_to_one, sql: "{CUBE.user_id} = {users.id}"}
      - {name: items, relationship: one_to_many, sql: "{CUBE}.id = {items}.order_id AND {items}.line > 0"}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: user_id, sql: "{CUBE}.user_id", type: number}
      - {name: state, sql: status, type: string}
      - {name: placed, sql: placed_at, type: time}
      - {name: size, sql: "CASE WHEN {CUBE}.total > 100 THEN 'L' ELSE 'S' END", type: string}
      - {name: odd, sql: "weird({CUBE}.x)", type: string}
    measures:
      - {name: count, type: count}
      - {name: revenue, type: sum, sql: total, title: Turnover}
      - name: open_revenue
        type: sum
        sql: "{CUBE}.total * 2"
        filters: [{sql: "{state} = 'open'"}, {sql: "{users.country} = 'DE'"}, {sql: "{CUBE.size} = 'L'"}]
      - {name: average, type: number, sql: "{revenue} / {count}"}
      - {name: buyers, type: count_distinct_approx, sql: user_id}
      - {name: odd_sum, type: sum, sql: total, filters: [{sql: "{odd} = 'x'"}]}
      - {name: rolling, type: sum, sql: total, rolling_window: {trailing: 1 month}}
    segments: [{name: open, sql: "{CUBE}.status = 'open'"}]
    access_policy: [{role: x}]
  - name: users
    sql: SELECT * FROM public.users
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: country, sql: country, type: string}
    measures: [{name: count, type: count}]
  - name: items
    sql: SELECT a FROM x JOIN y
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
views: [{name: everything}]
)yaml";

Imported Shop() {
  auto document = ParseYaml(kShop);
  if (!document) throw std::runtime_error(document.error().ToLogText());
  std::vector<SourceFile> files;
  files.push_back({"shop.yml", std::move(*document)});
  return ImportCube(files);
}

const semantic::Metric& MetricOf(const Imported& shop, std::string_view name) {
  for (const semantic::Metric& metric : shop.definitions.metrics)
    if (metric.name == name) return metric;
  throw std::runtime_error("no metric " + std::string(name));
}

TEST(Cube, CubesBecomeEntities) {
  const Imported shop = Shop();
  ASSERT_EQ(shop.definitions.entities.size(), 2u);
  const semantic::Entity& orders = shop.definitions.entities[0];
  EXPECT_EQ(orders.table, "public.orders");
  EXPECT_THAT(orders.identity, ElementsAre("id"));
  EXPECT_EQ(orders.default_time_dimension, "placed_at");
  EXPECT_THAT(orders.synonyms, ElementsAre("Purchases"));
  EXPECT_EQ(shop.definitions.entities[1].table, "public.users");
  EXPECT_EQ(orders.trust.method, semantic::Method::ManuallyAuthored);
}

TEST(Cube, JoinsOfEqualColumnsBecomeJoins) {
  const Imported shop = Shop();
  ASSERT_EQ(shop.definitions.joins.size(), 1u);
  EXPECT_EQ(shop.definitions.joins[0].to, "users");
  EXPECT_EQ(shop.definitions.joins[0].cardinality, semantic::Cardinality::ManyToOne);
  EXPECT_THAT(shop.definitions.joins[0].on, ElementsAre(semantic::ColumnPair{"user_id", "id"}));
}

TEST(Cube, MeasuresBecomeMetricsWithTheirFilters) {
  const Imported shop = Shop();
  EXPECT_EQ(MetricOf(shop, "orders_count").aggregation, semantic::Aggregation::Count);
  EXPECT_EQ(MetricOf(shop, "users_count").entity, "users");
  EXPECT_EQ(MetricOf(shop, "revenue").column, "total");
  const semantic::Metric& open = MetricOf(shop, "open_revenue");
  EXPECT_EQ(open.expression, "total * 2");
  EXPECT_THAT(open.filters,
              ElementsAre("orders.status = 'open'", "users.country = 'DE'", "orders.size = 'L'"));
}

TEST(Cube, NumbersBecomeDerivedMetrics) {
  const semantic::Metric average = MetricOf(Shop(), "average");
  EXPECT_EQ(average.expression, "revenue / orders_count");
  EXPECT_EQ(average.inputs.size(), 2u);
}

TEST(Cube, WhatIsNotCarriedIsListed) {
  const auto losses = Shop().losses;
  for (const char* object :
       {"dimension orders.odd", "metric odd_sum", "metric rolling", "segment orders.open",
        "cube items", "view everything", "join orders_items"})
    EXPECT_THAT(losses, Contains(AllOf(Field(&Loss::object, std::string(object)),
                                       Field(&Loss::dropped, true))));
  EXPECT_THAT(losses, Contains(Field(&Loss::member, "access_policy")));
  EXPECT_THAT(losses, Contains(Field(&Loss::reason, HasSubstr("exact"))));
}

}  // namespace
}  // namespace schemaward::interchange

#include "interchange/metricflow.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "interchange/flow_project.h"
#include "semantic/model.h"

namespace schemaward::interchange {
namespace {

using semantic::Aggregation;
using semantic::Metric;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const std::filesystem::path fixtures =
    std::filesystem::path(WARD_SOURCE_DIR) / "tests/fixtures/interchange";

Imported Shop() {
  auto imported = ImportDbtTarget((fixtures / "dbt_semantic").string());
  if (!imported) throw std::runtime_error(imported.error().ToLogText());
  return std::move(*imported);
}

Imported Read(std::string_view yaml) {
  auto document = ParseYaml(yaml);
  if (!document) throw std::runtime_error(document.error().ToLogText());
  std::vector<SourceFile> files;
  files.push_back({"x.yml", std::move(*document)});
  return ImportMetricFlow(files);
}

template <class List>
auto Named(const List& list, std::string_view name) -> decltype(list.front()) {
  for (const auto& one : list)
    if (one.name == name) return one;
  throw std::runtime_error("nothing is named " + std::string(name));
}

std::vector<std::string> NamesOf(const std::vector<Metric>& metrics) {
  std::vector<std::string> names;
  for (const Metric& metric : metrics) names.push_back(metric.name);
  return names;
}

::testing::Matcher<Loss> Dropped(const std::string& object, const std::string& reason) {
  return AllOf(Field(&Loss::object, object), Field(&Loss::reason, HasSubstr(reason)),
               Field(&Loss::dropped, true));
}
::testing::Matcher<Loss> Lost(const std::string& object, const std::string& member) {
  return AllOf(Field(&Loss::object, object), Field(&Loss::member, member),
               Field(&Loss::dropped, false));
}

catalog::Table TableWith(const std::string& name, const std::vector<std::string>& columns) {
  catalog::Table table;
  table.schema = "analytics";
  table.name = name;
  for (const std::string& column : columns) {
    catalog::Column one;
    one.name = column;
    one.type = column.ends_with("_at") || column.ends_with("_on") ? "timestamp without time zone"
               : column.ends_with("_id") || column == "amount"    ? "integer"
                                                                  : "text";
    table.columns.push_back(std::move(one));
  }
  table.primary_key = catalog::Key{name + "_pkey", {columns.front()}};
  return table;
}

TEST(MetricFlow, SemanticModelsBecomeEntities) {
  const Imported shop = Shop();
  const semantic::Entity& order = Named(shop.definitions.entities, "order");
  EXPECT_EQ(order.table, "analytics.fct_orders");
  EXPECT_THAT(order.identity, ElementsAre("order_id"));
  EXPECT_EQ(order.default_time_dimension, "ordered_at");
  EXPECT_THAT(order.synonyms, ElementsAre("orders"));
  EXPECT_EQ(order.trust.method, semantic::Method::DbtImport);
  EXPECT_EQ(order.trust.state, semantic::State::Applied);
  ASSERT_THAT(order.dimensions, SizeIs(1));
  EXPECT_EQ(order.dimensions[0].name, "is_large");
  EXPECT_THAT(order.dimensions[0].synonyms, ElementsAre("Size of order"));
  EXPECT_THAT(shop.losses, Contains(Dropped("dimension orders.browser", "regexp_substr")));
}

TEST(MetricFlow, ForeignEntitiesBecomeJoins) {
  const Imported shop = Shop();
  const semantic::Join& customer = Named(shop.definitions.joins, "order_customer");
  EXPECT_EQ(customer.to, "customer");
  EXPECT_EQ(customer.cardinality, semantic::Cardinality::ManyToOne);
  EXPECT_EQ(customer.role, "");
  EXPECT_THAT(customer.on, ElementsAre(semantic::ColumnPair{"customer_id", "customer_id"}));
  const semantic::Join& billing = Named(shop.definitions.joins, "order_billing_address");
  EXPECT_EQ(billing.to, "address");
  EXPECT_EQ(billing.role, "billing_address");
  EXPECT_THAT(shop.losses, Contains(Lost("semantic model balances", "entity account")));
}

TEST(MetricFlow, SimpleMetricsTakeTheirMeasure) {
  const Imported shop = Shop();
  const Metric& revenue = Named(shop.definitions.metrics, "revenue");
  EXPECT_EQ(revenue.aggregation, Aggregation::Sum);
  EXPECT_EQ(revenue.column, "amount");
  EXPECT_EQ(revenue.entity, "order");
  EXPECT_EQ(revenue.time_dimension, "ordered_at");
  EXPECT_THAT(revenue.time_grains, ElementsAre("day", "week", "month", "quarter", "year"));
  EXPECT_EQ(revenue.unit, "EUR");
  EXPECT_EQ(revenue.owner, "finance");
  EXPECT_THAT(revenue.synonyms, ElementsAre("Total revenue"));
  const Metric& count = Named(shop.definitions.metrics, "order_count");
  EXPECT_EQ(count.aggregation, Aggregation::Count);
  EXPECT_EQ(count.column + count.expression, "");
  EXPECT_EQ(Named(shop.definitions.metrics, "p90").percentile, 0.9);
  EXPECT_EQ(Named(shop.definitions.metrics, "large_order_count").aggregation,
            Aggregation::SumBoolean);
}

TEST(MetricFlow, FiltersAreTranslated) {
  const Imported shop = Shop();
  EXPECT_THAT(Named(shop.definitions.metrics, "german_revenue").filters,
              ElementsAre("customer.country in ('DE', 'AT') and billing_address.city is not null",
                          "order.status <> 'cancelled'"));
  EXPECT_THAT(Named(shop.definitions.metrics, "recent_revenue").filters,
              ElementsAre("cast(order.ordered_at as date) >= '2024-01-01' and "
                          "order.is_large = 'large'"));
  EXPECT_THAT(Named(shop.definitions.metrics, "regular_revenue").filters,
              ElementsAre("order.customer_id <> 7"));
}

TEST(MetricFlow, AMetricWhoseFilterCannotBeTranslatedIsLeftOut) {
  const Imported shop = Shop();
  EXPECT_THAT(shop.losses, Contains(Dropped("metric monthly_filter", "cut to the month")));
  EXPECT_THAT(shop.losses, Contains(Dropped("metric metric_filter", "")));
  EXPECT_THAT(shop.losses, Contains(Dropped("metric quoted_filter", "\"open\" stands in it")));
  EXPECT_THAT(shop.losses, Contains(Dropped("metric browser_filter", "is not imported")));
  EXPECT_THAT(shop.losses, Contains(Dropped("metric of_what_is_lost", "metric metric_filter")));
  for (const char* name :
       {"monthly_filter", "metric_filter", "quoted_filter", "browser_filter", "of_what_is_lost"})
    EXPECT_THAT(NamesOf(shop.definitions.metrics), Not(Contains(name)));
}

TEST(MetricFlow, WhatFillsPeriodsIsListed) {
  const Imported shop = Shop();
  EXPECT_THAT(shop.losses, Contains(Lost("metric german_revenue", "fill_nulls_with")));
  EXPECT_THAT(shop.losses, Contains(Lost("metric german_revenue", "join_to_timespine")));
}

TEST(MetricFlow, BalancesAreSemiAdditive) {
  const Imported shop = Shop();
  const Metric& balance = Named(shop.definitions.metrics, "balance");
  ASSERT_TRUE(balance.semi_additive);
  EXPECT_EQ(balance.semi_additive->take, "last");
  EXPECT_THAT(balance.semi_additive->by, ElementsAre("account_id"));
  EXPECT_EQ(balance.time_dimension, "taken_on");
}

TEST(MetricFlow, DiscretePercentilesAreLeftOut) {
  EXPECT_THAT(Shop().losses, Contains(Dropped("metric p90_discrete", "discrete")));
}

TEST(MetricFlow, RatiosPassTheirFiltersOn) {
  const Imported shop = Shop();
  const Metric& ratio = Named(shop.definitions.metrics, "average_order");
  EXPECT_EQ(ratio.numerator->metric, "revenue");
  EXPECT_THAT(ratio.numerator->filters, ElementsAre("customer.country = 'DE'"));
  EXPECT_THAT(ratio.denominator->filters,
              ElementsAre("customer.country = 'DE'", "order.status <> 'test'"));
}

TEST(MetricFlow, DerivedMetricsKeepOffsets) {
  const Imported shop = Shop();
  const Metric& growth = Named(shop.definitions.metrics, "revenue_growth");
  EXPECT_EQ(growth.expression, "(revenue - before) / before");
  ASSERT_THAT(growth.inputs, SizeIs(2));
  EXPECT_EQ(growth.inputs[1].alias, "before");
  EXPECT_EQ(growth.inputs[1].offset, "1 month");
  EXPECT_THAT(shop.losses, Contains(Dropped("metric revenue_to_grain", "offset_to_grain")));
}

TEST(MetricFlow, CumulativeMetricsStandOnASimpleOne) {
  const Imported shop = Shop();
  const Metric& trailing = Named(shop.definitions.metrics, "revenue_28d");
  EXPECT_EQ(trailing.input->metric, "revenue");
  EXPECT_EQ(trailing.window, "28 day");
  const Metric& to_date = Named(shop.definitions.metrics, "revenue_mtd");
  EXPECT_EQ(to_date.grain_to_date, "month");
  EXPECT_THAT(to_date.input->filters, ElementsAre("order.status <> 'cancelled'"));
  EXPECT_THAT(shop.losses, Contains(Lost("metric revenue_mtd", "period_agg")));
  EXPECT_THAT(shop.losses, Not(Contains(Lost("metric revenue_28d", "period_agg"))));
}

TEST(MetricFlow, ConversionsMatchByTheirEntity) {
  const Imported shop = Shop();
  const Metric& rate = Named(shop.definitions.metrics, "visit_to_purchase");
  EXPECT_EQ(rate.calculation, "rate");
  EXPECT_EQ(rate.window, "7 day");
  EXPECT_THAT(rate.match, ElementsAre(semantic::ColumnPair{"visitor_id", "buyer_id"}));
  ASSERT_THAT(rate.constant_properties, SizeIs(1));
  EXPECT_EQ(rate.constant_properties[0].base, "product_id");
  EXPECT_THAT(Named(shop.definitions.metrics, rate.base).filters,
              ElementsAre("visit.referrer = 'ad'"));
}

TEST(MetricFlow, AConversionCountsRowsOrIsLeftOut) {
  const Imported imported = Read(R"(
semantic_models:
  - name: visits
    model: ref('visits')
    entities: [{name: visit, type: primary, expr: id}, {name: person, type: foreign, expr: person_id}]
    measures: [{name: people, agg: count_distinct, expr: person_id}]
metrics:
  - name: rate
    type: conversion
    type_params:
      conversion_type_params: {entity: person, base_measure: people, conversion_measure: people}
)");
  EXPECT_THAT(imported.losses, Contains(Dropped("metric rate", "does not count its rows")));
}

TEST(MetricFlow, YamlAndManifestGiveTheSame) {
  auto files = ReadPath((fixtures / "metricflow").string());
  ASSERT_THAT(files, IsOk());
  Imported yaml = ImportMetricFlow(*files);
  for (semantic::Entity& entity : yaml.definitions.entities)
    entity.table = "analytics." + entity.table;
  for (Metric& metric : yaml.definitions.metrics) {
    if (metric.window == "28 days") metric.window = "28 day";
    if (metric.window == "7 days") metric.window = "7 day";
  }
  EXPECT_EQ(yaml.definitions, Shop().definitions);
  EXPECT_EQ(yaml.losses, Shop().losses);
}

TEST(MetricFlow, NewerManifestsSayTheAggregationInTheMetric) {
  const Imported imported = Read(R"(
semantic_models:
  - name: orders
    model: ref('orders')
    entities: [{name: order, type: primary, expr: id}]
metrics:
  - name: revenue
    type: simple
    type_params:
      expr: amount
      metric_aggregation_params: {semantic_model: orders, agg: sum}
)");
  EXPECT_EQ(Named(imported.definitions.metrics, "revenue").column, "amount");
}

TEST(MetricFlow, WhatIsImportedFitsTheTables) {
  const Imported shop = Shop();
  const auto model = semantic::Model::Build(
      shop.definitions,
      {TableWith("fct_orders", {"order_id", "customer_id", "billing_address_id", "ordered_at",
                                "status", "amount"}),
       TableWith("customers", {"customer_id", "country", "joined_at"}),
       TableWith("addresses", {"address_id", "city"}),
       TableWith("balances", {"balance_id", "account_id", "taken_on", "amount"}),
       TableWith("visits", {"visit_id", "visitor_id", "visited_at", "referrer", "product_id"}),
       TableWith("purchases", {"purchase_id", "buyer_id", "bought_at", "product_id"})});
  for (const auto& finding : model->Findings())
    ADD_FAILURE() << finding.definition << ": " << finding.problem.message;
  EXPECT_THAT(shop.definitions.metrics, SizeIs(15));
}

TEST(MetricFlow, AnEmptyProjectGivesNothing) {
  const Imported imported = Read("models: [{name: a}]\n");
  EXPECT_THAT(imported.definitions.metrics, IsEmpty());
  EXPECT_THAT(imported.losses, IsEmpty());
}

TEST(MetricFlow, TheNewFormInsideOfModelsIsListed) {
  EXPECT_THAT(Read("models: [{name: a, semantic_model: {enabled: true}}]\n").losses,
              Contains(Dropped("model a", "dbt parse")));
}

}  // namespace
}  // namespace schemaward::interchange

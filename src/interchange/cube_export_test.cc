#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/result_matchers.h"
#include "interchange/cube.h"
#include "interchange/testing.h"
#include "json/access.h"

namespace schemaward::interchange {
namespace {

using semantic::Definitions;
using semantic::Metric;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CubeExport : public ::testing::Test {
 protected:
  const json::Value& CubeOf(std::string_view name) {
    return Named(json::Member(files_.front().content.value(), "cubes"), name);
  }
  const json::Value& Measure(std::string_view cube, std::string_view name) {
    return Named(json::Member(CubeOf(cube), "measures"), name);
  }
  ::testing::Matcher<const std::vector<Loss>&> Lists(const std::string& object,
                                                     const std::string& reason) {
    return Contains(AllOf(Field(&Loss::object, object), Field(&Loss::reason, HasSubstr(reason)),
                          Field(&Loss::dropped, true)));
  }
  const Definitions shop_ = ExampleShop();
  const Exported exported_ = ExportCube(
      shop_, {{"order", {{"status", ColumnKind::Text}, {"placed_at", ColumnKind::Time}}}});
  std::vector<SourceFile> files_ = FileOf(exported_.text);
};

TEST_F(CubeExport, RoundTripGivesTheSameDefinitions) {
  const Imported back = ImportCube(files_);
  EXPECT_EQ(back.definitions.entities, shop_.entities);
  EXPECT_EQ(back.definitions.joins, shop_.joins);
  EXPECT_EQ(back.definitions.metrics, shop_.metrics);
  EXPECT_THAT(back.losses, IsEmpty());
}

TEST_F(CubeExport, RoundTripOfEveryTypeOfMetric) {
  const Definitions all = EveryDefinition();
  const Imported back = ImportCube(FileOf(ExportCube(all, {}).text));
  EXPECT_EQ(back.definitions, all);
}

TEST_F(CubeExport, WithoutNotesAReaderFindsTheSameNumbers) {
  json::Value document = files_.front().content.value();
  for (json::Value& cube : document["cubes"]) {
    cube.erase("meta");
    for (json::Value& measure : cube["measures"]) measure.erase("meta");
  }
  const Imported back = ImportCube(FileOf(document.dump()));
  std::size_t compared = 0;
  for (const Metric& metric : back.definitions.metrics)
    for (const Metric& own : shop_.metrics)
      if (own.name == metric.name && own.type == semantic::MetricType::Simple) {
        ++compared;
        EXPECT_EQ(metric.entity, own.entity) << own.name;
        EXPECT_EQ(metric.aggregation, own.aggregation) << own.name;
        EXPECT_EQ(metric.column, own.column) << own.name;
        EXPECT_EQ(metric.filters.size(), own.filters.size()) << own.name;
      }
  EXPECT_GE(compared, 5u);
}

TEST_F(CubeExport, CubesHaveKeysDimensionsAndJoins) {
  const json::Value& order = CubeOf("order");
  EXPECT_EQ(json::TextOf(order, "sql_table"), "main.sales_order");
  const json::Value& dimensions = json::Member(order, "dimensions");
  EXPECT_TRUE(json::IsTrue(json::Member(Named(dimensions, "order_id"), "primary_key")));
  EXPECT_EQ(json::TextOf(Named(dimensions, "placed_at"), "type"), "time");
  EXPECT_EQ(json::TextOf(Named(dimensions, "is_cancelled"), "sql"), "{CUBE}.status = 'cancelled'");
  EXPECT_EQ(json::TextOf(Named(json::Member(order, "joins"), "customer"), "sql"),
            "{CUBE}.customer_id = {customer}.customer_id");
  EXPECT_EQ(json::TextOf(Named(json::Member(CubeOf("return_line"), "joins"), "order_line"), "sql"),
            "{CUBE}.order_id = {order_line}.order_id AND {CUBE}.line_no = {order_line}.line_no");
}

TEST_F(CubeExport, MeasuresKeepTheirFilters) {
  const json::Value& revenue = Measure("order_line", "revenue");
  EXPECT_EQ(json::TextOf(*json::ItemsOf(json::Member(revenue, "filters")).front(), "sql"),
            "{order}.status <> 'cancelled'");
  EXPECT_EQ(json::TextOf(revenue, "sql"),
            "({CUBE}.quantity * {CUBE}.unit_price_cents - {CUBE}.discount_cents) / 100.0");
}

TEST_F(CubeExport, RatiosDivideTruly) {
  EXPECT_EQ(json::TextOf(Measure("order_line", "average_order_value"), "sql"),
            "1.0 * {revenue} / nullif({order.orders}, 0)");
}

TEST_F(CubeExport, WindowsRoll) {
  EXPECT_EQ(json::TextOf(json::Member(Measure("order_line", "revenue_to_date"),
                                      {"rolling_window", "granularity"})),
            "year");
}

TEST_F(CubeExport, WhatCubeHasNoFormForIsListed) {
  EXPECT_THAT(exported_.losses, Lists("join product_tag", "many to many"));
  EXPECT_THAT(exported_.losses, Lists("join employee_manager", "with itself"));
  EXPECT_THAT(exported_.losses, Lists("join order_billing_address", "several roles"));
  EXPECT_THAT(exported_.losses, Lists("metric cancelled_share", "filtered"));
  EXPECT_THAT(exported_.losses, Lists("metric median_payment", "aggregation"));
  EXPECT_THAT(exported_.losses, Lists("metric stock_on_hand", "add up"));
  EXPECT_THAT(exported_.losses, Lists("metric revenue_growth", "time shifts"));
  EXPECT_THAT(exported_.losses,
              Contains(Loss{"metric revenue", "unit", "Cube has no word for it"}));
}

TEST_F(CubeExport, WhatOthersChangedCounts) {
  json::Value document = files_.front().content.value();
  for (json::Value& cube : document["cubes"])
    for (json::Value& measure : cube["measures"])
      if (measure["name"] == "revenue") measure["type"] = "max";
  const Imported back = ImportCube(FileOf(document.dump()));
  for (const Metric& metric : back.definitions.metrics)
    if (metric.name == "revenue") {
      EXPECT_EQ(metric.aggregation, semantic::Aggregation::Max);
      EXPECT_EQ(metric.unit, "EUR");
      EXPECT_EQ(metric.time_dimension, "order.placed_at");
    }
}

TEST_F(CubeExport, BracesOfATextAreNoReferences) {
  Definitions braces = shop_;
  for (Metric& metric : braces.metrics)
    if (metric.name == "orders") metric.filters = {"status = '{CUBE}'"};
  EXPECT_THAT(ExportCube(braces, {}).losses, Lists("metric orders", "braces"));
}

TEST_F(CubeExport, AMeasureIsNotCalledAsADimension) {
  Definitions same = shop_;
  for (Metric& metric : same.metrics)
    if (metric.name == "orders") metric.name = "status";
  same.metrics.erase(
      std::remove_if(same.metrics.begin(), same.metrics.end(),
                     [](const Metric& one) { return one.type != semantic::MetricType::Simple; }),
      same.metrics.end());
  Sort(same);
  const Exported exported = ExportCube(same, {{"order", {{"status", ColumnKind::Text}}}});
  files_ = FileOf(exported.text);
  EXPECT_EQ(json::TextOf(Measure("order", "status_measure"), "type"), "count");
  EXPECT_EQ(ImportCube(files_).definitions.metrics, same.metrics);
}

}  // namespace
}  // namespace schemaward::interchange

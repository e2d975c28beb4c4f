#include "interchange/ossie.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "base/result_matchers.h"
#include "interchange/testing.h"
#include "semantic/files.h"

namespace schemaward::interchange {
namespace {

namespace fs = std::filesystem;
using semantic::Definitions;
using semantic::Metric;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const fs::path root_folder = WARD_SOURCE_DIR;

/// Empty where the document is valid.
std::string WrongWith(const std::string& text) {
  std::stringstream schema_text;
  schema_text
      << std::ifstream(root_folder / "tests/fixtures/interchange/ossie/schema.json").rdbuf();
  const nlohmann::json schema_json = nlohmann::json::parse(schema_text.str());
  const nlohmann::json instance = nlohmann::json::parse(text);
  valijson::Schema schema;
  valijson::SchemaParser parser;
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json), schema);
  valijson::ValidationResults results;
  if (valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(instance),
                                     &results))
    return {};
  valijson::ValidationResults::Error error;
  std::string wrong;
  while (results.popError(error)) wrong += error.description + "; ";
  return wrong;
}

TEST(Ossie, RoundTripGivesTheSameDefinitions) {
  const Definitions all = EveryDefinition();
  const Exported exported = ExportOssie(all, "shop");
  const Imported back = ImportOssie(FileOf(exported.text));
  EXPECT_EQ(back.definitions.entities, all.entities);
  EXPECT_EQ(back.definitions.joins, all.joins);
  EXPECT_EQ(back.definitions.metrics, all.metrics);
  EXPECT_THAT(back.losses, IsEmpty());
}

TEST(Ossie, RoundTripOfTheExampleShop) {
  const auto loaded = semantic::ReadFolder((root_folder / "examples/shop/definitions").string());
  ASSERT_THAT(loaded, IsOk());
  ASSERT_THAT(loaded->definitions.metrics, Not(IsEmpty()));
  const Exported exported = ExportOssie(loaded->definitions, "shop");
  EXPECT_EQ(ImportOssie(FileOf(exported.text)).definitions, loaded->definitions);
  EXPECT_EQ(WrongWith(exported.text), "");
}

TEST(Ossie, ExportsAreValid) {
  EXPECT_EQ(WrongWith(ExportOssie(EveryDefinition(), "shop").text), "");
  EXPECT_NE(WrongWith(R"({"version": "0.2.0.dev0", "semantic_model": [{"name": "x"}]})"), "");
  EXPECT_NE(WrongWith(R"({"version": "0.1", "semantic_model": []})"), "");
}

TEST(Ossie, ExportsExpressionsThatOthersCanRead) {
  const std::string text = ExportOssie(EveryDefinition(), "shop").text;
  EXPECT_THAT(text, HasSubstr("SUM(order.amount)"));
  EXPECT_THAT(text, HasSubstr("CASE WHEN (customer.country in ('DE', 'AT')"));
  EXPECT_THAT(text, HasSubstr(" / NULLIF("));
}

TEST(Ossie, ExportListsWhatOthersDoNotSee) {
  const auto losses = ExportOssie(EveryDefinition(), "shop").losses;
  for (const char* metric :
       {"balance", "revenue_28d", "revenue_growth", "visit_to_purchase", "growth"})
    EXPECT_THAT(losses, Contains(AllOf(Field(&Loss::object, "metric " + std::string(metric)),
                                       Field(&Loss::dropped, true))));
  EXPECT_THAT(losses, Contains(Field(&Loss::object, "join tags")));
  EXPECT_THAT(losses, Contains(Field(&Loss::member, "time_zone")));
  EXPECT_THAT(losses, Contains(Field(&Loss::member, "role")));
}

TEST(Ossie, WhatOthersChangedCounts) {
  const Definitions all = EveryDefinition();
  nlohmann::json document = nlohmann::json::parse(ExportOssie(all, "shop").text);
  for (auto& metric : document["semantic_model"][0]["metrics"])
    if (metric["name"] == "revenue") {
      metric["expression"]["dialects"][0]["expression"] = "MAX(order.amount)";
      metric["description"] = "The largest.";
    }
  const Imported back = ImportOssie(FileOf(document.dump()));
  for (const Metric& metric : back.definitions.metrics)
    if (metric.name == "revenue") {
      EXPECT_EQ(metric.aggregation, semantic::Aggregation::Max);
      EXPECT_EQ(metric.description, "The largest.");
    }
}

class OssieOfOthers : public ::testing::Test {
 protected:
  OssieOfOthers() {
    auto files = ReadPath((root_folder / "tests/fixtures/interchange/ossie/sales.yaml").string());
    if (!files) throw std::runtime_error(files.error().ToLogText());
    sales_ = ImportOssie(*files);
  }
  const Metric& MetricOf(std::string_view name) const {
    for (const Metric& metric : sales_.definitions.metrics)
      if (metric.name == name) return metric;
    throw std::runtime_error("no metric " + std::string(name));
  }
  ::testing::Matcher<const std::vector<Loss>&> Drops(const std::string& object) const {
    return Contains(AllOf(Field(&Loss::object, object), Field(&Loss::dropped, true)));
  }
  Imported sales_;
};

TEST_F(OssieOfOthers, DatasetsBecomeEntities) {
  ASSERT_THAT(sales_.definitions.entities, SizeIs(2));
  const semantic::Entity& orders = sales_.definitions.entities[1];
  EXPECT_EQ(orders.table, "public.orders");
  EXPECT_THAT(orders.identity, ElementsAre("id"));
  EXPECT_THAT(orders.synonyms, ElementsAre("purchases"));
  EXPECT_THAT(orders.dimensions, ElementsAre(Field(&semantic::Dimension::name, "size")));
  EXPECT_EQ(orders.trust.method, semantic::Method::ManuallyAuthored);
  EXPECT_THAT(sales_.losses, Drops("entity totals"));
  EXPECT_THAT(sales_.losses, Drops("dimension orders.cube"));
  EXPECT_THAT(sales_.losses, Contains(Field(&Loss::reason, "of vendor OTHER")));
}

TEST_F(OssieOfOthers, RelationshipsBecomeJoins) {
  EXPECT_THAT(sales_.definitions.joins,
              ElementsAre(Field(&semantic::Join::name, "order_customer")));
  EXPECT_THAT(sales_.losses, Drops("join order_total"));
}

TEST_F(OssieOfOthers, AggregatesBecomeMetrics) {
  EXPECT_EQ(MetricOf("revenue").column, "total");
  EXPECT_EQ(MetricOf("revenue").entity, "orders");
  EXPECT_THAT(MetricOf("open_revenue").filters,
              ElementsAre("orders.status = 'open' and customers.country = 'DE'"));
  const Metric& average = MetricOf("average");
  EXPECT_EQ(average.expression, "agg_1 / nullif(agg_2, 0)");
  EXPECT_EQ(MetricOf(average.inputs[1].metric).aggregation, semantic::Aggregation::CountDistinct);
  EXPECT_EQ(MetricOf(average.inputs[1].metric).entity, "customers");
}

TEST_F(OssieOfOthers, WhatCannotBeToldIsLeftOut) {
  for (const char* metric : {"metric rows", "metric mixed", "metric ranked"})
    EXPECT_THAT(sales_.losses, Drops(metric));
}

}  // namespace
}  // namespace schemaward::interchange

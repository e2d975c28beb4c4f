#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/result_matchers.h"
#include "interchange/flow_names.h"
#include "interchange/metricflow.h"
#include "interchange/testing.h"
#include "json/access.h"

namespace schemaward::interchange {
namespace {

using json::ItemsOf;
using json::Member;
using json::TextOf;
using json::Value;
using semantic::Definitions;
using semantic::Metric;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const ExportColumns shop_columns = {
    {"order",
     {{"order_id", ColumnKind::Number},
      {"status", ColumnKind::Text},
      {"placed_at", ColumnKind::Time}}},
    {"payment", {{"amount_cents", ColumnKind::Number}, {"received_at", ColumnKind::Time}}},
    {"return_line", {{"returned_at", ColumnKind::Time}}},
    {"shipment", {{"shipped_at", ColumnKind::Time}, {"delivered_at", ColumnKind::Time}}},
    {"stock", {{"snapshot_date", ColumnKind::Date}}}};

/// What breaks a structure rule of MetricFlow in a file of it.
class Rules {
 public:
  explicit Rules(const Value& file) : file_(file) {}
  std::vector<std::string> Broken() {
    for (const Value* model : ItemsOf(Member(file_, "semantic_models"))) Model(*model);
    for (const Value* metric : ItemsOf(Member(file_, "metrics"))) names_.insert(Name(*metric));
    for (const Value* metric : ItemsOf(Member(file_, "metrics"))) OneMetric(*metric);
    return std::move(broken_);
  }

 private:
  void Check(bool holds, const std::string& rule) {
    if (!holds) broken_.push_back(rule);
  }
  std::string Name(const Value& part) {
    std::string name = TextOf(part, "name");
    Check(IsFlowName(name), "name " + name);
    return name;
  }
  void Model(const Value& model) {
    const std::string name = Name(model);
    Check(TextOf(model, "model").rfind("ref('", 0) == 0, name + ": model is no ref");
    std::set<std::string> elements, times;
    int primary = TextOf(model, "primary_entity").empty() ? 0 : 1;
    for (const Value* key : ItemsOf(Member(model, "entities"))) {
      Check(elements.insert(Name(*key)).second, name + ": element twice");
      const std::string type = TextOf(*key, "type");
      Check(type == "primary" || type == "unique" || type == "foreign", name + ": " + type);
      primary += type == "primary" ? 1 : 0;
    }
    Check(primary == 1, name + ": one primary entity");
    for (const Value* one : ItemsOf(Member(model, "dimensions"))) {
      Check(elements.insert(Name(*one)).second, name + ": element twice");
      const bool is_time = TextOf(*one, "type") == "time";
      Check(is_time || TextOf(*one, "type") == "categorical", name + ": type of dimension");
      Check(is_time != TextOf(Member(*one, {"type_params", "time_granularity"})).empty(),
            name + ": grain of time");
      if (is_time) times.insert(TextOf(*one, "name"));
    }
    const std::string by_default = TextOf(Member(model, {"defaults", "agg_time_dimension"}));
    Check(by_default.empty() || times.contains(by_default), name + ": default time");
    for (const Value* measure : ItemsOf(Member(model, "measures"))) {
      Check(elements.insert(Name(*measure)).second, name + ": element twice");
      Check(measures_.insert(TextOf(*measure, "name")).second, "measure twice");
      const std::string own = TextOf(*measure, "agg_time_dimension");
      Check(times.contains(own.empty() ? by_default : own), name + ": time of measure");
      const std::string window = TextOf(Member(*measure, {"non_additive_dimension", "name"}));
      Check(window.empty() || times.contains(window), name + ": window of measure");
      Check(TextOf(*measure, "agg") != "percentile" ||
                Member(*measure, {"agg_params", "percentile"}).is_number(),
            name + ": percentile");
    }
  }
  void Refers(const Value& input, const std::set<std::string>& to) {
    const std::string name = input.is_string() ? TextOf(input) : TextOf(input, "name");
    Check(to.contains(name), "nothing is called " + name);
  }
  void OneMetric(const Value& metric) {
    const std::string type = TextOf(metric, "type");
    const Value& params = Member(metric, "type_params");
    Check(!TextOf(metric, "label").empty(), "a metric has a label");
    ++types_[type];
    if (type == "simple" || type == "cumulative") Refers(Member(params, "measure"), measures_);
    if (type == "ratio") {
      Refers(Member(params, "numerator"), names_);
      Refers(Member(params, "denominator"), names_);
    }
    if (type == "derived") {
      Check(!TextOf(params, "expr").empty(), "a derived metric has an expr");
      for (const Value* input : ItemsOf(Member(params, "metrics"))) Refers(*input, names_);
    }
    if (type == "conversion") {
      const Value& own = Member(params, "conversion_type_params");
      Refers(Member(own, "base_measure"), measures_);
      Refers(Member(own, "conversion_measure"), measures_);
      Check(!TextOf(own, "entity").empty(), "a conversion has an entity");
    }
  }

  const Value& file_;
  std::set<std::string> names_, measures_;
  std::map<std::string, int> types_;
  std::vector<std::string> broken_;
};

class FlowExport : public ::testing::Test {
 protected:
  const Value& file() const { return files_.front().content.value(); }
  const Value& Model(std::string_view name) {
    return Named(Member(file(), "semantic_models"), name);
  }
  const Value& MetricOf(std::string_view name) { return Named(Member(file(), "metrics"), name); }
  ::testing::Matcher<const std::vector<Loss>&> Lists(const std::string& object,
                                                     const std::string& reason) {
    return Contains(AllOf(Field(&Loss::object, object), Field(&Loss::reason, HasSubstr(reason)),
                          Field(&Loss::dropped, true)));
  }
  const Definitions shop_ = ExampleShop();
  const Exported exported_ = ExportMetricFlow(shop_, shop_columns);
  const std::vector<SourceFile> files_ = FileOf(exported_.text);
};

TEST_F(FlowExport, RoundTripGivesTheSameDefinitions) {
  const Imported back = ImportMetricFlow(files_);
  EXPECT_EQ(back.definitions.entities, shop_.entities);
  EXPECT_EQ(back.definitions.joins, shop_.joins);
  EXPECT_EQ(back.definitions.metrics, shop_.metrics);
  EXPECT_THAT(back.losses, IsEmpty());
}

TEST_F(FlowExport, RoundTripOfEveryTypeOfMetric) {
  const Definitions all = EveryDefinition();
  const Exported exported = ExportMetricFlow(all, {});
  const Imported back = ImportMetricFlow(FileOf(exported.text));
  EXPECT_EQ(back.definitions.entities, all.entities);
  EXPECT_EQ(back.definitions.joins, all.joins);
  EXPECT_EQ(back.definitions.metrics, all.metrics);
}

TEST_F(FlowExport, FilesKeepTheRulesOfMetricFlow) {
  EXPECT_THAT(Rules(file()).Broken(), IsEmpty());
  const auto every = FileOf(ExportMetricFlow(EveryDefinition(), {}).text);
  EXPECT_THAT(Rules(every.front().content.value()).Broken(), IsEmpty());
  Value broken = file();
  broken["semantic_models"][0]["name"] = "Not__a_name";
  EXPECT_FALSE(Rules(broken).Broken().empty());
}

TEST_F(FlowExport, WithoutNotesEveryMetricThatIsWrittenIsRead) {
  Value document = file();
  for (Value& model : document["semantic_models"]) model.erase("config");
  for (Value& metric : document["metrics"])
    if (metric.contains("config")) metric["config"]["meta"].erase("schemaward");
  const Imported back = ImportMetricFlow(FileOf(document.dump()));
  std::size_t compared = 0;
  for (const Metric& metric : back.definitions.metrics)
    for (const Metric& own : shop_.metrics) {
      if (own.name != metric.name || own.type != semantic::MetricType::Simple) continue;
      ++compared;
      EXPECT_EQ(metric.aggregation, own.aggregation) << own.name;
      EXPECT_EQ(metric.column, own.column) << own.name;
      EXPECT_EQ(metric.filters.size(), own.filters.size()) << own.name;
      EXPECT_EQ(metric.unit, own.unit) << own.name;
    }
  EXPECT_GE(compared, 5u);
}

TEST_F(FlowExport, LinksSayTheJoins) {
  const Value& keys = Member(Model("order"), "entities");
  EXPECT_EQ(TextOf(Named(keys, "order"), "type"), "primary");
  EXPECT_EQ(TextOf(Named(keys, "billing"), "type"), "foreign");
  EXPECT_EQ(TextOf(Named(keys, "billing"), "expr"), "billing_address_id");
  EXPECT_EQ(TextOf(Named(Member(Model("address"), "entities"), "billing"), "type"), "unique");
  EXPECT_EQ(TextOf(Model("order_line"), "primary_entity"), "order_line");
}

TEST_F(FlowExport, FiltersNameDimensions) {
  EXPECT_EQ(TextOf(Member(MetricOf("cancelled_share"), {"type_params", "numerator", "filter"})),
            "{{ Dimension('order__status') }} = 'cancelled'");
  EXPECT_EQ(TextOf(MetricOf("median_payment"), "filter"),
            "{{ Dimension('payment__amount_cents') }} > 0");
}

TEST_F(FlowExport, WhatMetricFlowHasNoFormForIsListed) {
  EXPECT_THAT(exported_.losses, Lists("metric revenue", "a dimension of its own model"));
  EXPECT_THAT(exported_.losses, Lists("metric shipments", "one time"));
  EXPECT_THAT(exported_.losses, Lists("join product_tag", "many to many"));
  EXPECT_THAT(exported_.losses, Lists("join employee_manager", "with itself"));
  EXPECT_THAT(exported_.losses, Lists("join return_line_order_line", "one column"));
}

TEST_F(FlowExport, PeriodsOverPeriodsAreDerived) {
  Definitions all = shop_;
  for (Metric& metric : all.metrics)
    if (metric.name == "revenue_growth") metric.input->metric = "orders";
  const auto files = FileOf(ExportMetricFlow(all, shop_columns).text);
  const Value& growth = Named(Member(files.front().content.value(), "metrics"), "revenue_growth");
  EXPECT_EQ(TextOf(Member(growth, {"type_params", "expr"})),
            "1.0 * (orders - orders_before) / nullif(orders_before, 0)");
  EXPECT_EQ(ImportMetricFlow(files).definitions.metrics, all.metrics);
}

TEST_F(FlowExport, WhatOthersChangedCounts) {
  Value document = file();
  for (Value& metric : document["metrics"])
    if (metric["name"] == "median_payment")
      metric["filter"] = "{{ Dimension('payment__amount_cents') }} > 7";
  const Imported back = ImportMetricFlow(FileOf(document.dump()));
  for (const Metric& metric : back.definitions.metrics)
    if (metric.name == "median_payment") {
      EXPECT_THAT(metric.filters, ::testing::ElementsAre("payment.amount_cents > 7"));
      EXPECT_EQ(metric.unit, "EUR");
    }
}

TEST(FlowNames, NamesOfMetricFlow) {
  for (const char* name : {"order", "order_line2", "ab"}) EXPECT_TRUE(IsFlowName(name)) << name;
  for (const char* name : {"Order", "a", "day", "a__b", "a_", "2a", "metric_time", "o-r", ""})
    EXPECT_FALSE(IsFlowName(name)) << name;
}

}  // namespace
}  // namespace schemaward::interchange

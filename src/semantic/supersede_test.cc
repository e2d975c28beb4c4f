// Drafts beside what people applied.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "semantic/paths.h"
#include "semantic/testing.h"

namespace schemaward::semantic {
namespace {

using testing::IsNull;
using testing::NotNull;

std::shared_ptr<const Model> Mixed() {
  return Model::Build(
      DefinitionsOf(R"({
        "entities":[
          {"name":"order","table":"orders","identity":"id"},
          {"name":"customer","table":"customers","identity":"id"},
          {"name":"orders","table":"main.orders","identity":"id","trust":{"state":"draft","method":"inferred"}},
          {"name":"address","table":"addresses","identity":"id","trust":{"state":"draft","method":"inferred"}}],
        "joins":[
          {"name":"bought_by","from":"order","to":"customer","on":[{"from":"customer_id","to":"id"}]},
          {"name":"orders_customer","from":"orders","to":"customer","on":[{"from":"customer_id","to":"id"}],"trust":{"state":"draft","method":"fk_constraint"}},
          {"name":"orders_address","from":"orders","to":"address","on":[{"from":"address_id","to":"id"}],"trust":{"state":"draft","method":"fk_constraint"}}],
        "metrics":[
          {"name":"purchases","entity":"order","aggregation":"count"},
          {"name":"orders_count","entity":"orders","aggregation":"count","trust":{"state":"draft","method":"inferred"}},
          {"name":"orders_total","entity":"orders","aggregation":"sum","column":"total","trust":{"state":"draft","method":"inferred"}}]})"),
      {TableOf("orders", "id integer, customer_id integer, address_id integer, total numeric"),
       TableOf("customers", "id integer"), TableOf("addresses", "id integer")});
}

TEST(Supersede, ADraftOfATableThatHasAnAppliedEntityIsGone) {
  const auto model = Mixed();
  EXPECT_EQ(model->entities().size(), 3U);
  for (const Model::Finding& finding : model->Findings())
    ADD_FAILURE() << finding.definition << ": " << finding.problem.message;
}

TEST(Supersede, ItsJoinsBelongToTheAppliedEntityUnlessThatHasThem) {
  const auto model = Mixed();
  EXPECT_THAT(model->FindJoin("orders_customer"), IsNull());
  ASSERT_THAT(model->FindJoin("orders_address"), NotNull());
  EXPECT_EQ(model->FindJoin("orders_address")->definition.from, "order");
  PathQuery query;
  query.from = model->NodeOf(*model->FindEntity("order"));
  query.to = model->NodeOf(*model->FindEntity("customer"));
  const auto paths = FindPaths(*model, query);
  EXPECT_EQ(paths.size(), 1U);
}

TEST(Supersede, AMetricOfTheSameMeasureIsGoneAndOthersStay) {
  const auto model = Mixed();
  EXPECT_THAT(model->FindMetric("orders_count"), IsNull());
  ASSERT_THAT(model->FindMetric("orders_total"), NotNull());
  EXPECT_EQ(model->FindMetric("orders_total")->definition.entity, "order");
}

}  // namespace
}  // namespace schemaward::semantic

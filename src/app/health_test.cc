// What /readyz and /metrics say of a server's parts.
#include "app/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

SourceHealth Source(std::string name, IndexHealth index) {
  SourceHealth source;
  source.name = std::move(name);
  source.index = index;
  return source;
}

Health Of(std::vector<SourceHealth> sources) {
  Health health;
  health.sources = std::move(sources);
  return health;
}

TEST(Health, IsReadyWithOneIndexAndWithoutSources) {
  EXPECT_THAT(NotReady(Of({})), IsEmpty());
  EXPECT_THAT(NotReady(Of({Source("a", IndexHealth::Failed), Source("b", IndexHealth::Ready)})),
              IsEmpty());
}

TEST(Health, NamesWhatKeepsCallsFromAnAnswer) {
  EXPECT_THAT(NotReady(Of({Source("a", IndexHealth::Building)})), ElementsAre("index"));
  Health health;
  health.is_store_readable = false;
  health.audit.is_writing = false;
  EXPECT_THAT(NotReady(health), ElementsAre("store", "audit"));
  health.audit.mode = audit::Mode::BestEffort;
  EXPECT_THAT(NotReady(health), ElementsAre("store"));
}

TEST(Health, TellsHowFarASourceIsAndWhyItFailed) {
  Health health = Of({Source("a\"b", IndexHealth::Building), Source("c", IndexHealth::Failed)});
  health.sources[0].done = 3;
  health.sources[0].total = 9;
  health.sources[1].reason = "source_unreachable";
  EXPECT_EQ(ReadyText(health, true),
            R"({"ready":false,"not_ready":["index"],"store":"readable",)"
            R"("audit":{"mode":"required","state":"writing"},)"
            R"("index":{"ready":0,"building":1,"failed":1,"never_indexed":0},)"
            R"("sources":[{"name":"a\"b","index":"building","tables_done":3,"tables":9},)"
            R"({"name":"c","index":"failed","reason":"source_unreachable"}],)"
            R"("sources_left_out":0})"
            "\n");
  EXPECT_THAT(ReadyText(health, false), Not(HasSubstr("sources")));
}

TEST(Health, NamesAtMostSoManySources) {
  const std::vector<SourceHealth> at_bound(kHealthNamesMax, Source("s", IndexHealth::Ready));
  EXPECT_THAT(ReadyText(Of(at_bound), true), HasSubstr("\"sources_left_out\":0"));
  std::vector<SourceHealth> past(kHealthNamesMax, Source("s", IndexHealth::Ready));
  past.push_back(Source("last", IndexHealth::Ready));
  EXPECT_THAT(ReadyText(Of(past), true), HasSubstr("\"sources_left_out\":1"));
  EXPECT_THAT(MetricsText(Of(past), ""), Not(HasSubstr("source=\"last\"")));
}

TEST(Health, CountsPoolsAndEscapesNames) {
  Health health = Of({Source("a\"\\\n", IndexHealth::Ready), Source("b", IndexHealth::Failed)});
  health.sources[0].pool = connect::PoolState{4, 3, 1, 2};
  health.sources[0].indexed_at_us = 1'500'000;
  health.sources[1].reason = "source_unreachable";
  const std::string text = MetricsText(health, "");
  for (const char* line :
       {"schemaward_store_readable 1\n", "schemaward_audit_failing{mode=\"required\"} 0\n",
        "schemaward_index_ready{source=\"a\\\"\\\\\\n\"} 1\n",
        "schemaward_index_ready{source=\"b\"} 0\n", "schemaward_index_failing{source=\"b\"} 1\n",
        "schemaward_index_timestamp_seconds{source=\"a\\\"\\\\\\n\"} 1.500000\n",
        "schemaward_pool_connections{source=\"a\\\"\\\\\\n\",state=\"in_use\"} 2\n",
        "schemaward_pool_connections{source=\"a\\\"\\\\\\n\",state=\"idle\"} 1\n",
        "schemaward_pool_connections_max{source=\"a\\\"\\\\\\n\"} 4\n",
        "schemaward_pool_waiting{source=\"a\\\"\\\\\\n\"} 2\n"})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_THAT(text, Not(HasSubstr("pool_waiting{source=\"b\"}")));
  EXPECT_THAT(text, Not(HasSubstr("embed")));
}

TEST(Health, TellsWhatVectorsHaveCostOfWhatTheyMay) {
  Health health;
  health.embed_spent = 250'000'000;
  const std::string text = MetricsText(health, "2.50");
  EXPECT_THAT(text, HasSubstr("schemaward_embed_spent_usd_total 0.250000000\n"));
  EXPECT_THAT(text, HasSubstr("schemaward_embed_budget_usd 2.50\n"));
}

}  // namespace
}  // namespace schemaward::app

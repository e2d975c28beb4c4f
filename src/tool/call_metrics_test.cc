#include "tool/call_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::tool {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(CallMetrics, AreCountedByToolAndStatus) {
  CallMetrics metrics;
  metrics.Count({"list_joins", "success", "", "", 10});
  metrics.Count({"list_joins", "success", "", "", 20});
  metrics.Count({"describe_table", "error", "unknown_name", "unknown_table", 30});
  const std::string text = metrics.Text();
  EXPECT_THAT(text,
              HasSubstr("\nschemaward_calls_total{tool=\"describe_table\",status=\"error\"} 1\n"
                        "schemaward_calls_total{tool=\"list_joins\",status=\"success\"} 2\n"));
  EXPECT_THAT(
      text,
      HasSubstr("schemaward_failures_total{kind=\"unknown_name\",reason=\"unknown_table\"} 1\n"));
}

// A bucket holds what is at most its bound, and all below.
TEST(CallMetrics, ADurationIsInEachBucketFromItsOwnOn) {
  CallMetrics metrics;
  metrics.Count({"t", "success", "", "", 1'000});
  metrics.Count({"t", "success", "", "", 1'001});
  metrics.Count({"t", "success", "", "", 99'000'000});
  const std::string text = metrics.Text();
  EXPECT_THAT(text, HasSubstr("bucket{tool=\"t\",le=\"0.00025\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("bucket{tool=\"t\",le=\"0.001\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("bucket{tool=\"t\",le=\"0.005\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("bucket{tool=\"t\",le=\"30\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("bucket{tool=\"t\",le=\"+Inf\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("sum{tool=\"t\"} 99.002001\n"));
  EXPECT_THAT(text, HasSubstr("count{tool=\"t\"} 3\n"));
}

TEST(CallMetrics, WithoutCallsThereAreHeadsAlone) {
  EXPECT_THAT(CallMetrics().Text(), Not(HasSubstr("{")));
}

}  // namespace
}  // namespace schemaward::tool

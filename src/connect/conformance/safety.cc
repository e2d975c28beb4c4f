// Nothing is written; what breaks says so.

#include <set>

#include <gmock/gmock.h>

#include "base/result_matchers.h"
#include "base/template_text.h"
#include "connect/conformance/conformance.h"
#include "connect/repair_prompt.h"

namespace schemaward::connect {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

TEST_P(ConnectorConformance, RefusesWritesInTheEngineItself) {
  Given("CREATE TABLE kept (x INTEGER); INSERT INTO kept VALUES (1)");
  auto connector = Connect();
  EXPECT_THAT(Read(*connector, "kept", {"x"}).rows, SizeIs(1));
  for (const char* write :
       {"INSERT INTO kept VALUES (2)", "UPDATE kept SET x = 3", "DELETE FROM kept",
        "DROP TABLE kept", "CREATE TABLE added (y INTEGER)",
        "WITH w AS (SELECT 1) DELETE FROM kept", "INSERT INTO kept VALUES (4) RETURNING x",
        "CREATE INDEX added ON kept (x)"})
    EXPECT_FALSE(harness_->AttemptInSession(*connector, write)) << write;
  auto after = Connect();
  EXPECT_THAT(Read(*after, "kept", {"x"}).rows, SizeIs(1));
  EXPECT_EQ(Describe(Read(*after, "kept", {"x"}).rows[0][0]), "int:1");
}

TEST_P(ConnectorConformance, LeavesTheStoredDataAsItWas) {
  GivenManyRows();
  const std::string before = harness_->StoredState();
  if (before.empty()) GTEST_SKIP() << "the engine's stored state cannot be told";
  {
    auto connector = Connect();
    (void)Read(*connector, "many", {"i"});
    EXPECT_THAT(connector->Fingerprint(ctx_), IsOk());
  }
  EXPECT_EQ(harness_->StoredState(), before);
}

TEST_P(ConnectorConformance, AnswersAPing) {
  auto connector = Connect();
  EXPECT_THAT(connector->Ping(ctx_), IsOk());
  EXPECT_FALSE(connector->IsBroken());
}

TEST_P(ConnectorConformance, SaysThatASessionWasEnded) {
  auto connector = Connect();
  ASSERT_THAT(connector->Ping(ctx_), IsOk());
  if (!harness_->EndSessions()) GTEST_SKIP() << "the engine has no server";
  EXPECT_THAT(connector->Ping(ctx_), IsError(ErrorKind::SourceUnreachable));
  EXPECT_TRUE(connector->IsBroken());
  EXPECT_THAT(Connect()->Ping(ctx_), IsOk());
}

TEST_P(ConnectorConformance, SaysThatNothingAnswers) {
  auto connector = harness_->engine().Open(harness_->UnreachableTarget(), ctx_);
  ASSERT_THAT(connector, IsError(ErrorKind::SourceUnreachable));
  EXPECT_FALSE(connector.error().message().empty());
}

TEST_P(ConnectorConformance, DoesNotConnectForACallerWhoGaveUp) {
  std::stop_source stop;
  stop.request_stop();
  CallContext ctx(clock_);
  ctx.stop = stop.get_token();
  EXPECT_THAT(harness_->engine().Open(harness_->target(), ctx), IsError(ErrorKind::Cancelled));
}

// A missed section would silently drop the evidence that grounds a verification.
TEST_P(ConnectorConformance, HasItsOwnPromptToMendSql) {
  const std::string_view text = RepairPromptOf(harness_->engine().name());
  const auto prompt = TemplateText::Parse(text, "sql_repair.md");
  ASSERT_THAT(prompt, IsOk());
  EXPECT_TRUE(prompt->HasSection(kVerificationContext));
  std::set<std::string> holes;
  for (const TemplateText::Hole& hole : prompt->holes())
    if (!hole.is_section) holes.insert(hole.name);
  EXPECT_THAT(holes, UnorderedElementsAre("SCHEMA_INFO", "ORIGINAL_SQL", "ERROR_MESSAGE",
                                          "VERIFICATION_CONTEXT"));
  const std::string exploring = prompt->Fill({{"SCHEMA_INFO", "t"}});
  EXPECT_THAT(exploring, Not(HasSubstr("claim")));
  EXPECT_THAT(prompt->Fill({{"VERIFICATION_CONTEXT", "SELECT known"}}), HasSubstr("SELECT known"));
}

}  // namespace
}  // namespace schemaward::connect

// COVERS: R-FAM-1 R-DESC-1 R-WS-2
// The workspace family without a service: its words, its schemas, and a direct target by file.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/application.h"
#include "app/server.h"
#include "base/result_matchers.h"
#include "store/testing.h"
#include "tool/lint.h"
#include "tool/renderer.h"

namespace schemaward::app {
namespace {

using Json = json::Value;
using ::testing::HasSubstr;

class WorkspaceCallsTest : public ::testing::Test {
 protected:
  WorkspaceCallsTest() {
    const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
    application_ = std::make_unique<Application>(
        *Config::Load({{"store", folder_.File("store.db")}}, nothing, folder_.File("")));
  }
  std::unique_ptr<ToolServer> Serve(std::vector<std::string> sets) {
    auto server = ToolServer::Create(*application_, {.sets = std::move(sets), .served = {}});
    EXPECT_THAT(server, IsOk());
    return *std::move(server);
  }
  Json Call(const ToolServer& server, const std::string& tool, const Json& args) {
    CallContext ctx = application_->CommandContext();
    return Json::parse(server.invoker().Invoke(tool, args, ctx).structured);
  }

  store::TempFolder folder_;
  std::unique_ptr<Application> application_;
};

TEST_F(WorkspaceCallsTest, DescriptionsAndSchemasKeepTheRulesAloneAndWithEveryOtherSet) {
  const std::vector<std::vector<std::string>> worlds = {
      {"workspaces"}, {"catalog", "semantic", "sql", "patterns", "workspaces"}};
  for (const auto& sets : worlds) {
    const auto server = Serve(sets);
    const auto& tools = server->registry().served();
    std::vector<std::string> served;
    for (const tool::Tool* tool : tools) served.push_back(tool->spec().name);
    for (const tool::LintFinding& finding : tool::LintSet(tools, false))
      ADD_FAILURE() << finding.tool << " " << finding.rule << ": " << finding.what;
    for (const tool::Tool* tool : tools) {
      auto findings = tool::LintDescription(tool->spec(), served);
      if (sets.size() == 1)
        // Tools of other sets name one another; those are not served here.
        std::erase_if(findings,
                      [&](const tool::LintFinding&) { return tool->spec().set != "workspaces"; });
      for (auto& finding : tool::LintSchemas(
               tool->spec().name, tool->InputSchema(),
               tool::RendererOf(tool->spec().family).OutputSchema(tool->DataSchema())))
        findings.push_back(finding);
      for (const tool::LintFinding& finding : findings)
        ADD_FAILURE() << finding.tool << " " << finding.rule << ": " << finding.what;
    }
  }
}

TEST_F(WorkspaceCallsTest, WithoutServiceAndTargetsEveryToolSaysThatACredentialIsMissing) {
  const auto server = Serve({"workspaces"});
  for (const char* tool :
       {"get_organizations", "organization_info", "get_regions", "get_virtual_workspaces",
        "workspace_groups_info", "workspaces_info", "get_user_id"}) {
    const Json answer = Call(*server, tool, Json::object());
    EXPECT_EQ(answer["status"], "error") << tool;
    EXPECT_EQ(answer["error_details"]["exception"], "missing_credential") << tool;
    EXPECT_EQ(answer["error_details"]["category"], "AUTHENTICATION_ERROR") << tool;
  }
}

TEST_F(WorkspaceCallsTest, ADirectTargetIsAWorkspaceAndItsIndexMustBeThere) {
  std::ofstream(folder_.File("empty.db")) << "";
  ASSERT_THAT(application_->AddSource("sqlite:" + folder_.File("empty.db"), "empty"), IsOk());
  const auto server = Serve({"workspaces"});
  const Json listed = Call(*server, "workspaces_info", {{"workspace_group_id", "direct"}});
  ASSERT_EQ(listed["status"], "success") << listed.dump();
  EXPECT_EQ(listed["data"]["workspaces"][0]["workspace_id"], "empty");
  EXPECT_EQ(listed["data"]["workspaces"][0]["state"], "UNKNOWN");
  const Json failed = Call(*server, "run_sql", {{"id", "empty"}, {"sql_query", "SELECT 1"}});
  EXPECT_EQ(failed["error_code"], "SQL_EXECUTION_ERROR");
  EXPECT_EQ(failed["error_details"]["category"], "NOT_READY");
  EXPECT_TRUE(failed["error_details"]["database"].is_null());
}

TEST_F(WorkspaceCallsTest, AnInvalidArgumentHasTheFamilysShape) {  // COVERS: R-ARG-2
  const auto server = Serve({"workspaces"});
  const Json answer = Call(*server, "run_sql", {{"sql", "SELECT 1"}, {"id", "x"}});
  EXPECT_EQ(answer["status"], "error");
  EXPECT_EQ(answer["error_code"], "INVALID_ARGUMENT");
  EXPECT_THAT(answer["message"].get<std::string>(), HasSubstr("sql_query"));
}

}  // namespace
}  // namespace schemaward::app

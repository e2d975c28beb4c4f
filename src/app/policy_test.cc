#include "app/policy.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/policy_cases.h"
#include "base/result_matchers.h"

namespace schemaward::app {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(IsLocal, TellsFilesAndLoopbackFromTheRest) {
  EXPECT_TRUE(IsLocal("sqlite", "/data/shop.db"));
  EXPECT_TRUE(IsLocal("ddl", "/data/shop.sql"));
  EXPECT_TRUE(IsLocal("postgres", "postgres://reader@localhost/shop"));
  EXPECT_TRUE(IsLocal("postgres", "postgres://127.0.0.1:5433/shop"));
  EXPECT_TRUE(IsLocal("mysql", "mysql://root@[::1]:3306/shop"));
  EXPECT_TRUE(IsLocal("postgres", "host=/var/run/postgresql dbname=shop"));
  EXPECT_FALSE(IsLocal("postgres", "postgres://db.example/shop"));
  EXPECT_FALSE(IsLocal("postgres", "postgres://localhost.evil.example/shop"));
  EXPECT_FALSE(IsLocal("postgres", "postgres://localhost,db.example/shop"));
  EXPECT_FALSE(IsLocal("postgres", "postgres://localhost:5432,db.example:5432/shop"));
  EXPECT_FALSE(IsLocal("postgres", "host=localhost host=db.example"));
  EXPECT_FALSE(IsLocal("postgres", "postgres://localhost@db.example/shop"));
  EXPECT_FALSE(IsLocal("postgres", "postgres://localhost/shop?host=db.example"));
  EXPECT_FALSE(IsLocal("postgres", "host=localhost hostaddr=10.0.0.1"));
  EXPECT_FALSE(IsLocal("postgres", "dbname=shop"));
  EXPECT_FALSE(IsLocal("postgres", "postgres:///shop"));
}

TEST(DefaultProfile, IsDevOnlyForLocalSourcesOnStdio) {
  store::Source local;
  local.engine = "sqlite";
  store::Source remote;
  remote.engine = "postgres";
  remote.location = "postgres://db.example/shop";
  EXPECT_EQ(DefaultProfile({local}, true), privacy::Profile::Dev);
  EXPECT_EQ(DefaultProfile({local}, false), privacy::Profile::Team);
  EXPECT_EQ(DefaultProfile({local, remote}, true), privacy::Profile::Team);
}

TEST(LoadPolicy, TakesTheBindingFileAndNarrowsIt) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "ward_app_policy";
  fs::create_directories(folder);
  const std::string binding = (folder / "binding.yaml").string();
  const std::string own = (folder / "own.yaml").string();
  std::ofstream(binding) << "profile: team\n";
  std::ofstream(own) << "profile: dev\ncategories: {location: refuse}\n";
  const auto none = [](const std::string&) -> std::optional<std::string> { return std::nullopt; };
  const auto config = Config::Load({{"policy", own}}, none, folder.string());
  ASSERT_TRUE(config);
  const auto policy = LoadPolicy(*config, privacy::Profile::Dev, binding);
  ASSERT_TRUE(policy);
  EXPECT_EQ(policy->profile(), privacy::Profile::Team);
  std::ofstream(binding) << "profil: team\n";
  EXPECT_FALSE(LoadPolicy(*config, privacy::Profile::Dev, binding));
  EXPECT_EQ(LoadPolicy(*config, privacy::Profile::Team, (folder / "absent").string())->profile(),
            privacy::Profile::Dev);
  fs::remove_all(folder);
}

Result<std::string> Answer(const Principal& principal, std::string_view tool,
                           const json::Value& /*args*/) {
  return principal.id + "/" + std::string(tool);
}

TEST(PolicyCases, CompareWhatComesWithWhatWasExpected) {
  privacy::PolicyData data;
  data.everyone.deny.tables = {"hr.*"};
  data.everyone.tools = {{std::nullopt, {"execute_query"}}};
  const auto cases = RunPolicyCases(R"(# columns, tables, tools and calls
{"column": "people.ssn", "expect": "refuse"}
{"column": "main.people.city", "type": "text", "expect": "allow"}
{"column": "people.email", "expect": "allow|mask", "name": "wrong"}
{"table": "hr.people", "expect": "policy_blocked"}
{"tool": "execute_query", "set": "sql", "expect": "policy_blocked"}
{"caller": {"principal": "ana"}, "call": {"tool": "get_metric"}, "expect": "ana/get_metric"}
)",
                                    privacy::Policy(data), Answer);
  ASSERT_TRUE(cases) << cases.error().message();
  ASSERT_THAT(*cases, SizeIs(6));
  for (const PolicyCase& one : *cases) EXPECT_EQ(one.passed, one.name != "wrong") << one.name;
  EXPECT_EQ((*cases)[2].got, "refuse");
}

TEST(PolicyCases, SayWhichLineIsNone) {
  const auto message = [](std::string_view text) {
    const auto cases = RunPolicyCases(text, privacy::Policy(), Answer);
    return cases ? std::string() : cases.error().message();
  };
  EXPECT_THAT(message("\n{\"column\": \"a.b\"}\n"), HasSubstr("line 2"));
  EXPECT_THAT(message("[]\n"), HasSubstr("line 1"));
  for (const char* none : {"", "\n", "# nothing\n"})
    EXPECT_EQ(message(none), "the file holds no cases");
  EXPECT_THAT(message("{\"column\": \"a\", \"expect\": \"allow\"}"),
              HasSubstr("no name of a column"));
}

}  // namespace
}  // namespace schemaward::app

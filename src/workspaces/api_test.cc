#include "workspaces/api.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "workspaces/cloud.h"
#include "workspaces/testing.h"

namespace schemaward::workspaces {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kBase = "https://api.test/v1/";

class ApiTest : public ::testing::Test {
 protected:
  ApiTest() : ctx_(clock_) {
    variables_ = {{"KEY", "k3y"}};
    environment_ = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    };
  }

  ManagementApi& api() {
    if (!api_) {
      credentials_.emplace(CredentialSettings{"env:KEY", "env:JWT", tokens_, ""}, environment_,
                           service_);
      api_.emplace(ApiSettings{kBase, "https://graph.test/public", ""}, service_, *credentials_);
    }
    return *api_;
  }
  Cloud& cloud(SqlLogin login = {}) {
    cloud_.emplace(api(), selection_, environment_, std::move(login), "");
    return *cloud_;
  }
  static std::string At(const std::string& call, const std::string& path) {
    return call + ' ' + kBase + path;
  }
  // With a JWT in place of the key.
  void UseJwt() { variables_ = {{"JWT", "jw.t"}}; }

  FakeClock clock_;
  CallContext ctx_;
  FakeService service_;
  std::map<std::string, std::string> variables_;
  connect::Environment environment_;
  std::string tokens_;
  Selection selection_{"/nonexistent/choices.json", ""};
  std::optional<Credentials> credentials_;
  std::optional<ManagementApi> api_;
  std::optional<Cloud> cloud_;
};

TEST_F(ApiTest, ReadsWorkspacesAndLeavesOutWhatCannotBeRead) {
  service_.Answer(At("GET", "workspaces"), 200, R"([
    {"workspaceID":"w-1","workspaceGroupID":"g","name":"one","size":"S-00","state":"ACTIVE","endpoint":"h:3306",
     "createdAt":"2026-01-01T00:00:00Z","deploymentType":"PRODUCTION","extra":{"a":[1]},"terminatedAt":null},
    {"workspaceID":"w-2","workspaceGroupID":"g","name":"two","state":"SOMETHING_NEW","endpoint":null},
    {"workspaceID":"w-3"}, {"name":"no id"}, 7, null])");
  const auto listed = api().WorkspacesOf("g", "", ctx_);
  ASSERT_THAT(listed, IsOk());
  ASSERT_EQ(listed->items.size(), 3u);
  EXPECT_EQ(listed->unreadable, 3);
  EXPECT_EQ(listed->items[0].endpoint, "h:3306");
  EXPECT_EQ(listed->items[0].terminated_at, "");
  EXPECT_EQ(listed->items[1].state, "SOMETHING_NEW");
  EXPECT_EQ(listed->items[1].endpoint, "");
  EXPECT_EQ(listed->items[2].state, "UNKNOWN");
  EXPECT_THAT(service_.seen[0].url, HasSubstr("workspaceGroupID=g"));
}

TEST_F(ApiTest, ReadsRegionsByTheNameThatTheServiceGives) {
  service_.Answer(
      At("GET", "regions"), 200,
      R"([{"regionID":"r1","region":"US East 1","provider":"Azure"}, {"provider":"AWS"}])");
  service_.Answer(At("GET", "regions/sharedtier"), 200,
                  R"([{"region":"US West","regionName":"us-west-2","provider":"AWS"}])");
  const auto regions = api().Regions(false, "", ctx_);
  ASSERT_THAT(regions, IsOk());
  ASSERT_EQ(regions->items.size(), 1u);
  EXPECT_EQ(regions->items[0].name, "US East 1");
  EXPECT_EQ(regions->items[0].provider, "AZURE");
  EXPECT_EQ(regions->unreadable, 1);
  const auto shared = api().Regions(true, "", ctx_);
  ASSERT_THAT(shared, IsOk());
  EXPECT_EQ(shared->items[0].region_name, "us-west-2");
  EXPECT_TRUE(shared->items[0].shared_tier);
}

TEST_F(ApiTest, ReadsStarterWorkspacesWithTheirPortsAndNoState) {
  service_.Answer(
      At("GET", "sharedtier/virtualWorkspaces"), 200,
      R"([{"virtualWorkspaceID":"v-1","name":"s","databaseName":"db","endpoint":"h","mysqlDmlPort":3333,"websocketPort":443}])");
  const auto listed = api().Starters("", ctx_);
  ASSERT_THAT(listed, IsOk());
  EXPECT_EQ(listed->items[0].mysql_dml_port, 3333);
  EXPECT_EQ(listed->items[0].websocket_port, 443);
  EXPECT_EQ(listed->items[0].state, "UNKNOWN");
}

TEST_F(ApiTest, AListMayBeEmptyAndMustBeAList) {
  service_.Answer(At("GET", "workspaceGroups"), 200, "[]");
  service_.Answer(At("GET", "workspaceGroups"), 200, R"({"error":"x"})");
  const auto empty = api().Groups("", ctx_);
  ASSERT_THAT(empty, IsOk());
  EXPECT_THAT(empty->items, IsEmpty());
  EXPECT_THAT(api().Groups("", ctx_), IsError(ErrorKind::SourceUnreachable));
}

TEST_F(ApiTest, TellsFailuresApartByTheStatusAlone) {
  struct Case {
    int status;
    const char* body;
    ErrorKind kind;
  };
  const Case cases[] = {
      {401, "", ErrorKind::SourceAuthFailed},
      {403, "", ErrorKind::PermissionDenied},
      {404, "", ErrorKind::UnknownSource},
      {429, "", ErrorKind::RateLimited},
      {500, R"({"error":"object 404 not found, unauthorized auth"})", ErrorKind::SourceUnreachable},
      {503, "", ErrorKind::SourceUnreachable},
      {307, "", ErrorKind::SourceUnreachable},
      {200, "<html>login</html>", ErrorKind::SourceUnreachable},
      {200, "", ErrorKind::SourceUnreachable},
  };
  for (const Case& one : cases) {
    FakeService service;
    service.Answer(At("GET", "workspaces/w"), one.status, one.body);
    Credentials credentials({"env:KEY", "", "", ""}, environment_, service);
    ManagementApi api({kBase, "", ""}, service, credentials);
    const auto result = api.GetWorkspace("w", "", ctx_);
    EXPECT_THAT(result, IsError(one.kind)) << one.status;
    EXPECT_THAT(result.error().message(), Not(HasSubstr("404 not found"))) << one.status;
  }
}

TEST_F(ApiTest, CarriesTheWaitOfAServiceThatIsAskedTooOften) {
  service_.Answer(At("GET", "users/current"), {429, "application/json", "", 3'000});
  EXPECT_EQ(api().CurrentUser(ctx_).error().retry_after_ms(), 3'000);
}

TEST_F(ApiTest, AnyStatusOfTheTwoHundredsIsDone) {
  for (const int status : {200, 201, 202, 204}) {
    service_.Answer(At("POST", "workspaces/w%2F1/resume"), status, "");
    EXPECT_THAT(api().Resume("w/1", std::nullopt, "", ctx_), IsOk()) << status;
  }
  EXPECT_EQ(service_.seen[0].body, "{}");
}

TEST_F(ApiTest, ADeleteAnswersWithABareBoolean) {
  const std::string call = At("DELETE", "sharedtier/virtualWorkspaces/v");
  service_.Answer(call, 200, "true");
  service_.Answer(call, 200, "false");
  EXPECT_THAT(api().DeleteStarter("v", "", ctx_), IsOk());
  EXPECT_THAT(api().DeleteStarter("v", "", ctx_), IsError(ErrorKind::SourceUnreachable));
}

TEST_F(ApiTest, ANewStarterWorkspaceIsOnlyAnId) {
  const std::string call = At("POST", "sharedtier/virtualWorkspaces");
  service_.Answer(call, 201, R"({"virtualWorkspaceID":"v-9"})");
  service_.Answer(call, 201, "{}");
  EXPECT_THAT(api().CreateStarter({"n", "d", "AWS", "us-east-1"}, "", ctx_), IsOkAnd("v-9"));
  EXPECT_EQ(service_.seen[0].body,
            R"({"databaseName":"d","name":"n","provider":"AWS","regionName":"us-east-1"})");
  EXPECT_THAT(api().CreateStarter({"n", "d", "AWS", "r"}, "", ctx_),
              IsError(ErrorKind::SourceUnreachable));
}

TEST_F(ApiTest, SendsTheOrganizationUnlessTheCredentialIsAKey) {
  service_.Answer(At("GET", "workspaceGroups"), 200, "[]");
  ASSERT_THAT(api().Groups("o 1", ctx_), IsOk());
  EXPECT_THAT(service_.seen[0].url, Not(HasSubstr("organizationID")));
  UseJwt();
  ASSERT_THAT(api().Groups("o 1", ctx_), IsOk());
  EXPECT_THAT(service_.seen[1].url, HasSubstr("?organizationID=o%201"));
}

TEST_F(ApiTest, OrganizationsComeFromGraphQlOrFailByItsErrors) {
  const std::string call = "POST https://graph.test/public";
  service_.Answer(call, 200,
                  R"({"data":{"organizations":[{"orgID":"o-1","name":"One"},{"name":"x"}]}})");
  service_.Answer(call, 200, R"({"data":null,"errors":[{"message":"secret words"}]})");
  service_.Answer(call, 200, R"({"data":{}})");
  const auto listed = api().Organizations(ctx_);
  ASSERT_THAT(listed, IsOk());
  EXPECT_EQ(listed->items[0].org_id, "o-1");
  EXPECT_EQ(listed->unreadable, 1);
  const auto failed = api().Organizations(ctx_);
  EXPECT_THAT(failed, IsError(ErrorKind::SourceUnreachable));
  EXPECT_THAT(failed.error().message(), Not(HasSubstr("secret words")));
  EXPECT_THAT(api().Organizations(ctx_), IsError(ErrorKind::SourceUnreachable));
}

TEST_F(ApiTest, WithoutACredentialNothingIsSent) {
  variables_.clear();
  EXPECT_THAT(api().CurrentUser(ctx_), IsError(ErrorKind::MissingCredential));
  EXPECT_THAT(service_.seen, IsEmpty());
}

TEST_F(ApiTest, NoErrorAndNoLogTextHoldsTheCredential) {
  service_.Answer(At("GET", "users/current"), 500, "x");
  const auto failed = api().CurrentUser(ctx_);
  EXPECT_THAT(failed.error().ToLogText(), Not(HasSubstr("k3y")));
  EXPECT_EQ(service_.seen[0].headers[0].second, "Bearer k3y");
}

TEST_F(ApiTest, AWorkspaceThatIsNotThereMayBeAStarter) {
  service_.Answer(At("GET", "workspaces/v-1"), 404, "");
  service_.Answer(
      At("GET", "sharedtier/virtualWorkspaces/v-1"), 200,
      R"({"virtualWorkspaceID":"v-1","name":"s","databaseName":"db","endpoint":"h.test","mysqlDmlPort":3333})");
  const auto found = cloud().Find("ws-v-1", ctx_);
  ASSERT_THAT(found, IsOk());
  EXPECT_EQ(found->workspace_type, "shared");
  EXPECT_EQ(found->host, "h.test");
  EXPECT_EQ(found->port, 3333);
  EXPECT_EQ(found->database, "db");
}

TEST_F(ApiTest, AFaultThatSpeaksOf404IsNoAbsentWorkspace) {
  service_.Answer(At("GET", "workspaces/w"), 500, "code 404");
  EXPECT_THAT(cloud().Find("w", ctx_), IsError(ErrorKind::SourceUnreachable));
  EXPECT_EQ(service_.seen.size(), 1u);
}

TEST_F(ApiTest, AWorkspaceThatNobodyHasIsUnknown) {
  service_.Answer(At("GET", "workspaces/w"), 404, "");
  service_.Answer(At("GET", "sharedtier/virtualWorkspaces/w"), 404, "");
  EXPECT_THAT(cloud().Find("w", ctx_), IsError(ErrorKind::UnknownSource, HasSubstr("\"w\"")));
}

TEST_F(ApiTest, ASuspendedWorkspaceHasNoEndpointAndSaysSo) {
  service_.Answer(At("GET", "workspaces/w"), 200,
                  R"({"workspaceID":"w","name":"night","state":"SUSPENDED"})");
  const auto found = cloud().Find("w", ctx_);
  EXPECT_THAT(found, IsError(ErrorKind::SourceUnreachable, HasSubstr("SUSPENDED")));
  EXPECT_THAT(found.error().hint(), HasSubstr("resume_workspace"));
}

TEST_F(ApiTest, SqlLogsInWithTheTokenOrTheConfiguredUser) {
  service_.Answer(At("GET", "users/current"), 200, R"({"userID":"u-1"})");
  EXPECT_THAT(cloud().LoginFor(ctx_), IsError(ErrorKind::MissingCredential));
  variables_["PASSWORD"] = "pw";
  const auto key = cloud({"reader", "env:PASSWORD"}).LoginFor(ctx_);
  ASSERT_THAT(key, IsOk());
  EXPECT_EQ(key->user, "reader");
  EXPECT_EQ(key->secret, "pw");
  UseJwt();
  const auto token = cloud().LoginFor(ctx_);
  ASSERT_THAT(token, IsOk());
  EXPECT_EQ(token->user, "u-1");
  EXPECT_EQ(token->secret, "jw.t");
  EXPECT_EQ(cloud_->KnownUser(), "u-1");
}

TEST(SplitEndpoint, TakesHostPortAndAddresses) {
  struct Case {
    const char* text;
    const char* host;
    std::int64_t port;
  };
  const Case cases[] = {{"h.test", "h.test", 3306},   {"h.test:3307", "h.test", 3307},
                        {"[::1]:3307", "::1", 3307},  {"[::1]", "::1", 3306},
                        {"fe80::1", "fe80::1", 3306}, {"h:notaport", "h", 3306},
                        {"h:99999", "h", 3306},       {"", "", 3306}};
  for (const Case& one : cases) {
    std::string host;
    std::int64_t port = 3306;
    SplitEndpoint(one.text, host, port);
    EXPECT_EQ(host, one.host) << one.text;
    EXPECT_EQ(port, one.port) << one.text;
  }
}

class LoginTest : public ::testing::Test {
 protected:
  LoginTest() : ctx_(clock_) {
    std::filesystem::remove(path_);
    std::filesystem::remove(path_ + ".choices");
  }
  ~LoginTest() override {
    std::filesystem::remove(path_);
    std::filesystem::remove(path_ + ".choices");
  }
  std::int64_t Now() const { return clock_.UnixMicros() / 1'000'000; }
  Credentials MakeCredentials() {
    const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
    return Credentials({"env:KEY", "env:JWT", path_, ""}, nothing, service_);
  }

  const std::string path_ =
      (std::filesystem::temp_directory_path() /
       ("ward_login_" +
        std::string(::testing::UnitTest::GetInstance()->current_test_info()->name())))
          .string();
  FakeClock clock_;
  CallContext ctx_;
  FakeService service_;
};

TEST_F(LoginTest, TokensAreKeptForTheOwnerAlone) {
  ASSERT_THAT(WriteTokens(path_, {"a", "r", "https://t/", "c", 5}), IsOk());
  EXPECT_EQ(std::filesystem::status(path_).permissions(), std::filesystem::perms(0600));
  const auto read = ReadTokens(path_);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ((*read)->access_token, "a");
  EXPECT_EQ((*read)->expires_at_s, 5);
  std::filesystem::permissions(path_, std::filesystem::perms(0644));
  EXPECT_THAT(ReadTokens(path_), IsError(ErrorKind::InputUnreadable));
  ASSERT_THAT(RemoveTokens(path_), IsOk());
  ASSERT_THAT(RemoveTokens(path_), IsOk());
  EXPECT_FALSE(ReadTokens(path_)->has_value());
}

TEST_F(LoginTest, ATokenThatEndsWithinTheMinuteIsRenewedFirst) {
  ASSERT_THAT(WriteTokens(path_, {"old", "r+1", "https://t/token", "c", Now() + 30}), IsOk());
  service_.Answer("POST https://t/token", 200, R"({"access_token":"new","expires_in":3600})");
  Credentials credentials = MakeCredentials();
  const auto got = credentials.Get(ctx_);
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->token, "new");
  EXPECT_EQ(service_.seen[0].body, "grant_type=refresh_token&refresh_token=r%2B1&client_id=c");
  const auto kept = ReadTokens(path_);
  EXPECT_EQ((*kept)->refresh_token, "r+1");
  EXPECT_EQ((*kept)->expires_at_s, Now() + 3'600);
}

TEST_F(LoginTest, ARefusedTokenIsRenewedOnceAndTheCallMadeAgain) {
  ASSERT_THAT(WriteTokens(path_, {"old", "r", "https://t/token", "c", 0}), IsOk());
  service_.Answer("POST https://t/token", 200, R"({"access_token":"new","refresh_token":"r2"})");
  const std::string call = std::string("GET ") + kBase + "users/current";
  service_.Answer(call, 401, "");
  service_.Answer(call, 200, R"({"userID":"u"})");
  Credentials credentials = MakeCredentials();
  ManagementApi api({kBase, "", ""}, service_, credentials);
  const auto user = api.CurrentUser(ctx_);
  ASSERT_THAT(user, IsOk());
  EXPECT_EQ(service_.seen.back().headers[0].second, "Bearer new");
  EXPECT_EQ((*ReadTokens(path_))->refresh_token, "r2");
}

TEST_F(LoginTest, ATokenThatIsRefusedTwiceIsAnError) {
  ASSERT_THAT(WriteTokens(path_, {"old", "r", "https://t/token", "c", 0}), IsOk());
  service_.Answer("POST https://t/token", 200, R"({"access_token":"new"})");
  service_.Answer(std::string("GET ") + kBase + "users/current", 401, "");
  Credentials credentials = MakeCredentials();
  ManagementApi api({kBase, "", ""}, service_, credentials);
  EXPECT_THAT(api.CurrentUser(ctx_), IsError(ErrorKind::SourceAuthFailed));
  EXPECT_EQ(service_.seen.size(), 3u);
}

TEST_F(LoginTest, ALoginThatCannotBeRenewedSaysHowToLogInAgain) {
  ASSERT_THAT(WriteTokens(path_, {"old", "r", "https://t/token", "c", 1}), IsOk());
  service_.Answer("POST https://t/token", 400, R"({"error":"invalid_grant"})");
  Credentials credentials = MakeCredentials();
  const auto got = credentials.Get(ctx_);
  EXPECT_THAT(got, IsError(ErrorKind::SourceAuthFailed));
  EXPECT_THAT(got.error().hint(), HasSubstr("schemaward login"));
}

TEST_F(LoginTest, AnotherCallMayHaveRenewedTheTokenMeanwhile) {
  ASSERT_THAT(WriteTokens(path_, {"fresh", "r", "https://t/token", "c", 0}), IsOk());
  Credentials credentials = MakeCredentials();
  const auto got = credentials.Renew({AuthKind::OAuth, "stale"}, ctx_);
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->token, "fresh");
  EXPECT_THAT(service_.seen, IsEmpty());
}

TEST_F(LoginTest, AChoiceIsKeptForEachCaller) {
  Selection selection(path_ + ".choices", "o-default");
  EXPECT_EQ(selection.Of("a")->org_id, "o-default");
  ASSERT_THAT(selection.Choose("a", {"o-1", "One"}), IsOk());
  ASSERT_THAT(selection.Choose("b", {"o-2", "Two"}), IsOk());
  Selection again(path_ + ".choices", "");
  EXPECT_EQ(again.Of("a")->name, "One");
  EXPECT_EQ(again.Of("b")->org_id, "o-2");
  EXPECT_FALSE(again.Of("c").has_value());
}

}  // namespace
}  // namespace schemaward::workspaces

// How requests are let in by tokens of an issuer, of a file, or of both. Signatures are the token
// module's tests' matter: here a token is good where the checker is told so.
#include "app/http_oauth.h"

#include <deque>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/http_access.h"
#include "base/result_matchers.h"
#include "base/sha256.h"
#include "token/testing.h"

namespace schemaward::app {
namespace {

using testing::HasSubstr;
using transport::Admission;

const std::map<std::string, std::string> good_settings = {
    {"http.oauth.issuer", "https://id.example.com"},
    {"http.oauth.resource", "https://ward.example.com/team/mcp"},
    {"http.oauth.keys", "/no/such/keys.json"},
    {"http.oauth.scopes", "ward.read"}};

Result<OAuthSettings> Read(const std::map<std::string, std::string>& changes = {}) {
  auto flags = good_settings;
  for (const auto& [key, value] : changes) flags[key] = value;
  const auto config = Config::Load(
      flags, [](const std::string&) { return std::nullopt; }, testing::TempDir());
  EXPECT_THAT(config, IsOk());
  return OAuthSettings::Read(*config);
}

class Trusting final : public token::Signatures {
 public:
  bool Fits(const token::PublicKey&, std::string_view, std::string_view signature) override {
    return signature == "good";
  }
};

// Has the keys of the first of its states; the next one follows each time that they are renewed.
class Scripted final : public token::KeySource {
 public:
  explicit Scripted(std::deque<std::vector<std::string>> states) : states_(std::move(states)) {}
  token::KeysPtr Now() override {
    if (states_.front().empty()) return nullptr;
    token::Keys keys;
    for (const std::string& id : states_.front())
      keys.push_back({.id = id, .modulus = {}, .exponent = {}, .x = {}, .y = {}});
    return std::make_shared<const token::Keys>(std::move(keys));
  }
  void Renew(std::function<void()> then) override {
    if (states_.size() > 1) states_.pop_front();
    then();
  }

 private:
  std::deque<std::vector<std::string>> states_;
};

std::string Token(std::string_view subject, std::string_view scope = "ward.read",
                  std::string_view key = "k1", std::string_view signature = "good") {
  return token::ToBase64Url(fmt::format(R"({{"alg":"RS256","kid":"{}"}})", key)) + '.' +
         token::ToBase64Url(
             fmt::format(R"({{"iss":"https://id.example.com","sub":"{}","scope":"{}",)"
                         R"("aud":"https://ward.example.com/team/mcp","exp":1800000000}})",
                         subject, scope)) +
         '.' + token::ToBase64Url(signature);
}

class OAuthTest : public testing::Test {
 protected:
  std::unique_ptr<OAuth> Make(std::deque<std::vector<std::string>> states = {{"k1"}}) {
    return std::make_unique<OAuth>(*Read(), std::make_shared<Trusting>(),
                                   std::make_unique<Scripted>(std::move(states)), clock_);
  }
  template <class T>
  static Admission AdmissionOf(T& access, const std::string& token) {
    Admission out{.status = 0};
    access.Admit(token, [&](Admission admission) { out = std::move(admission); });
    return out;
  }
  FakeClock clock_;
};

TEST_F(OAuthTest, AGoodTokenLetsItsSubjectIn) {
  const auto oauth = Make();
  const Admission in = AdmissionOf(*oauth, Token("ana"));
  ASSERT_TRUE(in.principal.has_value()) << in.why;
  EXPECT_EQ(in.principal->id, "ana");
  EXPECT_EQ(in.principal->claims.at("scope"), "ward.read");
}

TEST_F(OAuthTest, ARefusalSaysWhereToGetAToken) {
  const auto oauth = Make();
  const std::string where =
      "Bearer resource_metadata=\"https://ward.example.com/.well-known/"
      "oauth-protected-resource/team/mcp\", scope=\"ward.read\"";
  EXPECT_EQ(oauth->Ask().status, 401);
  EXPECT_EQ(oauth->Ask().challenge, where);
  const Admission forged = AdmissionOf(*oauth, Token("ana", "ward.read", "k1", "forged"));
  EXPECT_EQ(forged.status, 401);
  EXPECT_THAT(forged.challenge, HasSubstr(where + ", error=\"invalid_token\""));
  EXPECT_FALSE(forged.principal.has_value());
}

TEST_F(OAuthTest, AScopeThatIsMissingIsForbidden) {
  const auto oauth = Make();
  const Admission out = AdmissionOf(*oauth, Token("ana", "other"));
  EXPECT_EQ(out.status, 403);
  EXPECT_THAT(out.challenge, HasSubstr("error=\"insufficient_scope\""));
  EXPECT_THAT(out.challenge, HasSubstr("scope=\"ward.read\""));
}

TEST_F(OAuthTest, AChallengeNamesAllThatACallNeedsOnce) {
  EXPECT_EQ(Make()->ScopeChallenge({"ward.sql", "ward.read"}),
            "Bearer resource_metadata=\"https://ward.example.com/.well-known/"
            "oauth-protected-resource/team/mcp\", scope=\"ward.read ward.sql\", "
            "error=\"insufficient_scope\", "
            "error_description=\"the tool needs a scope that was not granted\"");
  EXPECT_EQ(HttpAccess(nullptr, nullptr, nullptr).ScopeChallenge({"a", "b"}),
            "Bearer error=\"insufficient_scope\", scope=\"a b\"");
}

TEST_F(OAuthTest, AKeyThatIsNotKnownIsLookedForOnce) {
  const auto found = Make({{"k0"}, {"k0", "k1"}});
  EXPECT_TRUE(AdmissionOf(*found, Token("ana")).principal.has_value());
  const auto missing = Make({{"k0"}, {"k2"}, {"k1"}});
  EXPECT_EQ(AdmissionOf(*missing, Token("ana")).status, 401);
}

TEST_F(OAuthTest, WithoutAnyKeysItIsNotTheTokensFault) {
  const auto oauth = Make({{}});
  const Admission out = AdmissionOf(*oauth, Token("ana"));
  EXPECT_EQ(out.status, 503);
  EXPECT_EQ(out.challenge, "");
  EXPECT_GT(out.retry_after.count(), 0);
}

TEST_F(OAuthTest, TheMetadataIsReadAtEachPathThatAClientTries) {
  const auto documents = Make()->Documents();
  EXPECT_EQ(documents.size(), 3U);
  EXPECT_EQ(documents.at("/.well-known/oauth-protected-resource/team/mcp"),
            R"({"resource":"https://ward.example.com/team/mcp","authorization_servers":)"
            R"(["https://id.example.com"],"bearer_methods_supported":["header"],)"
            R"("resource_name":"Schemaward","scopes_supported":["ward.read"]})"
            "\n");
  EXPECT_TRUE(documents.contains("/.well-known/oauth-protected-resource"));
  EXPECT_TRUE(documents.contains("/.well-known/oauth-protected-resource/mcp"));
}

TEST_F(OAuthTest, TokensOfAFileAreGoodBesideThoseOfAnIssuerAndKeepTheirNames) {
  const std::string path = testing::TempDir() + "ward_oauth_tokens.yaml";
  const std::string secret(kTokenBytesMin, 's');
  std::ofstream(path) << fmt::format("tokens: [{{id: ci, sha256: {}}}]\n", Sha256Hex(secret));
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  auto file = HttpTokenFile::Open(path, clock_);
  ASSERT_THAT(file, IsOk());
  HttpAccess access(*std::move(file), Make(), nullptr);
  EXPECT_EQ(AdmissionOf(access, secret).principal->id, "ci");
  EXPECT_EQ(AdmissionOf(access, Token("ana")).principal->id, "ana");
  EXPECT_EQ(AdmissionOf(access, Token("ci")).status, 401);
  EXPECT_EQ(AdmissionOf(access, "").challenge.find("Bearer resource_metadata"), 0U);
  std::filesystem::remove(path);
}

TEST_F(OAuthTest, WithoutAnIssuerTheChallengeNamesNone) {
  const std::string path = testing::TempDir() + "ward_oauth_no_tokens.yaml";
  std::ofstream(path) << "tokens: []\n";
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  HttpAccess access(*HttpTokenFile::Open(path, clock_), nullptr, nullptr);
  EXPECT_EQ(AdmissionOf(access, "").challenge, "Bearer");
  EXPECT_EQ(AdmissionOf(access, Token("ana")).status, 401);
  EXPECT_TRUE(access.Documents().empty());
  std::filesystem::remove(path);
}

TEST_F(OAuthTest, WhoeverSendsTooMuchIsToldWhenToComeAgain) {
  HttpAccess anybody(nullptr, nullptr, std::make_unique<HttpRate>(1, 1, clock_));
  EXPECT_FALSE(anybody.AsksWho());
  EXPECT_TRUE(anybody.Judges());
  EXPECT_EQ(AdmissionOf(anybody, "").principal->id, "anonymous");
  EXPECT_EQ(AdmissionOf(anybody, "").status, 429);
  EXPECT_EQ(AdmissionOf(anybody, "").retry_after, std::chrono::seconds(1));
  HttpAccess known(nullptr, Make(), std::make_unique<HttpRate>(1, 1, clock_));
  EXPECT_EQ(AdmissionOf(known, Token("ana")).principal->id, "ana");
  EXPECT_EQ(AdmissionOf(known, Token("ana")).status, 429);
  EXPECT_EQ(AdmissionOf(known, Token("bob")).principal->id, "bob");
  EXPECT_EQ(AdmissionOf(known, "").status, 401);  // who is not known is not counted
  EXPECT_THAT(known.MetricsText(), HasSubstr("{outcome=\"admitted\"} 2\n"));
  EXPECT_THAT(known.MetricsText(), HasSubstr("{outcome=\"rate_limited\"} 1\n"));
  EXPECT_THAT(known.MetricsText(), HasSubstr("{outcome=\"unauthorized\"} 1\n"));
  EXPECT_THAT(known.MetricsText(), HasSubstr("{outcome=\"unavailable\"} 0\n"));
}

TEST_F(OAuthTest, WithoutAnythingSetNobodyIsJudged) {
  EXPECT_FALSE(HttpAccess(nullptr, nullptr, nullptr).Judges());
}

TEST(OAuthSettings, EachThatIsMissingOrCannotBeIsNamed) {
  struct Row {
    std::string key, value;
  };
  const Row rows[] = {{"http.oauth.issuer", "http://id.example.com"},
                      {"http.oauth.resource", ""},
                      {"http.oauth.resource", "ward.example.com"},
                      {"http.oauth.resource", "https://ward.example.com/\"mcp"},
                      {"http.oauth.resource", "https://ward.example.com/mcp#x"},
                      {"http.oauth.keys", ""},
                      {"http.oauth.keys", "http://id.example.com/keys"},
                      {"http.oauth.scopes", "a\"b"}};
  for (const Row& row : rows) {
    const auto read = Read({{row.key, row.value}});
    ASSERT_THAT(read, IsError(ErrorKind::InputUnreadable)) << row.key << ' ' << row.value;
    EXPECT_THAT(read.error().message(), HasSubstr(row.key));
  }
}

TEST(OAuthSettings, TheAudienceIsTheResourceWhereNoneIsNamed) {
  EXPECT_THAT(Read()->rules.audiences, testing::ElementsAre("https://ward.example.com/team/mcp"));
  EXPECT_THAT(Read({{"http.oauth.audience", "ward, api://ward"}})->rules.audiences,
              testing::ElementsAre("ward", "api://ward"));
}

}  // namespace
}  // namespace schemaward::app

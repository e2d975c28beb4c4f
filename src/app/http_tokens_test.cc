#include "app/http_tokens.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "base/sha256.h"

namespace schemaward::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string good_token(kTokenBytesMin, 't');

std::string File(std::string_view entries) { return fmt::format("tokens:\n{}", entries); }

std::string Entry(std::string_view id, const std::string& token) {
  return fmt::format("  - {{id: {}, sha256: {}, scopes: [analyst, ops], claims: {{team: blue}}}}\n",
                     id, Sha256Hex(token));
}

TEST(HttpTokens, KnowWhoseATokenIs) {
  const auto tokens = HttpTokens::Parse(File(Entry("ci", good_token)));
  ASSERT_THAT(tokens, IsOk());
  const auto principal = tokens->Admit(good_token);
  ASSERT_TRUE(principal.has_value());
  EXPECT_EQ(principal->id, "ci");
  EXPECT_EQ(principal->transport, "http");
  EXPECT_THAT(principal->scopes, ElementsAre("analyst", "ops"));
  EXPECT_EQ(principal->claims.at("team"), "blue");
  EXPECT_FALSE(tokens->Admit(good_token + "t").has_value());
  EXPECT_FALSE(tokens->Admit(Sha256Hex(good_token)).has_value()) << "the hash is no token";
}

TEST(HttpTokens, AShortTokenIsNobodys) {
  const std::string token(kTokenBytesMin - 1, 't');
  EXPECT_FALSE(HttpTokens::Parse(File(Entry("ci", token)))->Admit(token).has_value());
}

struct Row {
  std::string_view name;
  std::string text, message;
};

class WrongTokens : public testing::TestWithParam<Row> {};

TEST_P(WrongTokens, AreSaidToBe) {
  EXPECT_THAT(HttpTokens::Parse(GetParam().text),
              IsError(ErrorKind::InputUnreadable, HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongTokens,
    testing::Values(Row{"empty", "", "must hold one list"},
                    Row{"other_key", "token: []", "must hold one list"},
                    Row{"not_yaml", "tokens: [", "cannot be read: line"},
                    Row{"not_a_mapping", File("  - ci\n"), "entry 1 of the tokens file is not"},
                    Row{"plain_token", File("  - {id: ci, token: abc}\n"), "no member \"token\""},
                    Row{"no_id", File(fmt::format("  - {{sha256: {}}}\n", Sha256Hex("x"))),
                        "needs an id"},
                    Row{"short_hash", File("  - {id: ci, sha256: abc}\n"), "needs sha256"},
                    Row{"same_id", File(Entry("ci", good_token) + Entry("ci", good_token + "2")),
                        "entry 2 of the tokens file has the id"},
                    Row{"same_hash", File(Entry("ci", good_token) + Entry("cd", good_token)),
                        "entry 2 of the tokens file has the hash"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(HttpTokens, AFileThatOthersMayWriteIsNotRead) {
  const std::string path = testing::TempDir() + "ward_http_tokens.yaml";
  std::ofstream(path) << File(Entry("ci", good_token));
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  EXPECT_THAT(HttpTokens::Read(path), IsOk());
  std::filesystem::permissions(path, std::filesystem::perms(0660));
  EXPECT_THAT(HttpTokens::Read(path), IsError(ErrorKind::InputUnreadable, HasSubstr("by others")));
  std::filesystem::remove(path);
  EXPECT_THAT(HttpTokens::Read(path), IsError(ErrorKind::InputUnreadable));
}

}  // namespace
}  // namespace schemaward::app

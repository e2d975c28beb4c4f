#include "tool/answer_cache.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"

namespace schemaward::tool {
namespace {

using ::testing::SizeIs;

Reply Saying(std::string data) {
  Reply reply;
  reply.data_json = std::move(data);
  return reply;
}

class AnswerCacheTest : public ::testing::Test {
 protected:
  std::shared_ptr<const Reply> Find(const std::string& key, StateStamp stamp) {
    return cache.Find(key, stamp, clock.Now());
  }
  void Keep(const std::string& key, StateStamp stamp, const Reply& reply) {
    cache.Keep(key, stamp, clock.Now(), reply);
  }

  FakeClock clock;
  AnswerCache cache;
};

TEST_F(AnswerCacheTest, GivesAReplyAgainForTheSameCallAndState) {
  Keep("a", {1, 1}, Saying("{}"));
  ASSERT_NE(Find("a", {1, 1}), nullptr);
  EXPECT_EQ(Find("a", {1, 1})->data_json, "{}");
  EXPECT_EQ(Find("b", {1, 1}), nullptr);
}

TEST_F(AnswerCacheTest, AnotherStateOrAnotherReaderIsAnotherReply) {
  Keep("a", {1, 1}, Saying("{}"));
  EXPECT_EQ(Find("a", {2, 1}), nullptr);
  Keep("a", {1, 1}, Saying("{}"));
  EXPECT_EQ(Find("a", {1, 2}), nullptr);
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST_F(AnswerCacheTest, ReadersThatTakeTurnsKeepAReplyEach) {
  Keep("a", {1, 1}, Saying("{}"));
  EXPECT_EQ(Find("a", {2, 7}), nullptr);
  Keep("a", {2, 7}, Saying("[]"));
  ASSERT_NE(Find("a", {1, 1}), nullptr);
  ASSERT_NE(Find("a", {2, 7}), nullptr);
  EXPECT_EQ(Find("a", {1, 1})->data_json, "{}");
  EXPECT_EQ(Find("a", {2, 7})->data_json, "[]");
}

TEST_F(AnswerCacheTest, NoReplyIsKeptForLonger) {
  Keep("a", {1, 1}, Saying("{}"));
  clock.Advance(AnswerCache::kKeptFor - std::chrono::milliseconds(1));
  EXPECT_NE(Find("a", {1, 1}), nullptr);
  clock.Advance(std::chrono::milliseconds(1));
  EXPECT_EQ(Find("a", {1, 1}), nullptr);
}

TEST_F(AnswerCacheTest, TheOneNotAskedForLongestGivesWay) {
  const std::string data(AnswerCache::kReplyMax / 2, 'x');
  Keep("first", {1, 1}, Saying(data));
  Keep("second", {1, 1}, Saying(data));
  for (int i = 0; cache.bytes() + data.size() + 600 <= AnswerCache::kBytesMax; ++i)
    Keep(std::to_string(i), {1, 1}, Saying(data));
  EXPECT_NE(Find("first", {1, 1}), nullptr);
  Keep("one too many", {1, 1}, Saying(data));
  EXPECT_LE(cache.bytes(), AnswerCache::kBytesMax);
  EXPECT_NE(Find("first", {1, 1}), nullptr);
  EXPECT_EQ(Find("second", {1, 1}), nullptr);
}

TEST_F(AnswerCacheTest, WhatIsTooLargeIsNotKept) {
  Keep("a", {1, 1}, Saying(std::string(AnswerCache::kReplyMax, 'x')));
  EXPECT_EQ(Find("a", {1, 1}), nullptr);
}

TEST(CallKey, TellsApartAllThatDecidesWhatIsShown) {
  Principal other_id, other_client, other_transport, scope, scopes, claim, claim_value,
      scope_as_claim;
  other_id.id = "ann";
  other_client.client = "c";
  other_transport.transport = "http";
  scope.scopes = {"ab"};
  scopes.scopes = {"a", "b"};
  claim.claims = {{"tenant", "1"}};
  claim_value.claims = {{"tenant", "2"}};
  scope_as_claim.scopes = {"tenant", "1"};
  const auto args = json::Value::parse(R"({"qualified_name":"a"})");
  std::set<std::string> keys;
  for (const Principal& caller : {Principal(), other_id, other_client, other_transport, scope,
                                  scopes, claim, claim_value, scope_as_claim})
    keys.insert(CallKey("describe_table", args, caller));
  keys.insert(CallKey("suggest_joins", args, Principal()));
  keys.insert(
      CallKey("describe_table", json::Value::parse(R"({"qualified_name":"b"})"), Principal()));
  EXPECT_THAT(keys, SizeIs(11));
  EXPECT_EQ(CallKey("t", json::Value::parse(R"({"a":1,"b":2})"), Principal()),
            CallKey("t", json::Value::parse(R"({"b":2,"a":1})"), Principal()));
}

}  // namespace
}  // namespace schemaward::tool

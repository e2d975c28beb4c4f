// What a record holds until it is written: columns in any order, each once, in little memory.

#include "audit/record.h"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>

namespace schemaward::audit {
namespace {

std::string HashText(const RecordFields& fields) {
  Canonicaliser canonical;
  return ToHex(BytesOf(HashOf(fields, BytesOf(kGenesis), canonical)));
}

RecordFields UsualBegin() {
  RecordFields fields;
  fields.Reserve(224);
  fields.Set("kind", "begin");
  fields.Set("request_id", "17");
  fields.Set("principal", "oidc:0123456789abcdef");
  fields.Set("client", "a client 1.0");
  fields.Set("transport", "http");
  fields.Set("tool", "describe_table");
  fields.Set("profile", "team");
  fields.Set("occurred_at", 1'700'000'000'000'000);
  return fields;
}

TEST(RecordFields, TheOrderInWhichColumnsAreSetDoesNotMatter) {
  RecordFields one, other;
  one.Set("kind", "note");
  one.Set("run", 7);
  one.Set("detail", "said");
  other.Set("detail", "said");
  other.Set("kind", "note");
  other.Set("run", 7);
  EXPECT_EQ(HashText(one), HashText(other));
  EXPECT_EQ(ToJson(one, "h"), R"({"kind":"note","run":7,"detail":"said","hash":"68"})");
  EXPECT_EQ(ToJson(one, "h"), ToJson(other, "h"));
}

TEST(RecordFields, AColumnThatIsSetAgainHoldsTheLastValue) {
  RecordFields again, once;
  again.Set("kind", "a longer text than the other");
  again.Set("run", 1);
  again.Set("kind", "note");
  again.Set("run", 2);
  once.Set("kind", "note");
  once.Set("run", 2);
  EXPECT_EQ(HashText(again), HashText(once));
}

TEST(RecordFields, AnEmptyTextIsNotNull) {
  RecordFields empty, absent;
  empty.Set("detail", "");
  EXPECT_NE(HashText(empty), HashText(absent));
  EXPECT_EQ(ToJson(empty, "h"), R"({"detail":"","hash":"68"})");
}

// Thousands wait while the file is synced, and make the most memory of a server under load. A
// sanitizer's allocator counts nothing here.
TEST(RecordFields, ARecordThatWaitsTakesLessThan600Bytes) {
  constexpr std::size_t kRecords = 4096;
  std::vector<RecordFields> waiting;
  waiting.reserve(kRecords);
  const std::size_t before = mallinfo2().uordblks;
  for (std::size_t i = 0; i < kRecords; ++i) waiting.push_back(UsualBegin());
  EXPECT_LT((mallinfo2().uordblks - before) / kRecords, 600U);
}

}  // namespace
}  // namespace schemaward::audit

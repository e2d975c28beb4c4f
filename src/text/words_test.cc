#include "text/words.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::text {
namespace {

std::string Joined(std::string_view text) {
  std::string out;
  for (const auto& word : SplitWords(text)) out += (out.empty() ? "" : " ") + word;
  return out;
}

TEST(SplitWords, FindsTheWordsOfIdentifiers) {
  const struct {
    const char *identifier, *words;
  } cases[] = {
      {"order_items", "order items"},
      {"OrderItems", "order items"},
      {"orderItemsV2", "order items v 2"},
      {"HTTPServerLog", "http server log"},
      {"customerIDs", "customer ids"},
      {"URLs", "urls"},
      {"CustomerID", "customer id"},
      {"TV_Channel", "tv channel"},
      {"Pay_per_view_PPV", "pay per view ppv"},
      {"address2", "address 2"},
      {"  ", ""},
      {"", ""},
      {"___", ""},
      {"\"Odd Name\"", "odd name"},
      {"\xC3\x89"
       "cole_stra\xC3\x9F"
       "e",
       "ecole strasse"},
      {"ord\xff"
       "ers",
       "ord ers"},
  };
  for (const auto& c : cases) EXPECT_EQ(Joined(c.identifier), c.words) << c.identifier;
}

TEST(SplitWords, IsBounded) {
  std::string text;
  for (std::size_t i = 0; i <= kWordsMax; ++i) text += "a ";
  EXPECT_EQ(SplitWords(text).size(), kWordsMax);
  const auto words = SplitWords(std::string(kWordBytesMax + 1, 'a'));
  ASSERT_EQ(words.size(), 1U);
  EXPECT_EQ(words[0].size(), kWordBytesMax);
}

TEST(Singular, KnowsEndingsAndExceptions) {
  const struct {
    const char *many, *one;
  } cases[] = {
      {"orders", "order"},
      {"categories", "category"},
      {"addresses", "address"},
      {"boxes", "box"},
      {"branches", "branch"},
      {"status", "status"},
      {"statuses", "status"},
      {"address", "address"},
      {"people", "people"},
      {"children", "child"},
      {"ids", "id"},
      {"movies", "movie"},
      {"analysis", "analysis"},
      {"indices", "index"},
      {"gas", "gas"},
      {"series", "series"},
      {"houses", "house"},
      {"ties", "tie"},
      {"s", "s"},
      {"", ""},
      {"classes", "class"},
  };
  for (const auto& c : cases) EXPECT_EQ(Singular(c.many), c.one) << c.many;
}

}  // namespace
}  // namespace schemaward::text

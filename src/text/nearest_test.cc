#include "text/nearest.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::text {
namespace {

using ::testing::ElementsAre;

const std::vector<std::string>& Shop() {
  static const std::vector<std::string> names{
      "public.customers", "public.orders",    "public.order_items",      "public.products",
      "public.addresses", "archive.orders",   "public.product_category", "public.shipments",
      "public.a",         "public.cust_addr", "public.CountryLanguage"};
  return names;
}

struct Case {
  const char* what;
  const char* wrong;
  const char* nearest;
};

TEST(NearestNames, PutsTheNameThatWasMeantFirst) {
  const Case cases[] = {
      {"typo", "public.custmers", "public.customers"},
      {"swap", "public.odrers", "public.orders"},
      {"doubled letter", "public.shippments", "public.shipments"},
      {"singular", "public.customer", "public.customers"},
      {"plural in the middle", "public.products_categories", "public.product_category"},
      {"without schema", "shipments", "public.shipments"},
      {"wrong schema", "pubilc.shipments", "public.shipments"},
      {"another schema altogether", "sales.shipments", "public.shipments"},
      {"schema glued on", "public_shipments", "public.shipments"},
      {"source before it", "shop:public.shipments", "public.shipments"},
      {"other order", "public.item_orders", "public.order_items"},
      {"camel case", "public.orderItems", "public.order_items"},
      {"snake case", "public.country_language", "public.CountryLanguage"},
      {"upper case", "PUBLIC.ORDER_ITEMS", "public.order_items"},
      {"quotes", "\"public\".\"order_items\"", "public.order_items"},
      {"prefix of a word", "public.customer_address", "public.cust_addr"},
      {"prefix of the name", "public.shipments_2024", "public.shipments"},
      {"typo and schema", "archiv.ordrs", "archive.orders"},
  };
  for (const auto& c : cases) {
    const auto near = FindNearestNames(c.wrong, Shop(), 3);
    ASSERT_EQ(near.size(), 3U) << c.what;
    EXPECT_EQ(near[0], c.nearest) << c.what << ": " << c.wrong;
  }
}

TEST(NearestNames, ReturnsSomethingForAnythingAndNoMoreThanThereIs) {
  EXPECT_EQ(FindNearestNames("zzz", Shop(), 3).size(), 3U);
  EXPECT_EQ(FindNearestNames("", Shop(), 3).size(), 3U);
  EXPECT_THAT(FindNearestNames("x", {"b", "a", "a"}, 3), ElementsAre("a", "b"));
  EXPECT_TRUE(FindNearestNames("x", Shop(), 0).empty());
  EXPECT_TRUE(FindNearestNames("x", {}, 3).empty());
}

TEST(NearestNames, BreaksTiesByNameWhateverTheOrder) {
  EXPECT_THAT(FindNearestNames("s.tax", {"s.tbx", "s.tay", "s.tex"}, 2),
              ElementsAre("s.tay", "s.tbx"));
  EXPECT_THAT(FindNearestNames("s.tax", {"s.tex", "s.tay", "s.tbx"}, 2),
              ElementsAre("s.tay", "s.tbx"));
}

TEST(NearestNames, PrefersATypoInALetterToAnotherNumber) {
  EXPECT_THAT(FindNearestNames("log_2021", {"log_2022", "logg_2021"}, 2),
              ElementsAre("logg_2021", "log_2022"));
}

TEST(NearestNames, ComparesLettersOfOtherScriptsAsLetters) {
  EXPECT_EQ(FindNearestNames("stra\xC3\x9F"
                             "e",
                             {"strand", "STRASSE"}, 1)[0],
            "STRASSE");
  EXPECT_EQ(NameDistance("\xD0\xB4\xD0\xBE\xD0\xBC", "\xD0\xB4\xD1\x8B\xD0\xBC"), 10U);
}

TEST(NearestNames, SurvivesHugeAndBrokenNames) {
  const std::string huge(100'000, 'x');
  EXPECT_EQ(FindNearestNames(huge, {"orders", huge}, 1)[0], huge);
  EXPECT_EQ(FindNearestNames("ord\xff\xfers", {"orders", "x"}, 1)[0], "orders");
}

// What is fed in first must not decide what is dropped later.
TEST(NearestNames, KeepsTheSameNamesInAnyOrderOfCandidates) {
  const std::vector<std::string> nouns{"customer", "order", "invoices", "category", "mice", "log"};
  std::vector<std::string> names;
  for (const auto& a : nouns) {
    for (const auto& b : nouns) names.push_back(a + "_" + b);
  }
  const std::vector<std::string> reversed(names.rbegin(), names.rend());
  for (const auto* wrong :
       {"categories_order", "mouse_log", "ordr_custmer", "log", "invoice", "customers_logs"}) {
    const auto forward = FindNearestNames(wrong, names, 5);
    EXPECT_EQ(forward, FindNearestNames(wrong, reversed, 5)) << wrong;
    std::uint32_t last = 0;
    for (const auto& name : forward) {
      EXPECT_GE(NameDistance(wrong, name), last) << wrong << " " << name;
      last = NameDistance(wrong, name);
    }
  }
}

}  // namespace
}  // namespace schemaward::text

#include "retrieve/search.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/documents.h"
#include "retrieve/testing.h"

namespace schemaward::retrieve {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A bench with the documents that an index makes.
class Bench : public SearchBench {
 public:
  explicit Bench(const std::vector<catalog::Table>& tables)
      : SearchBench(tables, [](const text::Lexicon& lexicon, std::int64_t source_id,
                               const catalog::Table& table) {
          return index::DocumentMaker(lexicon).Make(source_id, table);
        }) {}
};

catalog::Table Table(const std::string& name, const std::vector<std::string>& columns,
                     const std::string& schema = "public") {
  catalog::Table table;
  table.schema = schema;
  table.name = name;
  for (const auto& column : columns) {
    table.columns.emplace_back();
    table.columns.back().name = column;
    table.columns.back().type = "bigint";
  }
  if (!columns.empty()) table.primary_key = catalog::Key{"pk", {columns[0]}};
  return table;
}

std::vector<catalog::Table> Shop() {
  std::vector<catalog::Table> shop{
      Table("customers", {"id", "full_name", "email", "created_at"}),
      Table("usr_addr", {"id", "customer_id", "street", "zip_code"}),
      Table("orders", {"id", "customer_id", "status", "placed_at"}),
      Table("order_items", {"id", "order_id", "product_id", "qty"}),
      Table("products", {"id", "title", "category_id", "unit_price"}),
      Table("categories", {"id", "label"}),
      Table("money_back", {"id", "order_id", "amt", "motive"}),
      Table("shipments", {"id", "order_id", "carrier_id", "sent_at"}),
      Table("carriers", {"id", "company"}),
      Table("warehouse_stock", {"product_id", "on_hand"}),
      Table("audit_log", {"id", "actor", "entry"}),
  };
  shop[6].comment = "Refunds granted to customers";
  shop[6].columns[3].labels = {"damaged", "never arrived"};
  return shop;
}

class Search : public ::testing::Test {
 protected:
  std::string First(const std::string& query) {
    const auto names = bench_.Names(query);
    return names.empty() ? "" : names[0];
  }
  Hit FirstHit(const std::string& query) {
    const auto hits = bench_.Search(query).hits;
    return hits.empty() ? Hit{} : hits[0];
  }
  Bench bench_{Shop()};
};

TEST_F(Search, AnswersKeywordsAndQuestions) {
  const struct {
    const char *query, *first;
  } cases[] = {
      {"orders", "public.orders"},
      {"order", "public.orders"},
      {"ORDER_ITEMS", "public.order_items"},
      {"orderItems", "public.order_items"},
      {"customer e-mail", "public.customers"},
      {"customer email address", "public.customers"},
      {"usr addr", "public.usr_addr"},
      {"user address", "public.usr_addr"},
      {"zipcode", "public.usr_addr"},
      {"which table has refunds", "public.money_back"},
      {"How many refunds were there last month?", "public.money_back"},
      {"why did goods come back damaged", "public.money_back"},
      {"price of each product", "public.products"},
      {"What is the quantity of every ordered item?", "public.order_items"},
      {"stock in the warehouse", "public.warehouse_stock"},
      {"clients", "public.customers"},
      {"who delivers parcels: company of the courier", "public.carriers"},
      {"public.shipments", "public.shipments"},
      {"custmers", "public.customers"},
      {"shippments", "public.shipments"},
      {"catgories", "public.categories"},
      {"warehuose stokc", "public.warehouse_stock"},
      {"ship", "public.shipments"},
  };
  for (const auto& c : cases) EXPECT_EQ(First(c.query), c.first) << c.query;
}

TEST_F(Search, GivesEachHitAReasonItsBestColumnAndHowSureItIs) {
  const auto named = FirstHit("orders");
  EXPECT_EQ(named.reason, "name matches \"orders\"");
  EXPECT_EQ(BucketOf(named.confidence), Bucket::High);
  EXPECT_EQ(named.best_column, "");
  const auto column = FirstHit("street");
  EXPECT_EQ(column.best_column, "street");
  EXPECT_EQ(column.reason, "column street matches \"street\"");
  EXPECT_NE(BucketOf(column.confidence), Bucket::High);
  EXPECT_THAT(FirstHit("refunds").reason, HasSubstr("comment mentions \"refunds\""));
  EXPECT_EQ(FirstHit("damaged").reason, "a value of motive matches \"damaged\"");
  EXPECT_THAT(FirstHit("clients").reason, HasSubstr("\"clients\" (as customer)"));
}

TEST_F(Search, IsSureOnlyWhereTheQueryNamesTheTable) {
  for (const auto* query : {"orders", "order items", "Show me the shipments", "carriers"}) {
    EXPECT_EQ(BucketOf(FirstHit(query).confidence), Bucket::High) << query;
  }
  for (const auto* query : {"clients", "custmers", "street", "refunds",
                            "something about products and the weather in distant countries"}) {
    EXPECT_NE(BucketOf(FirstHit(query).confidence), Bucket::High) << query;
  }
  for (const auto& hit : bench_.Search("customer order product shipment", 50).hits) {
    EXPECT_GE(hit.confidence, 0);
    EXPECT_LE(hit.confidence, 1);
    EXPECT_LE(hit.reason.size(), kReasonBytesMax);
  }
}

TEST_F(Search, FindsTheBridgeBetweenTwoHits) {
  const auto answer = bench_.Search("customers and their products", 5);
  std::vector<std::string> names;
  for (const auto& hit : answer.hits) names.push_back(hit.name);
  EXPECT_THAT(names, Contains("public.order_items"));
  const auto carriers = bench_.Search("carriers", 3);
  ASSERT_GE(carriers.hits.size(), 2U);
  EXPECT_EQ(carriers.hits[1].name, "public.shipments");
}

TEST_F(Search, SaysWhatItJoins) {
  for (const auto& hit : bench_.Search("customers carriers", 10).hits) {
    if (hit.name == "public.shipments") {
      EXPECT_THAT(hit.reason, HasSubstr("joins public.carriers"));
      return;
    }
  }
  FAIL() << "shipments was not found";
}

TEST_F(Search, KnowsWhenItKnowsNothing) {
  for (const auto* query : {"zyzzyva", "", "   ", "?!", "12345"}) {
    const auto answer = bench_.Search(query);
    EXPECT_THAT(answer.hits, IsEmpty()) << query;
    EXPECT_FALSE(answer.has_words) << query;
    EXPECT_FALSE(answer.is_all) << query;
  }
  EXPECT_TRUE(bench_.Search("*").is_all);
  EXPECT_TRUE(bench_.Search("  * ").is_all);
}

TEST_F(Search, SurvivesAnything) {
  std::string long_query;
  for (int i = 0; i < 5000; ++i) long_query += "customers orders x" + std::to_string(i) + " ";
  EXPECT_THAT(bench_.Names(long_query), Contains("public.orders"));
  EXPECT_THAT(bench_.Names("\xff\xfe orders \xc3"), Contains("public.orders"));
  EXPECT_THAT(bench_.Names("'orders' \"unclosed"), Contains("public.orders"));
  EXPECT_THAT(bench_.Names("order%_;--"), Contains("public.orders"));
}

TEST_F(Search, PagesThroughTheSameOrder) {
  const auto all = bench_.Names("order customer product", 8);
  std::vector<std::string> paged;
  for (std::size_t offset = 0; offset < 8; offset += 3) {
    for (auto& name : bench_.Names("order customer product", 3, offset)) {
      paged.push_back(std::move(name));
    }
  }
  paged.resize(8);
  EXPECT_EQ(paged, all);
}

TEST_F(Search, FindsTypesWhenTheyAreAskedFor) {
  auto shop = Shop();
  shop[10].columns[2].type = "jsonb";
  Bench bench(shop);
  const auto hits = bench.Search("jsonb columns").hits;
  ASSERT_EQ(hits[0].name, "public.audit_log");
  EXPECT_EQ(hits[0].reason, "type of entry matches \"jsonb\"");
  EXPECT_EQ(hits[0].best_column, "entry");
}

TEST_F(Search, AQuotedValueCountsForLessThanAName) {
  EXPECT_EQ(First("shipments of 'products'"), "public.shipments");
  EXPECT_EQ(First("the customer's street"), "public.usr_addr") << "an apostrophe opens no quote";
}

TEST(SearchSchemas, TheSchemaThatHasAllOfAQuestionComesFirst) {
  Bench bench({Table("singer", {"id", "name"}, "concerts"),
               Table("stadium", {"id", "capacity"}, "concerts"),
               Table("singer", {"id", "name"}, "karaoke"),
               Table("stadium", {"id", "team"}, "football")});
  const auto names = bench.Names("stadium capacity and singer", 4);
  EXPECT_EQ(names[0], "concerts.stadium");
  EXPECT_EQ(names[1], "concerts.singer");
}

TEST(SearchOrder, TheSizeOfATableDoesNotOutweighItsWords) {
  auto small = Table("refunds", {"id", "amount"});
  small.row_estimate = 3;
  auto huge = Table("refund_log_lines", {"id", "note"});
  huge.row_estimate = 9'000'000'000;
  auto other = Table("clicks", {"id", "refund"});
  other.row_estimate = 90'000'000'000;
  Bench bench({huge, other, small});
  EXPECT_EQ(bench.Names("refunds", 3).front(), "public.refunds");
}

TEST(SearchOrder, DoesNotDependOnTheOrderOfTables) {
  auto tables = Shop();
  for (int i = 0; i < 400; ++i) {
    tables.push_back(Table("order_copy_" + std::string(1, static_cast<char>('a' + i % 26)) +
                               std::string(1, static_cast<char>('a' + i / 26)),
                           {"id", "customer_id"}));
  }
  Bench sorted(tables);
  std::mt19937 random(7);
  std::shuffle(tables.begin(), tables.end(), random);
  Bench shuffled(tables);
  for (const auto* query : {"orders", "order copy", "customer of the order", "shipments"}) {
    EXPECT_EQ(sorted.Names(query, 50), shuffled.Names(query, 50)) << query;
  }
}

// More tables match than are weighed, so a wrong bound would show.
TEST(SearchExact, EqualsExhaustiveScoring) {
  const std::vector<std::string> nouns{"order",   "customer", "invoice", "payment", "shipment",
                                       "product", "ticket",   "session", "refund",  "vendor"};
  std::mt19937 random(11);
  const auto noun = [&] { return nouns[random() % nouns.size()]; };
  std::vector<catalog::Table> tables;
  for (int i = 0; i < 1500; ++i) {
    std::vector<std::string> columns{"id"};
    for (unsigned c = 0; c < random() % 6; ++c) columns.push_back(noun() + "_id");
    tables.push_back(Table(noun() + "_" + noun() + "_" + std::to_string(i), columns,
                           "s" + std::to_string(i % 4)));
  }
  Bench bench(tables);
  for (int i = 0; i < 12; ++i) {
    const std::string query = noun() + " of the " + noun() + " and " + noun();
    const auto fast = bench.Search(query, 40), slow = bench.Search(query, 40, true);
    ASSERT_EQ(fast.hits.size(), slow.hits.size());
    for (std::size_t h = 0; h < fast.hits.size(); ++h) {
      EXPECT_EQ(fast.hits[h].name, slow.hits[h].name) << query;
      EXPECT_EQ(fast.hits[h].score, slow.hits[h].score) << query;
    }
  }
}

}  // namespace
}  // namespace schemaward::retrieve

// Keywords and meaning together, with vectors that make the order provable.
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "index/documents.h"
#include "llm/embedder.h"
#include "retrieve/fuse.h"
#include "retrieve/meaning.h"
#include "retrieve/testing.h"
#include "store/testing.h"
#include "store/vectors.h"

namespace schemaward::retrieve {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Fusion, AddsUpWhatRanksAreWorth) {
  const auto fused = Fuse({{1, 2, 3}, {3, 1, 4}});
  ASSERT_EQ(fused.size(), 4U);
  EXPECT_EQ(fused[0], (Fused{1, 1.0 / 61 + 1.0 / 62}));
  EXPECT_EQ(fused[1], (Fused{3, 1.0 / 63 + 1.0 / 61}));
  EXPECT_EQ(fused[2], (Fused{2, 1.0 / 62}));
  EXPECT_EQ(fused[3], (Fused{4, 1.0 / 63}));
}

TEST(Fusion, TiesGoToTheEarlierList) {
  EXPECT_THAT(Fuse({{5}, {4}}), ElementsAre(Field(&Fused::id, 5), Field(&Fused::id, 4)));
  EXPECT_THAT(Fuse({{}, {4}}), ElementsAre(Field(&Fused::id, 4)));
  EXPECT_THAT(Fuse({}), IsEmpty());
}

class Hybrid : public ::testing::Test {
 protected:
  Hybrid()
      : bench_({store::MakeTable("main", "invoices", {"id", "total"}),
                store::MakeTable("main", "parcels", {"id", "total"}),
                store::MakeTable("main", "staff", {"id"}),
                store::MakeTable("main", "weather", {"id"})},
               [](const text::Lexicon& lexicon, std::int64_t source, const catalog::Table& table) {
                 return index::DocumentMaker(lexicon).Make(source, table);
               }) {
    const auto entries = bench_.store().ListTables({}, {}, 10).value();
    for (const auto& entry : entries) {
      ids_[entry.name] = entry.id;
      source_ = entry.source_id;
    }
    embedder_ = std::make_shared<llm::ScriptedEmbedder>(
        llm::EmbedderInfo{"scripted", "e"},
        [this](const std::string&) -> Result<std::vector<float>> {
          if (is_away_) return Error(ErrorKind::SourceUnreachable, "away");
          return question_;
        });
    searcher_ = std::make_unique<Searcher>(std::make_shared<Meaning>(embedder_));
  }
  void Put(const std::map<std::string, std::vector<float>>& vectors) {
    std::vector<store::TableVector> rows;
    for (const auto& [name, numbers] : vectors) rows.push_back({ids_[name], 1, numbers});
    ASSERT_THAT(store::PutVectors(bench_.store(), source_, "scripted:e", rows), IsOk());
  }
  SearchAnswer Ask(const std::string& query, std::size_t limit = 10, std::size_t offset = 0) {
    return searcher_
        ->Search(bench_.store(),
                 {.query = query, .limit = limit, .offset = offset, .sources = {}, .ctx = &ctx_})
        .value();
  }
  static std::vector<std::string> NamesOf(const SearchAnswer& answer) {
    std::vector<std::string> names;
    for (const Hit& hit : answer.hits) names.push_back(hit.name);
    return names;
  }

  SearchBench bench_;
  std::map<std::string, std::int64_t> ids_;
  std::int64_t source_ = 0;
  std::vector<float> question_ = {1, 0};
  bool is_away_ = false;
  std::shared_ptr<llm::ScriptedEmbedder> embedder_;
  std::unique_ptr<Searcher> searcher_;
  FakeClock clock_;
  CallContext ctx_{clock_};
};

TEST_F(Hybrid, ATableWithoutTheWordIsFoundByMeaning) {
  Put({{"parcels", {0.9F, 0.1F}}, {"staff", {-1, 0}}, {"weather", {0, 1}}});
  const auto answer = Ask("invoices");
  EXPECT_THAT(NamesOf(answer), ElementsAre("main.invoices", "main.parcels"));
  EXPECT_EQ(BucketOf(answer.hits[0].confidence), Bucket::High);
  EXPECT_EQ(BucketOf(answer.hits[1].confidence), Bucket::Low);
  EXPECT_THAT(answer.hits[1].reason, HasSubstr("near in meaning"));
  EXPECT_FALSE(answer.is_degraded);
  EXPECT_EQ(answer.total, 2U);
}

TEST_F(Hybrid, WhatBothFindComesBeforeWhatOneFinds) {
  const auto words = bench_.Names("total");
  ASSERT_THAT(words, ElementsAre("main.invoices", "main.parcels"));
  // Meaning: weather, parcels. Fused: parcels 2/62, invoices 1/61, weather 1/61.
  Put({{"weather", {1, 0}}, {"parcels", {0.8F, 0.6F}}});
  EXPECT_THAT(NamesOf(Ask("total")), ElementsAre("main.parcels", "main.invoices", "main.weather"));
}

TEST_F(Hybrid, PagesFollowTheFusedOrder) {
  Put({{"weather", {1, 0}}, {"parcels", {0.8F, 0.6F}}});
  EXPECT_THAT(NamesOf(Ask("total", 1, 0)), ElementsAre("main.parcels"));
  EXPECT_THAT(NamesOf(Ask("total", 2, 1)), ElementsAre("main.invoices", "main.weather"));
  EXPECT_EQ(embedder_->Texts().size(), 1U);  // the question's vector is kept
}

TEST_F(Hybrid, AQuestionOfUnknownWordsIsAnsweredByMeaning) {
  Put({{"staff", {1, 0}}});
  const auto answer = Ask("zzyzx");
  EXPECT_THAT(NamesOf(answer), ElementsAre("main.staff"));
  EXPECT_FALSE(answer.has_words);
}

TEST_F(Hybrid, AnEmbedderThatIsAwayLeavesKeywordsAndSaysSo) {
  Put({{"parcels", {1, 0}}});
  is_away_ = true;
  const auto answer = Ask("invoices");
  EXPECT_THAT(NamesOf(answer), ElementsAre("main.invoices"));
  EXPECT_TRUE(answer.is_degraded);
}

TEST_F(Hybrid, AnEmbedderThatWasAwayIsLeftInPeaceForAWhile) {
  Put({{"parcels", {1, 0}}});
  is_away_ = true;
  EXPECT_TRUE(Ask("invoices").is_degraded);
  is_away_ = false;
  EXPECT_TRUE(Ask("invoices").is_degraded);
  EXPECT_EQ(embedder_->Texts().size(), 1U);
  clock_.Advance(std::chrono::seconds(31));
  EXPECT_FALSE(Ask("invoices").is_degraded);
}

TEST_F(Hybrid, WithoutVectorsKeywordsAnswerAndNobodyIsAsked) {
  const auto answer = Ask("invoices");
  EXPECT_TRUE(answer.is_degraded);
  EXPECT_THAT(embedder_->Texts(), IsEmpty());
}

TEST_F(Hybrid, AListOfAllAsksNobody) {
  Put({{"parcels", {1, 0}}});
  EXPECT_TRUE(Ask("*").is_all);
  EXPECT_FALSE(Ask("*").is_degraded);
  EXPECT_THAT(embedder_->Texts(), IsEmpty());
}

TEST_F(Hybrid, VectorsOfAnotherLengthAreNotCompared) {
  Put({{"parcels", {1, 0, 0}}});
  EXPECT_THAT(NamesOf(Ask("invoices")), ElementsAre("main.invoices"));
}

}  // namespace
}  // namespace schemaward::retrieve

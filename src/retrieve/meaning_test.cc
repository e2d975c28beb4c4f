// The scan of vectors: what it finds is what sorting all of them by their cosine gives.
#include "retrieve/meaning.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "store/testing.h"
#include "store/vectors.h"

namespace schemaward::retrieve {
namespace {

constexpr std::size_t kTables = 200;

std::vector<float> Random(std::mt19937& chance, std::size_t numbers) {
  std::normal_distribution<float> normal;
  std::vector<float> vector(numbers);
  for (float& one : vector) one = normal(chance);
  EXPECT_THAT(llm::Normalize(vector), IsOk());
  return vector;
}

// In the highest precision at hand, and in the plainest way.
double Cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

/// The numbers of a vector: as many as lanes, fewer, and some that are left over.
class Scan : public ::testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(Numbers, Scan, ::testing::Values(1U, 3U, 15U, 16U, 17U, 48U, 99U));

TEST_P(Scan, FindsExactlyTheNearest) {
  store::TempFolder folder;
  auto store = store::Store::Open(folder.File("store.db"), {.create = true}).value();
  std::vector<catalog::Table> tables;
  for (std::size_t i = 0; i < kTables; ++i)
    tables.push_back(store::MakeTable("s", fmt::format("t{:03}", i)));
  const store::Source source = store::PutIndexed(*store, "made", tables).value();
  std::mt19937 chance(11);
  const std::vector<float> question = Random(chance, GetParam());
  std::vector<store::TableVector> vectors;
  const auto entries = store->ListTables({}, {}, kTables).value();
  for (const auto& entry : entries) vectors.push_back({entry.id, 1, Random(chance, GetParam())});
  ASSERT_EQ(vectors.size(), kTables);
  ASSERT_THAT(store::PutVectors(*store, source.id, "scripted:e", vectors), IsOk());

  std::vector<double> cosines;
  for (const auto& vector : vectors) cosines.push_back(Cosine(question, vector.numbers));
  std::sort(cosines.rbegin(), cosines.rend());
  const auto embedder = std::make_shared<llm::ScriptedEmbedder>(
      llm::EmbedderInfo{"scripted", "e"},
      [&](const std::string&) -> Result<std::vector<float>> { return question; });
  SystemClock clock;
  CallContext ctx(clock);
  const auto near = Meaning(embedder).Nearest(*store, "q", {}, ctx);
  ASSERT_THAT(near, IsOk());
  ASSERT_EQ(near->size(), kNearMax);
  for (std::size_t i = 0; i < near->size(); ++i)
    EXPECT_NEAR((*near)[i].cosine, cosines[i], 1e-5) << i;
}

// Counts what it is asked, and fails where it is told to.
std::shared_ptr<llm::ScriptedEmbedder> Counting(int& asked, const bool& is_away) {
  return std::make_shared<llm::ScriptedEmbedder>(
      llm::EmbedderInfo{"scripted", "e"}, [&](const std::string&) -> Result<std::vector<float>> {
        ++asked;
        if (is_away) return Error(ErrorKind::SourceUnreachable, "the embedder is away");
        return std::vector<float>{1, 0};
      });
}

TEST(Meanings, OfOneMemoryAskOnceAndLeaveAnEmbedderThatIsAwayInPeaceTogether) {
  store::TempFolder folder;
  auto store = store::Store::Open(folder.File("store.db"), {.create = true}).value();
  const store::Source source =
      store::PutIndexed(*store, "made", {store::MakeTable("s", "t")}).value();
  const auto entries = store->ListTables({}, {}, 1).value();
  ASSERT_THAT(store::PutVectors(*store, source.id, "scripted:e",
                                std::vector<store::TableVector>{{entries[0].id, 1, {1, 0}}}),
              IsOk());
  FakeClock clock;
  CallContext ctx(clock);
  int by_all = 0, by_one = 0;
  bool is_away = false;
  Meaning all(Counting(by_all, is_away));
  Meaning one(Counting(by_one, is_away), all);
  ASSERT_THAT(one.Nearest(*store, "a", {}, ctx), IsOk());
  ASSERT_THAT(all.Nearest(*store, "a", {}, ctx), IsOk());
  EXPECT_EQ(by_one, 1);
  EXPECT_EQ(by_all, 0) << "the vector is remembered for both";
  is_away = true;
  EXPECT_THAT(all.Nearest(*store, "b", {}, ctx), IsError(ErrorKind::SourceUnreachable));
  EXPECT_THAT(one.Nearest(*store, "b", {}, ctx), IsError(ErrorKind::SourceUnreachable));
  EXPECT_EQ(by_one, 1);
  EXPECT_EQ(by_all, 1);
}

}  // namespace
}  // namespace schemaward::retrieve

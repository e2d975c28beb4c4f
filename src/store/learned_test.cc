// What models made of the catalog: kept, replaced, and gone with its table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "store/descriptions.h"
#include "store/testing.h"
#include "store/vectors.h"

namespace schemaward::store {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class Learned : public ::testing::Test {
 protected:
  Learned() {
    store_ = Store::Open(folder_.File("store.db"), {.create = true}).value();
    source_ = PutIndexed(*store_, "shop", {MakeTable("main", "a"), MakeTable("main", "b")}).value();
    other_ = PutIndexed(*store_, "other", {MakeTable("main", "c")}).value();
    const auto entries = store_->ListTables({}, {}, 10).value();
    for (const auto& entry : entries) ids_.push_back(entry.id);
  }
  std::vector<std::int64_t> Visited(const std::string& model,
                                    const std::vector<std::int64_t>& sources) {
    std::vector<std::int64_t> seen;
    EXPECT_THAT(VisitVectors(*store_, model, sources,
                             [&](std::int64_t id, std::span<const float>) {
                               seen.push_back(id);
                               return true;
                             }),
                IsOk());
    return seen;
  }

  TempFolder folder_;
  std::unique_ptr<Store> store_;
  Source source_, other_;
  std::vector<std::int64_t> ids_;
};

TEST_F(Learned, VectorsAreOfOneModelAndOfTheirSource) {
  const std::vector<TableVector> two = {{ids_[0], 7, {0.5F, -1}}, {ids_[1], 8, {1, 0}}};
  ASSERT_THAT(PutVectors(*store_, source_.id, "m", two), IsOk());
  ASSERT_THAT(PutVectors(*store_, other_.id, "m", std::vector<TableVector>{{ids_[2], 9, {1, 1}}}),
              IsOk());
  EXPECT_THAT(*VectorHashes(*store_, source_.id, "m"),
              ElementsAre(Pair(ids_[0], 7), Pair(ids_[1], 8)));
  EXPECT_THAT(Visited("m", {}), ElementsAre(ids_[0], ids_[1], ids_[2]));
  EXPECT_THAT(Visited("m", {other_.id}), ElementsAre(ids_[2]));
  EXPECT_TRUE(*HasVectors(*store_, "m", std::vector<std::int64_t>{other_.id}));
  EXPECT_FALSE(*HasVectors(*store_, "n", {}));
  std::vector<float> first;
  ASSERT_THAT(VisitVectors(*store_, "m", {},
                           [&](std::int64_t, std::span<const float> numbers) {
                             first.assign(numbers.begin(), numbers.end());
                             return false;
                           }),
              IsOk());
  EXPECT_THAT(first, ElementsAre(0.5F, -1));
}

TEST_F(Learned, AnotherModelsVectorsTakeThePlaceOfTheOld) {
  ASSERT_THAT(PutVectors(*store_, source_.id, "m",
                         std::vector<TableVector>{{ids_[0], 7, {1}}, {ids_[1], 7, {1}}}),
              IsOk());
  ASSERT_THAT(PutVectors(*store_, source_.id, "n", std::vector<TableVector>{{ids_[0], 7, {1}}}),
              IsOk());
  EXPECT_THAT(Visited("m", {}), ElementsAre(ids_[1]));
  ASSERT_THAT(ForgetOtherVectors(*store_, source_.id, "n"), IsOk());
  EXPECT_THAT(Visited("m", {}), ElementsAre());
  EXPECT_THAT(Visited("n", {}), ElementsAre(ids_[0]));
}

TEST_F(Learned, GoesWithItsTableAndWithItsSource) {
  ASSERT_THAT(PutVectors(*store_, source_.id, "m", std::vector<TableVector>{{ids_[0], 7, {1}}}),
              IsOk());
  ASSERT_THAT(PutVectors(*store_, other_.id, "m", std::vector<TableVector>{{ids_[2], 7, {1}}}),
              IsOk());
  ASSERT_THAT(PutDescriptions(*store_, ids_[0], {{"", "what it is", "p:m", 1, 2}}), IsOk());
  ASSERT_THAT(PutIndexed(*store_, "shop", {MakeTable("main", "b")}), IsOk());
  EXPECT_THAT(Visited("m", {}), ElementsAre(ids_[2]));
  EXPECT_THAT(*ReadDescriptions(*store_, ids_[0]), ElementsAre());
  ASSERT_THAT(RemoveSource(*store_, "other"), IsOk());
  EXPECT_THAT(Visited("m", {}), ElementsAre());
}

TEST_F(Learned, ATableThatHasGoneIsPassedOver) {
  ASSERT_THAT(PutVectors(*store_, source_.id, "m", std::vector<TableVector>{{999, 7, {1}}}),
              IsOk());
  ASSERT_THAT(PutDescriptions(*store_, 999, {{"", "x", "m", 1, 2}}), IsOk());
  EXPECT_THAT(Visited("m", {}), ElementsAre());
  EXPECT_THAT(*ReadDescriptions(*store_, 999), ElementsAre());
}

TEST_F(Learned, DescriptionsAreReplacedAsAWhole) {
  ASSERT_THAT(PutDescriptions(*store_, ids_[0],
                              {{"", "a table", "p:m", 5, 2}, {"id", "a key", "p:m", 5, 2}}),
              IsOk());
  EXPECT_THAT(*DescribedShapes(*store_, source_.id), ElementsAre(Pair(ids_[0], 5)));
  ASSERT_THAT(PutDescriptions(*store_, ids_[0], {{"", "another", "p:m", 6, 3}}), IsOk());
  EXPECT_THAT(*ReadDescriptions(*store_, ids_[0]),
              ElementsAre(Description{"", "another", "p:m", 6, 3}));
}

TEST(Descriptions, StandWhereTheDatabaseSaysNothing) {
  catalog::Table table = MakeTable("main", "a", {"x", "y"});
  table.columns[0].comment = "its own";
  const auto seen = WithDescriptions(
      table, {{"", "of the table", "m"}, {"gone", "z", "m"}, {"x", "no", "m"}, {"y", "yes", "m"}});
  EXPECT_EQ(seen.comment, "of the table");
  EXPECT_EQ(seen.columns[0].comment, "its own");
  EXPECT_EQ(seen.columns[1].comment, "yes");
}

}  // namespace
}  // namespace schemaward::store

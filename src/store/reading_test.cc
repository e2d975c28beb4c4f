// One state for a thread's reads, and what ends it.
#include "store/reading.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "store/search_access.h"
#include "store/testing.h"

namespace schemaward::store {
namespace {

using ::testing::SizeIs;

class ReadingTest : public ::testing::Test {
 protected:
  ReadingTest() : store(*Store::Open(folder.File("store.db"), {.create = true})) {
    EXPECT_THAT(PutIndexed(*store, "first", {MakeTable("m", "a")}), IsOk());
  }

  // As another process would: by a store of its own, in a thread of its own.
  void PutElsewhere(const std::string& name) {
    std::thread([&] {
      const auto other = *Store::Open(store->path(), {});
      EXPECT_THAT(PutIndexed(*other, name, {MakeTable("m", "b")}), IsOk());
    }).join();
  }
  std::size_t SourceCount() { return store->ListSources()->size(); }

  TempFolder folder;
  std::unique_ptr<Store> store;
};

TEST_F(ReadingTest, SeesTheStateOfItsFirstRead) {
  {
    const Reading reading(*store);
    EXPECT_EQ(SourceCount(), 1u);
    PutElsewhere("second");
    EXPECT_EQ(SourceCount(), 1u);
    EXPECT_THAT(*store->FindTables({}, "m", "b"), SizeIs(0));
  }
  EXPECT_EQ(SourceCount(), 2u);
}

TEST_F(ReadingTest, BeginsAtTheFirstReadNotBefore) {
  const Reading reading(*store);
  PutElsewhere("second");
  EXPECT_EQ(SourceCount(), 2u);
}

TEST_F(ReadingTest, AStampIsAnotherOnceAnotherHasWritten) {
  EXPECT_FALSE(Reading::StampOf(*store));
  const auto read = [&] {
    const Reading reading(*store);
    return Reading::StampOf(*store);
  };
  const auto first = read();
  const auto again = read();
  ASSERT_TRUE(first && again);
  EXPECT_EQ(std::tie(again->reader, again->version), std::tie(first->reader, first->version));
  PutElsewhere("second");
  const auto after = read();
  ASSERT_TRUE(after);
  EXPECT_NE(std::tie(after->reader, after->version), std::tie(first->reader, first->version));
}

TEST_F(ReadingTest, AStampHoldsForTheWholeState) {
  const Reading reading(*store);
  const auto before = Reading::StampOf(*store);
  PutElsewhere("second");
  const auto after = Reading::StampOf(*store);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(after->version, before->version);
  EXPECT_EQ(SourceCount(), 1u);
}

TEST_F(ReadingTest, WhoWritesHimselfHasNoStamp) {
  const Reading reading(*store);
  ASSERT_TRUE(Reading::StampOf(*store));
  ASSERT_THAT(PutIndexed(*store, "own", {MakeTable("m", "c")}), IsOk());
  EXPECT_FALSE(Reading::StampOf(*store));
}

TEST_F(ReadingTest, RenewShowsWhatHasChanged) {
  const Reading reading(*store);
  EXPECT_EQ(SourceCount(), 1u);
  PutElsewhere("second");
  Reading::Renew();
  EXPECT_EQ(SourceCount(), 2u);
  PutElsewhere("third");
  EXPECT_EQ(SourceCount(), 2u);
}

TEST_F(ReadingTest, SeesWhatItsOwnThreadWrites) {
  const Reading reading(*store);
  EXPECT_EQ(SourceCount(), 1u);
  EXPECT_THAT(PutIndexed(*store, "own", {MakeTable("m", "c")}), IsOk());
  EXPECT_EQ(SourceCount(), 2u);
}

TEST_F(ReadingTest, ASecondInTheThreadChangesNothing) {
  const Reading reading(*store);
  EXPECT_EQ(SourceCount(), 1u);
  {
    const Reading second(*store);
    PutElsewhere("second");
    EXPECT_EQ(SourceCount(), 1u);
  }
  EXPECT_EQ(SourceCount(), 1u);
}

TEST_F(ReadingTest, BindsItsThreadAlone) {
  const Reading reading(*store);
  EXPECT_EQ(SourceCount(), 1u);
  PutElsewhere("second");
  std::thread([&] { EXPECT_EQ(SourceCount(), 2u); }).join();
}

TEST_F(ReadingTest, AVisitorMayAskAndRenew) {
  const Reading reading(*store);
  int visited = 0;
  EXPECT_THAT(store->VisitTables({},
                                 [&](const TableEntry& entry) {
                                   ++visited;
                                   EXPECT_TRUE(store->GetTable(entry.id)->has_value());
                                   Reading::Renew();
                                   return true;
                                 }),
              IsOk());
  EXPECT_EQ(visited, 1);
  PutElsewhere("second");
  EXPECT_EQ(SourceCount(), 2u) << "the state that was asked to end in a visit has ended";
}

TEST_F(ReadingTest, SearchReadsTheSameState) {
  const Reading reading(*store);
  EXPECT_EQ(SourceCount(), 1u);
  EXPECT_THAT(WithSearch(*store, [](SearchReader&) { return Ok(); }), IsOk());
  PutElsewhere("second");
  EXPECT_EQ(SourceCount(), 1u);
}

}  // namespace
}  // namespace schemaward::store

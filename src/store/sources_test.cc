// Which source is meant, whatever the spelling, and what it is called.
#include "store/sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "store/location.h"
#include "store/samples.h"
#include "store/search_access.h"
#include "store/testing.h"

namespace schemaward::store {
namespace {

using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

auto Named(const std::string& name) { return IsOkAnd(Field(&Source::name, name)); }

class SourcesTest : public ::testing::Test {
 protected:
  SourcesTest() : store(*Store::Open(folder.File("store.db"), {.create = true})) {}

  Result<Source> Put(const std::string& name, const std::string& location, bool given = false) {
    return PutSource(*store, {.name = name,
                              .name_given = given,
                              .engine = "postgres",
                              .location = location,
                              .secret_ref = "none"});
  }

  TempFolder folder;
  std::unique_ptr<Store> store;
};

// COVERS: R-NAME-1
TEST_F(SourcesTest, ADefaultNameIsMadeUnique) {
  EXPECT_THAT(Put("shop", "postgres://a/shop"), Named("shop"));
  EXPECT_THAT(Put("Shop", "postgres://b/shop"), Named("Shop_2"));
  EXPECT_THAT(Put("shop", "postgres://c/shop"), Named("shop_3"));
  EXPECT_THAT(store->ListSources(), IsOkAnd(SizeIs(3)));
}

// The list is kept between calls: what others write is there in the next one.
TEST_F(SourcesTest, AListHoldsWhatAnotherStoreHasWritten) {
  ASSERT_THAT(Put("shop", "postgres://a/shop"), IsOk());
  EXPECT_THAT(store->ListSources(), IsOkAnd(SizeIs(1)));
  const auto other = *Store::Open(folder.File("store.db"), {});
  ASSERT_THAT(PutSource(*other, {.name = "town",
                                 .name_given = true,
                                 .engine = "postgres",
                                 .location = "postgres://a/town",
                                 .secret_ref = "none"}),
              IsOk());
  EXPECT_THAT(store->ListSources(), IsOkAnd(SizeIs(2)));
  ASSERT_THAT(Put("city", "postgres://a/city"), IsOk());
  EXPECT_THAT(other->ListSources(), IsOkAnd(SizeIs(3)));
  EXPECT_THAT(store->ListSources(), IsOkAnd(SizeIs(3)));
}

TEST_F(SourcesTest, TheSamePlaceIsTheSameSource) {
  const auto first = Put("shop", "postgres://ann@DB.example/shop");
  const auto again = Put("other", "postgresql://ann@db.example:5432/shop?sslmode=require");
  ASSERT_THAT(again, Named("shop"));
  EXPECT_EQ(again->id, first->id);
  EXPECT_EQ(again->location, "postgresql://ann@db.example:5432/shop?sslmode=require");
}

TEST_F(SourcesTest, AGivenNameIsTakenOrRefused) {
  ASSERT_THAT(Put("shop", "postgres://a/shop"), IsOk());
  EXPECT_THAT(Put("SHOP", "postgres://b/shop", true),
              IsError(ErrorKind::InvalidArgument, HasSubstr("\"SHOP\"")));
  EXPECT_THAT(Put("", "postgres://b/shop", true), IsError(ErrorKind::InvalidArgument));
  EXPECT_THAT(Put("Store", "postgres://a/shop", true), Named("Store"));
  EXPECT_FALSE(store->FindSource("shop")->has_value());
}

TEST_F(SourcesTest, IsFoundWhateverTheCase) {
  ASSERT_THAT(Put("Shop", "postgres://a/shop"), IsOk());
  EXPECT_THAT(store->FindSource("sHOP"),
              IsOkAnd(::testing::Optional(Field(&Source::name, "Shop"))));
}

TEST_F(SourcesTest, ARenamedOneKeepsItsIndex) {
  const auto source = PutIndexed(*store, "shop", {MakeTable("m", "a")});
  ASSERT_THAT(RenameSource(*store, "shop", "SHOP"), IsOk());
  EXPECT_EQ((*store->FindSource("shop"))->name, "SHOP");
  ASSERT_THAT(RenameSource(*store, "shop", "store"), IsOk());
  EXPECT_EQ((*store->FindSource("store"))->id, source->id);
  EXPECT_THAT(RenameSource(*store, "shop", "x"), IsError(ErrorKind::UnknownSource));
  ASSERT_THAT(Put("two", "postgres://b/two"), IsOk());
  EXPECT_THAT(RenameSource(*store, "two", "Store"), IsError(ErrorKind::InvalidArgument));
  EXPECT_THAT(RenameSource(*store, "two", ""), IsError(ErrorKind::InvalidArgument));
}

TEST_F(SourcesTest, ARemovedOneLeavesNothing) {
  catalog::Table a = MakeTable("m", "a");
  AddKey(a, "id", "m", "b");
  ASSERT_THAT(PutIndexed(*store, "keep", {MakeTable("m", "kept")}), IsOk());
  const auto source = PutIndexed(*store, "shop", {a, MakeTable("m", "b")});
  const auto id = store->FindTables({}, std::nullopt, "a")->at(0).id;
  {
    auto writer = IndexWriter::Begin(*store, source->id);
    SearchDocument document;
    document.source_id = source->id;
    document.name = "m.a";
    document.terms = {{"alpha", 100, kInName, 0}};
    ASSERT_THAT((*writer)->PutSearch(id, document), IsOk());
    ASSERT_THAT((*writer)->PutSamples(id, {{"id", {"1", std::nullopt}}}), IsOk());
    ASSERT_THAT((*writer)->Commit({}), IsOk());
  }
  EXPECT_THAT(ReadSamples(*store, id), IsOkAnd(SizeIs(1)));
  ASSERT_THAT(RemoveSource(*store, "SHOP"), IsOk());
  EXPECT_THAT(store->ListTables({}, std::nullopt, 10), IsOkAnd(SizeIs(1)));
  EXPECT_THAT(store->GetTable(id), IsOkAnd(std::nullopt));
  EXPECT_THAT(store->EdgesOf(id), IsOkAnd(IsEmpty()));
  EXPECT_THAT(ReadSamples(*store, id), IsOkAnd(IsEmpty()));
  EXPECT_THAT(store->CountSchemas(source->id), IsOkAnd(IsEmpty()));
  EXPECT_THAT(WithSearch(*store,
                         [](SearchReader& reader) -> Status {
                           EXPECT_THAT(reader.ListTables(), IsOkAnd(IsEmpty()));
                           return Ok();
                         }),
              IsOk());
  EXPECT_THAT(RemoveSource(*store, "shop"), IsError(ErrorKind::UnknownSource));
  EXPECT_THAT(IndexWriter::Begin(*store, source->id), IsError(ErrorKind::UnknownSource));
}

TEST(LocationKey, IsOneForAllSpellingsOfAPlace) {
  struct Row {
    std::string_view engine, a, b;
  };
  for (const Row& row : {
           Row{"postgres", "postgres://u@h/d", "postgresql://u:p%40ss@H:5432/d?sslmode=require"},
           Row{"postgres", "postgres://u@h/d", "host=h user=u dbname=d password='a b'"},
           Row{"postgres", "postgres:///d", "dbname = 'd' host=localhost"},
           Row{"postgres", "postgres://u:p@ss@h/d", "host=h user=u dbname='d'"},
           Row{"postgres", "postgres://[::1]:5433/d", "host=::1 port=5433 dbname=d"},
           Row{"postgres", "postgres://h/d?user=u", "postgres://u@h/d"},
           Row{"mysql", "mysql://u@h/d", "mysql://u@h:3306/d"},
           Row{"mysql", "mariadb://u@h/d?ssl-mode=required", "mysql://u@h/d"},
           Row{"sqlite", "/tmp/x/../shop.db", "sqlite:/tmp/shop.db"},
           Row{"sqlite", "file:/tmp/shop%20a.db?mode=ro", "/tmp/shop a.db"},
           Row{"sqlite", "file:///tmp/shop.db", "/tmp//shop.db"},
           Row{"ddl", "ddl:/tmp/a.sql", "/tmp/a.sql"},
       })
    EXPECT_EQ(LocationKey(row.engine, row.a), LocationKey(row.engine, row.b)) << row.a;
}

TEST(LocationKey, DiffersForDifferentPlaces) {
  struct Row {
    std::string_view engine, a, b;
  };
  for (const Row& row : {
           Row{"postgres", "postgres://h/d", "postgres://h/e"},
           Row{"postgres", "postgres://h/d", "postgres://h:5433/d"},
           Row{"postgres", "postgres://u@h/d", "postgres://v@h/d"},
           Row{"postgres", "service=a", "service=b"},
           Row{"postgres", "host=h dbname=D", "host=h dbname=d"},
           Row{"mysql", "mysql://u@/d?socket=/run/a", "mysql://u@/d?socket=/run/b"},
           Row{"sqlite", "/tmp/a.db", "/tmp/b.db"},
       })
    EXPECT_NE(LocationKey(row.engine, row.a), LocationKey(row.engine, row.b)) << row.a;
  EXPECT_NE(LocationKey("sqlite", "/tmp/a"), LocationKey("ddl", "/tmp/a"));
}

TEST(LocationKey, HoldsNoPassword) {
  EXPECT_THAT(LocationKey("postgres", "postgres://u:hunter2@h/d"),
              ::testing::Not(HasSubstr("hunter2")));
  EXPECT_THAT(LocationKey("postgres", "host=h password=hunter2"),
              ::testing::Not(HasSubstr("hunter2")));
}

TEST(LocationKey, FollowsLinks) {
  const TempFolder folder;
  std::filesystem::create_directory(folder.File("real"));
  std::filesystem::create_directory_symlink(folder.File("real"), folder.File("link"));
  EXPECT_EQ(LocationKey("sqlite", folder.File("link/a.db")),
            LocationKey("sqlite", folder.File("real/a.db")));
}

}  // namespace
}  // namespace schemaward::store

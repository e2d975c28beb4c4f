// Records: what goes in comes out, older ones read, damaged ones are refused.
#include "store/record.h"

#include <limits>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "catalog/catalog.h"
#include "store/name_key.h"
#include "store/testing.h"

namespace schemaward::store {
namespace {

struct Old {
  std::int64_t number = 0;
  void Bind(json::Fields& f) { f("number", number, ""); }
};

struct New {
  std::int64_t number = 0;
  std::vector<std::string> added = {"default"};
  void Bind(json::Fields& f) {
    f("number", number, "");
    f("added", added, "");
  }
};

catalog::Table FullTable() {
  catalog::Table table = MakeTable("public", "orders \xF0\x9F\x9A\x80", {"a", "b"});
  table.kind = catalog::TableKind::ForeignTable;
  table.comment = std::string("nul \0 and \xFF", 11);
  table.columns[0].default_value = "";
  table.columns[0].labels = {"x", ""};
  table.columns[0].statistic = catalog::Statistic{0.125, std::nullopt};
  table.columns[1].nullable = false;
  table.primary_key = catalog::Key{"pk", {"a", "b"}};
  table.unique_keys = {{"u", {"b"}}};
  AddKey(table, "a", "other", "t");
  table.indexes = {{"i", {"lower(a)"}, true, "btree", "a > 0"}};
  table.checks = {{"c", "a > 0"}};
  table.row_estimate = std::numeric_limits<std::int64_t>::min();
  table.partition_count = std::numeric_limits<std::int64_t>::max();
  table.partition_key = "RANGE (a)";
  return table;
}

TEST(Record, GivesBackEveryShape) {
  const catalog::Table table = FullTable();
  EXPECT_THAT(Decode<catalog::Table>(Encode(table)), IsOkAnd(table));
  EXPECT_THAT(Decode<catalog::Table>(Encode(catalog::Table{})), IsOkAnd(catalog::Table{}));
}

TEST(Record, AnOlderOneReadsWithDefaults) {
  const auto read = Decode<New>(Encode(Old{-5}));
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->number, -5);
  EXPECT_THAT(read->added, ::testing::ElementsAre("default"));
}

TEST(Record, ANewerOneIsRefused) {
  EXPECT_THAT(Decode<Old>(Encode(New{})), IsError(ErrorKind::StoreUnusable));
}

TEST(Record, IsRefusedWhereverItIsCutOrLengthened) {
  const std::string bytes = Encode(FullTable());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THAT(Decode<catalog::Table>(std::string_view(bytes).substr(0, size)),
                IsError(ErrorKind::StoreUnusable))
        << size;
  EXPECT_THAT(Decode<catalog::Table>(bytes + '\0'), IsError(ErrorKind::StoreUnusable));
}

// The counts of members as they are stored: whoever changes a struct otherwise than by a member at
// its end raises kSchemaVersion, and this pins the layout that version 1 has.
TEST(Record, HasTheLayoutOfTheSchemaVersion) {
  catalog::Table table = MakeTable("s", "t", {"c"});
  const std::string expected(
      "\x10"                    // members of a table
      "\x01s\x01t\x00\x00\x01"  // schema, name, kind, comment, 1 column
      "\x0F"                    // members of a column
      "\x01"
      "c"
      "\x07integer\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
      "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",  // the rest of the table
      6 + 2 + 2 + 8 + 13 + 11 + 1);
  EXPECT_EQ(Encode(table), expected);
}

TEST(NameKey, FoldsCaseAndNothingElse) {
  struct Row {
    std::string_view name, key;
  };
  for (const Row& row : {Row{"Orders_2", "orders_2"}, Row{"", ""},
                         Row{"\xC3\x9C"
                             "ber",
                             "\xC3\xBC"
                             "ber"},
                         Row{"STRA\xC3\x9F"
                             "E",
                             "strasse"},
                         Row{"cafe\xCC\x81", "caf\xC3\xA9"},   // composed
                         Row{"\xEF\xBC\xA1", "\xEF\xBD\x81"},  // full width stays so
                         Row{"A\xFF", "a\xFF"}})               // not UTF-8
    EXPECT_EQ(NameKey(row.name), row.key) << row.name;
  EXPECT_NE(NameKey("cafe"), NameKey("caf\xC3\xA9"));
}

}  // namespace
}  // namespace schemaward::store

#include "tools/drift.h"

#include <gtest/gtest.h>

namespace schemaward::tools {
namespace {

const std::vector<guard::TableRead> reads = {
    {"main", "order_line", {"order_id", "discount_cents", "order_date"}},
    {"main", "sales_order", {"order_id", "status"}}};

std::string MessageFor(std::string_view words, ErrorKind kind = ErrorKind::SchemaDrift) {
  Error error(kind, "as it was");
  error.Private(words);
  const Error named = NameDrift(reads, error);
  EXPECT_EQ(named.private_detail(), words);
  return named.message();
}

TEST(Drift, NamesTheColumnThatTheEnginesWordsAreAbout) {
  const std::string column =
      "the source no longer has the column discount_cents of main.order_line";
  EXPECT_EQ(MessageFor("no such column: order_line.discount_cents"), column);
  EXPECT_EQ(MessageFor("column \"discount_cents\" does not exist\nHINT: status"), column);
  EXPECT_EQ(MessageFor("Unknown column 'order_line.discount_cents' in 'SELECT'"), column);
}

TEST(Drift, NamesTheTableWhereNoColumnIsSaid) {
  EXPECT_EQ(MessageFor("relation \"sales_order\" does not exist"),
            "the source no longer has the table main.sales_order");
}

TEST(Drift, GuessesNothing) {
  EXPECT_EQ(MessageFor("no such column: order_id"), "as it was");  // two tables have one
  EXPECT_EQ(MessageFor("no such column: order"), "as it was");     // a part of a name is none
  EXPECT_EQ(MessageFor(""), "as it was");
  EXPECT_EQ(MessageFor("status", ErrorKind::SqlRuntime), "as it was");
}

}  // namespace
}  // namespace schemaward::tools

// Every node of a tree is seen, and no tree is too deep for the stack.
#include "pgparse/tree.h"

#include <string>

#include <gtest/gtest.h>
#include <pg_query/pg_query.pb-c.h>

namespace schemaward::pgparse {
namespace {

struct Seen {
  int columns = 0;
  bool whole = false;
};

Seen Walk(const std::string& sql) {
  Seen seen;
  (void)RunOnDeepStack([&] {
    Parser parser;
    const auto tree = parser.Parse(sql, kParseTokensMax, 1);
    if (!tree) return;
    seen.whole = VisitNodes((*tree)->base, 0, [&](const Node& node, int) {
      seen.columns += node.node_case == PG_QUERY__NODE__NODE_COLUMN_REF ? 1 : 0;
      return true;
    });
  });
  return seen;
}

TEST(Tree, SeesEveryColumnWhereverItStands) {
  const Seen seen = Walk(
      "WITH c AS (SELECT a FROM t) SELECT CASE WHEN b THEN d END, f(g) FILTER (WHERE h), "
      "sum(i) OVER (PARTITION BY j ORDER BY k) FROM c JOIN u ON c.l = u.m WHERE n IN (SELECT o "
      "FROM "
      "v) AND p[q] IS NULL GROUP BY ROLLUP (r) HAVING s > 1 ORDER BY w LIMIT x");
  EXPECT_TRUE(seen.whole);
  EXPECT_EQ(seen.columns, 18);
}

TEST(Tree, SaysWhereItStopped) {
  std::string sum = "SELECT a";
  for (int i = 0; i < kTreeDepthMax; ++i) sum += "+a";
  const Seen seen = Walk(sum);
  EXPECT_FALSE(seen.whole);
  EXPECT_GT(seen.columns, 0);
}

}  // namespace
}  // namespace schemaward::pgparse

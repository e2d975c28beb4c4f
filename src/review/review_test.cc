// Every rule against its own examples, and where findings stand.
#include "review/review.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "guard/table_lookup.h"
#include "review/example_schema.h"
#include "review/names.h"

namespace schemaward::review {
namespace {

std::vector<std::string> IdsOf(const Review& review) {
  std::vector<std::string> ids;
  for (const Finding& finding : review.findings) ids.emplace_back(finding.rule->id);
  return ids;
}

// The rules, with the one under test switched on.
std::vector<Rule> RulesFor(const std::string& id) {
  std::vector<Rule> rules = AllRules();
  for (Rule& one : rules)
    if (one.id == id && one.level == Level::Off) one.level = Level::Warn;
  return rules;
}

std::vector<std::string> AllIds() {
  std::vector<std::string> ids;
  for (const Rule& rule : AllRules()) ids.emplace_back(rule.id);
  return ids;
}

// The schema of the examples.
std::vector<catalog::Table> ExampleTables() {
  const std::vector<catalog::Table> none;
  guard::TableList before(none);
  ScriptSchema schema(before);
  for (const auto& statement : sql::query::ReadScript(kExampleSchema, sql::Postgres()).statements)
    if (statement.change) schema.Apply(*statement.change, sql::Postgres());
  return schema.Defined();
}

std::vector<std::string> IdsOnExample(std::string_view text, const std::vector<Rule>& rules,
                                      const sql::Dialect& dialect = sql::Postgres()) {
  const std::vector<catalog::Table> tables = ExampleTables();
  guard::TableList schema(tables);
  return IdsOf(ReviewScript(text, dialect, rules, &schema));
}

class Rules : public ::testing::TestWithParam<std::string> {};

TEST_P(Rules, FindTheBadExampleOnceAndNothingInTheGood) {
  const std::vector<Rule> rules = RulesFor(GetParam());
  const Rule& rule = *std::find_if(rules.begin(), rules.end(),
                                   [](const Rule& one) { return one.id == GetParam(); });
  const sql::Dialect& dialect = *sql::FindDialect(rule.dialect);
  if (rule.needs == Needs::Schema) {
    EXPECT_THAT(IdsOnExample(rule.bad, rules), ::testing::ElementsAre(std::string(rule.id)));
    EXPECT_THAT(IdsOnExample(rule.good, rules), ::testing::IsEmpty()) << rule.good;
    EXPECT_THAT(IdsOf(ReviewScript(rule.bad, dialect, rules)),
                ::testing::Not(::testing::Contains(std::string(rule.id))));
    return;
  }
  EXPECT_THAT(IdsOf(ReviewScript(rule.bad, dialect, rules)),
              ::testing::ElementsAre(std::string(rule.id)))
      << rule.bad;
  const auto good = IdsOf(ReviewScript(rule.good, dialect, rules));
  EXPECT_THAT(good, ::testing::IsEmpty()) << rule.good;
}

INSTANTIATE_TEST_SUITE_P(Each, Rules, ::testing::ValuesIn(AllIds()), [](const auto& each) {
  std::string name = each.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(RuleList, HasEveryCategoryAndEachIdOnce) {
  std::set<std::string_view> ids, categories;
  for (const Rule& rule : AllRules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    categories.insert(Word(rule.category));
    EXPECT_FALSE(rule.title.empty() || rule.message.empty() || rule.why.empty()) << rule.id;
  }
  EXPECT_GE(ids.size(), 70U);
  EXPECT_EQ(categories.size(), 10U);
}

TEST(Review, SaysWhereThroughCommentsAndQuotes) {
  const std::string_view text =
      "-- DELETE FROM t\nSELECT ';\xC3\xA9' AS x;\n/* a\nb */ DELETE\n  FROM t;";
  const std::vector<Rule> rules = AllRules();
  const Review review = ReviewScript(text, sql::Postgres(), rules);
  ASSERT_EQ(review.findings.size(), 1U);
  EXPECT_EQ(review.findings[0].statement, 2U);
  EXPECT_EQ(review.findings[0].range, (Range{4, 6, 4, 12}));
}

TEST(Review, ColumnsCountCharacters) {
  const std::vector<Rule> rules = AllRules();
  const Review review =
      ReviewScript("SELECT '\xC3\xA9' AS x, a = NULL AS y FROM t", sql::Postgres(), rules);
  ASSERT_EQ(review.findings.size(), 1U);
  EXPECT_EQ(review.findings[0].range, (Range{1, 18, 1, 26}));
}

TEST(Review, ABrokenStatementIsAFindingAndTheOthersAreReviewed) {
  const std::vector<Rule> rules = AllRules();
  const Review review = ReviewScript("SELECT FROM; DELETE FROM t", sql::Postgres(), rules);
  EXPECT_THAT(IdsOf(review), ::testing::ElementsAre("syntax-error", "delete-without-where"));
}

// Changes in WITH and behind EXPLAIN ANALYZE happen; what is only explained does not.
TEST(Review, FindsChangesWhereTheyStand) {
  const auto found = [](std::string_view text) {
    std::vector<std::string> out;
    const std::vector<Rule> rules = AllRules();
    const Review review = ReviewScript(text, sql::Postgres(), rules);
    for (const Finding& one : review.findings)
      if (one.rule->id.ends_with("-without-where"))
        out.emplace_back(text.substr(one.begin, one.end - one.begin));
    return out;
  };
  EXPECT_THAT(found("WITH a AS (DELETE FROM t RETURNING id) SELECT id FROM a"),
              ::testing::ElementsAre("t"));
  EXPECT_THAT(found("WITH a AS (SELECT 1 AS id) UPDATE t SET x = 1"), ::testing::ElementsAre("t"));
  EXPECT_THAT(found("EXPLAIN (ANALYZE, BUFFERS) DELETE FROM t"), ::testing::ElementsAre("t"));
  EXPECT_THAT(found("DELETE FROM t"), ::testing::ElementsAre("DELETE"));
  EXPECT_THAT(found("EXPLAIN (BUFFERS) DELETE FROM t"), ::testing::IsEmpty());
}

TEST(Review, AsksTheEnginesGrammarWhatItDoesNotKnow) {
  const auto ids = [](std::string_view text, const sql::Dialect& dialect) {
    std::vector<std::string> out;
    const std::vector<Rule> rules = AllRules();
    const Review review = ReviewScript(text, dialect, rules);
    for (const Finding& one : review.findings)
      if (one.rule->id == "syntax-error" || one.rule->id == "not-read")
        out.push_back(fmt::format("{} {}", one.rule->id, text.substr(one.begin, 3)));
    return out;
  };
  const std::string_view escaped = "SELECT '\u00e9' AS e, U&'d!0061ta' UESCAPE '!' FROM t";
  EXPECT_THAT(ids(escaped, sql::Postgres()), ::testing::ElementsAre("not-read '!'"));
  EXPECT_THAT(ids(escaped, sql::MySql()), ::testing::ElementsAre("not-read '!'"));
  EXPECT_THAT(ids("COMMENT ON TABLE \"\u00e9\" WAS 'x'", sql::Postgres()),
              ::testing::ElementsAre("syntax-error WAS"));
  EXPECT_THAT(ids("ALTER TABLE \u00e9 MODIFY a INT", sql::Sqlite()),
              ::testing::ElementsAre("syntax-error MOD"));
  EXPECT_THAT(ids("PRAGMA journal_mode = WAL", sql::Sqlite()), ::testing::IsEmpty());
}

TEST(Review, FindingsAreBoundedAndCounted) {
  std::string text;
  for (int i = 0; i < 4'900; ++i) text += "DELETE FROM t; ";
  text += "SELECT a = NULL";
  for (int i = 0; i < 200; ++i) text += ", a = NULL";
  const std::vector<Rule> rules = AllRules();
  const Review review = ReviewScript(text, sql::Postgres(), rules);
  EXPECT_EQ(review.findings.size(), kFindingsMax);
  EXPECT_EQ(review.left_out, 101U);
}

TEST(Review, TheDefinitionsOfTheExampleAreThemselvesWithoutFault) {
  EXPECT_THAT(IdsOf(ReviewScript(kExampleSchema, sql::Postgres(), AllRules())),
              ::testing::Each(::testing::AnyOf("index-blocks-writes")));
  EXPECT_EQ(ExampleTables().size(), 3U);
}

struct NameCase {
  std::string name, text;
  std::vector<std::string> ids;
};

TEST(ReviewWithSchema, SaysNothingOfWhatIsRightOrNotKnown) {
  const std::vector<NameCase> cases = {
      {"alias in ORDER BY", "SELECT o.total AS t FROM orders AS o ORDER BY t", {}},
      {"alias in GROUP BY", "SELECT o.status AS s, count(*) AS n FROM orders AS o GROUP BY s", {}},
      {"outer column in a subquery",
       "SELECT c.name FROM customers AS c WHERE EXISTS (SELECT 1 FROM orders AS o WHERE "
       "o.customer_id = c.customer_id AND created_at < o.ordered_at)",
       {}},
      {"common table",
       "WITH big AS (SELECT order_id AS id, total FROM orders) SELECT big.id FROM big",
       {}},
      {"recursive common table",
       "WITH RECURSIVE n (i) AS (SELECT 1 AS one UNION ALL SELECT i + 1 AS next FROM n WHERE i < 9)"
       " SELECT i FROM n",
       {}},
      {"derived table with star", "SELECT d.total FROM (SELECT o.total FROM orders AS o) AS d", {}},
      {"function", "SELECT g.anything FROM generate_series(1, 3) AS g", {}},
      {"merged column", "SELECT order_id FROM orders JOIN order_items USING (order_id)", {}},
      {"system column", "SELECT o.ctid FROM orders AS o", {}},
      {"catalog", "SELECT t.table_name FROM information_schema.tables AS t", {}},
      {"whole row", "SELECT row_to_json(o) AS r FROM orders AS o", {}},
      {"lateral", "SELECT l.x FROM orders AS o CROSS JOIN LATERAL (SELECT o.total AS x) AS l", {}},
      {"excluded",
       "INSERT INTO customers (customer_id, name) VALUES (1, 'a') ON CONFLICT (customer_id) DO "
       "UPDATE SET name = excluded.name",
       {}},
      {"table of the script",
       "CREATE TABLE notes (id bigint PRIMARY KEY, body text); SELECT n.body FROM notes AS n",
       {}},
      {"column of the script",
       "ALTER TABLE orders ADD COLUMN note text; SELECT o.note FROM orders "
       "AS o",
       {}},
      {"another path", "SET search_path TO app; SELECT x.y FROM elsewhere AS x", {}},
      {"anti-join",
       "SELECT c.name FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.customer_id "
       "WHERE o.order_id IS NULL",
       {}},
      {"summed on the many side of a chain",
       "SELECT sum(i.quantity) AS q FROM customers AS c JOIN orders AS o ON o.customer_id = "
       "c.customer_id JOIN order_items AS i ON i.order_id = o.order_id",
       {}},
      {"what a change in WITH returns",
       "WITH gone AS (DELETE FROM orders WHERE order_id = 1 RETURNING order_id, total AS t) SELECT "
       "g.order_id, g.t FROM gone AS g",
       {}},
      {"a star that a change in WITH returns",
       "WITH made AS (INSERT INTO customers (customer_id, name) VALUES (1, 'a') RETURNING *) "
       "SELECT m.name FROM made AS m",
       {}},
      {"a change in WITH that another reads",
       "WITH a AS (UPDATE orders SET total = 1 WHERE order_id = 1 RETURNING customer_id AS c), b "
       "AS "
       "(DELETE FROM customers USING a WHERE customer_id = a.c RETURNING name) SELECT b.name FROM "
       "b",
       {}},
      {"merge",
       "MERGE INTO orders AS o USING (SELECT customer_id, name FROM customers) AS s ON "
       "o.customer_id = s.customer_id WHEN MATCHED AND o.total > 5 THEN UPDATE SET status = s.name "
       "WHEN NOT MATCHED THEN INSERT (order_id, customer_id, total, status, ordered_at) VALUES (1, "
       "s.customer_id, 1, s.name, now()) WHEN NOT MATCHED BY SOURCE AND o.total < 1 THEN DELETE "
       "RETURNING merge_action(), o.total, s.name",
       {}},
      {"one row of the many side",
       "SELECT sum(o.total) AS t FROM orders AS o JOIN order_items AS i ON i.order_id = "
       "o.order_id AND i.line = 1",
       {}},
  };
  for (const NameCase& one : cases)
    EXPECT_EQ(IdsOnExample(one.text, AllRules()), one.ids) << one.name;
}

TEST(ReviewWithSchema, FindsNamesThatAreNotThereWhereverTheyStand) {
  const std::vector<NameCase> cases = {
      {"in a subquery",
       "SELECT c.name FROM customers AS c WHERE EXISTS (SELECT 1 FROM orders AS o WHERE "
       "o.custmer_id = c.customer_id)",
       {"unknown-column"}},
      {"in a common table",
       "WITH x AS (SELECT totl FROM orders) SELECT x.totl FROM x",
       {"unknown-column"}},
      {"of a common table",
       "WITH x AS (SELECT total FROM orders) SELECT x.totl FROM x",
       {"unknown-column"}},
      {"qualifier", "SELECT p.total FROM orders AS o", {"unknown-column"}},
      {"aliased table by its own name", "SELECT orders.total FROM orders AS o", {"unknown-column"}},
      {"assignment", "UPDATE orders SET totl = 1 WHERE order_id = 1", {"unknown-column"}},
      {"insert",
       "INSERT INTO customers (customer_id, name, mail) VALUES (1, 'a', 'b')",
       {"unknown-column"}},
      {"USING",
       "SELECT o.total FROM orders AS o JOIN customers AS c USING (client_id)",
       {"unknown-column", "unknown-column"}},
      {"quoted in another case", "SELECT o.\"Total\" FROM orders AS o", {"unknown-column"}},
      {"a change in WITH",
       "WITH x AS (UPDATE orders SET totl = 1 WHERE order_id = 1 RETURNING order_id) SELECT "
       "x.order_id FROM x",
       {"unknown-column"}},
      {"what a change in WITH does not return",
       "WITH x AS (DELETE FROM orders WHERE order_id = 1 RETURNING order_id) SELECT x.total FROM x",
       {"unknown-column"}},
      {"NULL in a change in WITH beside another",
       "WITH x AS (INSERT INTO customers (customer_id, name) VALUES (1, NULL) RETURNING "
       "customer_id) UPDATE orders SET shipped_at = NULL FROM x WHERE orders.customer_id = "
       "x.customer_id",
       {"null-into-not-null"}},
      {"condition of a merge",
       "MERGE INTO orders AS o USING customers AS c ON o.client_id = c.customer_id WHEN MATCHED "
       "THEN DELETE",
       {"unknown-column"}},
      {"assignment of a merge",
       "MERGE INTO orders AS o USING customers AS c ON o.customer_id = c.customer_id WHEN MATCHED "
       "THEN UPDATE SET totl = 1",
       {"unknown-column"}},
      {"columns of a merge's insert",
       "MERGE INTO customers AS t USING orders AS s ON t.customer_id = s.customer_id WHEN NOT "
       "MATCHED THEN INSERT (customer_id, nmae) VALUES (s.customer_id, 'a')",
       {"insert-without-required", "unknown-column"}},
      {"a merge's insert sees the source alone",
       "MERGE INTO orders AS o USING customers AS c ON o.customer_id = c.customer_id WHEN NOT "
       "MATCHED THEN INSERT (order_id, customer_id, total, status, ordered_at) VALUES (o.order_id, "
       "1, 1, 'open', now())",
       {"unknown-column"}},
      {"a merge's branch without a source",
       "MERGE INTO orders AS o USING customers AS c ON o.customer_id = c.customer_id WHEN NOT "
       "MATCHED BY SOURCE THEN UPDATE SET status = c.name",
       {"unknown-column"}},
      {"NULL in a merge",
       "MERGE INTO orders AS o USING customers AS c ON o.customer_id = c.customer_id WHEN MATCHED "
       "THEN UPDATE SET total = NULL",
       {"null-into-not-null"}},
      {"rows of a merge",
       "MERGE INTO customers AS t USING orders AS s ON t.customer_id = s.customer_id WHEN NOT "
       "MATCHED THEN INSERT (customer_id, name) VALUES (s.customer_id)",
       {"insert-count-mismatch"}},
      {"delete", "DELETE FROM odrers WHERE order_id = 1", {"unknown-table"}},
      {"derived by NOT IN",
       "SELECT c.name FROM customers AS c WHERE c.customer_id NOT IN (SELECT d.r FROM (SELECT "
       "o.referrer_id AS r FROM orders AS o) AS d)",
       {"not-in-nullable"}},
      {"NOT IN where a join asks for a value",
       "SELECT c.name FROM customers AS c WHERE c.customer_id NOT IN (SELECT o.referrer_id FROM "
       "orders AS o JOIN customers AS r ON r.customer_id = o.referrer_id)",
       {}},
      {"NOT IN where a filter asks for a value",
       "SELECT c.name FROM customers AS c WHERE c.customer_id NOT IN (SELECT o.referrer_id FROM "
       "orders AS o WHERE o.referrer_id > 5 AND o.total > 1)",
       {"filter-without-index"}},
      {"NOT IN where an outer join keeps the NULL",
       "SELECT c.name FROM customers AS c WHERE c.customer_id NOT IN (SELECT o.referrer_id FROM "
       "orders AS o LEFT JOIN customers AS r ON r.customer_id = o.referrer_id)",
       {"not-in-nullable"}},
      {"NOT IN where another column is not NULL",
       "SELECT c.name FROM customers AS c WHERE c.customer_id NOT IN (SELECT o.referrer_id FROM "
       "orders AS o WHERE o.status IS NOT NULL)",
       {"not-in-nullable"}},
      {"NOT IN where only one of two ways asks for a value",
       "SELECT c.name FROM customers AS c WHERE c.customer_id NOT IN (SELECT o.referrer_id FROM "
       "orders AS o WHERE o.referrer_id > 5 OR o.total > 1)",
       {"not-in-nullable"}},
      {"average",
       "SELECT c.name, avg(o.total) AS a FROM customers AS c JOIN orders AS o ON o.customer_id = "
       "c.customer_id JOIN order_items AS i ON i.order_id = o.order_id GROUP BY c.name",
       {"fan-out-aggregate"}},
      {"listed values in IN",
       "SELECT o.order_id FROM orders AS o WHERE o.customer_id = 1 AND o.status IN ('open', "
       "'done')",
       {"value-not-listed"}},
      {"text for a number",
       "SELECT o.total FROM orders AS o WHERE o.order_id = 'abc'",
       {"mismatched-types"}},
      {"NULL in a row",
       "INSERT INTO customers (customer_id, name) VALUES (1, 'a'), (2, NULL)",
       {"null-into-not-null"}},
  };
  for (const NameCase& one : cases)
    EXPECT_EQ(IdsOnExample(one.text, AllRules()), one.ids) << one.name;
}

TEST(ReviewWithSchema, NamesTheNearest) {
  const std::vector<catalog::Table> tables = ExampleTables();
  guard::TableList schema(tables);
  const std::vector<Rule> rules = AllRules();
  const auto message = [&](std::string_view text) {
    const Review review = ReviewScript(text, sql::Postgres(), rules, &schema);
    return review.findings.empty() ? std::string() : review.findings.front().message;
  };
  EXPECT_THAT(message("SELECT o.total FROM ordrs AS o"),
              ::testing::StartsWith("no table \"ordrs\" is in the index; near: orders"));
  EXPECT_THAT(message("SELECT o.totl FROM orders AS o"),
              ::testing::StartsWith("table \"orders\" has no column \"totl\"; near: total"));
}

// A lookup that fails: the text is reviewed all the same, and the failure is kept.
class BrokenLookup final : public guard::TableLookup {
 public:
  Result<std::vector<const catalog::Table*>> Find(const std::optional<std::string>& /*schema*/,
                                                  std::string_view /*name*/) override {
    return Error(ErrorKind::StoreLocked, "the store is locked");
  }
  std::vector<std::string> Near(std::string_view /*name*/) override { return {}; }
};

TEST(ReviewWithSchema, AFailedLookupIsKeptAndNothingIsMadeOfIt) {
  BrokenLookup broken;
  const std::vector<Rule> rules = AllRules();
  const Review review =
      ReviewScript("SELECT a.b FROM a; DELETE FROM a", sql::Postgres(), rules, &broken);
  EXPECT_THAT(IdsOf(review), ::testing::ElementsAre("delete-without-where"));
  ASSERT_TRUE(review.lookup_failure);
  EXPECT_EQ(review.lookup_failure->kind(), ErrorKind::StoreLocked);
}

TEST(Review, EveryRuleThatCanBeMendedSaysHow) {
  for (const Rule& rule : AllRules())
    EXPECT_EQ(rule.fix.empty(), rule.fix_title.empty()) << rule.id;
}

TEST(Review, OneLineOfAMegabyteIsNotCountedAnewForEachFinding) {
  std::string text = "SELECT a = NULL AS x";
  while (text.size() < (1U << 20)) text += ", a = NULL";
  const std::vector<Rule> rules = AllRules();
  const Review review = ReviewScript(text, sql::Postgres(), rules);
  EXPECT_FALSE(review.findings.empty());
  EXPECT_EQ(review.findings.back().range.start_line, 1U);
}

}  // namespace
}  // namespace schemaward::review

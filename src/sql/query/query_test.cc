// Statements of four dialects through reader and printer.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "sql/query/print.h"
#include "sql/query/reader.h"

namespace schemaward::sql::query {
namespace {

struct Row {
  std::string_view dialect, text, printed;
};

std::string PrintedOf(std::string_view text, const Dialect& dialect) {
  const auto statement = Read(text, dialect);
  if (!statement) return "ERROR " + statement.error().message();
  const auto printed = Print(*statement, dialect);
  return printed ? printed->text : "ERROR " + printed.error().message();
}

class Reads : public ::testing::TestWithParam<Row> {};

TEST_P(Reads, AndPrintsTheSameTwice) {
  const Dialect& dialect = *FindDialect(GetParam().dialect);
  const std::string once = PrintedOf(GetParam().text, dialect);
  EXPECT_EQ(once, GetParam().printed);
  std::string plain =
      once;  // the schema of PostgreSQL's functions reads back as a part of the name
  for (std::size_t at; (at = plain.find("pg_catalog.")) != std::string::npos;) plain.erase(at, 11);
  std::string again = PrintedOf(once, dialect);
  for (std::size_t at; (at = again.find("pg_catalog.")) != std::string::npos;) again.erase(at, 11);
  EXPECT_EQ(again, plain);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Reads,
    ::testing::Values(
        Row{"postgres", "select 1", "SELECT 1"},
        Row{"mysql", "show full tables like 'a%'", "SHOW FULL TABLES LIKE 'a%'"},
        Row{"mysql", "SHOW FULL FIELDS IN t", "SHOW FULL COLUMNS FROM `t`"},
        Row{"mysql", "EXPLAIN s.t", "SHOW COLUMNS FROM `s`.`t`"},
        Row{"duckdb", "SUMMARIZE FROM t", R"(SUMMARIZE SELECT * FROM "t")"},
        Row{"duckdb", "DESC SELECT a FROM t", R"(DESCRIBE SELECT "a" FROM "t")"},
        Row{"duckdb", "SHOW ALL TABLES", "SHOW ALL TABLES"},
        Row{"duckdb", "SHOW t", R"(DESCRIBE "t")"},
        Row{"duckdb", "SELECT a NOT IN [1, b] FROM t ORDER BY ALL DESC NULLS FIRST",
            R"(SELECT ("a" NOT IN [1, "b"]) FROM "t" ORDER BY ALL DESC NULLS FIRST)"},
        Row{"sqlite", "PRAGMA main.table_info('t')", R"(PRAGMA "main".table_info("t"))"},
        Row{"sqlite", "pragma TABLE_LIST", "PRAGMA table_list"},
        Row{"sqlite", "SELECT a 'x' FROM t", R"(SELECT "a" AS "x" FROM "t")"},
        Row{"postgres",
            "SELECT a.b, count(*) AS n FROM s.a a WHERE x = 'it''s' OR NOT y GROUP BY 1;",
            R"(SELECT "a"."b", pg_catalog.count(*) AS "n" FROM "s"."a" AS "a" WHERE (("x" = 'it''s') OR (NOT "y")) GROUP BY 1)"},
        Row{"postgres", "SELECT a + b * c - d, -x ^ 2, a || b || c FROM t",
            R"(SELECT (("a" + ("b" * "c")) - "d"), ((- "x") ^ 2), (("a" || "b") || "c") FROM "t")"},
        Row{"postgres", "SELECT NOT a = b AND c BETWEEN 1 AND 2 + 3 FROM t",
            R"(SELECT ((NOT ("a" = "b")) AND ("c" BETWEEN 1 AND (2 + 3))) FROM "t")"},
        Row{"postgres", "SELECT E'a\\'b', $q$it's$q$, U&\"d\\0061t\" FROM t",
            R"(SELECT 'a''b', 'it''s', "dat" FROM "t")"},
        Row{"postgres", "SELECT x::numeric(10,2)[] FROM t",
            R"(SELECT CAST("x" AS NUMERIC(10, 2)[]) FROM "t")"},
        Row{"postgres", "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3",
            "SELECT 1 UNION (SELECT 2 INTERSECT SELECT 3)"},
        Row{"sqlite", "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3",
            "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3"},
        Row{"postgres",
            "SELECT sum(x) FILTER (WHERE y) OVER (PARTITION BY z ORDER BY w DESC ROWS BETWEEN 1 "
            "PRECEDING AND CURRENT ROW) FROM t",
            R"(SELECT pg_catalog.sum("x") FILTER (WHERE "y") OVER ( PARTITION BY "z" ORDER BY "w" DESC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM "t")"},
        Row{"postgres", "SELECT a @@ b, overlay(a placing b from 1), f(x => 1) FROM t",
            R"(SELECT ("a" @@ "b"), OVERLAY("a" PLACING "b" FROM 1), pg_catalog.f("x" => 1) FROM "t")"},
        Row{"postgres", "SELECT (f(a))[1], (f(a))[2:3], a[1] FROM t",
            R"(SELECT ((pg_catalog.f("a"))[1]), ((pg_catalog.f("a"))[2:3]), ("a"[1]) FROM "t")"},
        Row{"postgres", "SELECT 1 FROM t WHERE (a, b) OVERLAPS (c, d)",
            R"(SELECT 1 FROM "t" WHERE (("a", "b") OVERLAPS ("c", "d")))"},
        Row{"postgres", "SELECT id FROM ONLY t, ONLY s.u AS v",
            R"(SELECT "id" FROM ONLY "t", ONLY "s"."u" AS "v")"},
        Row{"postgres",
            "SELECT x.a FROM f(1) AS x(a int, b text) TABLESAMPLE SYSTEM (1) REPEATABLE (2)",
            R"(SELECT "x"."a" FROM pg_catalog.f(1) AS "x"("a" INT, "b" TEXT) TABLESAMPLE SYSTEM (1) REPEATABLE (2))"},
        Row{"postgres", "SELECT 1 FROM t WHERE a LIKE ANY (ARRAY['x%']) OR b NOT ILIKE ALL (c)",
            R"(SELECT 1 FROM "t" WHERE (("a" LIKE ANY (ARRAY['x%'])) OR ("b" NOT ILIKE ALL ("c"))))"},
        Row{"postgres", "SELECT 1 WHERE EXISTS (SELECT FROM t WHERE a)",
            R"(SELECT 1 WHERE EXISTS (SELECT 1 FROM "t" WHERE "a"))"},
        Row{"postgres", "SELECT x.a FROM unnest(b, c) AS x(a, d), unnest(b) AS y",
            R"(SELECT "x"."a" FROM unnest("b", "c") AS "x"("a", "d"), pg_catalog.unnest("b") AS "y")"},
        Row{"duckdb", "SELECT a FROM t LIMIT 10%", R"(SELECT "a" FROM "t" LIMIT 10%)"},
        Row{"duckdb", "SELECT a FROM t LIMIT 2.5 PERCENT OFFSET 1",
            R"(SELECT "a" FROM "t" LIMIT 2.5% OFFSET 1)"},
        Row{"mysql", "SELECT a 'x', count(*) \"n\" FROM t",
            "SELECT `a` AS `x`, count(*) AS `n` FROM `t`"},
        Row{"mysql", "SELECT BINARY CASE WHEN a THEN b END FROM t",
            "SELECT (BINARY (CASE WHEN `a` THEN `b` END)) FROM `t`"},
        Row{"mysql", "SELECT json 'x', DATE '2024-01-01' FROM t",
            "SELECT `json` AS `x`, DATE '2024-01-01' FROM `t`"},
        Row{"mysql", "SELECT group_concat(a ORDER BY b SEPARATOR '-' LIMIT 3) FROM t",
            "SELECT group_concat(`a` ORDER BY `b` SEPARATOR '-' LIMIT 3) FROM `t`"},
        Row{"mysql", "SELECT v.column_0 FROM (VALUES (1, 'a'), (2, 'b')) v",
            "SELECT `v`.`column_0` FROM (SELECT 1 AS `column_0`, 'a' AS `column_1` UNION ALL "
            "SELECT 2, 'b') AS `v`"},
        Row{"mysql", "SELECT 3 UNION VALUES ROW(1), ROW(1)",
            "SELECT 3 UNION (SELECT 1 AS `column_0` UNION ALL SELECT 1)"},
        Row{"mysql", "SELECT now() + INTERVAL '1:30' HOUR_MINUTE FROM dual",
            "SELECT (now() + INTERVAL '1:30' HOUR_MINUTE)"},
        Row{"duckdb", "PIVOT t ON a USING sum(b) GROUP BY c",
            R"(SELECT * FROM (PIVOT (SELECT * FROM "t") ON "a" USING sum("b") GROUP BY "c"))"},
        Row{"duckdb", "PIVOT t ON a, b IN (1, 2) USING sum(b) AS s, max(c) GROUP BY c, d",
            R"(SELECT * FROM (PIVOT (SELECT * FROM "t") ON "a", "b" IN (1, 2) USING sum("b") AS "s", max("c") GROUP BY "c", "d"))"},
        Row{"duckdb", "SELECT p.x FROM t PIVOT (sum(b) FOR a IN ('x', 'y') GROUP BY c) AS p",
            R"(SELECT "p"."x" FROM (PIVOT (SELECT * FROM "t") ON "a" IN ('x', 'y') USING sum("b") GROUP BY "c") AS "p")"},
        Row{"duckdb", "UNPIVOT (SELECT a, b FROM t) ON a, b INTO NAME n VALUE v",
            R"(SELECT * FROM (UNPIVOT (SELECT "a", "b" FROM "t") ON "a", "b" INTO NAME "n" VALUE "v"))"},
        Row{"duckdb",
            "SELECT n FROM (SELECT a, b FROM t) UNPIVOT (v FOR n IN (a, b)) u JOIN w USING (k)",
            R"(SELECT "n" FROM (UNPIVOT (SELECT "a", "b" FROM "t") ON "a", "b" INTO NAME "n" VALUE "v") AS "u" JOIN "w" USING ("k"))"},
        Row{"duckdb", "FROM t AS x UNPIVOT (v FOR n IN (a)) UNPIVOT (w FOR m IN (v))",
            R"(SELECT * FROM (UNPIVOT (SELECT * FROM (UNPIVOT (SELECT * FROM "t" AS "x") ON "a" INTO NAME "n" VALUE "v")) ON "v" INTO NAME "m" VALUE "w"))"},
        Row{"duckdb",
            "SELECT n: count(*) FILTER (a > 1), lag(a IGNORE NULLS) OVER () FROM t USING SAMPLE "
            "10%",
            R"(SELECT count(*) FILTER (WHERE ("a" > 1)) AS "n", lag("a" IGNORE NULLS) OVER () FROM "t" USING SAMPLE 10 PERCENT)"},
        Row{"mysql", "SELECT a || b, c && d, x <=> NULL, \"it's\" FROM `t` LIMIT 2, 5",
            "SELECT (`a` OR `b`), (`c` AND `d`), (`x` <=> NULL), 'it''s' FROM `t` LIMIT 5 OFFSET "
            "2"},
        Row{"mysql", "SELECT 1--1", "SELECT (1 - (- 1))"},
        Row{"mysql", "SELECT 'a\\'b\\\\' # words", R"(SELECT 'a''b\\')"},
        Row{"sqlite", "SELECT [a], `b` || 'c' FROM \"t\" -- words",
            R"(SELECT "a", ("b" || 'c') FROM "t")"},
        Row{"sqlite", "SELECT a < b = c IS NULL FROM t",
            R"(SELECT ((("a" < "b") = "c") IS NULL) FROM "t")"},
        Row{"duckdb", "SELECT a.upper().left(2), t.a.trim('x'), s.substr(2), [1, 2].list_sum()",
            R"(SELECT left(upper("a"), 2), TRIM("t"."a", 'x'), SUBSTRING("s", 2), list_sum([1, 2]))"},
        Row{"duckdb", "SELECT 'a'.concat(b, 'c'), main.upper(a), a.count(DISTINCT b) FROM t",
            R"(SELECT concat('a', "b", 'c'), upper("a"), count(DISTINCT "a", "b") FROM "t")"},
        Row{"duckdb", "SELECT [x + 1 FOR x IN a IF x > b], [f(x, i) FOR x, i IN [1, 2]] FROM t",
            R"(SELECT list_transform(list_filter("a", ("x") -> ("x" > "b")), ("x") -> ("x" + 1)), list_transform([1, 2], ("x", "i") -> f("x", "i")) FROM "t")"},
        Row{"duckdb", "SELECT map {'a': b, c: 2}, MAP {}, try(a / 0), @ a - 1, a ^@ 'b', 1_000.5_0",
            R"(SELECT MAP {'a': "b", "c": 2}, MAP {}, TRY(("a" / 0)), abs(("a" - 1)), ("a" ^@ 'b'), 1000.50)"},
        Row{"postgres", "SELECT 1_000", "SELECT 1000"},
        Row{"duckdb",
            "SELECT list_filter(a, lambda x, i: x > i), a.list_transform(X -> X), concat(a -> b)",
            R"(SELECT list_filter("a", ("x", "i") -> ("x" > "i")), list_transform("a", ("X") -> "X"), concat(("a" -> "b")))"},
        Row{"postgres", "((SELECT a FROM t)) ORDER BY b LIMIT 2",
            R"(SELECT "a" FROM "t" ORDER BY "b" LIMIT 2)"},
        Row{"mysql", "(WITH x AS (SELECT 1) SELECT a FROM t) ORDER BY b",
            "WITH `x` AS (SELECT 1) SELECT `a` FROM `t` ORDER BY `b`"},
        Row{"duckdb", "((SELECT a FROM t) UNION SELECT 1) ORDER BY a",
            R"((SELECT "a" FROM "t") UNION SELECT 1 ORDER BY "a")"},
        Row{"duckdb", "FROM t", R"(SELECT * FROM "t")"},
        Row{"duckdb", "SELECT list_transform([1,2], x -> x + 1), {'a': 1}.a",
            R"(SELECT list_transform([1, 2], ("x") -> ("x" + 1)), ({"a": 1})."a")"},
        Row{"duckdb", "SELECT * EXCLUDE (a) FROM t GROUP BY ALL ORDER BY ALL",
            R"(SELECT * EXCLUDE ("a") FROM "t" GROUP BY ALL ORDER BY ALL)"}));

TEST(Reader, RefusesWhatIsNoRead) {
  struct Case {
    std::string_view dialect, text;
    ErrorKind kind;
  };
  for (const Case& c : {
           Case{"postgres", "COMMIT; DROP TABLE orders", ErrorKind::NotARead},
           Case{"postgres", "SELECT 1; DELETE FROM orders", ErrorKind::NotARead},
           Case{"postgres", "WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x",
                ErrorKind::NotARead},
           Case{"postgres", "SELECT * INTO stolen FROM people", ErrorKind::NotARead},
           Case{"postgres", "EXPLAIN ANALYZE DELETE FROM orders", ErrorKind::NotARead},
           Case{"postgres", "EXPLAIN (ANALYZE) SELECT 1", ErrorKind::NotARead},
           Case{"postgres", "SELECT * FROM orders FOR UPDATE", ErrorKind::NotARead},
           Case{"postgres", "SELECT (SELECT 1 FROM t FOR UPDATE)", ErrorKind::NotARead},
           Case{"postgres", "SELECT 'people'::regclass", ErrorKind::NotARead},
           Case{"postgres", "SELECT * FROM ROWS FROM (pg_ls_dir('/etc'))", ErrorKind::NotARead},
           Case{"postgres", "SELECT 2 ^ @a FROM t", ErrorKind::NotARead},
           Case{"postgres", "(SELECT a FROM t LIMIT 3) ORDER BY b", ErrorKind::NotARead},
           Case{"mysql", "(SELECT a FROM t ORDER BY a) ORDER BY b", ErrorKind::NotARead},
           Case{"postgres", "SELECT 'a", ErrorKind::SqlSyntax},
           Case{"duckdb", "SELECT a.exists(b) FROM t", ErrorKind::SqlSyntax},
           Case{"duckdb", "SELECT [x FOR x, i IN a IF i > 1] FROM t", ErrorKind::SqlSyntax},
           Case{"mysql", "SELECT 1_000", ErrorKind::SqlSyntax},
           Case{"mysql", "/*!50000 DELETE FROM orders */", ErrorKind::NotARead},
           Case{"mysql", "SELECT 1 /*M!100000 INTO OUTFILE '/tmp/x' */", ErrorKind::NotARead},
           Case{"mysql", "SELECT * FROM people INTO OUTFILE '/tmp/x'", ErrorKind::NotARead},
           Case{"mysql", "SELECT @a:=1", ErrorKind::NotARead},
           Case{"mysql", "SHOW PROCESSLIST", ErrorKind::NotARead},
           Case{"sqlite", "PRAGMA query_only(0)", ErrorKind::NotARead},
           Case{"sqlite", "VACUUM INTO '/tmp/copy.db'", ErrorKind::NotARead},
           Case{"duckdb", "SELECT * FROM '/etc/passwd'", ErrorKind::NotARead},
           Case{"duckdb", "COPY (SELECT 1) TO '/tmp/x.csv'", ErrorKind::NotARead},
       })
    EXPECT_THAT(Read(c.text, *FindDialect(c.dialect)), IsError(c.kind)) << c.text;
}

// Else a column of that name is found by the engine and not by the guard.
TEST(Reader, TakesTheHeadOfALongNameAsPostgresDoes) {
  const std::string head(62, 'a');
  for (const std::string_view tail : {"b", "bcd", "bc\u00e9", "b\u00e9"}) {
    const std::string name = head + std::string(tail);
    EXPECT_EQ(PrintedOf("SELECT \"" + name + "\", " + name, Postgres()),
              "SELECT \"" + head + "b\", \"" + head + "b\"");
  }
  const std::string whole = head + "\u00e9";  // a character is not cut in two
  EXPECT_EQ(PrintedOf("SELECT " + whole, Postgres()), "SELECT \"" + head + "\"");
  EXPECT_EQ(PrintedOf("SELECT 1 AS " + whole, DuckDb()), "SELECT 1 AS \"" + whole + "\"");
}

TEST(Reader, DepthIsBounded) {
  for (const Dialect* dialect : {&Postgres(), &Sqlite(), &MySql(), &DuckDb()}) {
    std::string parens = "SELECT ", sum = "SELECT 1", nots = "SELECT ", selects = "SELECT ";
    for (int i = 0; i < 3'000; ++i) {
      parens += '(';
      sum += "+1";
      nots += "NOT ";
      selects += "(SELECT ";
    }
    EXPECT_THAT(Read(parens, *dialect), IsError(ErrorKind::SqlSyntax));
    EXPECT_THAT(Read(nots, *dialect), IsError(ErrorKind::SqlSyntax));
    EXPECT_THAT(Read(selects, *dialect), IsError(ErrorKind::SqlSyntax));
    const auto long_sum = Read(sum, *dialect);  // leans to the left: the printer bounds it
    ASSERT_THAT(long_sum, IsOk());
    EXPECT_THAT(Print(*long_sum, *dialect), IsError(ErrorKind::Internal));
  }
}

// Whatever word stands behind the dot, and whatever stands in the brackets, x.f() is refused or is
// a call that reads back as itself.
TEST(Reader, CallsThatFollowADotReadBack) {
  std::size_t read = 0;
  for (const std::string_view word :
       {"all",       "array",      "array_agg",   "cast",         "case",
        "columns",   "concat",     "count",       "current_date", "current_timestamp",
        "date",      "date_part",  "distinct",    "exists",       "extract",
        "filter",    "first",      "glob",        "if",           "interval",
        "isnull",    "left",       "like",        "list",         "list_transform",
        "localtime", "map",        "not",         "null",         "nullif",
        "overlay",   "position",   "replace",     "right",        "row",
        "select",    "string_agg", "struct_pack", "substr",       "substring",
        "sum",       "time",       "trim",        "true",         "try",
        "try_cast",  "unnest",     "upper",       "values",       "with"})
    for (const std::string_view inside :
         {"", "2", "b, 3", "*", "b AS INTEGER", "YEAR FROM b", "'x' FROM b", "DISTINCT b",
          "b ORDER BY c", "y -> y + 1", "b IN c", "SELECT 1", "BOTH FROM b", "VARIADIC b", "b := 1",
          "b FROM 1 FOR 2"})
      for (const std::string_view form :
           {"a.{}({})", "(a).{}({})", "t.a.\"{}\"({})", "[1].{}({})"}) {
        const std::string text = "SELECT " + fmt::format(fmt::runtime(form), word, inside);
        const std::string once = PrintedOf(text, DuckDb());
        if (once.starts_with("ERROR")) continue;
        ++read;
        EXPECT_EQ(PrintedOf(once, DuckDb()), once) << text;
      }
  EXPECT_GT(read, 500U);
}

// +1 is no place in the list of outputs, and to SQLite +x compares otherwise than x.
TEST(Reader, KeepsASignThatMeansSomething) {
  for (const Dialect* dialect : {&Postgres(), &MySql(), &Sqlite(), &DuckDb()})
    EXPECT_THAT(PrintedOf("SELECT a FROM t ORDER BY +1", *dialect), ::testing::HasSubstr("(+ 1)"));
  EXPECT_THAT(PrintedOf("SELECT a FROM t WHERE +b = '3.0'", Sqlite()),
              ::testing::HasSubstr("(+ \"b\")"));
  EXPECT_THAT(PrintedOf("SELECT +b FROM t", Postgres()), ::testing::Not(::testing::HasSubstr("+")));
}

TEST(Reader, ALambdaThatIsATextReadsBack) {
  for (const std::string_view text :
       {"SELECT ['s' FOR x IN [1]]", "SELECT list_transform([1], x -> 's')",
        "SELECT list_filter([1], (x) -> 's' = 'x')"}) {
    const std::string once = PrintedOf(text, DuckDb());
    EXPECT_THAT(once, ::testing::HasSubstr("(\"x\") -> ")) << text;
    EXPECT_EQ(PrintedOf(once, DuckDb()), once) << text;
  }
}

// What binds more strongly is each engine's own.
TEST(Reader, BindsOperatorsAsTheEngineDoes) {
  struct Case {
    const Dialect& dialect;
    std::string_view text, printed;
  };
  const Case cases[] = {
      {Sqlite(), "1 | 2 << 3", "((1 | 2) << 3)"},
      {Sqlite(), "1 & 2 | 3 & 4", "(((1 & 2) | 3) & 4)"},
      {Sqlite(), "a IS NULL || b", "(\"a\" IS (NULL || \"b\"))"},
      {Sqlite(), "a IS NOT NULL", "(\"a\" IS NOT NULL)"},
      {Sqlite(), "a IS TRUE AND b", "((\"a\" IS TRUE) AND \"b\")"},
      {Postgres(), "1 | 2 << 3", "((1 | 2) << 3)"},
      {Postgres(), "~ 2 - 1", "(~ (2 - 1))"},
      {Postgres(), "a IS DISTINCT FROM b = c", "(\"a\" IS DISTINCT FROM (\"b\" = \"c\"))"},
      {DuckDb(), "~ 2 * 3 | 4", "((~ (2 * 3)) | 4)"},
      {DuckDb(), "1 < 2 == b", "(1 < (2 = \"b\"))"},
      {DuckDb(), "1 + 1 == 2 AND b", "(((1 + 1) = 2) AND \"b\")"},
      {DuckDb(), "a IS NOT DISTINCT FROM b <= 1", "(\"a\" IS NOT DISTINCT FROM (\"b\" <= 1))"},
      {MySql(), "1 | 2 << 3", "(1 | (2 << 3))"},
      {MySql(), "1 | 2 & 3", "(1 | (2 & 3))"},
      {MySql(), "~ 2 - 1", "((~ 2) - 1)"}};
  for (const Case& one : cases)
    EXPECT_EQ(PrintedOf("SELECT " + std::string(one.text), one.dialect),
              "SELECT " + std::string(one.printed))
        << one.text;
}

// What does not fit in brackets is read once, and not twice at each level.
TEST(Reader, ReadsBracketsWithinBracketsInATimeThatEnds) {
  for (const Dialect* dialect : {&Postgres(), &Sqlite(), &MySql(), &DuckDb()})
    for (const std::string_view begin : {"SELECT ", "SELECT * FROM ", "SELECT INTERVAL "}) {
      std::string text(begin);
      for (int run = 0; run < 12; ++run) text += "(((SELECT (((VALUES ";
      EXPECT_FALSE(Read(text, *dialect)) << dialect->name;
    }
}

}  // namespace
}  // namespace schemaward::sql::query

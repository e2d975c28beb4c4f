#include "guard/guard.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/function_list.h"
#include "guard/test_tables.h"
#include "sql/samples.h"

namespace schemaward::guard {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<catalog::Table> Tables() {
  return {MakeTable("people", {"id", "city", "ssn", "card_number"}),
          MakeTable("orders", {"id", "person_id", "amount"})};
}

Result<Approved> Approve(const sql::Select& select) {
  return Guard(privacy::Policy()).ApproveTree(select, sql::Sqlite(), Tables(), Principal());
}

Result<Approved> ApproveText(std::string_view text) {
  const std::vector<catalog::Table> tables = Tables();
  TableList lookup(tables);
  return Guard(privacy::Policy())
      .ApproveText({text, {}}, sql::Sqlite(), lookup, Principal(), nullptr);
}

sql::Select Joined() {
  sql::Select select = sql::SampleSelect("main", "people", {"city"}, 3);
  select.joins.push_back(
      {sql::JoinKind::Inner, sql::TableRef{"main", "orders", "o"},
       sql::MakeBinary("=", sql::MakeColumn("o", "person_id"), sql::MakeColumn("t", "id"))});
  return select;
}

TEST(Guard, ApprovesASampleAndSaysWhatItReads) {
  auto approved = Approve(sql::SampleSelect("main", "people", {"city", "id"}, 5));
  ASSERT_THAT(approved, IsOk());
  EXPECT_EQ(approved->text(),
            R"(SELECT "t"."city" AS "city", "t"."id" AS "id" FROM "main"."people" AS "t" LIMIT 5)");
  EXPECT_EQ(&approved->dialect(), &sql::Sqlite());
  EXPECT_THAT(approved->reads(), ElementsAre(TableRead{"main", "people", {"city", "id"}}));
  EXPECT_THAT(approved->rules(),
              ElementsAre("one_read", "names_resolve", "personal_data", "tables_allowed",
                          "known_lineage", "listed_functions", "reads_back"));
}

TEST(Guard, ListsEveryTableOfAJoin) {
  auto approved = Approve(Joined());
  ASSERT_THAT(approved, IsOk());
  EXPECT_THAT(approved->reads(), ElementsAre(TableRead{"main", "orders", {"person_id"}},
                                             TableRead{"main", "people", {"city", "id"}}));
}

TEST(Guard, BindsValuesInsteadOfPrintingThem) {
  sql::Select select = sql::SampleSelect("main", "people", {"city"}, 3);
  select.where = sql::MakeBinary("=", sql::MakeColumn("t", "city"),
                                 sql::MakeLiteral({std::string("x' OR 1=1")}));
  auto approved = Approve(select);
  ASSERT_THAT(approved, IsOk());
  EXPECT_THAT(approved->text(), HasSubstr("= ?"));
  EXPECT_THAT(approved->parameters(), SizeIs(1));
}

TEST(Guard, RefusesNamesThatAreNotThere) {
  EXPECT_THAT(Approve(sql::SampleSelect("main", "persons", {"city"}, 1)),
              IsError(ErrorKind::SqlUnknownName, HasSubstr("persons")));
  EXPECT_THAT(Approve(sql::SampleSelect("other", "people", {"city"}, 1)),
              IsError(ErrorKind::SqlUnknownName));
  EXPECT_THAT(Approve(sql::SampleSelect("main", "people", {"nam"}, 1)),
              IsError(ErrorKind::SqlUnknownName, HasSubstr("t.nam")));
  EXPECT_THAT(Approve(sql::SampleSelect("main", "people", {"ctiy"}, 1)),
              IsError(ErrorKind::SqlUnknownName));
}

TEST(Guard, RefusesAnUnqualifiedColumnThatFitsTwoTables) {
  sql::Select select = Joined();
  select.columns.push_back({sql::MakeColumn("", "id"), "x"});
  EXPECT_THAT(Approve(select), IsError(ErrorKind::SqlUnknownName));
}

TEST(Guard, RefusesOneAliasForTwoTables) {
  sql::Select select = Joined();
  std::get<sql::TableRef>(select.joins.front().table).alias = "t";
  EXPECT_THAT(Approve(select), IsError(ErrorKind::SqlSyntax));
}

// A floor column is refused wherever it stands: each row puts it in another place.
TEST(Guard, RefusesFloorColumnsWhereverTheyStand) {
  const auto ssn = sql::MakeColumn("t", "ssn");
  sql::Select plain = sql::SampleSelect("main", "people", {"city"}, 1);
  sql::Select where = plain, order = plain, group = plain, call = plain, joined = Joined(),
              alias = plain;
  where.where = sql::MakeBinary("like", ssn, sql::MakeLiteral({std::string("1%")}));
  order.order_by.push_back({ssn, false});
  group.group_by.push_back(ssn);
  call.columns.push_back({sql::MakeCall({.function = "min", .arguments = {ssn}}), "m"});
  joined.joins.front().on = sql::MakeBinary("=", sql::MakeColumn("o", "amount"), ssn);
  alias.columns.push_back({ssn, "harmless"});
  struct Row {
    const char* name;
    sql::Select select;
  };
  for (const Row& row : {Row{"where", where}, Row{"order by", order}, Row{"group by", group},
                         Row{"call", call}, Row{"join", joined}, Row{"alias", alias}}) {
    auto refused = Approve(row.select);
    EXPECT_THAT(refused, IsError(ErrorKind::PiiBlocked, HasSubstr("main.people.ssn"))) << row.name;
    ASSERT_FALSE(refused) << row.name;
    EXPECT_THAT(refused.error().pii_categories(), ElementsAre("government_id")) << row.name;
  }
}

TEST(Guard, NamesByPlaceAreThoseOfTheCatalog) {
  struct Row {
    const char* text;
    const char* printed;
  };
  const Row rows[] = {
      {"SELECT b FROM people AS p(a, b, c)",
       R"(SELECT "b" FROM (SELECT NULL, "people"."city", NULL FROM "public"."people" AS "people") AS "p"("a", "b", "c"))"},
      {"SELECT p.city FROM ONLY people p(a)",
       R"(SELECT "p"."city" FROM (SELECT NULL, "people"."city" FROM ONLY "public"."people" AS "people") AS "p"("a"))"},
      {"SELECT count(*) FROM people AS p(a)",
       R"(SELECT pg_catalog.count(*) FROM (SELECT NULL FROM "public"."people" AS "people") AS "p"("a"))"}};
  const auto approve = [](std::string_view text) {
    return ApproveOver(text, sql::Postgres(),
                       {MakeTable("people", {"id", "city", "ssn"}, "public")}, privacy::Policy());
  };
  for (const Row& row : rows) {
    const auto approved = approve(row.text);
    ASSERT_THAT(approved, IsOk()) << row.text;
    EXPECT_EQ(approved->text(), row.printed);
  }
  EXPECT_THAT(approve("SELECT c FROM people AS p(a, b, c)"), IsError(ErrorKind::PiiBlocked));
  // A recursion's terms are read more than once.
  const auto again = approve(
      "WITH RECURSIVE r(n, b) AS (SELECT 1, 'x'::text UNION ALL SELECT r.n + 1, p.b::text FROM r "
      "JOIN "
      "people AS p(a, b) ON true WHERE r.n < 3) SELECT b FROM r");
  ASSERT_THAT(again, IsOk());
  EXPECT_THAT(again->text(), HasSubstr(R"(JOIN (SELECT NULL, "people"."city" FROM "public")"));
}

TEST(Guard, AGatherOfWhatTheStatementMakesIsBounded) {
  const auto approve = [](std::string_view text) {
    return ApproveOver(text, sql::Postgres(), {MakeTable("town", {"id", "city"}, "public")},
                       privacy::Policy());
  };
  for (const char* text :
       {"SELECT array_agg(repeat('x', 10000)) FROM generate_series(1, 1000000)",
        "SELECT string_agg(s, '') FROM (SELECT repeat('x', 10000) AS s FROM generate_series(1, "
        "1000000)) q",
        "SELECT id, jsonb_agg(lpad('x', 9000)) OVER () FROM town, generate_series(1, 100000)",
        "SELECT 1 FROM generate_series(1, 1000000) HAVING json_agg(repeat('x', 9999)) IS NULL",
        "SELECT ARRAY(SELECT repeat('x', 10000) FROM generate_series(1, 1000000))",
        "SELECT array_agg(repeat('x', 1000) || repeat('y', 1000)) FROM generate_series(1, 200000)",
        "SELECT array_agg(g) FROM generate_series(1, 10000) g, generate_series(1, 10000) h",
        "SELECT array_agg(g) FROM (SELECT generate_series(1, 10000) AS g, 1 FROM "
        "generate_series(1, 10000)) q",
        "WITH g AS (SELECT i FROM generate_series(1, 1000) i) SELECT array_agg(a.i) FROM g a, g b, "
        "g c",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 900000) SELECT "
        "array_agg(repeat('x', 10000)) FROM r",
        "SELECT array_agg((SELECT string_agg(repeat('x', 100), '') FROM generate_series(1, "
        "10000))) FROM generate_series(1, 10000)",
        "SELECT json_object_agg(d, repeat('x', 1000)) FROM generate_series('1900-01-01'::date, "
        "'2020-01-01'::date, '1 hour') d"})
    EXPECT_THAT(approve(text), IsError(ErrorKind::NotARead, HasSubstr("256 MB"))) << text;
  for (const char* text :
       {"SELECT array_agg(g) FROM generate_series(-9223372036854775807, 9223372036854775807) g",
        "SELECT array_agg(g) FROM generate_series(9223372036854775807, -9223372036854775807, -1) "
        "g"})
    EXPECT_THAT(approve(text), IsError(ErrorKind::NotARead, HasSubstr("generate_series"))) << text;
  for (const char* text :
       {"SELECT array_agg(g) FROM generate_series(1, 1000000) g",
        "SELECT string_agg(lpad(id::text, 10, '0'), ',') FROM town",
        "SELECT city, json_agg(d) FROM town, generate_series('2024-01-01'::date, "
        "'2025-12-31'::date, '1 day') d, generate_series(0, 23) h GROUP BY city",
        "SELECT count(*) FROM generate_series(1, 1000000) g, generate_series(1, 1000000) h",
        "SELECT d, ARRAY(SELECT id FROM town WHERE city = d::text) FROM "
        "generate_series('2024-01-01'::date, '2025-12-31'::date, '1 day') d",
        "WITH RECURSIVE r(id, path) AS (SELECT id, ARRAY[id] FROM town UNION ALL SELECT t.id, "
        "r.path || t.id FROM r JOIN town t ON t.city = r.id::text) SELECT array_agg(path) FROM r",
        "SELECT array_agg(s) FROM (SELECT repeat('x', 10000) AS s FROM generate_series(1, 1000000) "
        "LIMIT 100) q"})
    EXPECT_THAT(approve(text), IsOk()) << text;
}

TEST(Guard, NamesEveryBlockedCategoryOnce) {
  auto refused = Approve(sql::SampleSelect("main", "people", {"ssn", "card_number", "city"}, 1));
  ASSERT_THAT(refused, IsError(ErrorKind::PiiBlocked));
  EXPECT_THAT(refused.error().pii_categories(), ElementsAre("government_id", "payment_card"));
}

TEST(Guard, ValuesOfPostgresGrowByAFewFunctionsOnly) {
  const auto approve = [](std::string_view text) {
    return ApproveOver(text, sql::Postgres(), {MakeTable("town", {"id", "city"}, "public")},
                       privacy::Policy());
  };
  std::string quoted = "'x'", nested = "city";
  for (int i = 0; i < 11; ++i) quoted = "quote_literal(" + quoted + ")";
  for (int i = 0; i < 10; ++i) nested = "json_build_object('a', " + nested + ")";
  for (const std::string& value :
       {quoted,
        std::string("array_to_string(string_to_array(repeat('x', 10000), NULL), 'ab' || "
                    "repeat('y', 10000))"),
        std::string("array_to_string(ARRAY['a', 'b'], repeat('y', 10000))"),
        std::string("jsonb_pretty((repeat('[', 5000) || repeat(']', 5000))::jsonb)"),
        std::string("ts_headline('simple', repeat('x ', 5000), to_tsquery('x'), 'StartSel=a')"),
        "encode(" + nested + "::text::bytea, 'escape')"})
    EXPECT_THAT(approve("SELECT " + value + " FROM town"),
                IsError(ErrorKind::NotARead, HasSubstr("nests functions")))
        << value;
  for (const std::string& value :
       {nested,
        std::string("array_to_string(array_agg(replace(replace(city, 'a', 'b'), 'c', 'd')), "
                    "', ')"),
        std::string("jsonb_pretty(jsonb_agg(to_jsonb(city)))"),
        std::string("array_to_string(string_to_array(repeat('x', 1000), NULL), ',')"),
        std::string("quote_literal(encode(sha256(city::bytea), 'hex'))")})
    EXPECT_THAT(approve("SELECT " + value + " FROM town"), IsOk()) << value;
}

TEST(Guard, ARowAsAWholeIsWhatTheCatalogKnowsOfIt) {
  const std::vector<catalog::Table> tables = {MakeTable("town", {"id", "city"}, "public")};
  const auto printed = [&](std::string_view text, const sql::Dialect& dialect) {
    const auto approved = ApproveOver(text, dialect, tables, privacy::Policy());
    return approved ? std::string(approved->text()) : approved.error().message();
  };
  EXPECT_EQ(
      printed("SELECT row_to_json(t) FROM town t", sql::Postgres()),
      R"(SELECT pg_catalog.row_to_json("t") FROM (SELECT "town"."id", "town"."city" FROM "public"."town" AS "town") AS "t"("id", "city"))");
  EXPECT_EQ(
      printed("SELECT t::text FROM town AS t(a)", sql::Postgres()),
      R"(SELECT CAST("t" AS TEXT) FROM (SELECT "town"."id", "town"."city" FROM "public"."town" AS "town") AS "t"("a", "city"))");
  EXPECT_EQ(printed("SELECT (SELECT town::text) FROM town", sql::Postgres()),
            R"(SELECT (SELECT CAST("town" AS TEXT)) FROM (SELECT "town"."id", "town"."city" FROM )"
            R"("public"."town" AS "town") AS "town"("id", "city"))");
  EXPECT_THAT(printed("SELECT (t).city FROM town t", sql::Postgres()),
              HasSubstr(R"(FROM "public"."town" AS "t")"));
}

TEST(Guard, WhereATableOfSQLiteBeginsIsNotRead) {
  const auto approve = [](std::string_view text) {
    return ApproveOver(text, sql::Sqlite(), {}, privacy::Policy());
  };
  for (const char* text : {"SELECT rootpage FROM sqlite_master",
                           "SELECT name FROM sqlite_schema m ORDER BY m.RootPage",
                           "SELECT 1 FROM sqlite_master a JOIN sqlite_master b USING (rootpage)"})
    EXPECT_THAT(approve(text), IsError(ErrorKind::NotARead, HasSubstr("tells of values"))) << text;
  const auto all = approve("SELECT m.* FROM sqlite_master m");
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(all->text(),
            R"(SELECT "m"."type" AS "type", "m"."name" AS "name", "m"."tbl_name" AS "tbl_name", )"
            R"(NULL AS "rootpage", "m"."sql" AS "sql" FROM "sqlite_master" AS "m")");
}

TEST(Guard, LetsAnAliasOfTheOutputOrderTheRows) {
  sql::Select select = sql::SampleSelect("main", "people", {}, 1);
  select.columns.push_back(
      {sql::MakeCall({.function = "count", .arguments = {}, .star = true}), "n"});
  select.order_by.push_back({sql::MakeColumn("", "n"), true});
  EXPECT_THAT(Approve(select), IsOk());
  select.order_by.front().expression = sql::MakeColumn("", "m");
  EXPECT_THAT(Approve(select), IsError(ErrorKind::SqlUnknownName));
}

// By a name that two columns have a star could name the first alone.
TEST(Guard, AStarNamesColumnsThatAreCalledAlike) {
  const auto printed = [](const char* text, const sql::Dialect& dialect) {
    const auto approved =
        ApproveOver(text, dialect, {MakeTable("t", {"id", "a"}, dialect.default_schema)});
    return approved ? approved->text() : approved.error().ToLogText();
  };
  const char* const join =
      "SELECT * FROM (SELECT d.id, e.id, e.a FROM t d JOIN t e ON d.a = e.a) b";
  EXPECT_EQ(
      printed(join, sql::Sqlite()),
      R"(SELECT "b"."id", "b"."id:1", "b"."a" FROM (SELECT "d"."id", "e"."id" AS "id:1", )"
      R"("e"."a" FROM "main"."t" AS "d" JOIN "main"."t" AS "e" ON ("d"."a" = "e"."a")) AS "b")");
  EXPECT_EQ(
      printed(join, sql::DuckDb()),
      R"(SELECT "b"."id", "b"."id_1", "b"."a" FROM (SELECT "d"."id", "e"."id" AS "id_1", )"
      R"("e"."a" FROM "main"."t" AS "d" JOIN "main"."t" AS "e" ON ("d"."a" = "e"."a")) AS "b")");
  EXPECT_THAT(printed(join, sql::Postgres()),
              HasSubstr(R"(SELECT "b"."id_1", "b"."id_2", "b"."a")"));
  EXPECT_THAT(printed("WITH b AS (SELECT d.*, e.* FROM t d, t e) SELECT * FROM b", sql::DuckDb()),
              HasSubstr(R"(SELECT "b"."id", "b"."a", "b"."id_1", "b"."a_1")"));
  EXPECT_THAT(ApproveOver("SELECT b.id FROM (SELECT d.id, e.id FROM t d, t e) b", sql::Postgres(),
                          {MakeTable("t", {"id"}, "public")}),
              IsError(ErrorKind::SqlUnknownName));
}

TEST(Guard, SaysWhatToDoAboutWhatIsNotRead) {
  struct Row {
    const char* text;
    const char* hint;
  };
  for (const Row& row : {Row{"DELETE FROM people", "This connection only reads"},
                         Row{"SELECT id FROM people FOR UPDATE", "This connection only reads"},
                         Row{"SELECT pg_sleep(1)", "Only listed functions"},
                         Row{"SELECT '1'::money", "Only listed functions"},
                         Row{"SELECT id::mood FROM people", "Only listed functions"},
                         Row{"SHOW work_mem", "A select over the engine's own views"},
                         Row{"SELECT 1; SELECT 2", "Give one statement at a time"}}) {
    const auto approved = ApproveOver(row.text, sql::Postgres(), {MakeTable("people", {"id"})});
    ASSERT_THAT(approved, IsError(ErrorKind::NotARead)) << row.text;
    EXPECT_THAT(approved.error().hint(), ::testing::StartsWith(row.hint)) << row.text;
  }
}

TEST(Guard, RefusesFunctionsThatAreNotListed) {
  sql::Select select = sql::SampleSelect("main", "people", {"city"}, 1);
  select.columns.push_back(
      {sql::MakeCall({.function = "load_extension", .arguments = {sql::MakeColumn("t", "city")}}),
       "x"});
  EXPECT_THAT(Approve(select), IsError(ErrorKind::NotARead, HasSubstr("load_extension")));
  for (const sql::Dialect* dialect :
       {&sql::Postgres(), &sql::Sqlite(), &sql::MySql(), &sql::DuckDb()}) {
    for (const char* name :
         {"pg_sleep", "sleep", "benchmark", "randomblob", "zeroblob", "load_file", "read_csv",
          "set_config", "current_setting", "nextval", "dblink", "query_to_xml", "pg_read_file",
          "getenv", "load_extension", "fts3_tokenizer", "lo_import", "get_lock", ""})
      EXPECT_EQ(FindFunction(*dialect, name), nullptr) << dialect->name << " " << name;
    for (const char* name : {"abs", "COUNT", "sum", "upper", "coalesce", "row_number"})
      EXPECT_NE(FindFunction(*dialect, name), nullptr) << dialect->name << " " << name;
  }
}

TEST(Guard, RefusesViewsWhoseColumnsMayHaveOtherNames) {
  std::vector<catalog::Table> tables = Tables();
  tables[0].kind = catalog::TableKind::View;
  EXPECT_THAT(Guard(privacy::Policy())
                  .ApproveTree(sql::SampleSelect("main", "people", {"city"}, 1), sql::Sqlite(),
                               tables, Principal()),
              IsError(ErrorKind::PolicyBlocked, HasSubstr("main.people")));
}

sql::SelectPtr Shared(sql::Select select) {
  return std::make_shared<const sql::Select>(std::move(select));
}

// SELECT t.`column` AS "x" FROM people AS t.
sql::Select OnlyColumn(const char* column) {
  sql::Select select;
  select.columns.push_back({sql::MakeColumn("t", column), "x"});
  select.from = sql::TableRef{"main", "people", "t"};
  return select;
}

// SELECT d.x FROM (select) AS d.
sql::Select Over(sql::Select select) {
  sql::Select outer;
  outer.columns.push_back({sql::MakeColumn("d", "x"), "x"});
  outer.from = sql::DerivedTable{Shared(std::move(select)), "d"};
  return outer;
}

sql::Select WithCommon(sql::Select common) {
  sql::Select outer;
  outer.with.push_back({"c", Shared(std::move(common))});
  outer.columns.push_back({sql::MakeColumn("c", "x"), "y"});
  outer.from = sql::CteRef{"c", ""};
  return outer;
}

sql::Select WithExists(sql::ExpressionPtr condition) {
  sql::Select inner;
  inner.columns.push_back({sql::MakeColumn("o", "id"), "id"});
  inner.from = sql::TableRef{"main", "orders", "o"};
  inner.where = std::move(condition);
  sql::Select outer = OnlyColumn("city");
  outer.where = sql::Make({sql::Exists{Shared(std::move(inner)), false}});
  return outer;
}

TEST(Guard, FindsWhatIsReadInsideNestedSelects) {
  auto approved = Approve(Over(WithExists(
      sql::MakeBinary("=", sql::MakeColumn("o", "person_id"), sql::MakeColumn("t", "id")))));
  ASSERT_THAT(approved, IsOk());
  EXPECT_THAT(approved->reads(), ElementsAre(TableRead{"main", "orders", {"id", "person_id"}},
                                             TableRead{"main", "people", {"city", "id"}}));
  EXPECT_THAT(Approve(WithCommon(OnlyColumn("city"))), IsOk());
}

TEST(Guard, RefusesFloorColumnsInsideNestedSelects) {
  const auto ssn = sql::MakeColumn("t", "ssn");
  const auto as_x = [](sql::ExpressionPtr expression) {
    sql::Select select = OnlyColumn("city");
    select.columns.front().expression = std::move(expression);
    return select;
  };
  sql::Select in_union = OnlyColumn("city");
  in_union.union_all.push_back(Shared(OnlyColumn("ssn")));
  sql::Select ordered = OnlyColumn("city");
  ordered.order_by.push_back({ssn, false, false});
  sql::Select having = OnlyColumn("city");
  having.having = sql::MakeUnary("is null", ssn);
  sql::Select joined = OnlyColumn("city");
  joined.joins.push_back(
      {sql::JoinKind::Cross, sql::DerivedTable{Shared(OnlyColumn("ssn")), "d"}, nullptr});
  const sql::Call row_number{.function = "row_number", .arguments = {}};
  sql::TimeBucket bucket;
  bucket.operand = ssn;
  struct Row {
    const char* name;
    sql::Select select;
  };
  for (const Row& row : {
           Row{"derived", Over(OnlyColumn("ssn"))},
           Row{"derived twice", Over(Over(OnlyColumn("ssn")))},
           Row{"common", WithCommon(OnlyColumn("ssn"))},
           Row{"union", in_union},
           Row{"exists", WithExists(sql::MakeBinary("=", sql::MakeColumn("o", "id"), ssn))},
           Row{"join", joined},
           Row{"order", ordered},
           Row{"having", having},
           Row{"partition", as_x(sql::Make({sql::Window{row_number, {ssn}, {}}}))},
           Row{"window order", as_x(sql::Make({sql::Window{row_number, {}, {{ssn, true}}}}))},
           Row{"percentile", as_x(sql::Make({sql::Percentile{ssn, 0.5}}))},
           Row{"text match", as_x(sql::Make({sql::TextMatch{ssn, "1", true}}))},
           Row{"bucket", as_x(sql::Make({bucket}))},
           Row{"comparable", as_x(sql::Make({sql::Comparable{ssn}}))},
           Row{"cast", as_x(sql::Make({sql::Cast{ssn, sql::CastType::Text}}))},
           Row{"ratio", as_x(sql::Make({sql::Ratio{sql::MakeColumn("t", "id"), ssn}}))},
           Row{"case", as_x(sql::Make({sql::Case{{{sql::MakeUnary("is null", ssn), ssn}}, {}}}))},
           Row{"in", as_x(sql::Make({sql::InList{sql::MakeColumn("t", "id"), {ssn}, false}}))},
       })
    EXPECT_THAT(Approve(row.select), IsError(ErrorKind::PiiBlocked, HasSubstr("main.people.ssn")))
        << row.name;
}

TEST(Guard, KeepsScopesApart) {
  sql::Select beside = Over(OnlyColumn("city"));
  beside.joins.push_back({sql::JoinKind::Cross, sql::TableRef{"main", "orders", "o"}, nullptr});
  auto correlated = OnlyColumn("city");
  correlated.where = sql::MakeUnary("is null", sql::MakeColumn("o", "id"));
  sql::Select sees_beside = beside;
  sees_beside.from = sql::DerivedTable{Shared(correlated), "d"};
  sql::Select inner_name = Over(OnlyColumn("city"));
  inner_name.columns.front().expression = sql::MakeColumn("t", "city");
  sql::Select no_output = Over(OnlyColumn("city"));
  no_output.columns.front().expression = sql::MakeColumn("d", "city");
  sql::Select no_common = WithCommon(OnlyColumn("city"));
  no_common.with.clear();
  sql::Select later = WithCommon(OnlyColumn("city"));
  sql::Select from_later = OnlyColumn("city");
  from_later.from = sql::CteRef{"c", "t"};
  later.with.insert(later.with.begin(), {"b", Shared(from_later)});
  EXPECT_THAT(Approve(beside), IsOk());
  struct Row {
    const char* name;
    sql::Select select;
  };
  for (const Row& row : {
           Row{"a derived table sees nothing beside it", sees_beside},
           Row{"a derived table's own tables are hidden", inner_name},
           Row{"a derived table shows its aliases only", no_output},
           Row{"a common table must be there", no_common},
           Row{"a common table sees those before it only", later},
           Row{"exists: a table that is nowhere",
               WithExists(sql::MakeUnary("is null", sql::MakeColumn("z", "id")))},
           Row{"exists: a column that is hidden",
               WithExists(sql::MakeUnary("is null", sql::MakeColumn("o", "city")))},
       })
    EXPECT_THAT(Approve(row.select), IsError(ErrorKind::SqlUnknownName)) << row.name;
}

TEST(Guard, RefusesUnlistedFunctionsInsideNestedSelects) {
  const sql::Call sleep{.function = "pg_sleep", .arguments = {}};
  sql::Select call = OnlyColumn("city");
  call.columns.front().expression = sql::MakeCall(sleep);
  sql::Select window = OnlyColumn("city");
  window.columns.front().expression = sql::Make({sql::Window{sleep, {}, {}}});
  sql::Select rank = OnlyColumn("city");
  rank.columns.front().expression = sql::MakeCall({.function = "rank", .arguments = {}});
  for (const sql::Select& select : {call, window, rank})
    EXPECT_THAT(Approve(Over(select)), IsError(ErrorKind::NotARead));
  // Ours are for our own statements.
  sql::Select own = OnlyColumn("city");
  own.columns.front().expression = sql::MakeCall({.function = "ward_micros", .arguments = {}});
  EXPECT_THAT(Approve(Over(own)), IsOk());
  EXPECT_THAT(ApproveText("SELECT ward_micros(city, 1) FROM people"), IsError(ErrorKind::NotARead));
}

TEST(Guard, RefusesAStarThatLeavesEveryColumnOut) {
  const std::vector<catalog::Table> tables = Tables();
  TableList lookup(tables);
  const auto approve = [&](std::string_view text) {
    return Guard(privacy::Policy()).ApproveText({text, {}}, sql::DuckDb(), lookup, {}, nullptr);
  };
  EXPECT_THAT(approve("SELECT * EXCLUDE (id) FROM (SELECT id FROM orders) AS o"),
              IsError(ErrorKind::SqlSyntax, HasSubstr("* stands for none")));
  EXPECT_THAT(approve("SELECT * EXCLUDE (id), 1 FROM (SELECT id FROM orders) AS o"), IsOk());
}

TEST(Guard, BoundsNestedSelects) {
  sql::Select select = OnlyColumn("city");
  for (int i = 0; i < 200; ++i) select = Over(std::move(select));
  EXPECT_THAT(Approve(select), IsError(ErrorKind::Internal));
}

TEST(Guard, BoundsDepth) {
  sql::Select select = sql::SampleSelect("main", "people", {"city"}, 1);
  select.where = sql::MakeColumn("t", "id");
  for (int i = 0; i < 200; ++i) select.where = sql::MakeUnary("not", select.where);
  EXPECT_THAT(Approve(select), IsError(ErrorKind::Internal));
}

// What a policy asks for, over people(id, city, ssn, email, diagnosis), on every dialect.
class Policed {
 public:
  explicit Policed(const sql::Dialect& dialect) : dialect_(dialect) {
    privacy::PolicyData data;
    data.first.profile = privacy::Profile::Dev;
    privacy::Allowance groups;
    groups.aggregate = true;
    groups.group_min = 20;
    data.first.categories[static_cast<std::size_t>(privacy::Category::Health)] = groups;
    data.everyone.row_filters = {{"orders", "amount > 10 AND region = '${claims.region}'"}};
    policy_ = privacy::Policy(std::move(data));
    tables_ = {MakeTable("people", {"id", "city", "ssn", "email", "diagnosis"}),
               MakeTable("orders", {"id", "person_id", "amount", "region"})};
    for (catalog::Table& table : tables_)
      for (catalog::Column& column : table.columns) column.type = "text";
  }
  Result<Approved> operator()(std::string_view text, TextHelp* help = nullptr,
                              std::vector<sql::Literal> parameters = {}) const {
    TableList lookup(tables_);
    Principal principal;
    principal.claims["region"] = "north";
    return Guard(policy_).ApproveText({text, std::move(parameters)}, dialect_, lookup, principal,
                                      help);
  }
  std::string Rewritten(std::string_view text, std::vector<sql::Literal> parameters = {}) const {
    TextHelp help;
    const auto refused = (*this)(text, &help, std::move(parameters));
    if (refused || refused.error().kind() != ErrorKind::PiiBlocked) return "not pii_blocked";
    return help.rewritten.value_or("");
  }

 private:
  const sql::Dialect& dialect_;
  privacy::Policy policy_;
  std::vector<catalog::Table> tables_;
};

// Masks, groups and filters are put on the tree, and what is printed reads back as itself.
TEST(Guard, PutsWhatThePolicyAsksForIntoTheStatement) {
  for (const sql::Dialect* dialect :
       {&sql::Sqlite(), &sql::Postgres(), &sql::MySql(), &sql::DuckDb()}) {
    const Policed policed(*dialect);
    const auto masked = policed("SELECT id, email FROM people");
    ASSERT_THAT(masked, IsOk()) << dialect->name;
    EXPECT_THAT(masked->masked(), ElementsAre("email"));
    EXPECT_THAT(masked->text(), HasSubstr("IS NOT NULL) THEN '***' END"));
    const auto grouped = policed("SELECT city, count(diagnosis) FROM people GROUP BY city");
    ASSERT_THAT(grouped, IsOk()) << dialect->name;
    EXPECT_THAT(grouped->text(), MatchesRegex(".*diagnosis.\\) >= 20\\)"));
    const auto filtered = policed("SELECT o.id FROM orders o");
    ASSERT_THAT(filtered, IsOk()) << dialect->name;
    EXPECT_THAT(filtered->text(), HasSubstr("'north'"));
  }
}

// Where names are hidden nothing that the server put on a statement is shown by its name; what the
// caller wrote is.
TEST(Guard, ShowsNoHiddenNameThatTheCallerDidNotWrite) {
  catalog::Table people = MakeTable("people", {"id", "email", "city"});
  catalog::Index& index = people.indexes.emplace_back();
  index.name = "by_email";
  index.columns = {"email"};
  const std::vector<catalog::Table> tables = {people};
  privacy::PolicyData data;
  data.first.profile = privacy::Profile::Strict;
  data.first.categories[static_cast<std::size_t>(privacy::Category::Contact)] = {.masked = true};
  const privacy::Policy masks(data);
  data.everyone.row_filters = {{"people", "email > 'm'"}};
  const privacy::Policy filters(data);
  data.first.hide_names = false;
  data.first.profile = privacy::Profile::Team;
  const privacy::Policy shows(data);
  for (const sql::Dialect* dialect :
       {&sql::Sqlite(), &sql::Postgres(), &sql::MySql(), &sql::DuckDb()}) {
    const std::string_view text = "SELECT id FROM people";
    const auto hinted = ApproveOver(text, *dialect, tables, masks);
    ASSERT_THAT(hinted, IsOk()) << dialect->name;
    EXPECT_THAT(hinted->rules(), Contains("hidden_names"));
    EXPECT_THAT(hinted->shown_text(), Not(HasSubstr("email"))) << dialect->name;
    const auto filtered = ApproveOver(text, *dialect, tables, filters);
    ASSERT_THAT(filtered, IsOk()) << dialect->name;
    EXPECT_THAT(filtered->text(), HasSubstr("email"));
    EXPECT_EQ(filtered->shown_text(), text) << dialect->name;
    EXPECT_EQ(filtered->reads(), (std::vector<TableRead>{{"main", "people", {"email", "id"}}}));
    EXPECT_EQ(filtered->shown_reads(),
              (std::vector<TableRead>{{"main", "people", {"hidden_2", "id"}}}));
    const auto star = ApproveOver("SELECT * FROM people", *dialect, tables, masks);
    ASSERT_THAT(star, IsOk()) << dialect->name;
    EXPECT_EQ(star->shown_text(), "SELECT * FROM people");
    EXPECT_THAT(star->masked(), ElementsAre("hidden_2"));
    const auto named = ApproveOver("SELECT id, email FROM people", *dialect, tables, masks);
    ASSERT_THAT(named, IsOk()) << dialect->name;
    EXPECT_THAT(named->masked(), ElementsAre("email"));
    EXPECT_THAT(named->shown_reads(), ElementsAre(TableRead{"main", "people", {"email", "id"}}));
    const auto shown = ApproveOver(text, *dialect, tables, shows);
    ASSERT_THAT(shown, IsOk()) << dialect->name;
    EXPECT_EQ(shown->shown_text(), shown->text());
    EXPECT_THAT(shown->rules(), Not(Contains("hidden_names")));
  }
}

// However deep it stands and however often: each place that reads the table reads what is left of
// it.
TEST(Guard, FiltersRowsWhereverATableIsRead) {
  struct Row {
    const char* text;
    std::size_t places;  ///< that read the table
  };
  const Row rows[] = {
      {"SELECT id FROM people", 0},
      {"SELECT o.id FROM people p LEFT JOIN orders o ON o.person_id = p.id", 1},
      {"SELECT city, (SELECT count(*) FROM orders) FROM people", 1},
      {"SELECT id FROM people WHERE id IN (SELECT person_id FROM orders)", 1},
      {"SELECT id FROM orders UNION ALL SELECT id FROM orders", 2},
      {"WITH o AS (SELECT id FROM orders) SELECT a.id FROM o a JOIN o b ON a.id = b.id", 1},
      {"WITH RECURSIVE up(id) AS (SELECT id FROM orders UNION ALL SELECT o.person_id FROM up JOIN "
       "orders o ON o.id = up.id) SELECT id FROM up",
       2},
      {"WITH RECURSIVE up(id) AS (SELECT id FROM people UNION ALL SELECT o.person_id FROM up JOIN "
       "orders o ON o.id = up.id) SELECT up.id FROM up JOIN orders ON orders.id = up.id",
       2},
  };
  for (const sql::Dialect* dialect :
       {&sql::Sqlite(), &sql::Postgres(), &sql::MySql(), &sql::DuckDb()})
    for (const Row& row : rows) {
      const auto approved = Policed(*dialect)(row.text);
      ASSERT_THAT(approved, IsOk()) << dialect->name << ": " << row.text;
      std::size_t places = 0;
      const std::string& text = approved->text();
      for (auto at = text.find("'north'"); at != std::string::npos;
           at = text.find("'north'", at + 1))
        ++places;
      EXPECT_EQ(places, row.places) << text;
    }
}

// A condition that can fail is tried on no row that a filter hides: engines move none past a limit.
// What cannot fail keeps its index.
TEST(Guard, KeepsConditionsThatCanFailBehindRowFilters) {
  struct Row {
    const char* condition;
    bool is_fenced;
  };
  const Row rows[] = {
      {"id = 7", false},
      {"id IN (1, 2) AND NOT (region IS NULL OR person_id BETWEEN 1 AND 9)", false},
      {"id = (SELECT max(person_id) FROM orders)", true},
      {"1 / amount > 0", true},
      {"amount + 1 > 0", true},
      {"CAST(region AS integer) = 1", true},
      {"length(region) > 1", true},
      {"region LIKE 'n%'", true},
      {"CASE WHEN id = 7 THEN 1 / amount ELSE 1 END = 1", true},
  };
  for (const sql::Dialect* dialect :
       {&sql::Sqlite(), &sql::Postgres(), &sql::MySql(), &sql::DuckDb()})
    for (const Row& row : rows) {
      std::string condition = row.condition;
      if (dialect == &sql::MySql())
        if (const auto at = condition.find("AS integer"); at != std::string::npos)
          condition.replace(at, 10, "AS signed");
      const auto approved = Policed(*dialect)("SELECT id FROM orders WHERE " + condition);
      ASSERT_THAT(approved, IsOk()) << dialect->name << ": " << condition;
      const bool is_fenced =
          approved->text().find("LIMIT 9223372036854775807)") != std::string::npos;
      EXPECT_EQ(is_fenced, row.is_fenced || dialect == &sql::DuckDb()) << approved->text();
      const auto elsewhere =
          Policed(*dialect)("SELECT id FROM people WHERE " + std::string("id = 7"));
      EXPECT_THAT(elsewhere->text(), ::testing::Not(HasSubstr("LIMIT")));
    }
}

// What holds for a row alone and cannot fail is tried before the limit too, so that an index
// serves.
TEST(Guard, RepeatsConditionsThatCannotFailWithinRowFilters) {
  struct Row {
    const char* text;
    const char* inside;  ///< behind the filter's condition, in the select that the limit ends
  };
  const Row rows[] = {
      {"SELECT id FROM orders WHERE id = 7 AND length(region) > 1",
       R"(AND ("orders"."id" = 7)) LIMIT)"},
      {"SELECT o.id FROM people p LEFT JOIN orders o ON o.person_id = p.id WHERE o.id IN (1, 2) "
       "AND "
       "1 / o.amount > 0",
       R"(AND ("orders"."id" IN (1, 2))) LIMIT)"},
      {"SELECT id FROM orders WHERE (id > 1 AND id <= 9) AND length(region) > 1",
       R"(("region" = 'north')) AND ("orders"."id" > 1)) AND ("orders"."id" <= 9)) LIMIT)"},
      // Of another table, of either, of none, of NULL, or such as can fail.
      {"SELECT o.id FROM people p JOIN orders o ON o.person_id = p.id WHERE p.id = 7 AND 1 / "
       "o.amount "
       "> 0",
       R"(("region" = 'north')) LIMIT)"},
      {"SELECT id FROM orders WHERE id = 7 OR length(region) > 1",
       R"(("region" = 'north')) LIMIT)"},
      {"SELECT id FROM orders WHERE NOT (id = 7) AND length(region) > 1",
       R"(("region" = 'north')) LIMIT)"},
      {"SELECT id FROM orders WHERE id IS NULL AND length(region) > 1",
       R"(("region" = 'north')) LIMIT)"},
      {"SELECT id FROM orders WHERE id = person_id AND length(region) > 1",
       R"(("region" = 'north')) LIMIT)"},
      {"SELECT id FROM orders WHERE id = (SELECT 1) AND length(region) > 1",
       R"(("region" = 'north')) LIMIT)"},
  };
  for (const sql::Dialect* dialect : {&sql::Sqlite(), &sql::Postgres(), &sql::MySql()})
    for (const Row& row : rows) {
      const auto approved = Policed(*dialect)(row.text);
      ASSERT_THAT(approved, IsOk()) << dialect->name << ": " << row.text;
      std::string inside = row.inside;
      if (dialect == &sql::MySql()) std::replace(inside.begin(), inside.end(), '"', '`');
      EXPECT_THAT(approved->text(), HasSubstr(inside)) << dialect->name;
    }
}

// COVERS: R-REC-1
TEST(Guard, RewritesByLeavingOutWhatIsPersonal) {
  struct Row {
    const char* name;
    const char* text;
    const char* rewritten;  ///< empty: there is none
  };
  const Row rows[] = {
      {"a column", "SELECT id, ssn FROM people", R"(SELECT "id" FROM)"},
      {"a masked one stays", "SELECT id, email, ssn FROM people", R"(SELECT "id", "email" FROM)"},
      {"nothing left", "SELECT DISTINCT ssn FROM people ORDER BY 1", "SELECT count(*) FROM"},
      {"a star", "SELECT p.* FROM people p JOIN orders o ON o.person_id = p.id",
       R"(SELECT "p"."id", "p"."city", "p"."email" FROM)"},
      {"an expression", "SELECT id, upper(ssn) || city AS x FROM people ORDER BY x, 1",
       "ORDER BY 1"},
      {"an order", "SELECT id FROM people ORDER BY ssn, id", "ORDER BY"},
      {"the only order, and ties by it",
       "SELECT id FROM people ORDER BY ssn FETCH FIRST 1 ROWS WITH TIES", R"("people" LIMIT 1)"},
      {"an order, and ties by the rest",
       "SELECT id FROM people ORDER BY ssn, id FETCH FIRST 1 ROWS WITH TIES", "ROWS WITH TIES"},
      {"numbers move", "SELECT ssn, id, city FROM people ORDER BY 3, 2", "ORDER BY 2, 1"},
      {"a group", "SELECT ssn, city, count(*) FROM people GROUP BY 1, 2", "GROUP BY 1"},
      {"the only group", "SELECT ssn, count(*) FROM people GROUP BY ssn HAVING count(*) > 1",
       "SELECT count(*) FROM"},
      {"a window", "SELECT id, row_number() OVER (PARTITION BY ssn) FROM people",
       R"(SELECT "id" FROM)"},
      {"an aggregate", "SELECT city, count(DISTINCT ssn) FROM people GROUP BY city",
       R"(SELECT "city" FROM)"},
      {"a derived table", "SELECT x.i, x.s FROM (SELECT id, ssn FROM people) AS x(i, s)",
       R"(SELECT "x"."i" FROM (SELECT "id" FROM)"},
      {"a common table", "WITH c(s, i) AS (SELECT ssn, id FROM people) SELECT * FROM c",
       R"(SELECT "c"."i" FROM "c")"},
      {"a set operation", "SELECT id, ssn FROM people UNION SELECT id, region FROM orders",
       R"(UNION SELECT "id" FROM)"},
      {"a select in an expression", "SELECT id, (SELECT max(ssn) FROM people) AS m FROM orders",
       R"(SELECT "id" FROM)"},
      {"a condition", "SELECT id FROM people WHERE ssn = '1'", ""},
      {"a condition's select", "SELECT id FROM orders WHERE id IN (SELECT ssn FROM people)", ""},
      {"a join", "SELECT o.id FROM orders o JOIN people p ON p.ssn = o.region", ""},
  };
  const Policed postgres(sql::Postgres());
  for (const Row& row : rows) {
    std::string rewritten = postgres.Rewritten(row.text);
    if (const auto at = rewritten.find("pg_catalog."); at != std::string::npos)
      rewritten.erase(at, 11);
    if (*row.rewritten == 0)
      EXPECT_EQ(rewritten, "") << row.name;
    else
      EXPECT_THAT(rewritten, HasSubstr(row.rewritten)) << row.name;
    EXPECT_THAT(rewritten, ::testing::Not(HasSubstr("ssn"))) << row.name;
  }
}

TEST(Guard, RewritesKeepTheValuesOfPlaceholders) {
  const Policed policed(sql::Sqlite());
  const sql::Literal value{std::string("x")};
  EXPECT_THAT(policed.Rewritten("SELECT ssn, city FROM people WHERE city = ?", {value}),
              HasSubstr(R"(SELECT "city" FROM)"));
  EXPECT_EQ(policed.Rewritten("SELECT city, ssn || ? FROM people WHERE city = ?", {value, value}),
            "");
}

TEST(Guard, NamesNoColumnOfATableThatIsNotTheCallers) {
  privacy::PolicyData data;
  data.everyone.deny.tables = {"main.people"};
  const std::vector<catalog::Table> tables = Tables();
  TableList lookup(tables);
  TextHelp help;
  const auto refused =
      Guard(privacy::Policy(data))
          .ApproveText({"SELECT * FROM people", {}}, sql::Sqlite(), lookup, Principal(), &help);
  EXPECT_THAT(refused, IsError(ErrorKind::PiiBlocked,
                               "the statement reads protected columns: "
                               "main.people"));
  EXPECT_THAT(help.tables, SizeIs(0));
}

// The common tables of a query are in sight of its LIMIT.
TEST(Guard, ACommonTableIsInSightOfALimit) {
  const auto approved =
      ApproveOver("WITH o AS (SELECT 1 AS id) SELECT id FROM o LIMIT (SELECT count(*) FROM o)",
                  sql::Sqlite(), {MakeTable("o", {"id"})});
  ASSERT_THAT(approved, IsOk());
  EXPECT_THAT(approved->text(), ::testing::EndsWith("FROM \"o\")"));
}

TEST(Guard, AFunctionsTableGivesItsColumnsOnce) {
  const auto named = ApproveOver("SELECT i.* FROM range(3) i", sql::DuckDb(), {});
  ASSERT_THAT(named, IsOk());
  EXPECT_THAT(named->text(), HasSubstr("SELECT \"i\".* FROM"));
  const auto columns =
      ApproveOver("SELECT t.* FROM generate_series(1, 3) t(i)", sql::Postgres(), {});
  ASSERT_THAT(columns, IsOk());
  EXPECT_THAT(columns->text(), HasSubstr("SELECT \"t\".* FROM"));
}

// A median is the value of a row, and a text's is that text.
TEST(Guard, AMedianIsNoStatisticThatShowsNoValue) {
  privacy::PolicyData data;
  privacy::Allowance groups;
  groups.aggregate = true;
  groups.group_min = 2;
  data.first.categories[static_cast<std::size_t>(privacy::Category::Contact)] = groups;
  const privacy::Policy policy(std::move(data));
  const std::vector<catalog::Table> tables = {MakeTable("account", {"id", "email", "plan"})};
  const auto approve = [&](std::string_view function) {
    return ApproveOver(fmt::format("SELECT plan, {}(email) FROM account GROUP BY plan", function),
                       sql::DuckDb(), tables, policy);
  };
  EXPECT_THAT(approve("count"), IsOk());
  for (const std::string_view shows : {"median", "mad", "mode", "min", "quantile_disc"})
    EXPECT_THAT(approve(shows), IsError(ErrorKind::PiiBlocked)) << shows;
  EXPECT_THAT(approve("geomean"), IsError(ErrorKind::PiiBlocked)) << "fails where a value is 0";
}

// What a count's star leaves out, others are left of it.
TEST(Guard, ACountCountsRowsWhereItsStarIsWhole) {
  const auto approve = [](std::string_view text) {
    return ApproveOver(text, sql::DuckDb(), {MakeTable("t", {"id", "city", "email"})});
  };
  EXPECT_THAT(approve("SELECT count(*) FROM t"), IsOk());
  EXPECT_THAT(approve("SELECT count(* EXCLUDE (id, city)) FROM t"), IsError(ErrorKind::PiiBlocked));
  EXPECT_THAT(approve("SELECT count(* EXCLUDE (city, email) REPLACE (email AS id)) FROM t"),
              IsError(ErrorKind::NotARead));
}

TEST(Guard, CallsInQuotesAreNoWordsOfTheGrammar) {
  const std::vector<catalog::Table> tables = {MakeTable("t", {"id", "city"}),
                                              MakeTable("u", {"id", "city"})};
  for (const char* call : {"trim", "substr", "substring", "position", "extract", "current_date"}) {
    const auto duckdb =
        ApproveOver(fmt::format("SELECT \"{}\"(city, 1) FROM t", call), sql::DuckDb(), tables);
    EXPECT_THAT(duckdb, IsError(ErrorKind::NotARead)) << call;
    const auto mysql =
        ApproveOver(fmt::format("SELECT `{}`(city, 1) FROM t", call), sql::MySql(), tables);
    EXPECT_THAT(mysql, IsError(ErrorKind::NotARead)) << call;
  }
  for (const char* in : {"[1] || [2]", "[1]::INT[]", "[1, 2][1:1]", "[x FOR x IN [1]]"})
    EXPECT_THAT(
        ApproveOver(fmt::format("SELECT id FROM t WHERE id IN {}", in), sql::DuckDb(), tables),
        IsError(ErrorKind::NotARead))
        << in;
  EXPECT_THAT(ApproveOver("SELECT * REPLACE (0 AS id) FROM t, u", sql::DuckDb(), tables),
              IsError(ErrorKind::SqlSyntax));
  EXPECT_THAT(ApproveOver("SELECT t.* REPLACE (0 AS id), u.* FROM t, u", sql::DuckDb(), tables),
              IsOk());
}

// Where DuckDB has a form of words only, a call of its name is a macro of the database.
TEST(Guard, CallsNoMacroByTheNameOfAForm) {
  const auto approve = [](std::string_view text) {
    return ApproveOver(text, sql::DuckDb(), {MakeTable("t", {"id", "city", "email"})});
  };
  EXPECT_THAT(approve("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY id) FROM t"), IsOk());
  for (const char* text :
       {"SELECT percentile_cont(id, 0.5) FROM t", "SELECT id.percentile_disc(0.5) FROM t",
        "SELECT percentile_cont(id) OVER () FROM t", "SELECT * FROM generate_subscripts([1], 1)"})
    EXPECT_THAT(approve(text), IsError(ErrorKind::NotARead)) << text;
}

// MariaDB would look for functions of the database by these names.
TEST(Guard, CallsNoFunctionThatOneServerLacks) {
  const auto approve = [](std::string_view text) {
    return ApproveOver(text, sql::MySql(), {MakeTable("t", {"id", "city", "email"}, "")});
  };
  const auto least = approve("SELECT any_value(city) FROM t GROUP BY id");
  ASSERT_THAT(least, IsOk());
  EXPECT_EQ(least->text(), "SELECT min(`city`) FROM `t` AS `t` GROUP BY `id`");
  const auto rolled = approve("SELECT city, GROUPING(city) FROM t GROUP BY city WITH ROLLUP");
  ASSERT_THAT(rolled, IsOk());
  EXPECT_EQ(rolled->text(),
            "SELECT `city`, /*M!100000 information_schema.*/grouping(`city`) FROM `t` AS `t` GROUP "
            "BY `city` WITH ROLLUP");
  EXPECT_THAT(approve("SELECT grouping(email) FROM t"), IsError(ErrorKind::PiiBlocked));
  const auto others =
      approve("SELECT nvl(city, 'x'), nvl2(city, 1, 2), lengthb(city), chr(65) FROM t");
  ASSERT_THAT(others, IsOk());
  EXPECT_EQ(others->text(),
            "SELECT ifnull(`city`, 'x'), if((`city` IS NOT NULL), 1, 2), octet_length(`city`), "
            "/*!50733 information_schema.*/chr(65) FROM `t` AS `t`");
  EXPECT_THAT(approve("SELECT /*!50733 information_schema.tables.*/ id FROM t"),
              IsError(ErrorKind::NotARead));
  EXPECT_THAT(approve("SELECT /*M!100000 information_schema.tables.*/ id FROM t"),
              IsError(ErrorKind::NotARead));
  const auto matches = approve("SELECT id FROM t WHERE NOT regexp_like(city, 'a')");
  ASSERT_THAT(matches, IsOk());
  EXPECT_EQ(matches->text(), "SELECT `id` FROM `t` AS `t` WHERE (NOT (`city` REGEXP 'a'))");
  for (const char* text :
       {"SELECT regexp_like(city, 'a', 'c') FROM t", "SELECT date_part('y', id) FROM t"})
    EXPECT_THAT(approve(text), IsError(ErrorKind::NotARead)) << text;
  for (const char* text :
       {"SELECT regexp_like(email, 'a') FROM t", "SELECT any_value(email) FROM t"})
    EXPECT_THAT(approve(text), IsError(ErrorKind::PiiBlocked)) << text;
}

}  // namespace
}  // namespace schemaward::guard

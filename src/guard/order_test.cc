// What an index over blocked columns would tell, and columns that are others under another name.
#include "guard/order.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/test_tables.h"

namespace schemaward::guard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// An index over blocked columns gives rows in their order; what is printed keeps the engine off it.
std::vector<catalog::Table> Indexed() {
  std::vector<catalog::Table> tables = {MakeTable("people", {"id", "city", "ssn", "plan"}),
                                        MakeTable("towns", {"pid", "town"})};
  catalog::Table& people = tables.front();
  people.columns[0].type = "INTEGER";
  people.primary_key = catalog::Key{"", {"id"}};
  people.indexes = {{"by_plan", {"plan"}, false, "", {}},
                    {"by_city", {"city", "ssn"}, false, "", {}}};
  people.unique_keys = {{"by_ssn", {"ssn"}}};
  tables.back().kind = catalog::TableKind::View;
  tables.back().definition = "SELECT id, city FROM people";
  return tables;
}

std::string PrintedIndexed(const char* text, const sql::Dialect& dialect) {
  const auto approved = ApproveOver(text, dialect, Indexed());
  return approved ? approved->text() : approved.error().ToLogText();
}

TEST(Order, KeepsSqliteOffIndexesThatHoldBlockedColumns) {
  for (const char* text : {"SELECT id FROM people", "SELECT id FROM people INDEXED BY by_ssn",
                           "SELECT city FROM people", "SELECT plan FROM people WHERE city = 'Oslo'",
                           "SELECT x.plan FROM (SELECT * FROM (SELECT plan, id FROM people)) x"})
    EXPECT_THAT(PrintedIndexed(text, sql::Sqlite()), HasSubstr(R"("people" NOT INDEXED)")) << text;
  EXPECT_EQ(PrintedIndexed("SELECT plan FROM people NOT INDEXED", sql::Sqlite()),
            R"(SELECT "plan" FROM "main"."people" AS "people")");
}

// What a statement names an engine may still do without, and then an index that lacks it is enough.
TEST(Order, KeepsSqliteOffIndexesThatHoldAllThatItNeeds) {
  std::vector<catalog::Table> tables = {MakeTable("pay", {"id", "owner", "ssn", "day", "sum"}),
                                        MakeTable("own", {"id", "name"})};
  tables.front().columns[0].type = "INTEGER";
  tables.front().primary_key = catalog::Key{"", {"id"}};
  tables.front().indexes = {{"by_ssn", {"ssn"}, false, "", {}}};
  struct Row {
    const char* text;
    bool is_kept_off;
  };
  for (const Row& row : {
           Row{"SELECT id FROM pay", true},
           Row{"SELECT day FROM pay", false},
           Row{"SELECT id FROM pay WHERE day = 3", false},
           Row{"SELECT count(*) FROM pay WHERE (sum > 3 AND day IN (1, 2))", false},
           Row{"SELECT sum(sum) FROM pay", false},
           Row{"SELECT id FROM pay WHERE NOT (0 AND day = 3)", true},
           Row{"SELECT id FROM pay WHERE day IN ()", true},
           Row{"SELECT id, 0 AND day FROM pay", true},
           Row{"SELECT id, coalesce(1, day) FROM pay", true},
           Row{"SELECT day FROM pay UNION ALL SELECT day FROM pay", true},
           Row{"SELECT a.id FROM pay a CROSS JOIN pay b WHERE b.day", true},
           Row{"SELECT a.day FROM pay a JOIN pay b USING (id)", true},
           Row{"SELECT p.id FROM pay p JOIN own ON own.id = p.owner", false},
           Row{"SELECT p.id FROM pay p LEFT JOIN own ON own.id = p.owner", true},
       }) {
    const auto approved = ApproveOver(row.text, sql::Sqlite(), tables);
    ASSERT_THAT(approved, IsOk()) << row.text;
    EXPECT_EQ(approved->text().find("NOT INDEXED") != std::string::npos, row.is_kept_off)
        << approved->text();
  }
}

TEST(Order, PutsTheTextOfAViewInItsPlaceWhereItNeedsAHint) {
  EXPECT_EQ(PrintedIndexed("SELECT t.town FROM towns t", sql::Sqlite()),
            R"(SELECT "t"."town" FROM (SELECT "id" AS "pid", "city" AS "town" )"
            R"(FROM "main"."people" AS "people" NOT INDEXED) AS "t")");
  const auto approved = ApproveOver("SELECT town FROM towns", sql::Sqlite(), Indexed());
  ASSERT_THAT(approved, IsOk());
  EXPECT_THAT(approved->inside(), ElementsAre(TableRead{"main", "people", {"city", "id"}}));
}

TEST(Order, KeepsMySqlOffIndexesThatHoldBlockedColumns) {
  EXPECT_EQ(PrintedIndexed("SELECT id FROM people USE INDEX (by_ssn)", sql::MySql()),
            "SELECT `id` FROM `main`.`people` AS `people` IGNORE INDEX (`by_city`, `by_ssn`)");
}

TEST(Order, TellsPostgresToKeepOffIndexesThatHoldBlockedColumns) {
  const auto walks =
      ApproveOver("SELECT id FROM people WHERE city = 'Oslo'", sql::Postgres(), Indexed());
  ASSERT_THAT(walks, IsOk());
  const std::vector<std::pair<std::string, std::string>> off = {{"enable_indexonlyscan", "off"},
                                                                {"enable_indexscan", "off"},
                                                                {"enable_seqscan", "on"},
                                                                {"enable_sort", "on"}};
  EXPECT_EQ(walks->session().settings, off);
  EXPECT_THAT(walks->rules(), ::testing::Contains("hidden_order"));
  const auto alone =
      ApproveOver("SELECT id FROM people WHERE plan = 'gold'", sql::Postgres(), Indexed());
  ASSERT_THAT(alone, IsOk());
  EXPECT_TRUE(alone->session().IsEmpty());
}

TEST(Order, TellsPostgresToKeepOffIndexesThatNoListTellsOf) {
  std::vector<catalog::Table> tables = {
      MakeTable("people", {"id", "city", "ssn"}), MakeTable("heirs", {"id", "city", "ssn", "plan"}),
      MakeTable("hiding", {"id", "city"}), MakeTable("kept", {"id", "who", "city"})};
  const auto tag = [&](std::size_t table, std::size_t column, const char* text) {
    tables[table].columns[column].tags.push_back(text);
  };
  tag(0, 1, "index:member:by_ssn");
  tag(0, 2, "index:member:by_ssn");
  tag(2, 1, "index:beside-hidden");
  tables[1].indexes = {{"of_heirs", {"ssn", "id"}, false, "", {}}};
  tables[0].children = {"main.heirs"};
  tables[3].kind = catalog::TableKind::MaterializedView;
  tables[3].definition = "SELECT id, ssn AS who, city FROM people";
  tables[3].indexes = {{"of_kept", {"who", "city"}, false, "", {}}};
  struct Row {
    const char* text;
    bool is_kept_off;
  };
  for (const Row& row :
       {Row{"SELECT city FROM people", true}, Row{"SELECT city FROM ONLY people", true},
        Row{"SELECT id FROM people", true}, Row{"SELECT id FROM ONLY people", false},
        Row{"SELECT plan FROM heirs", false}, Row{"SELECT city FROM hiding", true},
        Row{"SELECT id FROM hiding", false}, Row{"SELECT city FROM kept", true},
        Row{"SELECT id FROM kept", false}}) {
    const auto approved = ApproveOver(row.text, sql::Postgres(), tables);
    ASSERT_THAT(approved, IsOk()) << row.text;
    EXPECT_EQ(!approved->session().IsEmpty(), row.is_kept_off) << row.text;
  }
  tables[0].children = {"other.unknown"};
  const auto unknown = ApproveOver("SELECT id FROM people", sql::Postgres(), tables);
  ASSERT_THAT(unknown, IsOk());
  EXPECT_FALSE(unknown->session().IsEmpty());
}

TEST(Order, SortsTablesOfPostgresThatWerePutIntoTheOrderOfWhatIsBlocked) {
  std::vector<catalog::Table> tables = {MakeTable("people", {"id", "city", "ssn"}),
                                        MakeTable("heirs", {"id", "city", "ssn"})};
  const auto sorts = [&](const char* text) {
    const auto approved = ApproveOver(text, sql::Postgres(), tables);
    return approved && approved->text().find("ORDER BY") != std::string::npos;
  };
  EXPECT_FALSE(sorts("SELECT id FROM people"));
  tables[0].columns[1].tags = {"index:clustered"};
  EXPECT_FALSE(sorts("SELECT id FROM people"));
  tables[0].columns[2].tags = {"index:clustered"};
  EXPECT_TRUE(sorts("SELECT id FROM people"));
  tables[0].columns[2].tags.clear();
  tables[0].columns[0].tags = {"index:clustered-by-hidden"};
  EXPECT_TRUE(sorts("SELECT id FROM people"));
  tables[0].columns[0].tags.clear();
  tables[0].children = {"main.heirs"};
  tables[1].columns[2].tags = {"index:clustered"};
  EXPECT_TRUE(sorts("SELECT id FROM people"));
  EXPECT_FALSE(sorts("SELECT id FROM ONLY people"));
}

TEST(Order, KeepsDuckDbFromPlansThatEstimatesOfBlockedColumnsChoose) {
  std::vector<catalog::Table> tables = Indexed();
  tables.push_back(MakeTable("everyone", {"id", "city", "ssn"}));
  tables.back().kind = catalog::TableKind::View;
  tables.back().definition = "SELECT id, city, ssn FROM people";
  tables.push_back(MakeTable("all_of_them", {"id"}));
  tables.back().kind = catalog::TableKind::View;
  tables.back().definition = "SELECT id FROM (SELECT * FROM everyone) AS x";
  struct Row {
    const char* text;
    bool is_kept;
  };
  for (const Row& row : {
           Row{"SELECT id FROM people", false},
           Row{"SELECT p.id FROM people p JOIN towns t ON t.pid = p.id", false},
           Row{"SELECT town FROM towns", false},
           Row{"SELECT city FROM everyone", true},
           Row{"SELECT count(*) FROM all_of_them", true},
           Row{"SELECT id FROM people WHERE id IN (SELECT id FROM everyone)", true},
       }) {
    const auto approved = ApproveOver(row.text, sql::DuckDb(), tables);
    ASSERT_THAT(approved, IsOk()) << row.text;
    const std::vector<std::pair<std::string, std::string>> kept = {
        {"disabled_optimizers", "join_order"}};
    EXPECT_EQ(approved->session().settings == kept, row.is_kept) << row.text;
    EXPECT_EQ(approved->session().IsEmpty(), !row.is_kept) << row.text;
  }
  privacy::PolicyData data;
  data.first.profile = privacy::Profile::Dev;
  const std::vector<catalog::Table> contacts = {MakeTable("people", {"id", "email"})};
  const auto settings = [&](const char* text) -> std::size_t {
    const auto approved = ApproveOver(text, sql::DuckDb(), contacts, privacy::Policy(data));
    return approved ? approved->session().settings.size() : 99;
  };
  EXPECT_EQ(settings("SELECT id, email FROM people"), 0u);
  EXPECT_EQ(settings("SELECT a.id, a.email FROM people a JOIN people b ON a.id = b.id"), 1u);
}

TEST(Order, KeepsSqliteFromIndexesOfOneJoin) {
  privacy::PolicyData data;
  data.first.profile = privacy::Profile::Dev;
  std::vector<catalog::Table> tables = {MakeTable("people", {"id", "email"})};
  tables.push_back(MakeTable("contacts", {"id", "email"}));
  tables.back().kind = catalog::TableKind::View;
  tables.back().definition = "SELECT id, email FROM people";
  struct Row {
    const char* text;
    bool is_kept;
  };
  for (const Row& row : {
           Row{"SELECT id, email FROM people", false},
           Row{"SELECT a.id FROM people a JOIN people b ON a.id = b.id", false},
           Row{"SELECT a.id, a.email FROM people a JOIN people b ON a.id = b.id", true},
           Row{"SELECT id FROM people WHERE id IN (SELECT id FROM contacts)", true},
       }) {
    const auto approved = ApproveOver(row.text, sql::Sqlite(), tables, privacy::Policy(data));
    ASSERT_THAT(approved, IsOk()) << row.text;
    const std::vector<std::pair<std::string, std::string>> kept = {{"automatic_index", "off"}};
    EXPECT_EQ(approved->session().settings == kept, row.is_kept) << row.text;
  }
}

TEST(MadeOf, TakesARowidForTheKeyThatItIs) {
  std::vector<catalog::Table> tables = {MakeTable("people", {"ssn", "city"})};
  tables[0].columns[0].type = "INTEGER";
  tables[0].primary_key = catalog::Key{"", {"ssn"}};
  for (const char* text : {"SELECT rowid FROM people", "SELECT city FROM people WHERE oid = 1",
                           "SELECT p._rowid_ FROM people p"})
    EXPECT_THAT(ApproveOver(text, sql::Sqlite(), tables), IsError(ErrorKind::PiiBlocked)) << text;
  EXPECT_THAT(ApproveOver("SELECT city FROM people", sql::Sqlite(), tables), IsOk());
}

TEST(MadeOf, FollowsColumnsThatTheEngineComputes) {
  std::vector<catalog::Table> tables = {MakeTable("people", {"id", "ssn", "c1", "c2", "c3"})};
  tables[0].columns[2].generated = "substr(\"ssn\", 1, 3)";
  tables[0].columns[3].generated = "upper(c1)";
  tables[0].columns[4].generated = "id * 2";
  EXPECT_THAT(ApproveOver("SELECT c1 FROM people", sql::Sqlite(), tables),
              IsError(ErrorKind::PiiBlocked));
  EXPECT_THAT(ApproveOver("SELECT id FROM people ORDER BY c2", sql::Sqlite(), tables),
              IsError(ErrorKind::PiiBlocked));
  EXPECT_THAT(ApproveOver("SELECT c3 FROM people", sql::Sqlite(), tables), IsOk());
}

TEST(MadeOf, FollowsDefaultsThatNameColumns) {
  std::vector<catalog::Table> tables = {
      MakeTable("people", {"id", "email", "c1", "c2", "c3", "c4", "c5", "c6"})};
  const char* const defaults[] = {"concat(`email`,'x')", "(reverse(c1))",       "'email'",
                                  "lower('email')",      "nextval('email'::x)", "'(it''s email)'"};
  for (std::size_t i = 0; i < 6; ++i) tables[0].columns[i + 2].default_value = defaults[i];
  for (const char* text : {"SELECT c1 FROM people", "SELECT id FROM people WHERE c2 > 'a'"})
    EXPECT_THAT(ApproveOver(text, sql::MySql(), tables), IsError(ErrorKind::PiiBlocked)) << text;
  EXPECT_THAT(ApproveOver("SELECT c3, c4, c5, c6 FROM people", sql::MySql(), tables), IsOk());
}

TEST(MadeOf, FollowsComputedColumnsThroughCirclesAndLongChains) {
  std::vector<std::string> names = {"ssn"};
  constexpr int kLong = 80;
  for (int i = 0; i < kLong; ++i) names.push_back(fmt::format("c{}", i));
  std::vector<catalog::Table> tables = {MakeTable("people", names)};
  for (std::size_t i = 1; i < names.size(); ++i) {
    std::string all;
    for (std::size_t j = 0; j < names.size(); ++j)
      if (j != i && j <= i + 1) all += names[j] + " || ";
    tables[0].columns[i].generated = all + "''";
  }
  EXPECT_THAT(ApproveOver("SELECT c79 FROM people", sql::Sqlite(), tables),
              IsError(ErrorKind::PiiBlocked));
  tables[0].columns[1].generated = "c1";
  tables[0].columns[2].generated = "c2";
  tables[0].columns[3].generated = "c0";
  EXPECT_THAT(ApproveOver("SELECT c0 FROM people", sql::Sqlite(), tables), IsOk());
}

TEST(Order, ASampleOfATableWithBlockedColumnsDrawsRows) {
  for (const auto& [sample, printed] :
       {std::pair("SYSTEM (10)", " TABLESAMPLE BERNOULLI (10)"),
        std::pair("SYSTEM (10) REPEATABLE (3)", " TABLESAMPLE BERNOULLI (10)"),
        std::pair("BERNOULLI (5) REPEATABLE (3)", " TABLESAMPLE BERNOULLI (5)")})
    EXPECT_EQ(PrintedIndexed(fmt::format("SELECT id FROM people TABLESAMPLE {}", sample).c_str(),
                             sql::Postgres()),
              fmt::format(R"(SELECT "id" FROM "main"."people" AS "people"{})", printed));
  const auto other = ApproveOver("SELECT id FROM t TABLESAMPLE SYSTEM (10) REPEATABLE (3)",
                                 sql::Postgres(), {MakeTable("t", {"id"})});
  ASSERT_THAT(other, IsOk());
  EXPECT_THAT(other->text(), HasSubstr("SYSTEM (10) REPEATABLE (3)"));
}

// Behind a filter a table has the columns alone that are asked for.
TEST(MadeOf, KeepsTheRowidOfATableThatIsFiltered) {
  std::vector<catalog::Table> tables = {MakeTable("orders", {"id", "region"}),
                                        MakeTable("notes", {"body", "region"})};
  tables[0].columns[0].type = "INTEGER";
  tables[0].primary_key = catalog::Key{"", {"id"}};
  privacy::PolicyData data;
  data.everyone.row_filters = {{"orders", "region = 'x'"}, {"notes", "region = 'x'"}};
  const privacy::Policy policy(std::move(data));
  const auto of_key =
      ApproveOver("SELECT oid FROM orders ORDER BY rowid", sql::Sqlite(), tables, policy);
  ASSERT_THAT(of_key, IsOk());
  EXPECT_EQ(of_key->text(),
            R"(SELECT "orders"."id" FROM (SELECT "orders"."id" FROM "main"."orders" AS "orders" )"
            R"(WHERE ("region" = 'x')) AS "orders" ORDER BY "orders"."id")");
  const auto of_none = ApproveOver("SELECT n._ROWID_ FROM notes n", sql::Sqlite(), tables, policy);
  ASSERT_THAT(of_none, IsOk());
  EXPECT_THAT(of_none->text(), HasSubstr(R"("notes"."_rowid_" AS "_rowid_")"));
}

// Where a table stands by what is blocked, its rows are sorted by what is not.
struct Standing {
  std::string_view name;
  const sql::Dialect& dialect;
  std::string_view key;         ///< its primary key, or nothing
  std::string_view unique;      ///< a unique key, or nothing
  std::int64_t partitions = 0;  ///< of one column, which nobody knows
  std::string_view text;
  std::string_view parted_by = "";  ///< where it is known
};

std::string PrintedStanding(const Standing& one) {
  const std::string_view schema = one.dialect.default_schema;
  catalog::Table people = MakeTable("people", {"id", "city", "ssn"}, schema);
  people.columns[0].type = "int";
  people.columns[2].nullable = false;
  if (!one.key.empty()) people.primary_key = catalog::Key{"", {std::string(one.key)}};
  if (!one.unique.empty()) people.unique_keys = {{"u", {std::string(one.unique)}}};
  people.partition_count = one.partitions;
  people.partition_key = one.parted_by;
  catalog::Table view = MakeTable("v", {"id", "code"}, schema);
  view.kind = catalog::TableKind::View;
  view.definition = "SELECT id, ssn AS code FROM people";
  const auto approved = ApproveOver(one.text, one.dialect, {people, view});
  return approved ? approved->text() : approved.error().ToLogText();
}

TEST(Order, SortsWhatStandsByABlockedKey) {
  const Standing sorted[] = {
      {"a key", sql::MySql(), "ssn", "", 0, "SELECT id FROM people"},
      {"a key of SQLite", sql::Sqlite(), "ssn", "", 0, "SELECT id FROM people LIMIT 1"},
      {"a unique key", sql::MySql(), "", "ssn", 0, "SELECT id FROM people"},
      {"partitions", sql::MySql(), "", "", 2, "SELECT id FROM people"},
      {"partitions of PostgreSQL", sql::Postgres(), "", "", 2, "SELECT id FROM people"},
      {"partitions and a key", sql::Postgres(), "ssn", "", 2, "SELECT id FROM people"},
      {"partitions by", sql::Postgres(), "id", "", 2, "SELECT id FROM people", "LIST (ssn)"},
      {"a view", sql::MySql(), "ssn", "", 0, "SELECT id FROM v"},
      {"a view of PostgreSQL", sql::Postgres(), "", "", 2, "SELECT id FROM v"},
      {"of one row", sql::Sqlite(), "ssn", "", 0, "SELECT max(id, city) FROM people"},
      {"groups", sql::MySql(), "ssn", "", 0, "SELECT city, count(*) FROM people GROUP BY city"},
      {"a text of all", sql::Sqlite(), "ssn", "", 0, "SELECT group_concat(city) FROM people"},
      {"inside", sql::MySql(), "ssn", "", 0, "SELECT (SELECT id FROM people LIMIT 1)"}};
  for (const Standing& one : sorted) {
    const std::string printed = PrintedStanding(one);
    EXPECT_THAT(printed, HasSubstr("ORDER BY")) << one.name;
    EXPECT_THAT(printed, HasSubstr("LIMIT 9223372036854775807")) << one.name;
  }
  // A view's own joins stay together though nothing is read of it.
  EXPECT_THAT(PrintedStanding({"", sql::Postgres(), "", "", 2, "SELECT p.id FROM people p, v"}),
              HasSubstr(R"((SELECT 1 FROM "public"."v" AS "v" LIMIT 9223372036854775807) AS "v")"));
  EXPECT_THAT(PrintedStanding({"", sql::Sqlite(), "ssn", "", 0, "SELECT ROWID FROM people"}),
              HasSubstr(R"("people"."rowid" AS "rowid")"));
  const Standing left[] = {
      {"another key", sql::MySql(), "id", "ssn", 0, "SELECT id FROM people"},
      {"PostgreSQL", sql::Postgres(), "ssn", "", 0, "SELECT id FROM people"},
      {"partitions by a key", sql::Postgres(), "id", "", 2, "SELECT id FROM people"},
      {"partitions by another", sql::MySql(), "", "", 2, "SELECT id FROM people",
       "RANGE (to_days(city))"},
      {"DuckDB", sql::DuckDb(), "ssn", "", 0, "SELECT id FROM people"},
      {"no column", sql::MySql(), "ssn", "", 0, "SELECT count(*) FROM people"},
      {"one row", sql::MySql(), "ssn", "", 0, "SELECT count(city), MAX(id) FROM people"},
      {"one row of SQLite", sql::Sqlite(), "ssn", "", 0, "SELECT min(id) FROM people"}};
  for (const Standing& one : left)
    EXPECT_THAT(PrintedStanding(one), Not(HasSubstr("LIMIT"))) << one.name;
  EXPECT_EQ(PrintedStanding({"its conditions", sql::Postgres(), "", "", 2,
                             "SELECT id, city FROM people WHERE city = 'Oslo'"}),
            R"(SELECT "id", "city" FROM (SELECT "people"."id", "people"."city" FROM )"
            R"("public"."people" AS "people" WHERE ("people"."city" = 'Oslo') ORDER BY )"
            R"("people"."id", (CAST("people"."city" AS TEXT) COLLATE "C") LIMIT )"
            R"(9223372036854775807) AS "people" WHERE ("city" = 'Oslo'))");
}

// Whether a masked one is there is shown, but must not come before what else is.
TEST(Order, SortsByWhetherAHiddenValueIsThereLast) {
  catalog::Table people = MakeTable("people", {"id", "email", "city"}, "public");
  people.partition_count = 2;
  privacy::PolicyData data;
  data.first.profile = privacy::Profile::Dev;
  const auto approved = ApproveOver("SELECT email, city FROM people", sql::Postgres(), {people},
                                    privacy::Policy(std::move(data)));
  ASSERT_THAT(approved, IsOk());
  EXPECT_THAT(approved->text(),
              HasSubstr(R"((CAST("people"."city" AS TEXT) COLLATE "C"), ("people"."email" IS NOT )"
                        R"(NULL) LIMIT)"));
}

// PostgreSQL's views run as they are.
TEST(Order, ReadsNoViewWhoseValuesFollowRowsThatStandByWhatIsBlocked) {
  catalog::Table people = MakeTable("people", {"id", "city", "price", "amount", "ssn"}, "public");
  people.columns[3].type = "numeric";
  people.columns[2].type = "double precision";
  people.partition_count = 2;
  const catalog::Table other = MakeTable("other", {"id"}, "public");
  catalog::Table view = MakeTable("v", {"x"}, "public");
  catalog::Table outer = MakeTable("w", {"x"}, "public");
  outer.kind = catalog::TableKind::View;
  outer.definition = "SELECT x FROM v";
  const auto approve = [&](const char* text) {
    view.definition = text;
    return ApproveOver("SELECT x FROM w", sql::Postgres(), {people, other, view, outer});
  };
  for (const auto kind : {catalog::TableKind::View, catalog::TableKind::MaterializedView}) {
    view.kind = kind;
    for (const char* text :
         {"SELECT string_agg(city, ',' ORDER BY id) AS x FROM people",
          "SELECT sum(price) AS x FROM people", "SELECT DISTINCT amount AS x FROM people",
          "SELECT amount AS x FROM people UNION SELECT 1",
          "SELECT count(*) AS x FROM people GROUP BY amount", "SELECT max(amount) AS x FROM people",
          "SELECT id AS x FROM people ORDER BY city LIMIT 3",
          "SELECT id AS x FROM other UNION ALL SELECT id FROM people LIMIT 3",
          "SELECT DISTINCT ON (city) id AS x FROM people ORDER BY city",
          "SELECT row_number() OVER (ORDER BY city) AS x FROM people",
          "SELECT count(*) OVER (ORDER BY city ROWS 2 PRECEDING) AS x FROM people",
          "SELECT ARRAY(SELECT id FROM people) AS x",
          "SELECT (SELECT p.id FROM people p LIMIT 1) AS x FROM other"})
      EXPECT_THAT(approve(text), IsError(ErrorKind::PolicyBlocked, HasSubstr("follow the order")))
          << text;
    for (const char* text :
         {"SELECT id AS x FROM people", "SELECT count(*) AS x FROM people GROUP BY city",
          "SELECT sum(amount) AS x FROM people", "SELECT max(id) AS x FROM people",
          "SELECT rank() OVER (ORDER BY city) AS x FROM people",
          "SELECT p.id AS x FROM people p, (SELECT 1 FROM other LIMIT 3) o"}) {
      const auto approved = approve(text);
      ASSERT_THAT(approved, IsOk()) << text;
      EXPECT_THAT(approved->text(), HasSubstr("LIMIT 9223372036854775807")) << text;
    }
  }
}

// It was filled by no settings of ours.
TEST(Order, SortsMaterializedViewsThatMayHaveComeByWhatIsBlocked) {
  catalog::Table people = MakeTable("people", {"id", "city", "ssn"}, "public");
  catalog::Index& index = people.indexes.emplace_back();
  index.name = "i";
  index.columns = {"ssn", "city"};
  catalog::Table kept = MakeTable("kept", {"x"}, "public");
  kept.kind = catalog::TableKind::MaterializedView;
  const auto is_sorted = [&](const char* text) {
    kept.definition = text;
    const auto approved = ApproveOver("SELECT x FROM kept", sql::Postgres(), {people, kept});
    EXPECT_THAT(approved, IsOk()) << text;
    return approved && approved->text().find("LIMIT") != std::string::npos;
  };
  EXPECT_TRUE(is_sorted("SELECT city AS x FROM people"));
  EXPECT_TRUE(is_sorted("SELECT id AS x FROM people WHERE ssn IS NOT NULL"));
  EXPECT_TRUE(is_sorted("SELECT id AS x FROM people ORDER BY city"));
  EXPECT_FALSE(is_sorted("SELECT id AS x FROM people WHERE id > 1"));
}

// That the policy compares a column gives the caller no right to its order.
TEST(Order, AFilterOfThePolicyKeepsNoIndexInUse) {
  struct Filtered {
    std::string_view filter;
    bool is_kept_off;
  };
  const Filtered rows[] = {{"ssn > '5'", true},
                           {"ssn IN ('5', '6')", true},
                           {"ssn = '5' OR id = 1", true},
                           {"id > 1", false},
                           {"id > 1 AND ssn = '${principal.id}'", false}};
  for (const Filtered& row : rows) {
    catalog::Table people = MakeTable("people", {"id", "city", "ssn"}, "main");
    catalog::Index& index = people.indexes.emplace_back();
    index.name = "i";
    index.columns = {"ssn"};
    privacy::PolicyData data;
    data.everyone.row_filters = {{"people", std::string(row.filter)}};
    const privacy::Policy policy(std::move(data));
    const auto approved = ApproveOver("SELECT id FROM people", sql::Sqlite(), {people}, policy);
    ASSERT_THAT(approved, IsOk());
    EXPECT_EQ(approved->text().find("NOT INDEXED") != std::string::npos, row.is_kept_off)
        << approved->text();
    people.primary_key = catalog::Key{"", {"ssn"}};
    EXPECT_EQ(ApproveOver("SELECT id FROM people", sql::Sqlite(), {people}, policy)
                      ->text()
                      .find("ORDER BY") != std::string::npos,
              row.filter.find("ssn = '$") == std::string_view::npos)
        << row.filter;
  }
}

// 1.0 and 1.00 are equal, and so may letters be.
TEST(Order, SortsWhatIsEqualAndNotTheSame) {
  struct Key {
    const sql::Dialect& dialect;
    std::string_view type, key;
  };
  const Key keys[] = {{sql::Postgres(), "bigint", R"(ORDER BY "people"."n" LIMIT)"},
                      {sql::Postgres(), "numeric",
                       R"("people"."n", (CAST("people"."n" AS TEXT) COLLATE "C") LIMIT)"},
                      {sql::MySql(), "double", "`people`.`n`, CAST(`people`.`n` AS BINARY) LIMIT"},
                      {sql::Sqlite(), "", R"("people"."n", CAST("people"."n" AS BLOB) LIMIT)"}};
  for (const Key& one : keys) {
    catalog::Table people = MakeTable("people", {"n", "ssn"}, one.dialect.default_schema);
    people.columns[0].type = one.type;
    people.primary_key = catalog::Key{"", {"ssn"}};
    people.partition_count = 2;
    const auto approved = ApproveOver("SELECT n FROM people", one.dialect, {people});
    ASSERT_THAT(approved, IsOk());
    EXPECT_THAT(approved->text(), HasSubstr(one.key));
    const auto least = ApproveOver("SELECT min(n) FROM people", one.dialect, {people});
    ASSERT_THAT(least, IsOk());
    EXPECT_EQ(least->text().find("LIMIT") == std::string::npos, one.type == "bigint");
  }
}

}  // namespace
}  // namespace schemaward::guard

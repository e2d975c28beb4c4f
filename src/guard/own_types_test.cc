#include "guard/own_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/guard.h"
#include "guard/test_tables.h"

namespace schemaward::guard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

catalog::Column Column(std::string name, std::string type, std::vector<std::string> labels = {}) {
  catalog::Column column;
  column.name = std::move(name);
  column.type = std::move(type);
  column.labels = std::move(labels);
  return column;
}

// sales.orders has an enum, a list of them, a domain, an enum that is called as an engine's type,
// one that is called as a table, a checked column and a type that is neither.
std::vector<catalog::Table> Tables() {
  catalog::Table orders;
  orders.schema = "sales";
  orders.name = "orders";
  orders.columns = {Column("id", "integer"),
                    Column("status", "sales.order_status", {"new", "paid"}),
                    Column("flags", "sales.\"Flag\"[]", {"a"}),
                    Column("price", "numeric(12,2)"),
                    Column("kind", "sales.regclass", {"account"}),
                    Column("place", "sales.note", {"x"}),
                    Column("state", "sales.state", {"x"}),
                    Column("checked", "public.ltree", {"a.b"}),
                    Column("email", "sales.address", {"a@x.example"}),
                    Column("home", "sales.point3d"),
                    Column("letter", "sales.text", {"x"})};
  orders.columns[3].domain = "sales.price";
  orders.checks = {{"c", "(checked = ANY (ARRAY['a.b'::public.ltree]))"}};
  catalog::Table note;
  note.schema = "other";
  note.name = "note";
  note.columns = {Column("id", "integer"), Column("state", "other.state", {"y"}),
                  Column("mood", "other.mood", {"sad"})};
  return {orders, note};
}

// sales.face has columns whose types run routines: an enum with a cast, a list and a domain of it,
// a domain with a check; and a view that converts.
std::vector<catalog::Table> RunningTables() {
  catalog::Table face;
  face.schema = "sales";
  face.name = "face";
  face.columns = {Column("id", "integer"), Column("mood", "sales.mood", {"sad", "ok"}),
                  Column("moods", "sales.mood[]", {"sad", "ok"}), Column("code", "text"),
                  Column("state", "sales.state", {"x"})};
  face.columns[1].tags = face.columns[2].tags = {"type:cast-by-routine"};
  face.columns[3].domain = "sales.code";
  face.columns[3].tags = {"type:checked-by-routine"};
  catalog::Table view;
  view.kind = catalog::TableKind::View;
  view.schema = "sales";
  view.name = "shown";
  view.columns = {Column("id", "integer"), Column("said", "text"), Column("is_ok", "boolean")};
  view.definition = "SELECT id, mood::text AS said, mood = 'ok' AS is_ok FROM sales.face";
  return {face, view};
}

Result<Approved> Approve(std::string_view text, const sql::Dialect& dialect = sql::Postgres()) {
  const std::vector<catalog::Table> tables = Tables();
  TableList lookup(tables);
  return Guard(privacy::Policy()).ApproveText({text, {}}, dialect, lookup, Principal(), nullptr);
}

TEST(OwnTypes, AreTheEnumsAndDomainsOfATable) {
  EXPECT_THAT(OwnTypesOf(Tables().front()),
              ElementsAre(OwnType{"sales", "Flag"}, OwnType{"sales", "address"},
                          OwnType{"sales", "note"}, OwnType{"sales", "order_status"},
                          OwnType{"sales", "price"}, OwnType{"sales", "regclass"},
                          OwnType{"sales", "state"}, OwnType{"sales", "text"}));
}

TEST(OwnTypes, ACastToOneIsPrintedWithItsSchema) {
  struct Row {
    const char* text;
    const char* printed;
  };
  const Row rows[] = {
      {"SELECT id FROM sales.orders WHERE status = 'new'::order_status",
       R"(CAST('new' AS "sales"."order_status"))"},
      {"SELECT id FROM orders WHERE status = CAST('new' AS sales.order_status)",
       R"(CAST('new' AS "sales"."order_status"))"},
      {"SELECT id FROM orders WHERE status = 'new'::SALES.Order_Status",
       R"(CAST('new' AS "sales"."order_status"))"},
      {R"(SELECT id FROM orders WHERE flags = '{a}'::"Flag"[])", R"("sales"."Flag"[])"},
      {"SELECT 1::price FROM orders", R"(CAST(1 AS "sales"."price"))"},
      {"SELECT status::order_status::text FROM orders", R"("sales"."order_status")"},
      {"SELECT (SELECT count(*) FROM note WHERE o.status = 'new'::order_status) FROM orders o",
       R"(CAST('new' AS "sales"."order_status"))"},
      {"SELECT 'account'::sales.regclass FROM orders", R"(CAST('account' AS "sales"."regclass"))"},
      {"SELECT 'x'::sales.note FROM orders", R"(CAST('x' AS "sales"."note"))"},
      {"SELECT 'x'::sales.state FROM orders, other.note", R"("sales"."state")"},
      {"SELECT order_status FROM (SELECT status::order_status FROM orders) AS s(order_status)",
       R"("sales"."order_status")"},
  };
  for (const Row& row : rows) {
    const auto approved = Approve(row.text);
    ASSERT_THAT(approved, IsOk()) << row.text;
    EXPECT_THAT(approved->text(), HasSubstr(row.printed)) << row.text;
  }
}

TEST(OwnTypes, AnyOtherTypeStaysRefused) {
  const char* const texts[] = {
      "SELECT 'sales.orders'::regclass FROM orders",  // an enum has this name, in its own schema
      "SELECT 'x'::pg_catalog.regclass FROM orders",
      "SELECT 'x'::\"regclass\" FROM orders",
      "SELECT 'x'::\"text\" FROM orders",  // an enum sales.text would be another
      "SELECT 'x'::note FROM orders",      // a table's rows
      "SELECT 'x'::other.note FROM orders",
      "SELECT 'x'::orders FROM orders",
      "SELECT 'y'::state FROM orders, other.note",  // two schemas have one
      "SELECT 'sad'::mood FROM orders",             // of a table that is not read
      "SELECT 'sad'::other.mood FROM orders",
      "SELECT 'new'::hidden.order_status FROM orders",
      "SELECT 'a.b'::public.ltree FROM orders",  // no enum: its labels are a check's
      "SELECT 'x'::sales.point3d FROM orders",
      "SELECT 'x'::ORDER_STATUS_ FROM orders",
      "SELECT 'x'::\"Order_Status\" FROM orders",
      "SELECT 'x'::db.sales.order_status FROM orders",
      "SELECT 'x'::order_status(3) FROM orders",
      "SELECT 'new'::order_status",
      "SELECT 'x'::oid FROM orders",
      "SELECT '1'::money FROM orders",
  };
  for (const char* text : texts) EXPECT_THAT(Approve(text), IsError(ErrorKind::NotARead)) << text;
  EXPECT_FALSE(Approve("SELECT CAST('new' AS order_status) FROM orders", sql::Sqlite()));
  EXPECT_FALSE(Approve("SELECT CAST('new' AS order_status) FROM orders", sql::MySql()));
}

TEST(OwnTypes, ACastHidesNoPersonalData) {
  EXPECT_THAT(Approve("SELECT email::sales.address FROM orders"), IsError(ErrorKind::PiiBlocked));
  EXPECT_THAT(Approve("SELECT id FROM orders WHERE email = 'a@x.example'::sales.address"),
              IsError(ErrorKind::PiiBlocked));
}

TEST(OwnTypes, OneThatRunsRoutinesIsShownAndNotConverted) {
  const std::vector<catalog::Table> tables = RunningTables();
  TableList lookup(tables);
  const auto approve = [&](std::string_view text, const privacy::Policy& policy) {
    return Guard(policy).ApproveText({text, {}}, sql::Postgres(), lookup, Principal(), nullptr);
  };
  for (const char* text :
       {"SELECT id, mood, moods, code FROM face", "SELECT f.mood AS m FROM face f WHERE code = 'a'",
        "SELECT upper(code) || 'x' FROM face", "SELECT count(*) FROM face", "SELECT id FROM shown",
        "SELECT * FROM face ORDER BY id", "SELECT 'x'::state FROM face"})
    EXPECT_THAT(approve(text, privacy::Policy()), IsOk()) << text;
  for (const char* text :
       {"SELECT mood::text FROM face", "SELECT upper(mood) FROM face",
        "SELECT string_agg(mood, ',') FROM face", "SELECT moods::text[] FROM face",
        "SELECT id FROM face WHERE mood ~ 'a'", "SELECT row_to_json(f) FROM face f",
        "SELECT id FROM face f ORDER BY f", "SELECT upper(m) FROM (SELECT mood AS m FROM face) q",
        "SELECT said FROM shown", "SELECT id FROM shown WHERE is_ok"})
    EXPECT_THAT(approve(text, privacy::Policy()),
                IsError(ErrorKind::PolicyBlocked, HasSubstr("of the database")))
        << text;
  for (const char* text : {"SELECT id::mood FROM face", "SELECT '9'::sales.code FROM face",
                           "SELECT '{ok}'::sales.mood[] FROM face"})
    EXPECT_THAT(approve(text, privacy::Policy()), IsError(ErrorKind::NotARead)) << text;
  // A literal would be read as a value of the domain, and so be checked.
  for (const char* text :
       {"SELECT array_append(ARRAY[code], '9') FROM face", "SELECT array_agg(code) FROM face",
        "SELECT lag(code, 1, '9') OVER (ORDER BY id) FROM face",
        "SELECT array_remove(ARRAY(SELECT code FROM face), '9')",
        "SELECT lag((SELECT f.code), 1, '9') OVER () FROM face f",
        "SELECT array_position(ARRAY[c], '9') FROM (SELECT code AS c FROM face) q"})
    EXPECT_THAT(approve(text, privacy::Policy()),
                IsError(ErrorKind::NotARead, HasSubstr("routine of the database")))
        << text;
  for (const char* text : {"SELECT array_agg(code::text) FROM face", "SELECT max(code) FROM face",
                           "SELECT coalesce(code, '9') FROM face WHERE code IN ('9', 'a')",
                           "SELECT lag(id, 1, 0) OVER (ORDER BY code) FROM face",
                           "SELECT array_agg(id ORDER BY code) FROM face"})
    EXPECT_THAT(approve(text, privacy::Policy()), IsOk()) << text;
  // What the server puts on a statement converts it no more.
  std::vector<catalog::Table> parted = RunningTables();
  parted.front().partition_count = 2;
  parted.front().columns.push_back(Column("email", "text"));
  const auto sorted = ApproveOver("SELECT id, mood FROM face", sql::Postgres(), parted);
  ASSERT_THAT(sorted, IsOk());
  EXPECT_THAT(sorted->text(), HasSubstr(R"(ORDER BY "face"."id", "face"."mood" LIMIT)"));
  privacy::PolicyData data;
  data.overrides.push_back(
      {"face.mood", {}, privacy::Sensitivity::Public, "its cast only formats"});
  EXPECT_THAT(approve("SELECT upper(mood) FROM face", privacy::Policy(data)), IsOk());
}

}  // namespace
}  // namespace schemaward::guard

#include "guard/own_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/guard.h"

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

}  // namespace
}  // namespace schemaward::guard

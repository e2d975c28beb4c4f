// What query logs say: every way of joining, what is counted, what is kept.
#include "querylog/read.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"

namespace schemaward::querylog {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

catalog::Table MakeTable(const std::string& schema, const std::string& name,
                         const std::vector<std::string>& columns) {
  catalog::Table table;
  table.schema = schema;
  table.name = name;
  for (const std::string& column : columns) table.columns.emplace_back().name = column;
  return table;
}

constexpr std::size_t kCustomers = 2;  // its place in the list

std::vector<catalog::Table> Shop() {
  return {MakeTable("Mixed", "Invoices", {"InvoiceId", "CustomerId"}),
          MakeTable("archive", "orders", {"id", "customer_id"}),
          MakeTable("public", "customers", {"id", "name", "region", "password"}),
          MakeTable("public", "employees", {"id", "manager_id", "name"}),
          MakeTable("public", "order_lines", {"order_id", "line_no", "product_id", "quantity"}),
          MakeTable("public", "orders", {"id", "customer_id", "region", "total", "placed_at"}),
          MakeTable("public", "products", {"product_id", "label"}),
          MakeTable("public", "shipments", {"order_id", "line_no", "sent_at"})};
}

Evidence ReadLog(const std::vector<Entry>& log, const ReadOptions& options = {}) {
  const SystemClock clock;
  CallContext ctx(clock);
  const auto evidence = Read(log, Shop(), options, ctx);
  EXPECT_THAT(evidence, IsOk());
  return evidence ? *evidence : Evidence();
}

Evidence ReadOne(const std::string& sql) { return ReadLog({{sql, 1, "line 1"}}); }

std::string Show(const ObservedJoin& join) {
  return fmt::format("{}({}) = {}({})", join.table, fmt::join(join.columns, ","), join.target,
                     fmt::join(join.target_columns, ","));
}

std::vector<std::string> JoinsOf(const Evidence& evidence) {
  std::vector<std::string> shown;
  for (const ObservedJoin& join : evidence.joins) shown.push_back(Show(join));
  return shown;
}

constexpr const char* kOrderCustomer = "public.customers(id) = public.orders(customer_id)";

struct JoinForm {
  const char* name;
  const char* sql;
  std::vector<std::string> joins;
};

class JoinForms : public testing::TestWithParam<JoinForm> {};

TEST_P(JoinForms, AreSeen) {
  const Evidence evidence = ReadOne(GetParam().sql);
  EXPECT_THAT(JoinsOf(evidence), UnorderedElementsAreArray(GetParam().joins));
  EXPECT_EQ(evidence.counts.unread, 0);
}

constexpr const char* kComposite =
    "public.order_lines(order_id,line_no) = public.shipments(order_id,line_no)";
constexpr const char* kManager = "public.employees(id) = public.employees(manager_id)";

INSTANTIATE_TEST_SUITE_P(
    All, JoinForms,
    testing::Values(
        JoinForm{"on",
                 "SELECT * FROM orders o JOIN customers c ON o.customer_id = c.id",
                 {kOrderCustomer}},
        JoinForm{"left_and_turned",
                 "SELECT 1 FROM customers LEFT JOIN orders ON customers.id = orders.customer_id",
                 {kOrderCustomer}},
        JoinForm{"composite",
                 "SELECT 1 FROM order_lines l JOIN shipments s ON l.order_id = s.order_id AND "
                 "(l.line_no = s.line_no AND l.quantity > 1)",
                 {kComposite}},
        JoinForm{"split_over_on_and_where",
                 "SELECT 1 FROM order_lines l JOIN shipments s ON l.order_id = s.order_id WHERE "
                 "s.line_no = l.line_no",
                 {kComposite}},
        JoinForm{"row",
                 "SELECT 1 FROM order_lines l, shipments s WHERE (l.order_id, l.line_no) = "
                 "(s.order_id, s.line_no)",
                 {kComposite}},
        JoinForm{"using",
                 "SELECT order_id FROM order_lines JOIN shipments USING (order_id, line_no)",
                 {kComposite}},
        JoinForm{"natural", "SELECT 1 FROM order_lines NATURAL JOIN shipments", {kComposite}},
        JoinForm{"natural_twice",
                 "SELECT 1 FROM order_lines NATURAL JOIN shipments NATURAL JOIN products",
                 {kComposite, "public.order_lines(product_id) = public.products(product_id)"}},
        JoinForm{"comma",
                 "SELECT 1 FROM orders o, customers c WHERE c.id = o.customer_id AND "
                 "o.total > 5",
                 {kOrderCustomer}},
        JoinForm{"without_aliases",
                 "SELECT 1 FROM orders, employees, customers WHERE customer_id "
                 "= customers.id AND manager_id IS NULL",
                 {kOrderCustomer}},
        JoinForm{"schema_in_reference",
                 "SELECT 1 FROM public.orders JOIN public.customers ON public.orders.customer_id = "
                 "public.customers.id",
                 {kOrderCustomer}},
        JoinForm{"cast",
                 "SELECT 1 FROM orders o JOIN customers c ON o.customer_id::text = "
                 "CAST(c.id AS text)",
                 {kOrderCustomer}},
        JoinForm{"cte",
                 "WITH recent AS (SELECT customer_id AS buyer, total FROM orders) SELECT 1 "
                 "FROM recent r JOIN customers c ON c.id = r.buyer",
                 {kOrderCustomer}},
        JoinForm{"cte_with_names",
                 "WITH recent(a, b) AS (SELECT id, customer_id FROM orders) "
                 "SELECT 1 FROM recent JOIN customers c ON c.id = b",
                 {kOrderCustomer}},
        JoinForm{"cte_inside_and_twice",
                 "WITH j AS (SELECT o.id, o.customer_id FROM orders o JOIN customers c ON "
                 "o.customer_id = c.id) SELECT 1 FROM j JOIN order_lines l ON l.order_id = j.id "
                 "JOIN j AS k ON k.id = j.id",
                 {kOrderCustomer, "public.order_lines(order_id) = public.orders(id)"}},
        JoinForm{"recursive",
                 "WITH RECURSIVE tree AS (SELECT id, name FROM employees WHERE "
                 "manager_id IS NULL UNION ALL SELECT e.id, e.name FROM employees e "
                 "JOIN tree t ON e.manager_id = t.id) SELECT * FROM tree",
                 {kManager}},
        JoinForm{"subquery",
                 "SELECT 1 FROM (SELECT * FROM (SELECT customer_id FROM orders GROUP "
                 "BY customer_id) a) s JOIN customers c ON s.customer_id = c.id",
                 {kOrderCustomer}},
        JoinForm{"subquery_that_computes",
                 "SELECT 1 FROM (SELECT customer_id + 1 AS customer_id "
                 "FROM orders) s JOIN customers c ON s.customer_id = c.id",
                 {}},
        JoinForm{"union",
                 "SELECT 1 FROM (SELECT customer_id FROM orders UNION SELECT customer_id "
                 "FROM orders) s JOIN customers c ON s.customer_id = c.id",
                 {kOrderCustomer}},
        JoinForm{"union_of_different",
                 "SELECT 1 FROM (SELECT customer_id FROM orders UNION SELECT "
                 "id FROM employees) s JOIN customers c ON s.customer_id = "
                 "c.id",
                 {}},
        JoinForm{"lateral",
                 "SELECT 1 FROM customers c JOIN LATERAL (SELECT total FROM orders o "
                 "WHERE o.customer_id = c.id LIMIT 3) x ON true",
                 {kOrderCustomer}},
        JoinForm{"lateral_after_comma",
                 "SELECT 1 FROM customers c, LATERAL (SELECT * FROM orders "
                 "WHERE customer_id = c.id) x",
                 {kOrderCustomer}},
        JoinForm{"self",
                 "SELECT e.name FROM employees e JOIN employees m ON e.manager_id = m.id",
                 {kManager}},
        JoinForm{"self_with_the_same_column",
                 "SELECT 1 FROM orders a JOIN orders b ON a.customer_id = b.customer_id",
                 {}},
        JoinForm{"in",
                 "SELECT 1 FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE "
                 "region = 'x')",
                 {kOrderCustomer}},
        JoinForm{"not_in",
                 "SELECT 1 FROM customers c WHERE NOT (c.id = ANY (SELECT customer_id "
                 "FROM orders)) OR region IS NULL",
                 {kOrderCustomer}},
        JoinForm{"exists",
                 "SELECT 1 FROM customers c WHERE NOT EXISTS (SELECT * FROM orders o "
                 "WHERE o.customer_id = c.id)",
                 {kOrderCustomer}},
        JoinForm{"scalar",
                 "SELECT (SELECT max(total) FROM orders WHERE customer_id = c.id) FROM "
                 "customers c",
                 {kOrderCustomer}},
        JoinForm{"or_is_no_join",
                 "SELECT 1 FROM orders o, customers c WHERE o.customer_id = c.id "
                 "OR o.region = c.region",
                 {}},
        JoinForm{"not_equal_is_no_join",
                 "SELECT 1 FROM orders o JOIN customers c ON o.customer_id <> c.id",
                 {}},
        JoinForm{"named_join",
                 "SELECT j.name FROM (orders o JOIN customers c ON o.customer_id = "
                 "c.id) AS j JOIN order_lines l ON l.line_no = j.total",
                 {kOrderCustomer, "public.order_lines(line_no) = public.orders(total)"}},
        JoinForm{"insert",
                 "INSERT INTO x SELECT 1 FROM orders JOIN customers c ON customer_id = "
                 "c.id",
                 {kOrderCustomer}},
        JoinForm{"insert_with",
                 "WITH c AS (SELECT id FROM customers) INSERT INTO x SELECT 1 FROM "
                 "orders JOIN c ON customer_id = c.id",
                 {kOrderCustomer}},
        JoinForm{"view",
                 "CREATE OR REPLACE VIEW v AS SELECT 1 FROM orders o JOIN customers c ON "
                 "o.customer_id = c.id AND c.name = 'alice'",
                 {kOrderCustomer}},
        JoinForm{"materialized_view",
                 "CREATE MATERIALIZED VIEW v AS SELECT 1 FROM orders o, "
                 "customers c WHERE o.customer_id = c.id",
                 {kOrderCustomer}},
        JoinForm{"table_as",
                 "CREATE TABLE t AS SELECT 1 FROM orders o, customers c WHERE "
                 "o.customer_id = c.id",
                 {kOrderCustomer}},
        JoinForm{"update_is_no_evidence",
                 "UPDATE orders SET total = 1 FROM customers c WHERE "
                 "customer_id = c.id",
                 {}},
        JoinForm{"other_schema",
                 "SELECT 1 FROM archive.orders o JOIN customers c ON o.customer_id "
                 "= c.id",
                 {"archive.orders(customer_id) = public.customers(id)"}},
        JoinForm{"names_in_other_case",
                 "SELECT 1 FROM Invoices i JOIN customers c ON i.CustomerID "
                 "= c.id",
                 {"Mixed.Invoices(CustomerId) = public.customers(id)"}},
        JoinForm{"unknown_table_beside",
                 "SELECT 1 FROM orders o JOIN nowhere n ON n.a = o.id JOIN "
                 "customers c ON c.id = o.customer_id",
                 {kOrderCustomer}},
        JoinForm{"function_beside",
                 "SELECT d FROM generate_series(1, 3) AS d JOIN orders o ON "
                 "o.id = d JOIN customers c ON c.id = o.customer_id",
                 {kOrderCustomer}}),
    [](const auto& test) { return test.param.name; });

TEST(QueryLog, CountsStatementsThatDifferOnce) {
  const Evidence evidence = ReadLog(
      {{"SELECT 1 FROM orders o JOIN customers c ON c.id = o.customer_id WHERE total > 5", 3, ""},
       {"select  2 from orders o join customers c on c.id = o.customer_id where total > 6 -- x", 4,
        ""},
       {"SELECT name FROM orders o JOIN customers c ON c.id = o.customer_id", 10, ""}});
  ASSERT_THAT(evidence.joins, SizeIs(1));
  EXPECT_EQ(evidence.joins[0].observations, 2);
  EXPECT_EQ(evidence.joins[0].calls, 17);
  EXPECT_EQ(evidence.counts.read, 3);
}

TEST(QueryLog, KeepsQueriesWithoutConstantsAndComments) {
  const Evidence evidence = ReadOne(
      "SELECT name /* for alice */ FROM customers WHERE name = 'Alice' AND id = 12345 LIMIT 7");
  ASSERT_THAT(evidence.queries, SizeIs(1));
  EXPECT_EQ(evidence.queries[0].sql,
            "SELECT name FROM customers WHERE name = $1 AND id = $2 LIMIT $3");
  EXPECT_THAT(evidence.queries[0].tables, ElementsAre(TouchedTable{kCustomers, {"id", "name"}}));
}

struct Unkept {
  const char* name;
  const char* sql;
};

class UnkeptQueries : public testing::TestWithParam<Unkept> {};

TEST_P(UnkeptQueries, AreEvidenceButNoExamples) {
  const Evidence evidence = ReadOne(GetParam().sql);
  EXPECT_THAT(evidence.queries, IsEmpty());
  EXPECT_EQ(evidence.counts.read, 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, UnkeptQueries,
    testing::Values(
        Unkept{"constant_as_a_name", "SELECT id FROM customers WHERE name = \"Alice\""},
        Unkept{"unknown_table", "SELECT c.id FROM customers c JOIN nowhere n ON n.id = c.id"},
        Unkept{"unknown_column", "SELECT c.birthday FROM customers c"},
        Unkept{"locks", "SELECT id FROM customers FOR UPDATE"},
        Unkept{"into", "SELECT id INTO x FROM customers"},
        Unkept{"writes_in_with",
               "WITH gone AS (DELETE FROM orders RETURNING id) SELECT c.id FROM customers c, gone"},
        Unkept{"view", "CREATE VIEW v AS SELECT id FROM customers WHERE name = 'alice'"},
        Unkept{"insert", "INSERT INTO x SELECT id FROM customers"}),
    [](const auto& test) { return test.param.name; });

TEST(QueryLog, TouchesEveryColumnWhereverItStands) {
  const auto touched = [](const std::string& sql) {
    const Evidence evidence = ReadOne(sql);
    return evidence.queries.size() == 1 ? evidence.queries[0].tables : std::vector<TouchedTable>();
  };
  const std::vector<TouchedTable> all = {{kCustomers, {"id", "name", "region", "password"}}};
  EXPECT_EQ(touched("SELECT * FROM customers"), all);
  EXPECT_EQ(touched("SELECT row_to_json(c) FROM customers c"), all);
  EXPECT_EQ(touched("SELECT c.* FROM customers AS c"), all);
  const std::vector<TouchedTable> password = {{kCustomers, {"password"}}};
  EXPECT_EQ(touched("SELECT count(*) FROM customers WHERE length(password) > 3"), password);
  EXPECT_EQ(touched("SELECT count(*) FROM customers ORDER BY max(lower(password))"), password);
  EXPECT_EQ(touched("SELECT 1 FROM (SELECT password AS p FROM customers) s WHERE s.p = 'x'"),
            password);
  EXPECT_EQ(touched("SELECT password AS total FROM customers GROUP BY total"), password);
  EXPECT_EQ(touched("SELECT sum(1) OVER (PARTITION BY password) FROM customers"), password);
  EXPECT_EQ(touched("SELECT count(*) FROM customers"),
            (std::vector<TouchedTable>{{kCustomers, {}}}));
}

TEST(QueryLog, NamesTheFirstThatCannotBeReadAndReadsTheRest) {
  std::vector<Entry> log;
  for (int i = 0; i < 8; ++i) log.push_back({"SELECT `x` FROM", 1, fmt::format("line {}", i)});
  log.push_back({std::string("SELECT '\xff' FROM orders"), 1, "line 8"});
  log.push_back({"SELECT id FROM orders", 1, "line 9"});
  log.push_back({"VACUUM", 1, "line 10"});
  log.push_back({"SELECT 1 FROM pg_class", 1, "line 11"});
  const Counts counts = ReadLog(log).counts;
  EXPECT_EQ(counts.statements, 12);
  EXPECT_EQ(counts.unread, 9);
  EXPECT_EQ(counts.read, 1);
  EXPECT_EQ(counts.other, 1);
  EXPECT_EQ(counts.elsewhere, 1);
  ASSERT_THAT(counts.unread_first, SizeIs(kUnreadShownMax));
  EXPECT_EQ(counts.unread_first[0], (Unread{"line 0", "not PostgreSQL"}));
}

TEST(QueryLog, FollowsTheSearchPath) {
  const std::string join = "SELECT 1 FROM orders o JOIN customers c ON o.customer_id = c.id";
  EXPECT_THAT(JoinsOf(ReadOne("SET search_path TO archive, public; " + join)),
              ElementsAre("archive.orders(customer_id) = public.customers(id)"));
  EXPECT_THAT(JoinsOf(ReadOne("SET search_path = \"$user\", public; " + join)),
              ElementsAre(kOrderCustomer));
  EXPECT_THAT(JoinsOf(ReadLog({{join, 1, ""}}, {.search_path = {"elsewhere"}})), IsEmpty());
}

TEST(QueryLog, KeepsTheMostCalledOfEachTable) {
  std::vector<Entry> log;
  for (std::size_t i = 0; i < kQueriesPerTableMax + 3; ++i)
    log.push_back({"SELECT id" + std::string(i, '+') + " FROM orders", 0, ""});
  for (std::size_t i = 0; i < log.size(); ++i) {
    log[i].sql = fmt::format("SELECT id AS a{} FROM orders", i);
    log[i].calls = static_cast<std::int64_t>(i);
  }
  log.push_back({"SELECT name FROM products, customers", 1, ""});
  const Evidence evidence = ReadLog(log);
  EXPECT_EQ(evidence.counts.queries_cut, 3);
  ASSERT_THAT(evidence.queries, SizeIs(kQueriesPerTableMax + 1));
  EXPECT_EQ(evidence.queries.front().sql,
            fmt::format("SELECT id AS a{} FROM orders", kQueriesPerTableMax + 2));
}

TEST(QueryLog, RefusesALogWithoutEnd) {
  const SystemClock clock;
  CallContext ctx(clock);
  std::string many;
  for (std::size_t i = 0; i <= kStatementsMax; ++i) many += "VACUUM;";
  EXPECT_THAT(Read({{many, 1, ""}}, Shop(), {}, ctx), IsError(ErrorKind::ByteCap));
}

TEST(QueryLog, SurvivesDepth) {
  const auto repeat = [](const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
  };
  const Counts counts =
      ReadLog({{"SELECT id FROM orders WHERE 1" + repeat("+1", 19'000) + " > 0", 1, "sum"},
               {"SELECT 1 FROM orders" + repeat(" UNION SELECT 1 FROM orders", 7'000), 1, "union"},
               {repeat("SELECT * FROM (", 600) + "orders" + repeat(")", 600), 1, "nested"},
               {"SELECT id FROM orders WHERE" + repeat(" NOT", 30'000) + " true", 1, "not"}})
          .counts;
  EXPECT_EQ(counts.statements, 4);
  EXPECT_EQ(counts.unread, 4);
}

TEST(QueryLog, ObeysItsDeadline) {
  const SystemClock clock;
  CallContext ctx(clock);
  std::stop_source stop;
  stop.request_stop();
  ctx.stop = stop.get_token();
  EXPECT_THAT(Read({{"SELECT 1", 1, ""}}, Shop(), {}, ctx), IsError(ErrorKind::Cancelled));
}

}  // namespace
}  // namespace schemaward::querylog

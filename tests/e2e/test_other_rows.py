"""Rows of others: what a policy's row filter keeps back is in no answer, count, error, plan or estimate, on each engine."""
import json, unittest

import engines
from ward import Case

# COVERS: R-REC-1
MARK = "-kept"  # in each text of a row that is not the caller's, and in no statement
OWN, OTHERS = 200, 1800  # rows of the caller, rows of others
TABLES = """
CREATE TABLE sale (id integer PRIMARY KEY, tenant varchar(20), buyer varchar(40), cents integer, code varchar(20));
CREATE INDEX sale_buyer ON sale (buyer);
CREATE INDEX sale_cents ON sale (cents);
CREATE TABLE town (id integer PRIMARY KEY, tenant varchar(20));
CREATE VIEW buyers AS SELECT buyer, count(*) AS n FROM sale GROUP BY buyer;
INSERT INTO town VALUES (1, 'acme'), (2, 'other');
"""

DEFINITIONS = {
    "entities/sale.yaml": "name: sale\ntable: SCHEMA.sale\nidentity: id\ncolumns: [buyer, cents]\n",
    "metrics/sales.yaml": "name: sales\nentity: sale\naggregation: count\n",
}


def rows():
    own = [(i, "acme", f"own {i % 4}", i, str(i)) for i in range(1, OWN + 1)]
    others = [(i, "other", "Jones" if i % 7 == 0 else f"b{i % 20}{MARK}", 10 * i, f"c{i}{MARK}") for i in range(OWN + 1, OWN + OTHERS + 1)]
    return "INSERT INTO sale VALUES " + ", ".join(f"({i}, '{tenant}', '{buyer}', {cents}, '{code}')" for i, tenant, buyer, cents, code in own + others) + ";"


# Each would count the rows of others if they were there; all of them have one number.
COUNTS = {
    "SELECT count(*) AS n FROM sale": OWN, "SELECT count(*) AS n FROM sale WHERE tenant = 'other' OR 1 = 1": OWN, "SELECT count(*) AS n FROM sale AS tenant": OWN,
    "WITH sale AS (SELECT * FROM sale) SELECT count(*) AS n FROM sale": OWN, "WITH tenant AS (SELECT cents FROM sale) SELECT count(*) AS n FROM tenant": OWN,
    "SELECT count(*) AS n FROM (SELECT 'acme' AS tenant, id FROM sale) sale": OWN, "SELECT count(*) AS n FROM sale a LEFT JOIN sale b ON b.tenant = 'other'": OWN,
    "SELECT count(b.id) AS n FROM town a LEFT JOIN sale b ON b.buyer = 'Jones'": 0, "SELECT count(*) AS n FROM town t WHERE EXISTS (SELECT 1 FROM sale s WHERE s.tenant = t.tenant)": 1,
    "SELECT count(*) AS n FROM town t WHERE t.id NOT IN (SELECT id FROM sale)": 0, "SELECT count(*) AS n FROM sale WHERE buyer = 'Jones'": 0, "SELECT max(cents) AS n FROM sale": OWN,
    "SELECT count(*) AS n FROM (SELECT id FROM sale UNION ALL SELECT id FROM sale WHERE tenant <> 'acme') u": OWN, "SELECT count(DISTINCT tenant) AS n FROM sale": 1,
    "SELECT (SELECT count(*) FROM sale WHERE cents > 2000) AS n": 0, "SELECT count(*) AS n FROM town t JOIN sale s ON s.tenant = t.tenant": OWN, "SELECT sum(n) AS n FROM (SELECT count(*) AS n FROM sale GROUP BY tenant) g": OWN,
}
# Each has an answer of its own where some row of others fits, and another where none does: the two of a pair must be told alike.
PAIRS = (
    ("SELECT id FROM sale WHERE buyer = 'Jones'", "SELECT id FROM sale WHERE buyer = 'Nobody'"), ("SELECT id FROM sale WHERE id = 1001", "SELECT id FROM sale WHERE id = 999999"),
    ("SELECT id FROM sale WHERE cents > 15000", "SELECT id FROM sale WHERE cents > 99999"), ("SELECT count(*) AS n FROM sale WHERE cents BETWEEN 15000 AND 19000", "SELECT count(*) AS n FROM sale WHERE cents BETWEEN 35000 AND 39000"),
)


class OtherRows:
    """The same for each engine; mixed into the cases below."""
    analyze = ""
    number = "integer"

    def setUp(self):
        super().setUp()
        self.policy = self.folder / "policy.yaml"
        self.environment["SCHEMAWARD_POLICY"] = str(self.policy)
        self.use("")
        self.ward("index", self.make_database("rows", TABLES + rows() + self.analyze), "--name", "rows", "--no-suggest")
        for name, text in DEFINITIONS.items():
            path = self.folder / "definitions" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("SCHEMA", self.schema))
        self.ward("apply", self.folder / "definitions")
        self.use(f"row_filters: {{{self.schema}.sale: tenant = 'acme'}}\n")

    def use(self, text):
        self.policy.write_text("version: 1\nprofile: team\n" + text)

    def ask(self, server, tool, **arguments):
        """What a tool answers; no text of a row that is not the caller's may be in it."""
        answer = server.request("tools/call", {"name": tool, "arguments": arguments})
        self.assertNotIn(MARK, json.dumps(answer), (tool, arguments))
        return answer["result"]["structuredContent"]

    def check_counts_are_of_the_callers_rows(self):
        for sql, number in COUNTS.items():
            self.assertEqual(str(self.ask(self.server, "execute_query", sql=sql)["data"]["rows"][0][0]), str(number), sql)

    def check_a_view_over_the_table_is_refused(self):
        for sql in ("SELECT * FROM buyers", "SELECT n FROM buyers WHERE buyer = 'Jones'"):
            for tool in ("execute_query", "validate_query"):
                self.assertEqual(self.ask(self.server, tool, sql=sql)["error"]["kind"], "policy_blocked", sql)

    def check_plans_and_estimates_are_withheld(self):
        for pair in PAIRS:
            for sql in pair:
                said = self.ask(self.server, "validate_query", sql=sql)
                self.assertEqual((said["status"], said["data"]["decision"], said["data"]["plan_withheld"]), ("partial", "allowed", "row_filters"), said)
                self.assertEqual((said["data"].get("plan"), said["data"]["estimated_rows"], said["data"]["estimated_cost"]), (None, None, None), said)
                said = self.ask(self.server, "execute_query", sql="EXPLAIN " + sql)
                self.assertEqual((said["status"], said["data"].get("plan"), said["data"]["plan_withheld"]), ("partial", None, "row_filters"), said)
        said = self.ask(self.server, "validate_query", sql="SELECT id FROM town")  # no filter, no reason
        self.assertEqual((said["status"], "plan_withheld" in said["data"]), ("success", False), said)
        self.assertTrue(said["data"]["plan"])

    def check_answers_differ_in_nothing_by_the_rows_of_others(self):
        for pair in PAIRS:
            rows, empty = [self.ask(self.server, "execute_query", sql=sql) for sql in pair]
            self.assertEqual((rows["status"], rows["data"]["rows"]), (empty["status"], empty["data"]["rows"]), pair)

    def check_what_can_fail_fails_for_no_row_of_others(self):
        # `code` is a number in each row of the caller, and no number in the others.
        for sql in (f"SELECT count(*) AS n FROM sale WHERE CAST(code AS {self.number}) > 0", f"SELECT sum(CAST(code AS {self.number})) - {OWN * (OWN + 1) // 2 - OWN} AS n FROM sale",
                    "SELECT count(*) AS n FROM sale WHERE 100 / (cents - 15000) < 1000"):
            said = self.ask(self.server, "execute_query", sql=sql)
            self.assertEqual(str(said["data"]["rows"][0][0]), str(OWN), said)

    def check_an_error_shows_no_value(self):
        # Of the caller's own rows: an error goes into logs and prompts.
        said = self.server.request("tools/call", {"name": "execute_query", "arguments": {"sql": f"SELECT CAST(buyer AS {self.number}) AS n FROM sale ORDER BY id LIMIT 3"}})
        self.assertNotIn("own 1", json.dumps(said["result"]))

    def check_values_are_of_the_callers_rows(self):
        said = self.ask(self.server, "describe_column", qualified_name=f"{self.schema}.sale.buyer", values=True)["data"]
        self.assertEqual((len(said["values"]), sum(value["rows"] for value in said["values"])), (4, OWN))
        for tool, arguments in (("describe_table", {"response_format": "detailed"}), ("get_example_queries", {"response_format": "detailed"})):
            self.ask(self.server, tool, qualified_name=f"{self.schema}.sale", **arguments)

    def check_metrics_are_of_the_callers_rows(self):
        metric = lambda **arguments: self.ask(self.server, "get_metric", **arguments)["data"]
        self.assertEqual(metric(name="sales")["rows"][0], [OWN])
        by_buyer = metric(name="sales", group_by=["sale.buyer"])["rows"]
        self.assertEqual(sorted(by_buyer), [[f"own {i}", OWN // 4] for i in range(4)])
        for value in ("Jones", "x' OR '1' = '1"):
            said = self.ask(self.server, "get_metric", name="sales", filters=[{"column": "sale.buyer", "value": value}])
            self.assertEqual(said["status"], "empty", said)  # and the near values that it offers are the caller's: see ask()
            self.assertTrue(all(near.startswith("own") for one in said["data"].get("nearest_values", []) for near in one["values"]), said)

    def test_what_a_filter_keeps_back_is_in_no_answer(self):
        # One source and one server for all of them: to make them costs more than to ask.
        self.server = self.serve()
        for name in sorted(name for name in dir(self) if name.startswith("check_")):
            with self.subTest(name):
                getattr(self, name)()

    def test_without_the_filter_the_rows_are_there(self):
        # Else the test above would hold of an empty table.
        self.use("")
        server = self.serve()
        rows = lambda sql: server.call("execute_query", sql=sql)["data"]["rows"]
        self.assertEqual(rows("SELECT count(*) AS n FROM sale"), [[OWN + OTHERS]])
        self.assertNotEqual(rows(PAIRS[0][0]), [])
        self.assertIn(MARK, json.dumps(rows("SELECT buyer FROM sale WHERE tenant = 'other'")))
        self.assertTrue(server.call("validate_query", sql=PAIRS[0][0])["data"]["plan"])


class Sqlite(OtherRows, engines.Sqlite, Case):
    pass


class Costs:
    """Engines that say costs; their refusals must not tell what the plan may not."""

    def test_a_refusal_for_its_cost_names_no_estimate(self):
        self.use(f"row_filters: {{{self.schema}.sale: tenant = 'acme'}}\nlimits: {{plan_rows_max: 1, plan_cost_max: 1}}\n")
        said = self.ask(self.serve(), "execute_query", sql="SELECT id FROM sale WHERE cents > 0")["error"]
        self.assertEqual(said["kind"], "cost_cap_exceeded", said)
        self.assertRegex(said["message"], r"^the engine estimates (a cost of )?more( rows)?; the policy allows 1$")


class Postgres(OtherRows, Costs, engines.Postgres, Case):
    analyze = "ANALYZE;"


class MariaDb(OtherRows, Costs, engines.MariaDb, Case):
    analyze = "ANALYZE TABLE sale;"
    number = "signed"


class DuckDb(OtherRows, engines.DuckDb, Case):
    pass


if __name__ == "__main__":
    unittest.main()

"""Hidden names: what the server puts on a statement (hints, texts of views, stars, filters, masks) tells no name that the policy hides, on each engine."""
import json, unittest

import engines
from ward import Case

# The hidden names, and what is named after them: no answer may hold one that the statement does not.
HIDDEN = ("email", "phone")
TABLES = """
CREATE TABLE account (id integer PRIMARY KEY, email varchar(60) NOT NULL, phone varchar(40), city varchar(20), plan varchar(20));
CREATE INDEX account_by_email ON account (email, id);
CREATE VIEW towns AS SELECT id, city FROM account WHERE email IS NOT NULL;
"""
ROWS = "INSERT INTO account VALUES " + ", ".join(f"({i}, 'p{97 * i % 100:02}@one.test', '+49 30 {i}', 'Town {i % 3}', 'free')" for i in range(1, 41)) + ";"
# Where `view` stands its text does, in engines that take hints, and a hint names the index.
STATEMENTS = ("SELECT id FROM account LIMIT 5", "SELECT id, city FROM account ORDER BY id LIMIT 5", "SELECT count(*) AS n FROM account WHERE city = 'Town 1'", "SELECT t.id FROM towns t ORDER BY t.id LIMIT 5",
              "SELECT city, count(*) AS n FROM account GROUP BY city ORDER BY city", "SELECT a.id FROM account a JOIN towns t ON t.id = a.id ORDER BY a.id LIMIT 5")


class HiddenNames:
    """The same for each engine; mixed into the cases below."""

    def setUp(self):
        super().setUp()
        self.policy = self.folder / "policy.yaml"
        self.environment["SCHEMAWARD_POLICY"] = str(self.policy)
        self.use("profile: strict\n")
        self.ward("index", self.make_database("names", TABLES + ROWS), "--name", "names", "--no-suggest")

    def use(self, text):
        self.policy.write_text("version: 1\n" + text)

    def ask(self, server, tool, **arguments):
        """What a tool answers; what is sent names nothing hidden, so neither may the answer."""
        answer = server.request("tools/call", {"name": tool, "arguments": arguments})
        for name in HIDDEN:
            self.assertNotIn(name, json.dumps(answer).lower(), (tool, arguments))
        return answer["result"]["structuredContent"]

    def check_statements(self, server, count):
        for sql in STATEMENTS:
            said = self.ask(server, "execute_query", sql=sql, response_format="detailed")
            self.assertEqual(said["status"], "success", said)
            self.assertIn("hidden_names", said["data"]["rules"], sql)
            self.assertTrue(said["data"]["statement"], sql)
            self.ask(server, "execute_query", sql=sql, dry_run=True, response_format="detailed")
            said = self.ask(server, "validate_query", sql=sql)
            self.assertEqual((said["data"]["decision"], said["status"], "plan" in said["data"]), ("allowed", "partial", False), said)
            said = self.ask(server, "execute_query", sql="EXPLAIN " + sql)
            self.assertEqual((said["status"], "plan" in said["data"]), ("partial", False), said)
        said = self.ask(server, "execute_query", sql="SELECT count(*) AS n FROM account")
        self.assertEqual(str(said["data"]["rows"][0][0]), str(count), said)

    def test_what_the_server_adds_names_nothing_hidden(self):
        server = self.serve()
        self.check_statements(server, 40)
        said = self.ask(server, "validate_query", sql="SELECT id FROM account LIMIT 5")
        self.assertEqual(said["data"]["plan_withheld"], "hidden_names", said)  # and the engine's estimates stand, where it has them
        if self.engine in ("postgres", "mysql"):
            self.assertGreater(said["data"]["estimated_rows"], 0, said)
        said = self.ask(server, "execute_query", sql="SELECT * FROM account")
        self.assertEqual(said["error"]["kind"], "pii_blocked", said)
        self.ask(server, "describe_table", qualified_name=f"{self.schema}.account", response_format="detailed")
        self.ask(server, "describe_column", qualified_name=f"{self.schema}.account.city", values=True)
        # A filter by a hidden column, and masks where a star stands.
        self.use(f"profile: strict\ncategories: {{contact: mask}}\n"
             f"row_filters: {{{self.schema}.account: email < 'p50', {self.schema}.towns: id > 0}}\n")
        server = self.serve()
        self.check_statements(server, sum(97 * i % 100 < 50 for i in range(1, 41)))
        said = self.ask(server, "execute_query", sql="SELECT * FROM account ORDER BY id LIMIT 2", response_format="detailed")["data"]
        self.assertEqual([column["name"] for column in said["columns"]], ["id", "hidden_2", "hidden_3", "city", "plan"], said)
        self.assertEqual([row[1:3] for row in said["rows"]], [["***", "***"]] * 2, said)
        self.assertEqual(said["masked"], ["hidden_2", "hidden_3"], said)
        # What the caller names itself is called so.
        said = server.request("tools/call", {"name": "execute_query", "arguments": {"sql": "SELECT email FROM account ORDER BY id LIMIT 1"}})["result"]["structuredContent"]["data"]
        self.assertEqual((said["columns"][0]["name"], said["rows"]), ("email", [["***"]]), said)


class Sqlite(HiddenNames, engines.Sqlite, Case):
    pass


class Postgres(HiddenNames, engines.Postgres, Case):
    pass


class MariaDb(HiddenNames, engines.MariaDb, Case):
    pass


class DuckDb(HiddenNames, engines.DuckDb, Case):
    pass


if __name__ == "__main__":
    unittest.main()

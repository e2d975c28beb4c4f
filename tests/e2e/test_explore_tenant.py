"""A run under a policy's row filter: whatever a model asks, in a run or while a number is verified, it gets rows of its caller alone."""
import json, sqlite3, unittest

from ward import Case

ROWS = "CREATE TABLE sale (id INTEGER PRIMARY KEY, tenant TEXT, cents INTEGER); INSERT INTO sale VALUES (1, 'acme', 5), (2, 'acme', 7), (3, 'other', 100), (4, 'other', 200); CREATE TABLE secret (id INTEGER PRIMARY KEY);"
POLICY = "row_filters:\n  main.sale: tenant = '${claims.tenant}'\n"


class Tenant(Case):
    def setUp(self):
        super().setUp()
        with sqlite3.connect(self.folder / "sales.db") as database:
            database.executescript(ROWS)
        self.ward("index", self.folder / "sales.db")
        (self.folder / "policy.yaml").write_text(POLICY)
        self.claim("claims: {tenant: acme}\n")
        self.environment.update(SCHEMAWARD_POLICY=str(self.folder / "policy.yaml"), SCHEMAWARD_CONFIG=str(self.folder / "schemaward.yaml"))

    def claim(self, text):
        (self.folder / "schemaward.yaml").write_text(text)

    def steps(self, *queries, code=0):
        """The steps of a run in which a model asks these: statements, or whole actions."""
        asked = [query if isinstance(query, dict) else {"query": query} for query in queries]
        (self.folder / "replies.json").write_text(json.dumps(asked + [{"done": True, "summary": "so"}] * 2))
        run = json.loads(self.ward("explore", "what was sold?", "--json", "--model", f"scripted:{self.folder / 'replies.json'}", code=code))
        kept = json.loads(self.ward("runs", "export", run["run_id"], "--format", "json"))
        return kept["steps"][:len(queries)], run

    def test_every_way_to_ask_gives_the_callers_rows(self):
        queries = ("SELECT count(*) AS n, sum(cents) AS s FROM sale", "SELECT count(*) AS n, sum(cents) AS s FROM sale WHERE tenant = 'other' OR 1 = 1",
                   "SELECT count(*) AS n, sum(cents) AS s FROM (SELECT * FROM sale) AS tenant", "WITH tenant AS (SELECT cents FROM sale) SELECT count(*) AS n, sum(cents) AS s FROM tenant",
                   "SELECT count(*) AS n, sum(a.cents) AS s FROM sale a /* tenant = 'other' */")
        steps, run = self.steps(*queries)
        for step in steps:
            self.assertIn("n=2, s=12", step["observation"], step)
            self.assertIn("'acme'", step["statement"], step)
        self.assertEqual(run["queries_successful"], len(queries))

    def test_rows_of_others_are_not_there(self):
        steps, _ = self.steps("SELECT count(*) AS n FROM sale WHERE tenant = 'other'", "SELECT max(cents) AS m FROM sale")
        self.assertIn("n=0", steps[0]["observation"])
        self.assertIn("m=7", steps[1]["observation"])

    def test_sample_rows_that_the_index_keeps_are_not_shown_to_another_caller(self):
        policy = self.environment.pop("SCHEMAWARD_POLICY")
        self.ward("index", self.folder / "sales.db", "--sample", "5")  # of all rows
        (everybodys,), _ = self.steps({"lookup_schema": ["main.sale"]})
        self.assertIn("other", everybodys["observation"])
        self.environment["SCHEMAWARD_POLICY"] = policy
        (own,), _ = self.steps({"lookup_schema": ["main.sale"]})
        self.assertIn("acme", own["observation"])
        self.assertNotIn("other", json.dumps(own))

    def test_a_caller_of_whom_nothing_is_known_gets_no_row(self):
        self.claim("refresh: 'on'\n")
        steps, _ = self.steps("SELECT count(*) AS n FROM sale")
        self.assertIn("n=0", steps[0]["observation"])

    def test_what_the_policy_refuses_is_told_and_not_mended(self):
        (self.folder / "policy.yaml").write_text(POLICY + "deny: {tables: [main.secret]}\n")
        steps, run = self.steps("SELECT count(*) AS n FROM secret")
        self.assertTrue(steps[0]["error"])
        self.assertEqual((steps[0]["statement"], steps[0]["repairs"]), ("", []))
        self.assertEqual((run["status"], run["queries_failed"], run["repairs"]), ("completed", 1, 0))

    def test_a_number_of_all_rows_is_not_confirmed(self):
        (self.folder / "insights.json").write_text(json.dumps({"insights": [
            {"id": "all", "name": "All", "description": "4 sales", "affected_count": 4, "claimed_metric": "sales"}, {"id": "own", "name": "Own", "description": "2 sales", "affected_count": 2, "claimed_metric": "sales"}]}))
        count = {"query": "SELECT count(*) AS verified FROM sale"}
        (self.folder / "replies.json").write_text(json.dumps([count, count, count]))
        # One number differs from its claim: exit code 1.
        done = json.loads(self.ward("insights", "verify", self.folder / "insights.json", "--json", "--model", f"scripted:{self.folder / 'replies.json'}", code=1))
        self.assertEqual({one["insight_id"]: (one["validation"]["status"], one["validation"]["verified"]) for one in done["validations"]}, {"all": ("adjusted", "2"), "own": ("confirmed", "2")})


if __name__ == "__main__":
    unittest.main()

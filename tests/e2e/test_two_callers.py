"""Two callers of one server over HTTP, of whom the policy lets each reach something else: what one was told, kept or was given to come back with is of no use to the other."""
import hashlib, json, sqlite3, threading, unittest

from test_http import HttpServer
from ward import Case

# COVERS: R-MCP-5
TOKENS = {name: f"{name}-token-" * 6 for name in ("ana", "bob")}
ROWS = 60  # of each tenant
POLICY = """
version: 1
profile: team
unlisted_callers: refuse
row_filters:
  main.sale: tenant = '${claims.tenant}'
callers:
  - match: {principal: ana}
    deny: {tables: [main.pay], metrics: [salary]}
  - match: {principal: bob}
    deny: {tables: [main.plan], metrics: [plans]}
"""
DEFINITIONS = {
    "entities/sale.yaml": "name: sale\ntable: main.sale\nidentity: id\n", "entities/pay.yaml": "name: pay\ntable: main.pay\nidentity: id\n", "entities/plan.yaml": "name: plan\ntable: main.plan\nidentity: id\n",
    "metrics/sales.yaml": "name: sales\nentity: sale\naggregation: sum\ncolumn: cents\n", "metrics/salary.yaml": "name: salary\nentity: pay\naggregation: sum\ncolumn: cents\n",
    "metrics/plans.yaml": "name: plans\nentity: plan\naggregation: count\n",
}


class TwoCallers(Case):
    def setUp(self):
        super().setUp()
        with sqlite3.connect(self.folder / "shop.db") as database:
            database.executescript("CREATE TABLE sale (id INTEGER PRIMARY KEY, tenant TEXT, cents INTEGER, note TEXT); CREATE TABLE pay (id INTEGER PRIMARY KEY, cents INTEGER, sale INTEGER REFERENCES sale); "
                                   "CREATE TABLE plan (id INTEGER PRIMARY KEY, sale INTEGER REFERENCES sale, title TEXT); INSERT INTO pay VALUES (1, 70, 1); INSERT INTO plan VALUES (1, 1, 'x');")
            database.executemany("INSERT INTO sale VALUES (?, ?, ?, ?)", [(i, tenant, 1 if tenant == "ana" else 100, f"{tenant} {i}") for i in range(1, 2 * ROWS + 1) for tenant in [("ana", "bob")[i % 2]]])
        self.ward("index", self.folder / "shop.db", "--no-suggest", "--sample", "5")
        for name, text in DEFINITIONS.items():
            path = self.folder / "definitions" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.ward("apply", self.folder / "definitions")
        (self.folder / "policy.yaml").write_text(POLICY)
        tokens = self.folder / "tokens.yaml"
        tokens.write_text("tokens:\n" + "".join(f"  - {{id: {name}, sha256: {hashlib.sha256(token.encode()).hexdigest()}, claims: {{tenant: {name}}}}}\n" for name, token in TOKENS.items()))
        tokens.chmod(0o600)
        environment = {**self.environment, "SCHEMAWARD_HTTP_TOKENS": str(tokens), "SCHEMAWARD_POLICY": str(self.folder / "policy.yaml")}
        self.server = HttpServer(self.serve_command("--http", "127.0.0.1:0", "--tools", "default,sql,explore"), env=environment, cwd=self.folder)
        self.addCleanup(self.server.close)

    def request(self, who, method, **params):
        named = {"Mcp-Name": params["uri"]} if "uri" in params else {}
        status, _, body = self.server.modern(method, params, Authorization=f"Bearer {TOKENS[who]}", **named)
        return status, json.loads(body)

    def ask(self, who, tool, **arguments):
        status, answer = self.request(who, "tools/call", name=tool, arguments=arguments)
        self.assertEqual(status, 200, answer)
        return answer["result"]["structuredContent"]

    def in_turn(self, tool, **arguments):
        """What each is told where they ask one after the other, twice: {caller: answer}. The second time is as the first."""
        answers = {who: self.ask(who, tool, **arguments) for who in TOKENS}
        self.assertEqual({who: self.ask(who, tool, **arguments) for who in reversed(TOKENS)}, answers)
        return answers

    def test_each_has_the_rows_and_numbers_of_its_own(self):
        rows = {who: said["data"]["rows"] for who, said in self.in_turn("execute_query", sql="SELECT count(*) AS n, sum(cents) AS s FROM sale").items()}
        self.assertEqual(rows, {"ana": [[ROWS, ROWS]], "bob": [[ROWS, 100 * ROWS]]})
        numbers = {who: said["data"]["rows"] for who, said in self.in_turn("get_metric", name="sales").items()}
        self.assertEqual(numbers, {"ana": [[ROWS]], "bob": [[100 * ROWS]]})
        values = {who: said["data"]["values"] for who, said in self.in_turn("describe_column", qualified_name="main.sale.cents", values=True).items()}
        self.assertEqual({who: [(value["value"], value["rows"]) for value in said] for who, said in values.items()}, {"ana": [(1, ROWS)], "bob": [(100, ROWS)]})

    def test_what_one_may_know_of_is_not_told_to_the_other(self):
        for tool, arguments in (("describe_table", {"qualified_name": "main.%s"}), ("describe_entity", {"name": "%s"}), ("execute_query", {"sql": "SELECT count(*) AS n FROM %s"}),
                                ("validate_query", {"sql": "SELECT id FROM %s"}), ("suggest_joins", {"tables": ["main.sale", "main.%s"]}), ("resolve_join", {"entity_a": "sale", "entity_b": "%s"})):
            for table, owner in (("pay", "bob"), ("plan", "ana")):
                for who, said in self.in_turn(tool, **json.loads(json.dumps(arguments) % table)).items():
                    kind = (said["error"] or {}).get("kind")
                    self.assertEqual(kind == "policy_blocked", who != owner, (tool, who, table, said))

    def test_lists_and_near_names_hold_what_is_ones_own(self):
        others = {"ana": ("pay", "salary"), "bob": ("plan", "plans")}
        for tool, arguments in (("find_relevant_tables", {"query": "pay salary plan plans title", "response_format": "detailed"}), ("find_relevant_entities", {"query": "pay salary plan"}), ("list_metrics", {}),
                                ("list_entities", {}), ("describe_table", {"qualified_name": "main.sale", "response_format": "detailed"}), ("describe_table", {"qualified_name": "main.pla"}),
                                ("describe_entity", {"name": "pa"}), ("get_metric", {"name": "salari"}), ("get_metric", {"name": "plas"}), ("execute_query", {"sql": "SELECT 1 FROM pays"}), ("describe_entity", {"name": "sale"}),
                                ("execute_query", {"sql": "SELECT 1 FROM plann"}), ("get_example_queries", {"qualified_name": "main.sale"}), ("list_indexed_schemas", {})):
            for who, said in self.in_turn(tool, **arguments).items():
                for name in others[who]:
                    self.assertNotRegex(json.dumps(said), rf'\b{name}\b', (tool, arguments, who))

    def test_resources_are_ones_own(self):
        uris = {who: {one["uri"] for one in self.request(who, "resources/list")[1]["result"]["resources"]} for who in TOKENS}
        mine = {"ana": "plan", "bob": "pay"}
        for who, other in (("ana", "bob"), ("bob", "ana")):
            self.assertIn(f"schemaward://tables/shop/main.{mine[who]}", uris[who])
            self.assertNotIn(f"schemaward://tables/shop/main.{mine[other]}", uris[who])
            for uri in sorted(uris[other] - uris[who]):
                self.assertIn("result", self.request(other, "resources/read", uri=uri)[1], uri)
                self.assertIn("error", self.request(who, "resources/read", uri=uri)[1], uri)
            completed = self.request(who, "completion/complete", ref={"type": "ref/resource", "uri": "schemaward://tables/{source}/{table}"}, argument={"name": "table", "value": "p"})[1]["result"]["completion"]
            self.assertEqual(completed["values"], [f"main.{mine[who]}"])

    def test_a_cursor_is_good_for_whom_it_was_given_to(self):
        for tool, arguments in (("execute_query", {"sql": "SELECT id, tenant FROM sale ORDER BY id", "limit": 10}), ("list_metrics", {"limit": 1}), ("list_entities", {"limit": 1})):
            cursor = self.ask("ana", tool, **arguments)["data"]["next_cursor"]
            self.assertTrue(cursor, tool)
            refused = self.ask("bob", tool, cursor=cursor, **arguments)
            self.assertEqual((refused["error"]["kind"], refused["error"]["reason"]), ("malformed_name", "invalid_cursor"), refused)
            self.assertEqual(self.ask("ana", tool, cursor=cursor, **arguments)["status"], "success", tool)

    def test_a_session_is_good_for_whom_it_was_begun_by(self):
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "one", "version": "1"}}
        bearer = lambda who, **more: {"Authorization": f"Bearer {TOKENS[who]}", **more}
        _, headers, _ = self.server.ask("initialize", hello, bearer("ana"))
        session = {"Mcp-Session-Id": headers["Mcp-Session-Id"], "MCP-Protocol-Version": "2025-06-18"}
        query = {"name": "execute_query", "arguments": {"sql": "SELECT count(*) AS n FROM plan"}}
        self.assertEqual(self.server.ask("tools/call", query, bearer("ana", **session))[0], 200)
        self.assertEqual(self.server.ask("tools/call", query, bearer("bob", **session))[0], 404)
        self.assertEqual(self.server.request("DELETE", "/mcp", headers=bearer("bob", **session))[0], 404)
        self.assertEqual(self.server.ask("tools/call", query, bearer("ana", **session))[0], 200)

    def test_an_exploration_is_of_whom_it_was_begun_by(self):
        run = self.ask("ana", "start_exploration", question="what was sold?")["data"]["run"]["run_id"]
        self.assertEqual(self.ask("ana", "get_exploration", run_id=run)["status"], "success")
        for tool, arguments in (("get_exploration", {"run_id": run}), ("lookup_schema", {"run_id": run, "tables": ["main.sale"]}), ("search_tables", {"run_id": run, "query": "sale"})):
            said = self.ask("bob", tool, **arguments)
            self.assertEqual(said["status"], "error", said)
            self.assertNotIn("what was sold", json.dumps(said))
        self.assertNotIn(run, json.dumps(self.ask("bob", "get_exploration")))
        shown = json.dumps(self.ask("ana", "lookup_schema", run_id=run, tables=["main.sale"]))
        self.assertNotIn("bob", shown)  # the samples that the index keeps are of all

    def test_many_at_once_get_what_is_ones_own(self):
        def work(who):
            for _ in range(10):
                said.append((who, self.ask(who, "execute_query", sql="SELECT max(cents) AS m FROM sale")["data"]["rows"], (self.ask(who, "describe_table", qualified_name="main.pay")["error"] or {}).get("kind")))
        said = []
        threads = [threading.Thread(target=work, args=(who,)) for who in list(TOKENS) * 3]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(said), 60)
        self.assertEqual({(who, rows[0][0], kind) for who, rows, kind in said}, {("ana", 1, "policy_blocked"), ("bob", 100, None)})


if __name__ == "__main__":
    unittest.main()

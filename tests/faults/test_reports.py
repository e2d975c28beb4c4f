"""What was reported of other servers, as a client of this one sees it; README.md of this folder says which report is tested where."""
import json, pathlib, sqlite3, sys, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from test_changes import Stream  # noqa: E402
from test_http import META, MODERN, HttpServer  # noqa: E402
from ward import Case  # noqa: E402

BIG, SMALL = 2**53 + 1, -(2**63)


class Reports(Case):
    def setUp(self):
        super().setUp()
        path = self.folder / "values.db"
        with sqlite3.connect(path) as database:
            database.executescript(f"""CREATE TABLE item (id integer PRIMARY KEY, big integer, ratio real, body blob, state text);
                INSERT INTO item VALUES (1, {BIG}, 1.5, x'00ff', 'open'), (2, 7, 9e999, NULL, 'open'), (3, {SMALL}, -9e999, x'', 'paid');""")
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")
        self.ward("index", path)

    def rows(self, sql, **arguments):
        answer = self.call("execute_query", sql=sql, **arguments)
        self.assertEqual(answer["status"], "success", answer)
        return answer["data"]

    def test_integers_beyond_what_a_double_holds_keep_every_digit(self):
        self.assertEqual(self.rows("SELECT big FROM item ORDER BY id")["rows"], [[str(BIG)], [7], [str(SMALL)]])

    def test_a_parameter_keeps_every_digit(self):
        self.assertEqual(self.rows("SELECT id FROM item WHERE big = ?", parameters=[BIG])["rows"], [[1]])

    def test_infinities_are_text(self):
        self.assertEqual(self.rows("SELECT ratio FROM item ORDER BY id")["rows"], [[1.5], ["Infinity"], ["-Infinity"]])

    def test_columns_of_one_name_keep_their_values(self):
        data = self.rows("SELECT id, big AS id, state AS id FROM item WHERE id = 2")
        self.assertEqual([column["name"] for column in data["columns"]], ["id", "id", "id"])
        self.assertEqual(data["rows"], [[2, 7, "open"]])

    def test_a_whole_number_may_have_an_exponent(self):
        self.assertIn('"row_count":2', self.ward("call", "execute_query", '{"sql":"SELECT id FROM item ORDER BY id","limit":2e0}'))
        self.assertIn("invalid_argument", self.ward("call", "execute_query", '{"sql":"SELECT id FROM item","limit":2.5}', code=2))

    def test_a_semicolon_at_the_end_changes_nothing(self):
        self.assertEqual(self.rows("SELECT id FROM item ORDER BY id; ", limit=2)["rows"], [[1], [2]])

    def test_pages_keep_common_tables_set_operations_and_order(self):
        sql, seen, cursor = "WITH q AS (SELECT id FROM item) SELECT id FROM q UNION ALL SELECT id + 10 FROM q ORDER BY id DESC", [], None
        while True:
            data = self.rows(sql, limit=4, **({"cursor": cursor} if cursor else {}))
            seen += [row[0] for row in data["rows"]]
            cursor = data["next_cursor"]
            if not cursor:
                break
        self.assertEqual(seen, [13, 12, 11, 3, 2, 1])

    def test_an_answer_is_the_same_as_text_and_as_data(self):
        server = self.serve()
        result = server.request("tools/call", {"name": "execute_query", "arguments": {"sql": "SELECT * FROM item ORDER BY id"}})["result"]
        self.assertEqual(json.loads(result["content"][0]["text"]), result["structuredContent"])
        self.assertEqual(result["structuredContent"]["data"]["rows"][0][1], str(BIG))


class ProtocolReports(Case):
    """On the sample shop, with and without HTTP."""

    def setUp(self):
        super().setUp()
        self.shop()

    def http(self, *arguments):
        server = HttpServer(self.serve_command("--http", "127.0.0.1:0", *arguments), env=self.environment, cwd=self.folder)
        self.addCleanup(server.close)
        return server

    def test_r5_a_query_that_fails_is_an_answer_and_the_session_goes_on(self):
        server = self.serve()
        for sql in ("SELECT nothing FROM sales_order", "SELEC 1", "DELETE FROM sales_order", "SELECT abs(-9223372036854775808)"):
            answer = server.request("tools/call", {"name": "execute_query", "arguments": {"sql": sql}})
            self.assertNotIn("error", answer, sql)
            self.assertTrue(answer["result"]["isError"], sql)
            self.assertIn(answer["result"]["structuredContent"]["status"], ("error", "refused"))
        self.assertEqual(server.call("execute_query", sql="SELECT 1 AS one")["data"]["rows"], [[1]])

    def test_r14_a_client_that_leaves_its_stream_harms_nobody(self):
        server = self.http()
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {"notifications": {"resourcesListChanged": True}, "_meta": META}})
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": MODERN, "Mcp-Method": "subscriptions/listen"}
        gone, stays = (Stream(server.port, "POST", body, headers) for _ in range(2))
        self.addCleanup(stays.close)
        for stream in (gone, stays):
            self.assertEqual(stream.next()["method"], "notifications/subscriptions/acknowledged")
        gone.close()
        with sqlite3.connect(self.folder / "shop.db") as database:
            database.execute("CREATE TABLE added_later (id INTEGER PRIMARY KEY)")
        self.ward("index", self.folder / "shop.db")
        self.assertEqual(stays.next()["method"], "notifications/resources/list_changed")
        self.assertEqual(server.request("GET", "/healthz")[0], 200)
        self.assertEqual(server.end()[0], 0)

    def test_r16_without_a_session_no_stream_is_offered(self):
        server = self.http()
        for headers in ({}, {"MCP-Protocol-Version": MODERN}, {"MCP-Protocol-Version": MODERN, "Mcp-Session-Id": "a" * 64}):
            status, answered, _ = server.request("GET", "/mcp", headers={"Accept": "text/event-stream", **headers})
            self.assertEqual((status, answered["Allow"]), (405, "POST, DELETE"))
        status, answered, _ = server.modern("tools/list")
        self.assertEqual((status, answered["Content-Type"], answered["Mcp-Session-Id"]), (200, "application/json", None))

    def test_r17_who_calls_is_not_read_from_what_anyone_can_write(self):
        server = self.http()
        for forwarded in ("203.0.113.7", "198.51.100.1, 203.0.113.7"):
            status, _, _ = server.modern("tools/call", {"name": "list_indexed_schemas", "arguments": {}}, **{"X-Forwarded-For": forwarded, "Forwarded": f"for={forwarded}"})
            self.assertEqual(status, 200)
        server.end()
        export = self.ward("audit", "export")
        callers = {json.dumps(record["principal"], sort_keys=True) for record in map(json.loads, export.splitlines()) if record["kind"] == "begin" and "principal" in record}
        self.assertEqual(len(callers), 1)
        self.assertNotIn("203.0.113.7", export)

    def test_r18_tools_stand_in_one_order_in_each_run_era_and_transport(self):
        everything = ("--tools", "catalog,semantic,sql,patterns,explore,workspaces")
        names = lambda tools: [tool["name"] for tool in tools]
        first = names(self.serve(*everything).tools())
        self.assertEqual(names(self.serve(*everything).tools()), first)
        self.assertEqual(names(json.loads(self.http(*everything).modern("tools/list")[2])["result"]["tools"]), first)


if __name__ == "__main__":
    unittest.main()

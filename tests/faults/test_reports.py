"""What was reported of other servers' protocol, as a client of this one sees it; README.md of this folder says which report is tested where."""
import json, pathlib, sqlite3, sys, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from test_changes import Stream  # noqa: E402
from test_http import META, MODERN, HttpServer  # noqa: E402
from ward import Case  # noqa: E402


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

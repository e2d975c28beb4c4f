"""Who asks to be told of changes is told when another process has indexed anew: on stdio and over HTTP, in both eras."""
import http.client, json, sqlite3, unittest

from test_http import META, MODERN, SECONDS_MAX, HttpServer
from ward import Case

# COVERS: R-MCP-1
TABLE = "schemaward://tables/people/main.person"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
LISTS, UPDATED = "notifications/resources/list_changed", "notifications/resources/updated"


class Stream:
    """A request whose answer is a stream of events; `next` gives its messages one by one, None at its end."""

    def __init__(self, port, method, body=None, headers=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS_MAX)
        self.connection.request(method, "/mcp", body, {"Accept": "text/event-stream", **(headers or {})})
        self.response = self.connection.getresponse()
        self.ids = []

    def next(self):
        """The next message; events without one, and comments, are passed over."""
        data = ""
        while line := self.response.readline().decode():
            line = line.rstrip("\n")
            if line.startswith("id: "):
                self.ids.append(line[4:])
            elif line.startswith("data: "):
                data += line[6:]
            elif not line and data:
                return json.loads(data)
        return None

    def close(self):
        self.connection.close()


class Changes(Case):
    def people(self, *more):
        """Makes or changes a source, and has another process index it."""
        with sqlite3.connect(self.folder / "people.db") as database:
            database.executescript("CREATE TABLE IF NOT EXISTS person (id INTEGER PRIMARY KEY, city TEXT);" + "".join(more))
        self.ward("index", self.folder / "people.db", "--no-suggest")

    def http(self, *arguments, **environment):
        server = HttpServer(self.serve_command("--http", "127.0.0.1:0", *arguments), env={**self.environment, **environment}, cwd=self.folder)
        self.addCleanup(server.close)
        return server

    def listen(self, server, filter_, **headers):
        body = json.dumps({"jsonrpc": "2.0", "id": 9, "method": "subscriptions/listen", "params": {"notifications": filter_, "_meta": META}})
        stream = Stream(server.port, "POST", body, {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                                                    "MCP-Protocol-Version": MODERN, "Mcp-Method": "subscriptions/listen", **headers})
        self.addCleanup(stream.close)
        return stream

    def test_a_session_on_stdio_is_told_of_lists_and_of_what_it_subscribed_to(self):
        self.people()
        server = self.serve()
        self.assertEqual(server.hello["capabilities"]["resources"], {"subscribe": True, "listChanged": True})
        self.assertEqual(server.request("resources/subscribe", {"uri": TABLE})["result"], {})
        self.assertEqual(server.request("resources/subscribe", {"uri": TABLE + "x"})["error"]["code"], -32002)
        self.people("CREATE TABLE town (id INTEGER PRIMARY KEY);")
        told = [server.receive(), server.receive()]
        self.assertEqual([message["method"] for message in told], [LISTS, UPDATED])
        self.assertEqual(told[1]["params"], {"uri": TABLE})
        uris = [r["uri"] for r in server.request("resources/list", {"cursor": "t"})["result"]["resources"]]
        self.assertIn("schemaward://tables/people/main.town", uris)
        server.request("resources/unsubscribe", {"uri": TABLE})
        self.people("CREATE TABLE land (id INTEGER PRIMARY KEY);")
        self.assertEqual(server.receive()["method"], LISTS)
        self.assertEqual(server.request("ping")["result"], {})
        self.assertEqual(server.notifications, [])

    def test_a_session_that_sets_a_level_hears_how_the_parts_stand(self):
        self.people()
        server = self.serve()
        self.assertEqual(server.hello["capabilities"]["logging"], {})
        self.assertEqual(server.request("logging/setLevel", {"level": "info"})["result"], {})
        self.people("CREATE TABLE town (id INTEGER PRIMARY KEY);")
        told = {message["method"]: message["params"] for message in (server.receive(), server.receive())}
        self.assertEqual(set(told), {LISTS, "notifications/message"})
        said = told["notifications/message"]
        self.assertEqual((said["level"], said["logger"], said["data"]["event"]), ("info", "schemaward", "index_refreshed"))
        self.assertNotIn("people", json.dumps(said))
        self.ward("sources", "--remove", "people")
        told = {message["method"]: message["params"] for message in (server.receive(), server.receive())}
        self.assertEqual(told["notifications/message"]["data"]["event"], "source_removed")

    def test_what_a_policy_keeps_back_cannot_be_subscribed_to(self):
        self.people("CREATE TABLE IF NOT EXISTS town (id INTEGER PRIMARY KEY);")
        policy = self.folder / "policy.yaml"
        policy.write_text("profile: team\ndeny: {tables: [main.person]}\n")
        self.environment["SCHEMAWARD_POLICY"] = str(policy)
        server = self.serve()
        self.assertIn("error", server.request("resources/subscribe", {"uri": TABLE}))
        self.assertEqual(server.request("resources/subscribe", {"uri": TABLE.replace("person", "town")})["result"], {})
        stream = self.listen(self.http(), {"resourceSubscriptions": [TABLE, TABLE.replace("person", "town")]})
        self.assertEqual(stream.next()["params"]["notifications"], {"resourceSubscriptions": [TABLE.replace("person", "town")]})

    def test_a_request_over_http_listens_until_the_server_ends(self):
        self.people()
        server = self.http()
        stream = self.listen(server, {"resourcesListChanged": True, "promptsListChanged": True, "resourceSubscriptions": [TABLE]})
        said = stream.next()
        self.assertEqual(said["method"], "notifications/subscriptions/acknowledged")
        self.assertEqual(said["params"], {"notifications": {"resourcesListChanged": True, "resourceSubscriptions": [TABLE]}, "_meta": {SUBSCRIPTION: 9}})
        self.people("CREATE TABLE town (id INTEGER PRIMARY KEY);")
        self.assertEqual(stream.next(), {"jsonrpc": "2.0", "method": LISTS, "params": {"_meta": {SUBSCRIPTION: 9}}})
        self.assertEqual(stream.next(), {"jsonrpc": "2.0", "method": UPDATED, "params": {"uri": TABLE, "_meta": {SUBSCRIPTION: 9}}})
        code, _ = server.end()
        last = stream.next()
        self.assertEqual((code, last["id"], last["result"]["resultType"], last["result"]["_meta"][SUBSCRIPTION]), (0, 9, "complete", 9))
        self.assertIsNone(stream.next())

    def test_a_session_over_http_listens_by_get_and_comes_back(self):
        self.people()
        server = self.http()
        _, headers, body = server.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
        self.assertEqual(json.loads(body)["result"]["capabilities"]["resources"], {"subscribe": True, "listChanged": True})
        session = {"Mcp-Session-Id": headers["Mcp-Session-Id"], "MCP-Protocol-Version": "2025-11-25"}
        body = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.assertEqual(server.request("POST", "/mcp", body, {"Content-Type": "application/json", **session})[0], 202)
        self.assertEqual(json.loads(server.ask("resources/subscribe", {"uri": TABLE}, session)[2])["result"], {})
        stream = Stream(server.port, "GET", headers=session)
        self.assertEqual(stream.response.status, 200)
        self.people("CREATE TABLE town (id INTEGER PRIMARY KEY);")
        self.assertEqual([stream.next()["method"], stream.next()["params"]], [LISTS, {"uri": TABLE}])
        stream.close()
        self.people("CREATE TABLE land (id INTEGER PRIMARY KEY);")
        again = Stream(server.port, "GET", headers={**session, "Last-Event-ID": stream.ids[-1]})
        self.addCleanup(again.close)
        self.assertEqual([again.next()["method"], again.next()["params"]], [LISTS, {"uri": TABLE}])
        self.assertEqual(again.ids[-1], "0-4")
        self.assertEqual(server.end()[0], 0)
        self.assertIsNone(again.next())

    def test_who_takes_no_stream_is_refused(self):
        self.people()
        status, _, body = self.http().modern("subscriptions/listen", {"notifications": {}}, Accept="application/json")
        self.assertEqual((status, json.loads(body)["error"]["code"]), (400, -32600))

    def test_on_stdio_a_request_of_the_newest_era_listens_until_it_is_cancelled(self):
        self.people()
        server = self.serve()
        ask = lambda: server.send({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": {"notifications": {"resourcesListChanged": True}, "_meta": META}})
        ask()
        self.assertEqual(server.receive()["params"]["_meta"], {SUBSCRIPTION: "l"})
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "l"}})
        ask()
        self.assertEqual(server.receive()["method"], "notifications/subscriptions/acknowledged")
        self.people("CREATE TABLE town (id INTEGER PRIMARY KEY);")
        told = [server.receive(), server.receive()]  # of the session, which said initialize, and of the request
        self.assertEqual(sorted(json.dumps(message["params"]) for message in told), ['{"_meta": {"io.modelcontextprotocol/subscriptionId": "l"}}', "{}"])


if __name__ == "__main__":
    unittest.main()

"""A session that asked for the log is told when a PostgreSQL goes away and when it is back; one that did not is told of neither."""
import json, re, time, unittest

from engines import Postgres
from ward import Case, ServerGone
from tcp_proxy import Proxy  # scripts/, which ward.py names

# COVERS: R-MCP-1
SECONDS_MAX = 120
ASK_EVERY_S = 0.5


class Notices(Postgres, Case):
    def setUp(self):
        super().setUp()
        source = self.make_database("notices", "CREATE TABLE person (id integer PRIMARY KEY, city text)")
        host, port = re.search(r"@([^:/]+):(\d+)/", source).groups()
        self.proxy = Proxy(host, int(port))
        self.addCleanup(self.proxy.close)
        self.ward("index", source.replace(f"{host}:{port}", f"127.0.0.1:{self.proxy.port}"), "--name", "payroll", "--no-suggest")

    def ask_until_told(self, server, event):
        """A source is looked at because calls need it: asks for a table that is not there until the message has come, and returns it."""
        until = time.monotonic() + SECONDS_MAX
        while time.monotonic() < until:
            said = [message["params"] for message in server.notifications if message["method"] == "notifications/message"]
            if found := [params for params in said if params["data"]["event"] == event]:
                return found[0]
            server.call("describe_table", qualified_name="public.town")
            try:
                server.notifications.append(server.receive(ASK_EVERY_S))
            except ServerGone:
                pass  # nothing yet; a server that has really gone takes no further call
        self.fail(f"{event} was not told: {server.notifications}")

    def test_a_session_with_a_level_is_told_of_a_source_that_goes_and_of_its_return(self):
        server = self.serve("payroll")
        self.assertEqual(server.request("logging/setLevel", {"level": "info"})["result"], {})
        silent = self.serve("payroll")
        self.assertEqual(server.call("describe_table", qualified_name="public.person")["status"], "success")
        self.proxy.go_away()
        away = self.ask_until_told(server, "source_away")
        self.assertEqual((away["level"], away["logger"]), ("warning", "schemaward"))
        self.assertEqual(server.call("describe_table", qualified_name="public.person")["status"], "success", "the index answers all the same")
        self.proxy.heal()
        back = self.ask_until_told(server, "source_back")
        self.assertEqual(back["level"], "info")
        events = [m["params"]["data"]["event"] for m in server.notifications if m["method"] == "notifications/message"]
        self.assertEqual(events, ["source_away", "source_back"], "each once")
        for secret in ("payroll", "127.0.0.1", str(self.proxy.port)):
            self.assertNotIn(secret, json.dumps(server.notifications))
        self.assertEqual(silent.request("ping")["result"], {})
        self.assertEqual(silent.notifications, [])


if __name__ == "__main__":
    unittest.main()

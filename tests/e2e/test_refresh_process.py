"""Where no call needs the database, the server leaves looking at it to a process of its own, and outlives whatever becomes of that."""
import json, os, pathlib, signal, socket, time, unittest

import engines
from test_http import HttpServer
from ward import Case

SECONDS_MAX = 60
SECRET = "pw-of-the-source"


def wait_for(what):
    """What `what` gives once it is true; a hang fails the test."""
    until = time.monotonic() + SECONDS_MAX
    while not (found := what()):
        if time.monotonic() > until:
            raise AssertionError("it did not come about")
        time.sleep(0.02)
    return found


def children(pid):
    return [int(child) for task in pathlib.Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()]


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


class RefreshProcess(Case):
    def http(self, *arguments):
        server = HttpServer(self.serve_command("--http", "127.0.0.1:0", *arguments), env=self.environment, cwd=self.folder)
        self.addCleanup(server.close)
        return server

    def call(self, server, tool, **arguments):
        status, _, body = server.modern("tools/call", {"name": tool, "arguments": arguments})
        self.assertEqual(status, 200, body)
        return json.loads(body)["result"]["structuredContent"]

    def maps(self, server):
        return pathlib.Path(f"/proc/{server.process.pid}/maps").read_text()


class SilentSource(RefreshProcess):
    """A database that takes a connection and then says nothing."""

    def setUp(self):
        super().setUp()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.listener.close)
        self.listener.settimeout(SECONDS_MAX)
        self.server = self.http(f"postgresql://ward:{SECRET}@127.0.0.1:{self.listener.getsockname()[1]}/shop?sslmode=disable")
        self.connection, _ = self.listener.accept()
        self.addCleanup(self.connection.close)
        [self.child] = children(self.server.process.pid)

    def is_looked_at_again(self):
        self.call(self.server, "find_relevant_tables", query="orders")
        try:
            self.listener.accept()[0].close()
        except TimeoutError:
            return False
        return True

    def test_it_is_this_program_and_its_arguments_hold_no_secret(self):
        self.assertEqual(pathlib.Path(f"/proc/{self.child}/cmdline").read_bytes(), b"schemaward\0refresh-job\0")
        self.assertIn("libpq", pathlib.Path(f"/proc/{self.child}/maps").read_text())
        self.assertNotIn("libpq", self.maps(self.server))

    def test_it_ends_with_a_server_that_is_killed(self):
        self.server.process.kill()
        self.server.process.wait()
        wait_for(lambda: not is_running(self.child))

    def test_it_ends_with_a_server_that_ends(self):
        code, _ = self.server.end()
        self.assertEqual(code, 0)
        self.assertFalse(is_running(self.child))

    def test_one_that_will_not_end_does_not_keep_the_server(self):
        os.kill(self.child, signal.SIGSTOP)
        code, _ = self.server.end()
        self.assertEqual(code, 0)
        self.assertFalse(is_running(self.child))

    def test_one_that_dies_is_an_error_of_that_look_alone(self):
        os.kill(self.child, signal.SIGKILL)
        wait_for(lambda: self.call(self.server, "find_relevant_tables", query="orders")["error"]["reason"] != "index_building")
        answer = self.call(self.server, "find_relevant_tables", query="orders")
        self.assertEqual(answer["status"], "error", answer)
        self.listener.settimeout(0.05)
        wait_for(self.is_looked_at_again)


class RealSource(engines.Postgres, RefreshProcess):
    def setUp(self):
        super().setUp()
        self.uri = self.make_database("refresh", "CREATE TABLE orders (id integer PRIMARY KEY)")

    def described(self, server, table):
        return self.call(server, "describe_table", qualified_name=table)["status"] == "success"

    def test_a_first_index_and_a_change_are_seen_and_the_server_never_loads_the_client(self):
        server = self.http(self.uri)
        wait_for(lambda: self.described(server, "public.orders"))
        self.psql(self.uri, "CREATE TABLE lines (id integer PRIMARY KEY)")
        wait_for(lambda: self.described(server, "public.lines"))
        self.assertNotIn("libpq", self.maps(server))
        wait_for(lambda: children(server.process.pid) == [])  # it ends after what it wrote is seen

    def test_a_server_keeps_to_the_schemas_that_the_index_was_made_of(self):
        self.psql(self.uri, "CREATE SCHEMA hr; CREATE TABLE hr.people (id integer PRIMARY KEY)")
        self.ward("index", self.uri, "--schema", "public")
        server = self.http(self.uri)
        self.assertTrue(self.described(server, "public.orders"))
        self.psql(self.uri, "CREATE TABLE hr.pay (id integer PRIMARY KEY); CREATE TABLE lines (id integer PRIMARY KEY)")
        wait_for(lambda: self.described(server, "public.lines"))
        self.assertFalse(self.described(server, "hr.people"))
        [source] = json.loads(self.ward("sources", "--json"))["sources"]
        self.assertEqual((source["schemas"], source["tables"]), (["public"], 2))

    def test_a_server_whose_calls_have_loaded_the_client_looks_by_itself(self):
        server = self.http(self.uri, "--tools", "default,sql")
        wait_for(lambda: self.described(server, "public.orders"))
        self.assertEqual(self.call(server, "execute_query", sql="SELECT count(*) FROM orders")["status"], "success")
        self.assertIn("libpq", self.maps(server))
        self.psql(self.uri, "CREATE TABLE lines (id integer PRIMARY KEY)")
        wait_for(lambda: self.described(server, "public.lines"))


if __name__ == "__main__":
    unittest.main()

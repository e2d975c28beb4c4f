"""No outbound connection but to what is configured: every connect() of whole sessions, seen by strace."""
import os, re, shutil, socket, subprocess, unittest

from ward import BINARY, COMMAND_SECONDS_MAX, Case, Server

CONNECT = re.compile(r"(?:connect|sendto|sendmsg)\(.*?sa_family=(AF_INET6?)[^}]*?htons\((\d+)\).*?\"([0-9a-f.:]+)\"")


def can_trace():
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True).returncode == 0


@unittest.skipUnless(can_trace(), "strace is not here, or may not trace")
class Connections(Case):
    def setUp(self):
        super().setUp()
        # A sanitizer's look for leaks traces too, and two cannot.
        self.environment = {**self.environment, "ASAN_OPTIONS": self.environment.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}

    def traced(self, *arguments):
        self.log = self.folder / "trace"
        return ["strace", "-f", "-qq", "-o", str(self.log), "-e", "trace=connect,sendto,sendmsg", BINARY, *map(str, arguments), "--store", str(self.store)]

    def reached(self):
        """Addresses that were spoken to over the network, as host:port."""
        return {f"{host}:{port}" for _, port, host in CONNECT.findall(self.log.read_text())}

    def run_traced(self, *arguments):
        done = subprocess.run(self.traced(*arguments), capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        return done.returncode

    def test_a_local_source_is_indexed_served_and_checked_without_a_connection(self):
        path = self.shop()
        for words in (["index", path], ["doctor"], ["lint"], ["init", "--print"]):
            with self.subTest(words[0]):
                self.assertEqual(self.run_traced(*words), 0)
                self.assertEqual(self.reached(), set())
        server = Server(self.traced("serve"), env=self.environment, cwd=self.folder)
        self.addCleanup(server.close)
        self.assertEqual(server.call("find_relevant_tables", query="orders")["status"], "success")
        self.assertEqual(server.call("execute_query", sql="SELECT status FROM sales_order LIMIT 1")["status"], "success")
        self.assertEqual(server.close(), 0)
        self.assertEqual(self.reached(), set())

    def test_a_remote_source_is_the_only_one_that_is_reached(self):
        with socket.socket() as listener:  # bound, not listening: a connection is refused, and seen
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
            self.assertEqual(self.run_traced("index", f"postgres://reader@127.0.0.1:{port}/shop"), 2)
        self.assertEqual(self.reached(), {f"127.0.0.1:{port}"})


if __name__ == "__main__":
    unittest.main()

"""How often a metric goes to the database: counted on the wire, between the program and a real PostgreSQL."""
import os, select, socket, subprocess, threading, unittest, urllib.parse

from ward import ROOT, Case

ADDED_MAX = 2  # what get_metric may add to the query itself
BYTES = 1 << 16
PING = b"SELECT 1\0"  # asks a session that was idle for a second whether it lives: on a loaded machine any call may be such
FLIGHT_BEGINS, FLIGHT_ENDS = b"BEGIN ISOLATION", b"ROLLBACK\0"
PATIENCE_S = 10  # for the rest of a flight; only a client that waits in the middle of it sees this time pass


class Counter:
    """Hands bytes on between clients and a server, and counts how often a client spoke after the server had answered, pings left out.

    A flight is written in pieces, and a near server answers the first before the last is there. So its answers are held back until the
    flight has ended, as a far server's would be: who waits for one in the middle of a flight is seen by the time out, and counted.
    """

    def __init__(self, host, port):
        self.server = (host, port)
        self.round_trips = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.hand_on, args=(client, socket.create_connection(self.server)), daemon=True).start()

    def hand_on(self, client, server):
        said = b""  # by the client since the server last answered
        with client, server:
            while True:
                in_flight = FLIGHT_BEGINS in said and FLIGHT_ENDS not in said
                ready = in_flight and select.select([client], [], [], PATIENCE_S)[0] or select.select([client, server], [], [])[0]
                source = ready[0]
                data = source.recv(BYTES)
                if not data:
                    return
                if source is server:
                    client.sendall(data)
                    said = b""
                    continue
                if not said and PING not in data:
                    self.round_trips += 1
                said += data
                server.sendall(data)

    def close(self):
        self.listener.close()


class RoundTrips(Case):
    SCRIPT = """CREATE TABLE sale (id integer PRIMARY KEY, country text, channel text, sold_at timestamptz, amount numeric);
        INSERT INTO sale SELECT i, CASE WHEN i % 2 = 0 THEN 'DE' ELSE 'FR' END, 'web', timestamptz '2024-01-05 00:00Z' + i * interval '9 days', i FROM generate_series(1, 30) AS i;"""

    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)
        server, home = ROOT / "scripts/postgres.sh", self.folder / "server"
        uri = subprocess.run([server, "start", "15", home], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        self.addCleanup(subprocess.run, [server, "stop", home], check=False)
        subprocess.run(["psql", "-Xq", uri], input=self.SCRIPT, check=True, text=True)
        parts = urllib.parse.urlsplit(uri)
        self.counter = Counter(parts.hostname, parts.port)
        self.addCleanup(self.counter.close)
        through = parts._replace(netloc=f"{parts.username}@127.0.0.1:{self.counter.port}", query="sslmode=disable")
        self.ward("index", urllib.parse.urlunsplit(through), "--name", "sales")
        self.session = self.serve("--tools", "semantic", "--refresh", "off")
        self.trips(name="sale_amount")  # the session to the database is open from here on

    def trips(self, status="success", **arguments):
        before = self.counter.round_trips
        answer = self.session.call("get_metric", **arguments)
        self.assertEqual(answer["status"], status, answer)
        return self.counter.round_trips - before

    def test_a_metric_adds_at_most_two_round_trips_to_the_query_itself(self):
        query = self.trips(name="sale_amount")
        self.assertEqual(query, 1)
        for status, arguments in (
            ("success", {"group_by": ["sale.country"]}),
            ("success", {"time_grain": "month", "fill_gaps": True}),
            ("empty", {"filters": [{"column": "sale.country", "value": "DR"}, {"column": "sale.channel", "value": "wb"}]}),
            ("success", {"time_grain": "month", "compare": "1 month"}),
        ):
            with self.subTest(arguments):
                self.assertLessEqual(self.trips(status, name="sale_amount", **arguments) - query, ADDED_MAX)


if __name__ == "__main__":
    unittest.main()

"""What goes wrong between this program and a real server: the server ends a session, the network is cut or falls silent, time runs out, the
pool is full. A typed answer each time, within a bounded time; a statement that may have run is never sent twice; the next call works."""
import json, os, pathlib, re, shutil, signal, subprocess, sys, tempfile, time, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from ward import Case  # noqa: E402
from tcp_proxy import Proxy  # noqa: E402  (scripts/, which ward.py names)

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
PATIENCE_S = 20
ROWS = 3000
# A product that no server finishes in the time of a test; the guard has no objection to it. The number marks it.
SLOW = "SELECT count(*) FROM {t} a, {t} b, {t} c WHERE a.n + b.n + c.n <> 70007"
WIDE = "SELECT a.n, a.label, b.label FROM {t} a, {t} b WHERE b.n < 4"
POINT = "SELECT label FROM {t} WHERE n = 7"
MARKED = "SELECT label FROM {t} WHERE n = 2717"
# Where a login and a small answer are cut: after each byte of the greeting, and then after every seventh.
CUTS = (*range(130), *range(130, 5000, 7))


def until(seconds, holds):
    """True as soon as it holds; false when it did not in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


class Postgres:
    """The server as a superuser sees it, past the program under test."""
    variable, name, table = "SCHEMAWARD_TEST_PG15", "ward_faults", "public.numbers"

    def __init__(self, uri):
        self.uri = uri
        self.host, self.port = re.search(r"@([^:/]+):(\d+)/", uri).groups()

    def run(self, sql, database=True):
        uri = self.uri.rsplit("/", 1)[0] + "/" + self.name if database else self.uri
        return subprocess.run(["psql", "-XAqt", "-v", "ON_ERROR_STOP=1", "-c", sql, uri], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60).stdout.strip()

    def make(self):
        self.drop()
        self.run(f"CREATE DATABASE {self.name}", False)
        self.run(f"CREATE TABLE numbers (n integer PRIMARY KEY, label text NOT NULL); INSERT INTO numbers SELECT n, repeat('x', 200) FROM generate_series(1, {ROWS}) n")

    def drop(self):
        self.run(f"DROP DATABASE IF EXISTS {self.name} WITH (FORCE)", False)

    def through(self, port):
        return f"postgres://schemaward@127.0.0.1:{port}/{self.name}?sslmode=disable"

    def running(self):
        return self.run(f"SELECT string_agg(pid::text, ' ') FROM pg_stat_activity WHERE datname = '{self.name}' AND state = 'active' AND query LIKE '%70007%' AND query NOT LIKE '%pg_stat_activity%'").split()

    def end(self, sessions):
        for one in sessions:
            self.run(f"SELECT pg_terminate_backend({one})")


class MariaDb:
    variable, name, table = "SCHEMAWARD_TEST_MARIADB", "ward_faults", "ward_faults.numbers"

    def __init__(self, uri):
        self.user, self.host, self.port = re.search(r"//([^@]+)@([^:/]+):(\d+)", uri).groups()

    def run(self, sql):
        command = ["mariadb", "--no-defaults", "--protocol=tcp", "-h", self.host, "-P", self.port, "-u", self.user, "-N", "-B", "-e", sql]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60).stdout.strip()

    def make(self):
        self.drop()
        self.run(f"CREATE DATABASE {self.name}; USE {self.name}; CREATE TABLE numbers (n int PRIMARY KEY, label varchar(200) NOT NULL); INSERT INTO numbers SELECT seq, repeat('x', 200) FROM seq_1_to_{ROWS}")

    def drop(self):
        self.run(f"DROP DATABASE IF EXISTS {self.name}")

    def through(self, port):
        return f"mysql://{self.user}@127.0.0.1:{port}/{self.name}?ssl-mode=DISABLED"

    def running(self):
        # Not a look before this one, whose session may still be ending.
        return self.run("SELECT id FROM information_schema.processlist WHERE info LIKE '%70007%' AND info NOT LIKE '%processlist%'").split()

    def end(self, sessions):
        for one in sessions:
            self.run(f"KILL {one}")


class Faults:
    """The same for each server; mixed into the cases below."""
    engine = Postgres

    def setUp(self):
        super().setUp()
        uri = os.environ.get(self.engine.variable)
        if not uri:
            self.skipTest(f"{self.engine.variable} is not set")
        self.database = self.engine(uri)
        self.database.make()
        self.addCleanup(self.database.drop)
        self.proxy = Proxy(self.database.host, int(self.database.port), keep_said=True)
        self.addCleanup(self.proxy.close)
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")

    def start(self, **settings):
        """A server whose one source is reached through the proxy."""
        self.ward("index", self.database.through(self.proxy.port), "--name", "far")
        self.environment.update({f"SCHEMAWARD_{name.upper()}": str(value) for name, value in settings.items()})
        return self.serve()

    def sql(self, text):
        return text.format(t=self.database.table)

    def begin(self, server, text):
        """Sends a call and does not wait; returns its id."""
        server.last_id += 1
        server.send({"jsonrpc": "2.0", "id": server.last_id, "method": "tools/call", "params": {"name": "execute_query", "arguments": {"sql": self.sql(text)}}})
        return server.last_id

    def answers(self, server, ids):
        """The structured answers by id, and how long the last took from now."""
        begin, answers = time.monotonic(), {}
        while set(ids) - set(answers):
            message = server.receive(PATIENCE_S)
            if message.get("id") in ids:
                answers[message["id"]] = message["result"]["structuredContent"]
        return answers, time.monotonic() - begin

    def answer(self, server, one):
        answers, took = self.answers(server, [one])
        return answers[one], took

    def assert_error(self, answer, kind, *reasons):
        self.assertIsNotNone(answer["error"], answer)
        self.assertEqual(answer["error"]["kind"], kind, answer["error"])
        self.assertIn(answer["error"]["reason"], reasons, answer["error"])
        for secret in ("127.0.0.1", str(self.proxy.port), str(self.database.port)):
            self.assertNotIn(secret, json.dumps(answer["error"]))

    def assert_works(self, server):
        answer = server.call("execute_query", sql=self.sql(POINT))
        self.assertEqual(answer["status"], "success", answer)

    def sent(self, text):
        return self.proxy.said.count(text)

    def wait_for_slow(self, count=1):
        self.assertTrue(until(PATIENCE_S, lambda: len(self.database.running()) >= count), "the slow statement did not start")
        return self.database.running()

    def test_a_session_that_ends_under_a_statement_is_said_and_the_statement_runs_once(self):
        server = self.start()
        call = self.begin(server, SLOW)
        self.database.end(self.wait_for_slow())
        answer, took = self.answer(server, call)
        self.assert_error(answer, "internal_error", "source_unreachable")
        self.assertLess(took, 10)
        self.assertEqual(self.sent(b"70007"), 1)
        self.assert_works(server)

    def test_a_cut_in_the_middle_of_an_answer_is_said_and_the_statement_runs_once(self):
        server = self.start()
        self.assert_works(server)
        self.proxy.after(4000, "cut")
        answer = server.call("execute_query", sql=self.sql(WIDE), limit=1000)
        self.assert_error(answer, "internal_error", "source_unreachable")
        self.assertEqual(self.sent(b"< 4"), 1)
        self.assert_works(server)

    def test_an_answer_that_stops_halfway_ends_with_the_calls_deadline(self):
        server = self.start(call_timeout_ms=1500)
        self.assert_works(server)
        self.proxy.after(4000, "stall")
        begin = time.monotonic()
        answer = server.call("execute_query", sql=self.sql(WIDE), limit=1000)
        self.assertLess(time.monotonic() - begin, 15)
        self.assertEqual(answer["status"], "error", answer)
        self.assertEqual(self.sent(b"< 4"), 1)
        self.proxy.heal()
        self.assert_works(server)

    def test_a_server_that_restarted_between_two_calls_costs_no_error(self):
        server = self.start()
        for pause, reset in ((0.3, False), (1.5, False), (1.5, True)):
            self.assert_works(server)
            before = self.proxy.accepted
            time.sleep(pause / 2)
            self.proxy.cut(reset=reset)
            time.sleep(pause / 2)
            self.assert_works(server)
            self.assertGreater(self.proxy.accepted, before)

    def test_a_statement_that_ran_out_of_time_is_stopped_in_the_engine(self):
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\nlimits: {time_ms_max: 1000}\n")
        server = self.start()
        call = self.begin(server, SLOW)
        self.wait_for_slow()
        answer, took = self.answer(server, call)
        self.assert_error(answer, "cost_cap_exceeded", "statement_timeout")
        self.assertLess(took, 8)
        self.assertTrue(until(8, lambda: not self.database.running()), "the engine still runs it")
        self.assert_works(server)

    def test_a_call_that_ran_out_of_time_is_stopped_in_the_engine(self):
        server = self.start(call_timeout_ms=1500)
        call = self.begin(server, SLOW)
        self.wait_for_slow()
        answer, took = self.answer(server, call)
        self.assertEqual(answer["status"], "error", answer)
        self.assertLess(took, 8)
        self.assertTrue(until(8, lambda: not self.database.running()), "the engine still runs it")
        self.assert_works(server)

    def test_a_full_pool_says_so_and_when_to_come_back(self):
        server = self.start(workers=8, connections=2, call_timeout_ms=12000)
        slow = [self.begin(server, SLOW) for _ in range(2)]
        running = self.wait_for_slow(2)
        answer = server.call("execute_query", sql=self.sql(POINT))
        self.assert_error(answer, "cost_cap_exceeded", "pool_full")
        self.assertTrue(answer["error"]["retryable"])
        self.assertGreater(answer["error"]["retry_after_ms"], 0)
        self.assertEqual(server.call("list_indexed_schemas")["status"], "success")
        self.database.end(running)
        self.answers(server, slow)
        self.assert_works(server)

    def test_a_server_that_is_down_costs_no_handle_and_no_help(self):
        server = self.start()
        self.assert_works(server)
        handles = lambda: len(os.listdir(f"/proc/{server.process.pid}/fd"))
        self.proxy.close()
        self.assert_error(server.call("execute_query", sql=self.sql(POINT)), "internal_error", "source_unreachable")
        before = handles()
        for _ in range(20):
            answer = server.call("execute_query", sql=self.sql(POINT))
            self.assert_error(answer, "internal_error", "source_unreachable")
            self.assertTrue(answer["error"]["retryable"])
        self.assertLessEqual(handles(), before + 1)
        self.assertEqual(server.call("describe_table", qualified_name=self.database.table)["status"], "success")

    def test_a_login_that_fails_costs_no_handle_and_no_session(self):
        server = self.start()
        handles = lambda: len(os.listdir(f"/proc/{server.process.pid}/fd"))
        self.database.drop()
        before = 0
        for attempt in range(12):
            answer = server.call("execute_query", sql=self.sql(POINT))
            self.assertEqual(answer["status"], "error", answer)
            self.assertNotIn(str(self.database.port), json.dumps(answer["error"]))
            before = before or handles()
        self.assertLessEqual(handles(), before + 1)
        self.database.make()
        self.assert_works(server)

    def test_a_login_that_is_cut_after_any_byte_is_said_and_the_statement_runs_once(self):
        server = self.start()
        handles = lambda: len(os.listdir(f"/proc/{server.process.pid}/fd"))
        for what in ("cut", "end"):
            before, answer = 0, None
            for server_bytes in CUTS:
                self.proxy.cut()  # a call needs a new session
                sent = self.sent(b"2717")
                self.proxy.each(server_bytes, what)
                answer = server.call("execute_query", sql=self.sql(MARKED))
                self.proxy.heal()
                self.assertLessEqual(self.sent(b"2717") - sent, 1)
                if answer["status"] == "success":
                    break
                self.assert_error(answer, "internal_error", "source_unreachable")
                before = before or handles()
            self.assertEqual(answer["status"], "success", answer)
            self.assertLess(handles(), before + 10)  # after hundreds of logins
            self.assertGreater(server_bytes, 130)

    def test_a_login_that_falls_silent_ends_with_the_calls_deadline(self):
        self.start(call_timeout_ms=1500).close()
        for server_bytes in (0, 1, 5, 60):
            server = self.serve()  # which has no session yet
            self.proxy.each(server_bytes, "stall")
            answer = server.call("execute_query", sql=self.sql(MARKED))
            self.assert_error(answer, "cost_cap_exceeded", "deadline_exceeded")
            self.assertEqual(self.sent(b"2717"), 0)
            self.proxy.heal()
            self.assert_works(server)
            server.close()

    def test_the_program_ends_although_the_source_is_silent(self):
        server = self.start(call_timeout_ms=60000)
        self.assert_works(server)
        self.proxy.after(0, "stall")
        self.begin(server, POINT)
        self.assertTrue(until(5, lambda: self.sent(POINT.split()[-1].encode()) > 0))
        time.sleep(0.3)
        begin = time.monotonic()
        self.assertEqual(server.close(), 0)
        self.assertLess(time.monotonic() - begin, 10)


class Killed:
    """A whole server is killed with a statement in it, as a machine that loses its power does it; one of its own for each test."""
    engine, script, pid_file = Postgres, ("postgres.sh", "15"), "data/postmaster.pid"

    def setUp(self):
        super().setUp()
        if not os.environ.get(self.engine.variable):
            self.skipTest(f"{self.engine.variable} is not set")
        home = tempfile.mkdtemp(prefix="ward-killed.", dir="/tmp")
        os.chmod(home, 0o755)
        self.addCleanup(shutil.rmtree, home, True)
        self.place = pathlib.Path(home) / "s"
        self.addCleanup(self.run_script, "stop", self.place)
        self.database = self.engine(self.run_script("start", *self.script[1:], self.place).strip())
        self.database.make()

    def run_script(self, verb, *rest):
        return subprocess.run([SCRIPTS / self.script[0], verb, *map(str, rest)], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120).stdout

    def kill(self):
        first = int((self.place / self.pid_file).read_text().split()[0])
        children = pathlib.Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in [first, *map(int, children)]:
            os.kill(process, signal.SIGKILL)

    def test_a_killed_server_is_said_at_once_and_each_time(self):
        self.ward("index", self.database.through(self.database.port), "--name", "near")
        server = self.serve()
        begin = {"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": {"name": "execute_query", "arguments": {"sql": SLOW.format(t=self.database.table)}}}
        server.send(begin)
        self.assertTrue(until(PATIENCE_S, self.database.running), "the slow statement did not start")
        self.kill()
        answer = server.receive(PATIENCE_S)
        self.assertEqual(answer["id"], 77)
        for each in (answer["result"]["structuredContent"], server.call("execute_query", sql=POINT.format(t=self.database.table))):
            self.assertEqual((each["error"]["kind"], each["error"]["reason"]), ("internal_error", "source_unreachable"), each)
            self.assertTrue(each["error"]["retryable"])
        # What is in the index needs no server, and every call is in the log with its end.
        self.assertEqual(server.call("describe_table", qualified_name=self.database.table)["status"], "success")
        self.assertEqual(server.close(), 0)
        self.assertEqual(json.loads(self.ward("audit", "verify", "--json"))["open_begin_count"], 0)


class PostgresKilled(Killed, Case):
    pass


class MariaDbKilled(Killed, Case):
    engine, script, pid_file = MariaDb, ("mariadb.sh",), "pid"


class PostgresFaults(Faults, Case):
    engine = Postgres


class MariaDbFaults(Faults, Case):
    engine = MariaDb


if __name__ == "__main__":
    unittest.main()

"""Query logs: joins and examples out of files and of pg_stat_statements, kept over an index, followed without a restart."""
import json, os, subprocess, time, unittest

from ward import BINARY, Case

# COVERS: R-CONF-1 R-CONF-2

FOLD_SECONDS_MAX = 60
SHOP = """
CREATE TABLE customers (id integer PRIMARY KEY, full_name text, birth_date date, password text);
CREATE TABLE ledgers (code integer PRIMARY KEY, label text);
CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer, booked integer, total numeric(10,2));
"""
JOIN = "SELECT o.id FROM orders o JOIN ledgers l ON l.code = o.booked WHERE l.label = 'Alice Example';\n"
AGAIN = "SELECT sum(total) FROM orders, ledgers WHERE booked = code;\n"
BORN = "SELECT c.birth_date FROM customers c WHERE c.id = 12345;\n"
SECRET = "SELECT c.password FROM customers c WHERE c.id = 12345;\n"


class Queries(Case):
    def setUp(self):
        super().setUp()
        source = self.folder / "shop.sql"
        source.write_text(SHOP)
        self.source = f"ddl:{source}"
        self.index()

    def index(self, *flags):
        return json.loads(self.ward("index", self.source, "--name", "shop", "--json", *flags))

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def suggest(self, *flags, code=0):
        return json.loads(self.ward("suggest", "--json", *flags, code=code))

    def join(self, drafts, name="order_ledger"):
        return next((join for join in drafts["joins"] if join["name"] == name), None)

    def test_joins_of_a_file_become_drafts_with_their_evidence(self):
        self.assertIsNone(self.join(self.suggest()))
        drafts = self.suggest("--queries", self.file("a.sql", JOIN), "--queries", self.file("b.sql", AGAIN + JOIN))
        trust = self.join(drafts)["trust"]
        self.assertEqual((trust["method"], trust["state"]), ("observed_in_query_log", "draft"))
        self.assertEqual(trust["evidence"], ["seen in 2 queries (3 calls)"])
        joins = self.call("list_joins")["data"]["joins"]
        self.assertEqual(next(j for j in joins if j["name"] == "order_ledger")["provenance"]["inference_method"], "observed_in_query_log")

    def test_what_files_said_stays_over_an_index_until_it_is_forgotten(self):
        self.suggest("--queries", self.file("a.sql", JOIN))
        self.index()
        self.assertIsNotNone(self.join(self.suggest()))
        self.assertEqual(self.call("get_example_queries", qualified_name="orders")["data"]["queries"][0]["source"], "query_log")
        self.assertIsNone(self.join(self.suggest("--forget-queries")))
        self.assertEqual(self.call("get_example_queries", qualified_name="orders")["data"]["queries"][0]["source"], "generated")

    def test_examples_hold_no_constants_and_say_what_they_read(self):
        lines = [{"sql": JOIN, "calls": 40}, {"sql": SECRET, "calls": 900}, {"sql": BORN, "calls": 90}, {"sql": "SELECT id FROM orders", "calls": 1}]
        self.suggest("--queries", self.file("log.jsonl", "".join(json.dumps(line) + "\n" for line in lines)))
        answer = self.call("get_example_queries", qualified_name="orders")
        first, second = answer["data"]["queries"]
        self.assertEqual(first["sql_text"], "SELECT o.id FROM orders o JOIN ledgers l ON l.code = o.booked WHERE l.label = $1")
        self.assertEqual((first["observation_count"], first["confidence"], first["tables"]), (40, "MEDIUM", ["public.ledgers", "public.orders"]))
        self.assertEqual((second["observation_count"], second["confidence"], answer["confidence"]), (1, "LOW", "LOW"))
        self.assertEqual(first["provenance"]["inference_method"], "observed_in_query_log")
        of_column = self.call("get_example_queries", qualified_name="public.ledgers.label")["data"]["queries"]
        self.assertEqual([query["observation_count"] for query in of_column], [40])
        of_people = self.call("get_example_queries", qualified_name="customers")["data"]["queries"]
        self.assertEqual((of_people[0]["source"], of_people[0]["sensitivity"], of_people[0]["pii_categories"]), ("query_log", "pii", ["demographic_protected"]))
        # What would be refused is no example, however often it was seen.
        self.assertEqual(len(of_people), 1)
        self.assertNotIn("password", json.dumps(of_people))
        for kept in self.folder.glob("store.*"):
            self.assertNotIn(b"Alice", kept.read_bytes())
            self.assertNotIn(b"12345", kept.read_bytes())

    def test_a_file_that_cannot_be_read_is_an_error_and_a_statement_is_not(self):
        self.ward("suggest", "--queries", self.folder / "nowhere.sql", code=2)
        counts = self.suggest("--queries", self.file("a.sql", "SELECT `x`;\n" + JOIN))["queries"][0]["counts"]
        self.assertEqual((counts["unread"], counts["read"]), (1, 1))
        self.assertEqual(counts["unread_first"], [{"place": "a.sql line 1", "reason": "not PostgreSQL"}])

    def test_against_counts_what_queries_show(self):
        truth = self.file("truth.jsonl", json.dumps({"from": ["public.orders", "booked"], "to": ["public.ledgers", "code"]}) + "\n")
        before = json.loads(self.ward("suggest", "--against", truth, "--json"))
        after = json.loads(self.ward("suggest", "--against", truth, "--queries", self.file("a.sql", JOIN), "--json"))
        self.assertEqual((before["right"], after["right"]), (0, 1))
        self.assertIsNone(self.join(self.suggest()))

    def test_watch_follows_the_files_of_the_configuration(self):
        queries = self.file("reports.sql", SECRET)
        config = self.file("ward.yaml", "suggest:\n  queries: [reports.sql]\n")
        command = [BINARY, "index", self.source, "--name", "shop", "--watch", "1", "--store", str(self.store), "--config", str(config)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=self.environment, cwd="/") as watch:
            try:
                self.first_line(watch, "watching")
                queries.write_text(JOIN)
                self.first_line(watch, "1 joins")
                self.first_line(watch, "drafts")
            finally:
                watch.kill()
        self.assertIsNotNone(self.join(self.suggest()))

    def first_line(self, process, holding):
        for line in process.stderr:
            if holding in line:
                return
        self.fail(f"no line with {holding!r}")


class Postgres(Case):
    """The query log of a real server."""

    def setUp(self):
        super().setUp()
        self.server = os.environ.get("SCHEMAWARD_TEST_PG15")
        if not self.server:
            self.skipTest("SCHEMAWARD_TEST_PG15 names no server")
        self.database = f"ward_queries_{os.getpid()}"
        self.sql(self.server, f"DROP DATABASE IF EXISTS {self.database}", f"CREATE DATABASE {self.database}")
        self.addCleanup(self.sql, self.server, f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)")
        self.uri = self.server.rsplit("/", 1)[0] + "/" + self.database
        try:
            self.sql(self.uri, "CREATE EXTENSION pg_stat_statements", "SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()), 0)")
        except subprocess.CalledProcessError:
            self.skipTest("this server has not loaded pg_stat_statements")

    def sql(self, uri, *statements):
        command = ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", uri]
        for statement in statements:
            command += ["-c", statement]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def test_its_joins_and_queries_are_taken_with_each_index(self):
        self.sql(self.uri, *SHOP.strip().split("\n"))
        self.sql(self.uri, *[JOIN.strip()] * 3, AGAIN.strip())
        report = json.loads(self.ward("index", self.uri, "--name", "shop", "--json"))
        log = next(one for one in report["queries"] if one["origin"] == "pg_stat_statements")
        self.assertEqual(log["joins"], 1)
        queries = self.call("get_example_queries", qualified_name="orders")["data"]["queries"]
        self.assertEqual((queries[0]["observation_count"], queries[0]["source"]), (3, "query_log"))
        joins = self.call("list_joins")["data"]["joins"]
        self.assertIn("order_ledger", [join["name"] for join in joins])

    def test_its_own_queries_are_no_evidence(self):
        self.sql(self.uri, *SHOP.strip().split("\n"))
        self.ward("index", self.uri, "--name", "shop")
        self.call("get_metric", name="order_total")
        drafts = json.loads(self.ward("suggest", "--json", "--check-values"))
        self.assertEqual([one["counts"].get("read", 0) for one in drafts["queries"]], [0])

    def test_off_is_off(self):
        self.sql(self.uri, *SHOP.strip().split("\n"), AGAIN.strip())
        report = json.loads(self.ward("index", self.uri, "--name", "shop", "--json", "--query-log", "off"))
        self.assertEqual(report["queries"], [])

    def test_serve_takes_in_what_is_new_without_a_restart(self):
        self.sql(self.uri, *SHOP.strip().split("\n"))
        self.ward("index", self.uri, "--name", "shop")
        self.sql(self.uri, *[JOIN.strip()] * 2, AGAIN.strip())
        server = self.serve()
        until = time.monotonic() + FOLD_SECONDS_MAX
        while server.call("get_example_queries", qualified_name="orders")["data"]["queries"][0]["source"] != "query_log":
            self.assertLess(time.monotonic(), until, "the query log was not read")
            time.sleep(0.1)


if __name__ == "__main__":
    unittest.main()

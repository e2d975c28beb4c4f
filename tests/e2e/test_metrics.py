"""What happens to metrics when the source or its secret goes away, each by a real call."""
import os, sqlite3, subprocess, time, unittest

from ward import ROOT, Case

# COVERS: R-ENV-2 R-ENV-3 R-REC-1 R-CONF-1 R-CONF-2
# MAKES: schema_drift/object_gone unknown_measure_column missing_credential/missing_credential internal_error/engine_unavailable

NOTICED_SECONDS_MAX = 30


class Metrics(Case):
    def refused(self, code=2, **arguments):
        error = self.call("get_metric", code=code, **arguments)["error"]
        self.assertIsNotNone(error["recovery"]["suggested_tool"])
        return error["kind"], error["message"]

    def test_a_number_its_trust_and_what_was_computed(self):
        self.defined_shop()
        answer = self.call("get_metric", name="revenue", group_by=["billing.country_code"], response_format="detailed")
        self.assertEqual((answer["status"], answer["confidence"], answer["provenance"]["inference_method"]), ("success", "HIGH", "manually_authored"))
        self.assertIn("sum of", answer["data"]["reading"])
        self.assertEqual([c["name"] for c in answer["data"]["columns"]], ["billing.country_code", "revenue"])
        self.assertTrue(all(d["provenance"]["validation_state"] == "applied" for d in answer["data"]["definitions"]))

    def test_a_draft_is_served_and_marked_as_one(self):
        self.shop()
        metrics = self.call("list_metrics")["data"]["metrics"]
        self.assertTrue(metrics)
        answer = self.call("get_metric", name=metrics[0]["name"])
        self.assertIn(answer["confidence"], ("MEDIUM", "LOW"))
        self.assertEqual(answer["provenance"]["validation_state"], "draft")
        self.ward("confirm", "metric", metrics[0]["name"])
        confirmed = next(m for m in self.call("list_metrics")["data"]["metrics"] if m["name"] == metrics[0]["name"])
        self.assertEqual(confirmed["confidence"], "HIGH")

    def test_a_fan_out_is_degraded_and_says_so(self):
        self.defined_shop()
        answer = self.call("get_metric", name="orders", group_by=["product.name"], order_by="orders desc", limit=3)
        self.assertEqual((answer["status"], answer["degradation_reason"], answer["confidence"]), ("degraded", "fan_out_join", "MEDIUM"))
        self.assertEqual(answer["data"]["fan_out_joins"], ["order_line_order"])

    def test_a_filter_that_matches_nothing_gives_near_values(self):
        self.defined_shop()
        answer = self.call("get_metric", name="orders", filters=[{"column": "order.status", "value": "delivred"}])
        self.assertEqual(answer["status"], "empty")
        self.assertEqual(answer["data"]["nearest_values"][0]["values"][0], "delivered")

    def test_a_column_that_the_source_lost_is_drift(self):
        path = self.defined_shop()
        with sqlite3.connect(path) as database:
            database.executescript("DROP VIEW order_total; DROP VIEW monthly_revenue; ALTER TABLE order_line RENAME COLUMN discount_cents TO rebate_cents;")
        kind, message = self.refused(code=1, name="revenue")
        self.assertEqual((kind, message), ("schema_drift", "the source no longer has the column discount_cents of main.order_line"))

    def test_the_questions_before_and_beside_the_main_one_name_what_was_lost(self):
        path = self.defined_shop()
        with sqlite3.connect(path) as database:
            database.executescript("DROP VIEW order_total; DROP VIEW monthly_revenue; ALTER TABLE sales_order RENAME COLUMN placed_at TO ordered_at;")
        lost = ("schema_drift", "the source no longer has the column placed_at of main.sales_order")
        self.assertEqual(self.refused(code=1, name="orders", time_grain="month", compare="1 year"), lost)  # the first and last moment are asked first

    def test_a_statement_of_ones_own_names_what_was_lost(self):
        path = self.defined_shop()
        with sqlite3.connect(path) as database:
            database.executescript("DROP VIEW order_total; DROP VIEW monthly_revenue; ALTER TABLE order_line RENAME COLUMN discount_cents TO rebate_cents;")
        for sql in ("SELECT sum(discount_cents) FROM order_line", "EXPLAIN SELECT sum(discount_cents) FROM order_line"):
            error = self.call("execute_query", code=1, sql=sql)["error"]
            self.assertEqual((error["kind"], error["message"]), ("schema_drift", "the source no longer has the column discount_cents of main.order_line"))
            self.assertEqual(error["recovery"]["suggested_tool"], "validate_query")

    def test_a_server_says_which_column_the_source_lost_and_what_is_near(self):
        path = self.defined_shop()
        session = self.serve()
        self.assertEqual(session.call("get_metric", name="revenue")["status"], "success")
        with sqlite3.connect(path) as database:
            database.executescript("DROP VIEW order_total; DROP VIEW monthly_revenue; ALTER TABLE order_line RENAME COLUMN discount_cents TO discount_in_cents;")
        until = time.monotonic() + NOTICED_SECONDS_MAX
        error = session.call("get_metric", name="revenue")["error"]
        self.assertIn(error["kind"], ("schema_drift", "unknown_measure_column"))
        while not error["recovery"]["fuzzy_matches"] and time.monotonic() < until:  # the index is read again meanwhile
            error = session.call("get_metric", name="revenue")["error"]
            self.assertIn(error["kind"], ("schema_drift", "unknown_measure_column"))
        self.assertIn("discount_cents", error["message"])
        self.assertTrue(any("discount_in_cents" in near for near in error["recovery"]["fuzzy_matches"] or []), error)

    def test_a_measure_that_the_index_lost_is_named(self):
        path = self.defined_shop()
        with sqlite3.connect(path) as database:
            database.executescript("DROP VIEW order_total; DROP VIEW monthly_revenue; ALTER TABLE order_line RENAME COLUMN discount_cents TO rebate_cents;")
        self.ward("index", path)
        kind, message = self.refused(name="revenue")
        self.assertEqual(kind, "unknown_measure_column", message)
        self.assertIn("discount_cents", message)
        self.assertIn("discount_cents", self.ward("check", code=1))

    def test_a_secret_that_is_absent(self):
        os.chmod(self.folder, 0o755)
        server = ROOT / "scripts/postgres.sh"
        home = self.folder / "server"
        uri = subprocess.run([server, "start", "15", home], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        self.addCleanup(subprocess.run, [server, "stop", home], check=False)
        script = "CREATE TABLE sale (id integer PRIMARY KEY, amount numeric); GRANT SELECT ON sale TO reader;"
        subprocess.run(["psql", "-Xq", uri], input="CREATE ROLE reader LOGIN PASSWORD 'open sesame';" + script, check=True, text=True)
        self.ward("index", uri.replace("//schemaward@", "//reader:open%20sesame@"), "--name", "sales")
        metric = self.call("list_metrics")["data"]["metrics"][0]["name"]
        self.assertEqual(self.refused(name=metric)[0], "missing_credential")
        self.environment["SCHEMAWARD_SECRET_SALES"] = "open sesame"
        self.assertEqual(self.call("get_metric", name=metric)["status"], "empty")

    def test_a_description_has_no_rows(self):
        script = self.folder / "one.sql"
        script.write_text("CREATE TABLE orders (id integer PRIMARY KEY, amount numeric);")
        self.ward("index", f"ddl:{script}")
        error = self.call("get_metric", code=2, name=self.call("list_metrics")["data"]["metrics"][0]["name"])["error"]
        self.assertEqual(error["reason"], "engine_unavailable")
        recovery = error["recovery"]
        self.assertEqual(self.call(recovery["suggested_tool"], **recovery["suggested_args"])["status"], "success")


if __name__ == "__main__":
    unittest.main()

"""Drafts: an index ends with them, people's definitions stay, what no longer follows goes."""
import json, sqlite3, subprocess, unittest

from ward import BINARY, Case

SHOP = """
CREATE TABLE customers (id integer PRIMARY KEY, name text, created_at timestamp);
CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer, total numeric(10,2), placed_at timestamp);
CREATE TABLE tags (id integer PRIMARY KEY, label text);
CREATE TABLE order_tags (order_id integer, tag_id integer, PRIMARY KEY (order_id, tag_id));
"""


class Suggest(Case):
    def index(self, script, *flags):
        source = self.folder / "shop.sql"
        source.write_text(script)
        return json.loads(self.ward("index", f"ddl:{source}", "--name", "shop", "--json", *flags))

    def drafts(self, *flags):
        return json.loads(self.ward("suggest", "--json", *flags))

    def names(self, drafts):
        return {kind: [one["name"] for one in drafts[kind]] for kind in ("entities", "joins", "metrics")}

    def test_an_index_ends_with_drafts_that_fit_it(self):
        self.assertEqual(self.index(SHOP)["drafts"]["entities"], 3)
        self.assertEqual(
            self.names(self.drafts()),
            {
                "entities": ["customer", "order", "tag"],
                "joins": ["order_customer", "order_tag"],
                "metrics": ["customer_count", "order_count", "order_total", "tag_count"],
            },
        )
        self.ward("check")

    def test_no_suggest_leaves_nothing(self):
        self.assertNotIn("drafts", self.index(SHOP, "--no-suggest"))
        self.assertEqual(self.drafts()["summary"]["added"], 9)

    def test_drafts_follow_the_index_and_applied_definitions_stay(self):
        self.index(SHOP)
        folder = self.folder / "definitions" / "entities"
        folder.mkdir(parents=True)
        (folder / "buyer.yaml").write_text("name: buyer\ntable: public.customers\nidentity: [id]\n")
        self.ward("apply", self.folder / "definitions")
        drafts = self.drafts()
        self.assertEqual(self.names(drafts)["entities"], ["order", "tag"])
        self.assertIn("buyer", [join["to"] for join in drafts["joins"]])
        smaller = "".join(line for line in SHOP.splitlines(True) if "tag" not in line)
        self.assertGreater(self.index(smaller)["drafts"]["removed"], 0)
        self.assertEqual(self.names(self.drafts())["joins"], ["order_buyer"])
        self.ward("check")

    def test_drafts_are_written_as_files_that_apply_again(self):
        self.index(SHOP)
        self.ward("suggest", "--out", self.folder / "out")
        self.ward("suggest", "--out", self.folder / "out", code=2)
        self.ward("suggest", "--out", self.folder / "out", "--force")
        self.ward("apply", self.folder / "out")
        self.assertEqual(self.drafts()["summary"]["entities"], 0)

    def test_values_decide_over_names(self):
        path = self.folder / "shop.db"
        with sqlite3.connect(path) as database:
            database.executescript(
                """CREATE TABLE customers (id integer PRIMARY KEY);
                CREATE TABLE regions (id integer PRIMARY KEY);
                CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer, region_id integer, password_id integer);
                CREATE TABLE passwords (id integer PRIMARY KEY);"""
            )
            database.executemany("INSERT INTO customers VALUES (?)", [(n,) for n in range(100)])
            database.executemany("INSERT INTO regions VALUES (?)", [(n,) for n in range(5)])
            database.executemany("INSERT INTO orders VALUES (?, ?, ?, 7)", [(n, n % 101, n) for n in range(1500)])
        self.ward("index", path)
        self.assertIn("order_region", self.names(self.drafts())["joins"])
        joins = {join["name"]: join for join in self.drafts("--check-values")["joins"]}
        self.assertNotIn("order_region", joins)
        self.assertIn("100 of 101 sampled values occur in the target", joins["order_customer"]["trust"]["evidence"])

    def test_watch_follows_the_catalog(self):
        source = self.folder / "shop.sql"
        source.write_text(SHOP)
        command = [BINARY, "index", f"ddl:{source}", "--name", "shop", "--watch", "1", "--store", str(self.store)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.folder) as watch:
            try:
                self.first_line(watch, "watching")
                source.write_text(SHOP + "CREATE TABLE refunds (id integer PRIMARY KEY, order_id integer);")
                self.first_line(watch, "1 added")
                self.first_line(watch, "drafts")
            finally:
                watch.kill()
        self.assertIn("refund_order", self.names(self.drafts())["joins"])

    def first_line(self, process, holding):
        """Reads the process's words up to the line that holds a text; the end of them fails the test."""
        for line in process.stderr:
            if holding in line:
                return
        self.fail(f"no line with {holding!r}")

    def test_against_names_what_is_false_and_what_is_missed(self):
        self.index(SHOP)
        truth = self.folder / "truth.jsonl"
        rows = [("orders", "customer_id", "customers", "id"), ("tags", "label", "orders", "id")]
        truth.write_text("".join(json.dumps({"from": [f"public.{a}", b], "to": [f"public.{c}", d]}) + "\n" for a, b, c, d in rows))
        report = json.loads(self.ward("suggest", "--against", truth, "--json"))
        self.assertEqual((report["found"], report["right"], report["recall"]), (3, 1, 0.5))
        self.assertIn("public.order_tags(tag_id) -> public.tags(id)", report["false_joins"])
        self.assertEqual(report["missed"], ["public.tags(label) -> public.orders(id)"])


if __name__ == "__main__":
    unittest.main()

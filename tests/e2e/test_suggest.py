"""Drafts: an index ends with them, people's definitions stay, what no longer follows goes."""
import json, sqlite3, unittest

from ward import Case

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

"""A metric of a view is computed as one of a table is: what the view is made of is known from the index."""
import unittest

import engines
from ward import Case

TABLES = """CREATE TABLE item (id integer PRIMARY KEY, label varchar(40) NOT NULL, email varchar(40)); CREATE TABLE sale (id integer PRIMARY KEY, item_id integer, amount decimal(10, 2));
INSERT INTO item VALUES (1, 'pen', 'a@b.example'), (2, 'ink', 'c@d.example'); INSERT INTO sale VALUES (1, 1, 2.50), (2, 2, 4.00);
CREATE VIEW sold AS SELECT s.id, i.label, s.amount FROM sale s JOIN item i ON i.id = s.item_id; CREATE VIEW dear AS SELECT id, label FROM sold WHERE amount > 3; CREATE VIEW reached AS SELECT id, email AS note FROM item;"""


class Views:
    def setUp(self):
        super().setUp()
        self.source = self.make_database("views", TABLES)
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")

    def test_a_metric_of_a_view_is_computed(self):
        self.ward("index", self.source, "--no-suggest")
        entity = lambda name: {f"entities/{name}.yaml": f"name: {name}\ntable: {self.schema}.{name}\nidentity: id\n"}
        metric = lambda name, of, rest: {f"metrics/{name}.yaml": f"name: {name}\nentity: {of}\n{rest}\n"}
        for path, text in {**entity("sold"), **entity("dear"), **entity("reached"), **metric("sales", "sold", "aggregation: sum\ncolumn: amount"), **metric("dear_ones", "dear", "aggregation: count"),
                           **metric("notes", "reached", "aggregation: max\ncolumn: note")}.items():
            (self.folder / "definitions" / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / "definitions" / path).write_text(text)
        self.ward("apply", self.folder / "definitions")
        answer = self.call("get_metric", name="sales", group_by=["sold.label"], order_by="sales")
        self.assertEqual([[row[0], float(row[1])] for row in answer["data"]["rows"]], [["pen", 2.5], ["ink", 4.0]], answer)
        self.assertEqual(self.call("get_metric", name="dear_ones")["data"]["rows"], [[1]])
        self.assertEqual(self.call("get_metric", code=1, name="notes")["error"]["kind"], "pii_blocked")


class Sqlite(Views, engines.Sqlite, Case):
    pass


class Postgres(Views, engines.Postgres, Case):
    pass


class MariaDb(Views, engines.MariaDb, Case):
    pass


class DuckDb(Views, engines.DuckDb, Case):
    pass


if __name__ == "__main__":
    unittest.main()

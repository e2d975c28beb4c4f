"""Live values of a column by describe_column, on each engine: through the guard, audited, never stored."""
import json, sqlite3, unittest

import engines
from ward import Case

# COVERS: R-VAL-1 R-REC-1 R-REC-2
ROWS = 300
TABLE = """
CREATE TABLE parcels (id integer PRIMARY KEY, state varchar(40), weight decimal(8, 2), sent date, email varchar(80), gender varchar(10), label varchar(80), body {json});
CREATE VIEW parcel_list AS SELECT state AS s, email AS e FROM parcels;
"""
STATES = ["open"] * 200 + ["sent"] * 90 + [None] * 10


def literal(value):
    return "NULL" if value is None else f"'{value}'" if isinstance(value, str) else str(value)


def script(json_type):
    rows = [(i, state, "2.50" if i % 3 else "10.00", f"2024-01-{i % 2 + 1:02d}", f"u{i}@x.example", "mf"[i % 2], f"label {i}", "{}") for i, state in enumerate(STATES)]
    return TABLE.format(json=json_type) + "INSERT INTO parcels VALUES " + ", ".join("(" + ", ".join(map(literal, row)) + ")" for row in rows) + ";"


class Values:
    """The same for each engine; mixed into the cases below."""
    json_type = "text"

    def setUp(self):
        super().setUp()
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")
        self.ward("index", self.make_database("post", script(self.json_type)), "--name", "post", "--no-suggest")

    def column(self, name, code=0, table="parcels", **arguments):
        return self.call("describe_column", code=code, qualified_name=f"{self.schema}.{table}.{name}", **{"values": True, **arguments})

    def values(self, name, **arguments):
        answer = self.column(name, **arguments)
        self.assertEqual(answer["status"], "success", answer)
        return [(one["value"], one["rows"]) for one in answer["data"]["values"]]

    def check_values_come_with_their_counts_most_first(self):
        self.assertEqual(self.values("state"), [("open", 200), ("sent", 90), (None, 10)])
        self.assertEqual(self.column("state")["data"]["values_total"], 3)

    def check_decimals_and_dates_are_exact(self):
        weights = self.values("weight")
        self.assertEqual([(float(value), rows) for value, rows in weights], [(2.5, 200), (10.0, 100)])
        if self.engine != "sqlite":
            self.assertEqual(weights[0][0], "2.50")
        self.assertEqual(self.values("sent"), [("2024-01-01", 150), ("2024-01-02", 150)])

    def check_values_are_not_given_unless_asked_for_and_are_not_kept(self):
        self.values("state")
        self.assertNotIn("values", self.column("state", values=False)["data"])
        kept = b"".join(path.read_bytes() for path in self.folder.glob("store.db*"))
        self.assertEqual(kept.count(b"label 17"), 0)

    def check_a_blocked_column_is_refused_and_the_next_call_describes_it(self):
        for table, name in (("parcels", "email"), ("parcel_list", "e")):
            answer = self.column(name, code=1, table=table)
            self.assertEqual((answer["error"]["kind"], answer["error"]["pii_categories"]), ("pii_blocked", ["contact"]), answer)
            recovery = answer["error"]["recovery"]
            self.assertEqual(recovery["suggested_tool"], "describe_column")
            again = self.call("describe_column", **recovery["suggested_args"])
            self.assertEqual(again["status"], "success")
            self.assertNotIn("values", again["data"])
        self.assertEqual(self.values("s", table="parcel_list")[0], ("open", 200))

    def check_many_values_and_personal_ones_are_withheld_with_what_to_do(self):
        for name, why in (("label", "high_cardinality"), ("gender", "personal"), *((("body", "not_comparable"),) if self.engine == "postgres" else ())):
            answer = self.column(name)
            self.assertEqual((answer["status"], answer["data"]["values_withheld"]), ("partial", why), answer)
            self.assertNotIn("values", answer["data"])
            self.assertTrue(answer["data"]["values_hint"])
            self.assertEqual(answer["follow_up_hints"][0], "execute_query")

    def check_the_audit_log_says_what_was_read(self):
        self.values("state")
        self.column("email", code=1)
        ends = [r for r in map(json.loads, self.ward("audit", "export").splitlines()) if r["kind"] == "end"]
        self.assertEqual((ends[-2]["status"], ends[-2]["rows"], ends[-2]["statement_hash"] != ""), ("success", 3, True), ends[-2])
        self.assertEqual((ends[-1]["status"], ends[-1].get("statement_hash")), ("refused", None), ends[-1])
        self.assertEqual(ends[-1]["pii_categories"], '["contact"]')

    def check_z_row_filters_and_lists_hold_for_values_too(self):
        policy = self.folder / "policy.yaml"
        policy.write_text(f"version: 1\nprofile: team\nrow_filters: {{{self.schema}.parcels: state = 'sent'}}\n")
        self.assertEqual(self.values("state"), [("sent", 90)])
        policy.write_text(f"version: 1\nprofile: team\ndeny: {{tables: [{self.schema}.parcels]}}\n")
        self.assertEqual(self.column("state", code=1)["error"]["kind"], "policy_blocked")

    def check_z_a_condition_that_can_fail_is_tried_on_no_hidden_row(self):
        # The filter costs more than the condition, so PostgreSQL would try the condition first.
        (self.folder / "policy.yaml").write_text(f"version: 1\nprofile: team\nrow_filters: {{{self.schema}.parcels: lower(upper(lower(state))) = 'sent'}}\n")
        number = "signed" if self.engine == "mysql" else "integer"
        answer = self.call("execute_query", sql=f"SELECT count(*) AS n FROM {self.schema}.parcels WHERE CAST(replace(state, 'sent', '1') AS {number}) = 1")
        self.assertEqual(answer["data"]["rows"], [[90]], answer)

    def test_values_of_a_column(self):
        # One source for all of them: to make one costs more than to ask it. Policies last.
        for name in sorted(name for name in dir(self) if name.startswith("check_")):
            with self.subTest(name):
                getattr(self, name)()


class Sqlite(engines.Sqlite, Values, Case):
    def test_a_source_that_is_away_is_an_error_whose_next_call_works(self):
        (self.folder / "post.db").unlink()
        answer = self.column("state", code=2)
        self.assertEqual((answer["error"]["kind"], answer["error"]["reason"]), ("internal_error", "source_unreachable"), answer)
        again = self.call(answer["error"]["recovery"]["suggested_tool"], **answer["error"]["recovery"]["suggested_args"])
        self.assertEqual(again["status"], "success")

    def test_a_script_has_no_values(self):
        (self.folder / "post.sql").write_text("CREATE TABLE parcels (id integer PRIMARY KEY, state text);")
        self.ward("index", f"ddl:{self.folder / 'post.sql'}", "--name", "paper")
        answer = self.call("describe_column", code=2, qualified_name="public.parcels.state", values=True)
        again = self.call(answer["error"]["recovery"]["suggested_tool"], **answer["error"]["recovery"]["suggested_args"])
        self.assertEqual(again["status"], "success")

    def test_hidden_names_stay_hidden(self):
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: strict\n")
        answer = self.column("hidden_5", code=1)
        self.assertEqual(answer["error"]["kind"], "pii_blocked")
        self.assertNotIn("email", json.dumps(answer))
        self.assertEqual(self.values("state")[0], ("open", 200))

    def test_text_is_cleaned_and_says_so(self):
        with sqlite3.connect(self.folder / "post.db") as database:
            database.execute("UPDATE parcels SET state = 'a\u202eb' || char(7) WHERE state = 'sent'")
            database.execute("UPDATE parcels SET state = ? WHERE state = 'open'", ("x" * 500,))
        values = self.column("state")["data"]["values"]
        self.assertEqual([v.get("altered", False) for v in values], [True, True, False])
        self.assertEqual(values[1]["value"], "ab")
        self.assertLessEqual(len(values[0]["value"]), 200)


class Postgres(engines.Postgres, Values, Case):
    json_type = "json"


class MariaDb(engines.MariaDb, Values, Case):
    json_type = "longtext"


class DuckDb(engines.DuckDb, Values, Case):
    json_type = "varchar"


if __name__ == "__main__":
    unittest.main()

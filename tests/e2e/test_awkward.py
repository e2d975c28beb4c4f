"""What is odd in a database is an answer or an error that says what to do; it costs no other table and no other column."""
import unittest

import engines
from ward import Case


class Awkward:
    def start(self, script):
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        self.source = self.make_database("awkward", script)
        self.ward("index", self.source, "--no-suggest")
        self.server = self.serve()

    def rows(self, sql):
        answer = self.server.call("execute_query", sql=sql)
        self.assertEqual(answer["status"], "success", answer)
        return answer["data"]["rows"]

    def error(self, sql):
        answer = self.server.call("execute_query", sql=sql)
        self.assertEqual(answer["status"], "error", answer)
        self.assertIsNotNone(answer["error"]["hint"], answer)
        return answer["error"]["reason"], answer["error"]["message"]


class Postgres(Awkward, engines.Postgres, Case):
    def test_a_table_without_columns_has_rows_to_count(self):
        self.start("CREATE TABLE bare (); INSERT INTO bare DEFAULT VALUES;")
        self.assertEqual(self.rows("SELECT count(*) FROM bare"), [[1]])
        self.assertEqual(self.error("SELECT * FROM bare"), ("sql_syntax", "the statement selects no column: * stands for none here"))

    def test_types_that_cannot_be_grouped_withhold_their_values(self):
        types = {"path": "jsonpath '$.a'", "transaction": "'7'::xid", "command": "'7'::cid", "grant_item": "'schemaward=r/schemaward'::aclitem", "seen": "'10:20:10'::pg_snapshot", "document": "json '{}'", "listed": "ARRAY[json '{}']"}
        self.start("CREATE TABLE odd AS SELECT " + ", ".join(f"{value} AS {name}" for name, value in types.items()))
        for name in types:
            with self.subTest(name):
                self.assertEqual(self.server.call("describe_column", qualified_name=f"public.odd.{name}", values=True)["data"]["values_withheld"], "not_comparable")

    def test_a_view_whose_text_has_patterns_is_read(self):
        self.start("CREATE TABLE item (id integer, label text); INSERT INTO item VALUES (1, 'a_b'), (2, 'axb'); CREATE VIEW like_it AS SELECT id FROM item WHERE label LIKE 'a!_b' ESCAPE '!'; CREATE VIEW similar_to_it AS SELECT id, label SIMILAR TO 'a(x|y)b' AS fits FROM item")
        self.assertEqual(self.rows("SELECT id FROM like_it"), [[1]])
        self.assertEqual(self.rows("SELECT id, fits FROM similar_to_it ORDER BY id"), [[1, False], [2, True]])

    def test_a_materialized_view_without_rows_yet_says_so(self):
        self.start("CREATE TABLE item (id integer); CREATE MATERIALIZED VIEW later AS SELECT id FROM item WITH NO DATA")
        reason, message = self.error("SELECT id FROM later")
        self.assertEqual(reason, "sql_runtime")
        self.assertIn("a materialized view without rows yet", message)

    def test_a_foreign_server_that_does_not_answer_is_not_the_source(self):
        self.start("CREATE EXTENSION postgres_fdw; CREATE SERVER gone FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '1', dbname 'x'); CREATE USER MAPPING FOR CURRENT_USER SERVER gone;"
                   "CREATE FOREIGN TABLE far (id integer, label text) SERVER gone; CREATE TABLE near (id integer); INSERT INTO near VALUES (1);")
        self.assertEqual(self.error("SELECT id FROM far"), ("sql_runtime", "a foreign table of the statement could not be read"))
        self.assertEqual(self.rows("SELECT id FROM near"), [[1]])
        # An index that reads values keeps all but that table's.
        self.assertIn("a foreign table of the statement could not be read", self.ward("index", self.source, "--no-suggest", "--sample", "3", "--json"))


class MariaDb(Awkward, engines.MariaDb, Case):
    def test_a_view_that_casts_to_text_is_read(self):
        self.start("CREATE TABLE item (id int, label varchar(9), email varchar(40)); INSERT INTO item VALUES (7, 'pen', 'a@b.example'); CREATE VIEW shown AS SELECT CAST(id AS char) AS number, CAST(label AS char(2)) AS head, BINARY label AS bytes FROM item;"
                   "CREATE VIEW hidden AS SELECT CAST(email AS char) AS note FROM item;")
        self.assertEqual(self.rows("SELECT number, head FROM shown"), [["7", "pe"]])
        self.assertEqual(self.server.call("execute_query", sql="SELECT note FROM hidden")["error"]["kind"], "pii_blocked")


class Sqlite(Awkward, engines.Sqlite, Case):
    def test_an_rtree_is_read_and_costs_no_other_table(self):
        self.start("CREATE VIRTUAL TABLE places USING rtree_i32(id, x0, x1, +label text); INSERT INTO places VALUES (1, 2, 3, 'here'); CREATE TABLE near (id integer); INSERT INTO near VALUES (1);")
        self.assertEqual(self.rows("SELECT id, x0, label FROM places WHERE x0 < 5"), [[1, 2, "here"]])
        self.assertEqual(self.rows("SELECT p.label FROM places p JOIN near n ON n.id = p.id"), [["here"]])
        for write in ("DELETE FROM places_node", "UPDATE places SET label = 'x'", "INSERT INTO places_rowid VALUES (9, 9, 9)"):
            self.assertEqual(self.server.call("execute_query", sql=write)["status"], "refused", write)
        self.assertEqual(self.rows("SELECT count(*) FROM places"), [[1]])


    def test_the_clock_may_be_asked(self):
        self.start("CREATE TABLE near (id integer); INSERT INTO near VALUES (1); CREATE VIEW clock AS SELECT id, CURRENT_DATE AS day FROM near")
        self.assertEqual(self.rows("SELECT id FROM near WHERE current_timestamp > '2000-01-01' AND CURRENT_DATE > '2000-01-01' AND current_time >= '00:00:00'"), [[1]])
        self.assertEqual(self.rows("SELECT id FROM clock WHERE day > '2000-01-01'"), [[1]])


class DuckDb(Awkward, engines.DuckDb, Case):
    def test_a_view_whose_text_has_forms_of_words_is_read(self):
        self.start("CREATE TABLE item (id integer, label varchar, day date, email varchar); INSERT INTO item VALUES (1, ' pen ', '2024-02-29', 'a@b.example'); CREATE MACRO reach(x) AS (SELECT max(email) FROM item);"
                   "CREATE VIEW worded AS SELECT trim(label) AS label, substring(label, 2, 2) AS head, extract(year FROM day) AS year, [id, id] AS list FROM item; CREATE VIEW alike AS SELECT id, label LIKE '%pen%' AS is_like, label ILIKE '%PEN%' AS is_ilike, label NOT LIKE 'x' AS is_not, label NOT ILIKE 'X' AS is_not_too FROM item; CREATE VIEW hidden AS SELECT trim(email) AS note FROM item; CREATE VIEW reached AS SELECT reach(id) AS note FROM item;")
        self.assertEqual(self.rows("SELECT label, head, year, list FROM worded"), [["pen", "pe", 2024, "[1, 1]"]])
        self.assertEqual(self.rows("SELECT * FROM alike"), [[1, True, True, True, True]])
        self.assertEqual(self.server.call("execute_query", sql="SELECT note FROM hidden")["error"]["kind"], "pii_blocked")
        self.assertEqual(self.server.call("execute_query", sql="SELECT note FROM reached")["error"]["kind"], "policy_blocked")
        self.assertEqual(self.server.call("execute_query", sql="SELECT main.trim(label) FROM item")["status"], "refused")

    def test_moments_of_far_years_are_themselves(self):
        self.start("CREATE TABLE moments (d DATE, t TIMESTAMP); INSERT INTO moments VALUES ('5877642-06-25 (BC)', '0044-03-15 (BC) 12:00:00'), ('12024-01-02', '294247-01-10 04:00:54.5')")
        self.assertEqual(self.rows("SELECT d, t FROM moments ORDER BY d"), [["5877642-06-25 (BC)", "0044-03-15 (BC) 12:00:00"], ["12024-01-02", "294247-01-10T04:00:54.5"]])


if __name__ == "__main__":
    unittest.main()

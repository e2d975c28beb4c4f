"""Casts to types that the owner of a PostgreSQL database made: enums and domains of the tables that are read, and no other type."""
import unittest

import engines
from ward import Case

SCRIPT = """
CREATE SCHEMA sales;
CREATE TYPE sales.state AS ENUM ('open', 'paid');
CREATE TYPE sales.regclass AS ENUM ('open');
CREATE DOMAIN sales.price AS numeric(10, 2) CHECK (VALUE >= 0);
CREATE TYPE sales.place AS (street text, town text);
CREATE TABLE sales.orders (id integer PRIMARY KEY, state sales.state, states sales.state[], price sales.price, other sales.regclass, place sales.place);
INSERT INTO sales.orders VALUES (1, 'open', '{open,paid}', 2.50, 'open', NULL), (2, 'paid', '{paid}', 3, NULL, NULL);
CREATE VIEW sales.open_orders AS SELECT id, price FROM sales.orders WHERE state = 'open'::sales.state;
CREATE TABLE sales.people (id integer PRIMARY KEY, name text);
"""

# Types that run routines of the database, which read what is blocked: by a cast, through what is made of the type too, and by a check.
RUNNING = """
CREATE SCHEMA sales;
CREATE TABLE sales.customer (id integer PRIMARY KEY, ssn text);
INSERT INTO sales.customer VALUES (1, '078-05-1120');
CREATE TYPE sales.mood AS ENUM ('sad', 'ok');
CREATE FUNCTION sales.said(sales.mood) RETURNS text LANGUAGE sql STABLE AS 'SELECT ssn FROM sales.customer';
CREATE CAST (sales.mood AS text) WITH FUNCTION sales.said(sales.mood) AS IMPLICIT;
CREATE TYPE sales.face AS (mood sales.mood, size integer);
CREATE FUNCTION sales.is_known(text) RETURNS boolean LANGUAGE plpgsql STABLE AS 'BEGIN RETURN EXISTS (SELECT FROM sales.customer WHERE ssn > $1); END';
CREATE DOMAIN sales.code AS text CHECK (sales.is_known(VALUE));
CREATE DOMAIN sales.short AS text CHECK (length(VALUE) < 9);
CREATE TABLE sales.visit (id integer PRIMARY KEY, mood sales.mood, moods sales.mood[], face sales.face, code sales.code, short sales.short);
INSERT INTO sales.visit VALUES (1, 'ok', '{ok}', ROW('ok', 2), '0', 's');
CREATE VIEW sales.told AS SELECT id, mood::text AS told FROM sales.visit;
"""


class OwnTypes(engines.Postgres, Case):
    def setUp(self):
        super().setUp()
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")
        self.ward("index", self.make_database("types", SCRIPT), "--no-suggest")

    def test_casts_run_as_they_are_printed(self):
        for sql, rows in (("SELECT id FROM sales.orders WHERE state = 'open'::sales.state", [[1]]),
                          ("SELECT id FROM orders WHERE state = CAST('paid' AS state)", [[2]]),
                          ("SELECT id FROM orders WHERE states @> '{open}'::state[]", [[1]]),
                          ("SELECT '2.505'::price FROM orders WHERE id = 1", [["2.51"]]),
                          ("SELECT id FROM orders WHERE other = 'open'::sales.regclass", [[1]]),
                          ("SELECT id FROM open_orders", [[1]])):
            answer = self.call("execute_query", sql=sql)
            self.assertEqual((answer["status"], answer["data"]["rows"]), ("success", rows), answer)
        self.assertIn('AS "sales"."state")', self.call("execute_query", sql="SELECT id FROM orders WHERE state = 'open'::state")["data"]["statement"])

    def test_other_types_are_refused(self):
        for sql in ("SELECT 'sales.orders'::regclass FROM orders", "SELECT 'open'::regclass FROM orders", "SELECT 'x'::pg_catalog.regproc FROM orders",
                    "SELECT '(a,b)'::sales.place FROM orders", "SELECT '(1,a)'::sales.people FROM people", "SELECT '(1)'::sales.orders FROM orders",
                    "SELECT 'open'::sales.state FROM people", "SELECT 'open'::other.state FROM orders", "SELECT '1'::pg_lsn FROM orders"):
            answer = self.call("execute_query", code=1, sql=sql)
            self.assertEqual((answer["error"]["kind"], answer["error"]["reason"]), ("policy_blocked", "not_a_read"), sql)


class RunningTypes(engines.Postgres, Case):
    def test_they_are_shown_and_not_converted(self):
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")
        self.ward("index", self.make_database("running", RUNNING), "--no-suggest")
        for sql in ("SELECT mood::text FROM visit", "SELECT upper(mood) FROM visit", "SELECT string_agg(mood, '') FROM visit", "SELECT moods::text[] FROM visit",
                    "SELECT to_json(face) FROM visit", "SELECT row_to_json(v) FROM visit v", "SELECT told FROM told", "SELECT 'ok'::sales.mood FROM visit",
                    "SELECT '1'::sales.code FROM visit", "SELECT id FROM visit WHERE mood || '' > '0'"):
            answer = self.call("execute_query", code=1, sql=sql)
            self.assertEqual(answer["error"]["kind"], "policy_blocked", sql)
        for sql, rows in (("SELECT id, mood, code FROM visit", [[1, "ok", "0"]]), ("SELECT code || 'x', 'a'::short FROM visit", [["0x", "a"]]),
                          ("SELECT id FROM told", [[1]])):
            self.assertEqual(self.call("execute_query", sql=sql)["data"]["rows"], rows, sql)


ROWS = """
CREATE TYPE contact AS (town text, email text);
CREATE TYPE visit AS (place text, who contact, others contact[]);
CREATE TYPE size AS (width integer, height integer);
CREATE DOMAIN known AS contact CHECK (VALUE IS NOT NULL);
CREATE TABLE profile (id integer PRIMARY KEY, info contact, list contact[], visit visit, known known, size size);
INSERT INTO profile VALUES (1, ROW('Oslo', 'ana@x.example'), ARRAY[ROW('Oslo', 'ana@x.example')::contact], ROW('a', ROW('Oslo', 'ana@x.example'), NULL), ROW('Oslo', 'a'), ROW(2, 3));
CREATE VIEW mails AS SELECT id, (info).email AS x FROM profile;
"""


class RowTypes(engines.Postgres, Case):
    script, sizes = ROWS, ("SELECT (size).width FROM profile", [[2]])
    refused = ("SELECT (info).email FROM profile", "SELECT info FROM profile", "SELECT list FROM profile", "SELECT visit::text FROM profile", "SELECT known FROM profile",
               "SELECT (list[1]).email FROM profile", "SELECT x FROM mails", "SELECT id FROM profile WHERE (info).email LIKE 'a%'", "SELECT id FROM profile ORDER BY info")

    def test_a_row_holds_what_its_fields_are_called(self):
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")
        self.ward("index", self.make_database("rows", self.script), "--no-suggest")
        for sql in self.refused:
            answer = self.call("execute_query", code=1, sql=sql)
            self.assertEqual(answer["error"]["kind"], "pii_blocked", sql)
        self.assertEqual(self.call("execute_query", sql=self.sizes[0])["data"]["rows"], self.sizes[1])


class StructTypes(engines.DuckDb, RowTypes):
    script = """CREATE TABLE profile (id INTEGER, info STRUCT(town VARCHAR, email VARCHAR), list STRUCT(who STRUCT(email VARCHAR)[])[], by_key MAP(VARCHAR, STRUCT(email VARCHAR)), size STRUCT(width INTEGER, height INTEGER));
INSERT INTO profile VALUES (1, {'town': 'Oslo', 'email': 'ana@x.example'}, [], MAP {}, {'width': 2, 'height': 3})"""
    sizes = ("SELECT size.width FROM profile", [[2]])
    refused = ("SELECT info.email FROM profile", "SELECT info FROM profile", "SELECT list FROM profile", "SELECT by_key FROM profile", "SELECT id FROM profile WHERE info.email LIKE 'a%'",
               "SELECT unnest(list) FROM profile", "SELECT id FROM profile ORDER BY info")


if __name__ == "__main__":
    unittest.main()

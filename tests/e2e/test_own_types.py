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


if __name__ == "__main__":
    unittest.main()

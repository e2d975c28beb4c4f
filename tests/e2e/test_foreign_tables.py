"""Foreign tables of PostgreSQL: a column is judged by what the other server calls it too, and refused before the engine is asked."""
import json, unittest

import engines
from ward import Case

MARK = "-kept"
TABLES = f"""
CREATE SCHEMA far;
CREATE TABLE far.people (id integer PRIMARY KEY, ssn text, town text, part integer);
INSERT INTO far.people VALUES (1, '111{MARK}', 'Oslo', 1), (2, '222{MARK}', 'Bergen', 1);
CREATE EXTENSION postgres_fdw;
CREATE SERVER here FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '%(host)s', port '%(port)s', dbname '%(name)s');
CREATE SERVER nobody FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '1', dbname 'none', connect_timeout '2');
CREATE USER MAPPING FOR CURRENT_USER SERVER here OPTIONS (user '%(user)s');
CREATE USER MAPPING FOR CURRENT_USER SERVER nobody OPTIONS (user 'none');
CREATE FOREIGN TABLE renamed (a integer OPTIONS (column_name 'id'), b text OPTIONS (column_name 'ssn'), c text OPTIONS (column_name 'town')) SERVER here OPTIONS (schema_name 'far', table_name 'people');
CREATE FOREIGN TABLE away (b text OPTIONS (column_name 'ssn'), c text OPTIONS (column_name 'town')) SERVER nobody OPTIONS (schema_name 'far', table_name 'people');
CREATE TABLE whole (part integer, b text, c text) PARTITION BY LIST (part);
CREATE FOREIGN TABLE piece (part integer, b text OPTIONS (column_name 'ssn'), c text OPTIONS (column_name 'town')) SERVER here OPTIONS (schema_name 'far', table_name 'people');
ALTER TABLE whole ATTACH PARTITION piece FOR VALUES IN (1);
CREATE TABLE top (b text, c text);
CREATE FOREIGN TABLE below (b text OPTIONS (column_name 'ssn'), c text OPTIONS (column_name 'town')) INHERITS (top) SERVER here OPTIONS (schema_name 'far', table_name 'people');
CREATE VIEW seen AS SELECT b AS x, c AS y FROM renamed;
CREATE MATERIALIZED VIEW stored AS SELECT b AS x, c AS y FROM renamed;
"""


class ForeignTables(engines.Postgres, Case):
    def setUp(self):
        super().setUp()
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")
        self.ward("index", self.make_database("foreign", ""), "--name", "foreign", "--no-suggest")
        self.server = self.serve()

    def make_database(self, name, script):
        source = super().make_database(name, script)
        own = source.split("?")[0]
        user, rest = own.split("//")[1].split("@")
        (host, port), database = rest.split("/")[0].split(":"), rest.split("/")[1]
        self.psql(own, TABLES % {"host": host, "port": port, "name": database, "user": user})
        return source

    def ask(self, sql):
        answer = self.server.request("tools/call", {"name": "execute_query", "arguments": {"sql": sql}})
        self.assertNotIn(MARK, json.dumps(answer), sql)
        return answer["result"]["structuredContent"]

    def test_a_column_whose_name_on_the_other_server_is_personal_is_refused(self):
        for table, column, town in (("renamed", "b", "c"), ("whole", "b", "c"), ("top", "b", "c"), ("below", "b", "c"), ("seen", "x", "y"), ("stored", "x", "y")):
            with self.subTest(table):
                for sql in (f"SELECT {column} FROM {table}", f"SELECT * FROM {table}", f"SELECT {town} FROM {table} WHERE {column} > '2'", f"SELECT {town} FROM {table} ORDER BY {column}", f"SELECT to_jsonb(t) FROM {table} t"):
                    self.assertEqual((self.ask(sql)["error"] or {}).get("kind"), "pii_blocked", sql)
                self.assertEqual(sorted(self.ask(f"SELECT {town} FROM {table}")["data"]["rows"]), [["Bergen"], ["Oslo"]])  # the table gives its rows

    def test_a_description_says_so_and_shows_no_value(self):
        for column in ("renamed.b", "whole.b", "top.b", "seen.x"):
            said = self.server.call("describe_column", qualified_name=f"public.{column}")["data"]
            self.assertEqual((said["personal"]["categories"], said["personal"]["blocked"]), (["government_id"], True), said)
            self.assertEqual(self.server.call("describe_column", qualified_name=f"public.{column}", values=True)["error"]["kind"], "pii_blocked")

    def test_the_refusal_comes_before_the_engine(self):
        self.assertEqual(self.ask("SELECT b FROM away")["error"]["kind"], "pii_blocked")
        self.assertEqual(self.ask("SELECT c FROM away")["error"]["kind"], "internal_error")  # which cannot reach that server


if __name__ == "__main__":
    unittest.main()

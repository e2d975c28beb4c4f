"""The session that a policy sets for the engine's own row security: no statement of the caller changes it, and none of it is left for the next."""
import json, os, unittest

import engines
from ward import Case

OWN = 2  # rows of the tenant


class DatabaseSession:
    """The same for both engines that have such a session. `table`: what has the caller's rows alone; `role`: the one that reads it."""

    def setUp(self):
        super().setUp()
        self.role = f"ward_rows_{os.getpid()}"
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        self.ward("index", self.make_rows(), "--name", "rows", "--no-suggest")
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\nsession: {role: %s, settings: {app.tenant: '${claims.tenant}'}}\n%s" % (self.role, self.lists))
        (self.folder / "schemaward.yaml").write_text("claims: {tenant: acme}\n")
        self.environment["SCHEMAWARD_CONFIG"] = str(self.folder / "schemaward.yaml")
        self.server = self.serve()

    def rows(self):
        answer = self.server.call("execute_query", sql=f"SELECT count(*) AS n FROM {self.table}")
        self.assertTrue(answer["data"], answer)
        return answer["data"]["rows"][0][0]

    def test_no_statement_lifts_it(self):
        self.assertEqual(self.rows(), OWN)
        for sql in self.attacks:
            sql = sql.replace("SALE", self.table).replace("ROLE_", self.role)
            for tool in ("execute_query", "validate_query"):
                with self.subTest(sql, tool=tool):
                    answer = self.server.call(tool, sql=sql)
                    self.assertIn(answer["status"], ("refused", "error"), answer)
                    self.assertNotRegex(json.dumps(answer["error"]), r"acme|other'?\W*\d")
                    self.assertEqual(self.rows(), OWN)

    def test_every_way_to_ask_is_under_it(self):
        name = f"{self.schema}.{self.table}"
        for sql, number in ((f"SELECT count(*) AS n FROM {self.table} WHERE tenant = 'other' OR 1 = 1", OWN), (f"SELECT count(*) AS n FROM {self.table} a CROSS JOIN {self.table} b", OWN * OWN),
                            (f"WITH sale AS (SELECT * FROM {self.table}) SELECT count(*) AS n FROM sale", OWN), (f"SELECT max(id) AS n FROM {self.table}", OWN)):
            self.assertEqual(self.server.call("execute_query", sql=sql)["data"]["rows"], [[number]], sql)
        values = self.server.call("describe_column", qualified_name=f"{name}.tenant", values=True)["data"]["values"]
        self.assertEqual([(value["value"], value["rows"]) for value in values], [("acme", OWN)])

    def test_the_plan_is_withheld(self):
        for tool, sql in (("validate_query", f"SELECT id FROM {self.table}"), ("execute_query", f"EXPLAIN SELECT id FROM {self.table}")):
            said = self.server.call(tool, sql=sql)
            self.assertEqual((said["status"], said["data"]["plan_withheld"], "plan" in said["data"]), ("partial", "database_session", False), said)


class Postgres(DatabaseSession, engines.Postgres, Case):
    table, lists = "sale", ""
    attacks = (
        "SELECT set_config('app.tenant', 'other', false)", "SELECT set_config('app.tenant', 'other', true), (SELECT count(*) FROM SALE)", "SELECT count(*) FROM SALE WHERE set_config('app.tenant', 'other', true) IS NOT NULL",
        "WITH s AS MATERIALIZED (SELECT set_config('app.tenant', 'other', true) AS x) SELECT count(*) FROM s, SALE", "SELECT pg_catalog.\"set_config\"('role', 'none', false)", "SELECT U&\"\\0073et_config\"('app.tenant', 'other', false)",
        "SET app.tenant = 'other'", "SET LOCAL app.tenant = 'other'", "SET SESSION app.tenant TO 'other'", "RESET ALL", "RESET ROLE", "SET ROLE NONE", "SET SESSION AUTHORIZATION DEFAULT", "SET row_security = off", "DISCARD ALL",
        "COMMIT; SELECT count(*) FROM SALE", "ROLLBACK", "BEGIN; SELECT count(*) FROM SALE", "SELECT 1; SET app.tenant = 'other'", "DO $$ BEGIN PERFORM set_config('app.tenant', 'other', false); END $$", "UPDATE pg_settings SET setting = 'other' WHERE name = 'app.tenant'",
        "ALTER ROLE ROLE_ SET app.tenant = 'other'", "SELECT query_to_xml('SELECT set_config(''app.tenant'', ''other'', false)', true, true, '')", "PREPARE p AS SELECT 1", "DECLARE c CURSOR WITH HOLD FOR SELECT 1", "SELECT everybody()", "SELECT * FROM everybody()",
        "CALL lift()", "SELECT id FROM SALE FOR UPDATE", "SAVEPOINT s", "EXPLAIN ANALYZE SELECT set_config('app.tenant', 'other', false)",
    )

    def make_rows(self):
        source = self.make_database("session", "CREATE TABLE sale (id integer PRIMARY KEY, tenant varchar(20)); INSERT INTO sale VALUES (1, 'acme'), (2, 'acme'), (3, 'other'), (4, 'other'); ANALYZE sale;"
                                    f"CREATE ROLE {self.role}; GRANT SELECT ON sale TO {self.role}; ALTER TABLE sale ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON sale USING (tenant = current_setting('app.tenant', true));"
                                    "CREATE FUNCTION everybody() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM sale';"
                                    "CREATE PROCEDURE lift() LANGUAGE sql AS 'SELECT set_config(''app.tenant'', ''other'', false)';")
        self.addCleanup(self.psql, source.split("?")[0], f"DROP OWNED BY {self.role}; DROP ROLE {self.role}")  # before the database goes
        return source


class MariaDb(DatabaseSession, engines.MariaDb, Case):
    table = "own_sale"
    lists = "allow: {tables: ['*.own_sale']}\n"  # a role adds to what the login was granted, which here is everything
    attacks = (
        "SELECT @`app.tenant` := 'other'", "SET @`app.tenant` = 'other'", "SELECT 'other' INTO @`app.tenant`", "SELECT count(*) FROM SALE WHERE (@`app.tenant` := 'other') IS NOT NULL", "SET ROLE NONE", "SET ROLE DEFAULT", "DO @`app.tenant` := 'other'",
        "SELECT count(*) FROM SALE /*!50000 WHERE (@`app.tenant` := 'other') IS NOT NULL */", "SELECT 1; SET @`app.tenant` = 'other'", "COMMIT", "START TRANSACTION READ WRITE", "SET SESSION TRANSACTION READ WRITE", "CALL lift()", "SELECT tenant_of_session()", "SELECT * FROM sale",
        "SET STATEMENT max_statement_time = 1 FOR SELECT 1", "EXECUTE IMMEDIATE 'SELECT 1'", "PREPARE p FROM 'SELECT 1'", "SELECT id FROM SALE FOR UPDATE", "SELECT @`app.tenant`",
    )

    def make_rows(self):
        source = self.make_database("session", "CREATE TABLE sale (id integer PRIMARY KEY, tenant varchar(20)); INSERT INTO sale VALUES (1, 'acme'), (2, 'acme'), (3, 'other'), (4, 'other');"
                                    "CREATE FUNCTION tenant_of_session() RETURNS varchar(20) RETURN @`app.tenant`; CREATE VIEW own_sale AS SELECT id, tenant FROM sale WHERE tenant = tenant_of_session();"
                                    "CREATE PROCEDURE lift() SET @`app.tenant` = 'other';"
                                    f"CREATE ROLE {self.role}; GRANT SELECT ON own_sale TO {self.role}; GRANT {self.role} TO CURRENT_USER();")
        self.addCleanup(self.run_sql, f"DROP ROLE {self.role}")
        return source


if __name__ == "__main__":
    unittest.main()

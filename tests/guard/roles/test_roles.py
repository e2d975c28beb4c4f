"""The role scripts of this folder on real servers: the program works as such a role, and a write by the role fails in the engine."""
import os, pathlib, re, subprocess, sys, unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "e2e"))
from ward import Case  # noqa: E402

NAME, READER, PASSWORD = "ward_roles", "schemaward_reader", "only-for-tests"
TABLES = """CREATE TABLE item (id integer PRIMARY KEY, label varchar(40) NOT NULL);
CREATE TABLE sale (id integer PRIMARY KEY, item_id integer REFERENCES item (id), amount decimal(10, 2));
INSERT INTO item VALUES (1, 'pen'), (2, 'ink'); INSERT INTO sale VALUES (1, 1, 2.50), (2, 2, 4.00);
CREATE VIEW sold AS SELECT i.label, s.amount FROM sale s JOIN item i ON i.id = s.item_id;
"""
WRITES = ("INSERT INTO item VALUES (3, 'nib')", "UPDATE item SET label = 'x'", "DELETE FROM sale", "DROP TABLE sale", "CREATE TABLE made (n int)", "TRUNCATE sale")


def client(command, sql):
    return subprocess.run(command, input=sql, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)


class Roles:
    def must(self, command, sql):
        done = client(command, sql)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def assert_works(self, source, tables):
        self.ward("index", source, "--name", "roles")
        self.assertEqual(self.call("describe_table", qualified_name=f"{tables}.sale")["status"], "success")
        answer = self.call("execute_query", sql=f"SELECT label, amount FROM {tables}.sold ORDER BY amount")
        self.assertEqual(answer["data"]["rows"], [["pen", "2.50"], ["ink", "4.00"]], answer)
        refused = self.call("execute_query", code=1, sql=f"DELETE FROM {tables}.sale")
        self.assertEqual(refused["error"]["kind"], "policy_blocked")

    def assert_only_reads(self, as_reader, refused, more=()):
        """Each write fails, and for the reason that it is a write."""
        self.assertEqual(client(as_reader, "SELECT count(*) FROM sale").returncode, 0)
        for write in (*WRITES, *more):
            done = client(as_reader, write)
            self.assertNotEqual(done.returncode, 0, write)
            self.assertRegex(done.stdout, refused, write)


class PostgresRole(Roles, Case):
    def setUp(self):
        super().setUp()
        self.server = os.environ.get("SCHEMAWARD_TEST_PG15")
        if not self.server:
            self.skipTest("SCHEMAWARD_TEST_PG15 is not set")
        self.database = self.server.rsplit("/", 1)[0] + "/" + NAME
        self.psql = ["psql", "-Xq", "-v", "ON_ERROR_STOP=1"]
        self.end()
        self.addCleanup(self.end)
        self.must([*self.psql, self.server], f"CREATE DATABASE {NAME}")
        self.must([*self.psql, self.database], TABLES)
        self.must([*self.psql, "-v", f"reader={READER}", "-v", f"password={PASSWORD}", "-v", "schema=public", "-f", str(HERE / "postgres.sql"), self.database], "")

    def end(self):
        self.must([*self.psql, self.server], f"SET client_min_messages = error; DROP DATABASE IF EXISTS {NAME} WITH (FORCE); DROP ROLE IF EXISTS {READER};")

    def test_a_role_that_reads_is_enough_and_cannot_write(self):
        source = re.sub(r"//[^@]+@", f"//{READER}@", self.database)
        self.environment["PGPASSWORD"] = PASSWORD
        self.assert_works(source, "public")
        as_reader = ["env", f"PGPASSWORD={PASSWORD}", *self.psql, source]
        self.assert_only_reads(as_reader, "read-only transaction")
        # The role could lift its own setting: then it is the grants that hold.
        lifted = ["env", f"PGPASSWORD={PASSWORD}", "PGOPTIONS=-c default_transaction_read_only=off", *self.psql, source]
        self.assert_only_reads(lifted, "permission denied|must be ", ("CREATE TEMPORARY TABLE t (n int)", "COPY item TO '/tmp/ward_roles'", "SELECT pg_read_file('/etc/passwd')"))


class MariaDbRole(Roles, Case):
    def setUp(self):
        super().setUp()
        uri = os.environ.get("SCHEMAWARD_TEST_MARIADB")
        if not uri:
            self.skipTest("SCHEMAWARD_TEST_MARIADB is not set")
        user, self.host, self.port = re.search(r"//([^@]+)@([^:/]+):(\d+)", uri).groups()
        self.base = ["mariadb", "--no-defaults", "--protocol=tcp", "-h", self.host, "-P", self.port]
        self.admin = [*self.base, "-u", user]
        self.end()
        self.addCleanup(self.end)
        self.must(self.admin, f"CREATE DATABASE {NAME}; USE {NAME}; {TABLES}")
        self.must(self.admin, (HERE / "mysql.sql").read_text().replace("`shop`", f"`{NAME}`").replace("SECRET", PASSWORD))

    def end(self):
        self.must(self.admin, f"DROP DATABASE IF EXISTS {NAME}; DROP USER IF EXISTS '{READER}'@'%'")

    def test_a_role_that_reads_is_enough_and_cannot_write(self):
        self.environment["ROLE_SOURCE"] = f"mysql://{READER}:{PASSWORD}@{self.host}:{self.port}/{NAME}"
        self.assert_works("env:ROLE_SOURCE", NAME)
        as_reader = [*self.base, "-u", READER, f"-p{PASSWORD}", NAME]
        self.assert_only_reads(as_reader, "denied", ("SELECT 1 INTO OUTFILE '/tmp/ward_roles'", "SET GLOBAL max_connections = 1", "CREATE DATABASE ward_made"))


if __name__ == "__main__":
    unittest.main()

"""run_sql: direct targets without any service, and MariaDB behind the stub's workspaces."""
import json, sqlite3, unittest

from cases import MariaDb, WorkspaceCase

# COVERS: R-WS-1 R-VAL-1 R-SIZE-1 R-REC-3


class Direct(WorkspaceCase):
    def setUp(self):
        super().setUp()
        self.shop()

    def test_rows_of_a_direct_target(self):
        answer = self.call("run_sql", id="shop", sql_query="SELECT status, count(*) AS n FROM sales_order GROUP BY status ORDER BY status")
        data = answer["data"]
        self.assertEqual((data["columns"], data["workspace_type"], data["workspace_name"]), (["status", "n"], "dedicated", "shop"))
        self.assertEqual(data["row_count"], len(data["rows"]))
        self.assertEqual(answer["message"], f"Query executed successfully, returned {data['row_count']} rows")
        self.assertNotIn("truncated", data)
        self.assertEqual(self.stub.seen, [])

    def test_a_cut_result_is_a_warning(self):
        answer = self.call("run_sql", id="shop", sql_query="SELECT order_id FROM sales_order", limit=2)
        self.assertEqual((answer["status"], answer["data"]["row_count"], answer["data"]["truncated"]), ("warning", 2, True))
        self.assertIn("first 2 rows", answer["warning_details"])
        self.assertEqual(answer["message"], "Query executed successfully, returned 2 rows")

    def test_parameters_are_bound(self):
        data = self.ok("run_sql", id="shop", sql_query="SELECT ? AS a, ? AS b", parameters=["x'; DROP TABLE t", 7])
        self.assertEqual(data["rows"], [["x'; DROP TABLE t", 7]])

    def test_writes_are_refused_by_the_guard(self):
        for sql in ("DROP TABLE sales_order", "SELECT 1; DELETE FROM sales_order", "UPDATE sales_order SET status = 'x'"):
            with self.subTest(sql):
                answer = self.failed("run_sql", "SQL_EXECUTION_ERROR", exit_code=1, id="shop", sql_query=sql)
                self.assertTrue(answer["message"].startswith("SQL query failed: "))
                self.assertEqual(answer["error_details"]["category"], "PERMISSION_DENIED")
        with sqlite3.connect(self.folder / "shop.db") as database:
            self.assertGreater(database.execute("SELECT count(*) FROM sales_order").fetchone()[0], 0)

    def test_a_wrong_name_comes_back_with_the_corrected_statement(self):
        answer = self.failed("run_sql", "SQL_EXECUTION_ERROR", id="shop", sql_query="SELECT status FROM sales_ordr LIMIT 3")
        details = answer["error_details"]
        self.assertEqual((details["workspace_id"], details["exception"]), ("shop", "sql_unknown_name"))
        self.assertEqual(self.ok("run_sql", id="shop", sql_query=details["suggested_sql"])["columns"], ["status"])

    def test_an_id_that_nobody_has(self):
        answer = self.failed("run_sql", "SQL_EXECUTION_ERROR", id="shopp", sql_query="SELECT 1")
        self.assertEqual((answer["error_details"]["exception"], answer["error_details"]["did_you_mean"]), ("unknown_source", ["shop"]))

    def test_the_flow_of_organizations_works_without_a_service(self):
        organizations = self.ok("get_organizations")["organizations"]
        self.assertEqual(self.ok("set_organization", orgID=organizations[0]["org_id"])["name"], organizations[0]["name"])
        self.assertEqual(self.ok("organization_info")["organization"]["org_id"], "direct")
        self.assertEqual([w["workspace_id"] for w in self.ok("workspaces_info", workspace_group_id="direct")["workspaces"]], ["shop"])
        self.failed("resume_workspace", "WORKSPACE_RESUME_FAILED", workspace_id="shop")

    def test_what_was_asked_is_not_in_the_audit_log(self):
        self.call("run_sql", id="shop", sql_query="SELECT 'remarkable-literal' AS a")
        self.assertNotIn(b"remarkable-literal", self.everything_written())


PASSWORD, KEY = "pa55-of-the-reader", "the-api-key"


@unittest.skipUnless(MariaDb.found(), "SCHEMAWARD_TEST_MARIADB is not set")
class Cloud(WorkspaceCase):
    @classmethod
    def setUpClass(cls):
        cls.server = MariaDb.found()
        cls.endpoint = cls.server.endpoint
        cls.server.run("""
            CREATE OR REPLACE DATABASE ward_day; CREATE OR REPLACE DATABASE ward_starter;
            CREATE TABLE ward_day.facts (id BIGINT UNSIGNED PRIMARY KEY, price DECIMAL(12,2), data BLOB, label VARCHAR(40));
            INSERT INTO ward_day.facts VALUES (1, 10.50, x'00ff', 'one'), (18446744073709551615, NULL, NULL, 'two'), (3, 7, NULL, '12x34');
            CREATE TABLE ward_starter.small (id INT PRIMARY KEY); INSERT INTO ward_starter.small VALUES (1), (2);
            CREATE OR REPLACE USER ward_reader@'127.0.0.1' IDENTIFIED BY 'pa55-of-the-reader'; GRANT SELECT ON *.* TO ward_reader@'127.0.0.1';
            CREATE OR REPLACE USER 'u-1'@'127.0.0.1' IDENTIFIED BY 'the.jwt'; GRANT SELECT ON *.* TO 'u-1'@'127.0.0.1';""")

    @classmethod
    def tearDownClass(cls):
        cls.server.run("DROP DATABASE ward_day; DROP DATABASE ward_starter; DROP USER ward_reader@'127.0.0.1'; DROP USER 'u-1'@'127.0.0.1'")

    def setUp(self):
        super().setUp()
        self.use("API_KEY", KEY)
        self.use("USER", "ward_reader")
        self.use("PASSWORD", PASSWORD)

    def day(self, sql, **more):
        return {"id": "w-1", "database": "ward_day", "sql_query": sql, **more}

    def test_values_of_a_dedicated_workspace(self):
        data = self.ok("run_sql", **self.day("SELECT f.*, f.id FROM facts f ORDER BY id"))
        self.assertEqual(data["columns"], ["id", "price", "data", "label", "id"])
        self.assertEqual(data["rows"][0], [1, "10.50", {"base64": "AP8="}, "one", 1])
        self.assertEqual(data["rows"][2][:2], ["18446744073709551615", None])
        self.assertEqual((data["workspace_type"], data["workspace_name"], data["database"]), ("dedicated", "day", "ward_day"))

    def test_a_starter_workspace_by_its_port_and_database(self):
        data = self.ok("run_sql", id="v-1", sql_query="SELECT id FROM small ORDER BY id")
        self.assertEqual((data["rows"], data["workspace_type"], data["database"]), ([[1], [2]], "shared", "ward_starter"))
        self.assertEqual(len(self.stub.asked("GET /v1/workspaces/v-1")), 1)

    def test_a_token_is_the_password_of_its_user(self):
        del self.environment["SCHEMAWARD_WORKSPACES_API_KEY"]
        self.use("JWT", "the.jwt")
        self.assertEqual(self.ok("run_sql", id="v-1", sql_query="SELECT count(*) FROM small")["rows"], [[2]])

    def test_the_guard_stands_before_the_workspace(self):
        answer = self.failed("run_sql", "SQL_EXECUTION_ERROR", exit_code=1, **self.day("DELETE FROM facts"))
        self.assertEqual(answer["error_details"]["exception"], "not_a_read")
        self.assertNotIn("errno", answer["error_details"])

    def test_an_error_of_the_engine_carries_its_numbers_and_no_values(self):
        answer = self.failed("run_sql", "SQL_EXECUTION_ERROR", **self.day("SELECT (SELECT label FROM facts) AS l FROM facts"))
        details = answer["error_details"]
        self.assertEqual((details["errno"], details["sqlstate"], details["database"]), (1242, "21000", "ward_day"))
        self.assertEqual(answer["message"], "SQL query failed: Subquery returns more than 1 row")
        answer = self.failed("run_sql", "SQL_EXECUTION_ERROR", **self.day("SELECT exp(id * 1000) FROM facts WHERE id = 1"))
        self.assertEqual(answer["error_details"]["errno"], 1690)
        self.assertIn("'***'", answer["message"])

    def test_each_type_of_the_protocol_has_one_form(self):
        self.server.run("CREATE OR REPLACE TABLE ward_day.kinds (a BIT(4), b JSON, c ENUM('x', 'y'), d YEAR, e DATETIME(3), f DOUBLE, g BIGINT, h DATE, i TIME);"
                        "INSERT INTO ward_day.kinds VALUES (b'101', '{\"k\": [1]}', 'y', 2024, '2024-01-02 03:04:05.678', 1.5, 9007199254740993, '2024-01-02', '-10:00:00')")
        self.addCleanup(self.server.run, "DROP TABLE ward_day.kinds")
        [row] = self.ok("run_sql", **self.day("SELECT b, c, d, e, f, g, h, i FROM kinds"))["rows"]
        self.assertEqual(row, ['{"k": [1]}', "y", 2024, "2024-01-02T03:04:05.678", 1.5, "9007199254740993", "2024-01-02", "-10:00:00"])

    def test_a_statement_that_runs_too_long_is_stopped_by_the_engine(self):
        endless = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT count(*) AS c FROM n AS a JOIN n AS b ON a.i <> b.i"
        answer = self.failed("run_sql", "SQL_EXECUTION_ERROR", exit_code=3, **self.day(endless, timeout=1))
        self.assertEqual((answer["error_details"]["exception"], answer["error_details"]["category"]), ("statement_timeout", "TIMEOUT"))
        self.assertTrue(answer["error_details"]["retryable"])

    def test_a_workspace_where_nobody_listens(self):
        self.stub.workspaces["w-1"]["endpoint"] = "127.0.0.1:1"
        answer = self.failed("run_sql", "SQL_EXECUTION_ERROR", **self.day("SELECT 1"))
        self.assertEqual((answer["error_details"]["exception"], answer["error_details"]["category"]), ("source_unreachable", "CONNECTION_ERROR"))
        self.assertEqual(answer["error_details"]["errno"], 2002)

    def test_what_a_read_only_transaction_would_let_through_is_refused_before_the_engine(self):
        for sql in ("COMMIT", "SET SESSION TRANSACTION READ WRITE", "SELECT 1 INTO OUTFILE '/tmp/ward'", "SET GLOBAL max_connections = 5", "FLUSH TABLES",
                    "SELECT GET_LOCK('a', 1)", "KILL 1", "SELECT 1 /*!50000 INTO OUTFILE '/tmp/ward' */", "SELECT 1; SELECT 2", "SELECT sleep(1)"):
            with self.subTest(sql):
                answer = self.failed("run_sql", "SQL_EXECUTION_ERROR", exit_code=1, **self.day(sql))
                self.assertEqual(answer["error_details"]["category"], "PERMISSION_DENIED", answer)
                self.assertNotIn("errno", answer["error_details"])

    def test_a_table_that_was_made_after_the_first_look_is_found(self):
        self.ok("run_sql", **self.day("SELECT count(*) FROM facts"))
        self.server.run("CREATE TABLE ward_day.later (id INT PRIMARY KEY)")
        self.addCleanup(self.server.run, "DROP TABLE ward_day.later")
        self.assertEqual(self.ok("run_sql", **self.day("SELECT count(*) FROM later"))["rows"], [[0]])

    def test_a_login_that_is_refused(self):
        self.use("PASSWORD", "wrong")
        answer = self.failed("run_sql", "SQL_EXECUTION_ERROR", **self.day("SELECT 1"))
        self.assertEqual((answer["error_details"]["exception"], answer["error_details"]["errno"]), ("source_auth_failed", 1045))
        self.assertNotIn("wrong", json.dumps(answer))

    def test_a_suspended_workspace_and_one_that_is_not_there(self):
        answer = self.failed("run_sql", "SQL_EXECUTION_ERROR", id="w-2", sql_query="SELECT 1")
        self.assertEqual(answer["error_details"]["exception"], "source_unreachable")
        self.assertIn("SUSPENDED", answer["message"])
        self.assertIn("resume_workspace", answer["error_details"]["hint"])
        answer = self.failed("run_sql", "SQL_EXECUTION_ERROR", id="nobody", sql_query="SELECT 1")
        self.assertEqual(answer["error_details"]["exception"], "unknown_source")

    def test_no_secret_is_written_or_said(self):
        said = [self.call("run_sql", **self.day("SELECT count(*) FROM facts")), self.call("get_organizations"), self.call("get_user_id")]
        self.use("PASSWORD", "wr0ng-password")
        said.append(self.call("run_sql", code=2, **self.day("SELECT count(*) FROM facts")))
        text = json.dumps(said).encode() + self.everything_written() + self.ward("audit", "export").encode()
        for secret in (PASSWORD, KEY, "wr0ng-password"):
            self.assertNotIn(secret.encode(), text)

    def test_a_workspace_is_no_direct_target(self):
        self.ok("run_sql", **self.day("SELECT count(*) FROM facts"))
        self.assertEqual([w["origin"] for w in self.ok("workspaces_info", workspace_group_id="g-1")["workspaces"]], ["management_api"] * 2)
        self.assertNotIn("direct", [w["origin"] for w in self.call("workspaces_info")["data"]["workspaces"]])


if __name__ == "__main__":
    unittest.main()

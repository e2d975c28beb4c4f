"""SQL text of an agent against a real database: rows, pages, refusals and what is offered in their place."""
import json, unittest

from ward import Case

# COVERS: R-REC-1 R-REC-2 R-ENV-4 R-SIZE-1
# MAKES: pii_blocked/pii_blocked policy_blocked/not_a_read unknown_name/sql_unknown_name malformed_name/sql_syntax


class Sql(Case):
    def setUp(self):
        super().setUp()
        policy = self.folder / "policy.yaml"
        policy.write_text("profile: team\n")
        self.environment["SCHEMAWARD_POLICY"] = str(policy)

    def query(self, sql, code=0, **arguments):
        return self.call("execute_query", code=code, sql=sql, **arguments)

    def retried(self, answer):
        """What the suggested call of a refusal answers."""
        recovery = answer["error"]["recovery"]
        return self.call(recovery["suggested_tool"], **recovery["suggested_args"])

    def test_rows_come_with_their_types_and_the_statement_that_ran(self):
        self.shop()
        answer = self.query("SELECT status, count(*) AS n FROM sales_order GROUP BY status ORDER BY n DESC, status")
        self.assertEqual(answer["status"], "success")
        self.assertEqual([c["name"] for c in answer["data"]["columns"]], ["status", "n"])
        self.assertEqual(answer["data"]["row_count"], len(answer["data"]["rows"]))
        self.assertIn('FROM "main"."sales_order"', answer["data"]["statement"])

    def test_pages_give_every_row_once(self):
        self.shop()
        sql, cursor, seen = "SELECT order_id FROM sales_order ORDER BY order_id", None, []
        total = self.query("SELECT count(*) FROM sales_order")["data"]["rows"][0][0]
        while True:
            answer = self.query(sql, limit=700, **({"cursor": cursor} if cursor else {}))
            seen += [row[0] for row in answer["data"]["rows"]]
            cursor = answer["data"]["next_cursor"]
            if not answer["data"]["truncated"]:
                break
        self.assertEqual(len(seen), total)
        self.assertEqual(len(set(seen)), total)

    def test_values_are_bound(self):
        self.shop()
        answer = self.query("SELECT count(*) FROM sales_order WHERE status = ?", parameters=["paid'; DROP TABLE sales_order; --"])
        self.assertEqual(answer["data"]["rows"], [[0]])
        self.assertEqual(self.query("SELECT ? + 1, ?", parameters=[2, None])["data"]["rows"], [[3, None]])
        self.assertIn("invalid_argument", self.ward("call", "execute_query", '{"sql":"SELECT ?"}', code=2))

    def test_personal_data_is_refused_with_a_statement_that_passes(self):
        self.shop()
        answer = self.query("SELECT * FROM customer ORDER BY customer_id LIMIT 3", code=1)
        self.assertEqual((answer["status"], answer["error"]["kind"], answer["error"]["pii_categories"]), ("refused", "pii_blocked", ["contact"]))
        again = self.retried(answer)
        self.assertEqual((again["status"], again["data"]["row_count"]), ("success", 3))
        self.assertNotIn("email", [c["name"] for c in again["data"]["columns"]])
        for hidden in ("SELECT count(*) FROM customer WHERE email LIKE 'a%'", "SELECT customer_id FROM customer ORDER BY email",
                       "SELECT x FROM (SELECT upper(email) AS x FROM customer) t", "SELECT group_concat(email) FROM customer"):
            self.assertEqual(self.query(hidden, code=1)["error"]["kind"], "pii_blocked", hidden)

    def test_a_wrong_name_comes_back_as_the_corrected_query(self):
        self.shop()
        answer = self.query("SELECT statuss, count(*) FROM sales_ordr GROUP BY 1", code=2)
        self.assertEqual((answer["error"]["kind"], answer["error"]["reason"]), ("unknown_name", "sql_unknown_name"))
        self.assertEqual(self.retried(answer)["status"], "success")

    def test_what_is_no_read_is_refused_and_given_to_the_user(self):
        self.shop()
        for write in ("DELETE FROM sales_order", "UPDATE customer SET email = ''", "PRAGMA writable_schema=1", "ATTACH 'x' AS y",
                      "WITH x AS (SELECT 1) DELETE FROM sales_order", "SELECT load_extension('x')", "SELECT 1; DROP TABLE customer"):
            answer = self.query(write, code=1)
            self.assertEqual((answer["error"]["kind"], answer["error"]["reason"]), ("policy_blocked", "not_a_read"), write)
            self.assertIn("user", answer["error"]["hint"])
        self.assertEqual(self.query("SELECT total FROM", code=2)["error"]["reason"], "sql_syntax")

    def test_a_view_is_what_it_is_made_of(self):
        self.shop()
        self.assertEqual(self.query("SELECT * FROM monthly_revenue LIMIT 2")["status"], "success")

    def test_a_plan_runs_nothing(self):
        self.shop()
        self.assertTrue(self.query("EXPLAIN SELECT * FROM sales_order")["data"]["plan"])
        answer = self.call("validate_query", sql="SELECT status FROM sales_order WHERE order_id = 7")
        self.assertEqual(answer["data"]["decision"], "allowed")
        self.assertIn({"qualified_name": "main.sales_order", "columns": ["order_id", "status"]}, answer["data"]["tables"])

    def test_the_record_of_a_call_says_what_ran_and_what_was_refused(self):
        self.shop()
        self.query("SELECT status FROM sales_order LIMIT 2")
        self.query("SELECT count(*) FROM customer WHERE email = 'x'", code=1)
        for _ in range(2):
            self.query("SELECT count(*) FROM customer WHERE email = 'x'", code=1)
        records = [json.loads(line) for line in self.ward("audit", "export").splitlines()]
        ended = [r for r in records if r["kind"] == "end"]
        self.assertEqual((ended[0]["rows"], ended[0]["tables"]), (2, '["main.sales_order"]'))
        self.assertEqual(len(ended[0]["statement_hash"]), 64)
        self.assertEqual((ended[1]["reason"], ended[1]["pii_categories"]), ("pii_blocked", '["contact"]'))
        self.assertNotIn("email", json.dumps(records))
        loop = json.loads(self.ward("audit", "loops", "--json", code=1))
        self.assertEqual((loop["tool"], loop["times"], loop["reason"]), ("execute_query", 3, "pii_blocked"))


if __name__ == "__main__":
    unittest.main()

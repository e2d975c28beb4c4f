"""The verb insights verify, as a person types it."""
import json, unittest

from ward import Case

COUNT = {"query": "SELECT count(*) AS verified FROM sales_order"}
WRONG = {"query": "SELECT count(no_such_column) AS verified FROM sales_order"}
LOOKUP = {"lookup_schema": ["main.sales_order"]}


class Insights(Case):
    def setUp(self):
        super().setUp()
        self.shop()
        self.orders = self.call("execute_query", sql="SELECT count(*) AS n FROM sales_order")["data"]["rows"][0][0]

    def verify(self, replies, claims, *arguments, code=0):
        (self.folder / "replies.json").write_text(json.dumps([json.dumps(reply) for reply in replies]))
        insights = [{"name": f"orders {claim}", "affected_count": claim, "claimed_metric": "orders"} for claim in claims]
        (self.folder / "insights.json").write_text(json.dumps({"insights": insights}))
        return self.ward("insights", "verify", "insights.json", "--model", "scripted:replies.json", *arguments, code=code)

    def test_a_right_number_is_confirmed_and_a_wrong_one_adjusted(self):
        answer = json.loads(self.verify([LOOKUP, COUNT, COUNT, COUNT], [self.orders, self.orders + 1], "--json", code=1))
        self.assertTrue(answer["complete"])
        first, second = (one["validation"] for one in answer["validations"])
        self.assertEqual((first["status"], first["rounds"], first["schema_lookup_calls"]), ("confirmed", 2, 1))
        self.assertEqual((second["status"], second["verified"], second["claimed"]), ("adjusted", str(self.orders), str(self.orders + 1)))
        self.assertIn("sales_order", first["statement"])

    def test_a_made_up_column_is_mended_before_it_reaches_the_engine(self):
        answer = json.loads(self.verify([WRONG, COUNT], [self.orders], "--json"))
        self.assertEqual((answer["validations"][0]["validation"]["status"], answer["validations"][0]["validation"]["repairs"]), ("confirmed", 1))
        reasons = [record.get("reason") for record in map(json.loads, self.ward("audit", "export").splitlines()) if record["kind"] == "end"]
        self.assertIn("sql_unknown_name", reasons)
        self.assertNotIn("sql_runtime", reasons)

    def test_personal_data_stays_where_it_is(self):
        leak = {"query": "SELECT max(email) AS verified FROM customer"}
        answer = self.verify([leak] * 7, [5], "--json", code=1)
        self.assertNotIn("@", answer)

    def test_the_words_name_each_verdict(self):
        self.assertIn("1 confirmed, 0 adjusted", self.verify([COUNT], [self.orders]))

    def test_a_model_that_ends_early_keeps_what_was_done(self):
        answer = json.loads(self.verify([COUNT], [self.orders, self.orders], "--json", code=2))
        self.assertFalse(answer["complete"])
        self.assertEqual(len(answer["validations"]), 1)

    def test_a_file_that_is_none_is_said(self):
        (self.folder / "insights.json").write_text("[]")
        self.ward("insights", "verify", "insights.json", "--model", "scripted:replies.json", code=2)


if __name__ == "__main__":
    unittest.main()

"""explore --estimate: what a run will come to, told before anything is sent, and held against runs that are made."""
import json, unittest

from ward import Case

PRICES = {"format": "schemaward-prices", "version": 1, "models": {"scripted/*": {"input": 2, "output": 10, "cache_read": 0.2}}}


class Estimate(Case):
    def setUp(self):
        super().setUp()
        self.shop()
        (self.folder / "prices.json").write_text(json.dumps(PRICES))
        (self.folder / "replies.json").write_text("[]")  # asked for a reply, the model fails
        self.environment["SCHEMAWARD_PRICES"] = str(self.folder / "prices.json")

    def estimate(self, *arguments, code=0):
        return self.ward("explore", "how many orders are there?", "--model", f"scripted:{self.folder / 'replies.json'}", "--estimate", *arguments, code=code)

    def test_nothing_is_sent_or_kept(self):
        said = json.loads(self.estimate("--json"))
        self.assertEqual((said["steps"], said["usual"]["requests"], said["most"]["requests"]), (100, 100, 112))
        self.assertEqual(json.loads(self.ward("runs", "list", "--json"))["runs"], [])
        self.assertGreater(said["catalog"]["tables_listed"], 0)

    def test_money_follows_from_tokens_and_prices(self):
        said = json.loads(self.estimate("--json", "--max-steps", "20"))
        usual, most = said["usual"], said["most"]
        self.assertAlmostEqual(float(usual["cost_usd"]), usual["input_tokens"] * 2e-6 + usual["output_tokens"] * 1e-5, 5)
        self.assertAlmostEqual(float(usual["cost_with_cache_usd"]), float(usual["cost_usd"]) - usual["cached_tokens"] * 1.8e-6, 5)
        self.assertAlmostEqual(float(most["cost_usd"]), most["input_tokens"] * 2e-6 + most["output_tokens"] * 1e-5, 5)
        self.assertLess(float(usual["cost_usd"]), float(most["cost_usd"]))

    def test_without_a_price_it_says_so(self):
        (self.folder / "prices.json").write_text(json.dumps({**PRICES, "models": {}}))
        self.assertIsNone(json.loads(self.estimate("--json"))["usual"]["cost_usd"])
        self.assertIn("No price is known", self.estimate())

    def test_the_words_say_what_is_not_counted(self):
        words = self.estimate("--pack", "generic")
        for part in ("at most", "with a cache", "rewrites of failing SQL, the analysis of the pack", "Nothing was sent"):
            self.assertIn(part, words)

    def test_a_window_that_is_too_small_is_said(self):
        self.estimate("--window", "5000", code=3)

    def test_a_run_of_such_steps_costs_about_what_was_said(self):
        thinking = "The orders of the last months are compared by region next. " * 45
        steps = [{"thinking": thinking, "lookup_schema": ["main.sales_order", "main.customer"]}]
        steps += [{"thinking": thinking, "query_purpose": "orders by day and status", "query": f"SELECT order_id, customer_id, status, order_id * 1000 AS total FROM sales_order WHERE order_id > {i} ORDER BY order_id LIMIT 18"} for i in range(19)]
        said = json.loads(self.estimate("--json", "--max-steps", "20"))["usual"]
        (self.folder / "replies.json").write_text(json.dumps(steps))
        run = json.loads(self.ward("explore", "how many orders are there?", "--model", f"scripted:{self.folder / 'replies.json'}", "--max-steps", "20", "--json"))
        self.assertEqual((run["status"], run["queries_successful"]), ("out_of_steps", 19), run["steps"][1])
        for measured, told in ((run["input_tokens"], said["input_tokens"]), (run["output_tokens"], said["output_tokens"])):
            self.assertTrue(0.75 < measured / told < 1.33, (measured, told))


if __name__ == "__main__":
    unittest.main()

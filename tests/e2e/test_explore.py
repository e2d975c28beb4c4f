"""The verb explore with a model behind HTTP: a stub that speaks OpenAI's chat protocol, its money and its failures."""
import http.server, json, threading, unittest

from ward import Case

KEY = "k-0123456789abcdef"
USAGE = {"prompt_tokens": 1000, "completion_tokens": 100}
PRICES = {"format": "schemaward-prices", "version": 1, "models": {"openai/stub": {"input": 2, "output": 10}}}
STEPS = [
    {"action": "lookup_schema", "tables": ["main.sales_order"]},
    {"action": "query_data", "query": "SELECT count(*) AS orders FROM sales_order"},
    {"action": "complete", "reason": "counted"},
]


class Model(Case):
    def setUp(self):
        super().setUp()
        self.shop()
        self.replies, self.seen, self.refusals, self.usage = [json.dumps(step) for step in STEPS], [], [], USAGE
        test = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                test.seen.append((self.path, self.headers.get("Authorization"), body))
                if test.refusals:
                    self.send_response(test.refusals.pop(0))
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                words = test.replies.pop(0)
                events = [{"choices": [{"index": 0, "delta": {"role": "assistant", "content": words}, "finish_reason": None}]},
                          {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}, {"choices": [], "usage": test.usage}]
                text = "".join(f"data: {json.dumps({'model': 'stub', **event})}\n\n" for event in events) + "data: [DONE]\n\n"
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.stub = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.addCleanup(self.stub.server_close)
        self.addCleanup(self.stub.shutdown)
        threading.Thread(target=self.stub.serve_forever, daemon=True).start()
        (self.folder / "prices.json").write_text(json.dumps(PRICES))
        (self.folder / "schemaward.yaml").write_text(
            f"models:\n  - {{name: near, provider: openai, model: stub, key_env: STUB_KEY, base_url: 'http://127.0.0.1:{self.stub.server_port}/v1', window: 32000}}\n"
            f"llm:\n  model: near\n  prices: {self.folder / 'prices.json'}\n")
        self.environment.update(STUB_KEY=KEY, SCHEMAWARD_CONFIG=str(self.folder / "schemaward.yaml"))

    def explore(self, *arguments, code=0):
        return self.ward("explore", "how many orders are there?", "--json", *arguments, code=code)

    def test_a_model_of_the_configuration_looks_asks_and_ends(self):
        run = json.loads(self.explore())
        self.assertEqual((run["status"], run["schema_lookup_calls"], run["queries_successful"]), ("completed", 1, 1))
        self.assertEqual((run["input_tokens"], run["output_tokens"]), (3000, 300))
        self.assertEqual([path for path, _, _ in self.seen], ["/v1/chat/completions"] * 3)
        self.assertEqual({key for _, key, _ in self.seen}, {f"Bearer {KEY}"})
        self.assertNotIn(KEY, json.dumps([body for _, _, body in self.seen]) + json.dumps(run))

    def test_a_limit_of_money_keeps_what_was_done(self):
        self.usage = {"prompt_tokens": 1000, "completion_tokens": 20000}  # the first reply costs 0.202; the next one could cost more than is left
        run = json.loads(self.explore("--max-cost", "0.21", code=3))
        self.assertEqual((run["status"], len(run["steps"]), len(self.seen)), ("partial", 1, 1))

    def test_a_limit_without_a_price_sends_nothing(self):
        (self.folder / "prices.json").write_text(json.dumps({**PRICES, "models": {}}))
        self.assertEqual(self.explore("--max-cost", "1", code=2), "")
        self.assertEqual(self.seen, [])

    def test_a_refused_key_ends_the_run_and_is_not_asked_again(self):
        self.refusals = [401]
        run = json.loads(self.explore(code=2))
        self.assertEqual(len(self.seen), 1)
        self.assertNotIn(KEY, json.dumps(run))


if __name__ == "__main__":
    unittest.main()

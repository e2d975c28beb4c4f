"""What vectors may cost, of an index, of a server and of a run: counted by an embedder on loopback, bounded before it is spent."""
import http.server, json, subprocess, threading, unittest

from ward import BINARY, COMMAND_SECONDS_MAX, Case

TOKENS = 1000  # that the embedder says each request took


class Embedder(http.server.ThreadingHTTPServer):
    def __init__(self, statuses=()):
        super().__init__(("127.0.0.1", 0), Answering)
        self.statuses, self.requests = list(statuses), 0


class Answering(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        texts = json.loads(self.rfile.read(int(self.headers["content-length"])))["input"]
        self.server.requests += 1
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        vectors = [{"index": i, "embedding": [1, i + 1]} for i in range(len(texts))]
        body = json.dumps({"data": vectors, "usage": {"prompt_tokens": TOKENS}} if status == 200 else {"error": {"message": "later"}}).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class EmbedCost(Case):
    def embedder(self, statuses=()):
        server = Embedder(statuses)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        (self.folder / "config.yaml").write_text(f'models:\n  - {{name: near, provider: vllm, model: e, base_url: "http://127.0.0.1:{server.server_address[1]}/v1"}}\nembed:\n  model: near\n')
        return server

    def prices(self, usd):
        (self.folder / "prices.json").write_text(json.dumps({"format": "schemaward-prices", "version": 1, "models": {"vllm/e": {"input": usd, "output": 0}}}))
        self.environment["SCHEMAWARD_PRICES"] = str(self.folder / "prices.json")

    def index(self, *arguments, code=0):
        (self.folder / "tables.sql").write_text("\n".join(f"CREATE TABLE orders_{i} (id integer PRIMARY KEY, amount integer);" for i in range(100)))
        return json.loads(self.ward("index", "ddl:tables.sql", "--no-suggest", "--config", self.folder / "config.yaml", "--json", *arguments, code=code))

    def test_what_vectors_cost_is_said(self):
        server = self.embedder()
        self.prices(2)
        vectors = self.index("--max-cost", "1")["vectors"]
        self.assertEqual((vectors["embedded"], vectors["tokens"], vectors["cost_usd"]), (100, 2 * TOKENS, "0.004000"))
        self.assertEqual(server.requests, 2)

    def test_a_limit_ends_the_vectors_and_the_next_run_takes_them_up(self):
        server = self.embedder()
        self.prices(100)  # a request costs 0.1 dollars
        self.assertEqual(self.index("--max-cost", "0.12", code=3)["vectors"]["error"]["reason"], "money_cap")
        self.assertEqual(server.requests, 1)
        self.assertEqual(self.index("--max-cost", "0.5")["vectors"]["unchanged"], 64)

    def test_a_limit_without_a_price_asks_and_indexes_nothing(self):
        server = self.embedder()
        command = ("index", "ddl:tables.sql", "--config", self.folder / "config.yaml", "--max-cost", "1")
        (self.folder / "tables.sql").write_text("CREATE TABLE a (id integer);")
        self.ward(*command, code=2)
        self.assertEqual(server.requests, 0)
        self.assertEqual(json.loads(self.ward("sources", "--json"))["sources"], [])

    def test_what_is_worth_another_try_is_tried_again(self):
        server = self.embedder([503, 429])
        self.prices(2)
        self.assertEqual(self.index("--max-cost", "1")["vectors"]["embedded"], 100)
        self.assertEqual(server.requests, 4)

    def test_a_limit_is_for_all_that_a_watch_indexes(self):
        server = self.embedder()
        self.prices(100)
        tables = self.folder / "tables.sql"
        tables.write_text("CREATE TABLE a (id integer PRIMARY KEY);")
        command = [BINARY, "index", f"ddl:{tables}", "--name", "shop", "--no-suggest", "--watch", "1", "--json", "--max-cost", "0.15", "--store", str(self.store), "--config", str(self.folder / "config.yaml")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self.environment, cwd=self.folder) as watch:
            guard = threading.Timer(COMMAND_SECONDS_MAX, watch.kill)  # then the line that is waited for is empty
            guard.start()
            try:
                said = []
                for more in ("b", "c", None):  # a request of 0.1 dollars each; the third is not sent
                    said.append(json.loads(watch.stdout.readline())["vectors"])
                    if more:
                        tables.write_text(tables.read_text() + f"CREATE TABLE {more} (id integer PRIMARY KEY);")
            finally:
                guard.cancel()
                watch.kill()
        self.assertEqual([one.get("embedded") for one in said], [1, 1, None])
        self.assertEqual(said[2]["error"]["reason"], "money_cap")
        self.assertEqual(server.requests, 2)

    def test_a_server_that_spent_its_money_searches_by_keywords_and_says_so(self):
        server = self.embedder()
        self.prices(100)
        self.index()
        asked = server.requests
        self.environment["SCHEMAWARD_EMBED_MAX_COST"] = "0.1"  # one request's
        session = self.serve("--config", self.folder / "config.yaml")
        answers = [session.call("find_relevant_tables", query=query) for query in ("orders 1", "orders 2", "orders 1")]
        self.assertEqual([answer["status"] == "degraded" for answer in answers], [False, True, False])  # the first question's vector is kept
        self.assertTrue(answers[1]["data"]["tables"])
        self.assertEqual(server.requests, asked + 1)

    def explore(self, *arguments, code=0):
        replies = [{"search_tables": "what was sold"}, {"query_purpose": "orders", "query": "SELECT count(*) AS orders FROM sales_order"}, {"action": "complete", "reason": "counted"}] + [{"insights": []}] * 10  # one for each area that has steps
        (self.folder / "replies.json").write_text(json.dumps(replies))
        said = self.ward("explore", "how many orders?", "--model", f"scripted:{self.folder / 'replies.json'}", "--pack", "generic", "--config", self.folder / "config.yaml", "--json", *arguments, code=code)
        return json.loads(said) if said else None

    def a_shop_with_vectors(self, usd):
        server = self.embedder()
        self.prices(usd)
        self.ward("index", self.shop(), "--sample", "1", "--config", self.folder / "config.yaml")
        return server, server.requests

    def test_a_run_counts_the_embedder_of_its_searches_and_of_its_analysis(self):
        server, before = self.a_shop_with_vectors(2)
        run = self.explore()
        asked = server.requests - before
        self.assertGreater(asked, 1)  # the search, and each area of the pack
        self.assertEqual((run["status"], run["embedder_tokens"], run["cost_usd"]), ("completed", asked * TOKENS, f"{asked * 0.002:.6f}"))
        self.assertEqual({area["ranker"] for area in run["analysis"]["areas"]}, {"hybrid"})
        kept = json.loads(self.ward("runs", "show", run["run_id"], "--json"))["run"]
        self.assertEqual((kept["embedder_tokens"], kept["cost_usd"]), (run["embedder_tokens"], run["cost_usd"]))
        self.assertRegex(self.ward("runs", "export", run["run_id"]), rf"tokens of embedder \| {run['embedder_tokens']} ")
        self.assertIn(run["cost_usd"], self.ward("runs", "list"))
        shown = json.loads(self.ward("call", "get_exploration", json.dumps({"run_id": run["run_id"]})))["data"]["run"]
        self.assertEqual((shown["embedder_tokens"], shown["cost_usd"]), (kept["embedder_tokens"], kept["cost_usd"]))

    def test_a_run_sends_the_embedder_nothing_that_could_pass_its_limit(self):
        server, before = self.a_shop_with_vectors(100)  # a request costs 0.1 dollars, the scripted model nothing
        prices = json.loads((self.folder / "prices.json").read_text())
        prices["models"]["scripted/*"] = {"input": 0, "output": 0}
        (self.folder / "prices.json").write_text(json.dumps(prices))
        run = self.explore("--max-cost", "0.1")
        self.assertEqual((server.requests - before, run["cost_usd"], run["status"]), (1, "0.100000", "completed"))
        self.assertEqual({area["ranker"] for area in run["analysis"]["areas"]}, {"keywords, degraded"})

    def test_model_and_embedder_of_a_run_spend_one_limit(self):
        server, before = self.a_shop_with_vectors(100)
        prices = json.loads((self.folder / "prices.json").read_text())
        prices["models"]["scripted/*"] = {"input": 0, "output": 10}  # a reply of at most 4,096 tokens: 0.041 dollars are held for it
        (self.folder / "prices.json").write_text(json.dumps(prices))
        run = self.explore("--max-cost", "0.1001", code=3)  # the first reply, then the search
        self.assertEqual((server.requests - before, run["status"], len(run["steps"])), (1, "partial", 1))
        self.assertLessEqual(float(run["cost_usd"]), 0.1001)
        # What both have cost counts when the run is taken up again.
        again = json.loads(self.ward("runs", "resume", run["run_id"], "--config", self.folder / "config.yaml", "--json", code=3))
        self.assertEqual((server.requests - before, again["cost_usd"], again["embedder_tokens"]), (1, run["cost_usd"], TOKENS))

    def test_a_run_of_an_agent_counts_the_embedder_of_its_searches(self):
        server, before = self.a_shop_with_vectors(2)
        session = self.serve("--tools", "default,explore", "--config", self.folder / "config.yaml")
        runs = [session.call("start_exploration", question="what was sold?", decided_by="agent")["data"]["run"]["run_id"] for _ in range(2)]
        said = [session.call("search_tables", run_id=run, query=query)["data"]["run"] for run, query in ((runs[0], "orders"), (runs[0], "customers"), (runs[1], "orders"))]
        self.assertEqual([(run["embedder_tokens"], run["cost_usd"]) for run in said], [(TOKENS, "0.002000"), (2 * TOKENS, "0.004000"), (0, "0.000000")])  # the last vector is remembered
        self.assertEqual(server.requests - before, 2)
        kept = session.call("get_exploration", run_id=runs[0])["data"]["run"]
        self.assertEqual((kept["embedder_tokens"], kept["cost_usd"]), (2 * TOKENS, "0.004000"))

    def test_a_limit_of_a_run_needs_the_price_of_its_embedder(self):
        server, before = self.a_shop_with_vectors(2)
        (self.folder / "prices.json").write_text(json.dumps({"format": "schemaward-prices", "version": 1, "models": {"scripted/*": {"input": 1, "output": 1}}}))
        (self.folder / "replies.json").write_text("[]")
        command = [BINARY, "explore", "how many orders?", "--model", f"scripted:{self.folder / 'replies.json'}", "--max-cost", "1", "--config", str(self.folder / "config.yaml"), "--store", str(self.store)]
        refused = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertIn("a limit of money needs a price for vllm/e", refused.stderr)
        self.assertEqual(json.loads(self.ward("runs", "list", "--json"))["runs"], [])
        self.assertEqual(server.requests, before)
        self.assertGreater(self.explore()["embedder_tokens"], 0)  # without a limit it only counts
        (self.folder / "config.yaml").write_text("embed:\n  model: openai:e\n")  # its key is missing: it is never asked, and needs no price
        self.assertEqual(self.explore("--max-cost", "1")["embedder_tokens"], 0)


if __name__ == "__main__":
    unittest.main()

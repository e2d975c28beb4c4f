"""What vectors may cost, of an index and of a server: counted by an embedder on loopback, bounded before it is spent."""
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


if __name__ == "__main__":
    unittest.main()

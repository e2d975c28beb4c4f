"""index --enrich and suggest --model with a model behind HTTP: what it is told, what is kept, where it ends, and how it is taken up."""
import http.server, json, sqlite3, threading, unittest

from ward import Case

TABLES = """
CREATE TABLE guest (id INTEGER PRIMARY KEY, email TEXT, tier TEXT);
CREATE TABLE stay (id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guest (id), nights INTEGER);
CREATE TABLE room (id INTEGER PRIMARY KEY, floor INTEGER);
INSERT INTO guest VALUES (1, 'ada@example.com', 'gold'), (2, 'bo@example.com', 'silver');
INSERT INTO stay VALUES (1, 1, 3), (2, 2, 5);
INSERT INTO room VALUES (1, 4), (2, 7);
"""
KEY = "k-0123456789abcdef"


class Models(http.server.ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answering)
        self.replies, self.seen = [], []


class Answering(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.seen.append(json.loads(self.rfile.read(int(self.headers["content-length"])))["messages"])
        words = self.server.replies.pop(0)
        events = [{"choices": [{"delta": {"content": words}, "finish_reason": "stop"}]}, {"choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 100}}]
        body = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


def described(table, **columns):
    return json.dumps({"table": table, "columns": columns})


class Enrich(Case):
    def setUp(self):
        super().setUp()
        self.model = Models()
        threading.Thread(target=self.model.serve_forever, daemon=True).start()
        self.addCleanup(self.model.server_close)
        self.addCleanup(self.model.shutdown)
        with sqlite3.connect(self.folder / "hotel.db") as database:
            database.executescript(TABLES)
        (self.folder / "prices.json").write_text(json.dumps({"format": "schemaward-prices", "version": 1, "models": {"openai/m": {"input": 2, "output": 10}}}))
        (self.folder / "schemaward.yaml").write_text(
            f"models:\n  - {{name: near, provider: openai, model: m, key_env: STUB_KEY, base_url: 'http://127.0.0.1:{self.model.server_address[1]}/v1'}}\n"
            f"llm: {{model: near, prices: {self.folder / 'prices.json'}}}\n")
        self.environment.update(SCHEMAWARD_CONFIG=str(self.folder / "schemaward.yaml"), STUB_KEY=KEY)

    def index(self, *arguments, code=0):
        return json.loads(self.ward("index", self.folder / "hotel.db", "--json", "--no-suggest", "--sample", "2", "--enrich", *arguments, code=code))["descriptions"]

    def told(self):
        return [messages[-1]["content"] for messages in self.model.seen]

    def test_values_are_told_but_none_of_personal_columns(self):
        self.model.replies = [described("people who stay", tier="their level"), described("a room"), described("a stay")]
        self.assertEqual(self.index()["described"], 3)
        guest = next(text for text in self.told() if "main.guest" in text)
        self.assertIn("gold", guest)
        self.assertIn("personal, values withheld", guest)
        self.assertNotIn("@example.com", json.dumps(self.model.seen))
        self.assertNotIn(KEY, json.dumps(self.model.seen))

    def test_what_is_said_is_shown_with_where_it_comes_from_and_found(self):
        self.model.replies = [described("visitors of the lodge", tier="their level"), described("a room"), described("a stay")]
        self.index()
        shown = self.call("describe_table", qualified_name="main.guest")["data"]["described"]
        self.assertEqual((shown["text"], shown["confidence"], shown["provenance"]["source"]), ("visitors of the lodge", "LOW", "llm"), shown)
        self.assertEqual(self.call("find_relevant_tables", query="lodge visitors")["data"]["tables"][0]["qualified_name"], "main.guest")

    def test_a_limit_of_money_ends_it_and_the_next_run_takes_it_up(self):
        self.model.replies = [described("one")]
        ended = self.index("--max-cost", "0.042", code=3)  # a request could cost 0.041; the first one costs 0.003
        self.assertEqual((ended["described"], ended["left"]), (1, 2))
        self.model.replies = [described("two"), described("three")]
        again = self.index()
        self.assertEqual((again["described"], again["unchanged"]), (2, 1))
        self.assertEqual(len(self.model.seen), 3)

    def test_no_more_tables_are_asked_about_than_it_may(self):
        self.model.replies = [described("one")]
        self.assertEqual(self.index("--max-tables", "1")["left"], 2)
        self.assertEqual(len(self.model.seen), 1)

    def test_proposals_are_drafts_of_a_model_and_what_does_not_fit_is_dropped(self):
        self.ward("index", self.folder / "hotel.db")
        self.model.replies = [json.dumps({"metrics": [
            {"name": "nights_slept", "entity": "stay", "aggregation": "max", "column": "nights", "description": "longest stay"},
            {"name": "made_up", "entity": "stay", "aggregation": "sum", "column": "invented"}]})]
        made = json.loads(self.ward("suggest", "--model", "near", "--max-cost", "1", "--json"))
        self.assertIn("made_up", json.dumps(made))
        self.assertNotIn("@example.com", json.dumps(self.model.seen))
        metrics = {one["name"]: one for one in self.call("list_metrics")["data"]["metrics"]}
        self.assertIn("nights_slept", metrics)
        self.assertNotIn("made_up", metrics)
        self.ward("suggest", "--model", "near", "--max-cost", "0.0001", code=3)  # not a request fits
        self.assertEqual(len(self.model.seen), 1)


if __name__ == "__main__":
    unittest.main()

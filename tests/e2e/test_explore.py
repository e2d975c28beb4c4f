"""The verb explore with a model behind HTTP: a stub that speaks OpenAI's chat protocol, its money and its failures."""
import html.parser, http.server, json, os, signal, subprocess, threading, unittest

from ward import BINARY, COMMAND_SECONDS_MAX, Case

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
        self.ward("index", self.shop(), "--sample", 1)  # so that the only queries are those of the model
        self.replies, self.seen, self.refusals, self.usage = [json.dumps(step) for step in STEPS], [], [], USAGE
        self.holds_at, self.held, self.go_on = None, threading.Event(), threading.Event()  # the number of a request that gets no answer
        test = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                test.seen.append((self.path, self.headers.get("Authorization"), body))
                if len(test.seen) == test.holds_at:
                    test.held.set()
                    test.go_on.wait(COMMAND_SECONDS_MAX)
                    return
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
        self.addCleanup(self.go_on.set)
        threading.Thread(target=self.stub.serve_forever, daemon=True).start()
        (self.folder / "prices.json").write_text(json.dumps(PRICES))
        (self.folder / "schemaward.yaml").write_text(
            f"models:\n  - {{name: near, provider: openai, model: stub, key_env: STUB_KEY, base_url: 'http://127.0.0.1:{self.stub.server_port}/v1', window: 32000}}\n"
            f"llm:\n  model: near\n  prices: {self.folder / 'prices.json'}\n")
        self.environment.update(STUB_KEY=KEY, SCHEMAWARD_CONFIG=str(self.folder / "schemaward.yaml"))

    def test_a_claim_tells_how_far_it_has_been_verified(self):
        session = self.serve("--tools", "explore")
        run = session.call("start_exploration", question="how many orders?", decided_by="agent")["data"]["run"]
        figure = lambda value: {"value": value, "kind": "cell", "of": {"sql": "SELECT count(*) AS n FROM sales_order", "column": "n"}}
        arguments = {"run_id": run["run_id"], "claim": "3,600 orders", "figures": [figure("3600"), figure("3,600")]}
        answer = session.request("tools/call", {"name": "verify_claim", "arguments": arguments, "_meta": {"progressToken": "p"}})
        self.assertEqual(answer["result"]["structuredContent"]["data"]["verdict"], "confirmed")
        told = [note["params"] for note in session.notifications if note["method"] == "notifications/progress"]
        self.assertEqual([told[0], told[-1]], [{"progressToken": "p", "progress": 1, "total": 3, "message": "statements run"},
                                               {"progressToken": "p", "progress": 3, "total": 3, "message": "figures checked"}])

    def test_a_domain_pack_frames_the_run_and_its_insights_are_verified(self):
        insight = {"name": "Orders", "description": "There are 3,600 orders.", "severity": "high", "affected_count": 3600, "claimed_metric": "orders", "source_steps": [2, 9]}
        count = {"query": "SELECT count(*) AS verified FROM sales_order"}
        # Areas of the pack generic by priority: trend names order, the others name nothing of the one query.
        proposed = {"title": "Order more", "description": "There are orders.", "priority": 1, "related_insight_ids": ["trend-1", "made-up"], "actions": ["<b>count</b>"]}
        self.replies = [json.dumps(reply) for reply in (*STEPS, {"insights": [insight]}, count, {"recommendations": [proposed]})]
        (self.folder / "profiles").mkdir()
        (self.folder / "profiles/generic.json").write_text(json.dumps({"currency": "doubloons"}))
        run = json.loads(self.explore("--pack", "generic"))
        system = self.seen[0][2]["messages"][0]["content"]
        self.assertIn("The business is not known", system)
        self.assertIn("main.sales_order", system)
        self.assertIn("doubloons", system)
        self.assertNotIn("{{", system)
        found = run["analysis"]["insights"]
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0]["source_steps"], [2])
        self.assertEqual(found[0]["validation"]["status"], "confirmed")
        shown = self.ward("runs", "export", run["run_id"])
        self.assertIn("## Insights", shown)
        self.assertIn(found[0]["validation"]["status"], shown)
        self.assertIn("<h2>Insights</h2>", self.ward("runs", "export", run["run_id"], "--format", "html"))
        proposals = run["analysis"]["recommendations"]
        self.assertEqual((proposals["status"], [one["related_insight_ids"] for one in proposals["list"]]), ("done", [[found[0]["id"]]]))
        self.assertIn("3,600 orders", self.seen[-1][2]["messages"][0]["content"])
        self.assertIn("doubloons", self.seen[-1][2]["messages"][0]["content"])
        self.assertIn("## What to do", shown)
        self.assertNotIn("<b>count", self.ward("runs", "export", run["run_id"], "--format", "html"))
        self.ward("explore", "why?", "--pack", "generik", code=2)
        (self.folder / "profiles/generic.json").write_text(json.dumps({"currency": 7}))
        asked = len(self.seen)
        self.assertEqual(self.explore("--pack", "generic", code=2), "")
        self.assertEqual(len(self.seen), asked)

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

    def begin(self):
        """Starts a run whose third question is never answered, and waits until it is asked."""
        self.holds_at = 3
        command = [BINARY, "explore", "how many orders are there?", "--json", "--store", str(self.store)]
        run = subprocess.Popen(command, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        self.assertTrue(self.held.wait(COMMAND_SECONDS_MAX))
        return run

    def runs(self, *arguments, code=0):
        return self.ward("runs", *arguments, code=code)

    def queries_run(self):
        calls = [json.loads(line) for line in self.ward("audit", "list", "--tool", "execute_query", "--json").splitlines()]
        return len(calls)

    def test_a_stopped_run_keeps_its_steps_and_goes_on(self):
        run = self.begin()
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=COMMAND_SECONDS_MAX)
        self.assertEqual(run.returncode, 2)
        kept = json.loads(out)
        self.assertEqual((kept["status"], len(kept["steps"])), ("partial", 2))
        done = json.loads(self.runs("resume", kept["run_id"], "--json"))
        self.assertEqual((done["status"], done["run_id"], len(done["steps"])), ("completed", kept["run_id"], 3))
        self.assertEqual((done["schema_lookup_calls"], done["queries"], self.queries_run()), (1, 1, 1))
        self.assertEqual(done["input_tokens"], 3000)
        self.assertEqual(self.runs("resume", kept["run_id"], code=2), "")  # it is completed

    def test_a_killed_run_is_interrupted_and_knows_what_it_cost(self):
        run = self.begin()
        run.kill()
        run.wait()
        listed = json.loads(self.runs("list", "--json"))["runs"]
        self.assertEqual([(r["status"], r["steps"], r["queries"], r["cost_usd"]) for r in listed], [("interrupted", 2, 1, "0.006000")])
        done = json.loads(self.runs("resume", listed[0]["run_id"], "--json"))
        self.assertEqual((done["status"], done["cost_usd"], self.queries_run()), ("completed", "0.009000", 1))

    def test_a_resumed_run_stays_below_its_limit_of_money(self):
        run = self.begin()
        run.kill()
        run.wait()
        run_id = json.loads(self.runs("list", "--json"))["runs"][0]["run_id"]
        asked = len(self.seen)
        stopped = json.loads(self.runs("resume", run_id, "--max-cost", "0.0061", "--json", code=3))
        self.assertEqual((stopped["status"], len(stopped["steps"]), len(self.seen)), ("partial", 2, asked))
        self.assertEqual(json.loads(self.runs("resume", run_id, "--max-cost", "1", "--json"))["status"], "completed")

    def test_a_cancelled_run_ends_for_good(self):
        run = self.begin()
        run_id = json.loads(self.runs("list", "--json"))["runs"][0]["run_id"]
        self.runs("cancel", run_id)
        self.runs("cancel", run_id, code=1)
        run.kill()
        run.wait()
        self.runs("resume", run_id, code=2)
        self.assertEqual(json.loads(self.runs("show", run_id, "--json"))["run"]["status"], "cancelled")

    def test_an_html_report_loads_and_runs_nothing(self):
        hostile = {**STEPS[1], "query_purpose": "<img src=http://127.0.0.1/a onerror=alert(1)><script>alert(1)</script>", "thinking": "<link rel=stylesheet href=http://127.0.0.1/b>"}
        self.replies = [json.dumps(step) for step in (STEPS[0], hostile, {"action": "complete", "reason": "<iframe src=//127.0.0.1/c></iframe>"})]
        elements, styles = [], []

        class Reader(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                elements.append((tag, dict(attributes)))

            def handle_data(self, data):
                if elements and elements[-1][0] == "style":
                    styles.append(data)

        Reader().feed(self.runs("export", json.loads(self.explore())["run_id"], "--format", "html"))
        names = {tag for tag, _ in elements}
        self.assertEqual(names & {"script", "img", "iframe", "link", "object", "embed", "base", "form", "use", "image"}, set())
        self.assertLessEqual({"svg", "rect", "pre"}, names)
        self.assertEqual([pair for tag, attributes in elements for pair in attributes.items() if pair[0] in ("src", "href", "srcset", "xlink:href", "action", "data", "style") or pair[0].startswith("on")], [])
        self.assertNotRegex("".join(styles), r"url\(|@import")
        self.assertIn(("meta", {"http-equiv": "Content-Security-Policy", "content": "default-src 'none'; style-src 'unsafe-inline'"}), elements)

    def test_a_run_is_shown_and_exported(self):
        run_id = json.loads(self.explore())["run_id"]
        self.assertIn("counted", self.runs("show", run_id))
        self.assertIn("| schema_lookup_calls | 1 |", self.runs("export", run_id))
        report = self.folder / "report.html"
        self.runs("export", run_id, "--format", "html", "--out", report)
        self.assertIn("<svg", report.read_text())
        self.runs("export", run_id, "--format", "html", "--out", report, code=2)
        self.runs("export", run_id, "--format", "html", "--out", report, "--force")
        whole = json.loads(self.runs("export", run_id, "--format", "json"))
        self.assertEqual([step["kind"] for step in whole["steps"]], ["lookup_schema", "query_data", "complete"])
        self.assertNotIn(KEY, json.dumps(whole))
        self.assertEqual(self.runs("show", "run_0000000000000000", code=2), "")
        self.assertEqual(os.stat(f"{self.store}.runs").st_mode & 0o777, 0o600)


if __name__ == "__main__":
    unittest.main()

"""Explorations that the connected client's own model decides, over real sessions; and what clients get that have no model."""
import json, subprocess, unittest

from test_http import HttpServer
from ward import COMMAND_SECONDS_MAX, Case, clients_folder

# COVERS: R-MCP-1

STEPS = [
    {"action": "lookup_schema", "tables": ["main.sales_order"]},
    {"action": "query_data", "query": "SELECT count(*) AS orders FROM sales_order"},
    {"done": True, "summary": "3600 orders", "claims": [
        {"claim": "There are 3,600 orders", "figures": [{"value": "3600", "kind": "cell", "of": {"step": 2, "column": "orders"}}]},
        {"claim": "There are 3,700 orders", "figures": [{"value": "3700", "kind": "cell", "of": {"step": 2, "column": "orders"}}]}]},
]
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {"sampling": {}}}
QUESTION = {"question": "how many orders are there?", "decided_by": "model"}


def says(step):
    return {"role": "assistant", "model": "clients-own", "content": {"type": "text", "text": json.dumps(step)}, "stopReason": "endTurn"}


class Sampling(Case):
    def setUp(self):
        super().setUp()
        self.ward("index", self.shop(), "--sample", 1)  # so that the only queries are those of the model
        self.asked, self.replies = [], list(STEPS)

    def answer(self, method, params):
        self.asked.append((method, params))
        return says(self.replies.pop(0)) if self.replies else None

    def session(self, **capabilities):
        return self.serve("--tools", "explore", capabilities=capabilities, answer=self.answer)

    def queries_run(self):
        return len(self.ward("audit", "list", "--tool", "execute_query", "--json").splitlines())

    def test_the_clients_model_decides_each_step_and_its_claims_are_verified(self):
        session = self.session(sampling={})
        run = session.call("start_exploration", **QUESTION)["data"]["run"]
        self.assertEqual((run["status"], run["summary"], run["steps_used"], run["queries"], run["queries_failed"]), ("completed", "3600 orders", 3, 1, 0))
        self.assertEqual([method for method, _ in self.asked], ["sampling/createMessage"] * 3)
        first, last = self.asked[0][1], self.asked[2][1]
        self.assertIn("main.sales_order", first["systemPrompt"])
        self.assertGreater(first["maxTokens"], 0)
        self.assertIn("3600", json.dumps(last["messages"]))
        self.assertEqual([message["role"] for message in last["messages"]], ["user", "assistant"] * 2 + ["user"])
        kept = session.call("get_exploration", run_id=run["run_id"])["data"]
        self.assertEqual([claim["verdict"] for claim in kept["insights"]], ["confirmed", "adjusted"])
        self.assertEqual([step["kind"] for step in kept["steps"]], ["lookup_schema", "query_data", "complete"])
        self.assertEqual(self.queries_run(), 1 + 2)  # the query, and one for each figure

    def test_a_client_that_refuses_in_the_middle_keeps_what_was_done(self):
        self.replies = STEPS[:2]
        session = self.session(sampling={})
        refused = session.call("start_exploration", **QUESTION)
        self.assertEqual((refused["status"], refused["data"], refused["error"]["kind"], refused["error"]["reason"]), ("error", None, "internal_error", "permission_denied"))
        self.assertIn("the client did not do", refused["error"]["message"])
        recovery = refused["error"]["recovery"]
        kept = session.call(recovery["suggested_tool"], **recovery["suggested_args"])["data"]
        self.assertEqual((kept["run"]["status"], len(kept["steps"])), ("failed", 2))
        self.assertIn("the client did not do", kept["run"]["ended_by"])
        self.assertEqual(session.request("ping")["result"], {})

    def test_a_client_that_refuses_at_once_is_told_the_call_that_needs_no_model(self):
        self.replies = []
        session = self.session(sampling={})
        recovery = session.call("start_exploration", **QUESTION)["error"]["recovery"]
        self.assertEqual((recovery["suggested_tool"], recovery["suggested_args"]["decided_by"]), ("start_exploration", "agent"))
        self.assertEqual(session.call(recovery["suggested_tool"], **recovery["suggested_args"])["data"]["run"]["status"], "running")

    def test_a_client_that_answers_a_question_with_no_reply_is_told_what_was_kept(self):
        session = self.session()
        result = self.modern(session, "start_exploration", QUESTION)
        asked = 0
        while result.get("resultType") == "input_required":
            asked += 1
            reply = says(STEPS[0]) if asked == 1 else {"action": "decline"}
            result = self.modern(session, "start_exploration", QUESTION, inputResponses={"reply": reply}, requestState=result["requestState"])
        self.assertTrue(result["isError"])
        error = result["structuredContent"]["error"]
        self.assertEqual((error["recovery"]["suggested_tool"], asked), ("get_exploration", 1 + 1))
        kept = self.modern(session, "get_exploration", error["recovery"]["suggested_args"])
        self.assertFalse(kept["isError"])
        self.assertEqual(len(kept["structuredContent"]["data"]["steps"]), 1)

    def test_a_client_without_a_model_is_told_the_call_that_works(self):
        session = self.session()
        refused = session.call("start_exploration", **QUESTION)
        self.assertEqual(refused["status"], "unstructured")
        told = json.loads(refused["text"].splitlines()[-1])
        self.assertIn("sampling", refused["text"])
        self.assertEqual((told["kind"], told["suggested_tool"], told["suggested_args"]["decided_by"]), ("invalid_argument", "start_exploration", "agent"))
        self.assertEqual(session.call("start_exploration", **told["suggested_args"])["data"]["run"]["decided_by"], "agent")
        self.assertEqual(self.asked, [])

    def modern(self, session, tool, arguments, meta=META, **more):
        """The result, or the error, of a call that says its own revision."""
        answer = session.request("tools/call", {"name": tool, "arguments": arguments, "_meta": meta, **more})
        return answer.get("result") or answer["error"]

    def test_without_requests_the_model_is_asked_by_results(self):
        session = self.session()
        result, rounds = self.modern(session, "start_exploration", QUESTION), 0
        while result["resultType"] == "input_required":
            rounds += 1
            self.assertEqual(list(result["inputRequests"]), ["reply"])
            request = result["inputRequests"]["reply"]
            result = self.modern(session, "start_exploration", QUESTION, inputResponses={"reply": self.answer(request["method"], request["params"])},
                                 requestState=result["requestState"])
        run = result["structuredContent"]["data"]["run"]
        self.assertEqual((run["status"], run["summary"], rounds), ("completed", "3600 orders", 3))
        self.assertEqual([method for method, _ in self.asked], ["sampling/createMessage"] * 3)
        calls = [json.loads(line) for line in self.ward("audit", "list", "--tool", "start_exploration", "--json").splitlines()]
        self.assertEqual(len(calls), 1, "one call, in four requests")
        kept = self.modern(session, "get_exploration", {"run_id": run["run_id"]})["structuredContent"]["data"]
        self.assertEqual([claim["verdict"] for claim in kept["insights"]], ["confirmed", "adjusted"])

    def test_a_run_goes_on_only_where_it_waits_and_for_its_own_call(self):
        session = self.session()
        asked = self.modern(session, "start_exploration", QUESTION)
        back = {"inputResponses": {"reply": says(STEPS[0])}, "requestState": asked["requestState"]}
        self.assertEqual(self.modern(session, "start_exploration", {**QUESTION, "question": "another"}, **back)["code"], -32602)
        self.assertEqual(self.modern(session, "start_exploration", QUESTION, **back)["resultType"], "input_required")
        self.assertEqual(self.modern(session, "start_exploration", QUESTION, **back)["code"], -32602)
        self.assertEqual(len(self.modern(session, "get_exploration", {})["structuredContent"]["data"]["runs"]), 1)

    def test_a_run_whose_client_does_not_come_back_ends_with_the_server(self):
        session = self.session()
        self.assertEqual(self.modern(session, "start_exploration", QUESTION)["resultType"], "input_required")
        self.assertEqual(session.close(), 0)
        run = json.loads(self.ward("runs", "list", "--json"))["runs"][0]
        self.assertEqual(run["status"], "failed")

    def test_a_modern_client_without_a_model_is_told_the_call_that_works(self):
        meta = {**META, "io.modelcontextprotocol/clientCapabilities": {}}
        session = self.session()
        refused = self.modern(session, "start_exploration", QUESTION, meta)
        told = json.loads(refused["content"][0]["text"].splitlines()[-1])
        self.assertTrue(refused["isError"])
        self.assertEqual((told["suggested_tool"], told["suggested_args"]["decided_by"]), ("start_exploration", "agent"))
        self.assertFalse(self.modern(session, "start_exploration", told["suggested_args"], meta)["isError"])

    def test_over_http_each_question_is_the_answer_of_one_request(self):
        server = HttpServer(self.serve_command("--http", "127.0.0.1:0", "--tools", "explore"), env=self.environment, cwd=self.folder)
        self.addCleanup(server.close)

        def call(**more):
            status, _, body = server.modern("tools/call", {"name": "start_exploration", "arguments": QUESTION, **more}, META)
            self.assertEqual(status, 200, body)
            return json.loads(body)["result"]
        asked = call()
        for step in STEPS:
            self.assertEqual(asked["resultType"], "input_required")
            asked = call(inputResponses={"reply": says(step)}, requestState=asked["requestState"])
        self.assertEqual(asked["structuredContent"]["data"]["run"]["status"], "completed")
        self.assertEqual(call()["resultType"], "input_required")  # and nobody comes back
        self.assertEqual(server.end(), (0, ""))
        self.assertEqual(sorted(run["status"] for run in json.loads(self.ward("runs", "list", "--json"))["runs"]), ["completed", "failed"])

    def test_the_sdks_client_drives_a_run(self):
        npm = clients_folder()
        script = self.folder / "sampling.mjs"
        script.write_text(SDK_SESSION.replace("SDK", (npm / "node_modules/@modelcontextprotocol/sdk/dist/esm").as_uri()))
        what = {"command": self.serve_command("--tools", "explore"), "question": QUESTION, "replies": [says(step) for step in STEPS]}
        done = subprocess.run([npm / "node_modules/node/bin/node", script, json.dumps(what)], capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX,
                              stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        report = json.loads(done.stdout)
        self.assertEqual((report["asked"], report["run"]["status"], report["run"]["summary"]), (3, "completed", "3600 orders"))
        self.assertGreaterEqual(report["progress"], 1)


# The SDK reads each request and each answer by its own schema.
SDK_SESSION = """
import { Client } from 'SDK/client/index.js';
import { StdioClientTransport } from 'SDK/client/stdio.js';
import { CreateMessageRequestSchema } from 'SDK/types.js';
const { command, question, replies } = JSON.parse(process.argv[2]);
const client = new Client({ name: 'e2e', version: '1' }, { capabilities: { sampling: {} } });
let asked = 0, progress = 0;
client.setRequestHandler(CreateMessageRequestSchema, async () => replies[asked++]);
await client.connect(new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'ignore' }));
const answer = await client.callTool({ name: 'start_exploration', arguments: question }, undefined, { onprogress: () => { progress += 1; } });
console.log(JSON.stringify({ asked, progress, run: answer.structuredContent.data.run }));
await client.close();
"""


if __name__ == "__main__":
    unittest.main()

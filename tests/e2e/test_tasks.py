"""Calls that outlive their request, over real sessions in both eras: a run that the client's own model decides, held as a task."""
import json, subprocess, time, unittest

from test_http import HttpServer
from test_sampling import QUESTION, STEPS, says
from ward import COMMAND_SECONDS_MAX, Case, clients_folder

# COVERS: R-MCP-1 R-MCP-4
CAPABILITIES = {"sampling": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": CAPABILITIES}
ENDED = ("completed", "failed", "cancelled")


class Tasks(Case):
    def setUp(self):
        super().setUp()
        self.ward("index", self.shop(), "--sample", 1)  # so that the only queries are those of the model

    def http(self):
        server = HttpServer(self.serve_command("--http", "127.0.0.1:0", "--tools", "explore"), env=self.environment, cwd=self.folder)
        self.addCleanup(server.close)
        return server

    def over_http(self, server):
        """Makes requests of 2026-07-28, each on a connection of its own."""
        def request(method, **params):
            named = {"Mcp-Name": params["taskId"]} if "taskId" in params else {}
            status, _, body = server.modern(method, params, META, **named)
            answer = json.loads(body)
            self.assertEqual(status, 400 if "error" in answer else 200, body)
            return answer.get("result") or answer["error"]
        return request

    def on_pipe(self, session):
        def request(method, **params):
            answer = session.request(method, {**params, "_meta": META})
            return answer.get("result") or answer["error"]
        return request

    def standing(self, request, task, *wanted):
        """How the task stands, once it stands as one of `wanted`."""
        until = time.monotonic() + COMMAND_SECONDS_MAX
        while time.monotonic() < until:
            now = request("tasks/get", taskId=task["taskId"])
            if now["status"] in wanted:
                return now
            time.sleep(0.02)
        self.fail(f"the task stands as {now['status']}")

    def drive(self, request):
        """Holds a run as a task, and answers what it asks."""
        task = request("tools/call", name="start_exploration", arguments=QUESTION)
        self.assertEqual((task["resultType"], task["status"]), ("task", "working"))
        answered = set()
        for step in STEPS:
            asked = self.standing(request, task, "input_required", *ENDED)["inputRequests"]
            self.assertEqual([question["method"] for question in asked.values()], ["sampling/createMessage"])
            self.assertEqual(answered & set(asked), set(), "a key names one question only")
            answered |= set(asked)
            self.assertEqual(request("tasks/update", taskId=task["taskId"], inputResponses={key: says(step) for key in asked})["resultType"], "complete")
        ended = self.standing(request, task, *ENDED)
        self.assertEqual((ended["status"], ended["resultType"], ended["result"]["resultType"]), ("completed", "complete", "complete"))
        run = ended["result"]["structuredContent"]["data"]["run"]
        self.assertEqual((run["status"], run["summary"]), ("completed", "3600 orders"))
        return task

    def test_a_run_is_a_task_on_a_pipe(self):
        self.drive(self.on_pipe(self.serve("--tools", "explore")))

    def test_a_run_is_a_task_over_http_whatever_becomes_of_connections(self):
        server = self.http()
        request = self.over_http(server)
        task = self.drive(request)
        self.assertEqual(request("tasks/get", taskId="0" * 32)["code"], -32602)
        status, _, body = server.modern("tasks/get", {"taskId": task["taskId"]}, META, **{"Mcp-Name": "0" * 32})
        self.assertEqual((status, json.loads(body)["error"]["code"]), (400, -32020))
        calls = [json.loads(line) for line in self.ward("audit", "list", "--tool", "start_exploration", "--json").splitlines()]
        self.assertEqual(len(calls), 1, "one call, whatever asks for it")

    def test_a_task_that_is_cancelled_ends_its_run(self):
        request = self.over_http(self.http())
        task = request("tools/call", name="start_exploration", arguments=QUESTION)
        self.standing(request, task, "input_required")
        self.assertEqual(request("tasks/cancel", taskId=task["taskId"])["resultType"], "complete")
        self.assertEqual(request("tasks/get", taskId=task["taskId"])["status"], "cancelled")
        late = request("tasks/update", taskId=task["taskId"], inputResponses={"ask-1": says(STEPS[0])})
        self.assertEqual(late["resultType"], "complete")
        self.assertEqual(request("tasks/get", taskId=task["taskId"])["status"], "cancelled")

    def test_a_quick_call_is_answered_at_once(self):
        request = self.over_http(self.http())
        answer = request("tools/call", name="start_exploration", arguments={**QUESTION, "decided_by": "agent"})
        self.assertEqual((answer["resultType"], answer["structuredContent"]["data"]["run"]["status"]), ("complete", "running"))

    def test_the_end_of_the_server_ends_a_task_that_waits(self):
        server = self.http()
        request = self.over_http(server)
        self.standing(request, request("tools/call", name="start_exploration", arguments=QUESTION), "input_required")
        self.assertEqual(server.end(), (0, ""))
        self.assertEqual([run["status"] for run in json.loads(self.ward("runs", "list", "--json"))["runs"]], ["partial"])
        self.ward("audit", "verify")
        calls = [json.loads(line) for line in self.ward("audit", "list", "--tool", "start_exploration", "--json").splitlines()]
        self.assertEqual([call["status"] for call in calls], ["partial"], "the call has its end in the log")

    def sdk(self, reach):
        npm = clients_folder()
        script = self.folder / "tasks.mjs"
        script.write_text(SDK_SESSION.replace("SDK", (npm / "node_modules/@modelcontextprotocol/sdk/dist/esm").as_uri()))
        what = {**reach, "question": QUESTION, "replies": [says(step) for step in STEPS]}
        done = subprocess.run([npm / "node_modules/node/bin/node", script, json.dumps(what)], capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX,
                              stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        report = json.loads(done.stdout)
        self.assertEqual(report["said"][0], "taskCreated", report)
        self.assertEqual(report["said"][-1], "result", report)
        self.assertIn("taskStatus", report["said"])
        self.assertEqual((report["asked"], report["run"]["status"], report["run"]["summary"]), (3, "completed", "3600 orders"))
        self.assertEqual([task["status"] for task in report["listed"]], ["completed"])

    def test_the_sdks_client_holds_a_task_on_a_pipe(self):
        self.sdk({"command": [str(word) for word in self.serve_command("--tools", "explore")]})

    def test_the_sdks_client_holds_a_task_over_http(self):
        self.sdk({"url": self.http().url})


# The SDK reads each message by its own schema: 2025-11-25, where the client asks for the task.
SDK_SESSION = """
import { Client } from 'SDK/client/index.js';
import { StdioClientTransport } from 'SDK/client/stdio.js';
import { StreamableHTTPClientTransport } from 'SDK/client/streamableHttp.js';
import { CreateMessageRequestSchema } from 'SDK/types.js';
const { command, url, question, replies } = JSON.parse(process.argv[2]);
const client = new Client({ name: 'e2e', version: '1' }, { capabilities: { sampling: {} } });
let asked = 0, run = null, listed = [];
const said = [];
client.setRequestHandler(CreateMessageRequestSchema, async () => replies[asked++]);
await client.connect(url ? new StreamableHTTPClientTransport(new URL(url))
                         : new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'ignore' }));
await client.listTools();
for await (const message of client.experimental.tasks.callToolStream({ name: 'start_exploration', arguments: question }, undefined, { task: { ttl: 60000 } })) {
  said.push(message.type);
  if (message.type === 'error') said.push(String(message.error));
  if (message.type === 'result') run = message.result.structuredContent.data.run;
}
listed = (await client.experimental.tasks.listTasks()).tasks;
console.log(JSON.stringify({ asked, said, run, listed }));
await client.close();
"""


if __name__ == "__main__":
    unittest.main()

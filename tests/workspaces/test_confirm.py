"""Ending a workspace, over clients that can ask their user: the TypeScript SDK's by elicitation, one of the era without requests by its results.
What the service is asked says whether anything was done."""
import json, subprocess, unittest

from cases import WorkspaceCase
from ward import clients_folder

# COVERS: R-WS-1 R-MCP-1 R-MCP-5
CLIENT_SECONDS_MAX = 120
GONE = "DELETE /v1/sharedtier/virtualWorkspaces/v-1"
LOSS = 'starter workspace "trial" and its data would be lost'

# The answers of the user are given in turn; what the client was asked and what each call came to is printed.
SESSION = """
import { Client } from 'SDK/client/index.js';
import { StdioClientTransport } from 'SDK/client/stdio.js';
import { ElicitRequestSchema } from 'SDK/types.js';
const { command, env, says } = JSON.parse(process.argv[2]);
const client = new Client({ name: 'confirm', version: '1' }, { capabilities: { elicitation: {} } });
const asked = [];
client.setRequestHandler(ElicitRequestSchema, async (request) => { asked.push(request.params); return says[asked.length - 1]; });
await client.connect(new StdioClientTransport({ command: command[0], args: command.slice(1), env, stderr: 'ignore' }));
await client.listTools();
const answers = [];
for (const _ of says) answers.push((await client.callTool({ name: 'terminate_starter_workspace', arguments: { workspace_id: 'v-1' } })).structuredContent);
console.log(JSON.stringify({ asked, answers }));
await client.close();
"""


class Confirmed(WorkspaceCase):
    def setUp(self):
        super().setUp()
        self.use("API_KEY", "the-api-key")

    def assert_refused(self, answer, code):
        self.assertEqual((answer["status"], answer["error_code"]), ("error", code), answer)
        self.assertEqual(answer["error_details"]["exception"], code.lower())
        self.assertNotIn("data", answer)


class ByRequest(Confirmed):
    def session(self, *says):
        npm = clients_folder()
        script = self.folder / "confirm.mjs"
        script.write_text(SESSION.replace("SDK", (npm / "node_modules/@modelcontextprotocol/sdk/dist/esm").as_uri()))
        request = json.dumps({"command": self.serve_command("--tools", "workspaces"), "env": self.environment, "says": says})
        done = subprocess.run([npm / "node_modules/node/bin/node", script, request], capture_output=True, text=True, timeout=CLIENT_SECONDS_MAX, stdin=subprocess.DEVNULL,
                              env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        return json.loads(done.stdout)

    def test_only_a_yes_goes_ahead(self):
        said = self.session({"action": "decline"}, {"action": "cancel"}, {"action": "accept", "content": {"confirm": False}}, {"action": "accept", "content": {"confirm": True}})
        for answer in said["answers"][:3]:
            self.assert_refused(answer, "CONFIRMATION_DECLINED")
            self.assertNotIn("confirm_with", answer["error_details"])
        self.assertEqual((said["answers"][3]["status"], said["answers"][3]["data"]["workspace_name"]), ("success", "trial"))
        self.assertEqual({asked["message"] for asked in said["asked"]}, {LOSS + ". Go ahead?"})
        self.assertEqual(len(self.stub.asked(GONE)), 1)
        self.assertEqual(self.stub.starters, {})

    def test_each_question_and_how_it_ended_is_recorded(self):
        self.session({"action": "decline"}, {"action": "accept", "content": {"confirm": True}})
        records = [json.loads(line) for line in self.ward("audit", "export").splitlines()]
        ends = [(one.get("status"), one.get("reason")) for one in records if one.get("status")]
        self.assertEqual(ends, [("refused", "confirmation_required"), ("refused", "confirmation_declined"), ("refused", "confirmation_required"), ("success", None)], records)


class ByResult(Confirmed):
    """A client of 2026-07-28 that speaks for itself in each request."""

    def setUp(self):
        super().setUp()
        self.server = self.serve("--tools", "workspaces")

    def ask(self, workspace="v-1", capabilities=None, **params):
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}} if capabilities is None else capabilities}
        return self.server.request("tools/call", {"name": "terminate_starter_workspace", "arguments": {"workspace_id": workspace}, "_meta": meta, **params})

    def question(self):
        result = self.ask()["result"]
        self.assertEqual(result["resultType"], "input_required")
        self.assertEqual(set(result["inputRequests"]), {"confirm"})
        self.assertEqual(result["inputRequests"]["confirm"]["params"]["message"], LOSS + ". Go ahead?")
        return result["requestState"]

    def give(self, answer, state, **more):
        return self.ask(inputResponses={"confirm": answer}, requestState=state, **more)

    def test_only_a_yes_goes_ahead(self):
        state = self.question()
        self.assert_refused(self.give({"action": "decline"}, state)["result"]["structuredContent"], "CONFIRMATION_DECLINED")
        self.assert_refused(self.give({"action": "accept"}, state)["result"]["structuredContent"], "CONFIRMATION_REQUIRED")
        self.assertEqual(self.stub.asked(GONE), [])
        done = self.give({"action": "accept", "content": {"confirm": True}}, state)["result"]
        self.assertEqual((done["resultType"], done["structuredContent"]["status"]), ("complete", "success"))
        self.assertEqual(len(self.stub.asked(GONE)), 1)

    def test_the_state_outlives_the_process_and_belongs_to_its_call(self):
        state = self.question()
        self.stub.starters["v-2"] = {**self.stub.starters["v-1"], "virtualWorkspaceID": "v-2"}
        self.server.close()
        self.server = self.serve("--tools", "workspaces")
        yes = {"action": "accept", "content": {"confirm": True}}
        self.assertEqual(self.give(yes, state, workspace="v-2")["error"]["code"], -32602)
        self.assertEqual(self.give(yes, "forged")["error"]["code"], -32602)
        self.assertEqual(self.stub.asked(GONE), [])
        self.assertEqual(self.give(yes, state)["result"]["structuredContent"]["status"], "success")

    def test_who_cannot_ask_is_refused(self):
        self.assert_refused(self.ask(capabilities={})["result"]["structuredContent"], "CONFIRMATION_REQUIRED")
        self.assertEqual(self.stub.asked(GONE), [])


if __name__ == "__main__":
    unittest.main()

"""Clients that others wrote: MCP Inspector's command line and the TypeScript SDK list and call every tool."""
import json, subprocess, unittest

from ward import SHOP_CALLS, WORKED, Case, clients_folder

# COVERS: R-MCP-1 R-ENV-5 R-ENV-6
CLIENT_SECONDS_MAX = 120


class Clients(Case):
    def setUp(self):
        super().setUp()
        self.defined_shop()
        self.npm = clients_folder()

    def node(self, *arguments, code=0):
        done = subprocess.run([self.npm / "node_modules/node/bin/node", *arguments], capture_output=True, text=True, timeout=CLIENT_SECONDS_MAX,
                              stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stdout[-3000:] + done.stderr[-3000:])
        return done.stdout

    def inspector(self, *arguments, code=0):
        launcher = self.npm / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
        return json.loads(self.node(launcher, "--cli", "--format", "json", *arguments, "--", *self.serve_command(), code=code))["result"]

    def test_inspector_lists_and_calls_every_tool(self):
        tools = self.inspector("--method", "tools/list", "--strict")["tools"]
        self.assertEqual(set(SHOP_CALLS), {tool["name"] for tool in tools})
        for name, arguments in SHOP_CALLS.items():
            with self.subTest(name):
                pairs = [word for key, value in arguments.items() for word in ("--tool-arg", f"{key}={value if isinstance(value, str) else json.dumps(value)}")]
                result = self.inspector("--method", "tools/call", "--tool-name", name, *pairs)
                self.assertIn(result["structuredContent"]["status"], WORKED)
                self.assertEqual(json.loads(result["content"][0]["text"]), result["structuredContent"])

    def test_sdk_accepts_every_answer_by_its_own_schema(self):
        report = json.loads(self.node(str(self.session_script()), json.dumps({"command": self.serve_command(), "calls": SHOP_CALLS})))
        self.assertLessEqual(set(SHOP_CALLS), set(report["tools"]))
        self.assertIn("error.recovery", report["instructions"])
        for name in SHOP_CALLS:
            self.assertIn(report["answers"][name]["status"], WORKED, name)
        self.assertEqual(report["mistake"]["error"]["kind"], "unknown_name")
        self.assertTrue(report["mistakeIsError"])

    def session_script(self):
        """The session, beside the packages that it imports."""
        script = self.folder / "sdk_session.mjs"
        sdk = self.npm / "node_modules/@modelcontextprotocol/sdk/dist/esm"
        script.write_text(SESSION.replace("SDK", sdk.as_uri()))
        return script


# The SDK's client refuses an answer that does not fit the tool's outputSchema once it has listed the tools.
SESSION = """
import { Client } from 'SDK/client/index.js';
import { StdioClientTransport } from 'SDK/client/stdio.js';
const { command, calls } = JSON.parse(process.argv[2]);
const client = new Client({ name: 'e2e', version: '1' });
await client.connect(new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'ignore' }));
const { tools } = await client.listTools();
const answers = {};
for (const [name, args] of Object.entries(calls)) answers[name] = (await client.callTool({ name, arguments: args })).structuredContent;
const wrong = await client.callTool({ name: 'describe_table', arguments: { qualified_name: 'main.sales_ordr' } });
console.log(JSON.stringify({ tools: tools.map(t => t.name), instructions: client.getInstructions(), answers,
                             mistake: wrong.structuredContent, mistakeIsError: wrong.isError }));
await client.close();
"""

if __name__ == "__main__":
    unittest.main()

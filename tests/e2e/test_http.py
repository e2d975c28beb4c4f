"""Streamable HTTP: a real server process, the TypeScript SDK and plain requests; tokens; the end by SIGTERM."""
import hashlib, http.client, json, re, signal, ssl, subprocess, time, unittest

from ward import BINARY, SHOP_CALLS, WORKED, Case, clients_folder

# COVERS: R-MCP-1 R-MCP-2 R-MCP-3
SECONDS_MAX = 120
TOKEN = "t0k3n-" * 6
MODERN = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}


class HttpServer:
    """A server process; `ask` posts one message and returns status, headers and body."""

    def __init__(self, command, tls=None, **popen):
        """tls: the ssl.SSLContext of a client, where the server has a certificate."""
        self.tls = tls
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **popen)
        self.words = ""
        while "listens on" not in self.words:
            line = self.process.stderr.readline()
            if not line:
                raise AssertionError(f"the server has ended: {self.words}")
            self.words += line
        self.url = re.search(r"https?://\S+/mcp", self.words)[0]
        self.port = int(re.search(r":(\d+)/mcp", self.url)[1])

    def request(self, method, path, body=None, headers=None):
        over_tls = {"context": self.tls} if self.tls else {}
        connection = (http.client.HTTPSConnection if self.tls else http.client.HTTPConnection)("127.0.0.1", self.port, timeout=SECONDS_MAX, **over_tls)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read().decode()
        finally:
            connection.close()

    def ask(self, method, params=None, headers=None):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}})
        return self.request("POST", "/mcp", body, {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **(headers or {})})

    def modern(self, method, params=None, meta=META, **headers):
        named = {"Mcp-Name": params["name"]} if params and "name" in params else {}
        return self.ask(method, {**(params or {}), "_meta": meta}, {"MCP-Protocol-Version": MODERN, "Mcp-Method": method, **named, **headers})

    def end(self):
        """Ends it as a service manager does. Returns the exit code and what went to standard output."""
        self.process.send_signal(signal.SIGTERM)
        out, _ = self.process.communicate(timeout=SECONDS_MAX)
        return self.process.returncode, out

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Http(Case):
    def http(self, *arguments, environment=None, tls=None):
        server = HttpServer(self.serve_command("--http", "127.0.0.1:0", *arguments), tls=tls, env={**self.environment, **(environment or {})}, cwd=self.folder)
        self.addCleanup(server.close)
        return server

    def test_modern_requests_need_no_session(self):
        self.shop()
        server = self.http()
        status, headers, body = server.modern("server/discover")
        self.assertEqual(status, 200)
        self.assertNotIn("Mcp-Session-Id", headers)
        self.assertIn("error.recovery", json.loads(body)["result"]["instructions"])
        status, _, body = server.modern("tools/call", {"name": "describe_table", "arguments": {"qualified_name": "main.sales_order"}})
        self.assertEqual((status, json.loads(body)["result"]["structuredContent"]["status"]), (200, "success"))
        status, _, body = server.modern("tools/call", {"name": "describe_table", "arguments": {}}, **{"Mcp-Name": "list_joins"})
        self.assertEqual((status, json.loads(body)["error"]["code"]), (400, -32020))

    def test_sql_is_off_unless_asked_for(self):
        self.shop()
        names = lambda server: {tool["name"] for tool in json.loads(server.modern("tools/list")[2])["result"]["tools"]}
        self.assertNotIn("execute_query", names(self.http()))
        self.assertIn("execute_query", names(self.http("--tools", "default,sql")))

    def test_ends_on_sigterm_and_writes_nothing_on_standard_output(self):
        self.shop()
        server = self.http()
        server.modern("tools/call", {"name": "list_entities", "arguments": {}})
        self.assertEqual(server.end(), (0, ""))
        self.ward("audit", "verify")

    def test_health_and_metrics(self):
        self.shop()
        server = self.http()
        self.assertEqual(server.request("GET", "/healthz")[::2], (200, "ok\n"))
        status, headers, body = server.request("GET", "/readyz")
        self.assertEqual((status, headers["Content-Type"]), (200, "application/json"))
        self.assertEqual(json.loads(body), {"ready": True, "not_ready": [], "store": "readable", "audit": {"mode": "required", "state": "writing"},
                                            "index": {"ready": 1, "building": 0, "failed": 0, "never_indexed": 0},
                                            "sources": [{"name": "shop", "index": "ready"}], "sources_left_out": 0})
        status, headers, text = server.request("GET", "/metrics")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/plain; version=0.0.4; charset=utf-8"))
        self.assertIn("schemaward_http_requests_total 3\n", text)
        for arguments in ({"qualified_name": "main.sales_order"}, {"qualified_name": "main.sales_ordr"}):
            server.modern("tools/call", {"name": "describe_table", "arguments": arguments})
        text = server.request("GET", "/metrics")[2]
        self.assertIn('schemaward_calls_total{tool="describe_table",status="success"} 1\n', text)
        self.assertIn('schemaward_failures_total{kind="unknown_name",reason="unknown_table"} 1\n', text)
        self.assertIn('schemaward_call_seconds_count{tool="describe_table"} 2\n', text)

    def test_a_token_decides_who_calls_and_the_audit_log_says_so(self):
        self.shop()
        tokens = self.folder / "tokens.yaml"
        tokens.write_text(f"tokens:\n  - {{id: ci-bot, sha256: {hashlib.sha256(TOKEN.encode()).hexdigest()}, scopes: [analyst]}}\n")
        tokens.chmod(0o600)
        server = self.http(environment={"SCHEMAWARD_HTTP_TOKENS": str(tokens)})
        self.assertEqual(server.modern("tools/list")[0], 401)
        self.assertEqual(server.modern("tools/list", Authorization="Bearer " + TOKEN[:-1] + "x")[0], 401)
        status, _, body = server.modern("tools/call", {"name": "list_entities", "arguments": {}}, Authorization=f"Bearer {TOKEN}")
        self.assertEqual((status, json.loads(body)["result"]["isError"]), (200, False))
        server.end()
        calls = json.loads(self.ward("audit", "list", "--json"))
        self.assertIn("ci-bot", json.dumps(calls))
        self.assertNotIn(TOKEN, self.ward("audit", "export"))

    def test_the_trace_of_a_call_is_in_its_record_and_in_the_log(self):
        self.shop()
        server = self.http(environment={"SCHEMAWARD_LOG_LEVEL": "info"})
        trace = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
        call = {"name": "describe_table", "arguments": {"qualified_name": "main.no_such"}}
        server.modern("tools/call", call, meta={**META, "traceparent": trace})
        server.modern("tools/call", call, meta={**META, "traceparent": "00-no-trace-01"})
        server.process.send_signal(signal.SIGTERM)
        _, log = server.process.communicate(timeout=SECONDS_MAX)
        self.assertEqual(log.count(f"request=1 traceparent={trace} event=describe_table "), 1, log)
        records = [json.loads(line) for line in self.ward("audit", "export").splitlines()]
        self.assertEqual([record["request_id"] for record in records if record["kind"] == "begin"], [f"1 traceparent={trace}", "1"])

    def test_a_token_that_is_taken_back_is_refused_by_the_running_server(self):
        self.shop()
        tokens = self.folder / "tokens.yaml"
        tokens.write_text(f"tokens:\n  - {{id: ci-bot, sha256: {hashlib.sha256(TOKEN.encode()).hexdigest()}}}\n")
        tokens.chmod(0o600)
        server = self.http(environment={"SCHEMAWARD_HTTP_TOKENS": str(tokens)})
        self.assertEqual(server.modern("tools/list", Authorization=f"Bearer {TOKEN}")[0], 200)
        changed = self.folder / "changed.yaml"
        changed.write_text("tokens: []\n")
        changed.chmod(0o600)
        changed.replace(tokens)
        until = time.monotonic() + SECONDS_MAX
        while (status := server.modern("tools/list", Authorization=f"Bearer {TOKEN}")[0]) == 200 and time.monotonic() < until:
            time.sleep(0.1)
        self.assertEqual(status, 401)

    def test_beyond_this_machine_it_asks_for_tokens_first(self):
        done = subprocess.run(self.serve_command("--http", "0.0.0.0:0"), capture_output=True, text=True, timeout=SECONDS_MAX, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("http.tokens", done.stderr)

    def certificate(self, name):
        """Makes a pair for 127.0.0.1 in the files that the server reads. Returns a context that trusts it alone."""
        cert, key, new = self.folder / "cert.pem", self.folder / "key.pem", self.folder / "new"
        new.mkdir()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "90", "-subj", f"/CN={name}",
                        "-addext", "subjectAltName=IP:127.0.0.1,DNS:" + name, "-keyout", new / "key.pem", "-out", new / "cert.pem"], check=True, capture_output=True)
        (new / "key.pem").chmod(0o600)
        context = ssl.create_default_context(cafile=new / "cert.pem")
        (new / "cert.pem").replace(cert), (new / "key.pem").replace(key), new.rmdir()
        return context, {"SCHEMAWARD_HTTP_TLS_CERTIFICATE": str(cert), "SCHEMAWARD_HTTP_TLS_KEY": str(key)}

    def test_a_certificate_is_shown_and_a_new_one_without_a_new_start(self):
        self.shop()
        first, environment = self.certificate("first.example")
        server = self.http(environment=environment, tls=first)
        self.assertTrue(server.url.startswith("https://"))
        self.assertEqual(server.modern("tools/list")[0], 200)
        done = subprocess.run([BINARY, "doctor", "--store", str(self.store), "--json"], capture_output=True, text=True, timeout=SECONDS_MAX,
                              env={**self.environment, **environment}, cwd=self.folder)
        finding = next(f for f in json.loads(done.stdout)["findings"] if f["check"] == "certificate")
        self.assertEqual(finding["state"], "ok")
        self.assertIn("first.example", finding["what"])
        server.tls, _ = self.certificate("second.example")
        until = time.monotonic() + SECONDS_MAX
        while time.monotonic() < until:
            try:
                self.assertEqual(server.modern("tools/list")[0], 200)
                break
            except ssl.SSLCertVerificationError:
                time.sleep(0.1)
        else:
            self.fail("the new certificate is not shown")
        self.assertEqual(server.end(), (0, ""))

    def test_a_certificate_without_its_key_does_not_start(self):
        _, environment = self.certificate("only.example")
        for name, value in (("SCHEMAWARD_HTTP_TLS_KEY", ""), ("SCHEMAWARD_HTTP_TLS_KEY", str(self.folder / "none.pem"))):
            done = subprocess.run(self.serve_command("--http", "127.0.0.1:0"), capture_output=True, text=True, timeout=SECONDS_MAX,
                                  env={**self.environment, **environment, name: value}, cwd=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("key", done.stderr)

    def test_a_caller_that_sends_too_much_is_told_when_to_come_again(self):
        self.shop()
        server = self.http(environment={"SCHEMAWARD_HTTP_REQUESTS_PER_SECOND": "1", "SCHEMAWARD_HTTP_BURST": "1"})
        answers = [server.modern("tools/list")[:2] for _ in range(20)]
        self.assertEqual(answers[0][0], 200)
        refused = [headers["Retry-After"] for status, headers in answers if status == 429]
        self.assertGreater(len(refused), 0)
        self.assertEqual(set(refused), {"1"})

    def test_sdk_calls_every_tool(self):
        self.defined_shop()
        npm = clients_folder()
        server = self.http("--tools", "default,sql")
        script = self.folder / "sdk_session.mjs"
        script.write_text(SESSION.replace("SDK", (npm / "node_modules/@modelcontextprotocol/sdk/dist/esm").as_uri()))
        done = subprocess.run([npm / "node_modules/node/bin/node", script, json.dumps({"url": server.url, "calls": SHOP_CALLS})], capture_output=True, text=True,
                              timeout=SECONDS_MAX, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        report = json.loads(done.stdout)
        self.assertEqual(len(report["session"]), 64)
        for name in SHOP_CALLS:
            self.assertIn(report["answers"][name]["status"], WORKED, name)
        self.assertEqual(report["mistake"]["error"]["kind"], "unknown_name")
        self.assertRegex(report["afterwards"], "404|no such session")


# A session of the SDK's client: it refuses an answer that does not fit the tool's outputSchema.
SESSION = """
import { Client } from 'SDK/client/index.js';
import { StreamableHTTPClientTransport } from 'SDK/client/streamableHttp.js';
const { url, calls } = JSON.parse(process.argv[2]);
const client = new Client({ name: 'e2e', version: '1' });
const transport = new StreamableHTTPClientTransport(new URL(url));
await client.connect(transport);
const session = transport.sessionId;
await client.listTools();
const answers = {};
for (const [name, args] of Object.entries(calls)) answers[name] = (await client.callTool({ name, arguments: args })).structuredContent;
const wrong = await client.callTool({ name: 'describe_table', arguments: { qualified_name: 'main.sales_ordr' } });
await transport.terminateSession();
const after = await fetch(url, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'Mcp-Session-Id': session } });
console.log(JSON.stringify({ session, answers, mistake: wrong.structuredContent, afterwards: String(after.status) }));
await client.close();
"""

if __name__ == "__main__":
    unittest.main()

"""OAuth over HTTP: an issuer on loopback, tokens that OpenSSL signs, and what each lets its bearer do."""
import base64, http.server, json, pathlib, re, subprocess, threading, time, unittest, urllib.parse

from test_http import SECONDS_MAX, HttpServer
from ward import Case, clients_folder

RESOURCE = "http://127.0.0.1/mcp"
POLICY = """
unlisted_callers: refuse
callers:
  - match: {scope: ward.read}
    tools: {allow: ["set:catalog", "set:semantic"]}
  - match: {scope: ward.sql}
    row_filters:
      main.sales_order: status = '${claims.status}'
"""


def url64(data):
    return base64.urlsafe_b64encode(data if isinstance(data, bytes) else json.dumps(data).encode()).rstrip(b"=").decode()


class IssuerKey:
    """An RSA key: its entry of a key set, and tokens that it signs."""

    def __init__(self, folder, name):
        self.path, self.name = pathlib.Path(folder) / f"{name}.pem", name
        subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", self.path], check=True, capture_output=True)
        out = subprocess.run(["openssl", "rsa", "-in", self.path, "-noout", "-modulus"], check=True, capture_output=True, text=True).stdout
        self.jwk = {"kty": "RSA", "use": "sig", "kid": name, "e": "AQAB", "n": url64(bytes.fromhex(out.split("=")[1].strip()))}

    def token(self, issuer, **claims):
        claims = {"iss": issuer, "aud": RESOURCE, "exp": int(time.time()) + 600, **claims}
        text = url64({"alg": "RS256", "typ": "at+jwt", "kid": self.name}) + "." + url64(claims)
        done = subprocess.run(["openssl", "dgst", "-sha256", "-sign", self.path], input=text.encode(), check=True, capture_output=True)
        return text + "." + url64(done.stdout)


class Issuer:
    """Serves a key set on loopback and counts how often it is read. Grants the scopes that a code names, where it has a key to sign with."""

    def __init__(self):
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path.startswith("/.well-known/"):
                    return self.answer({"issuer": issuer.url, "authorization_endpoint": issuer.url + "/authorize", "token_endpoint": issuer.url + "/token",
                                        "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"]})
                issuer.reads += 1
                self.answer({"keys": issuer.keys})

            def do_POST(self):
                asked = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                self.answer({"access_token": issuer.signer.token(issuer.url, sub="ana", scope=asked["code"][0]), "token_type": "Bearer"})

            def answer(self, value):
                body = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.keys, self.reads, self.signer = [], 0, None
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class OAuth(Case):
    def setUp(self):
        super().setUp()
        self.shop()
        self.key = IssuerKey(self.folder, "k1")

    def serve(self, issuer, keys, *arguments, policy=None, **environment):
        named = {"ISSUER": issuer, "RESOURCE": RESOURCE, "KEYS": str(keys), **environment}
        more = {"SCHEMAWARD_POLICY": str(policy)} if policy else {}
        server = HttpServer(self.serve_command("--http", "127.0.0.1:0", *arguments), cwd=self.folder,
                            env={**self.environment, **more, **{f"SCHEMAWARD_HTTP_OAUTH_{name}": value for name, value in named.items()}})
        self.addCleanup(server.close)
        return server

    def call(self, server, token, tool, **arguments):
        status, _, body = server.modern("tools/call", {"name": tool, "arguments": arguments}, Authorization=f"Bearer {token}")
        self.assertEqual(status, 200, body)
        return json.loads(body)["result"]["structuredContent"]

    def test_a_client_finds_the_issuer_and_its_token_lets_it_in(self):
        issuer = Issuer()
        self.addCleanup(issuer.close)
        issuer.keys = [self.key.jwk]
        server = self.serve(issuer.url, issuer.url + "/jwks", SCOPES="ward.read")
        status, headers, _ = server.modern("tools/list")
        self.assertEqual(status, 401)
        where = re.search(r'resource_metadata="http://127.0.0.1(/[^"]+)"', headers["WWW-Authenticate"])[1]
        status, _, body = server.request("GET", where)
        self.assertEqual((status, json.loads(body)["authorization_servers"]), (200, [issuer.url]))
        bearer = lambda **claims: server.modern("tools/list", Authorization="Bearer " + self.key.token(issuer.url, **claims))[0]
        self.assertEqual(bearer(sub="ana", scope="ward.read"), 200)
        self.assertEqual(bearer(sub="ana", scope="other"), 403)
        self.assertEqual(bearer(sub="ana", scope="ward.read", aud="https://other.example/mcp"), 401)
        self.assertEqual(bearer(sub="ana", scope="ward.read", exp=int(time.time()) - 3600), 401)
        token = self.key.token(issuer.url, sub="ana", scope="ward.read")
        self.call(server, token, "list_entities")
        server.end()
        calls = self.ward("audit", "list", "--json")
        self.assertIn('"ana"', calls)
        self.assertNotIn(token.split(".")[2], self.ward("audit", "export"))

    def test_a_key_that_is_new_is_fetched_and_one_that_nobody_has_asks_no_more(self):
        issuer = Issuer()
        self.addCleanup(issuer.close)
        issuer.keys = [self.key.jwk]
        server = self.serve(issuer.url, issuer.url + "/jwks")
        ask = lambda key: server.modern("tools/list", Authorization="Bearer " + key.token(issuer.url, sub="ana"))[0]
        self.assertEqual(ask(self.key), 200)
        strange = IssuerKey(self.folder, "k2")
        self.assertEqual([ask(strange) for _ in range(3)], [401, 401, 401])
        self.assertEqual(issuer.reads, 1)

    def test_without_the_issuers_keys_a_client_is_told_to_come_again(self):
        server = self.serve("http://127.0.0.1:1", "http://127.0.0.1:1/jwks")
        status, headers, _ = server.modern("tools/list", Authorization="Bearer " + self.key.token("http://127.0.0.1:1", sub="ana"))
        self.assertEqual((status, headers["Retry-After"], headers["WWW-Authenticate"]), (503, "5", None))

    def test_scopes_choose_tools_and_claims_fill_the_policy(self):
        keys = self.folder / "keys.json"
        keys.write_text(json.dumps({"keys": [self.key.jwk]}))
        keys.chmod(0o600)
        policy = self.folder / "policy.yaml"
        policy.write_text(POLICY)
        server = self.serve("https://id.example.com", keys, "--tools", "default,sql", policy=policy)
        count = {"sql": "SELECT count(*) AS n FROM sales_order"}
        token = lambda **claims: self.key.token("https://id.example.com", sub="ana", **claims)
        self.assertEqual(self.call(server, token(scope="ward.read"), "list_entities")["status"], "success")
        self.assertEqual(self.call(server, token(scope="ward.read"), "execute_query", **count)["error"]["kind"], "policy_blocked")
        self.assertNotEqual(self.call(server, token(scope="none"), "list_entities")["status"], "success")
        rows = lambda status: self.call(server, token(scope="ward.sql", status=status), "execute_query", **count)["data"]["rows"]
        self.assertEqual(rows("no such status"), [[0]])
        self.assertGreater(rows("paid")[0][0], 0)
        self.assertEqual(self.call(server, token(scope="ward.sql"), "execute_query", **count)["data"]["rows"], [[0]])

    def test_a_tool_whose_scope_is_lacking_is_forbidden_until_it_is_granted(self):
        keys = self.folder / "keys.json"
        keys.write_text(json.dumps({"keys": [self.key.jwk]}))
        keys.chmod(0o600)
        self.environment["SCHEMAWARD_HTTP_TOOL_SCOPES"] = "sql=ward.sql|ward.admin,semantic=ward.metrics"
        server = self.serve("https://id.example.com", keys, "--tools", "default,sql", SCOPES="ward.read")
        token = lambda scope: self.key.token("https://id.example.com", sub="ana", scope=scope)
        count = {"sql": "SELECT count(*) AS n FROM sales_order"}
        ask = lambda scope, method, **params: server.modern(method, params, Authorization=f"Bearer {token(scope)}")
        status, headers, body = ask("ward.read", "tools/call", name="execute_query", arguments=count)
        self.assertEqual(status, 403)
        said = dict(re.findall(r'(\w+)="([^"]*)"', headers["WWW-Authenticate"]))
        self.assertEqual((said["error"], said["scope"]), ("insufficient_scope", "ward.read ward.sql"))
        self.assertIn("/.well-known/oauth-protected-resource", said["resource_metadata"])
        refused = json.loads(body)["result"]["structuredContent"]
        self.assertEqual((refused["status"], refused["error"]["kind"], refused["error"]["recovery"]["widening_hint"]["scope_requested"]),
                         ("refused", "policy_blocked", "ward.sql"))
        for scope in (said["scope"], "ward.read ward.admin"):
            self.assertEqual(self.call(server, token(scope), "execute_query", **count)["status"], "success")
        self.assertEqual(self.call(server, token("ward.read"), "list_indexed_schemas")["status"], "success")
        uri = "schemaward://entities"
        read = lambda scope: server.modern("resources/read", {"uri": uri}, Authorization=f"Bearer {token(scope)}", **{"Mcp-Name": uri})
        status, headers, _ = read("ward.read")
        self.assertEqual((status, 'scope="ward.read ward.metrics"' in headers["WWW-Authenticate"]), (403, True))
        self.assertEqual(read("ward.read ward.metrics")[0], 200)
        self.assertIn("execute_query", ask("ward.read", "tools/list")[2])
        server.end()
        self.assertIn("policy_blocked", self.ward("audit", "list", "--json"))

    def test_the_sdks_client_comes_back_with_the_scope_that_it_is_told(self):
        npm = clients_folder()
        issuer = Issuer()
        self.addCleanup(issuer.close)
        issuer.keys, issuer.signer = [self.key.jwk], self.key
        self.environment["SCHEMAWARD_HTTP_TOOL_SCOPES"] = "sql=ward.sql"
        server = self.serve(issuer.url, issuer.url + "/jwks", "--tools", "default,sql", SCOPES="ward.read")
        script = self.folder / "step_up.mjs"
        script.write_text(STEP_UP.replace("SDK", (npm / "node_modules/@modelcontextprotocol/sdk/dist/esm").as_uri()))
        done = subprocess.run([npm / "node_modules/node/bin/node", script, server.url, str(server.port)], capture_output=True, text=True,
                              timeout=SECONDS_MAX, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        self.assertEqual(json.loads(done.stdout), {"asked": ["ward.read", "ward.read ward.sql"], "status": "success"})


# A client whose user grants whatever is asked for: the code is the scopes. The resource's address has no port, since the server has none yet when it is
# told of it.
STEP_UP = """
import { Client } from 'SDK/client/index.js';
import { UnauthorizedError } from 'SDK/client/auth.js';
import { StreamableHTTPClientTransport } from 'SDK/client/streamableHttp.js';
const [url, port] = process.argv.slice(2);
const asked = [];
let tokens, verifier;
const authProvider = {
  redirectUrl: 'http://127.0.0.1/back',
  clientMetadata: { redirect_uris: ['http://127.0.0.1/back'], client_name: 'e2e' },
  clientInformation: () => ({ client_id: 'e2e' }),
  tokens: () => tokens,
  saveTokens: given => { tokens = given; },
  codeVerifier: () => verifier,
  saveCodeVerifier: given => { verifier = given; },
  redirectToAuthorization: to => { asked.push(to.searchParams.get('scope')); },
  validateResourceURL: async () => undefined,
};
const here = (to, init) => fetch(String(to).replace('http://127.0.0.1/', `http://127.0.0.1:${port}/`), init);
const transport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider, fetch: here });
const client = new Client({ name: 'e2e', version: '1' });
let at;
const granted = async work => {
  try { return await work(); } catch (error) { if (!(error instanceof UnauthorizedError)) throw error; }
  await at.finishAuth(asked.at(-1));
  return await work();
};
await granted(async () => { const next = transport(); at ??= next; await client.connect(next); at = next; });
await client.callTool({ name: 'list_indexed_schemas', arguments: {} });
const answer = await granted(() => client.callTool({ name: 'execute_query', arguments: { sql: 'SELECT count(*) AS n FROM sales_order' } }));
console.log(JSON.stringify({ asked, status: answer.structuredContent.status }));
await client.close();
"""


if __name__ == "__main__":
    unittest.main()

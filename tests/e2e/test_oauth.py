"""OAuth over HTTP: an issuer on loopback, tokens that OpenSSL signs, and what each lets its bearer do."""
import base64, http.server, json, pathlib, re, subprocess, threading, time, unittest

from test_http import HttpServer
from ward import Case

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
    """Serves a key set on loopback and counts how often it is read."""

    def __init__(self):
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                issuer.reads += 1
                body = json.dumps({"keys": issuer.keys}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.keys, self.reads = [], 0
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


if __name__ == "__main__":
    unittest.main()

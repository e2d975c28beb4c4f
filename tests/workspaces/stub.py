"""A Management API on loopback, with its GraphQL list of organizations and its login service: standard library only.

Answers as the service's own types say, with members and words that no client knows. `say` puts other answers before the usual ones.
"""
import base64, hashlib, json, threading, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ORGANIZATIONS = [{"orgID": "org-1", "name": "Orchard"}, {"orgID": "org-2", "name": "Harbour"}]
REGIONS = [{"regionID": "r-1", "region": "US East 1 (N. Virginia)", "provider": "AWS"}, {"regionID": "r-2", "region": "West Europe", "provider": "Azure", "tier": 3}]
SHARED_REGIONS = [{"region": "US East 1", "regionName": "us-east-1", "provider": "AWS"}, {"region": "West Europe", "regionName": "westeurope", "provider": "Azure"}]
GROUPS = [
    {"workspaceGroupID": "g-1", "name": "main", "state": "ACTIVE", "createdAt": "2026-01-01T00:00:00Z", "regionID": "r-1", "regionName": "us-east-1", "provider": "AWS",
     "firewallRanges": ["10.0.0.0/8"], "allowAllTraffic": False, "updateWindow": {"day": 1, "hour": 2}, "deploymentType": "PRODUCTION", "expiresAt": None},
    {"workspaceGroupID": "g-2", "name": "old", "state": "TERMINATED", "createdAt": "2025-01-01T00:00:00Z", "updateWindow": None, "terminatedAt": "2025-02-01T00:00:00Z"},
    {"name": "a group without an id"},
]


def workspaces(endpoint):
    return {
        "w-1": {"workspaceID": "w-1", "workspaceGroupID": "g-1", "name": "day", "size": "S-00", "state": "ACTIVE", "createdAt": "2026-01-01T00:00:00Z", "endpoint": endpoint,
                "deploymentType": "PRODUCTION", "scaleFactor": 1, "kaiEnabled": False, "cacheConfig": 1, "autoSuspend": None},
        "w-2": {"workspaceID": "w-2", "workspaceGroupID": "g-1", "name": "night", "size": "S-1", "state": "SUSPENDED", "createdAt": "2026-01-01T00:00:00Z"},
        "w-3": {"workspaceID": "w-3", "workspaceGroupID": "g-2", "name": "odd", "size": "S-1", "state": "HIBERNATING_SOMEHOW", "endpoint": None, "terminatedAt": None},
    }


def starters(endpoint):
    host, _, port = endpoint.rpartition(":")
    return {"v-1": {"virtualWorkspaceID": "v-1", "name": "trial", "databaseName": "ward_starter", "endpoint": host, "mysqlDmlPort": int(port), "websocketPort": 443, "projectID": "p"}}


class Stub(ThreadingHTTPServer):
    """Started at once; `close` ends it."""

    daemon_threads = True

    def __init__(self, endpoint="127.0.0.1:3306"):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.tokens = {"the-api-key", "the.jwt", "access-1"}
        self.refresh = {"refresh-1": "access-2"}
        self.challenges = {}    # code: challenge of its login
        self.workspaces, self.starters = workspaces(endpoint), starters(endpoint)
        self.other = {}    # "METHOD /path": answers that come first
        self.seen = []     # (method, path, query, body, authorization)
        self.silence = threading.Event()    # set at the end: a slow answer waits for it
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def say(self, call, status, body="", **headers):
        self.other.setdefault(call, []).append((status, body, headers))

    def asked(self, call):
        return [one for one in self.seen if f"{one[0]} {one[1]}" == call]

    def settings(self):
        return {"SCHEMAWARD_WORKSPACES_API_URL": self.url + "/v1", "SCHEMAWARD_WORKSPACES_GRAPHQL_URL": self.url + "/public",
                "SCHEMAWARD_WORKSPACES_OAUTH_ISSUER": self.url, "SCHEMAWARD_WORKSPACES_OAUTH_CLIENT_ID": "public-client"}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.silence.set()
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status, body="", headers=None):
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "text/html" if data.startswith(b"<") else "application/json")
        self.send_header("Content-Length", "0" if status == 204 else str(len(data)))
        self.end_headers()
        if status != 204:
            self.wfile.write(data)

    def handle_call(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        bearer = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        self.server.seen.append((self.command, url.path, query, body, bearer))
        first = self.server.other.get(f"{self.command} {url.path}")
        if first:
            status, said, headers = first.pop(0)
            if status == "silence":
                self.server.silence.wait(60)
                return
            return self.answer(status, said, headers)
        if url.path in ("/.well-known/openid-configuration", "/token"):
            return self.login(url.path, dict(urllib.parse.parse_qsl(body)))
        if bearer not in self.server.tokens:
            return self.answer(401, "Unauthorized")
        self.route(self.command, url.path.removeprefix("/v1"), query, json.loads(body) if body else {})

    do_GET = do_POST = do_DELETE = handle_call

    def route(self, method, path, query, body):
        stub = self.server
        head, _, last = path.rpartition("/")
        if (method, path) == ("POST", "/public"):
            return self.answer(200, {"data": {"organizations": ORGANIZATIONS}})
        lists = {"/regions": REGIONS, "/regions/sharedtier": SHARED_REGIONS, "/workspaceGroups": GROUPS, "/sharedtier/virtualWorkspaces": list(stub.starters.values())}
        if method == "GET" and path in lists:
            return self.answer(200, lists[path])
        if (method, path) == ("GET", "/organizations/current"):
            wanted = query.get("organizationID", "org-1")
            return self.answer(200, next((o for o in ORGANIZATIONS if o["orgID"] == wanted), {"orgID": wanted, "name": "?"}))
        if (method, path) == ("GET", "/users/current"):
            return self.answer(200, {"userID": "u-1", "email": "someone@example.com", "firstName": "Some", "lastName": "One"})
        if (method, path) == ("GET", "/workspaces"):
            return self.answer(200, [w for w in stub.workspaces.values() if w["workspaceGroupID"] == query.get("workspaceGroupID")])
        if method == "GET" and head == "/workspaces" and last in stub.workspaces:
            return self.answer(200, stub.workspaces[last])
        if method == "POST" and last == "resume" and head.removeprefix("/workspaces/") in stub.workspaces:
            stub.workspaces[head.removeprefix("/workspaces/")]["state"] = "PENDING"
            return self.answer(201, {"workspaceID": head.removeprefix("/workspaces/")})
        if (method, path) == ("POST", "/sharedtier/virtualWorkspaces"):
            made = f"v-{len(stub.starters) + 1}"
            stub.starters[made] = {**stub.starters["v-1"], "virtualWorkspaceID": made, "name": body["name"], "databaseName": body["databaseName"]}
            return self.answer(201, {"virtualWorkspaceID": made})
        if head == "/sharedtier/virtualWorkspaces" and last in stub.starters:
            if method == "GET":
                return self.answer(200, stub.starters[last])
            if method == "DELETE":
                del stub.starters[last]
                return self.answer(200, "true")
        self.answer(404, {"error": "not found"})

    def login(self, path, form):
        stub = self.server
        if path != "/token":
            return self.answer(200, {"issuer": stub.url, "authorization_endpoint": stub.url + "/authorize", "token_endpoint": stub.url + "/token"})
        if form.get("grant_type") == "refresh_token":
            token = stub.refresh.get(form.get("refresh_token"))
            if token is None:
                return self.answer(400, {"error": "invalid_grant"})
            stub.tokens.add(token)
            return self.answer(200, {"access_token": token, "expires_in": 3600})
        proof = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).decode().rstrip("=")
        if stub.challenges.get(form.get("code")) != proof:
            return self.answer(400, {"error": "invalid_grant"})
        self.answer(200, {"access_token": "access-1", "refresh_token": "refresh-1", "expires_in": 3600})

"""schemaward login: a browser's way through the login service, tokens kept, renewed and forgotten."""
import json, re, stat, subprocess, unittest, urllib.error, urllib.parse, urllib.request

from cases import WorkspaceCase
from stub import Stub
from ward import BINARY

SECONDS_MAX = 60


class Login(WorkspaceCase):
    def log_in(self, code="c-1", state=None, proof=None, error=None):
        """Starts the command, comes back as a browser would, and returns the exit code and what was said."""
        process = subprocess.Popen([BINARY, "login", "--store", str(self.store)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.environment, cwd=self.folder)
        said = ""
        while not (found := re.search(r"https?://\S+/authorize\?(\S+)", said)):
            line = process.stderr.readline()
            self.assertTrue(line, said)
            said += line
        asked = dict(urllib.parse.parse_qsl(found.group(1)))
        self.assertEqual((asked["code_challenge_method"], asked["client_id"]), ("S256", "public-client"))
        self.stub.challenges[code] = proof or asked["code_challenge"]
        brought = {"error": error} if error else {"code": code}
        back = asked["redirect_uri"] + "?" + urllib.parse.urlencode({**brought, "state": state or asked["state"]})
        try:
            urllib.request.urlopen(back, timeout=SECONDS_MAX).read()
        except urllib.error.HTTPError as refused:
            self.assertEqual(refused.code, 400)
            if not error:    # else the login ends by itself
                process.kill()
        _, rest = process.communicate(timeout=SECONDS_MAX)
        return process.returncode, said + rest

    def tokens(self):
        return self.store.with_name("store.login.json")

    def test_a_login_serves_later_calls(self):
        code, said = self.log_in()
        self.assertEqual(code, 0, said)
        self.assertEqual(stat.S_IMODE(self.tokens().stat().st_mode), 0o600)
        self.assertEqual(self.ok("get_user_id"), {"user_id": "u-1"})
        self.assertEqual([o["name"] for o in self.ok("get_organizations")["organizations"]], ["Orchard", "Harbour"])
        self.ward("logout")
        self.assertFalse(self.tokens().exists())
        self.failed("get_user_id", "USER_ID_RETRIEVAL_FAILED")

    def test_a_refused_token_is_renewed_and_kept(self):
        self.assertEqual(self.log_in()[0], 0)
        self.stub.tokens.discard("access-1")
        self.ok("get_user_id")
        self.assertEqual([one[4] for one in self.stub.asked("GET /v1/users/current")], ["access-1", "access-2"])
        self.assertEqual(json.loads(self.tokens().read_text())["access_token"], "access-2")
        self.assertEqual(stat.S_IMODE(self.tokens().stat().st_mode), 0o600)
        self.ok("get_user_id")
        self.assertEqual(len(self.stub.asked("GET /v1/users/current")), 3)

    def test_a_login_that_cannot_be_renewed(self):
        self.assertEqual(self.log_in()[0], 0)
        self.stub.tokens.clear()
        self.stub.refresh.clear()
        answer = self.failed("get_user_id", "USER_ID_RETRIEVAL_FAILED")
        self.assertIn("schemaward login", answer["error_details"]["hint"])

    def test_another_state_is_not_taken(self):
        code, _ = self.log_in(state="forged")
        self.assertNotEqual(code, 0)
        self.assertFalse(self.tokens().exists())

    def test_an_exchange_that_is_refused(self):
        code, said = self.log_in(proof="another")
        self.assertEqual(code, 2, said)
        self.assertFalse(self.tokens().exists())

    def test_a_login_that_the_user_or_the_service_refuses(self):
        code, said = self.log_in(error="access_denied")
        self.assertEqual(code, 2, said)
        self.assertFalse(self.tokens().exists())
        for status, body in ((500, ""), (200, "<html>sign in</html>"), (200, {"access_token": 7}), (400, {"error": "invalid_grant"})):
            with self.subTest(status=status, body=body):
                self.stub.say("POST /token", status, body)
                code, said = self.log_in()
                self.assertEqual(code, 2, said)
                self.assertNotIn("sign in", said)
                self.assertFalse(self.tokens().exists())

    def test_an_exchange_that_is_sent_elsewhere_takes_no_code_along(self):
        with Stub() as elsewhere:
            for status in (302, 307, 308):
                with self.subTest(status):
                    self.stub.say("POST /token", status, "", Location=f"{elsewhere.url}/token")
                    self.assertEqual(self.log_in()[0], 2)
            self.assertEqual(elsewhere.seen, [])
        self.assertFalse(self.tokens().exists())

    def test_a_login_service_that_is_away(self):
        self.stub.say("GET /.well-known/openid-configuration", 404, "")
        self.ward("login", code=2)
        self.environment["SCHEMAWARD_WORKSPACES_OAUTH_ISSUER"] = "http://127.0.0.1:1"
        self.ward("login", code=2)

    def test_tokens_that_others_can_read_are_not_used(self):
        self.assertEqual(self.log_in()[0], 0)
        self.tokens().chmod(0o644)
        self.failed("get_user_id", "USER_ID_RETRIEVAL_FAILED")


if __name__ == "__main__":
    unittest.main()

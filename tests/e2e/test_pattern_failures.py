"""Failures of the pattern family where they really happen: each of the six codes by a served source that fails, in every format of the tools that have
one. What the policy hides is in none of the family's answers.

The cases of the family's document and who makes them, byte for byte in markdown, json and both:
  timeout, 401, 500, 400, 404, unknown    src/tool/render_pattern_test.cc (the renderer's vectors); here and in test_review.py by real calls
  pattern not found, empty query or id    tests/wire/get_pattern.jsonl, search_patterns.jsonl (needsInput:v1)
  limit of 0 and 101                      tests/wire/search_patterns.jsonl
  oversized text (413)                    test_review.py; oversized answer: render_pattern_test.cc
  an exception inside a tool              render_pattern_test.cc (UNKNOWN_ERROR, nothing of its text)
"""
import json, os, socket, sqlite3, time, unittest, urllib.parse

from ward import Case

# COVERS: R-PAT-1 R-PAT-2 R-FAM-3 R-REC-3
# Every tool of the family that looks at a source; `format` where it has one.
CALLS = [("analyze_code", {"source": "SELECT 1 AS one"}, "against", False), ("review_code", {"code": "SELECT 1 AS one"}, "against", False),
         ("get_pattern", {"id": "running-total"}, "source", True)]
SETTLED_TRIES, SETTLED_PAUSE = 2400, 0.05  # two minutes: a loaded machine connects late


class Served(Case):
    def results(self, server, source):
        """(format, result) of each call that looks at `source`."""
        for tool, arguments, name, has_format in CALLS:
            for form in ("markdown", "json", "both") if has_format else (None,):
                asked = {**arguments, name: source, **({"format": form} if form else {})}
                yield tool, form or "markdown", server.request("tools/call", {"name": tool, "arguments": asked})["result"]

    def check(self, server, source, code, status, retryable, message):
        count = 0
        for tool, form, result in self.results(server, source):
            with self.subTest(tool, form=form):
                expected = {"kind": "toolError:v1", "code": code, "message": message, "retryable": retryable}
                if status:
                    expected["details"] = {"statusCode": status}
                self.assertEqual(result["structuredContent"], expected)
                self.assertEqual(list(result["structuredContent"]), list(expected))
                words = {"type": "text", "text": message, "mimeType": "text/markdown"}
                data = {"type": "text", "text": json.dumps(expected, indent=2), "mimeType": "application/json"}
                self.assertEqual(result["content"], {"markdown": [words], "json": [data], "both": [words, data]}[form])
                self.assertTrue(result["isError"])
                count += 1
        self.assertEqual(count, 5)


class Engines(Served):
    def test_an_engine_that_is_away(self):
        with socket.socket() as closed:    # bound, and never listening
            closed.bind(("127.0.0.1", 0))
            server = self.serve(f"mysql://reader@127.0.0.1:{closed.getsockname()[1]}/ghost", "--tools", "patterns")
            self.settled(server, "ghost")
            self.check(server, "ghost", "SERVER_ERROR", 500, True, "Internal server error: Database connection failed")

    def settled(self, server, source):
        """Waits until the first look at the source has failed: until then the answer is that its index is being built."""
        for _ in range(SETTLED_TRIES):
            said = server.call("analyze_code", source="SELECT 1 AS one", against=source)
            if said.get("details", {}).get("statusCode") != 503:
                return
            time.sleep(SETTLED_PAUSE)
        self.fail(f"still {said}")

    def test_a_source_that_nobody_serves(self):
        self.shop()
        self.check(self.serve("--tools", "patterns"), "shopp", "NOT_FOUND", 404, False, 'Resource not found: no source is named "shopp"')

    @unittest.skipUnless(os.environ.get("SCHEMAWARD_TEST_MARIADB"), "SCHEMAWARD_TEST_MARIADB is not set")
    def test_a_login_that_is_refused(self):
        at = urllib.parse.urlsplit(os.environ["SCHEMAWARD_TEST_MARIADB"])
        server = self.serve(f"mysql://nobody:s3cret@{at.hostname}:{at.port}/ghost", "--tools", "patterns")
        self.settled(server, "ghost")
        self.check(server, "ghost", "AUTHENTICATION_ERROR", 401, False, "Authentication required: the source refused the login")


HIDDEN = ("passport_number", "salaries", "net_amount")


class Hidden(Case):
    """Names that the caller may not know, in every answer of the family on texts that lead there."""

    def setUp(self):
        super().setUp()
        path = self.folder / "staff.db"
        with sqlite3.connect(path) as database:
            database.executescript("""
                CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT, passport_number TEXT CHECK (passport_number IN ('X1', 'X2')), city TEXT, hired_on TEXT);
                CREATE TABLE salaries (id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES people(id), net_amount INTEGER, paid_on TEXT);""")
        self.ward("index", path, "--name", "staff")
        policy = self.folder / "policy.yaml"
        policy.write_text("hide_names: true\ndeny: {tables: [main.salaries]}\n")
        self.environment["SCHEMAWARD_POLICY"] = str(policy)

    def texts(self):
        yield "SELECT p.passport FROM people AS p"
        yield "SELECT p.passport_numbr FROM people AS p"
        yield "SELECT p.pasport_number FROM people AS p WHERE p.city = 'Oslo'"
        yield "SELECT s.net FROM salary AS s"
        yield "SELECT sum(net_amont) AS n FROM salaris"
        yield "SELECT p.city FROM people AS p JOIN salry AS s ON s.person_id = p.id"
        yield "SELECT * FROM people"
        yield "INSERT INTO people VALUES (1, 'a')"
        yield "SELECT p.city FROM people AS p WHERE p.id NOT IN (SELECT q.id FROM people AS q)"

    def calls(self):
        """(what the caller wrote, tool, arguments)"""
        for text in self.texts():
            yield text, "analyze_code", {"source": text, "analysisType": "all"}
            yield text, "review_code", {"code": text}
        for pattern in ("running-total", "latest-row-per-group", "top-n-per-group"):
            yield "", "get_pattern", {"id": pattern, "source": "staff", "format": "both"}
            for fills in ("salaries", "people.passport_number", "salarie", "people.passport"):
                yield fills, "get_pattern", {"id": pattern, "source": "staff", "format": "both", "bind": [{"parameter": "table", "fills": fills}]}

    def test_no_answer_has_a_name_that_the_caller_may_not_know(self):
        count = 0
        with self.serve("--tools", "patterns") as server:
            for text, tool, arguments in self.calls():
                shown = json.dumps(server.request("tools/call", {"name": tool, "arguments": arguments})["result"])
                for name in HIDDEN:
                    if name not in text:
                        self.assertNotIn(name, shown, (tool, arguments))
                        count += 1
        self.assertGreater(count, 80)

    def test_a_finding_never_says_that_a_hidden_name_is_nearly_right(self):
        with self.serve("--tools", "patterns") as server:
            for text in self.texts():
                shown = json.dumps(server.call("analyze_code", source=text, analysisType="all"))
                for name in HIDDEN:
                    self.assertNotRegex(shown, rf"near: [^\"]*{name}")

    def test_without_the_policy_they_are_there(self):
        del self.environment["SCHEMAWARD_POLICY"]
        with self.serve("--tools", "patterns") as server:
            shown = json.dumps([server.call("analyze_code", source=text, analysisType="all") for text in self.texts()])
        self.assertIn("near: salaries", shown)


if __name__ == "__main__":
    unittest.main()

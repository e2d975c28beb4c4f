"""Policies: files, cases, profiles, hidden names, and columns classified by their values."""
import json, sqlite3, subprocess, unittest

from ward import BINARY, COMMAND_SECONDS_MAX, Case

PEOPLE = """
CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT CHECK (email LIKE '%@%'), ssn TEXT, city TEXT, extra TEXT);
"""


def card(number):
    """A number of a card network with its check digit."""
    digits = f"411111{number:09d}"
    for check in "0123456789":
        total = sum(d if i % 2 == 0 else (d * 2 - 9 if d > 4 else d * 2) for i, d in enumerate(map(int, reversed(digits + check))))
        if total % 10 == 0:
            return digits + check


class Policy(Case):
    def setUp(self):
        super().setUp()
        self.source = self.folder / "people.db"
        with sqlite3.connect(self.source) as database:
            database.executescript(PEOPLE)
            database.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)",
                                 [(i, f"u{i}@x.example", f"{i:03d}-45-6789", "Oslo", card(i * 7919)) for i in range(1, 40)])
        self.policy = self.folder / "policy.yaml"

    def index(self, *flags):
        return json.loads(self.ward("index", self.source, "--json", *flags))["summary"]

    def use(self, text):
        self.policy.write_text(text)
        self.environment["SCHEMAWARD_POLICY"] = str(self.policy)

    def column(self, name, **arguments):
        columns = self.call("describe_table", qualified_name="main.people", **arguments)["data"]["columns"]
        return next(c for c in columns if c["name"] == name)

    def cases(self, *cases, code=0):
        path = self.folder / "cases.jsonl"
        path.write_text("\n".join(map(json.dumps, cases)) + "\n")
        return json.loads(self.ward("policy", "test", path, "--json", code=code))

    def test_what_is_denied_of_tools_must_be_there(self):
        self.index()
        for denied, said in (("exec_query", '"execute_query"'), ("set:sqls", '"set:sql"'), ("drop_*", "nearest")):
            self.use(f"callers: [{{match: {{principal: ana}}, tools: {{deny: [describe_column, '{denied}']}}}}]\n")
            command = [BINARY, "call", "list_indexed_schemas", "{}", "--store", str(self.store)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, stdin=subprocess.DEVNULL, env=self.environment)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f'denies tool "{denied}"', done.stderr)
            self.assertIn(said, done.stderr)
        self.use("tools: {deny: [execute_query, 'set:SQL', 'get_*']}\n")
        self.call("list_indexed_schemas")

    def test_cases_pass_and_fail_by_the_policy_in_force(self):
        self.index()
        self.use("profile: team\nallow: {tables: [main.people]}\ntools: {deny: [describe_column]}\n")
        done = self.cases(
            {"column": "people.ssn", "expect": "refuse"},
            {"column": "people.city", "expect": "allow"},
            {"table": "main.other", "expect": "allowlist_violation"},
            {"tool": "describe_column", "expect": "policy_blocked"},
            {"call": {"tool": "describe_table", "args": {"qualified_name": "main.people"}}, "expect": "success"},
            {"call": {"tool": "describe_column", "args": {"qualified_name": "main.people.city"}}, "expect": "policy_blocked"},
        )
        self.assertEqual((done["cases"], done["failed"]), (6, 0), done)
        wrong = self.cases({"column": "people.email", "expect": "allow"}, code=1)
        self.assertEqual(wrong["results"][0]["got"], "refuse")

    def test_a_policy_with_faults_is_not_used(self):
        self.use("profil: team\ncategories: {credential: allow}\n")
        self.ward("index", self.source, code=2)
        self.ward("call", "list_indexed_schemas", code=2)

    def test_descriptions_say_what_is_blocked_and_show_no_value_of_it(self):
        self.index()
        email = self.column("email", response_format="detailed")
        self.assertEqual((email["personal"]["categories"], email["personal"]["blocked"]), (["contact"], True))
        self.assertNotIn("statistic", email)
        self.assertNotIn("personal", self.column("city"))
        table = self.call("describe_table", qualified_name="main.people", response_format="detailed")["data"]
        self.assertNotIn("checks", table)
        self.use("column_overrides:\n  people.email: {categories: []}\n")
        self.assertNotIn("personal", self.column("email"))

    def test_hidden_names_are_in_no_answer(self):
        self.index("--sample", "3")
        self.use("profile: strict\n")
        for tool, arguments in (("describe_table", {"qualified_name": "main.people", "response_format": "detailed"}),
                                ("find_relevant_tables", {"query": "email ssn of people", "response_format": "detailed"}),
                                ("get_example_queries", {"qualified_name": "main.people", "response_format": "detailed"})):
            answer = json.dumps(self.call(tool, **arguments))
            self.assertNotIn("ssn", answer, tool)
            self.assertNotIn("email", answer, tool)
        self.assertEqual(self.column("hidden_2")["personal"]["categories"], ["contact"])

    def test_values_are_checked_and_only_the_verdict_is_kept(self):
        self.assertEqual(self.index()["classified_columns"], 0)
        self.assertNotIn("personal", self.column("extra"))
        self.assertEqual(self.index("--classify-content", "--sample", "5")["classified_columns"], 1)
        extra = self.column("extra")
        self.assertEqual((extra["personal"]["categories"], extra["personal"]["known_by"]), (["payment_card"], "content"))
        self.assertNotIn(card(7919).encode(), self.store.read_bytes())
        self.assertEqual(self.index()["unchanged"], 1)
        self.assertIn("personal", self.column("extra"))

    def test_a_column_that_is_tagged_later_loses_its_samples_at_the_next_index(self):
        self.use("profile: team\n")
        self.index("--sample", "5")
        self.assertEqual(self.samples(), {"city", "extra", "id"})
        self.assertIn(b"Oslo", self.store.read_bytes())
        self.use("profile: team\ncolumn_overrides:\n  people.city: {categories: [contact]}\n")
        self.assertEqual(self.index()["unchanged"], 1)  # of the catalog; the policy is another
        self.assertEqual(self.samples(), {"extra", "id"})
        self.assertNotIn(b"Oslo", b"".join(path.read_bytes() for path in self.folder.glob("store.db*")))

    def samples(self):
        with sqlite3.connect(self.store) as store:
            return {column for (column,) in store.execute("SELECT DISTINCT column_name FROM sample")}

    def test_exemptions_from_the_floor_are_in_the_audit_log(self):
        with sqlite3.connect(self.source) as database:
            database.execute("CREATE TABLE usage (id INTEGER PRIMARY KEY, access_token INTEGER, api_key TEXT)")
            database.execute("INSERT INTO usage VALUES (1, 17, 'k')")
        self.use("profile: team\ncolumn_overrides:\n  usage.access_token: {categories: [], reason: counts the words of a prompt}\n")
        self.index()
        for sql in ("SELECT access_token FROM usage", "SELECT id FROM usage", "SELECT max(u.access_token) FROM (SELECT * FROM usage) u WHERE u.access_token > 1"):
            self.assertEqual(self.call("execute_query", sql=sql, code=1 if "*" in sql else 0)["status"], "refused" if "*" in sql else "success", sql)
        self.assertEqual(self.call("execute_query", code=1, sql="SELECT api_key FROM usage")["error"]["kind"], "pii_blocked")
        self.call("describe_column", qualified_name="main.usage.access_token", values=True)
        records = [json.loads(line) for line in self.ward("audit", "export").splitlines()]
        starts = [r["exemptions"] for r in records if r["kind"] == "start"]
        self.assertTrue(starts)
        self.assertEqual(set(starts), {'["usage.access_token: counts the words of a prompt"]'})
        self.assertEqual([r.get("exemptions") for r in records if r["kind"] == "end"],
                         ['["main.usage.access_token"]', None, None, None, '["main.usage.access_token"]'])
        self.ward("audit", "verify")

    def test_a_source_has_a_session_of_its_own_or_none(self):
        self.index()
        self.use("profile: team\nsession: {role: reader}\n")
        self.assertEqual(self.call("execute_query", code=1, sql="SELECT id FROM people")["error"]["kind"], "policy_blocked")
        self.use("profile: team\nsession: {role: reader}\nsources:\n  people: {session: none}\n")
        self.assertEqual(self.call("execute_query", sql="SELECT id FROM people")["status"], "success")
        self.use("profile: team\nsources:\n  'peo*': {session: {role: reader}}\n")
        self.assertEqual(self.call("execute_query", code=1, sql="SELECT id FROM people")["error"]["kind"], "policy_blocked")
        self.use("profile: team\nsources:\n  other: {session: {role: reader}}\n")
        self.assertEqual(self.call("execute_query", sql="SELECT id FROM people")["status"], "success")
        self.use("profile: team\nsources:\n  people: {session: {roll: reader}}\n")
        self.ward("call", "list_indexed_schemas", code=2)

    def test_sources_say_the_profile(self):
        self.index()
        self.assertEqual(json.loads(self.ward("sources", "--json"))["sources"][0]["profile"], "dev")
        self.use("profile: team\n")
        self.assertEqual(json.loads(self.ward("sources", "--json"))["sources"][0]["profile"], "team")


if __name__ == "__main__":
    unittest.main()

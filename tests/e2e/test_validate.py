"""schemaward validate: a statement judged from the shell, without running it."""
import json, subprocess, unittest

from ward import BINARY, COMMAND_SECONDS_MAX, Case

# COVERS: R-CLI-1 R-CLI-2


class Validate(Case):
    def setUp(self):
        super().setUp()
        policy = self.folder / "policy.yaml"
        policy.write_text("profile: team\n")
        self.environment["SCHEMAWARD_POLICY"] = str(policy)

    def judge(self, sql, *flags, file="-"):
        """Exit code, standard output and standard error of a statement on standard input, or in a file."""
        command = [BINARY, "validate", *map(str, flags), str(file), "--store", str(self.store)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, input=sql, env=self.environment, cwd=self.folder)
        return done.returncode, done.stdout, done.stderr

    def test_what_passes_is_printed_as_it_would_run(self):
        self.shop()
        code, out, words = self.judge("select status, count(*) from sales_order group by 1")
        self.assertEqual(code, 0, words)
        self.assertIn('FROM "main"."sales_order"', out)
        self.assertIn("reads main.sales_order (status)", words)
        path = self.folder / "report.sql"
        path.write_text("SELECT 1;\n")
        self.assertEqual(self.judge("", "--engine", "sqlite", file=path)[0], 0)

    def test_what_does_not_pass_is_exit_code_one_with_a_statement_that_does(self):
        self.shop()
        code, out, words = self.judge("SELECT customer_id, email FROM customer")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("pii_blocked", words)
        passes = next(line for line in words.splitlines() if line.startswith("This passes: ")).removeprefix("This passes: ")
        self.assertEqual(self.judge(passes)[0], 0)
        for sql in ("DELETE FROM customer", "SELECT nothing FROM customer", "SELECT FROM WHERE", "SELECT 1; SELECT 2"):
            self.assertEqual(self.judge(sql)[0], 1, sql)

    def test_json_is_the_tools_answer(self):
        self.shop()
        code, out, _ = self.judge("SELECT email FROM customer", "--json")
        self.assertEqual((code, json.loads(out)["error"]["pii_categories"]), (1, ["contact"]))
        code, out, _ = self.judge("SELECT 1", "--json")
        self.assertEqual((code, json.loads(out)["data"]["decision"]), (0, "allowed"))

    def test_nothing_runs(self):
        path = self.shop()
        path.unlink()  # the decision stands without the database
        self.assertEqual(self.judge("SELECT status FROM sales_order")[0], 0)
        self.assertFalse(path.exists())

    def test_the_source_is_found_by_its_engine_or_named(self):
        self.assertEqual(self.judge("SELECT 1")[0], 2)  # nothing is indexed
        self.shop()
        script = self.folder / "paper.sql"
        script.write_text("CREATE TABLE letters (id integer PRIMARY KEY);")
        self.ward("index", f"ddl:{script}")
        self.assertEqual(self.judge("SELECT id FROM letters")[0], 2)  # which of two
        self.assertEqual(self.judge("SELECT id FROM letters", "--engine", "postgres")[0], 0)
        self.assertEqual(self.judge("SELECT id FROM letters", "--source", "paper")[0], 0)
        self.assertEqual(self.judge("SELECT id FROM letters", "--engine", "sqlite")[0], 1)
        self.assertEqual(self.judge("SELECT id FROM letters", "--engine", "sqlite", "--source", "paper")[0], 2)
        self.assertEqual(self.judge("SELECT 1", "--engine", "mysql")[0], 2)
        self.assertEqual(self.judge("SELECT 1", "--engine", "oracle")[0], 2)

    def test_what_cannot_be_read_is_exit_code_two(self):
        self.shop()
        self.assertEqual(self.judge("", file=self.folder / "absent.sql")[0], 2)
        self.assertEqual(self.judge("SELECT " + "1, " * 30000 + "1")[0], 2)

    def test_help_has_examples(self):
        done = subprocess.run([BINARY, "validate", "--help"], capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX)
        self.assertIn("schemaward validate --engine postgres report.sql", done.stdout)

    def test_a_corpus_is_judged_by_the_tables_and_the_policy_beside_it(self):
        corpus = self.folder / "corpus"
        corpus.mkdir()
        (corpus / "cases.jsonl").write_text("\n".join(json.dumps(case) for case in (
            {"id": "a", "engine": "sqlite", "expect": "accepted", "sql": "SELECT city FROM people"},
            {"id": "b", "engine": "postgres", "expect": "pii", "sql": "SELECT shoe FROM people"})))
        self.assertEqual(len(json.loads(self.ward("guard", "test", corpus / "cases.jsonl", "--json", code=1))), 2)  # no such table
        (corpus / "fixture.sql").write_text("CREATE TABLE people (id integer PRIMARY KEY, city text, shoe text);")
        self.ward("guard", "test", corpus / "cases.jsonl", code=1)  # shoes are not personal
        (corpus / "policy.yaml").write_text("column_overrides:\n  people.shoe: {categories: [contact]}\n")
        self.ward("guard", "test", corpus / "cases.jsonl")
        (self.folder / "open.yaml").write_text("profile: team\n")
        self.ward("guard", "test", corpus / "cases.jsonl", "--policy", self.folder / "open.yaml", code=1)


if __name__ == "__main__":
    unittest.main()

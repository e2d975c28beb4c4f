"""First mistakes of a person on the command line: each is told with what to do, and changes nothing."""
import json, subprocess, unittest

from ward import BINARY, COMMAND_SECONDS_MAX, Case

NO_FILE = "There is no such file; a relative path starts in the current folder."
A_FOLDER = "It is a folder, and a file is meant."
SEE_SOURCES = "Run `schemaward sources` to see them"


class Mistakes(Case):
    def told(self, *arguments, code=2, **environment):
        """What a command that fails says."""
        command = [BINARY, *map(str, arguments)]
        if "--store" not in arguments:
            environment = {"SCHEMAWARD_STORE": str(self.store), **environment}
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, stdin=subprocess.DEVNULL, cwd=self.folder,
                              env={**self.environment, **environment})
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        return done.stderr

    def hold(self, cases):
        for arguments, words in cases:
            with self.subTest(arguments):
                told = self.told(*arguments)
                for each in words:
                    self.assertIn(each, told)

    def test_verbs(self):
        self.hold(((["indx", "shop.db"], ['there is no verb "indx"; the nearest is "index"', "schemaward --help"]),
                   (["audit", "verfy"], ['there is no verb "audit verfy"; the nearest is "audit verify"']),
                   ([], ["--help"]), (["index"], ["SOURCE", "--help"]), (["index", "shop.db", "--foo"], ["--foo", "--help"])))

    def test_files(self):
        self.shop()
        (self.folder / "here").mkdir()
        self.hold(((["index", "nope.db"], ["the database file is not there", "a relative one starts in the current folder"]),
                   (["index", "here"], ["postgres://", "mysql://", "duckdb:", "dbt:", "env:NAME"]),
                   (["review", "nope.sql"], [NO_FILE]), (["review", "here"], [A_FOLDER]), (["validate", "nope.sql"], [NO_FILE]), (["validate", "here"], [A_FOLDER]),
                   (["policy", "test", "nope"], [NO_FILE]), (["guard", "test", "here"], [A_FOLDER]), (["insights", "verify", "nope"], [NO_FILE]),
                   (["suggest", "--queries", "nope.sql"], ["file of queries nope.sql", NO_FILE]), (["serve", "--policy", "nope.yaml"], [NO_FILE]),
                   (["config", "--config", "nope.yaml"], [NO_FILE]), (["config", "--config", "here"], [A_FOLDER]),
                   (["apply", "nope"], ["entities/, joins/ and metrics/"]), (["export", "shop.db"], ["cannot be written", "Name a folder"])))

    def test_stores(self):
        (self.folder / "text.txt").write_text("no database\n" * 100)
        self.hold(((["sources"], ["there is no store yet", "schemaward index SOURCE"]),
                   (["sources", "--store", self.folder], ["Name a file"]),
                   (["sources", "--store", "text.txt"], ["no file of SQLite"])))

    def test_names(self):
        self.shop()
        self.hold(((["serve", "nope"], ['no source is named "nope"', SEE_SOURCES]), (["review", "--source", "nope", "x.sql"], [SEE_SOURCES]),
                   (["sources", "--remove", "nope"], [SEE_SOURCES]), (["sources", "--rename", "a=b"], [SEE_SOURCES]), (["check", "--source", "nope"], [SEE_SOURCES]),
                   (["serve", "--tools", "foo"], ["catalog, semantic, sql, patterns, explore, workspaces"]),
                   (["confirm", "thing", "x"], ['"thing" is no kind', "entity, join and metric"]), (["confirm"], ["--all", "schemaward confirm metric"]),
                   (["call", "describe_table", "main.customer"], ["key=value", "qualified_name=main.orders"])))

    def test_a_schema_that_is_not_there_removes_nothing(self):
        self.shop()
        self.hold(((["index", "shop.db", "--schema", "nope"], ['no table in schema "nope"', "The index was left as it was.", "--schema"]),))
        self.assertEqual(json.loads(self.ward("sources", "--json"))["sources"][0]["tables"], 16)

    def test_an_embedder_that_is_asked_for_and_cannot_be_had(self):
        self.shop()
        self.hold(((["index", "shop.db", "--embed", "WRONG"], ['there is no model "WRONG"', "provider:name", "ollama"]),
                   (["index", "shop.db", "--embed", "openai:x"], ['provider "openai" needs a key', "OPENAI_API_KEY"])))
        config = self.folder / "c.yaml"
        config.write_text('models:\n - {name: near, provider: vllm, model: e, base_url: "http://127.0.0.1:1/v1"}\n')
        told = self.told("index", "shop.db", "--config", config, "--embed", "near")
        self.assertIn("the index stands; the vectors could not be made", told)
        self.assertEqual(told.count("a service does not answer"), 1, told)

    def test_a_fault_of_a_policy_is_said_once(self):
        self.shop()
        (self.folder / "p.yaml").write_text("versin: 1\n")
        self.assertEqual(self.told("serve", "--policy", "p.yaml").count("versin"), 1)

    def test_configuration(self):
        config = self.folder / "c.yaml"
        for text, words in (("audit:\n  mod: off\n", ['"audit.mod"', '"audit.mode"']), ("audit: off\n", ['"audit"', "group of settings", '"audit.'] ),
                            ("audit:\n\tmode: off\n", ["line 2", "not tabs"]), ("refresh: maybe\n", ['"maybe"', "on, off"]), ("sources: shop\n", ["sources", "list", '"- "']),
                            ("models: {name: x}\n", ["models", "list"]), ("limits: {workers: many}\n", ["limits.workers", "number"]),
                            ("sources:\n - {name: x, source: \"${NOPE_}\"}\n", ["NOPE_", "Set it where"])):
            with self.subTest(text):
                config.write_text(text)
                told = self.told("config", "--config", config)
                for each in words:
                    self.assertIn(each, told)
        self.assertIn("debug, info, warn, error, off", self.told("config", "--log-level", "loud"))
        self.assertIn("required, best-effort, off", self.told("config", SCHEMAWARD_AUDIT_MODE="foo"))

    def test_line_ends_and_marks_of_other_systems_are_no_mistake(self):
        config = self.folder / "c.yaml"
        for data in (b"audit:\r\n  mode: best-effort\r\n", b"\xef\xbb\xbfaudit:\n  mode: best-effort\n"):
            with self.subTest(data):
                config.write_bytes(data)
                self.assertEqual(json.loads(self.ward("config", "--json", "--config", config))["settings"]["audit.mode"]["value"], "best-effort")

    def test_what_found_nothing_says_so(self):
        self.shop()
        (self.folder / "empty").mkdir()
        (self.folder / "zero.db").touch()
        self.assertIn("holds no definitions", self.told("apply", "empty", code=0))
        self.assertIn("Nothing was found.", self.told("index", "sqlite:zero.db", code=0))


if __name__ == "__main__":
    unittest.main()

"""First mistakes of a person on the command line: each is told with what to do, and changes nothing."""
import json, os, subprocess, unittest

from ward import BINARY, COMMAND_SECONDS_MAX, Case

NO_FILE = "There is no such file; a relative path starts in the current folder."
A_FOLDER = "It is a folder, and a file is meant."
SEE_SOURCES = "Run `schemaward sources` to see them"


class Mistakes(Case):
    def told(self, *arguments, code=2, before=(), **environment):
        """What a command that fails says."""
        command = [*before, BINARY, *map(str, arguments)]
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

    def test_each_says_what_to_do(self):
        """One wrong input of each kind for each verb: beside what is wrong and its cause stands what to do."""
        self.shop()
        (self.folder / "here").mkdir()
        (self.folder / "words.txt").write_text("no database, no key, no JSON\n")
        (self.folder / "nothing").touch()
        pem = ["--public-key", "words.txt"]
        model = ["--model", "ollama:x"]
        for arguments in (
                ["index", "sqlite:here"], ["index", "duckdb:here"], ["index", "ddl:here"], ["index", "dbt:here"], ["index", "ddl:nope.sql"],
                ["index", "sqlite:words.txt"], ["index", "oracle://host/x"], ["index", "env:"], ["index", "env:NOPE_"], ["index", "shop.db", "--name", ""],
                ["index", "shop.db", "--store", "/proc/nope/store.db"], ["index", "shop.db", "--enrich", *model, "--max-cost", "much"],
                ["sources", "--rename", "shop"], ["sources", "--rename", "shop="], ["serve", "--tools", ""], ["serve", "--http", "nope"], ["serve", "here"],
                ["call", "describe_table", "{bad"], ["call", "describe_table", "bad"], ["eval", "retrieval", "--questions", "words.txt"],
                ["eval", "retrieval", "--questions", "nothing"], ["eval", "agents"], ["suggest", "--against", "words.txt"], ["suggest", "--out", "words.txt"],
                ["explore", "why?"], ["explore", "why?", "--model", "scripted:words.txt"], ["explore", "why?", *model, "--pack", "here/"],
                ["insights", "verify", "words.txt", *model], ["packs", "show", "nope"], ["packs", "validate", "nope"], ["packs", "import", "nope"],
                ["packs", "import", "here"], ["packs", "export", "generic", "words.txt"], ["runs", "show", "nope"], ["apply", "nope"], ["diff", "nope"],
                ["export", "words.txt"], ["export", "nope/x.json", "--format", "ossie"], ["import", "dbt", "here"], ["import", "cube", "nope"],
                ["import", "nope", "here"], ["login"], ["validate", "nope"], ["review"], ["review", "nope"], ["guard", "test", "words.txt"],
                ["guard", "test", "nothing"], ["policy", "test", "words.txt"], ["policy", "test", "nothing"], ["audit", "verify", "--public-key", "nope"],
                ["audit", "verify", *pem], ["audit", "verify", "--proof", "words.txt"], ["audit", "keygen", "words.txt"], ["audit", "keygen", "/proc/key"],
                ["audit", "keygen", self.folder / "key"], ["config", "--config", "words.txt"], ["init", "--client", "nope"], ["init", "--source", "nope"]):
            with self.subTest(arguments):
                head, *rest = self.told(*arguments).splitlines()
                self.assertTrue(head.startswith("schemaward: "), head)
                self.assertTrue([line for line in rest if line.startswith("  ") and not line.startswith("  Cause: ")], rest)

    def test_what_is_no_source_is_told_by_what_it_is(self):
        (self.folder / "here").mkdir()
        (self.folder / "words.txt").write_text("no database\n")
        self.hold(((["index", "postgre://localhost/x"], ['"postgre://"; the nearest is "postgres://".']), (["index", "oracle://localhost/x"], ['"oracle://".\n']),
                   (["index", "here"], ["It is a folder, and holds no manifest.json of dbt."]), (["index", "nope"], ["There is no such file, and its ending"]),
                   (["index", "words.txt"], ["Neither its first bytes nor its ending"]), (["index", "env:"], ["the name of a variable is missing"])))
        self.assertNotIn("secret", self.told("index", "postgre://reader:secret@localhost/x"))

    def test_stores(self):
        (self.folder / "text.txt").write_text("no database\n" * 100)
        self.hold(((["sources"], ["there is no store yet", "schemaward index SOURCE"]),
                   (["sources", "--store", self.folder], ["Name a file"]),
                   (["sources", "--store", "text.txt"], ["no file of SQLite"])))

    def test_a_store_where_none_may_be(self):
        """Without the rights of root, who may enter and write everywhere."""
        closed = self.folder / "closed"
        closed.mkdir()
        (closed / "store.db").touch()
        (self.folder / "one.sql").write_text("CREATE TABLE one (id integer PRIMARY KEY);\n")
        self.addCleanup(closed.chmod, 0o700)
        bounded = [] if os.getuid() else ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"]
        for mode, arguments, words in ((0o500, ["index", "ddl:one.sql", "--store", "closed/new.db"], ["could not be created", "--store", "closed/new.db: Permission denied"]),
                                       (0o000, ["sources", "--store", "closed/store.db"], ["may not be entered", "--store"])):
            closed.chmod(mode)
            with self.subTest(arguments):
                told = self.told(*arguments, before=bounded)
                for each in words:
                    self.assertIn(each, told)

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

    def test_a_first_index_says_what_comes_next(self):
        (self.folder / "two.sql").write_text("CREATE TABLE one (id integer PRIMARY KEY, name text);\n")
        for says in (True, False):
            done = subprocess.run([BINARY, "index", "ddl:two.sql", "--store", str(self.store)], capture_output=True, text=True, cwd=self.folder,
                                  timeout=COMMAND_SECONDS_MAX, env=self.environment)
            self.assertEqual((done.returncode, "Next: `schemaward init`" in done.stderr), (0, says), done.stderr)

    def test_what_found_nothing_says_so(self):
        self.shop()
        (self.folder / "empty").mkdir()
        (self.folder / "zero.db").touch()
        self.assertIn("holds no definitions", self.told("apply", "empty", code=0))
        self.assertIn("holds no definitions", self.told("diff", "empty", code=0))
        self.assertIn("Nothing of that format was found", self.told("import", "metricflow", "empty", code=0))
        self.assertIn("Nothing was found.", self.told("index", "sqlite:zero.db", code=0))


if __name__ == "__main__":
    unittest.main()

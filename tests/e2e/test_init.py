"""schemaward init in a home folder of its own: every client wired, proved, unwired; what is there stays."""
import json, os, pathlib, subprocess, unittest

from ward import BINARY, COMMAND_SECONDS_MAX, Case

# COVERS: R-CLI-3 R-CLI-4
FILES = {
    "claude-desktop": "config/Claude/claude_desktop_config.json",
    "claude-code": ".claude.json",
    "cursor": ".cursor/mcp.json",
    "windsurf": ".codeium/windsurf/mcp_config.json",
    "vscode": "config/Code/User/mcp.json",
    "zed": "config/zed/settings.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
}
SECRET = "hunter2-very-secret"
ZED = '// Zed settings\n{\n  "theme": "One Dark", // the dark one\n  "vim_mode": true,\n}\n'


class Init(Case):
    def setUp(self):
        super().setUp()
        self.shop()

    def init(self, *arguments, code=0):
        return json.loads(self.ward("init", "--json", *arguments, code=code))["clients"]

    def put(self, client, text):
        path = self.folder / FILES[client]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def test_wires_every_client_that_is_found_and_no_other(self):
        for client in FILES:
            if client != "gemini":
                (self.folder / FILES[client]).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / ".claude").mkdir()
        steps = self.init("--yes")
        self.assertEqual([s["client"] for s in steps], [c for c in FILES if c != "gemini"])
        self.assertEqual({s["state"] for s in steps}, {"written"})
        cursor = json.loads((self.folder / FILES["cursor"]).read_text())["mcpServers"]["schemaward"]
        self.assertEqual(cursor, {"command": os.path.realpath(BINARY), "args": ["serve", "--store", str(self.store)]})
        self.assertEqual({s["state"] for s in self.init("--yes")}, {"unchanged"})
        self.assertEqual({s["state"] for s in self.init("--yes", "--remove")}, {"written"})
        self.assertEqual(json.loads((self.folder / FILES["cursor"]).read_text()), {"mcpServers": {}})
        self.assertEqual((self.folder / FILES["codex"]).read_text().strip(), "")

    def test_without_a_terminal_and_yes_it_only_shows(self):
        path = self.put("cursor", "{}")
        step, = self.init(code=1)
        self.assertEqual(step["state"], "pending")
        self.assertIn('+    "schemaward": {', step["diff"])
        self.assertEqual(path.read_text(), "{}")
        self.assertEqual([p.name for p in path.parent.iterdir()], ["mcp.json"])

    def test_comments_stay_and_what_was_is_kept(self):
        path = self.put("zed", ZED)
        step, = self.init("--yes")
        self.assertEqual(pathlib.Path(step["copy"]).read_text(), ZED)
        text = path.read_text()
        self.assertTrue(text.startswith(ZED[:-2]), text)
        self.init("--yes", "--remove")
        self.assertIn("// the dark one", path.read_text())

    def test_an_unparsable_file_is_left_alone_and_the_others_are_wired(self):
        broken = self.put("cursor", '{\n  "mcpServers": {,\n')
        good = self.put("windsurf", "")
        steps = {s["client"]: s for s in self.init("--yes", code=2)}
        self.assertEqual(steps["cursor"]["state"], "refused")
        self.assertIn("line 2, column 18", steps["cursor"]["reason"])
        self.assertEqual(broken.read_text(), '{\n  "mcpServers": {,\n')
        self.assertIn("schemaward", json.loads(good.read_text())["mcpServers"])

    def test_a_variable_is_named_and_its_value_never_written(self):
        self.environment["SHOP_URL"] = f"postgres://reader:{SECRET}@127.0.0.1:1/second"  # nothing listens there: it is known, not indexed
        self.ward("serve", "env:SHOP_URL")
        steps = self.init("--yes", "--source", "second", *[w for c in FILES for w in ("--client", c)])
        self.assertEqual(len(steps), len(FILES))
        for client, file in FILES.items():
            with self.subTest(client):
                text = (self.folder / file).read_text()
                self.assertNotIn(SECRET, text)
                self.assertIn('"second"', text)
                self.assertEqual("SHOP_URL" in text, client not in ("claude-desktop", "zed"))

    def test_on_a_terminal_it_asks(self):
        path = self.put("cursor", "{}")
        for answer, wired in ((b"n\n", False), (b"y\n", True)):
            person, terminal = os.openpty()
            os.write(person, answer)
            subprocess.run([BINARY, "init", "--store", str(self.store)], capture_output=True, timeout=COMMAND_SECONDS_MAX, stdin=terminal,
                           env=self.environment, cwd=self.folder)
            os.close(person)
            os.close(terminal)
            self.assertEqual("schemaward" in path.read_text(), wired)

    def test_without_anything_to_serve_it_says_so(self):
        self.put("cursor", "{}")
        done = subprocess.run([BINARY, "init", "--yes", "--store", str(self.folder / "none.db")], capture_output=True, text=True,
                              timeout=COMMAND_SECONDS_MAX, stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("schemaward index", done.stderr)
        self.assertFalse((self.folder / "none.db").exists())

    def test_print_changes_nothing(self):
        steps = self.init("--print")
        self.assertEqual([s["client"] for s in steps], list(FILES))
        self.assertFalse(any((self.folder / file).exists() for file in FILES.values()))

    def test_wrong_words_are_named(self):
        for words in (["--client", "emacs"], ["--name", "a b"], ["--name", "x" * 25], ["--source", "absent"]):
            with self.subTest(words):
                self.ward("init", *words, code=2)

    def test_people_see_the_lines_that_change(self):
        self.put("cursor", "{}")
        done = subprocess.run([BINARY, "init", "--yes", "--store", str(self.store)], capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX,
                              stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Cursor: " + str(self.folder / FILES["cursor"]), done.stdout)
        self.assertIn("Cursor is wired; restart it.", done.stderr)

    def doctor(self, client, code):
        findings = json.loads(self.ward("doctor", "--json", code=code))["findings"]
        return next(f for f in findings if f["check"] == "client " + client)

    def test_doctor_holds_a_session_as_each_client_would(self):
        self.init("--yes", *[w for c in FILES for w in ("--client", c)])
        findings = {f["check"]: f for f in json.loads(self.ward("doctor", "--json"))["findings"]}
        for client in FILES:
            with self.subTest(client):
                found = findings["client " + client]
                self.assertEqual(found["state"], "ok")
                self.assertRegex(found["what"], "^it gets 15 tools of schemaward .* " + ("2026-07-28" if client == "claude-code" else "2025-11-25"))

    def test_doctor_says_what_is_wrong_and_what_to_do(self):
        entry = lambda **members: json.dumps({"mcpServers": {"schemaward": members}})  # noqa: E731
        for text, what, advice in (
            ("{", "line 1, column 2", "mend the file"),
            (entry(args=[]), "has no command", "mend the file"),
            (entry(command="/nowhere/schemaward"), "cannot be started: /nowhere/schemaward", "schemaward init"),
            (entry(command="/bin/true"), "ended before it answered", "in a shell"),
            (entry(command="/bin/echo", args=["hello"]), "something else than messages", "Standard output"),
            (entry(command="/bin/true", env={"A": "${env:WARD_NOT_SET}"}), "the variable WARD_NOT_SET, which is not set", "where the client is started"),
        ):
            with self.subTest(what):
                self.put("cursor", text)
                found = self.doctor("cursor", code=1)
                self.assertEqual(found["state"], "fault")
                self.assertIn(what, found["what"])
                self.assertIn(advice, found["advice"])
        self.put("cursor", "{}")
        self.assertEqual(self.doctor("cursor", code=0)["state"], "note")


if __name__ == "__main__":
    unittest.main()

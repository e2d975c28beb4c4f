"""The protocol's own conformance suite on a real server over HTTP: the fixtures, and what it asks for without them on the real tools."""
import json, re, shutil, subprocess, unittest

from test_http import HttpServer
from ward import Case, npm_folder

# COVERS: R-MCP-1
SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
SUITE_SECONDS_MAX = 400
REQUIRED = {"2025-11-25": 30, "2026-07-28": 37}  # server scenarios that each revision requires
# Required or not, these ask for no tool, resource or prompt by its name, so they hold for the real ones.
WITHOUT_FIXTURES = {
    "2025-11-25": ("server-initialize", "server-session-lifecycle", "ping", "tools-list", "resources-list", "prompts-list", "logging-set-level",
                   "dns-rebinding-protection"),
    "2026-07-28": ("tools-list", "resources-list", "prompts-list", "caching", "dns-rebinding-protection", "http-header-validation"),
}
# What the suite asks of the extension for tasks. It passes over tasks-status-notifications by itself, and so do we.
TASKS = ("tasks-lifecycle", "tasks-capability-negotiation", "tasks-wire-fields", "tasks-request-state-removal", "tasks-mrtr-input", "tasks-request-headers",
         "tasks-dispatch-and-envelope", "tasks-required-task-error", "tasks-mrtr-composition")


class Conformance(Case):
    def listen(self, *arguments):
        server = HttpServer(self.serve_command("--http", "127.0.0.1:0", *arguments), env=self.environment, cwd=self.folder)
        self.addCleanup(server.close)
        return server

    def run_suite(self, server, *arguments):
        """Runs the suite's server scenarios. Returns its exit code, what it printed, and each scenario's checks."""
        npm = npm_folder("mcp-conformance", "node@22.23.3", SUITE)
        out = self.folder / "results"
        shutil.rmtree(out, True)
        done = subprocess.run([npm / "node_modules/node/bin/node", npm / "node_modules/@modelcontextprotocol/conformance/dist/index.js", "server", "--url", server.url,
                               "--output-dir", out, *arguments], capture_output=True, text=True, timeout=SUITE_SECONDS_MAX, env=self.environment, cwd=self.folder)
        name_of = lambda path: re.fullmatch(r"server-(.+?)-\d{4}-\d\d-\d\dT[-\dZ]+", path.parent.name)[1]
        return done.returncode, done.stdout + done.stderr, {name_of(path): json.loads(path.read_text()) for path in out.rglob("checks.json")}

    def assert_passed(self, scenario, checks):
        """A scenario has passed where it has checked something and every check says so."""
        said = [check["status"] for check in checks]
        self.assertIn("SUCCESS", said, scenario)
        self.assertEqual([check for check in checks if check["status"] in ("FAILURE", "WARNING")], [], scenario)

    def assert_required(self, revision):
        npm = npm_folder("mcp-conformance", "node@22.23.3", SUITE)
        listed = (npm / f"node_modules/@modelcontextprotocol/conformance/requirements/{revision}.yaml").read_text()
        required = re.findall(r"^  - (\S+)$", re.search(r"^server:\n((?:  .*\n|\n|  #.*\n)+)", listed, re.M)[1], re.M)
        self.assertEqual(len(required), REQUIRED[revision])
        code, said, checks = self.run_suite(self.listen("--conformance-fixtures"), "--requirements", revision)
        self.assertEqual(code, 0, said[-3000:])
        for scenario in required:
            self.assert_passed(scenario, checks[scenario])

    def assert_without_fixtures(self, revision):
        self.defined_shop()
        server = self.listen()
        for scenario in WITHOUT_FIXTURES[revision]:
            with self.subTest(scenario):
                code, said, checks = self.run_suite(server, "--scenario", scenario, "--spec-version", revision)
                self.assertEqual(code, 0, said[-3000:])
                self.assert_passed(scenario, [check for found in checks.values() for check in found])

    def test_every_required_scenario_of_2025_11_25(self):
        self.assert_required("2025-11-25")

    def test_every_required_scenario_of_2026_07_28(self):
        self.assert_required("2026-07-28")

    def test_the_extension_for_tasks(self):
        for scenario in TASKS:
            with self.subTest(scenario):
                server = self.listen("--conformance-fixtures")  # tasks are kept, so many for a caller
                code, said, checks = self.run_suite(server, "--scenario", scenario)  # an extension is of no revision
                self.assertEqual(code, 0, said[-3000:])
                self.assert_passed(scenario, [check for found in checks.values() for check in found])

    def test_the_real_tools_in_2025_11_25(self):
        self.assert_without_fixtures("2025-11-25")

    def test_the_real_tools_in_2026_07_28(self):
        self.assert_without_fixtures("2026-07-28")


if __name__ == "__main__":
    unittest.main()

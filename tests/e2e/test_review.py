"""The verb review, and failures of the pattern family's tools at the places where they happen."""
import json, os, re, subprocess, unittest

from ward import BINARY, Case, sarif_folder

# COVERS: R-PAT-1 R-PAT-2 R-CLI-2
BAD = "SELECT a = NULL AS x FROM t;\nDELETE FROM t;\n"
SOFT = "SELECT id FROM t LIMIT 5\n"
SECONDS_MAX = 60


class Verb(Case):
    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def test_text_says_file_line_column_severity_and_rule(self):
        path = self.file("bad.sql", BAD)
        lines = self.ward("review", path, code=1).splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0], rf"^{re.escape(str(path))}:1:8: high: .* \[equals-null\]$")
        self.assertRegex(lines[1], r":2:1: high: .* \[delete-without-where\]$")

    def test_json_holds_ranges_of_each_file_in_the_order_given(self):
        good, bad = self.file("good.sql", "SELECT 1 AS one"), self.file("bad.sql", BAD)
        said = json.loads(self.ward("review", good, bad, "--json", code=1))
        self.assertEqual([one["file"] for one in said["files"]], [str(good), str(bad)])
        self.assertEqual(said["files"][0]["findings"], [])
        self.assertEqual(said["files"][1]["findings"][0]["range"], {"startLine": 1, "startColumn": 8, "endLine": 1, "endColumn": 16})

    def test_the_exit_code_follows_the_severity_that_is_asked_for(self):
        bad, soft = self.file("bad.sql", BAD), self.file("soft.sql", SOFT)
        self.ward("review", soft)
        self.ward("review", soft, "--fail-on", "low", code=1)
        self.ward("review", bad, "--fail-on", "never")

    def test_what_cannot_be_read_is_exit_code_2_and_nothing_on_standard_output(self):
        self.assertEqual(self.ward("review", self.folder / "absent.sql", code=2), "")
        self.assertEqual(self.ward("review", self.folder, code=2), "")
        self.assertEqual(self.ward("review", code=2), "")
        self.assertEqual(self.ward("review", self.file("x.sql", BAD), "--source", "nowhere", code=2), "")

    def test_standard_input_is_a_file_called_stdin(self):
        command = [BINARY, "review", "-", "--store", str(self.store)]
        done = subprocess.run(command, input=BAD, capture_output=True, text=True, timeout=SECONDS_MAX, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertTrue(done.stdout.startswith("stdin:1:8: high: "), done.stdout)

    def test_the_rules_are_listed_without_a_file(self):
        said = json.loads(self.ward("review", "--rules", "--json"))
        self.assertGreaterEqual(len(said["rules"]), 110)
        self.assertEqual(len(self.ward("review", "--rules").splitlines()), len(said["rules"]))

    def test_an_indexed_source_tells_names_keys_and_types(self):
        self.shop()
        path = self.file("report.sql", "SELECT o.order_idd FROM sales_order AS o;\nSELECT x.id FROM sales_ordr AS x;\n")
        self.assertEqual(json.loads(self.ward("review", path, "--json"))["files"][0]["findings"], [])
        said = json.loads(self.ward("review", path, "--source", "shop", "--json", code=1))
        findings = {one["rule"]: one["message"] for one in said["files"][0]["findings"]}
        self.assertEqual(sorted(findings), ["unknown-column", "unknown-table"])
        self.assertIn("near: ", findings["unknown-column"])
        self.assertIn("near: sales_order", findings["unknown-table"])


class Sarif(Case):
    """What the schema of SARIF 2.1.0 requires of the parts that are used here."""

    def text(self, message):
        self.assertTrue({"text"} <= set(message) <= {"text", "markdown", "id", "arguments"})
        self.assertIsInstance(message["text"], str)

    def driver(self, driver):
        self.assertTrue(set(driver) <= {"name", "version", "semanticVersion", "informationUri", "rules"})
        self.assertIsInstance(driver["name"], str)
        ids = [rule["id"] for rule in driver["rules"]]
        self.assertEqual(len(ids), len(set(ids)))
        for rule in driver["rules"]:
            self.assertTrue(set(rule) <= {"id", "shortDescription", "fullDescription", "properties", "helpUri", "help", "defaultConfiguration"})
            self.text(rule["shortDescription"])
            self.text(rule["fullDescription"])
        return ids

    def result(self, result, ids):
        self.assertTrue(set(result) <= {"ruleId", "ruleIndex", "level", "message", "locations"})
        self.assertIn(result["ruleId"], ids)
        self.assertIn(result["level"], ("none", "note", "warning", "error"))
        self.text(result["message"])
        for location in result["locations"]:
            self.assertEqual(set(location), {"physicalLocation"})
            physical = location["physicalLocation"]
            self.assertRegex(physical["artifactLocation"]["uri"], r"^[A-Za-z0-9\-._~/%]+$")
            region = physical["region"]
            self.assertEqual(set(region), {"startLine", "startColumn", "endLine", "endColumn"})
            self.assertTrue(all(isinstance(value, int) and value >= 1 for value in region.values()))
            self.assertLessEqual((region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"]))

    def test_every_part_is_as_the_standard_wants_it(self):
        path = self.folder / "caf\u00e9 bad.sql"
        path.write_text("-- \u00e9\n" + BAD)
        said = json.loads(self.ward("review", path, "--format", "sarif", code=1))
        self.assertEqual(set(said), {"$schema", "version", "runs"})
        self.assertEqual(said["version"], "2.1.0")
        [run] = said["runs"]
        self.assertTrue({"tool", "results"} <= set(run) <= {"tool", "results", "columnKind", "invocations"})
        self.assertIn(run["columnKind"], ("utf16CodeUnits", "unicodeCodePoints"))
        self.assertEqual(set(run["tool"]), {"driver"})
        ids = self.driver(run["tool"]["driver"])
        self.assertEqual(len(run["results"]), 2)
        for result in run["results"]:
            self.result(result, ids)

    def test_nothing_found_is_an_empty_list_of_results(self):
        path = self.folder / "good.sql"
        path.write_text("SELECT 1 AS one")
        self.assertEqual(json.loads(self.ward("review", path, "--format", "sarif"))["runs"][0]["results"], [])


# Prints what the published schema has against a log; nothing where it has nothing.
SCHEMA_CHECK = """
const { readFileSync } = require('fs');
const [modules, log] = process.argv.slice(1);
const Ajv = require(modules + '/ajv');
const ajv = new Ajv({ schemaId: 'auto', allErrors: true });
ajv.addMetaSchema(require(modules + '/ajv/lib/refs/json-schema-draft-04.json'));
const check = ajv.compile(JSON.parse(readFileSync(modules + '/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')));
const said = JSON.parse(readFileSync(log));
if (!check(said)) console.log(JSON.stringify(check.errors));
"""


class SarifSchema(Case):
    """The whole log against the schema that was published."""

    def faults(self, text):
        modules = sarif_folder() / "node_modules"
        path = self.folder / "log.sarif"
        path.write_text(text)
        done = subprocess.run([modules / "node/bin/node", "-e", SCHEMA_CHECK, modules, path], capture_output=True, text=True, timeout=SECONDS_MAX, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return done.stdout

    def log(self, *texts, code):
        paths = []
        for number, text in enumerate(texts):
            paths.append(self.folder / f"{number} caf\u00e9:#?%.sql")
            paths[-1].write_text(text)
        return self.ward("review", *paths, "--format", "sarif", code=code)

    def test_logs_are_valid(self):
        many = "SELECT a = NULL AS x FROM t;\n" * 6000
        for texts, code in (([BAD], 1), (["SELECT 1 AS one"], 0), (["SELECT FROM WHERE", "", BAD, SOFT], 1), ([many], 1)):
            with self.subTest(texts[0][:20]):
                self.assertEqual(self.faults(self.log(*texts, code=code)), "")

    def test_the_check_finds_faults(self):
        said = json.loads(self.log(BAD, code=1))
        said["runs"][0]["results"][0]["level"] = "loud"
        self.assertIn("/level", self.faults(json.dumps(said)).replace(".level", "/level"))
        del said["runs"][0]["tool"]
        self.assertIn("tool", self.faults(json.dumps(said)))

    def test_what_is_left_out_is_said(self):
        [run] = json.loads(self.log("SELECT a = NULL AS x FROM t;\n" * 6000, code=1))["runs"]
        [invocation] = run["invocations"]
        self.assertTrue(invocation["executionSuccessful"])
        [note] = invocation["toolExecutionNotifications"]
        self.assertEqual(note["level"], "warning")
        self.assertRegex(note["message"]["text"], r"/0 caf.*: \d+ more findings or statements are left out$")
        [run] = json.loads(self.log(BAD, code=1))["runs"]
        self.assertEqual(run["invocations"], [{"executionSuccessful": True}])


class Failures(Case):
    """toolError:v1 where a failure happens: each code by a real call."""

    def error(self, tool, exit_code, **arguments):
        said = json.loads(self.ward("call", tool, json.dumps(arguments), code=exit_code))
        self.assertEqual(said["kind"], "toolError:v1", said)
        self.assertEqual(list(said)[:4], ["kind", "code", "message", "retryable"])
        return said["code"], said.get("details", {}).get("statusCode"), said["retryable"], said["message"]

    def test_a_source_that_is_not_there_is_not_found(self):
        self.shop()
        self.assertEqual(self.error("analyze_code", 2, source="SELECT 1 AS one", against="nowhere")[:3], ("NOT_FOUND", 404, False))
        self.assertEqual(self.error("review_code", 2, code="SELECT 1 AS one", against="nowhere")[:3], ("NOT_FOUND", 404, False))
        self.assertEqual(self.error("get_pattern", 2, id="running-total", source="nowhere")[:3], ("NOT_FOUND", 404, False))

    def test_too_much_text_is_a_client_error_413(self):
        for tool, argument, bytes_max in (("review_code", "code", 100 << 10), ("analyze_code", "source", 1 << 20)):
            at_most = "SELECT 1 AS one" + " " * (bytes_max - 15)
            with self.serve("--tools", "patterns") as server:
                self.assertNotIn("code", server.call(tool, **{argument: at_most}))
                said = server.call(tool, **{argument: at_most + " "})
            self.assertEqual((said["code"], said["details"]["statusCode"], said["retryable"]), ("CLIENT_ERROR", 413, False))

    def test_a_store_that_is_no_database_is_a_server_error(self):
        self.store.write_bytes(os.urandom(9000))
        command = [BINARY, "call", "analyze_code", '{"source":"SELECT 1 AS one"}', "--store", str(self.store)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX, stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        said = json.loads(done.stdout)
        self.assertEqual((said["code"], said["details"]["statusCode"], said["retryable"]), ("SERVER_ERROR", 500, True))

    def test_a_tool_that_the_policy_forbids_is_an_authentication_error(self):
        self.shop()
        policy = self.folder / "policy.yaml"
        policy.write_text("tools:\n  deny: [analyze_code]\n")
        self.assertEqual(self.ward_error("analyze_code", policy)[:2], ("AUTHENTICATION_ERROR", 403))

    def ward_error(self, tool, policy):
        said = json.loads(self.ward("call", tool, '{"source":"SELECT 1 AS one"}', "--policy", policy, code=1))
        return said["code"], said["details"]["statusCode"], said["message"]

    def test_a_call_that_takes_too_long_is_a_network_error(self):
        self.shop()
        config = self.folder / "late.yaml"
        config.write_text("limits:\n  call_timeout_ms: 1\n")
        text = "SELECT a = NULL AS x" + ", a = NULL" * 4_000
        with self.serve("--tools", "patterns", "--config", config) as server:
            said = server.call("analyze_code", source=text)
        self.assertEqual((said["code"], said["message"], said["retryable"]), ("NETWORK_ERROR", "Network error: Request timeout", True))
        self.assertNotIn("details", said)


if __name__ == "__main__":
    unittest.main()

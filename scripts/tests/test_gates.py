"""Each gate passes a clean sample tree and fails one with a single fault, naming it."""
import pathlib, subprocess, tempfile, unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent

KINDS = 'WARD_ERROR(UnknownTable, "unknown_name", "unknown_table", Caller, Error)\n'
CLEAN = {
    "LAYERS": "# comment\nbase:\njson: base\nconnect: base\nconnect/sqlite: base connect\n",
    "src/base/a.h": "#pragma once\n",
    "src/json/b.cc": '#include "base/a.h"\n',
    "src/connect/sqlite/c.cc": '#include "connect/sqlite/c.h"\n#include "connect/k.h"\n',
    "src/base/a_test.cc": "// COVERS: R-ENV-1\n// MAKES: unknown_name/unknown_table\n",
    "src/base/error_kinds.def": KINDS,
    "docs/contract.md": "- [R-ENV-1] One.\n- [R-ENV-2] Two.\n",
    "docs/errors/unknown_name.md": "# unknown_name\n",
    "tests/contract_pending.txt": "R-ENV-2 waits for metrics\n",
}


class Gate(unittest.TestCase):
    def run_gate(self, script, changes):
        """The gate's exit code and output over CLEAN with `changes` (path: text, None removes)."""
        with tempfile.TemporaryDirectory() as folder:
            for path, text in {**CLEAN, **changes}.items():
                if text is None:
                    continue
                file = pathlib.Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            subprocess.run(["git", "init", "-q", folder], check=True)
            subprocess.run(["git", "-C", folder, "add", "-A"], check=True)
            done = subprocess.run([SCRIPTS / script, folder], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

    def passes(self, script, changes=None):
        code, output = self.run_gate(script, changes or {})
        self.assertEqual((code, output), (0, ""))

    def fails(self, script, changes, *words):
        code, output = self.run_gate(script, changes)
        self.assertEqual(code, 1, output)
        for word in words:
            self.assertIn(word, output)


class Layers(Gate):
    def test_allows_what_layers_allows(self):
        self.passes("check_layers.py")

    def test_refuses_an_upward_include(self):
        self.fails("check_layers.py", {"src/base/a.h": '#include "json/b.h"\n'}, "src/base/a.h", "base may not include json")

    def test_a_nested_module_is_not_its_parent(self):
        self.fails("check_layers.py", {"src/connect/x.cc": '#include "connect/sqlite/c.h"\n'}, "connect may not include connect/sqlite")

    def test_refuses_a_folder_without_a_line(self):
        self.fails("check_layers.py", {"src/extra/x.cc": "\n"}, "src/extra/x.cc", "no line in LAYERS")

    def test_refuses_a_cycle(self):
        self.fails("check_layers.py", {"LAYERS": CLEAN["LAYERS"].replace("base:", "base: json")}, "cycle")

    def test_tests_may_include_more(self):
        self.passes("check_layers.py", {"src/base/z_test.cc": '#include "json/b.h"\n'})


class Sources(Gate):
    def test_passes_clean_code(self):
        self.passes("check_sources.sh")

    def test_refuses_each_fault(self):
        for name, line, words in [
            ("using namespace", "using namespace std;", "using namespace"),
            ("non-ASCII", "// caf\u00e9", "non-ASCII"),
            ("tab", "\tint x;", "tab"),
            ("nameless TODO", "// TODO: later", "TODO"),
            ("reserved name", "#define _WARD_H", "reserved for the compiler"),
            ("stop mark", "// no" + "commit", "not to be committed"),
            ("machine path", '"/home/' + 'ann/x"', "path of somebody's machine"),
            ("registry host", "https://" + "pypi.org/simple", "host of a package registry"),
            ("trailing blanks", "int x; ", "trailing blanks"),
        ]:
            with self.subTest(name):
                self.fails("check_sources.sh", {"src/base/a.h": line + "\n"}, words, "src/base/a.h:1")

    def test_refuses_a_using_declaration_without_a_use(self):
        self.fails("check_sources.sh", {"src/base/a.cc": "using std::min;\nusing std::max;\nint x = min(1, 2);\n"}, "src/base/a.cc: using std::max;")

    def test_allows_a_named_todo(self):
        self.passes("check_sources.sh", {"src/base/a.h": "// TODO(ann): later\n"})

    def test_reports_a_long_file_without_failing(self):
        code, output = self.run_gate("check_sources.sh", {"src/base/a.h": "\n" * 401})
        self.assertEqual((code, output), (0, "note: src/base/a.h has 401 lines\n"))


class Contract(Gate):
    def test_passes_when_each_sentence_and_kind_has_its_test(self):
        self.passes("check_contract.py")

    def test_refuses_a_sentence_without_a_test(self):
        self.fails("check_contract.py", {"tests/contract_pending.txt": ""}, "R-ENV-2: no test covers it")

    def test_refuses_a_test_of_no_sentence(self):
        self.fails("check_contract.py", {"tests/x.jsonl": "# COVERS: R-ENV-1, R-ENV-9\n"}, "tests/x.jsonl: covers R-ENV-9")

    def test_refuses_a_pending_line_without_a_reason(self):
        self.fails("check_contract.py", {"tests/contract_pending.txt": "R-ENV-2\n"}, "gives no reason")

    def test_refuses_a_kind_without_a_page(self):
        self.fails("check_contract.py", {"docs/errors/unknown_name.md": None, "docs/errors/README.md": "# All\n"}, "docs/errors/unknown_name.md is missing")

    def test_refuses_a_kind_that_no_test_makes(self):
        self.fails("check_contract.py", {"src/base/a_test.cc": "// COVERS: R-ENV-1\n"}, "unknown_name: no test makes it")

    def test_a_kind_may_wait_for_its_producer(self):
        self.passes("check_contract.py", {"src/base/a_test.cc": "// COVERS: R-ENV-1\n",
                                          "docs/errors/unknown_name.md": "# unknown_name\n\nNot produced yet.\n"})

    def test_an_expected_line_of_a_transcript_makes_its_kind(self):
        self.passes("check_contract.py", {"src/base/a_test.cc": "// COVERS: R-ENV-1\n",
                                          "tests/wire/x.jsonl": '< {"error":{"kind":"unknown_name"}}\n'})


DOCS = {"README.md": "[contract](docs/contract.md), [kinds](docs/errors/unknown_name.md), [settings](docs/configuration.md)\n",
        "docs/configuration.md": "| `audit.mode` | | `SCHEMAWARD_AUDIT_MODE` | `required` | how |\n",
        "src/app/config.cc": 'x = {{"audit.mode", "SCHEMAWARD_AUDIT_MODE", "required", "how"}};\n',
        **{f"src/{module}/README.md": "# one\n" for module in ("app", "base", "connect", "json")}}


class Docs(Gate):
    def test_passes_pages_that_name_what_is_there(self):
        self.passes("check_docs.py", {**DOCS, "src/base/README.md": "| `a.h` | `src/base/{a.h,a_test.cc}`, `src/base/x.cc`, `tests/*.txt` |\n## A `b`\n[b](#a-b)\n```\n`src/no.cc`\n```\n"})

    def test_refuses_each_fault(self):
        cases = (("docs/contract.md", "[no](no.md)\n", "no.md"), ("docs/contract.md", "[no](#no)\n", "#no"), ("docs/contract.md", "`src/base/no.cc`\n", "src/base/no.cc"),
                 ("docs/contract.md", "`no.h`\n", "no.h"), ("docs/contract.md", "SCHEMAWARD_NO\n", "SCHEMAWARD_NO"), ("docs/no.md", "# no\n", "docs/no.md"),
                 ("src/json/README.md", None, "src/json/README.md"), ("docs/contract.md", "Search is not built yet.\n", "not built yet"),
                 ("docs/architecture.md", "[a](contract.md) `app/` `base/` `connect/`\n", "json/"),
                 ("src/app/other.cc", 'x = Get("SCHEMAWARD_OTHER");\n', "SCHEMAWARD_OTHER"), ("docs/configuration.md", "\n", "audit.mode"), ("docs/configuration.md", DOCS["docs/configuration.md"] * 2 + DOCS["docs/configuration.md"].replace("mode", "no"), "audit.no"),
                 ("docs/configuration.md", DOCS["docs/configuration.md"].replace("required", "off"), "required"),
                 ("docs/configuration.md", DOCS["docs/configuration.md"].replace("_MODE", "_NO"), "SCHEMAWARD_AUDIT_MODE"))
        for path, text, word in cases:
            with self.subTest(path=path, text=text):
                self.fails("check_docs.py", {**DOCS, path: text}, word)


class Format(Gate):
    def test_passes_formatted_code(self):
        self.passes("check_format.sh")

    def test_refuses_code_laid_out_otherwise(self):
        self.fails("check_format.sh", {"src/json/b.cc": "int   x;\n"}, "src/json/b.cc")

    def test_refuses_a_misspelt_word(self):
        self.fails("check_format.sh", {"src/json/b.cc": "// rec" + "ieve\n"}, "receive")


if __name__ == "__main__":
    unittest.main()

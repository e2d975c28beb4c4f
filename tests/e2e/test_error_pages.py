"""The examples on the pages of docs/errors are what the program answers."""
import json, re, shutil, subprocess, unittest

from ward import BINARY, COMMAND_SECONDS_MAX, ROOT, Case, misfit

# MAKES: allowlist_violation/allowlist_violation index_not_ready internal_error/store_unusable unknown_name/unknown_table
EXAMPLE = re.compile(r"^\*\*Example\.\*\* `schemaward (call [^`]+)`[^:]*?(?:: \{[^`]*`[^:]*)?:\n\n```(?:json)?\n(.*?)^```$", re.M | re.S)


def without_null(value):
    """The value without members that are null, as the pages show it."""
    if isinstance(value, dict):
        return {name: without_null(one) for name, one in value.items() if one is not None}
    return [without_null(one) for one in value] if isinstance(value, list) else value


class ErrorPages(Case):
    def hold(self, kind, **environment):
        command, shown = EXAMPLE.search((ROOT / f"docs/errors/{kind}.md").read_text()).groups()
        done = subprocess.run([BINARY, *command.split()], capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, stdin=subprocess.DEVNULL, cwd=self.folder,
                              env={**self.environment, "SCHEMAWARD_STORE": str(self.store), **environment})
        shown = json.loads(shown)
        said = without_null(json.loads(done.stdout))
        self.assertEqual(misfit(shown, {name: said[name] for name in shown if name in said}), "", done.stdout)

    def test_unknown_name(self):
        self.shop()
        self.hold("unknown_name")

    def test_index_not_ready(self):
        self.hold("index_not_ready")

    def test_internal_error(self):
        self.store.write_text("no database\n" * 100)
        self.hold("internal_error")

    def test_policy_blocked(self):
        self.shop()
        (self.folder / "audit").mkdir()
        self.hold("policy_blocked", SCHEMAWARD_AUDIT_PATH=str(self.folder / "audit"))

    def test_allowlist_violation(self):
        self.shop()
        policy = self.folder / "policy.yaml"
        policy.write_text("allow: {tables: [main.product]}\n")
        self.hold("allowlist_violation", SCHEMAWARD_POLICY=str(policy))

    def test_malformed_name(self):
        self.shop()
        self.ward("index", shutil.copy(self.folder / "shop.db", self.folder / "other.db"))
        self.hold("malformed_name")


if __name__ == "__main__":
    unittest.main()

"""Kinds of error that need a broken machine rather than a wrong argument, each by a real command."""
import os, subprocess, unittest

from ward import BINARY, Case

# COVERS: R-REC-1 R-CLI-2
# MAKES: policy_blocked/audit_unavailable internal_error/store_unusable missing_credential/missing_credential
SECONDS_MAX = 60


class Kinds(Case):
    def error(self, code):
        answer = self.call("list_indexed_schemas", code=code)
        self.assertIsNone(answer["data"])
        self.assertIsNotNone(answer["error"]["recovery"]["suggested_tool"])
        return answer["status"], answer["error"]["kind"], answer["error"]["reason"]

    def test_policy_blocked_when_the_audit_log_cannot_be_written(self):
        self.shop()
        audit = self.store.with_name("store.audit.db")
        audit.unlink(missing_ok=True)
        audit.mkdir()
        self.assertEqual(self.error(code=1), ("refused", "policy_blocked", "audit_unavailable"))
        audit.rmdir()
        self.assertEqual(self.call("list_indexed_schemas")["status"], "success")

    def test_internal_error_when_the_store_is_no_database(self):
        self.store.write_bytes(os.urandom(9000))
        self.assertEqual(self.error(code=2), ("error", "internal_error", "store_unusable"))

    def test_missing_credential_when_the_variable_is_not_set(self):
        done = subprocess.run([BINARY, "index", "env:NO_SUCH_VARIABLE", "--store", str(self.store)], capture_output=True, text=True,
                              timeout=SECONDS_MAX, stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("NO_SUCH_VARIABLE", done.stderr)


if __name__ == "__main__":
    unittest.main()

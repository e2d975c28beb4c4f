"""The conversation that ./quickstart shows goes as it should."""
import subprocess, sys, unittest

from ward import ROOT, Case

SECONDS_MAX = 60


class Conversation(Case):
    def test_finds_describes_joins_and_recovers(self):
        self.defined_shop()
        done = subprocess.run([sys.executable, ROOT / "scripts/conversation.py", "--", *self.serve_command()], capture_output=True, text=True,
                              timeout=SECONDS_MAX, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for words in ("main.payment", "shipping_address_id", "JOIN", "unknown_name", "main.customer"):
            self.assertIn(words, done.stdout)


if __name__ == "__main__":
    unittest.main()

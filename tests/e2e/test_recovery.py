"""Recovery closes: a client that makes mistakes and follows `recovery` alone reaches its goal, on three kinds of source."""
import os, subprocess, sys, unittest

from ward import ROOT, Case

# COVERS: R-REC-1 R-REC-2 R-NAME-1
REPLAY_SECONDS_MAX = 1200  # sanitizers take twenty times as long, and a loaded machine twice that


class Recovery(Case):
    def replay(self, *options):
        command = [sys.executable, ROOT / "tests/e2e/recovery_replay.py", "--verbose", *options, "--", *self.serve_command()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=REPLAY_SECONDS_MAX, stdin=subprocess.DEVNULL, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stdout[-6000:] + done.stderr[-2000:])

    def test_closes_on_the_sample_shop(self):
        self.shop()
        self.replay()

    def test_closes_on_a_dump_with_every_kind_of_object(self):
        self.ward("index", f"ddl:{ROOT}/tests/fixtures/kitchen_sink_dump.sql")
        self.replay()

    def test_closes_on_two_thousand_tables(self):
        sanitized = os.environ.get("WARD_SANITIZE")  # which counts for what is run, not how often
        self.ward("index", f"ddl:{self.wide(200 if sanitized else 2000)}")
        self.replay("--tables", "8" if sanitized else "25")


if __name__ == "__main__":
    unittest.main()

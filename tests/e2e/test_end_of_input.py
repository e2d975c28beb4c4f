"""The server's life on stdio: it ends with its input, and standard output carries nothing but the protocol."""
import subprocess, unittest

from ward import Case

# COVERS: R-MCP-2
SECONDS_MAX = 20


class EndOfInput(Case):
    def test_ends_with_its_input(self):
        self.shop()
        done = subprocess.run(self.serve_command(), input=b"", capture_output=True, timeout=SECONDS_MAX, env=self.environment, cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, b""))

    def test_answers_what_was_asked_before_the_end(self):
        self.shop()
        server = self.serve()
        self.assertEqual(server.call("describe_table", qualified_name="main.customer")["status"], "success")
        self.assertEqual(server.close(), 0)
        self.assertEqual(server.lines.get(timeout=1), None)


if __name__ == "__main__":
    unittest.main()

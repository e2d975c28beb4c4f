"""What the tests of the workspace family share: the end-to-end case, the stub, MariaDB as the SQL end."""
import os, pathlib, subprocess, sys, urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from ward import Case  # noqa: E402

from stub import Stub  # noqa: E402

SQL_SECONDS_MAX = 60


class WorkspaceCase(Case):
    """A store of its own, and a stub of the service; `use` says which credential there is."""

    endpoint = "127.0.0.1:1"    # where nobody listens

    def setUp(self):
        super().setUp()
        self.stub = Stub(self.endpoint)
        self.addCleanup(self.stub.close)
        self.environment.update(self.stub.settings())

    def use(self, kind, secret):
        self.environment[f"SCHEMAWARD_WORKSPACES_{kind}"] = secret

    def ok(self, tool, **arguments):
        answer = self.call(tool, **arguments)
        self.assertEqual(answer["status"], "success", answer)
        return answer["data"]

    def failed(self, tool, code, exit_code=2, **arguments):
        answer = self.call(tool, code=exit_code, **arguments)
        self.assertEqual((answer["status"], answer["error_code"]), ("error", code), answer)
        self.assertNotIn("data", answer)
        self.assertNotIn("warning_details", answer)
        self.assertLessEqual({"execution_time_ms", "timestamp"}, set(answer["metadata"]))
        return answer

    def everything_written(self):
        """The bytes of every file that the program wrote."""
        return b"".join(path.read_bytes() for path in self.folder.rglob("*") if path.is_file())


class MariaDb:
    """The server that with_databases.sh started, by its own command line."""

    def __init__(self, uri):
        at = urllib.parse.urlsplit(uri)
        self.host, self.port, self.user = at.hostname, str(at.port), at.username
        self.endpoint = f"{self.host}:{self.port}"

    @staticmethod
    def found():
        uri = os.environ.get("SCHEMAWARD_TEST_MARIADB")
        return MariaDb(uri) if uri else None

    def run(self, sql):
        command = ["mariadb", "--no-defaults", "--protocol=tcp", "-h", self.host, "-P", self.port, "-u", self.user, "-N", "-B", "-e", sql]
        return subprocess.run(command, capture_output=True, text=True, timeout=SQL_SECONDS_MAX, check=True).stdout


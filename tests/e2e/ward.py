"""What the end-to-end tests share: the binary under test, a place of its own for each test, the sample sources."""
import json, os, pathlib, re, shutil, sqlite3, subprocess, sys, tempfile, unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from mcp_stdio import WORKED, Server, ServerGone  # noqa: E402,F401  (re-exported)

BINARY = os.environ["WARD_BINARY"]
COMMAND_SECONDS_MAX = 120
# The search for leaks is most of what a short run costs under AddressSanitizer. Servers and unit tests are searched; a command ends anyway.
UNSEARCHED = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}


def clean_environment(state):
    """The caller's environment without Schemaward's own variables; nothing outside `state` is read or written."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("SCHEMAWARD_")}
    return {**kept, "HOME": str(state), "XDG_DATA_HOME": str(state / "data"), "XDG_CONFIG_HOME": str(state / "config")}


EXAMPLE = re.compile(r"^`schemaward call (\w+) '(\{.*?\})'` answers[^\n]*:\n\n```json\n(.*?)^```$", re.M | re.S)


def examples(page):
    """The examples of a page of docs/: (tool, arguments, answer). In an answer "..." stands for any value, at the end of a list for more of
    them, as a member for more members."""
    return [(tool, json.loads(arguments), json.loads(answer)) for tool, arguments, answer in EXAMPLE.findall((ROOT / "docs" / page).read_text())]


def misfit(shown, said, path="$"):
    """The first place where an answer is not as an example shows it; empty where it is."""
    if shown == "...":
        return ""
    if isinstance(shown, dict) and isinstance(said, dict):
        wanted = [name for name in shown if name != "..."]
        if "..." not in shown and wanted != list(said):
            return f"{path}: members {list(said)}"
        missing = next((name for name in wanted if name not in said), None)
        return f"{path}.{missing} is missing" if missing else next(filter(None, (misfit(shown[n], said[n], f"{path}.{n}") for n in wanted)), "")
    if isinstance(shown, list) and isinstance(said, list):
        head = shown[:-1] if shown[-1:] == ["..."] else shown
        if len(said) < len(head) or (head is shown and len(said) != len(head)):
            return f"{path}: {len(said)} values"
        return next(filter(None, (misfit(one, other, f"{path}[{i}]") for i, (one, other) in enumerate(zip(head, said)))), "")
    return "" if shown == said and type(shown) is type(said) else f"{path}: {said!r}"


class Case(unittest.TestCase):
    """A test with a temporary folder, a store in it, and the command line."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ward-e2e."))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.store = self.folder / "store.db"
        self.environment = clean_environment(self.folder)

    def ward(self, *arguments, code=0, **popen):
        """Runs one command on this test's store and returns its standard output; any other exit code fails the test."""
        command = [BINARY, *map(str, arguments), "--store", str(self.store)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, stdin=subprocess.DEVNULL, env={**self.environment, **UNSEARCHED}, cwd=self.folder, **popen)
        self.assertEqual(done.returncode, code, f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout

    def run_example(self, tool, arguments, shown):
        """Makes the call of a page's example; its answer must be as the page shows it."""
        command = [BINARY, "call", tool, json.dumps(arguments), "--store", str(self.store)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.assertTrue(done.stdout, done.stderr)
        self.assertEqual(misfit(shown, json.loads(done.stdout)), "", done.stdout[:3000])

    def call(self, tool, code=0, **arguments):
        return json.loads(self.ward("call", tool, json.dumps(arguments), code=code))

    def serve(self, *arguments, **session):
        """A session with a server on this test's store; closed at the test's end. `session`: of Server."""
        server = Server(self.serve_command(*arguments), env=self.environment, cwd=self.folder, **session)
        self.addCleanup(server.close)
        return server

    def serve_command(self, *arguments):
        return [BINARY, "serve", *map(str, arguments), "--store", str(self.store)]

    def shop(self, drafts=True):
        """Makes and indexes the sample shop."""
        path = self.folder / "shop.db"
        with sqlite3.connect(path) as database:
            database.executescript((ROOT / "examples/shop/shop.sql").read_text())
        self.ward("index", path, *([] if drafts else ["--no-suggest"]))
        return path

    def defined_shop(self, drafts=True):
        """The sample shop with its entities, joins and metrics applied."""
        path = self.shop(drafts)
        self.ward("apply", ROOT / "examples/shop/definitions")
        return path

    def wide(self, tables):
        """Writes DDL of many invented tables and returns its path."""
        path = self.folder / f"wide{tables}.sql"
        with open(path, "w") as out:
            subprocess.run([sys.executable, ROOT / "tests/e2e/wide_schema.py", str(tables)], stdout=out, check=True)
        return path


def npm_folder(name, *packages):
    """The folder of npm packages that scripts/common.sh keeps, installed at first use."""
    script = f'source "{ROOT}/scripts/common.sh"; npm_folder "$@"'
    done = subprocess.run(["bash", "-c", script, "npm_folder", name, *packages], stdout=subprocess.PIPE, text=True, check=True)
    return pathlib.Path(done.stdout.strip())


def clients_folder():
    """Node 22, MCP Inspector and the TypeScript SDK."""
    return npm_folder("mcp-clients", "node@22.23.3", "@modelcontextprotocol/inspector@2.12.0", "@modelcontextprotocol/sdk@1.32.2")


def sarif_folder():
    """The published schema of SARIF 2.1.0, in a package that carries it beside a validator of its draft of JSON Schema."""
    return npm_folder("sarif", "node@22.23.3", "@microsoft/jest-sarif@1.0.0-beta.0")


# A working call of each tool of the default set, on the sample shop.
SHOP_CALLS = {
    "list_indexed_schemas": {},
    "find_relevant_tables": {"query": "orders of a customer"},
    "describe_table": {"qualified_name": "main.sales_order"},
    "describe_column": {"qualified_name": "main.customer.segment"},
    "suggest_joins": {"tables": ["main.order_line", "main.customer"]},
    "get_example_queries": {"qualified_name": "main.sales_order"},
    "find_relevant_entities": {"query": "who bought"},
    "list_entities": {},
    "describe_entity": {"name": "order"},
    "list_joins": {},
    "resolve_join": {"entity_a": "order_line", "entity_b": "customer"},
    "list_metrics": {},
    "get_metric": {"name": "revenue", "group_by": ["product.name"], "order_by": [{"column": "revenue", "direction": "desc"}], "limit": 3},
    "validate_query": {"sql": "SELECT status FROM sales_order"},
    "execute_query": {"sql": "SELECT status, count(*) FROM sales_order GROUP BY status"},
}

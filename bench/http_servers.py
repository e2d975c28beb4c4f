"""What the scripts of bench/ that speak HTTP share: server processes, their memory, single calls."""
import contextlib, http.client, json, os, re, shutil, signal, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODERN = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}
PLAIN_HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
START_SECONDS_MAX = 30


def modern_request(method, params, request_id=1):
    """Headers and body of a request of the newest revision, which has no sessions."""
    headers = {**PLAIN_HEADERS, "MCP-Protocol-Version": MODERN, "Mcp-Method": method}
    if "name" in params:
        headers["Mcp-Name"] = params["name"]
    return headers, json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": {**params, "_meta": META}})


def plain_call(tool, arguments):
    """Headers and body of a call as a server takes it that asks for no session."""
    return PLAIN_HEADERS, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})


def post(port, headers, body, seconds_max=30):
    """Posts one message; returns status and text."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds_max)
    try:
        connection.request("POST", "/mcp", body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def get(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path)
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def memory_mib(pid, field="VmRSS"):
    """Of one process: VmRSS is what is resident now, VmHWM the most there was."""
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field + ":")) / 1024


def cpu_seconds(pid):
    """Of a process and of those that it started and that have ended."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def environment_of(home, **more):
    """The caller's environment, without Schemaward's own variables and files: its defaults are in force."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SCHEMAWARD_")}
    return {**kept, "HOME": home, "XDG_DATA_HOME": os.path.join(home, "data"), "XDG_CONFIG_HOME": os.path.join(home, "config"), **more}


def family_cpu_seconds(pid):
    """Of a process and of all that it started."""
    total, children = cpu_seconds(pid), []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children") as listed:
            children += listed.read().split()
    for child in children:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            total += family_cpu_seconds(int(child))
    return total


class Process:
    """A server process; ended by SIGTERM, killed where it does not end."""

    def __init__(self, command, **popen):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **popen)
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Ward(Process):
    """`schemaward serve` over HTTP on a free port; its words go to a file beside the store."""

    def __init__(self, program, store, *arguments, **popen):
        self.store = store
        handle, self.words_path = tempfile.mkstemp(".words", dir=os.path.dirname(store))
        with os.fdopen(handle, "w") as words:
            super().__init__([program, "serve", "--store", store, "--http", "127.0.0.1:0", *arguments], stdout=subprocess.DEVNULL, stderr=words,
                             env=environment_of(os.path.dirname(store)), **popen)
        until = time.monotonic() + START_SECONDS_MAX
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/mcp", self.words())):
            if self.process.poll() is not None or time.monotonic() > until:
                sys.exit(f"schemaward does not listen: {self.words()}")
            time.sleep(0.01)
        self.port = int(found[1])

    def words(self):
        with open(self.words_path) as words:
            return words.read()


@contextlib.contextmanager
def home_with_postgres(tables):
    """A temporary folder with a PostgreSQL of so many tables in it: yields the folder and the URI."""
    home = tempfile.mkdtemp(prefix="ward-bench.")
    os.chmod(home, 0o755)
    try:
        started = subprocess.run([f"{ROOT}/scripts/postgres.sh", "start", "15", f"{home}/server"], check=True, stdout=subprocess.PIPE, text=True)
        subprocess.run([f"{ROOT}/bench/wide_postgres.sh", started.stdout.strip(), str(tables)], check=True, stdout=subprocess.DEVNULL)
        yield home, started.stdout.strip()
    finally:
        subprocess.run([f"{ROOT}/scripts/postgres.sh", "stop", f"{home}/server"])
        shutil.rmtree(home, ignore_errors=True)


def index(program, uri, store):
    done = subprocess.run([program, "index", uri, "--name", "wide", "--store", store], capture_output=True, text=True, env=environment_of(os.path.dirname(store)))
    if done.returncode != 0:
        sys.exit(f"the source could not be indexed: {done.stderr[-2000:]}")


def verify_audit(program, store):
    """Returns what `audit verify` says as JSON; exits where the chain does not hold."""
    done = subprocess.run([program, "audit", "verify", "--store", store, "--json"], capture_output=True, text=True, env=environment_of(os.path.dirname(store)))
    if done.returncode != 0:
        sys.exit(f"the audit log does not verify: {done.stdout[-2000:]} {done.stderr[-2000:]}")
    return json.loads(done.stdout)

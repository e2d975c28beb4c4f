#!/usr/bin/env python3
"""Counts the round trips of a point lookup by execute_query, and times it beside the same text as a prepared statement of libpq's.

usage: bench/guard_latency.py [--build build/release] [--calls 2000] [--far-calls 100] [--delay-ms 5] [--json]

Starts a PostgreSQL 15 of its own with one table of 100,000 rows, and `serve` on standard input and output with the audit log `required` and a
policy that bounds the plan's cost, so that each call asks for the plan too. "far" goes through a proxy that adds the delay each way and counts
round trips exactly: a burst of the client that follows an answer, in one session. "near" is loopback; calls of ours and of libpq's stand in turn, so that a
machine that slows down slows both. A call that touches only the index goes the same way but for guard, engine and the wait for the audit
record. "in one process" shows the parts (guard_parts). Numbers count only from a quiet machine. Needs libpq.so.5; standard library otherwise.
"""
import argparse, ctypes, json, os, re, shutil, statistics, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

sys.path.insert(0, os.path.join(ROOT, "scripts"))
from tcp_proxy import Proxy

LOOKUP = "SELECT id, label, amount FROM shop.accounts WHERE id = {}"
ROWS = 100_000
TABLES = f"""CREATE SCHEMA shop; CREATE TABLE shop.accounts (id bigint PRIMARY KEY, label text NOT NULL, amount numeric(12, 2) NOT NULL);
INSERT INTO shop.accounts SELECT n, 'account ' || n, n % 977 FROM generate_series(1, {ROWS}) n; ANALYZE shop.accounts;"""
POLICY = "version: 1\nprofile: team\nlimits: {{{}}}\n"


class Bare:
    """A prepared statement of libpq's, and nothing around it."""

    def __init__(self, uri):
        self.pq = ctypes.CDLL("libpq.so.5")
        for name, result, arguments in (
                ("PQconnectdb", ctypes.c_void_p, [ctypes.c_char_p]), ("PQstatus", ctypes.c_int, [ctypes.c_void_p]), ("PQfinish", None, [ctypes.c_void_p]),
                ("PQprepare", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]),
                ("PQexecPrepared", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int] + [ctypes.c_void_p] * 3 + [ctypes.c_int]),
                ("PQexec", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]), ("PQgetvalue", ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]),
                ("PQntuples", ctypes.c_int, [ctypes.c_void_p]), ("PQclear", None, [ctypes.c_void_p])):
            function = getattr(self.pq, name)
            function.restype, function.argtypes = result, arguments
        self.connection = self.pq.PQconnectdb(uri.encode())
        if self.pq.PQstatus(self.connection) != 0:
            sys.exit("libpq could not connect")

    def prepare(self, sql):
        self.pq.PQclear(self.pq.PQprepare(self.connection, b"lookup", sql.encode(), 0, None))

    def run(self):
        result = self.pq.PQexecPrepared(self.connection, b"lookup", 0, None, None, None, 0)
        if self.pq.PQntuples(result) != 1:
            sys.exit("the prepared lookup gave no row")
        self.pq.PQclear(result)

    def ask(self, sql):
        """Runs one statement; the first value of its answer, as text."""
        result = self.pq.PQexec(self.connection, sql.encode())
        if self.pq.PQntuples(result) < 1:
            sys.exit(f"no row: {sql}")
        value = self.pq.PQgetvalue(result, 0, 0).decode()
        self.pq.PQclear(result)
        return value

    def close(self):
        self.pq.PQfinish(self.connection)


class Served:
    """One `serve` on standard input and output; no threads and no queues, which would be timed too."""

    def __init__(self, program, home, name, uri, limits):
        policy, store = os.path.join(home, f"{name}.yaml"), os.path.join(home, f"{name}.db")
        with open(policy, "w") as out:
            out.write(POLICY.format(limits))
        environment = {**{k: v for k, v in os.environ.items() if not k.startswith("SCHEMAWARD_")}, "HOME": home, "SCHEMAWARD_POLICY": policy}
        subprocess.run([program, "index", uri, "--name", "bench", "--store", store], check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.process = subprocess.Popen([program, "serve", "--store", store], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.last_id = 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})
        self.process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def ask(self, method, params):
        self.last_id += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the server ended")
            if line.startswith(b'{"jsonrpc"') and f'"id":{self.last_id},'.encode() in line[:80]:
                return line

    def call(self, tool, arguments):
        line = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if b'"isError":true' in line:
            sys.exit(f"{tool} failed: {line[:600]}")
        return line

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)


def timed(work):
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1e3


def far(program, home, host, port, options):
    """Round trips and milliseconds through the proxy."""
    rows = {}
    with Proxy(host, port) as proxy:
        uri = f"postgres://schemaward@127.0.0.1:{proxy.port}/postgres?sslmode=disable"
        bare = Bare(uri)
        bare.prepare(LOOKUP.format(1))
        served = {"the plan's cost bounded": Served(program, home, "far_cost", uri, "plan_cost_max: 100000"), "no bound": Served(program, home, "far", uri, "rows_max: 1000")}
        proxy.delay_s = options.delay_ms / 1e3

        def measure(name, work, calls, pause=0.0):
            work()
            trips, times = [], []
            for _ in range(calls):
                time.sleep(pause)
                before = dict(proxy.trips)
                times.append(timed(work))
                # What looks for changes of the catalog meanwhile has a session of its own and is not waited for.
                trips.append(max(count - before.get(number, 0) for number, count in proxy.trips.items()))
            rows[name] = {"trips_most": max(trips), "p50_ms": statistics.median(times)}
        measure("prepared statement of libpq's", bare.run, options.far_calls)
        for name, server in served.items():
            lookup = lambda: server.call("execute_query", {"sql": LOOKUP.format(77)})
            measure(f"execute_query, {name}", lookup, options.far_calls)
            measure(f"execute_query, {name}, session idle for 1.2 s", lookup, 3, 1.2)
        for one in (bare, *served.values()):
            one.close()
    return rows


def near(program, home, host, port, options):
    """Milliseconds at p50 on loopback."""
    uri = f"postgres://schemaward@{host}:{port}/postgres?sslmode=disable"
    bare, served = Bare(uri), Served(program, home, "near", uri, "rows_max: 1000")
    with_cost = Served(program, home, "near_cost", uri, "plan_cost_max: 100000")
    bare.prepare(LOOKUP.format(77))
    lookup = {"sql": LOOKUP.format(77)}
    work = {"prepared statement of libpq's": bare.run, "execute_query": lambda: served.call("execute_query", lookup),
            "execute_query, the plan's cost bounded": lambda: with_cost.call("execute_query", lookup),
            "execute_query, dry_run (decided, recorded, not run)": lambda: served.call("execute_query", {**lookup, "dry_run": True}),
            "describe_table (index only)": lambda: served.call("describe_table", {"qualified_name": "shop.accounts"})}
    times = {name: [] for name in work}
    for round_number in range(options.calls + 20):
        for name, one in work.items():
            took = timed(one)
            if round_number >= 20:
                times[name].append(took)
    for one in (bare, served, with_cost):
        one.close()
    return {name: {"p50_ms": statistics.median(all_of_it), "p95_ms": statistics.quantiles(all_of_it, n=20)[-1]} for name, all_of_it in times.items()}


def parts(build, home, uri, calls):
    """The parts in one process: bench/guard_parts.cc."""
    store = os.path.join(home, "parts.db")
    environment = {**{k: v for k, v in os.environ.items() if not k.startswith("SCHEMAWARD_")}, "HOME": home}
    subprocess.run([os.path.join(build, "bin", "schemaward"), "index", uri, "--name", "bench", "--store", store], check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    done = subprocess.run([os.path.join(build, "bin", "guard_parts"), uri, store, str(calls)], check=True, env=environment, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    options.add_argument("--calls", type=int, default=2000)
    options.add_argument("--far-calls", type=int, default=100)
    options.add_argument("--delay-ms", type=float, default=5)
    options.add_argument("--json", action="store_true")
    options = options.parse_args()
    program = os.path.join(options.build, "bin", "schemaward")
    home = tempfile.mkdtemp(prefix="ward-bench.")
    os.chmod(home, 0o755)
    try:
        uri = subprocess.run([f"{ROOT}/scripts/postgres.sh", "start", "15", f"{home}/server"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", TABLES, uri], check=True)
        host, port = re.search(r"@([^:/]+):(\d+)/", uri).groups()
        result = {"far": far(program, home, host, int(port), options), "near": near(program, home, host, int(port), options), "parts": parts(options.build, home, f"{uri}?sslmode=disable", options.calls)}
    finally:
        subprocess.run([f"{ROOT}/scripts/postgres.sh", "stop", f"{home}/server"])
        shutil.rmtree(home, ignore_errors=True)
    if options.json:
        print(json.dumps(result, indent=1))
        return
    print(f"| through a proxy that adds {options.delay_ms:g} ms each way | round trips, most | p50, ms |\n|---|---|---|")
    for name, row in result["far"].items():
        print(f"| {name} | {row['trips_most']} | {row['p50_ms']:.2f} |")
    base = result["near"]["prepared statement of libpq's"]["p50_ms"]
    print("\n| loopback | p50, ms | p95, ms | more than libpq's, p50, ms |\n|---|---|---|---|")
    for name, row in result["near"].items():
        print(f"| {name} | {row['p50_ms']:.3f} | {row['p95_ms']:.3f} | {row['p50_ms'] - base:.3f} |")
    print("\n| in one process | p10, us | p50, us | processor time of it, us |\n|---|---|---|---|")
    for name, row in result["parts"].items():
        print(f"| {name} | {row['p10_us']:.0f} | {row['p50_us']:.0f} | {row['processor_us']:.0f} |")


if __name__ == "__main__":
    main()

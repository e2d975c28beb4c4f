#!/usr/bin/env python3
"""Loads this server and MCP Toolbox over HTTP in turn, on one PostgreSQL with N tables, and prints a Markdown table of medians and ratios.

usage: bench/http_load.py [--build build/release] [--tables 2000] [--rounds 3] [--seconds 7] [--connections 50] [--threads 1]

The client is Debian's wrk, with connections that are kept; it, the servers and PostgreSQL share two cores. Ours answers describe_table of one
table in the era without sessions, with the audit log on (`required`); Toolbox (npm, its native binary) answers list_tables of that table and
execute_sql of `select 1`. Ours is there twice: as it is by default, when it looks in the background whether the database has changed, for which
it loads the client of PostgreSQL, and without that (`--refresh off`). The latter is also asked for all tables in turn, which are too many to be
answered from memory. Every round loads each once, in an order that turns, so that a machine that slows down slows all of them. An answer that
is not 200, a connection that breaks or a call that our audit log does not hold ends the run. Memory is the most that was resident; private is
what is of no file that others may share. Numbers count only from a quiet machine; the ratios are what lasts. Standard library only, and wrk.
"""
import argparse, glob, json, os, re, shutil, statistics, subprocess, sys, time

from http_servers import ROOT, START_SECONDS_MAX, Process, Ward, family_cpu_seconds, get, home_with_postgres, index, memory_mib, modern_request, plain_call, post, verify_audit
from peers import TABLE, peers_folder, version_of

SCRIPT = os.path.join(ROOT, "bench", "http_load.lua")
CORES = 2
WARM_SECONDS = 1


class Toolbox(Process):
    """MCP Toolbox over HTTP on a free port, with its prebuilt tools for PostgreSQL."""

    def __init__(self, modules, uri):
        host, port, database = re.search(r"@([^:/]+):(\d+)/(\w+)", uri).groups()
        program = glob.glob(os.path.join(modules, "@toolbox-sdk", "server-linux-x64", "bin", "*"))[0]
        self.port = free_port()
        environment = {"POSTGRES_HOST": host, "POSTGRES_PORT": port, "POSTGRES_DATABASE": database, "POSTGRES_USER": "schemaward", "POSTGRES_PASSWORD": "unused"}
        super().__init__([program, "--prebuilt", "postgres", "--address", "127.0.0.1", "--port", str(self.port), "--log-level", "ERROR"],
                         env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + START_SECONDS_MAX
        while not self.answers():
            if time.monotonic() > until:
                sys.exit("MCP Toolbox does not listen")
            time.sleep(0.05)

    def answers(self):
        try:
            return post(self.port, *plain_call("execute_sql", {"sql": "select 1"}))[0] == 200
        except OSError:
            return False


def free_port():
    import socket
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Load:
    """One server under one kind of call; `runs` collects what wrk reports."""

    def __init__(self, name, server, requests, home):
        """`requests`: headers and body of each; all have the same headers."""
        self.name, self.server, self.runs = name, server, []
        with open(os.path.join(home, "server", "data", "postmaster.pid")) as lines:
            self.database_pid = int(lines.readline())
        headers, body = requests[0]
        status, text = post(server.port, headers, body)
        answer = json.loads(text)
        if status != 200 or "error" in answer or answer["result"].get("isError"):
            sys.exit(f"{name} does not answer: {status} {text[:400]}")
        self.answer_bytes = len(text)
        self.file = os.path.join(home, re.sub(r"\W+", "_", name))
        with open(self.file, "w") as out:
            out.write("".join(f"{key}: {value}\n" for key, value in headers.items()) + "\n" + "".join(body + "\n" for _, body in requests))

    def cpu_seconds(self):
        """The server's and PostgreSQL's."""
        return family_cpu_seconds(self.server.pid) + family_cpu_seconds(self.database_pid)

    def run(self, options, seconds):
        used = self.cpu_seconds()
        done = subprocess.run(["wrk", "-t", str(options.threads), "-c", str(options.connections), "-d", f"{seconds}s", "-s", SCRIPT, f"http://127.0.0.1:{self.server.port}/mcp",
                               "--", self.file], check=True, stdout=subprocess.PIPE, text=True)
        row = json.loads(done.stdout.strip().splitlines()[-1])
        if row["faults"] or not row["requests"]:
            sys.exit(f"{self.name}: {row['faults']} faults in {row['requests']} requests")
        row["rate"] = row["requests"] / row["seconds"]
        row["cpu_us"] = (self.cpu_seconds() - used) * 1e6 / row["requests"]
        return row

    def median(self, key):
        return statistics.median(run[key] for run in self.runs)


def calls_counted(*servers):
    """How many descriptions have ended well, as the servers' own metrics say."""
    return sum(int(n) for server in servers for n in re.findall(r'schemaward_calls_total\{tool="describe_table",status="success"\} (\d+)', get(server.port, "/metrics")))


def measure(options, home, uri):
    program, store = os.path.join(options.build, "bin", "schemaward"), os.path.join(home, "store.db")
    index(program, uri, store)
    modules = peers_folder()
    with Ward(program, store) as ward, Ward(program, store, "--refresh", "off") as alone, Toolbox(modules, uri) as toolbox:
        schema, table = TABLE
        toolbox_name = f"MCP Toolbox {version_of(modules, '@toolbox-sdk/server')}"
        describe = lambda name: modern_request("tools/call", {"name": "describe_table", "arguments": {"qualified_name": name}})
        one, all_tables = f"{schema}.{table}", [f"s{t % 10}.t{t}" for t in range(1, options.tables + 1)]
        loads = [
            Load("Schemaward, describe_table", ward, [describe(one)], home),
            Load(f"{toolbox_name}, list_tables", toolbox, [plain_call("list_tables", {"table_names": table, "output_format": "detailed"})], home),
            Load(f"{toolbox_name}, execute_sql select 1", toolbox, [plain_call("execute_sql", {"sql": "select 1"})], home),
            Load("Schemaward, the same, refresh off", alone, [describe(one)], home),
            Load("Schemaward, all tables in turn", alone, [describe(name) for name in all_tables], home),
        ]
        for load in loads:
            load.run(options, WARM_SECONDS)
        before = calls_counted(ward, alone)
        for number in range(options.rounds):
            first = number % len(loads)
            for load in loads[first:] + loads[:first]:
                load.runs.append(load.run(options, options.seconds))
        memory = [(memory_mib(load.server.pid, "VmHWM"), memory_mib(load.server.pid, "RssAnon")) for load in loads]
        answered, counted = sum(run["requests"] for load in loads if load.server is not toolbox for run in load.runs), calls_counted(ward, alone)
        if counted - before < answered:
            sys.exit(f"{answered} descriptions were answered, {counted - before} ended well")
    report = verify_audit(program, store)
    if report["records"] < 2 * counted or report["open_begin_count"]:
        sys.exit(f"the audit log holds {report['records']} records of {counted} calls, {report['open_begin_count']} without their end")
    return loads, memory


def show(options, loads, memory):
    ours = loads[0]
    print(f"{options.tables} tables, {options.connections} connections, {options.rounds} rounds of {options.seconds} s each, medians\n")
    print("| server and call | requests/s | p50, ms | p99, ms | most memory, MiB | private at the end, MiB | processor time with PostgreSQL's, us a request | answer, bytes |\n|---|---|---|---|---|---|---|---|")
    for load, (most, private) in zip(loads, memory):
        print(f"| {load.name} | {load.median('rate'):,.0f} | {load.median('p50_us') / 1e3:.2f} | {load.median('p99_us') / 1e3:.2f} | {most:.1f} | {private:.1f} | {load.median('cpu_us'):.0f} | {load.answer_bytes} |")
    print("\n| ratio | aim | measured |\n|---|---|---|")
    print(f"| requests/s, to its list_tables | at least 20 | {ours.median('rate') / loads[1].median('rate'):.1f} |")
    print(f"| requests/s, to its execute_sql | at least 1 | {ours.median('rate') / loads[2].median('rate'):.2f} |")
    print(f"| processor time of its list_tables, to ours | | {loads[1].median('cpu_us') / ours.median('cpu_us'):.1f} |")
    print(f"| processor time of its execute_sql, to ours | | {loads[2].median('cpu_us') / ours.median('cpu_us'):.2f} |")
    print(f"| p99, to its execute_sql | at most 0.50 | {ours.median('p99_us') / loads[2].median('p99_us'):.2f} |")
    print(f"| most memory | at most 0.167 | {memory[0][0] / memory[1][0]:.3f} |")
    print(f"| the same, refresh off | at most 0.167 | {memory[3][0] / memory[1][0]:.3f} |")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    options.add_argument("--tables", type=int, default=2000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=int, default=7)
    options.add_argument("--connections", type=int, default=50)
    options.add_argument("--threads", type=int, default=1)
    options = options.parse_args()
    if not shutil.which("wrk"):
        sys.exit("wrk is not there; it is Debian's package of that name")
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])  # what it starts shares them
    with home_with_postgres(options.tables) as (home, uri):
        show(options, *measure(options, home, uri))


main()

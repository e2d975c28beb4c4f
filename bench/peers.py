#!/usr/bin/env python3
"""Times this server and two peers side by side, on one PostgreSQL with N tables, and prints a Markdown table of medians and ratios.

usage: bench/peers.py [--build build/release] [--tables 2000] [--rounds 7] [--calls 300]

Every round starts each server once, in turn, so that a machine that slows down slows all of them. A row says: milliseconds from the start of
the process to the answer of tools/list, and to the first description of a table; resident MiB of the process and its children once idle; and the
median of a description. The store is indexed before; the audit log is on. The peers come from npm: MCP Toolbox (its native binary, without its
Node launcher) and DBHub. Numbers count only from a quiet machine. Standard library only.
"""
import argparse, glob, json, os, shutil, statistics, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PEERS = ["@toolbox-sdk/server", "@bytebase/dbhub"]
TABLE = ("s7", "t1237")


def resident_mib(pid):
    """Of the process and all it started."""
    total, todo = 0, [pid]
    while todo:
        one = todo.pop()
        try:
            with open(f"/proc/{one}/status") as status:
                total += sum(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
            for task in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{task}/children") as children:
                    todo += [int(child) for child in children.read().split()]
        except (FileNotFoundError, ProcessLookupError):
            pass
    return total / 1024


class Session:
    def __init__(self, command, environment):
        self.begin = time.perf_counter()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, **environment})
        self.last_id = 0

    def ask(self, method, params):
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"{self.process.args[0]} ended before it answered {method}")
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if message.get("id") == self.last_id:
                return message

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def since_start(self):
        return (time.perf_counter() - self.begin) * 1e3

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()


def run_once(server, calls):
    session = Session(server["command"], server.get("environment", {}))
    session.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})
    session.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    session.ask("tools/list", {})
    row = {"ready_ms": session.since_start()}
    time.sleep(0.2)
    row["idle_mib"] = resident_mib(session.process.pid)
    call = lambda: session.ask("tools/call", {"name": server["tool"], "arguments": server["arguments"]})
    begin = time.perf_counter()
    first = call()
    row["first_ms"] = row["ready_ms"] + (time.perf_counter() - begin) * 1e3
    if first.get("error") or first["result"].get("isError"):
        sys.exit(f"{server['name']} could not describe the table: {json.dumps(first)[:400]}")
    times = []
    for _ in range(calls):
        begin = time.perf_counter()
        call()
        times.append((time.perf_counter() - begin) * 1e3)
    row["describe_ms"] = statistics.median(times)
    session.close()
    return row


def peers_folder():
    folder = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "schemaward-tests", "peers")
    if not os.path.isdir(os.path.join(folder, "node_modules")):
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", *PEERS], cwd=folder, check=True)
    return os.path.join(folder, "node_modules")


def version_of(modules, package):
    with open(os.path.join(modules, package, "package.json")) as text:
        return json.load(text)["version"]


def servers(build, uri, home, modules):
    program = os.path.join(build, "bin", "schemaward")
    store = os.path.join(home, "store.db")
    subprocess.run([program, "index", uri, "--name", "wide", "--store", store], check=True, stderr=subprocess.DEVNULL)
    host = uri.split("@")[1]
    address, database = host.split("/", 1)
    name, port = address.split(":")
    toolbox = glob.glob(os.path.join(modules, "@toolbox-sdk", "server-linux-x64", "bin", "*"))[0]
    schema, table = TABLE
    return [
        {"name": "Schemaward", "command": [program, "serve", "--store", store], "tool": "describe_table", "arguments": {"qualified_name": f"{schema}.{table}"}},
        {"name": f"MCP Toolbox {version_of(modules, '@toolbox-sdk/server')}", "command": [toolbox, "--prebuilt", "postgres", "--stdio"],
         "environment": {"POSTGRES_HOST": name, "POSTGRES_PORT": port, "POSTGRES_DATABASE": database.split("?")[0], "POSTGRES_USER": "schemaward", "POSTGRES_PASSWORD": "unused"},
         "tool": "list_tables", "arguments": {"table_names": table, "output_format": "detailed"}},
        {"name": f"DBHub {version_of(modules, '@bytebase/dbhub')}", "command": ["node", os.path.join(modules, "@bytebase", "dbhub", "dist", "index.js"), "--transport", "stdio", "--dsn", uri],
         "tool": "search_objects", "arguments": {"object_type": "table", "schema": schema, "pattern": table, "detail_level": "full"}},
    ]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    options.add_argument("--tables", type=int, default=2000)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--calls", type=int, default=300)
    options = options.parse_args()
    home = tempfile.mkdtemp(prefix="ward-bench.")
    os.chmod(home, 0o755)
    try:
        uri = subprocess.run([f"{ROOT}/scripts/postgres.sh", "start", "15", f"{home}/server"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        subprocess.run([f"{ROOT}/bench/wide_postgres.sh", uri, str(options.tables)], check=True)
        all_servers = servers(options.build, uri, home, peers_folder())
        rows = {server["name"]: [] for server in all_servers}
        for _ in range(options.rounds):
            for server in all_servers:
                rows[server["name"]].append(run_once(server, options.calls))
    finally:
        subprocess.run([f"{ROOT}/scripts/postgres.sh", "stop", f"{home}/server"])
        shutil.rmtree(home, ignore_errors=True)
    keys = ["ready_ms", "first_ms", "idle_mib", "describe_ms"]
    medians = {name: {key: statistics.median(row[key] for row in runs) for key in keys} for name, runs in rows.items()}
    print(f"{options.tables} tables, {options.rounds} rounds, {options.calls} calls each\n")
    print("| server | start to tools/list, ms | start to first description, ms | idle, MiB | description p50, ms |\n|---|---|---|---|---|")
    for name, row in medians.items():
        print(f"| {name} | {row['ready_ms']:.1f} | {row['first_ms']:.1f} | {row['idle_mib']:.1f} | {row['describe_ms']:.3f} |")
    ours = medians["Schemaward"]
    for name, row in medians.items():
        if name != "Schemaward":
            print(f"| {name} / Schemaward | {row['ready_ms'] / ours['ready_ms']:.1f} | {row['first_ms'] / ours['first_ms']:.1f} | {row['idle_mib'] / ours['idle_mib']:.1f} | {row['describe_ms'] / ours['describe_ms']:.1f} |")


if __name__ == "__main__":
    main()

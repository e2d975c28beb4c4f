#!/usr/bin/env python3
"""What a row filter of the policy costs beside the same condition written by hand, in the engine: SQLite and a PostgreSQL 15 of its own.

usage: bench/row_filter.py [--build build/release] [--calls 300]

One table of 100,000 rows in 20 regions; the filter leaves one region. Each statement is approved by the program (`execute_query` with dry_run)
under a policy without the filter, where it holds the condition itself, and under one with the filter; the two texts that would run are run in turn
on one session of the engine, so that a machine that slows down slows both. Microseconds are processor time (of this process for SQLite, of the
server's own for PostgreSQL), medians. A filter stands behind a limit ("fenced") where something of the statement can fail.
"""
import argparse, json, os, shutil, sqlite3, statistics, subprocess, sys, tempfile, time

from guard_latency import ROOT, Bare

ROWS, REGIONS = 100_000, 20
TABLE = "CREATE TABLE accounts (id integer PRIMARY KEY, region varchar(8) NOT NULL, label varchar(40) NOT NULL, amount integer NOT NULL); CREATE INDEX by_region ON accounts (region);"
CONDITION = "region = 'r7'"
STATEMENTS = (("one row by its key", "SELECT id, label FROM accounts WHERE id = 767", ""),
              ("a region's rows counted", "SELECT count(*) AS n FROM accounts WHERE amount > 5", ""),
              ("one row by its key, and a condition that can fail", "SELECT id, label FROM accounts WHERE id = 767 AND length(label) > 3", ""),
              ("a region's rows counted by a function", "SELECT length(label) AS n, count(*) AS c FROM accounts WHERE amount > 5", " GROUP BY length(label)"))


class Texts:
    """What would run of a statement, with and without the filter in the policy."""

    def __init__(self, program, home, source, schema):
        self.program, self.store = program, os.path.join(home, f"{schema}.db")
        self.environment = {**{k: v for k, v in os.environ.items() if not k.startswith("SCHEMAWARD_")}, "HOME": home}
        self.policies = {}
        for name, rule in (("none", ""), ("filter", f"row_filters: {{{schema}.accounts: \"{CONDITION}\"}}\n")):
            self.policies[name] = os.path.join(home, f"{schema}_{name}.yaml")
            with open(self.policies[name], "w") as out:
                out.write("version: 1\nprofile: team\n" + rule)
        self.run("none", "index", source, "--name", "bench", "--no-suggest")

    def run(self, policy, *words):
        done = subprocess.run([self.program, *words, "--store", self.store], env={**self.environment, "SCHEMAWARD_POLICY": self.policies[policy]}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"{words}: {done.stdout[:600]}{done.stderr[:600]}")
        return done.stdout

    def approved(self, policy, sql):
        return json.loads(self.run(policy, "call", "execute_query", json.dumps({"sql": sql, "dry_run": True})))["data"]["statement"]


class OnSqlite:
    name, schema = "SQLite", "main"

    def __init__(self, home):
        self.source = os.path.join(home, "accounts.sqlite")
        self.session = sqlite3.connect(self.source)
        self.session.executescript(TABLE)
        self.session.executemany("INSERT INTO accounts VALUES (?, ?, ?, ?)", ((n, f"r{n % REGIONS}", f"account {n}", n % 977) for n in range(1, ROWS + 1)))
        self.session.executescript("ANALYZE")

    def timed(self, sql):
        begin = time.process_time_ns()
        self.session.execute(sql).fetchall()
        return (time.process_time_ns() - begin) / 1e3

    def close(self):
        self.session.close()


class OnPostgres:
    name, schema = "PostgreSQL 15", "public"

    def __init__(self, home):
        self.home = f"{home}/server"
        uri = subprocess.run([f"{ROOT}/scripts/postgres.sh", "start", "15", self.home], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        fill = f"INSERT INTO accounts SELECT n, 'r' || n % {REGIONS}, 'account ' || n, n % 977 FROM generate_series(1, {ROWS}) n; ANALYZE accounts;"
        subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", TABLE, "-c", fill, uri], check=True)
        self.source = f"{uri}?sslmode=disable"
        self.session = Bare(self.source)
        self.served_by = self.session.ask("SELECT pg_backend_pid()")

    def timed(self, sql):
        begin = self.processor_ns()
        self.session.ask(sql)
        return (self.processor_ns() - begin) / 1e3

    def processor_ns(self):
        with open(f"/proc/{self.served_by}/schedstat") as told:
            return int(told.read().split()[0])

    def close(self):
        self.session.close()
        subprocess.run([f"{ROOT}/scripts/postgres.sh", "stop", self.home])


def measure(engine, texts, calls):
    for name, select, rest in STATEMENTS:
        by_hand, filtered = texts.approved("none", f"{select} AND {CONDITION}{rest}"), texts.approved("filter", select + rest)
        times = {by_hand: [], filtered: []}
        for number in range(calls + 5):
            for sql, taken in times.items():
                took = engine.timed(sql)
                if number >= 5:
                    taken.append(took)
        hand, policy = statistics.median(times[by_hand]), statistics.median(times[filtered])
        print(f"| {engine.name} | {name} | {'yes' if 'LIMIT 9223372036854775807)' in filtered else 'no'} | {hand:.0f} | {policy:.0f} | {policy / hand:.2f} |", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    options.add_argument("--calls", type=int, default=300)
    options = options.parse_args()
    home = tempfile.mkdtemp(prefix="ward-bench.")
    os.chmod(home, 0o755)
    print("| engine | statement | fenced | by hand, us | by the policy, us | policy / hand |\n|---|---|---|---|---|---|")
    try:
        for make in (OnSqlite, OnPostgres):
            engine = make(home)
            try:
                measure(engine, Texts(os.path.join(options.build, "bin", "schemaward"), home, engine.source, engine.schema), options.calls)
            finally:
                engine.close()
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs the analyst's statements on the engines that are at hand, each on a database that has their tables: each must be accepted, and the engine
must take it.

usage: analyst_runs.py PROGRAM ANALYST_FOLDER

SQLite always; DuckDB where SCHEMAWARD_DUCKDB names its library, PostgreSQL where SCHEMAWARD_TEST_PG15 names a server (a superuser's URI).
Prints what is refused or fails, then the counts; exit 1 where anything was.
"""
import ctypes, json, os, re, sqlite3, subprocess, sys, tempfile

NAME = f"ward_analyst_{os.getpid()}"


def sqlite_source(folder, script):
    path = os.path.join(folder, "shop.db")
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    return "sqlite:" + path


def duckdb_source(folder, script):
    path = os.path.join(folder, "shop.duckdb")
    duck, database, session = ctypes.CDLL(os.environ["SCHEMAWARD_DUCKDB"]), ctypes.c_void_p(), ctypes.c_void_p()
    if duck.duckdb_open(path.encode(), ctypes.byref(database)) or duck.duckdb_connect(database, ctypes.byref(session)):
        sys.exit("DuckDB could not open its file")
    if duck.duckdb_query(session, script.encode(), None):
        sys.exit("DuckDB refused the script")
    duck.duckdb_disconnect(ctypes.byref(session))
    duck.duckdb_close(ctypes.byref(database))
    return "duckdb:" + path


def in_postgres(uri, sql):
    subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", uri], input=sql, text=True, check=True, stdout=subprocess.DEVNULL)


def postgres_source(_, script):
    server = os.environ["SCHEMAWARD_TEST_PG15"]
    in_postgres(server, f"CREATE DATABASE {NAME}")
    source = re.sub(r"/[^/?]*(\?.*)?$", rf"/{NAME}\1", server)
    in_postgres(source, script)
    return source


def run(program, folder, engine, source):
    """Returns how many statements were run, and the lines of what went wrong."""
    done = subprocess.run([program, "guard", "test", os.path.join(folder, engine + ".jsonl"), "--engine", engine, "--dsn", source, "--json"],
                          stdout=subprocess.PIPE, text=True)
    report = json.loads(done.stdout)
    wrong = [one for one in report if not one["right"] or one["ran"]]
    return len(report), [f"{engine}: {one['id']} {one['kind']} {one['message']} {one['ran']}" for one in wrong]


def main():
    program, folder = sys.argv[1:]
    with open(os.path.join(folder, "fixture.sql")) as text:
        script = text.read()
    makers = {"sqlite": sqlite_source}
    if os.environ.get("SCHEMAWARD_DUCKDB"):
        makers["duckdb"] = duckdb_source
    if os.environ.get("SCHEMAWARD_TEST_PG15"):
        makers["postgres"] = postgres_source
    is_wrong = False
    with tempfile.TemporaryDirectory(prefix="ward-analyst.") as work:
        for engine, make in makers.items():
            try:
                count, wrong = run(program, folder, engine, make(work, script))
            finally:
                if engine == "postgres":
                    in_postgres(os.environ["SCHEMAWARD_TEST_PG15"], f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
            is_wrong |= bool(wrong) or count == 0
            print(*wrong, f"{engine}: {count} statements, {len(wrong)} refused or failed", sep="\n")
    sys.exit(1 if is_wrong else 0)


if __name__ == "__main__":
    main()

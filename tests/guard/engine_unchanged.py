#!/usr/bin/env python3
"""Sends every attack of the corpora through a served program to real engines, and compares all that they keep before and after.

usage: engine_unchanged.py [--spoil] PROGRAM CORPUS_FOLDER...
       engine_unchanged.py --second-wall GUARD_SECOND_WALL CORPUS_FOLDER...

A corpus folder holds fixture.sql, which every engine takes, and *.jsonl; folders that are absent are passed over. What is sent is every line
that expects `refused` or `pii`, to the engine that it names: PostgreSQL as a superuser and as a role that may only read, MariaDB likewise, and
files of SQLite and DuckDB. Compared are rows, relations, functions, sequences, large objects, settings, roles, grants, locks and prepared
transactions of the servers, the names of their files, and the bytes of the files; the folder in which the program runs as well. Engines:
SCHEMAWARD_TEST_PG15, SCHEMAWARD_TEST_MARIADB (URIs of superusers), SCHEMAWARD_DUCKDB (the library); one without is left out. Exit 1 where
anything has changed or an attack was answered with rows. --spoil sends no attack but changes one thing of each part past the program, and
exits 1 where the comparison misses one. --second-wall sends the attacks past the guard, in the read-only state in which approved statements run:
PostgreSQL and MariaDB, throwaway servers only. It prints which ones the engine answered all the same and which parts they changed. Standard library only.
"""
import ctypes, glob, hashlib, json, os, re, sqlite3, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
from mcp_stdio import Server

NAME, READER, PASSWORD = "ward_unchanged", "ward_unchanged_reader", "only-reads"


def run(command, text=None):
    return subprocess.run(command, input=text, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120).stdout


def names_below(folder, skip=()):
    """Every path below a folder, without those whose first part is skipped."""
    found = []
    for place, _, files in os.walk(folder):
        relative = os.path.relpath(place, folder)
        if relative.split(os.sep)[0] not in skip:
            found += [os.path.join(relative, name) for name in files]
    return sorted(found)


def bytes_of(path):
    with open(path, "rb") as text:
        return hashlib.sha256(text.read()).hexdigest()


class Postgres:
    engine = "postgres"
    # Written by the server itself while it only answers.
    own = ("pg_wal", "pg_stat", "pg_stat_tmp", "pg_xact", "pg_subtrans", "pg_logical", "pg_notify", "base", "global", "pg_multixact", "pg_serial", "pg_snapshots")

    def __init__(self, uri, fixture, reader):
        self.server, self.reader = uri, reader
        self.uri = uri.rsplit("/", 1)[0] + "/" + NAME
        self.end()
        self.ask(f"CREATE DATABASE {NAME}", uri)
        with open(fixture) as text:
            self.ask(text.read())
        self.ask("CREATE SEQUENCE counter; SELECT nextval('counter'); SELECT lo_from_bytea(4711, 'kept')")
        self.ask(f"CREATE ROLE {READER} LOGIN PASSWORD '{PASSWORD}'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO {READER}")
        self.source = re.sub(r"//[^@]+@", f"//{READER}@", self.uri) if reader else self.uri
        self.environment = {"PGPASSWORD": PASSWORD} if reader else {}

    def ask(self, sql, uri=None):
        return run(["psql", "-XAqt", "-v", "ON_ERROR_STOP=1", "-f", "-", uri or self.uri], sql)

    def state(self):
        tables = self.ask("SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm', 'p') AND (n.nspname !~ '^pg_' OR c.relname IN ('pg_largeobject', 'pg_largeobject_metadata', 'pg_db_role_setting', 'pg_auth_members', 'pg_extension', 'pg_proc', 'pg_cast', 'pg_operator', 'pg_trigger', 'pg_rewrite', 'pg_event_trigger', 'pg_foreign_server', 'pg_replication_slots', 'pg_authid', 'pg_class', 'pg_default_acl')) AND n.nspname <> 'information_schema' ORDER BY 1").split()
        parts = {f"rows of {table}": self.ask(f"SELECT md5(string_agg(r::text, '|' ORDER BY r::text)), count(*) FROM (SELECT t.*::text FROM {table} t) AS s(r)" if table != "pg_catalog.pg_class" else
                                              "SELECT md5(string_agg(concat_ws(' ', oid, relname, relkind, relowner, relacl, relpersistence, reloptions), '|' ORDER BY oid)) FROM pg_class") for table in tables}
        parts["sequences"] = self.ask("SELECT sequencename, last_value FROM pg_sequences ORDER BY 1")
        parts["settings"] = self.ask("SELECT name, setting, source FROM pg_settings WHERE name NOT IN ('application_name') ORDER BY 1")
        parts["locks"] = self.ask("SELECT locktype, count(*) FROM pg_locks WHERE locktype = 'advisory' GROUP BY 1")
        parts["slots and prepared transactions"] = self.ask("SELECT slot_name FROM pg_replication_slots UNION ALL SELECT gid FROM pg_prepared_xacts")
        parts["files"] = names_below(self.ask("SHOW data_directory").strip(), self.own)
        return parts

    def spoil(self):
        self.ask(f"CREATE TABLE spoilt (n int); SELECT nextval('counter'); SELECT lo_put(4711, 0, 'x'); ALTER ROLE {READER} CREATEDB; SELECT pg_advisory_lock(1); CREATE FUNCTION spoilt() RETURNS int LANGUAGE sql AS 'SELECT 1'")
        where = os.path.join(self.ask("SHOW data_directory").strip(), "spoilt")
        self.ask(f"COPY (SELECT 1) TO '{where}'")
        os.unlink(where)
        os.close(os.open(where + ".kept", os.O_CREAT))
        self.spoilt = where + ".kept"
        return {"rows of public.spoilt", "rows of pg_catalog.pg_class", "rows of pg_catalog.pg_largeobject", "rows of pg_catalog.pg_authid", "rows of pg_catalog.pg_proc", "sequences", "files"}

    def end(self):
        if getattr(self, "spoilt", None):
            os.unlink(self.spoilt)
        self.ask(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)", self.server)
        self.ask(f"DROP ROLE IF EXISTS {READER}", self.server)


class MariaDb:
    engine = "mysql"

    def __init__(self, uri, fixture, reader):
        self.user, self.host, self.port = re.search(r"//([^@]+)@([^:/]+):(\d+)", uri).groups()
        self.end()
        self.ask(f"CREATE DATABASE {NAME}")
        with open(fixture) as text:
            self.ask(f"USE {NAME};\n" + text.read())
        self.ask(f"CREATE USER {READER}@'%'; GRANT SELECT ON {NAME}.* TO {READER}@'%'")
        self.source = f"mysql://{READER if reader else self.user}@{self.host}:{self.port}/{NAME}"
        self.environment = {}

    def ask(self, sql):
        return run(["mariadb", "--no-defaults", "--protocol=tcp", "-h", self.host, "-P", self.port, "-u", self.user, "-N", "-B"], sql)

    def state(self):
        tables = self.ask("SELECT concat('`', table_schema, '`.`', table_name, '`') FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('information_schema', 'performance_schema', 'sys') AND table_name NOT IN ('innodb_table_stats', 'innodb_index_stats', 'general_log', 'slow_log') ORDER BY 1").splitlines()
        parts = {"rows": self.ask("CHECKSUM TABLE " + ", ".join(tables)), "relations": self.ask("SELECT table_schema, table_name FROM information_schema.tables ORDER BY 1, 2")}
        parts["settings"] = self.ask("SELECT variable_name, variable_value FROM information_schema.global_variables WHERE variable_name NOT LIKE 'gtid%' AND variable_name NOT LIKE '%timestamp%' ORDER BY 1")
        parts["routines and events"] = self.ask("SELECT routine_schema, routine_name FROM information_schema.routines UNION ALL SELECT event_schema, event_name FROM information_schema.events ORDER BY 1, 2")
        own = ("performance_schema",)
        parts["files"] = names_below(self.ask("SELECT @@datadir").strip(), own) + names_below(self.ask("SELECT @@secure_file_priv").strip() or "/nonexistent")
        return parts

    def spoil(self):
        self.limit = self.ask("SELECT @@global.max_heap_table_size").strip()
        self.ask(f"USE {NAME}; CREATE TABLE spoilt (n int); SET GLOBAL max_heap_table_size = 1048576; CREATE FUNCTION spoilt() RETURNS int RETURN 1")
        return {"rows", "relations", "settings", "routines and events", "files"}

    def end(self):
        if getattr(self, "limit", None):
            self.ask(f"SET GLOBAL max_heap_table_size = {self.limit}")
        self.ask(f"DROP DATABASE IF EXISTS {NAME}; DROP USER IF EXISTS {READER}@'%'")


class SqliteFile:
    engine = "sqlite"

    def __init__(self, folder, fixture):
        self.path, self.environment = os.path.join(folder, "kept.db"), {}
        with sqlite3.connect(self.path) as database, open(fixture) as text:
            database.executescript(text.read())
        self.source = "sqlite:" + self.path

    def state(self):
        return {"bytes": bytes_of(self.path)}

    def spoil(self):
        with sqlite3.connect(self.path) as database:
            database.execute("CREATE TABLE spoilt (n int)")
        return {"bytes"}

    def end(self):
        pass


class DuckFile:
    engine = "duckdb"

    def __init__(self, folder, fixture, library):
        self.path, self.environment = os.path.join(folder, "kept.duckdb"), {"SCHEMAWARD_DUCKDB": library}
        self.source = "duckdb:" + self.path
        self.library = library
        with open(fixture) as text:
            self.ask(text.read())

    def ask(self, script):
        duck, database, session = ctypes.CDLL(self.library), ctypes.c_void_p(), ctypes.c_void_p()
        if duck.duckdb_open(self.path.encode(), ctypes.byref(database)) or duck.duckdb_connect(database, ctypes.byref(session)):
            sys.exit("DuckDB could not open its file")
        if duck.duckdb_query(session, script.encode(), None):
            sys.exit("DuckDB refused the script")
        duck.duckdb_disconnect(ctypes.byref(session))
        duck.duckdb_close(ctypes.byref(database))

    def state(self):
        return {"bytes": bytes_of(self.path)}

    def spoil(self):
        self.ask("CREATE TABLE spoilt (n int)")
        return {"bytes"}

    def end(self):
        pass


def attacks(folder, engine):
    for corpus in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
        with open(corpus) as lines:
            for line in lines:
                row = json.loads(line)
                if row["engine"] == engine and row["expect"] in ("refused", "pii"):
                    yield row


def differences(before, after):
    return {part for part in set(before) | set(after) if before.get(part) != after.get(part)}


def comparison_sees(name, target):
    """True when what is changed past the program is seen to have changed."""
    before = target.state()
    spoilt = target.spoil()
    missed = spoilt - differences(before, target.state())
    print(f"{name}: {len(spoilt)} parts changed, {len(missed)} missed {' '.join(sorted(missed))}".rstrip())
    return not missed


def judge(program, name, target, folder, work, policy):
    """True when nothing has changed and nothing was answered."""
    cwd, store = os.path.join(work, "cwd"), os.path.join(work, "store.db")
    os.makedirs(cwd, exist_ok=True)
    environment = {**{k: v for k, v in os.environ.items() if not k.startswith("SCHEMAWARD_")}, "HOME": work, "SCHEMAWARD_POLICY": policy, "SCHEMAWARD_LOG_LEVEL": "off", **target.environment}
    subprocess.run([program, "index", target.source, "--name", "kept", "--store", store], check=True, env=environment, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    before, sent, answered = target.state(), 0, []
    with Server([program, "serve", "--store", store], env=environment, cwd=cwd) as server:
        for row in attacks(folder, target.engine):
            answer = server.call("execute_query", sql=row["sql"])
            sent += 1
            if answer.get("status") not in ("refused", "error", "unstructured"):
                answered.append(row["id"])
    after = target.state()
    changed = sorted(differences(before, after)) + names_below(cwd)
    print(f"{name}: {sent} attacks, {len(answered)} answered, {len(before)} parts compared, {len(changed)} changed {' '.join(answered + changed)}".rstrip())
    return sent > 0 and not answered and not changed


def second_wall(wall, name, target, folder):
    """Prints what only the guard stops. Personal data is left out: no read-only state knows of it."""
    rows = [row for row in attacks(folder, target.engine) if row["expect"] == "refused"]
    before = target.state()
    secret = [target.environment["PGPASSWORD"]] if target.environment else []
    done = run([wall, target.engine, target.source, *secret], "".join(json.dumps(row) + "\n" for row in rows))
    answers = [json.loads(line) for line in done.splitlines()]
    changed = sorted(differences(before, target.state()))
    let_through = sorted({row["idea"] for row, answer in zip(rows, answers) if answer["answered"]})
    print(f"| {name} | {len(rows)} | {sum(not answer['answered'] for answer in answers)} | {sum(answer['answered'] for answer in answers)} | {', '.join(changed) or 'nothing'} |")
    print(f"answered: {'; '.join(let_through)}", file=sys.stderr)
    return len(answers) == len(rows)


def targets(folder, work, readers):
    fixture = os.path.join(folder, "fixture.sql")
    pg, maria, duck = (os.environ.get(f"SCHEMAWARD_{name}") for name in ("TEST_PG15", "TEST_MARIADB", "DUCKDB"))
    for reader in readers:
        who = "a role that reads" if reader else "a superuser"
        if pg:
            yield f"PostgreSQL as {who}", lambda reader=reader: Postgres(pg, fixture, reader)
        if maria:
            yield f"MariaDB as {who}", lambda reader=reader: MariaDb(maria, fixture, reader)
    yield "SQLite", lambda: SqliteFile(work, fixture)
    if duck:
        yield "DuckDB", lambda: DuckFile(work, fixture, duck)


def main():
    spoils, walls = sys.argv[1] == "--spoil", sys.argv[1] == "--second-wall"
    program, *folders = sys.argv[1 + (spoils or walls):]
    program, right = os.path.abspath(program), True
    for folder in folders:
        if not os.path.exists(os.path.join(folder, "fixture.sql")):
            continue
        with tempfile.TemporaryDirectory(prefix="ward-unchanged.") as home:
            # The corpus's own policy, in the profile that refuses: for a server on loopback the default would mask a plain column.
            given, policy = os.path.join(folder, "policy.yaml"), os.path.join(home, "policy.yaml")
            rules = open(given).read() if os.path.exists(given) else "version: 1\n"
            with open(policy, "w") as out:
                out.write(rules if re.search("^profile:", rules, re.M) else rules.rstrip() + "\nprofile: team\n")
            for number, (name, make) in enumerate(targets(folder, home, (False,) if spoils else (False, True))):
                work = os.path.join(home, str(number))
                os.makedirs(work)
                if walls and name in ("SQLite", "DuckDB"):
                    continue
                target = make()
                try:
                    if walls:
                        right = second_wall(program, name, target, folder) and right
                        continue
                    right = (comparison_sees(name, target) if spoils else judge(program, name, target, folder, work, policy)) and right
                finally:
                    target.end()
    sys.exit(0 if right else 1)


main()

#!/usr/bin/env python3
"""Runs every example of the pattern library on real engines, and writes the catalogue.

usage: patterns.py run [--update] [--need ENGINE,...] [ID...]
       patterns.py catalogue [--check]

run        Executes each example on its fixture: SQLite and DuckDB (SCHEMAWARD_DUCKDB, else scripts/duckdb.sh) always, PostgreSQL where
           SCHEMAWARD_TEST_PG15 and MariaDB where SCHEMAWARD_TEST_MARIADB is set. All must give the rows of the file's Result; each
           must have a line in patterns/evidence.jsonl that is about this very statement. --update writes both, and fails where two
           engines differ: the rows are then read line by line by whoever commits them. Exit 1 where something differs.
catalogue  Writes docs/patterns.md; --check: fails where it is not as it would be written.
"""
import contextlib, csv, decimal, hashlib, io, json, os, pathlib, re, sqlite3, subprocess, sys, tempfile, xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/golden"))
FOLDER, CATALOGUE = ROOT / "patterns", ROOT / "docs/patterns.md"
ENGINES = ("duckdb", "mariadb", "postgres", "sqlite")
DIALECT = {"mariadb": "mysql"}
ROWS_MAX = 40  # of an example's result
DECIMALS = 6   # engines round differently beyond


class Pattern:
    """A file of patterns/; src/patterns/pattern.cc reads the same."""

    def __init__(self, path):
        self.path, self.text = path, path.read_text()
        head, body = self.text.split("\n---\n", 1)
        self.head = dict(line.split(": ", 1) for line in head.splitlines()[1:])
        self.id, self.writes = self.head["id"], self.head.get("writes") == "yes"
        self.title = re.search(r"^# (.*)$", body, re.M).group(1)
        self.summary = " ".join(body.split("\n## ", 1)[0].split("\n", 1)[1].split())
        self.sections = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", body, re.M | re.S))
        self.parameters = [[cell.strip() for cell in line.strip("|").split("|")] for line in self.sections["Parameters"].splitlines() if line.startswith("|")][2:]
        self.sql = {}
        for dialects, sql in re.findall(r"^### ([^\n]+)\n\n```sql\n(.*?)\n```$", self.sections["SQL"], re.M | re.S):
            for dialect in dialects.split(", "):
                self.sql[dialect] = sql
        check = re.search(r"```sql\n(.*?)\n```", self.sections.get("Check", ""), re.S)
        self.check = check.group(1) if check else None
        self.result = self.sections["Result"].strip()

    def example(self, sql):
        for name, _, value, _ in self.parameters:
            sql = sql.replace("{" + name + "}", value)
        return sql


def load():
    patterns = [Pattern(path) for path in sorted(FOLDER.glob("*.md"))]
    ids = {p.id for p in patterns}
    for p in patterns:
        assert p.path.stem == p.id, f"{p.path.name}: its id is {p.id}"
        for other in filter(None, p.head.get("related", "").split(", ")):
            assert other in ids, f"{p.id}: related to {other}, which is not there"
    return patterns


def statements(script):
    return [s.strip() for s in re.sub(r"^--.*$", "", script, flags=re.M).split(";\n") if s.strip().strip(";")]


FIXTURES = "\n".join(path.read_text() for path in sorted((FOLDER / "fixtures").glob("*.sql")))


def canonical(cell):
    """One text for what engines print in several ways: null, numbers, booleans, midnight."""
    if cell is None:
        return "null"
    if isinstance(cell, bool):
        return "1" if cell else "0"
    text = str(cell)
    if text in ("t", "true"):
        return "1"
    if text in ("f", "false"):
        return "0"
    if re.fullmatch(r"-?\d+(\.\d+)?([eE][-+]?\d+)?", text):
        number = round(decimal.Decimal(text), DECIMALS).normalize()
        return format(number + 0, "f")
    moment = re.fullmatch(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.0+)?(\+00(:00)?)?", text)
    if moment:
        return moment[1] if moment[2] == "00:00:00" else f"{moment[1]} {moment[2]}"
    return text


# Each engine: version, and ask(statements of writes, a select) -> (names, rows); writes are undone.

class Sqlite:
    name = "sqlite"

    def __init__(self, folder):
        self.db = sqlite3.connect(f"{folder}/patterns.sqlite", isolation_level=None)
        self.db.executescript(FIXTURES)
        self.version = sqlite3.sqlite_version

    def ask(self, writes, select):
        self.db.execute("BEGIN")
        try:
            for statement in writes:
                self.db.execute(statement)
            cursor = self.db.execute(select)
            return [d[0] for d in cursor.description], cursor.fetchall()
        finally:
            self.db.execute("ROLLBACK")

    def close(self):
        self.db.close()


class DuckDb:
    name = "duckdb"

    def __init__(self, folder):
        import duck
        self.file = duck.File(f"{folder}/patterns.duckdb", os.environ.get("SCHEMAWARD_DUCKDB"))
        self.file.ask(*statements(FIXTURES), "SELECT 1", mode="READ_WRITE")
        self.version = self.file.ask("SELECT version()")[0][0]

    def ask(self, writes, select):
        rows = self.file.ask("BEGIN", *writes, select, mode="READ_WRITE")  # closing the file undoes
        return None, rows

    def close(self):
        pass


class Postgres:
    name = "postgres"

    def __init__(self, folder):
        server = os.environ["SCHEMAWARD_TEST_PG15"]
        self.server, self.database = server, f"ward_patterns_{os.getpid()}"
        self.run(server, f"CREATE DATABASE {self.database}")
        self.uri = re.sub(r"/[^/]*$", f"/{self.database}", server)
        self.run(self.uri, FIXTURES)
        self.version = self.ask([], "SHOW server_version")[1][0][0].split()[0]

    @staticmethod
    def run(uri, *sql):
        command = ["psql", "-X", "-q", "--csv", "-P", "null=\x01", "-v", "ON_ERROR_STOP=1", uri]
        done = subprocess.run(command + [part for one in sql for part in ("-c", one)], capture_output=True, text=True)
        if done.returncode:
            raise ValueError(done.stderr.strip())
        return done.stdout

    def ask(self, writes, select):
        out = self.run(self.uri, "SET TimeZone = 'UTC'", "BEGIN", *writes, select, "ROLLBACK")
        names, *rows = list(csv.reader(io.StringIO(out)))
        return names, [[None if cell == "\x01" else cell for cell in row] for row in rows]

    def close(self):
        self.run(self.server, f"DROP DATABASE {self.database} WITH (FORCE)")


class MariaDb:
    name = "mariadb"

    def __init__(self, folder):
        user, host, port = re.match(r"mysql://([^@:]*)(?::[^@]*)?@([^:/]+):(\d+)", os.environ["SCHEMAWARD_TEST_MARIADB"]).groups()
        self.command = ["mariadb", "--no-defaults", "--protocol=tcp", "-h", host, "-P", port, "-u", user, "--xml"]
        self.database = f"ward_patterns_{os.getpid()}"
        self.run(f"CREATE DATABASE {self.database}")
        self.command += [self.database]
        self.run(FIXTURES.replace(" TIMESTAMP", " DATETIME"))  # its TIMESTAMP changes by itself and has a zone
        self.version = self.ask([], "SELECT VERSION()")[1][0][0].split("-")[0]

    def run(self, sql):
        done = subprocess.run(self.command, input=sql, capture_output=True, text=True)
        if done.returncode:
            raise ValueError(done.stderr.strip())
        return done.stdout

    def ask(self, writes, select):
        out = self.run(";\n".join(["SET time_zone = '+00:00'", "START TRANSACTION", *writes, select, "ROLLBACK"]) + ";\n")
        nil = "{http://www.w3.org/2001/XMLSchema-instance}nil"
        rows, names = [], None
        if "<?xml" in out:
            for row in ET.fromstring(out[out.rindex("<?xml"):]).findall("row"):
                names = [field.get("name") for field in row]
                rows.append([None if field.get(nil) == "true" else field.text or "" for field in row])
        return names, rows

    def close(self):
        self.run(f"DROP DATABASE {self.database}")


def engines(folder, needed):
    makers = {"sqlite": Sqlite, "duckdb": DuckDb}
    if os.environ.get("SCHEMAWARD_TEST_PG15"):
        makers["postgres"] = Postgres
    if os.environ.get("SCHEMAWARD_TEST_MARIADB"):
        makers["mariadb"] = MariaDb
    missing = [name for name in needed if name not in makers]
    if missing:
        sys.exit(f"no server for: {', '.join(missing)}")
    return [makers[name](folder) for name in ENGINES if name in makers]


def table(names, rows):
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    return "\n".join(lines + ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows])


def run_one(pattern, engine):
    """The result as a table of Markdown without its head, the number of rows, and the hash of what ran."""
    sql = pattern.example(pattern.sql[DIALECT.get(engine.name, engine.name)])
    writes = [s.strip() for s in sql.split(";\n")] if pattern.writes else []
    writes = [w.rstrip(";") for w in writes]
    select = pattern.example(pattern.check) if pattern.writes else sql
    names, rows = engine.ask(writes, select)
    rows = [[canonical(cell) for cell in row] for row in rows]
    if not 0 < len(rows) <= ROWS_MAX:
        raise ValueError(f"{len(rows)} rows")
    return names, rows, hashlib.sha256("\n".join([*writes, select]).encode()).hexdigest()


def run(arguments):
    update = "--update" in arguments
    needed = next((arguments[i + 1].split(",") for i, a in enumerate(arguments) if a == "--need"), [])
    wanted = [a for i, a in enumerate(arguments) if not a.startswith("--") and (i == 0 or arguments[i - 1] != "--need")]
    patterns, faults, ran = load(), [], 0
    evidence_file = FOLDER / "evidence.jsonl"
    evidence = {(e["pattern"], e["engine"]): e for e in map(json.loads, evidence_file.read_text().splitlines())}
    with tempfile.TemporaryDirectory(prefix="ward_patterns_") as folder, contextlib.ExitStack() as stack:
        there = engines(folder, needed)
        for engine in there:
            stack.callback(engine.close)
        for pattern in patterns:
            if wanted and pattern.id not in wanted:
                continue
            results, lines = {}, {}
            for engine in there:
                if DIALECT.get(engine.name, engine.name) not in pattern.sql:
                    continue
                try:
                    names, rows, statement = run_one(pattern, engine)
                except Exception as why:  # an engine's own words
                    faults.append(f"{pattern.id} on {engine.name}: {str(why)[:400]}")
                    continue
                ran += 1
                results[engine.name] = (names, rows)
                lines[engine.name] = {"pattern": pattern.id, "engine": engine.name, "version": engine.version, "rows": len(rows), "statement": statement}
            names = next((n for n, _ in results.values() if n), None)
            texts = {name: table(names, rows) for name, (_, rows) in results.items()}
            if len(set(texts.values())) > 1:
                faults += [f"{pattern.id}: engines differ"] + [f"  {name}:\n{text}" for name, text in texts.items()]
                continue
            if not texts:
                continue
            text = next(iter(texts.values()))
            if update:
                pattern.path.write_text(re.sub(r"^## Result\n.*?(?=^## )", lambda _: f"## Result\n\n{text}\n\n", pattern.text, flags=re.M | re.S))
                evidence.update({(pattern.id, name): line for name, line in lines.items()})
                continue
            if text != pattern.result:
                faults.append(f"{pattern.id}: the result is\n{text}\nnot\n{pattern.result}")
            for name, line in lines.items():
                known = evidence.get((pattern.id, name))
                if known is None or (known["rows"], known["statement"]) != (line["rows"], line["statement"]):
                    faults.append(f"{pattern.id} on {name}: the evidence is not of this statement")
    names = {p.id: p for p in patterns}
    expected = {(p.id, e) for p in patterns for e in ENGINES if DIALECT.get(e, e) in p.sql}
    if update:
        kept = [line for key, line in sorted(evidence.items()) if key in expected]
        evidence_file.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in kept))
    elif not wanted:
        faults += [f"{i} on {e}: there is no evidence" for i, e in sorted(expected - set(evidence))]
        faults += [f"{i} on {e}: there is evidence of nothing" for i, e in sorted(set(evidence) - expected)]
    print("\n".join(faults + [f"{len(patterns)} patterns, {ran} executions on {', '.join(e.name + ' ' + e.version for e in there)}, {len(faults)} faults"]))
    return 1 if faults else 0


def catalogue(arguments):
    patterns, by = load(), {}
    for p in patterns:
        by.setdefault(p.head["category"], []).append(p)
    evidence = [json.loads(line) for line in (FOLDER / "evidence.jsonl").read_text().splitlines()]
    on = {p.id: ", ".join(f"{e['engine']} {e['version']}" for e in evidence if e["pattern"] == p.id) for p in patterns}
    lines = ["<!-- Generated by scripts/patterns.py catalogue; do not edit. -->", "# SQL patterns", "",
             f"{len(patterns)} patterns in {len(by)} categories, {len(evidence)} executions that gave the result each file states. "
             "`search_patterns` finds one, `get_pattern` gives it and writes it for an indexed source.", ""]
    for category in sorted(by):
        lines += [f"## {category}", "", "| Pattern | Difficulty | What it answers | Ran on |", "|---|---|---|---|"]
        lines += [f"| **{p.title}** [`{p.id}`](../patterns/{p.id}.md) | {p.head['difficulty']} | {p.summary} | {on[p.id]} |" for p in by[category]] + [""]
    text = "\n".join(lines)
    if "--check" in arguments:
        if not CATALOGUE.exists() or CATALOGUE.read_text() != text:
            print("docs/patterns.md is not what patterns/ says: run scripts/patterns.py catalogue")
            return 1
        return 0
    CATALOGUE.write_text(text)
    return 0


if __name__ == "__main__":
    commands = {"run": run, "catalogue": catalogue}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    sys.exit(commands[sys.argv[1]](sys.argv[2:]))

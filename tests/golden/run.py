#!/usr/bin/env python3
"""Asks every question of questions.py through `schemaward serve` and compares with the hand-written oracles.

usage: tests/golden/run.py [--program build/dev/bin/schemaward] [--set company|bank] [--engine sqlite|postgres|mariadb|duckdb] [--only ID] [--show]

SQLite needs nothing; npm brings DuckDB's library; PostgreSQL 15 or MariaDB is started on loopback in a temporary folder. Standard library only.
"""
import argparse, json, os, pathlib, re, sqlite3, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(ROOT / "scripts"))
import bank_data, bank_questions, data, duck, questions
from mcp_stdio import Server

os.environ["SCHEMAWARD_POLICY"] = str(pathlib.Path(__file__).resolve().parent / "policy.yaml")

TOLERANCE = 1e-9


def split_arguments(text):
    depth, parts, at = 0, [], 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(text[at:i].strip())
            at = i + 1
    return parts + [text[at:].strip()]


def find_call(sql, names):
    """The innermost call of one of the names: (start, end, name, arguments)."""
    found = None
    for m in re.finditer(r"\b(" + "|".join(names) + r")\(", sql):
        depth = 1
        i = m.end()
        while depth:
            depth += (sql[i] == "(") - (sql[i] == ")")
            i += 1
        inner = sql[m.end():i - 1]
        if not re.search(r"\b(" + "|".join(names) + r")\(", inner):
            return m.start(), i, m.group(1), split_arguments(inner)
    return found


SQLITE = {
    "day": lambda x: f"date({x})", "week": lambda x: f"date({x}, 'weekday 0', '-6 days')", "month": lambda x: f"date({x}, 'start of month')",
    "quarter": lambda x: f"date({x}, 'start of month', '-' || ((CAST(strftime('%m', {x}) AS integer) - 1) % 3) || ' months')", "year": lambda x: f"date({x}, 'start of year')",
    "days": lambda x, n: f"date({x}, ({n}) || ' days')", "hours": lambda x, n: f"datetime({x}, ({n}) || ' hours')", "ts": lambda x: f"({x} || 'T00:00:00Z')",
    "yearback": lambda x: f"date({x}, '-1 year')", "monthback": lambda x: f"date({x}, '-1 month')", "days_between": lambda a, b: f"(julianday({b}) - julianday({a}))",
}
PERIOD = lambda word: lambda x: f"to_char(date_trunc('{word}', local({x})), 'YYYY-MM-DD')"
POSTGRES = {
    "day": PERIOD("day"), "week": PERIOD("week"), "month": PERIOD("month"), "quarter": PERIOD("quarter"), "year": PERIOD("year"),
    "days": lambda x, n: f"to_char(local({x}) + ({n}) * interval '1 day', 'YYYY-MM-DD')", "hours": lambda x, n: f"(local({x}) + ({n}) * interval '1 hour')",
    "ts": lambda x: f"(({x}) || 'T00:00:00Z')::timestamptz", "yearback": lambda x: f"to_char(({x})::date - interval '1 year', 'YYYY-MM-DD')", "monthback": lambda x: f"to_char(({x})::date - interval '1 month', 'YYYY-MM-DD')",
    "days_between": lambda a, b: f"(extract(epoch FROM ({b}) - ({a})) / 86400.0)",
}
# The oracles' session is in UTC and quotes names with double quotes; `||` joins. Functions are in capitals where their names are words here.
MARIADB = {
    "day": lambda x: f"date_format({x}, '%Y-%m-%d')", "week": lambda x: f"date_format(subdate({x}, weekday({x})), '%Y-%m-%d')", "month": lambda x: f"date_format({x}, '%Y-%m-01')",
    "quarter": lambda x: f"concat(YEAR({x}), '-', lpad(QUARTER({x}) * 3 - 2, 2, '0'), '-01')", "year": lambda x: f"date_format({x}, '%Y-01-01')",
    "days": lambda x, n: f"date_format(date_add({x}, INTERVAL ({n}) DAY), '%Y-%m-%d')", "hours": lambda x, n: f"date_add({x}, INTERVAL ({n}) HOUR)",
    "ts": lambda x: f"CAST({x} AS datetime)", "yearback": lambda x: f"date_format(date_sub({x}, INTERVAL 1 YEAR), '%Y-%m-%d')", "monthback": lambda x: f"date_format(date_sub({x}, INTERVAL 1 MONTH), '%Y-%m-%d')",
    "days_between": lambda a, b: f"(timestampdiff(SECOND, {a}, {b}) / 86400.0)",
}
WORDS = {"sqlite": SQLITE, "postgres": POSTGRES, "mariadb": MARIADB, "duckdb": duck.WORDS}
# What `day` and the like take: an instant, a time without a zone, a date or a text, as its time in UTC.
POSTGRES_PREPARE = """
CREATE FUNCTION local(timestamptz) RETURNS timestamp LANGUAGE sql AS $$ SELECT $1 AT TIME ZONE 'UTC' $$;
CREATE FUNCTION local(timestamp) RETURNS timestamp LANGUAGE sql AS $$ SELECT $1 $$;
CREATE FUNCTION local(date) RETURNS timestamp LANGUAGE sql AS $$ SELECT $1::timestamp $$;
CREATE FUNCTION local(text) RETURNS timestamp LANGUAGE sql AS $$ SELECT $1::timestamp $$;
"""


def expand(sql, engine):
    words = WORDS[engine]
    while (call := find_call(sql, list(words))) is not None:
        start, end, name, arguments = call
        sql = sql[:start] + words[name](*arguments).replace("date_trunc(", "date_trunc\x00(").replace("date(", "date\x00(").replace("datetime(", "datetime\x00(") + sql[end:]
    return sql.replace("\x00", "")


class Sqlite:
    name = "sqlite"

    def __init__(self, folder, script):
        self.path = f"{folder}/golden.db"
        self.db = sqlite3.connect(self.path)
        self.db.executescript(script("sqlite"))

    source = property(lambda self: self.path)

    def rows(self, sql):
        return [list(r) for r in self.db.execute(sql)]

    def close(self):
        self.db.close()


class Postgres:
    name = "postgres"

    def __init__(self, folder, script):
        self.home = f"{folder}/server"
        os.chmod(folder, 0o755)
        self.source = subprocess.run([str(ROOT / "scripts/postgres.sh"), "start", "15", self.home], check=True, capture_output=True, text=True).stdout.strip()
        self.psql(script("postgres"))
        self.prepare = POSTGRES_PREPARE.replace("CREATE FUNCTION local", "CREATE OR REPLACE FUNCTION pg_temp.local")

    def psql(self, sql):
        return subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", self.source], input=sql, check=True, capture_output=True, text=True).stdout

    def rows(self, sql):
        body = sql.replace("local(", "pg_temp.local(")
        out = self.psql(self.prepare + f"SET TimeZone = 'UTC'; SELECT coalesce(json_agg(row_to_json(t)), '[]') FROM ({name_columns(body)}) AS t;")
        return [list(r.values()) for r in json.loads(out)]

    def close(self):
        subprocess.run([str(ROOT / "scripts/postgres.sh"), "stop", self.home], check=False)


class OracleError(Exception):
    """A hand-written statement that the engine does not take."""


class MariaDb:
    name = "mariadb"
    PIN = "SET NAMES utf8mb4, sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT', time_zone = '+00:00', div_precision_increment = 16; "

    def __init__(self, folder, script):
        self.home = f"{folder}/server"
        os.chmod(folder, 0o755)
        server = subprocess.run([str(ROOT / "scripts/mariadb.sh"), "start", self.home], check=True, capture_output=True, text=True).stdout.strip()
        self.port = re.search(r":(\d+)/", server).group(1)
        self.sql("CREATE DATABASE golden COLLATE utf8mb4_bin", None)
        self.sql(script("mariadb"))
        self.source = server + "golden"

    def sql(self, text, database="golden"):
        place = ["-h", "127.0.0.1", "-P", self.port, "-u", "schemaward"] + ([database] if database else [])
        ran = subprocess.run(["mariadb", "--no-defaults", "--protocol=tcp", "--batch", "--raw", "--skip-column-names", *place], input=self.PIN + text, capture_output=True, text=True)
        if ran.returncode != 0:
            raise OracleError(f"{ran.stderr.strip()} in {text}")
        return ran.stdout

    def rows(self, sql):
        sql = re.sub(r"'(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)Z'", r"'\1 \2'", sql)
        sql = re.sub(r"\bbefore\b", '"before"', sql)  # a reserved word there
        sql = re.sub(r"/ (2\b|10 AS)", r"DIV \1", sql)  # of whole numbers: `/` keeps the fraction there
        columns = ", ".join(f"c{i}" for i in range(WIDTH[0]))
        out = self.sql(f"WITH q ({columns}) AS ({sql}) SELECT json_array({columns}) FROM q;")
        return [json.loads(line) for line in out.splitlines()]

    def close(self):
        subprocess.run([str(ROOT / "scripts/mariadb.sh"), "stop", self.home], check=False)


class DuckDb(duck.DuckDb):
    def __init__(self, folder, script):
        super().__init__(folder, script("postgres"))  # it knows the same types
        os.environ["SCHEMAWARD_DUCKDB"] = self.library

    def rows(self, sql):
        try:
            return super().rows(sql, WIDTH[0])
        except ValueError as error:
            raise OracleError(str(error)) from error


ENGINES = {"sqlite": Sqlite, "postgres": Postgres, "mariadb": MariaDb, "duckdb": DuckDb}


def name_columns(sql):
    """Rows as JSON need different column names."""
    width = WIDTH[0]
    return f"SELECT * FROM ({sql}) AS q ({', '.join(f'c{i}' for i in range(width))})"


WIDTH = [0]


def plain(value):
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def same(a, b):
    a, b = plain(a), plain(b)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= TOLERANCE * max(1.0, abs(a), abs(b))
    return a == b


def key(row):
    return [(v is None, f"{plain(v):.6f}" if isinstance(plain(v), (int, float)) else str(v)) for v in row]


def equal(got, expected, ordered):
    if len(got) != len(expected):
        return False
    if not ordered:
        got, expected = sorted(got, key=key), sorted(expected, key=key)
    return all(len(g) == len(e) and all(map(same, g, e)) for g, e in zip(got, expected))


def judge(question, answer, engine):
    """None where the answer is right, else what is wrong."""
    if "kind" in question:
        if answer.get("status") not in ("error", "refused"):
            return f"answered {answer.get('status')} with {json.dumps((answer.get('data') or {}).get('rows'))[:200]}, not {question['kind']}"
        error = answer["error"]
        if error["kind"] != question["kind"]:
            return f"{error['kind']} ({error['message']}), not {question['kind']}"
        return None
    if answer.get("status") != question["status"] or answer.get("degradation_reason") != question["reason"]:
        return f"status {answer.get('status')}/{answer.get('degradation_reason')}, not {question['status']}/{question['reason']}: {json.dumps(answer.get('error'))[:300]}"
    got = answer["data"]["rows"]
    WIDTH[0] = len(answer["data"]["columns"])
    oracle = question["oracle"]
    try:
        expected = oracle if isinstance(oracle, list) else engine.rows(expand(oracle, engine.name))
    except OracleError as error:
        return f"the oracle fails: {error}"
    if equal(got, expected, question["ordered"]):
        return None
    only_got = [r for r in got if not any(all(map(same, r, e)) for e in expected)]
    only_expected = [e for e in expected if not any(all(map(same, r, e)) for r in got)]
    return f"got {len(got)} rows, expected {len(expected)}; only got {only_got[:4]}, only expected {only_expected[:4]}"


def follow(server, question, answer):
    """A refusal's next call must answer."""
    recovery = answer["error"]["recovery"]
    for tool, args in [(recovery["suggested_tool"], recovery["suggested_args"])]:
        next_answer = server.call(tool, **args)
        if next_answer.get("status") in ("error", "refused") or "status" not in next_answer:
            return f"the suggested call {tool} {json.dumps(args)} answers {json.dumps(next_answer.get('error'))[:200]}"
    return None


SETS = {  # name: tables, definitions, questions
    "company": (data.tables, "model", questions.QUESTIONS),
    "bank": (bank_data.tables, "bank", bank_questions.QUESTIONS),
}


def ask_all(options, tables, model, asked):
    """How many of the questions of one set are answered wrong."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        engine = ENGINES[options.engine](folder, lambda name: data.script(name, tables))
        try:
            store = f"{folder}/store.db"
            for step in (["index", engine.source, "--name", "golden"], ["apply", str(HERE / model)]):
                subprocess.run([options.program, *step, "--store", store], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with Server([options.program, "serve", "--store", store]) as server:
                for question in asked:
                    answer = server.call("get_metric", **question["args"])
                    wrong = judge(question, answer, engine)
                    if wrong is None and "kind" in question:
                        wrong = follow(server, question, answer)
                    if options.show:
                        print(json.dumps(answer, indent=1))
                    if wrong:
                        failed += 1
                        print(f"{question['id']}: {question['what']}: {wrong}")
        finally:
            engine.close()
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / "build/dev/bin/schemaward"))
    parser.add_argument("--engine", choices=list(ENGINES), default="sqlite")
    parser.add_argument("--set", choices=list(SETS))
    parser.add_argument("--only")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    ids = [q["id"] for _, _, listed in SETS.values() for q in listed]
    assert len(ids) == len(set(ids)), "an id stands twice"
    failed = count = 0
    for name, (tables, model, listed) in SETS.items():
        asked = [q for q in listed if not options.only or q["id"].startswith(options.only)]
        if asked and options.set in (None, name):
            count += len(asked)
            failed += ask_all(options, tables, model, asked)
    print(f"{count - failed} of {count} equal or refused as expected ({options.engine})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

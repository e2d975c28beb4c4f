#!/usr/bin/env python3
"""Planted facts: warehouses whose numbers are known, and scripted models that explore them and verify true and false claims about them, well and badly.

usage: planted.py --program schemaward [--engine sqlite,postgres] [--tables 30,400,4000] [--naming english,abbreviated,turkish] [--json]
       planted.py --program schemaward --token-table [--tables 400,4000]
       planted.py --program schemaward --report FILE

--token-table: what the slices of a prompt cost, in estimated tokens, with a window that holds the whole catalog. --report: one exploration of the
smallest warehouse, with claims at its end, as the Markdown report that `runs export` writes.

Each claim goes through `schemaward insights verify`. What the models reply is decided here; what comes of it is not. Reported: false confirms
(a false claim confirmed), false rejects (a true claim adjusted or rejected), verdicts other than those that the behaviour must lead to, queries
that failed inside the engine (a made-up column must be stopped before it), budgets, and tokens against sending every table's columns each time.
Exit code 1 where one of these is not as it must be.
"""
import argparse, collections, itertools, json, os, pathlib, random, shutil, sqlite3, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUDGET = 30  # src/explore/limits.h: calls of lookup_schema, and of search_tables, in a run
WINDOW = 16000
GROWTH = (10, 20, 40, 80)  # steps of runs whose largest prompts are compared
ROUNDS = 6  # src/verify/limits.h: kRoundsMax; one forced round follows
NAMES = {
    "english": dict(order="sales_order", customer="customer", o_id="order_id", o_customer="customer_id", status="status", cents="amount_cents", c_id="customer_id",
                    city="city", day="placed_on", filler="item", field="value"),
    "abbreviated": dict(order="SHDR", customer="CST", o_id="SHDRNO", o_customer="CSTREF", status="STSCD", cents="AMTCT", c_id="CSTNO", city="CTYCD", day="PLCDT",
                        filler="TX", field="FLD"),
    "turkish": dict(order="sipari\u015f", customer="m\u00fc\u015fteri", o_id="sipari\u015f_no", o_customer="m\u00fc\u015fteri_no", status="durum", cents="tutar_kuru\u015f",
                    c_id="m\u00fc\u015fteri_no", city="\u015fehir", day="tarih", filler="kalem", field="alan"),
}
STATUSES = ("open", "paid", "cancelled")
CITIES = ("Ankara", "Bursa", "Izmir", "Kiel")


def quoted(name):
    return '"' + name + '"'


class Sqlite:
    """A database that is a file. Statements are collected and run at once."""
    schema = "main"

    def __init__(self, folder):
        self.source = folder / "facts.db"

    def run(self, statements):
        with sqlite3.connect(self.source) as database:
            database.executescript("BEGIN;" + ";\n".join(statements) + ";COMMIT;")

    def value(self, sql):
        with sqlite3.connect(self.source) as database:
            return str(database.execute(sql).fetchone()[0])

    def close(self):
        pass


class Postgres:
    """A server of its own, on loopback, gone with the run."""
    schema = "public"

    def __init__(self, folder):
        self.home = tempfile.mkdtemp(prefix="ward-planted-pg.")
        os.chmod(self.home, 0o755)
        self.home += "/server"
        self.source = subprocess.run([ROOT / "scripts/postgres.sh", "start", "15", self.home], check=True, capture_output=True, text=True).stdout.strip()

    def psql(self, sql):
        return subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", self.source], input=sql, check=True, capture_output=True, text=True).stdout.strip()

    def run(self, statements):
        self.psql("BEGIN;" + ";\n".join(statements) + ";COMMIT;")

    def value(self, sql):
        return self.psql(sql)

    def close(self):
        subprocess.run([ROOT / "scripts/postgres.sh", "stop", self.home], check=False)
        shutil.rmtree(os.path.dirname(self.home), ignore_errors=True)


ENGINES = {"sqlite": Sqlite, "postgres": Postgres}


def insert(table, rows):
    values = ", ".join("(" + ", ".join(str(value) if isinstance(value, int) else f"'{value}'" for value in row) + ")" for row in rows)
    return f"INSERT INTO {table} VALUES {values}"


class Warehouse:
    """Two tables that hold the facts and others that hold nothing of interest."""

    def __init__(self, database, naming, tables, seed):
        self.names, self.tables, self.schema, chance = NAMES[naming], tables, database.schema, random.Random(seed)
        n = self.n = {key: quoted(name) for key, name in self.names.items()}
        made = [f"CREATE TABLE {n['customer']} ({n['c_id']} INTEGER PRIMARY KEY, {n['city']} TEXT NOT NULL)",
                f"CREATE TABLE {n['order']} ({n['o_id']} INTEGER PRIMARY KEY, {n['o_customer']} INTEGER NOT NULL REFERENCES {n['customer']} ({n['c_id']}), "
                f"{n['status']} TEXT NOT NULL, {n['cents']} INTEGER NOT NULL, {n['day']} TEXT NOT NULL)"]
        rows = [insert(n["customer"], [(i, chance.choice(CITIES)) for i in range(1, 61)]),
                insert(n["order"], [(i, chance.randint(1, 60), chance.choices(STATUSES, (5, 3, 2))[0], chance.randint(100, 90000), f"2026-{chance.randint(1, 12):02}-01")
                                    for i in range(1, chance.randint(700, 900))])]
        for i in range(tables - 2):
            columns = ", ".join(quoted(f"{self.names['field']}_{chance.randint(0, 99999)}_{c}") + " INTEGER" for c in range(chance.randint(4, 14)))
            made.append(f"CREATE TABLE {quoted(self.names['filler'] + '_' + format(i, '05'))} ({columns})")
        database.run(made + rows)
        self.dump_bytes = sum(map(len, made))
        self.facts = [Fact(name, about, sql, database.value(sql)) for name, about, sql in self.questions()]

    def questions(self):
        n = self.n
        return [
            ("orders", "orders in all", f"SELECT count(*) AS verified FROM {n['order']}"),
            ("cancelled", "orders with status cancelled", f"SELECT count(*) AS verified FROM {n['order']} WHERE {n['status']} = 'cancelled'"),
            ("lost", "orders with status lost", f"SELECT count(*) AS verified FROM {n['order']} WHERE {n['status']} = 'lost'"),
            ("bursa", "cents of orders from Bursa", f"SELECT sum(o.{n['cents']}) AS verified FROM {n['order']} o JOIN {n['customer']} c ON c.{n['c_id']} = o.{n['o_customer']} WHERE c.{n['city']} = 'Bursa'"),
            ("buyers", "customers with more than 14 orders", f"SELECT count(*) AS verified FROM (SELECT {n['o_customer']} FROM {n['order']} GROUP BY {n['o_customer']} HAVING count(*) > 14) t"),
            ("share", "share of cancelled orders", f"SELECT 1.0 * sum(CASE WHEN {n['status']} = 'cancelled' THEN 1 ELSE 0 END) / count(*) AS verified FROM {n['order']}"),
        ]


class Fact:
    def __init__(self, name, about, sql, value):
        self.name, self.about, self.sql = name, about, sql
        self.true = f"{float(value):.2f}" if "." in value else value

    def false(self):
        """Claims that are wrong: by one, by a tenth, by a power of ten, to nothing, to something."""
        if "." in self.true:
            return [f"{float(self.true) + by:.2f}" for by in (0.01, 0.1, 0.5)]
        value = int(self.true)
        return [str(wrong) for wrong in {value + 1, value + value // 10 + 2, value * 10 + 10, 0} - {value}]


def query(sql):
    return json.dumps({"thinking": "as the claim says", "query": sql})


class Models:
    """Replies of a model that verifies `claim`, and the verdicts they must lead to. A model that mends is the same one, so its replies stand between."""

    def __init__(self, warehouse, fact, claim):
        n = warehouse.n
        self.fact, self.claim, self.is_true = fact, claim, claim == fact.true
        self.lookup = json.dumps({"lookup_schema": [warehouse.schema + "." + warehouse.names[table] for table in ("order", "customer")]})
        self.made_up = [f"SELECT count(invented_column) AS verified FROM {n['order']}", f"SELECT count(o.\"TARIiH\") AS verified FROM {n['order']} o"]
        self.cheat = f"SELECT {claim} AS verified FROM {n['order']} LIMIT 1"
        self.bent = f"SELECT {fact.true} + ({claim} - {fact.true}) AS verified FROM {n['order']} LIMIT 1"
        self.other = f"SELECT count(*) + 123457 AS verified FROM {n['customer']}"

    def decided(self):
        """The verdict of a model that asks rightly."""
        if self.is_true:
            return "confirmed"
        return "rejected" if float(self.fact.true) == 0 or float(self.claim) == 0 else "adjusted"

    def asks(self):
        """Its query, and the second look that a contradiction asks for."""
        return [query(self.fact.sql)] * (1 if self.is_true else 2)

    def behaviours(self):
        right, decided = query(self.fact.sql), self.decided()
        yield "honest", self.asks(), decided
        yield "looks up first", [self.lookup] + self.asks(), decided
        yield "looks up again and again", [self.lookup] * ROUNDS + self.asks(), decided
        yield "only looks up", [self.lookup] * (ROUNDS + 1), "error"
        yield "prose", [f"The claim of {self.claim} is right: {self.fact.sql}"] * (ROUNDS + 1), "error"
        yield "says that it is done", ['{"done": true, "summary": "confirmed"}'] * (ROUNDS + 1), "error"
        yield "loses its JSON", ['{"query": "SELECT count(', "<think>" + right] + self.asks(), decided
        yield "makes a column up, mends it", [query(self.made_up[0]), right] + self.asks()[1:], decided
        yield "makes quoted columns up for ever", [reply for i in range(ROUNDS + 1) for reply in
                                                  [query(self.made_up[1])] + [query(self.made_up[1] + f" WHERE {i} < {k}") for k in range(5)]], "error"
        yield "selects the claim", [query(self.cheat)] * (ROUNDS + 1), "unverifiable"
        yield "changes its mind to something else", [query(self.other), right], "unverifiable"
        if not self.is_true:
            yield "bends its second query", [right, query(self.bent)], "unverifiable"
            yield "has no second query", [right, "It is wrong."], "unverifiable"


class Ward:
    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), folder
        kept = {key: value for key, value in os.environ.items() if not key.startswith("SCHEMAWARD_")}
        self.environment = {**kept, "HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}

    def run(self, *arguments, codes=(0,)):
        done = subprocess.run([self.program, *map(str, arguments), "--store", str(self.folder / "store.db")], capture_output=True, text=True, timeout=900,
                              env=self.environment, cwd=self.folder)
        if done.returncode not in codes:
            sys.exit(f"{' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout


def cases_of(warehouse):
    """(behaviour, models, replies, verdict), true claims and false ones."""
    for number, fact in enumerate(warehouse.facts):
        claims = [fact.true] + fact.false()
        for claim in claims:
            models = Models(warehouse, fact, claim)
            for name, replies, verdict in models.behaviours():
                # Everything at every claim would be thousands of runs of the same; the costly behaviours take a fact in three.
                if len(replies) > 6 and number % 3 != claims.index(claim) % 3:
                    continue
                yield name, models, replies, verdict


def measure(program, database, naming, tables, folder):
    ward = Ward(program, folder)
    warehouse = Warehouse(database, naming, tables, seed=f"{naming}{tables}")
    ward.run("index", database.source, "--name", "facts", "--no-suggest")
    cases = list(cases_of(warehouse))
    steps = [{"step": i + 1, "action": {"query": fact.sql, "query_purpose": fact.about}, "statement": fact.sql, "rows": 1, "error": ""} for i, fact in enumerate(warehouse.facts)]
    insights = [{"id": str(i), "name": models.fact.name, "description": f"There are {models.claim} {models.fact.about}.", "claimed_metric": models.fact.about,
                 "affected_count": models.claim,
                 # Every second insight cites nothing and starts from lookups.
                 "source_steps": [warehouse.facts.index(models.fact) + 1] if i % 2 == 0 else []} for i, (_, models, _, _) in enumerate(cases)]
    report = {"naming": naming, "tables": tables, "claims": 0, "true": 0, "false_confirms": 0, "false_rejects": 0, "unexpected": [], "exhausted": 0, "calls": 0,
              "input_tokens": 0, "verdicts": collections.Counter()}
    begun = time.monotonic()
    for first in range(0, len(cases), 400):
        part = cases[first:first + 400]
        (folder / "replies.json").write_text(json.dumps([reply for _, _, replies, _ in part for reply in replies]))
        (folder / "insights.json").write_text(json.dumps({"steps": steps, "insights": insights[first:first + 400]}))
        answer = json.loads(ward.run("insights", "verify", "insights.json", "--model", "scripted:replies.json", "--json", codes=(0, 1)))
        report["exhausted"] += answer["counters"]["verification_budget_exhausted"]
        report["input_tokens"] += answer["input_tokens"]
        report["calls"] += sum(len(replies) for _, _, replies, _ in part)
        for (name, models, _, expected), got in zip(part, answer["validations"], strict=True):
            verdict = got["validation"]["status"]
            report["claims"] += 1
            report["true"] += models.is_true
            report["verdicts"][verdict] += 1
            report["false_confirms"] += verdict == "confirmed" and not models.is_true
            report["false_rejects"] += verdict in ("adjusted", "rejected") and models.is_true
            if verdict != expected or got["validation"]["rounds"] > ROUNDS:
                report["unexpected"].append(f"{name}: {models.fact.name} = {models.claim}: {verdict}, not {expected}: {got['validation']['reasons']}")
    report["seconds"] = round(time.monotonic() - begun, 1)
    must_exhaust = sum(name in ("only looks up", "prose", "says that it is done") for name, _, _, _ in cases)
    if report["exhausted"] != must_exhaust:
        report["unexpected"].append(f"{report['exhausted']} exhausted budgets, not {must_exhaust}")
    # A query that the guard let through and the engine could not run would be a made-up name that reached it.
    records = [json.loads(line) for line in ward.run("audit", "export").splitlines()]
    ends = collections.Counter(record.get("reason") or "none" for record in records if record["kind"] == "end" and record.get("tool", "execute_query") == "execute_query")
    report["failed_in_engine"] = ends["sql_runtime"] + ends["internal_error"] + ends["object_gone"]
    report["stopped_before_engine"] = ends["sql_unknown_name"]
    explore(ward, warehouse, report)
    report["tokens_a_call"] = round(report["input_tokens"] / report["calls"])
    report["dump_tokens_a_call"] = round(warehouse.dump_bytes / 3.5)  # every table with its columns, as CREATE statements; about 3.5 bytes a token
    report["share_of_dump"] = round(report["tokens_a_call"] / report["dump_tokens_a_call"], 4)
    report["explore_share_of_dump"] = round(report["explore_tokens_a_call"] / report["dump_tokens_a_call"], 4)
    return report


def explored(ward, replies, steps_max=400):
    (ward.folder / "replies.json").write_text(json.dumps(replies))
    return json.loads(ward.run("explore", "what is sold?", "--model", "scripted:replies.json", "--window", WINDOW, "--max-steps", steps_max, "--json"))


def explore(ward, warehouse, report):
    """Explorations whose models overrun every budget and make columns up: what is charged, and how prompts grow."""
    n = warehouse.n
    tables = [warehouse.names["filler"] + "_" + format(i, "05") for i in range(warehouse.tables - 2)]
    lookups = [json.dumps({"lookup_schema": [f"{warehouse.schema}.{name}"]}) for name in tables[:BUDGET - 2]] + [json.dumps({"lookup_schema": ["nowhere.nothing"]})] * 2
    good = query(f"SELECT {n['status']}, count(*) AS n FROM {n['order']} GROUP BY 1 ORDER BY 1")
    bad = query(f"SELECT max(invented) AS n FROM {n['order']}")
    search = json.dumps({"search_tables": warehouse.names["order"]})
    done = '{"done": true, "summary": "done"}'
    run = explored(ward, lookups + [lookups[0]] * 3 + [search] * (BUDGET + 4) + ["lost { words"] + [bad, "no JSON", "nor here", good] * 5 + [bad, good, done])
    failed = collections.Counter(step["action"] and next(iter(k for k in ("lookup_schema", "search_tables", "query") if k in step["action"]), "done") for step in run["steps"] if step["error"])
    expect = {"status": "completed", "schema_lookup_calls": BUDGET + 3, "schema_search_calls": BUDGET + 4, "queries_failed": 5, "queries_successful": 6, "queries_repaired": 1, "repairs": 6, "unparsable_replies": 1}
    for key, value in expect.items():
        if run[key] != value:
            report["unexpected"].append(f"explore: {key} is {run[key]}, not {value}")
    # The budget goes before what was shown: once it is gone even a table that is known is refused.
    if failed != collections.Counter(lookup_schema=3, search_tables=4, query=5):
        report["unexpected"].append(f"explore: what failed: {dict(failed)}")
    growth = [explored(ward, [good] * steps + [done])["largest_prompt_tokens"] for steps in GROWTH]
    report["prompt_growth"] = dict(zip(GROWTH, growth))
    if any(tokens > WINDOW for tokens in growth + [run["largest_prompt_tokens"]]):
        report["unexpected"].append(f"explore: a prompt outgrew the window: {growth}")
    slope = (growth[1] - growth[0]) / (GROWTH[1] - GROWTH[0])
    for (before, after), (low, high) in zip(zip(growth, growth[1:]), zip(GROWTH, GROWTH[1:])):
        if after - before > 1.2 * slope * (high - low) + 50:
            report["unexpected"].append(f"explore: prompts grow faster than by their steps: {growth}")
    report["explore_tokens_a_call"] = round(run["input_tokens"] / (len(run["steps"]) + run["unparsable_replies"] + 11))  # 11 replies that mend


def token_table(program, tables, folder):
    """What each slice of a prompt costs, as differences of the same run with one reply more."""
    ward = Ward(program, folder)
    warehouse = Warehouse(Sqlite(folder), "english", tables, seed=f"english{tables}")
    # Sample rows are read once for all runs, and not before each of them.
    ward.run("index", folder / "facts.db", "--name", "facts", "--no-suggest", "--sample", 3)
    done = '{"done": true, "summary": "done"}'
    n = warehouse.n
    replies = {"lookup of 1 table": json.dumps({"lookup_schema": ["main.sales_order"]}),
               "lookup of 10 tables": json.dumps({"lookup_schema": [f"main.item_{i:05}" for i in range(10)]}),
               "search": json.dumps({"search_tables": "orders of customers"}),
               "query of 3 rows": query(f"SELECT {n['status']}, count(*) AS n FROM {n['order']} GROUP BY 1 ORDER BY 1"),
               "query of 200 rows, digested": query(f"SELECT * FROM {n['order']} ORDER BY 1 LIMIT 200")}

    def largest(steps):
        (folder / "replies.json").write_text(json.dumps(steps + [done]))
        return json.loads(ward.run("explore", "what is sold?", "--model", "scripted:replies.json", "--window", 1_000_000, "--json"))["largest_prompt_tokens"]
    alone = largest([])
    rows = {"system prompt with the catalog": alone, "every table with its columns": round(warehouse.dump_bytes / 3.5)}
    rows.update({f"step: {name}": largest([reply]) - alone for name, reply in replies.items()})
    rows["prompt of step 100, all queries of 3 rows"] = largest([replies["query of 3 rows"]] * 98)
    return rows


def report_of(program, folder):
    ward = Ward(program, folder)
    warehouse = Warehouse(Sqlite(folder), "english", 30, seed="english30")
    ward.run("index", folder / "facts.db", "--name", "facts", "--no-suggest")
    facts = {fact.name: fact for fact in warehouse.facts}

    def claim(words, step, value):
        return {"claim": words, "figures": [{"value": value, "kind": "cell", "of": {"step": step, "column": "verified"}}]}
    replies = [json.dumps({"search_tables": "orders of customers"}), json.dumps({"lookup_schema": ["sales_order", "customer"]}),
               query(facts["orders"].sql), query(facts["cancelled"].sql), query(f"SELECT max(invented) FROM {warehouse.n['order']}"), query(facts["share"].sql),
               json.dumps({"query": f"SELECT {warehouse.n['status']}, count(*) AS n FROM {warehouse.n['order']} GROUP BY 1 ORDER BY 1"}),
               json.dumps({"done": True, "summary": "About a fifth of the orders are cancelled.", "claims": [
                   claim(f"There are {facts['orders'].true} orders", 3, facts["orders"].true), claim("200 orders are cancelled", 4, "200"),
                   claim("No order is cancelled", 4, "0"), claim(f"The share is {facts['share'].true}", 6, facts["share"].true)]})]
    # The made-up column is mended by the same model, which gives the statement that follows.
    replies.insert(5, query(f"SELECT max({warehouse.n['cents']}) AS most FROM {warehouse.n['order']}"))
    (folder / "replies.json").write_text(json.dumps(replies))
    run = json.loads(ward.run("explore", "How many orders are cancelled?", "--model", "scripted:replies.json", "--window", WINDOW, "--json"))
    return ward.run("runs", "export", run["run_id"])


def faults_of(report):
    faults = list(report["unexpected"][:10])
    for what in ("false_confirms", "false_rejects", "failed_in_engine"):
        if report[what]:
            faults.append(f"{report[what]} {what}")
    if not report["stopped_before_engine"]:
        faults.append("no made-up column was stopped: the benchmark measures nothing")
    for what in ("share_of_dump", "explore_share_of_dump"):
        if report["tables"] >= 4000 and report[what] > 0.2:
            faults.append(f"{what}: a call costs {report[what]} of a dump")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--engine", default="sqlite", help="sqlite, postgres or both")
    parser.add_argument("--tables", default="30", help="numbers of tables, each at least 30")
    parser.add_argument("--naming", default=",".join(NAMES))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--token-table", action="store_true")
    parser.add_argument("--report", metavar="FILE")
    options = parser.parse_args()
    if options.token_table:
        for tables in map(int, options.tables.split(",")):
            with tempfile.TemporaryDirectory(prefix="ward-planted.") as folder:
                print(f"{tables} tables: {json.dumps(token_table(options.program, tables, pathlib.Path(folder)))}")
        return 0
    if options.report:
        with tempfile.TemporaryDirectory(prefix="ward-planted.") as folder:
            pathlib.Path(options.report).write_text(report_of(options.program, pathlib.Path(folder)))
        return 0
    failed = False
    cases = itertools.product(options.engine.split(","), map(int, options.tables.split(",")), options.naming.split(","))
    for engine, tables, naming in cases:
        with tempfile.TemporaryDirectory(prefix="ward-planted.") as folder:
            database = ENGINES[engine](pathlib.Path(folder))
            try:
                report = {"engine": engine, **measure(options.program, database, naming, tables, pathlib.Path(folder))}
            finally:
                database.close()
        faults = faults_of(report)
        failed |= bool(faults)
        if options.json:
            print(json.dumps(report))
        else:
            print(f"{engine:8} {tables:5} tables, {naming:11}: {report['claims']} claims ({report['true']} true), false confirms {report['false_confirms']}, false rejects {report['false_rejects']}, "
                  f"columns made up that reached the engine {report['failed_in_engine']} of {report['failed_in_engine'] + report['stopped_before_engine']}, budgets exhausted {report['exhausted']}, "
                  f"{report['tokens_a_call']} tokens a call ({100 * report['share_of_dump']:.1f} % of a dump), {report['seconds']} s; {dict(report['verdicts'])}; exploring {report['explore_tokens_a_call']} tokens a call "
                  f"({100 * report['explore_share_of_dump']:.1f} %), largest prompts by steps {report['prompt_growth']}")
        for fault in faults:
            print(f"FAULT {engine}, {naming}, {tables} tables: {fault}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

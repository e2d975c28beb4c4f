#!/usr/bin/env python3
"""Reviews valid queries that are not part of the project, where they are at hand, each beside the schema that it was written for.

usage: corpora.py PROGRAM DATA_FOLDER [--list]

DATA_FOLDER holds guard/ (benign.jsonl, fixture.sql) and retrieval/ (spider_dev.jsonl, spider_union.sql). Every query is reviewed twice: alone, and
against its schema (for Spider a SQLite file of each database, for the others the fixture). A query's name is its id, or spider- and its line, from 0.
Prints the figures: queries, statements, findings by severity and rule; with --list every finding of high severity and its query, to be judged by hand.
Exit 1 where a query gives a syntax finding or one that is not analysed, a name that is said not to exist, a finding of high severity that is not in
checked.jsonl (the findings judged by hand, by rule and query), or where more than 2 in 100 of those judged are wrong; 77, with a message, where the
data is absent. Standard library only.
"""
import collections, json, os, pathlib, sqlite3, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "guard"))

WRONG_MAX = 0.02
NEVER = {"syntax-error", "not-read", "unknown-table", "unknown-column", "unknown-schema"}


class Set:
    """Queries of one dialect and one schema. `location`: what to index."""

    def __init__(self, name, dialect, location):
        self.name, self.dialect, self.location, self.queries = name, dialect, location, []


def benign_sets(guard):
    sets = {}
    with open(guard / "benign.jsonl") as lines:
        for row in map(json.loads, lines):
            one = sets.setdefault(row["engine"], Set(f"benign_{row['engine']}", row["engine"], f"ddl:{guard / 'fixture.sql'}"))
            one.queries.append((row["id"], row["sql"]))
    return sets.values()


def spider_sets(data, folder):
    from shared_corpora import tables_by_database
    tables = tables_by_database((data / "spider_union.sql").read_text())
    sets = {}
    with open(data / "spider_dev.jsonl") as lines:
        for number, row in enumerate(map(json.loads, lines)):
            name = row["database"]
            if name not in sets:
                path = folder / f"{name}.db"
                connection = sqlite3.connect(path)
                for statement in tables[name]:
                    connection.execute(statement)
                connection.commit()
                connection.close()
                sets[name] = Set(name, "sqlite", f"sqlite:{path}")
            sets[name].queries.append((f"spider-{number}", row["sql"]))
    return sets.values()


class Reviewer:
    def __init__(self, program, folder):
        self.program, self.folder, self.store = program, folder, ["--store", str(folder / "store.db")]
        self.environment = {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder), "XDG_DATA_HOME": str(folder)}

    def run(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments), *self.store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=self.environment, cwd=self.folder)
        if done.returncode not in (0, 1):
            sys.exit(f"{arguments}: exit {done.returncode}: {done.stderr}")
        return done.stdout

    def review(self, one, has_schema):
        """[(query's name, finding)] and the number of statements."""
        script = self.folder / f"{one.name}.sql"
        script.write_text("\n;\n".join(text.rstrip().rstrip(";") for _, text in one.queries) + "\n")  # a comment may end a query
        more = ["--source", one.name] if has_schema else []
        said = json.loads(self.run("review", script, "--dialect", one.dialect, "--format", "json", *more))["files"][0]
        return [(one.queries[f["statement"] - 1][0], f) for f in said["findings"]], said["statements"]


def figures(title, sets, findings, statements):
    severities = collections.Counter(f["severity"] for _, f in findings)
    rules = collections.Counter((f["rule"], f["severity"]) for _, f in findings)
    print(f"{title}: {sum(len(s.queries) for s in sets)} queries, {statements} statements, {len(findings)} findings "
          f"({', '.join(f'{severities[s]} {s}' for s in ('high', 'medium', 'low'))})")
    for (rule, severity), count in sorted(rules.items(), key=lambda item: (-item[1], item[0])):
        print(f"  {count:5} {severity:6} {rule}")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--list"]
    program, shared = os.path.abspath(arguments[0]), pathlib.Path(arguments[1])
    if not (shared / "guard/benign.jsonl").exists() or not (shared / "retrieval/spider_union.sql").exists():
        print("skipped: the shared data is not at hand")
        sys.exit(77)
    checked_file = pathlib.Path(__file__).with_name("checked.jsonl")
    verdicts = {(row["query"], row["rule"]): row["right"] for row in map(json.loads, checked_file.read_text().splitlines())}
    faults = []
    with tempfile.TemporaryDirectory(prefix="ward-review.") as name:
        folder = pathlib.Path(name).resolve()
        reviewer = Reviewer(program, folder)
        sets = [*spider_sets(shared / "retrieval", folder), *benign_sets((shared / "guard").resolve())]
        texts = {query: text for one in sets for query, text in one.queries}
        high = {}
        for has_schema in (False, True):
            found, statements = [], 0
            for one in sets:
                if has_schema:
                    reviewer.run("index", one.location, "--name", one.name, "--no-suggest")
                its, count = reviewer.review(one, has_schema)
                found += its
                statements += count
                if count != len(one.queries):
                    faults.append(f"{one.name}: {len(one.queries)} queries are read as {count} statements")
            figures("with schema" if has_schema else "alone", sets, found, statements)
            faults += [f"{query}: {f['rule']}: {f['message']}: {texts[query]}" for query, f in found if f["rule"] in NEVER]
            high.update({(query, f["rule"]): f for query, f in found if f["severity"] == "high"})
    if "--list" in sys.argv:
        for (query, rule), finding in sorted(high.items(), key=lambda item: (item[0][1], item[0][0])):
            print(f"{query} {rule}: {finding['message']}\n    {texts[query]}")
    faults += [f"{query}: {rule} is of high severity and was not judged: {texts[query]}" for query, rule in sorted(high) if (query, rule) not in verdicts]
    wrong = sum(not verdicts.get(key, True) for key in high)
    print(f"high severity: {len(high)}, judged wrong: {wrong} ({100 * wrong / max(len(high), 1):.1f} in 100)")
    if wrong > WRONG_MAX * len(high):
        faults.append("too many findings of high severity are wrong")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Judges what may be read of the views in schema scripts that are not part of the project: all columns of each view, each single column, and the
count of its rows, under profile team and under a policy that blocks the floor only.

usage: real_views.py PROGRAM FOLDER [--list]

FOLDER holds schema scripts; those of PostgreSQL (*.sql) that make views are read. Prints the counts as a table (that of docs/security.md), then the views that are
refused for another reason, whole or in part; with --list also each statement that is refused, and why. Exit 1 where what is not among OPAQUE is refused for
anything but personal data or a count of rows is not accepted, where what is among OPAQUE is accepted or is in no script (then take it out), or
where the floor-only policy refuses what profile team accepts; 77, with a message, where no script makes views. Standard library only.
"""
import collections, glob, json, os, re, subprocess, sys, tempfile

FLOOR = "version: 1\ncategories:\n" + "".join(f"  {name}: allow\n" for name in (
    "contact", "financial", "health", "genetic", "biometric", "behavioral", "online_identifier", "location", "demographic_protected"))
POLICIES = {"team": "version: 1\nprofile: team\n", "floor": FLOOR}
SHAPES = ("all columns", "each single column", "count of rows")
# What functions of the database make, whose reading nobody knows: columns of a view, or a view as a whole (WHOLE).
WHOLE = None
OPAQUE = {"sales.vsalespersonsalesbyfiscalyears": WHOLE, "public.film_list": {"actors"}, "public.nicer_but_slower_film_list": {"actors"}}


def run(program, *words):
    return subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def indexed(program, script, store, *schema):
    """What the program says of the script when it has read one schema of it, or all of them where none is named."""
    done = run(program, "index", "ddl:" + script, "--store", store, "--name", "views", "--no-suggest", "--json", *(f"--schema={name}" for name in schema))
    if "has no table in schema" in done.stderr:
        return {"added_names": []}
    if done.returncode != 0:
        sys.exit(f"{script}: {done.stderr}")
    return json.loads(done.stdout)["summary"]


def views_of(program, script, folder):
    """{(schema, view): [columns]} as the program reads them from the script, schema by schema, since the names told of one index are bounded."""
    with open(script) as text:
        content = text.read()
    if not re.search(r"(?im)^\s*create (?:or replace )?(?:materialized )?view\b", content):
        return {}
    whole = indexed(program, script, os.path.join(folder, "whole.db"))
    schemas = {"public", *(name.lower() for name in re.findall(r"(?im)^\s*create schema (?:if not exists )?(\w+)", content))}
    found = {}
    for schema in sorted(schemas):
        store = os.path.join(folder, schema + ".db")
        for name in indexed(program, script, store, schema)["added_names"]:
            told = run(program, "call", "describe_table", "--store", store, json.dumps({"qualified_name": "views." + name}))
            table = json.loads(told.stdout)["data"]
            if "view" in table["kind"]:
                if len(table["columns"]) != table["column_count"]:
                    sys.exit(f"{script}: {name} has more columns than are told")
                found[table["schema_name"], table["name"]] = [column["name"] for column in table["columns"]]
    if len(found) != whole["views"]:
        sys.exit(f"{script}: {whole['views']} views, of which {len(found)} were found")
    return found


def statements_of(views):
    """(view, shape, column or none, statement) for each statement."""
    for (schema, view), columns in sorted(views.items()):
        name, source = f"{schema}.{view}", f"{quoted(schema)}.{quoted(view)}"
        yield name, SHAPES[0], None, f"SELECT * FROM {source}"
        for column in columns:
            yield name, SHAPES[1], column, f"SELECT {quoted(column)} FROM {source}"
        yield name, SHAPES[2], None, f"SELECT count(*) FROM {source}"


def judged(program, script, statements, policy, folder):
    """The verdict on each statement, in their order."""
    corpus, rules = os.path.join(folder, "corpus.jsonl"), os.path.join(folder, "policy.yaml")
    with open(corpus, "w") as out:
        out.writelines(json.dumps({"id": str(number), "engine": "postgres", "expect": "accepted", "sql": sql}) + "\n"
                       for number, (*_, sql) in enumerate(statements))
    with open(rules, "w") as out:
        out.write(policy)
    done = run(program, "guard", "test", corpus, "--dsn", "ddl:" + script, "--policy", rules, "--json")
    if not done.stdout.strip():
        sys.exit(f"{script}: {done.stderr}")
    return json.loads(done.stdout)


def is_opaque(view, shape, column):
    """Whether a function of the database makes what is asked for, or some of it."""
    hidden = OPAQUE.get(view, ())
    return hidden is WHOLE or column in hidden or bool(hidden and shape == SHAPES[0])


def faults(view, shape, column, verdicts):
    """What is wrong with the verdicts of one statement, one for each policy."""
    opaque = is_opaque(view, shape, column)
    for policy, verdict in verdicts.items():
        if opaque and verdict["verdict"] == "accepted":
            yield f"{policy}: accepted, though it is among OPAQUE"
        if not opaque and (verdict["verdict"] == "refused" or shape == SHAPES[2] and verdict["verdict"] != "accepted"):
            yield f"{policy}: {verdict['kind']}: {verdict['message']}"
    if verdicts["team"]["verdict"] == "accepted" != verdicts["floor"]["verdict"]:
        yield "the floor-only policy refuses what profile team accepts"


def main():
    program, folder = (word for word in sys.argv[1:] if word != "--list")
    counts, wrong, opaque, lines = collections.Counter(), [], set(), []
    for script in sorted(glob.glob(os.path.join(folder, "*.sql"))):
        with tempfile.TemporaryDirectory(prefix="ward-views.") as scratch:
            views = views_of(program, script, scratch)
            statements = list(statements_of(views))
            by_policy = {policy: judged(program, script, statements, text, scratch) for policy, text in POLICIES.items()} if views else {}
        for number, (view, shape, column, sql) in enumerate(statements):
            verdicts = {policy: answers[number] for policy, answers in by_policy.items()}
            wrong += [f"{sql}: {fault}" for fault in faults(view, shape, column, verdicts)]
            for policy, verdict in verdicts.items():
                counts[os.path.basename(script), len(views), policy, shape, verdict["verdict"]] += 1
                if verdict["verdict"] != "accepted":
                    lines.append(f"{policy}: {sql}: {verdict['kind']}: {verdict['message']}")
                if verdict["verdict"] == "refused":
                    opaque.add(view)
    if not counts:
        print("skipped: no schema with views is at hand")
        sys.exit(77)
    wrong += [f"{view}: among OPAQUE, and in no script" for view in OPAQUE if view not in opaque]
    print("| script, views | policy | asked for | accepted | refused as personal data | refused for another reason |\n|---|---|---|---|---|---|")
    for script, views, policy, shape in sorted({key[:4] for key in counts}, key=lambda key: (key[0], key[2] == "floor", SHAPES.index(key[3]))):
        numbers = (str(counts[script, views, policy, shape, verdict]) for verdict in ("accepted", "pii", "refused"))
        print(f"| {script}, {views} | {policy} | {shape} | {' | '.join(numbers)} |")
    print("refused for another reason, whole or in part:", ", ".join(sorted(opaque)))
    print("\n".join((lines if "--list" in sys.argv else []) + ["FAULT " + fault for fault in wrong]))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

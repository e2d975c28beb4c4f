#!/usr/bin/env python3
"""Judges corpora that are not part of the project, where they are at hand: attacks and benign statements with their own fixture and policy, and the
1,034 queries of Spider's development set under a policy that blocks the floor only.

usage: shared_corpora.py PROGRAM DATA_FOLDER

DATA_FOLDER holds guard/ (attacks.jsonl, benign.jsonl, fixture.sql, policy.yaml) and retrieval/ (spider_union.sql, spider_dev.jsonl). For Spider one
SQLite file is made for each database, from the tables of its schema; sqlite_sequence is left out; every query must be accepted and run. Prints
what is judged otherwise, then the counts; exit 1 where something was; 77, with a message, where the data is absent. Standard library only.
"""
import json, os, re, sqlite3, subprocess, sys, tempfile

POLICY = "version: 1\ncategories:\n" + "".join(f"  {name}: allow\n" for name in (
    "contact", "financial", "health", "genetic", "biometric", "behavioral", "online_identifier", "location", "demographic_protected"))


def tables_by_database(script):
    """{database: [CREATE TABLE statements without the schema]}"""
    found = {}
    for statement in re.split(r";\s*\n", script):
        match = re.match(r'\s*create\s+table\s+("?)([^".\s]+)\1\.("(?:[^"]|"")+"|\S+)\s*(\(.*)', statement, re.S | re.I)
        if match:
            name = match.group(3)
            if name.strip('"').lower() != "sqlite_sequence":
                found.setdefault(match.group(2), []).append(f"CREATE TABLE {name} {match.group(4)}")
    return found


def judge_attacks(program, folder):
    """True when every line of both corpora is judged as it expects."""
    right = True
    for corpus in ("attacks", "benign"):
        done = subprocess.run([program, "guard", "test", os.path.join(folder, corpus + ".jsonl"), "--fixture", os.path.join(folder, "fixture.sql"),
                               "--policy", os.path.join(folder, "policy.yaml")], stdout=subprocess.PIPE, text=True)
        print(f"{corpus}:\n{done.stdout}")
        right = right and done.returncode == 0
    return right


def main():
    program, shared = sys.argv[1:3]
    data, guard = os.path.join(shared, "retrieval"), os.path.join(shared, "guard")
    union, dev = (os.path.join(data, name) for name in ("spider_union.sql", "spider_dev.jsonl"))
    if not (os.path.exists(union) and os.path.exists(dev) and os.path.exists(guard)):
        print("skipped: the shared data is not at hand")
        sys.exit(77)
    attacks_right = judge_attacks(program, guard)
    with open(union) as text:
        tables = tables_by_database(text.read())
    cases = {}
    with open(dev) as lines:
        for number, line in enumerate(lines):
            row = json.loads(line)
            cases.setdefault(row["database"], []).append({"id": f"spider-{number}", "engine": "sqlite", "expect": "accepted", "sql": row["sql"]})
    right = total = failed = 0
    with tempfile.TemporaryDirectory(prefix="ward-spider.") as folder:
        policy = os.path.join(folder, "policy.yaml")
        with open(policy, "w") as out:
            out.write(POLICY)
        for database, queries in sorted(cases.items()):
            path = os.path.join(folder, database + ".db")
            connection = sqlite3.connect(path)
            for statement in tables[database]:
                connection.execute(statement)
            connection.commit()
            connection.close()
            corpus = os.path.join(folder, database + ".jsonl")
            with open(corpus, "w") as out:
                out.writelines(json.dumps(query) + "\n" for query in queries)
            answer = subprocess.run([program, "guard", "test", corpus, "--engine", "sqlite", "--dsn", "sqlite:" + path, "--policy", policy, "--json"],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if not answer.stdout.strip():
                sys.exit(f"{database}: {answer.stderr}")
            for query, verdict in zip(queries, json.loads(answer.stdout)):
                total += 1
                right += verdict["right"]
                failed += bool(verdict["ran"])
                if not verdict["right"] or verdict["ran"]:
                    print(f"{database} {verdict['id']}: {verdict['kind']} {verdict['message']} {verdict['ran']}\n    {query['sql']}")
    print(f"{right} of {total} accepted; {failed} of them failed in the engine")
    sys.exit(0 if attacks_right and right == total and failed == 0 else 1)


if __name__ == "__main__":
    main()

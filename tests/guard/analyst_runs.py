#!/usr/bin/env python3
"""Runs the analyst's statements of SQLite on a file that has their tables: each must be accepted, and the engine must take it.

usage: analyst_runs.py PROGRAM ANALYST_FOLDER

Prints what is refused or fails, then the count; exit 1 where anything was. Standard library only.
"""
import json, os, sqlite3, subprocess, sys, tempfile


def main():
    program, folder = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="ward-analyst.") as work:
        path = os.path.join(work, "shop.db")
        connection = sqlite3.connect(path)
        with open(os.path.join(folder, "fixture.sql")) as script:
            connection.executescript(script.read())
        connection.close()
        done = subprocess.run([program, "guard", "test", os.path.join(folder, "sqlite.jsonl"), "--engine", "sqlite", "--dsn", "sqlite:" + path, "--json"],
                              stdout=subprocess.PIPE, text=True)
    report = json.loads(done.stdout)
    wrong = [one for one in report if not one["right"] or one["ran"]]
    for one in wrong:
        print(one["id"], one["kind"], one["message"], one["ran"])
    print(f"{len(report)} statements, {len(wrong)} refused or failed")
    sys.exit(1 if wrong or not report else 0)


if __name__ == "__main__":
    main()

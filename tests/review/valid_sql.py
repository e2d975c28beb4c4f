#!/usr/bin/env python3
"""Valid statements of many forms, a file a dialect, are read: none is said to be no SQL, and each ends where it ends.

usage: valid_sql.py PROGRAM

A form that is not analysed is allowed where it is in NOT_ANALYSED; how many are is printed. Broken statements, below, are findings of syntax.
Standard library only.
"""
import json, os, pathlib, subprocess, sys, tempfile

NOT_ANALYSED = {"postgres": 1, "mysql": 0, "sqlite": 1, "duckdb": 0}
BROKEN = {
    "postgres": ["SELECT FROM FROM t", "SELEC * FROM t", "SELECT a, FROM t", "SELECT a FROM t GROUP id", "INSERT INTO t VALUES (1", "UPDATE t SET WHERE a = 1",
                 "CREATE TABLE t (id int,)", "CREATE TABLE t (id int name text)", "CREATE TABEL t (id int)", "ALTER TABLE t ADD COLUM a int int", "DROP TABLE",
                 "GRANT SELECT t TO joe", "VACUUM garbage garbage", "SELECT 'open", "SELECT a b c FROM t", "SELECT * FROM t LIMIT 5, 10", "SELECT `a` FROM t",
                 "SELECT TOP 10 * FROM t", "DECLARE @x INT"],
    "mysql": ["SELECT a, FROM t", "SELECT a FROM t WHERE AND b = 1", "INSERT INTO t (a VALUES (1)", "SELECT * FROM t ORDER a", "CREATE TABLE t (a INT,, b INT)",
              "CREATE TABLE t (a INT b INT)", "SELECT a b c FROM t", "CRATE TABLE t (a INT)", "SELECT IF(a, b FROM t", "SELECT \"open FROM t", "DELETE t WHERE a = 1"],
    "sqlite": ["SELECT * FORM t", "CREATE TABLE t (a, b,)", "INSERT t VALUES (1)", "UPDATE t SET a = WHERE b", "ALTER TABLE t MODIFY a INT", "DROP TABEL t"],
    "duckdb": ["SELECT * FORM t", "SELECT a FROM t WHERE", "CREATE TABLE t (a INT b INT)", "SELECT {a: } FROM t", "PIVOTT t ON a"],
}
# Where no grammar is at hand and a form may be one that the reader does not know: said to be not read, never to be wrong.
UNSURE = {"mysql": ["SELECT U&'d!0061ta' UESCAPE '!' FROM t", "SELECT a FROM t QUALIFY a > 1 WINDOW"],
          "duckdb": ["INSERT INTO t VALUE (1)", "SELECT a FROM t MATCH_RECOGNIZE (ORDER BY a)"]}


def review(program, folder, dialect, *paths):
    command = [program, "review", *map(str, paths), "--dialect", dialect, "--json", "--fail-on", "never", "--store", str(folder / "store.db")]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env={**os.environ, "HOME": str(folder)})
    if done.returncode != 0:
        sys.exit(f"{dialect}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["files"]


def faults_of(program, folder, dialect):
    path = pathlib.Path(__file__).resolve().parent / "valid" / f"{dialect}.sql"
    [said] = review(program, folder, dialect, path)
    expected = int(path.read_text().split()[1])
    lines = path.read_text().splitlines()
    wrong = [f for f in said["findings"] if f["rule"] == "syntax-error"]
    not_analysed = [f for f in said["findings"] if f["rule"] == "not-read"]
    print(f"{dialect}: {said['statements']} statements, {len(wrong)} said to be wrong, {len(not_analysed)} not analysed")
    faults = [f"{dialect}: line {f['range']['startLine']}: {f['message']}: {lines[f['range']['startLine'] - 1][:200]}" for f in wrong]
    if said["statements"] != expected:
        faults.append(f"{dialect}: {expected} statements are read as {said['statements']}")
    if len(not_analysed) > NOT_ANALYSED[dialect]:
        faults += [f"{dialect}: line {f['range']['startLine']} is not analysed: {lines[f['range']['startLine'] - 1][:200]}" for f in not_analysed]
    paths = []
    for number, text in enumerate(BROKEN[dialect]):
        paths.append(folder / f"{dialect}{number}.sql")
        paths[-1].write_text(text)
    for text, file in zip(BROKEN[dialect], review(program, folder, dialect, *paths)):
        if not any(f["rule"] == "syntax-error" for f in file["findings"]):
            faults.append(f"{dialect}: no finding of syntax: {text}")
    return faults + unsure_of(program, folder, dialect)


def unsure_of(program, folder, dialect):
    paths = []
    for number, text in enumerate(UNSURE.get(dialect, [])):
        paths.append(folder / f"unsure_{dialect}{number}.sql")
        paths[-1].write_text(text)
    said = review(program, folder, dialect, *paths) if paths else []
    return [f"{dialect}: said to be {[f['rule'] for f in file['findings']]}: {text}" for text, file in zip(UNSURE.get(dialect, []), said)
            if "not-read" not in [f["rule"] for f in file["findings"]] or "syntax-error" in [f["rule"] for f in file["findings"]]]


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="ward-valid.") as name:
        faults = [fault for dialect in BROKEN for fault in faults_of(program, pathlib.Path(name), dialect)]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Reviews valid queries that are not part of the project, where they are at hand: none may give a syntax finding, one that is not analysed, or
one of high severity.

usage: corpora.py PROGRAM DATA_FOLDER

DATA_FOLDER holds guard/benign.jsonl and retrieval/spider_dev.jsonl. Exit 1 where a finding is wrong, with it; 77, with a message, where the data is
absent. Standard library only.
"""
import json, os, subprocess, sys, tempfile


def main():
    program, data = sys.argv[1:3]
    spider, benign = os.path.join(data, "retrieval", "spider_dev.jsonl"), os.path.join(data, "guard", "benign.jsonl")
    if not (os.path.exists(spider) and os.path.exists(benign)):
        print("skipped: the shared data is not at hand")
        sys.exit(77)
    queries = {}
    for path in (spider, benign):
        with open(path) as lines:
            for row in map(json.loads, lines):
                queries.setdefault(row.get("engine") or "sqlite", []).append(row["sql"].rstrip().rstrip(";"))
    right = True
    for dialect, texts in sorted(queries.items()):
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
            script.write("\n;\n".join(texts) + "\n")  # a comment may end a query
            script.flush()
            done = subprocess.run([program, "review", script.name, "--dialect", dialect, "--format", "json"], stdout=subprocess.PIPE, text=True)
        result = json.loads(done.stdout)["files"][0]
        wrong = [f for f in result["findings"] if f["severity"] == "high" or f["rule"] in ("syntax-error", "not-read")]
        print(f"{dialect}: {len(texts)} queries, {result['statements']} statements, {len(result['findings'])} findings, {len(wrong)} wrong")
        for finding in wrong:
            print(f"  {finding['rule']}: {finding['message']}: {texts[finding['statement'] - 1]}")
        right = right and not wrong and result["statements"] == len(texts) and done.returncode == 0
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()

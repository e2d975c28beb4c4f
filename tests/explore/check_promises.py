#!/usr/bin/env python3
"""Holds README.md beside this file: each test that it names must be there. usage: check_promises.py [ROOT]

Suite.Name        TEST, TEST_F or TEST_P in a *_test.cc or in the conformance suite
Suite.Name/Case   the same, and a row {"Case", ...} in that file
file.py: name     a function of a script in tests/e2e or tests/explore
Every row must name a test or another table. Prints what is missing; exit code 1 where something is.
"""
import pathlib, re, sys

TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)")
NAMED = re.compile(r"`([^`]+)`")


def tests_of(root):
    """{"Suite.Name": the text of its file}"""
    found = {}
    for path in sorted([*(root / "src").rglob("*_test.cc"), *(root / "src/connect/conformance").rglob("*.cc")]):
        text = path.read_text()
        found.update({f"{suite}.{name}": text for suite, name in TEST.findall(text)})
    return found


def missing(root, name, tests):
    if ": " in name:
        file, function = name.split(": ")
        paths = [root / folder / file for folder in ("tests/e2e", "tests/explore")]
        return not any(p.exists() and re.search(rf"^\s*def {re.escape(function)}\(", p.read_text(), re.M) for p in paths)
    test, _, case = name.partition("/")
    return test not in tests or bool(case) and not re.search(rf'{{\s*(?:\.name = )?"{re.escape(case)}",', tests[test])


def main(args):
    root = pathlib.Path(args[0] if args else pathlib.Path(__file__).parents[2]).resolve()
    tests, faults, rows = tests_of(root), [], 0
    for line in (root / "tests/explore/README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or cells[-1] in ("held by", "---"):
            continue
        rows += 1
        names = NAMED.findall(cells[-1])
        faults += [f"{cells[0]}: no test {name}" for name in names if missing(root, name, tests)]
        if not names and "table of this page" not in cells[-1]:
            faults.append(f"{cells[0]}: no test")
    print("\n".join(faults + [f"{rows} promises, {len(faults)} faults"]))
    return 1 if faults or not rows else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Ties the contract to its tests, and the error kinds to their pages.

usage: check_contract.py [--list] [ROOT]

Sentences  docs/contract.md numbers them: [R-XXX-n]. A test names those it proves in a comment that ends with `COVERS: R-XXX-n R-YYY-m`.
           Every sentence needs a test, or a line `R-XXX-n why` in tests/contract_pending.txt. A pending sentence may be proven in part.
Kinds      src/base/error_kinds.def lists them. Each needs docs/errors/<kind>.md. Unless that page has the line `Not produced yet.`,
           a test must say `MAKES: kind` or `MAKES: kind/reason`, or expect "kind/reason" in C++, or "kind":"<kind>" in a wire
           transcript. While that
           test is being written, a line `kind why` in tests/contract_pending.txt keeps the peace.
Prints what is missing, one line each; exit 1 when something is. --list prints each sentence with the files that prove it.
"""
import pathlib, re, sys

SENTENCE = re.compile(r"^\s*(?:[-*]\s+)?\**\[(R-[A-Z]+-\d+)\]", re.M)
COVERS = re.compile(r"\bCOVERS:((?:[ ,]+R-[A-Z]+-\d+)+)")
MAKES = re.compile(r"\bMAKES:((?:[ ,]+[a-z_]+(?:/[a-z_]+)?)+)")
WIRE_KIND = re.compile(r'\\?"kind\\?":\s*\\?"([a-z_]+)\\?"')
KIND_EXPECTED = re.compile(r'"([a-z_]+/[a-z_]+)"')
ROW = re.compile(r'^WARD_ERROR\(\w+,\s*"(\w+)",\s*"(\w+)"', re.M)
NOT_YET = "Not produced yet."


def tests_of(root):
    """Every file in which a test may stand."""
    folders = [("src", "*_test.cc"), ("tests", "*"), ("fuzz", "*.cc")]
    for folder, pattern in folders:
        yield from sorted(p for p in (root / folder).rglob(pattern) if p.is_file() and p.suffix in (".cc", ".h", ".py", ".sh", ".jsonl", ".test", ".txt"))


def main(args):
    root = pathlib.Path(next((a for a in args if not a.startswith("--")), ".")).resolve()
    faults, covered, made = [], {}, set()
    for path in tests_of(root):
        text = path.read_text(errors="replace")
        for found in COVERS.findall(text):
            for sentence in re.findall(r"R-[A-Z]+-\d+", found):
                covered.setdefault(sentence, set()).add(path.relative_to(root).as_posix())
        for found in MAKES.findall(text):
            made.update(re.findall(r"[a-z_/]+", found))
        if path.suffix == ".cc":
            made.update(KIND_EXPECTED.findall(text))
        if path.suffix == ".jsonl":
            made.update(k for line in text.splitlines() if line.startswith("<") for k in WIRE_KIND.findall(line))

    contract = root / "docs/contract.md"
    sentences = SENTENCE.findall(contract.read_text()) if contract.exists() else []
    faults += [f"docs/contract.md: {s} is numbered twice" for s in sorted({s for s in sentences if sentences.count(s) > 1})]
    pending_file = root / "tests/contract_pending.txt"
    lines = pending_file.read_text().splitlines() if pending_file.exists() else []
    pending = {line.split()[0]: line.split(None, 1)[1:] for line in lines if line.strip() and not line.startswith("#")}
    if contract.exists():
        for sentence, files in sorted(covered.items()):
            faults += [f"{f}: covers {sentence}, which docs/contract.md does not have" for f in sorted(files) if sentence not in sentences]
        faults += [f"{s}: no test covers it" for s in sentences if s not in covered and s not in pending]
        faults += [f"tests/contract_pending.txt: {s} is not in docs/contract.md" for s in sorted(set(pending) - set(sentences)) if s.startswith("R-")]
        faults += [f"tests/contract_pending.txt: {s} gives no reason" for s, why in sorted(pending.items()) if not why]

    table = root / "src/base/error_kinds.def"
    rows = ROW.findall(table.read_text()) if table.exists() else []
    for name in sorted(set(pending) & {m.partition("/")[0] for m in made}):
        print(f"note: tests/contract_pending.txt: {name} has its test now", file=sys.stderr)
    known = {kind for kind, _ in rows} | {f"{kind}/{reason}" for kind, reason in rows}
    made &= known    # C++ tests hold other words with a slash
    kinds_made = {m.partition("/")[0] for m in made}
    for kind in sorted({kind for kind, _ in rows}):
        page = root / "docs/errors" / f"{kind}.md"
        if not page.exists():
            faults.append(f"docs/errors/{kind}.md is missing")
        elif NOT_YET in page.read_text() and kind in kinds_made:
            faults.append(f"docs/errors/{kind}.md says '{NOT_YET}', but a test makes it")
        elif NOT_YET not in page.read_text() and kind not in kinds_made and kind not in pending:
            faults.append(f"{kind}: no test makes it, and its page does not say '{NOT_YET}'")

    if "--list" in args:
        for s in sentences:
            print(f"{s}: {', '.join(sorted(covered.get(s, []))) or 'pending'}")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Fails where an #include "x/..." is not allowed by the file LAYERS, or where LAYERS has a cycle.

usage: check_layers.py [ROOT]
A module is a folder of src/ with a line in LAYERS; the longest match counts, so connect/sqlite is a module of its own.
Tests, benchmarks and fuzzers may include what their CMake line links, and are not looked at.
"""
import pathlib, re, sys
from graphlib import CycleError, TopologicalSorter

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
NOT_LAYERED = re.compile(r"_(test|bench|fuzz)\.cc$")


def main(root):
    lines = (root / "LAYERS").read_text().splitlines()
    rows = [line.split("#")[0].partition(":") for line in lines if line.split("#")[0].strip()]
    allowed = {name.strip(): set(rest.split()) for name, _, rest in rows}
    faults = [f"LAYERS: {name} may include {dep}, which has no line" for name in allowed for dep in sorted(allowed[name] - set(allowed))]
    try:
        list(TopologicalSorter(allowed).static_order())
    except CycleError as cycle:
        faults.append("LAYERS: a cycle: " + " -> ".join(cycle.args[1]))

    def module_of(path):
        folders = path.split("/")[:-1]
        names = ["/".join(folders[:n]) for n in range(len(folders), 0, -1)]
        return next((name for name in names if name in allowed), None)

    for path in sorted(p for p in (root / "src").rglob("*") if p.suffix in (".h", ".cc", ".def") and not NOT_LAYERED.search(p.name)):
        inside = path.relative_to(root / "src").as_posix()
        mine = module_of(inside)
        if mine is None and "/" in inside:
            faults.append(f"src/{inside}: its folder has no line in LAYERS")
            continue
        for target in INCLUDE.findall(path.read_text()):
            other = module_of(target)
            if mine and other != mine and other not in allowed[mine]:
                faults.append(f'src/{inside}: #include "{target}": {mine} may not include {other or "a folder without a line in LAYERS"}')
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))

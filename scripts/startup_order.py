#!/usr/bin/env python3
"""Writes src/cli/startup.ld: the functions that each start runs, which the linker then lays side by side.

usage: startup_order.py [BUILD]        default: build/release, configured; needs Debian's valgrind. Links the program twice.

A page of the program is in memory once any of its functions has run, with the pages around it. What a start needs is a tenth of the
program and lies all over it, so the order decides what an idle server holds. The list is made by watching a session with the sample shop:
initialize, tools/list, one describe_table. A name that is no longer in the program does nothing. The program that is watched is linked without
an order: valgrind takes what stands outside of .text for nobody's.
"""
import bisect, os, pathlib, re, sqlite3, subprocess, sys, tempfile

from mcp_stdio import Server

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEAD = """/* Written by scripts/startup_order.py: what each start runs, side by side. See there. */
SECTIONS
{
  .text.startup_order :
  {
"""
TAIL = """  }
}
INSERT BEFORE .text;
"""


def watch(program, folder):
    """Holds the session under callgrind and returns the addresses within the program that it ran."""
    shop, store, out = (str(pathlib.Path(folder, name)) for name in ("shop.db", "store.db", "callgrind.out"))
    with sqlite3.connect(shop) as database:
        database.executescript((ROOT / "examples/shop/shop.sql").read_text())
    environment = {**{k: v for k, v in os.environ.items() if not k.startswith("SCHEMAWARD_")}, "HOME": folder}
    subprocess.run([program, "index", shop, "--store", store], check=True, env=environment, stdout=subprocess.DEVNULL)
    command = ["valgrind", "--tool=callgrind", "--dump-instr=yes", f"--callgrind-out-file={out}", program, "serve", "--store", store, "--refresh", "off"]
    with Server(command, env=environment) as server:
        server.request("tools/list")
        server.call("describe_table", qualified_name="main.sales_order")
    return addresses(out, program)


def addresses(path, program):
    """The instruction addresses of one object in callgrind's output. Source: valgrind's manual, callgrind format."""
    objects, inside, address, found = {}, False, 0, set()
    for line in open(path):
        if named := re.match(r"c?ob=\((\d+)\)(?: (.*))?$", line):
            number, name = named.groups()
            if name:
                objects[number] = name.strip()
            if line.startswith("ob="):
                inside = objects[number] == program
        elif moved := re.match(r"(?:0x([0-9a-f]+)|([+-]\d+)|\*)\s", line):
            exact, relative = moved.groups()
            address = int(exact, 16) if exact else address + int(relative or 0)
            if inside:
                found.add(address)
    return found


def functions(program):
    """[(address, size, mangled name)] of the program, by address."""
    text = subprocess.run(["nm", "--defined-only", "--print-size", program], check=True, capture_output=True, text=True).stdout
    rows = (line.split() for line in text.splitlines())
    return sorted((int(r[0], 16), int(r[1], 16), r[3]) for r in rows if len(r) == 4 and r[2] in "tTwW")


def link(build):
    subprocess.run(["cmake", "--build", build, "--target", "schemaward"], check=True, stdout=subprocess.DEVNULL)


def main(build):
    order = ROOT / "src/cli/startup.ld"
    order.write_text(HEAD + TAIL)
    link(build)
    program = str(pathlib.Path(build, "bin/schemaward").resolve())
    with tempfile.TemporaryDirectory(prefix="ward-order.") as folder:
        ran = watch(program, folder)
    known = functions(program)
    starts = [row[0] for row in known]
    names = set()
    for address in ran:
        at = bisect.bisect_right(starts, address) - 1
        if at >= 0 and address < known[at][0] + known[at][1]:
            # Folded functions share an address: each is named, for the next build may fold others.
            names.update(row[2] for row in known[bisect.bisect_left(starts, starts[at]):at + 1])
    # The compiler's own libraries and SQLite come as they are, not in a section for each function.
    lines = [f"    *(.text.{name})\n" for name in sorted(names) if name.startswith("_Z")]
    order.write_text(HEAD + "".join(lines) + TAIL)
    link(build)
    print(f"{len(lines)} functions of {len(known)}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release")

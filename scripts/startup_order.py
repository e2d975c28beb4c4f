#!/usr/bin/env python3
"""Writes src/cli/startup.ld: the functions that each start and a usual call run, which the linker then lays side by side.

usage: startup_order.py [BUILD]        default: build/release, configured; needs Debian's valgrind. Links the program twice.

A page of the program is in memory once any of its functions has run, with the pages around it. What a start needs is a tenth of the
program and lies all over it, so the order decides what an idle server holds. The list is made by watching a session with the sample shop:
initialize, tools/list, one describe_table; then some calls over HTTP. A name that is no longer in the program does nothing. The program that is watched is linked without
an order: valgrind takes what stands outside of .text for nobody's.
"""
import bisect, http.client, json, os, pathlib, re, signal, sqlite3, subprocess, sys, tempfile

from mcp_stdio import Server

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS_MAX = 120  # of a start, and of an answer, under valgrind
HEAD = """/* Written by scripts/startup_order.py: what each start and a usual call run, side by side. See there. */
SECTIONS
{
  .text.startup_order :
  {
"""
TAIL = """  }
}
INSERT BEFORE .text;
"""

DESCRIBE = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
    "name": "describe_table", "arguments": {"qualified_name": "main.sales_order"},
    "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28",
           "Mcp-Method": "tools/call", "Mcp-Name": "describe_table"}


def watched(program, folder, number):
    """The start of a command that runs the program under callgrind, and the file that this writes."""
    out = str(pathlib.Path(folder, f"callgrind.{number}"))
    return ["valgrind", "--tool=callgrind", "--dump-instr=yes", f"--callgrind-out-file={out}", program], out


def watch(program, folder):
    """Holds the sessions under callgrind and returns the addresses within the program that they ran."""
    shop, store = (str(pathlib.Path(folder, name)) for name in ("shop.db", "store.db"))
    with sqlite3.connect(shop) as database:
        database.executescript((ROOT / "examples/shop/shop.sql").read_text())
    environment = {**{k: v for k, v in os.environ.items() if not k.startswith("SCHEMAWARD_")}, "HOME": folder}
    subprocess.run([program, "index", shop, "--store", store], check=True, env=environment, stdout=subprocess.DEVNULL)
    serve = ["serve", "--store", store, "--refresh", "off"]
    command, pipe_out = watched(program, folder, 1)
    with Server(command + serve, env=environment) as server:
        server.request("tools/list")
        server.call("describe_table", qualified_name="main.sales_order")
    command, http_out = watched(program, folder, 2)
    call_over_http(command + serve + ["--http", "127.0.0.1:0"], environment)
    return addresses(pipe_out, program) | addresses(http_out, program)


def call_over_http(command, environment):
    """Describes one table twice, the second time from memory, and ends the server."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        try:
            address = next(found[1] for line in server.stderr if (found := re.search(r"http://([0-9.:]+)/mcp", line)))
            connection = http.client.HTTPConnection(address, timeout=SECONDS_MAX)
            for _ in range(2):
                connection.request("POST", "/mcp", json.dumps(DESCRIBE), HEADERS)
                answer = json.loads(connection.getresponse().read())
                if answer["result"]["isError"]:
                    sys.exit(f"the call failed: {answer}")
            connection.close()
        finally:
            server.send_signal(signal.SIGTERM)


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
    if not pathlib.Path(build, "CMakeCache.txt").exists():
        sys.exit(__doc__)  # before the list is emptied
    order = ROOT / "src/cli/startup.ld"
    before = order.read_text()
    order.write_text(HEAD + TAIL)
    try:
        order.write_text(made_anew(build))
    except BaseException:
        order.write_text(before)
        raise
    link(build)


def made_anew(build):
    """The list as it is now. The program must be linked without one; it is."""
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
    print(f"{len(lines)} functions of {len(known)}")
    return HEAD + "".join(lines) + TAIL


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release")

#!/usr/bin/env python3
"""Holds N streams on which nothing is said, and prints what they cost the server.

usage: bench/idle_streams.py [N] [--build build/release] [--seconds 20]

A stream is a subscriptions/listen of the newest revision, acknowledged and then silent; where the server knows no such method it is a
connection that is kept after one call, and the table says so. While they are held another client's call must be answered, and at the end each
stream must still be open. Memory is the server's, all of it, beside what it holds before the first stream. Exit 1 where a stream is lost or the
bound of 60 MB is passed. Default: 1,000. Standard library only.
"""
import argparse, json, os, select, socket, sys, tempfile, time

from http_servers import ROOT, Ward, index, memory_mib, modern_request, post
from latency_hints import script

BOUND_MB = 60
TABLES = 300
CALL = ("tools/call", {"name": "describe_table", "arguments": {"qualified_name": "s4.record24"}})
LISTEN = ("subscriptions/listen", {"notifications": {"resourcesListChanged": True, "toolsListChanged": True}})
SECONDS_MAX = 30


def opened(port, request):
    """A connection on which the request is sent and something has been answered: the socket and what was read."""
    headers, body = request
    one = socket.create_connection(("127.0.0.1", port), timeout=SECONDS_MAX)
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    one.sendall(f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
    said = b""
    while not whole(said):
        more = one.recv(65536)
        if not more:
            sys.exit(f"a stream was closed at its begin: {said[:400]}")
        said += more
    return one, said


def whole(said):
    """Whether an answer with a length is complete, or a stream has said something."""
    head, end, body = said.partition(b"\r\n\r\n")
    if not end:
        return False
    length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), None)
    return b"\n\n" in body if length is None else len(body) >= length


def is_open(one):
    """Whether the other side still holds the connection. What it may have said is thrown away."""
    while select.select([one], [], [], 0)[0]:
        if not one.recv(65536):
            return False
    return True


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("streams", type=int, nargs="?", default=1000)
    options.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    options.add_argument("--seconds", type=float, default=20)
    options = options.parse_args()
    program = os.path.join(options.build, "bin", "schemaward")
    with tempfile.TemporaryDirectory(prefix="ward-bench.") as home:
        schema, store = os.path.join(home, "wide.sql"), os.path.join(home, "store.db")
        with open(schema, "w") as out:
            out.writelines(script(TABLES))
        index(program, f"ddl:{schema}", store)
        with Ward(program, store) as server:
            for _ in range(100):
                post(server.port, *modern_request(*CALL))
            before = memory_mib(server.pid)
            first, said = opened(server.port, modern_request(*LISTEN))
            listens = b"text/event-stream" in said
            first.close()
            request = modern_request(*(LISTEN if listens else CALL))
            held = [opened(server.port, request)[0] for _ in range(options.streams)]
            time.sleep(options.seconds)
            status, text = post(server.port, *modern_request(*CALL))
            during, most, lost = memory_mib(server.pid), memory_mib(server.pid, "VmHWM"), sum(not is_open(one) for one in held)
            for one in held:
                one.close()
    megabytes = most * 1.048576
    print("| what is held | number | before, MiB | held, MiB | most, MiB | a stream, KiB | lost |\n|---|---|---|---|---|---|---|")
    print(f"| {'subscriptions/listen' if listens else 'connections that are kept'} | {options.streams} | {before:.1f} | {during:.1f} | {most:.1f} | {(during - before) * 1024 / options.streams:.1f} | {lost} |")
    faults = [f"{lost} streams were lost"] if lost else []
    faults += [f"{megabytes:.0f} MB, more than {BOUND_MB}"] if megabytes > BOUND_MB else []
    faults += [f"another call was answered by {status}: {text[:200]}"] if status != 200 or json.loads(text)["result"].get("isError") else []
    for fault in faults:
        print(f"FAULT {fault}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

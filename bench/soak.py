#!/usr/bin/env python3
"""Keeps correct clients calling over HTTP while others do all that clients should not, and says whether anything was lost or has grown.

usage: bench/soak.py [MINUTES] [--build build/release] [--clients 8] [--faulty 24] [--pace-ms 20] [--seed N]

Correct clients call in both eras, on connections that are kept, and each answer must be theirs: its id, its table, its status. One of them takes
its answers a few bytes at a time. The others: connect and say nothing, stop in the middle of a head or a body, send garbage (bytes, JSON, a TLS
hello), heads and bodies that are too long, bodies in chunks that do not end, requests that overlap, calls that are aborted or never
read, sessions that are opened and left. Memory, descriptors and threads are taken every second. Exit 1 where an answer is lost or wrong, where memory
grows by more than GROWTH_MIB from the second third to the last (medians), where descriptors or threads are left over, where the server does not end by
itself, or where the audit chain does not verify or lacks an end. Default: 2 minutes. Standard library only.
"""
import argparse, asyncio, collections, json, os, random, re, socket, statistics, struct, sys, tempfile, time

from http_servers import MODERN, PLAIN_HEADERS, ROOT, Ward, index, memory_mib, modern_request, verify_audit
from latency_hints import script

GROWTH_MIB = 2.0
ANSWER_SECONDS_MAX = 30
SETTLE_SECONDS_MAX = 90  # the longest of the server's own limits, and some
TABLES = 300
WARM_TABLES = range(10, TABLES)
MESSAGE_BYTES_MAX = 4 << 20
HEAD_BYTES_MAX = 16 << 10


class Lost(Exception):
    """An answer that a correct client did not get, or that was not its own."""


def table_of(number):
    return f"s{number % 10}.record{number}"


def bytes_of(headers, body, method="POST", path="/mcp"):
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *(f"{name}: {value}" for name, value in headers.items())]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + (body or "").encode()


def description(number, request_id):
    return bytes_of(*modern_request("tools/call", {"name": "describe_table", "arguments": {"qualified_name": table_of(number)}}, request_id))


async def read_answer(reader):
    """Returns status, headers and body of an answer with a length."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    lines = head.split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return int(lines[0].split()[1]), headers, body.decode()


def check_description(answer, number, request_id):
    status, _, body = answer
    if status != 200:
        raise Lost(f"status {status}: {body[:300]}")
    message = json.loads(body)
    said = message.get("result", {}).get("structuredContent", {})
    if message.get("id") != request_id or said.get("status") != "success" or said["data"].get("qualified_name") != table_of(number):
        raise Lost(f"not the answer to {request_id} about {table_of(number)}: {body[:300]}")


class Soak:
    def __init__(self, server, options):
        self.server, self.options = server, options
        self.counts, self.waits, self.lost = collections.Counter(), [], []
        self.samples = []  # seconds, MiB, descriptors, threads
        self.stop = asyncio.Event()

    async def open(self, **more):
        return await asyncio.open_connection("127.0.0.1", self.server.port, **more)

    async def guard(self, who, work, *arguments):
        """Runs `work` again and again until the end; what it loses is kept."""
        while not self.stop.is_set():
            try:
                await asyncio.wait_for(work(*arguments), 2 * SETTLE_SECONDS_MAX)
            except Lost as lost:
                self.lost.append(f"{who}: {lost}")
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, ValueError, KeyError) as fault:
                self.lost.append(f"{who}: {fault!r}")
            if len(self.lost) > 20:
                self.stop.set()

    async def ask(self, reader, writer, number, request_id, request=None):
        begin = time.perf_counter()
        writer.write(request or description(number, request_id))
        await writer.drain()
        answer = await asyncio.wait_for(read_answer(reader), ANSWER_SECONDS_MAX)
        check_description(answer, number, request_id)
        self.waits.append(time.perf_counter() - begin)
        self.counts["answers"] += 1

    # Correct clients.

    async def keeps_its_connection(self, name):
        reader, writer = await self.open()
        for turn in range(random.randrange(1, 400)):
            if self.stop.is_set():
                break
            await self.ask(reader, writer, random.choice(WARM_TABLES), f"{name}-{turn}")
            await asyncio.sleep(self.options.pace_ms / 1e3)
        writer.close()

    async def in_a_session(self, name):
        reader, writer = await self.open()
        begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": name, "version": "1"}}
        session = await self.say(reader, writer, {}, "initialize", begin, 200)
        headers = {"Mcp-Session-Id": session["mcp-session-id"], "MCP-Protocol-Version": "2025-06-18"}
        await self.say(reader, writer, headers, "notifications/initialized", None, 202)
        for turn in range(random.randrange(1, 200)):
            number = random.choice(WARM_TABLES)
            body = json.dumps({"jsonrpc": "2.0", "id": turn, "method": "tools/call", "params": {"name": "describe_table", "arguments": {"qualified_name": table_of(number)}}})
            await self.ask(reader, writer, number, turn, bytes_of({**PLAIN_HEADERS, **headers}, body))
            await asyncio.sleep(self.options.pace_ms / 1e3)
        writer.write(bytes_of(headers, None, "DELETE"))
        if (await read_answer(reader))[0] != 204:
            raise Lost("a session could not be deleted")
        writer.close()

    async def say(self, reader, writer, headers, method, params, wanted):
        message = {"jsonrpc": "2.0", "method": method, **({"id": 1, "params": params} if params is not None else {})}
        writer.write(bytes_of({**PLAIN_HEADERS, **headers}, json.dumps(message)))
        status, said, body = await asyncio.wait_for(read_answer(reader), ANSWER_SECONDS_MAX)
        if status != wanted:
            raise Lost(f"{method} is answered by {status}: {body[:300]}")
        return said

    async def reads_slowly(self, name):
        """Takes a whole answer, a few hundred bytes at a time."""
        loop = asyncio.get_running_loop()
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            one.setblocking(False)
            await loop.sock_connect(one, ("127.0.0.1", self.server.port))
            number = random.choice(WARM_TABLES)
            await loop.sock_sendall(one, description(number, name))
            reader = asyncio.StreamReader()
            reading = asyncio.ensure_future(read_answer(reader))
            while not reading.done():
                reader.feed_data(await asyncio.wait_for(loop.sock_recv(one, 512), ANSWER_SECONDS_MAX))
                await asyncio.sleep(0.05)
            check_description(await reading, number, name)
            self.counts["answers taken slowly"] += 1

    async def overlaps(self, name):
        """Sends several requests before it takes the first answer; they come in order."""
        reader, writer = await self.open()
        numbers = [random.choice(WARM_TABLES) for _ in range(8)]
        writer.write(b"".join(description(number, f"{name}-{i}") for i, number in enumerate(numbers)))
        for i, number in enumerate(numbers):
            check_description(await asyncio.wait_for(read_answer(reader), ANSWER_SECONDS_MAX), number, f"{name}-{i}")
            self.counts["answers to overlapping requests"] += 1
        writer.close()
        await asyncio.sleep(0.1)

    # All that a client should not do. None of these needs an answer; most must be let go by the server itself.

    async def faulty(self, name):
        kind = random.choice(self.FAULTS)
        self.counts[kind.__name__.replace("_", " ")] += 1
        try:
            await asyncio.wait_for(kind(self), SETTLE_SECONDS_MAX)
        except (OSError, asyncio.IncompleteReadError, ValueError):
            pass  # the server has closed: that is its right
        except asyncio.TimeoutError:
            raise Lost(f"a connection was held for more than {SETTLE_SECONDS_MAX} s: {kind.__name__}")
        await asyncio.sleep(random.random() / 10)

    async def until_closed(self, reader, writer, seconds=None):
        """Waits for the server to close, or leaves after a while."""
        leave = seconds if seconds is not None else random.choice([0.1, 2, SETTLE_SECONDS_MAX])
        try:
            await asyncio.wait_for(self.drained(reader), leave)
        except asyncio.TimeoutError:
            if leave == SETTLE_SECONDS_MAX:
                raise
        finally:
            writer.close()

    async def drained(self, reader):
        while not self.stop.is_set() and await reader.read(4096):
            pass

    async def says_nothing(self):
        await self.until_closed(*await self.open())

    async def stops_in_a_head(self):
        reader, writer = await self.open()
        request = description(20, 1)
        writer.write(request[: random.randrange(1, request.index(b"\r\n\r\n"))])
        await self.until_closed(reader, writer)

    async def stops_in_a_body(self):
        reader, writer = await self.open()
        request = description(20, 1)
        writer.write(request[: random.randrange(request.index(b"\r\n\r\n") + 4, len(request))])
        await self.until_closed(reader, writer)

    async def garbage(self):
        reader, writer = await self.open()
        hello = bytes.fromhex("16030100c8010000c40303") + random.randbytes(200)
        writer.write(random.choice([random.randbytes(random.randrange(1, 5000)), hello, b"GET\r\n\r\n", b"\r\n" * 500, b"POST /mcp HTTP/9.9\r\n\r\n",
                                    b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n", b"\0" * 4096]))
        await self.until_closed(reader, writer)

    async def body_that_is_no_message(self):
        reader, writer = await self.open()
        body = random.choice(["{", "[" * 5000, '"' + "x" * 50000, "[]", "null", '{"jsonrpc":"2.0","id":{},"method":5}', "{}" * 300, "\0\0", '{"jsonrpc":"2.0","id":1,"method":"' + "y" * 9000 + '"}'])
        writer.write(bytes_of({**PLAIN_HEADERS, "MCP-Protocol-Version": MODERN}, body))
        status, _, _ = await asyncio.wait_for(read_answer(reader), ANSWER_SECONDS_MAX)
        if status < 400:
            raise Lost(f"{body[:40]} is answered by {status}")
        await self.until_closed(reader, writer, 0.1)

    async def head_too_long(self):
        reader, writer = await self.open()
        writer.write(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"".join(b"X-%d: %s\r\n" % (i, b"z" * 900) for i in range(2 * HEAD_BYTES_MAX // 900)))
        await self.until_closed(reader, writer)

    async def body_too_long(self):
        reader, writer = await self.open()
        writer.write(bytes_of({**PLAIN_HEADERS, "Content-Length": MESSAGE_BYTES_MAX + 1}, None))
        for _ in range(random.randrange(0, 20)):
            writer.write(b"z" * (256 << 10))
            await writer.drain()
        await self.until_closed(reader, writer)

    async def chunks_without_end(self):
        reader, writer = await self.open()
        writer.write(bytes_of({**PLAIN_HEADERS, "Transfer-Encoding": "chunked"}, None))
        for _ in range(random.randrange(1, 80)):
            writer.write(b"10000\r\n" + b"z" * 0x10000 + b"\r\n")
            await writer.drain()
        await self.until_closed(reader, writer)

    async def aborts_its_call(self):
        reader, writer = await self.open()
        writer.write(description(random.choice(WARM_TABLES), 1))
        await asyncio.sleep(random.choice([0, 0, 0.001, 0.01]))
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async def closes_its_sending_side(self):
        reader, writer = await self.open()
        writer.write(description(random.choice(WARM_TABLES), 1))
        writer.write_eof()
        await self.until_closed(reader, writer)

    async def never_reads(self):
        """Asks and asks and takes nothing: the server stops to read, then lets go."""
        loop = asyncio.get_running_loop()
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            one.setblocking(False)
            await loop.sock_connect(one, ("127.0.0.1", self.server.port))
            try:
                await asyncio.wait_for(loop.sock_sendall(one, description(20, 1) * 2000), 2)
            except asyncio.TimeoutError:
                pass
            await asyncio.sleep(random.choice([0.1, 3, 40]))

    async def leaves_its_session(self):
        reader, writer = await self.open()
        begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "leaves", "version": "1"}}
        await self.say(reader, writer, {}, "initialize", begin, 200)
        writer.transport.abort()

    FAULTS = [says_nothing, stops_in_a_head, stops_in_a_body, garbage, body_that_is_no_message, head_too_long, body_too_long, chunks_without_end, aborts_its_call, aborts_its_call,
              closes_its_sending_side, never_reads, leaves_its_session]

    # What is watched.

    def sample(self, seconds):
        folder = f"/proc/{self.server.pid}"
        self.samples.append((seconds, memory_mib(self.server.pid), len(os.listdir(folder + "/fd")), len(os.listdir(folder + "/task"))))

    async def watch(self, minutes):
        begin = time.monotonic()
        while not self.stop.is_set() and (passed := time.monotonic() - begin) < minutes * 60:
            self.sample(passed)
            await asyncio.sleep(1)
        self.stop.set()

    async def metric(self, name):
        reader, writer = await self.open()
        writer.write(bytes_of({}, None, "GET", "/metrics"))
        _, _, text = await read_answer(reader)
        writer.close()
        return int(re.search(rf"^{name} (\d+)$", text, re.M)[1])

    async def settle(self):
        """Returns the connections that are still open when nobody holds one any more but whoever asks."""
        until = time.monotonic() + SETTLE_SECONDS_MAX
        while (left := await self.metric("schemaward_http_connections_open") - 1) > 0 and time.monotonic() < until:
            await asyncio.sleep(1)
        return left

    async def run(self):
        idle = len(os.listdir(f"/proc/{self.server.pid}/fd"))
        clients = self.options.clients
        tasks = [self.guard(f"client {i}", self.keeps_its_connection if i % 2 else self.in_a_session, f"c{i}") for i in range(clients)]
        tasks += [self.guard("slow reader", self.reads_slowly, "slow"), self.guard("overlapping", self.overlaps, "ahead")]
        tasks += [self.guard("faulty", self.faulty, f"f{i}") for i in range(self.options.faulty)]
        await asyncio.gather(self.watch(self.options.minutes), *tasks)
        left = await self.settle()
        self.sample(self.samples[-1][0] + 1)
        return {"descriptors before": idle, "connections left": left}


def slope_mib_per_hour(samples):
    """Least squares through memory over time."""
    times, sizes = [s[0] for s in samples], [s[1] for s in samples]
    middle, level = statistics.fmean(times), statistics.fmean(sizes)
    spread = sum((t - middle) ** 2 for t in times)
    return 3600 * sum((t - middle) * (m - level) for t, m in zip(times, sizes)) / spread if spread else 0.0


def judge(soak, end, report, exit_code):
    """Returns what is wrong, in words, and the figures."""
    third = max(1, len(soak.samples) // 3)
    steady = soak.samples[third:]
    # Bodies of 4 MiB come and go: medians of long spans, since a single moment says little.
    begin, last = (statistics.median(s[1] for s in some) for some in (steady[:third], steady[-third:]))
    figures = {**soak.counts, "median wait, ms": round(statistics.median(soak.waits) * 1e3, 2) if soak.waits else None,
               "memory in the second third, MiB": round(begin, 1), "memory in the last third, MiB": round(last, 1), "most memory, MiB": round(max(s[1] for s in soak.samples), 1),
               "slope, MiB an hour": round(slope_mib_per_hour(steady), 2), "most descriptors": max(s[2] for s in soak.samples), "descriptors at the end": soak.samples[-1][2],
               "most threads": max(s[3] for s in soak.samples), **end, "audit records": report["records"], "begins without an end": report["open_begin_count"]}
    faults = list(soak.lost)
    faults += [f"memory has grown by {last - begin:.1f} MiB"] if last - begin > GROWTH_MIB else []
    faults += [f"{end['connections left']} connections are left over"] if end["connections left"] > 0 else []
    # The store, the audit log and the signals' pipe stay open once used: a handful.
    faults += [f"{soak.samples[-1][2]} descriptors are open, {end['descriptors before']} before"] if soak.samples[-1][2] > end["descriptors before"] + 24 else []
    faults += [f"it ended with {exit_code}"] if exit_code != 0 else []
    faults += [f"{report['open_begin_count']} calls have no end in the audit log"] if report["open_begin_count"] else []
    faults += ["no answers"] if not soak.counts["answers"] else []
    return faults, figures


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("minutes", type=float, nargs="?", default=2)
    options.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    options.add_argument("--clients", type=int, default=8)
    options.add_argument("--faulty", type=int, default=24)
    options.add_argument("--pace-ms", type=float, default=20)
    options.add_argument("--seed", type=int, default=None)
    options = options.parse_args()
    seed = options.seed if options.seed is not None else int(time.time())
    random.seed(seed)
    program = os.path.join(options.build, "bin", "schemaward")
    with tempfile.TemporaryDirectory(prefix="ward-bench.") as home:
        schema, store = os.path.join(home, "wide.sql"), os.path.join(home, "store.db")
        with open(schema, "w") as out:
            out.writelines(script(TABLES))
        index(program, f"ddl:{schema}", store)
        server = Ward(program, store)
        try:
            soak = Soak(server, options)
            end = asyncio.run(soak.run())
        finally:
            exit_code = server.end()
        faults, figures = judge(soak, end, verify_audit(program, store), exit_code)
    print(f"{options.minutes:g} minutes, seed {seed}\n\n| what | |\n|---|---|")
    for name, value in figures.items():
        print(f"| {name} | {value} |")
    for fault in faults:
        print(f"FAULT {fault}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

"""A small MCP client on stdio for scripts and tests: standard library only, every wait is bounded."""
import json, queue, subprocess, threading

ANSWER_SECONDS_MAX = 60
STOP_SECONDS_MAX = 10
WORKED = ("success", "empty", "partial", "degraded")


class ServerGone(Exception):
    """The server ended, or did not answer in time."""


class Server:
    """One server process and one legacy-era session with it. Use as a context manager. `answer`: what the client does when the server asks it
    something, a function of method and params that returns a result, or None to refuse."""

    def __init__(self, command, version="2025-11-25", capabilities=None, answer=None, **popen):
        self.answer = answer
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=popen.pop("stderr", subprocess.DEVNULL), **popen)
        self.lines = queue.Queue()
        self.notifications = []
        self.last_id = 0
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.hello = self.request("initialize", {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": {"name": "schemaward-scripts", "version": "1"}})["result"]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, message):
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise ServerGone("the server closed its input") from None

    def receive(self, seconds=ANSWER_SECONDS_MAX):
        """The next message; anything on stdout that is not JSON is an error of the server."""
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            raise ServerGone(f"no answer within {seconds} s") from None
        if line is None:
            raise ServerGone("the server closed its output")
        return json.loads(line)

    def request(self, method, params=None):
        """The whole answer to one request: {'result': ...} or {'error': ...}."""
        self.last_id += 1
        mine = self.last_id
        self.send({"jsonrpc": "2.0", "id": mine, "method": method, **({"params": params} if params is not None else {})})
        while True:
            message = self.receive()
            if message.get("id") == mine and "method" not in message:
                return message
            if "id" in message and "method" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], **self._reply_to(message)})
            else:
                self.notifications.append(message)

    def _reply_to(self, message):
        result = self.answer(message["method"], message.get("params")) if self.answer else None
        return {"error": {"code": -32601, "message": "this client does not do that"}} if result is None else {"result": result}

    def tools(self):
        return self.request("tools/list", {})["result"]["tools"]

    def call(self, tool, **arguments):
        """The result of a tool call: structuredContent where there is one, else {'status': 'unstructured', 'text': ...}."""
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        if "error" in answer:
            return {"status": "protocol", "text": answer["error"]["message"]}
        result = answer["result"]
        return result.get("structuredContent") or {"status": "unstructured", "text": result["content"][0]["text"]}

    def close(self):
        """Ends the input and waits; returns the exit code. A server that does not end by itself is killed and counts as 'hung'."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            code = self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            code = "hung"
        self.reader.join(STOP_SECONDS_MAX)
        self.process.stdout.close()
        return code

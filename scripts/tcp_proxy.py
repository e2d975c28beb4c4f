"""A TCP proxy for benches and fault tests: it adds time each way, counts round trips, stalls, cuts. Standard library only, loopback only."""
import queue, socket, struct, threading, time

PIECE_BYTES = 65536


class Proxy:
    """Between clients on 127.0.0.1:port and one server. Use as a context manager. Connections are numbered from 1."""

    def __init__(self, host, port, delay_s=0.0, keep_said=False):
        self.target = (host, port)
        self.delay_s = delay_s  # each way; may change at any time
        self.lock = threading.Lock()
        self.trips = {}  # by connection: bursts of its client that follow its start or an answer
        self.accepted = 0
        self.said = b""  # all that clients sent, where it is kept
        self.keep_said = keep_said
        self.server_bytes = 0
        self._spoke_last = {}
        self._fault = None  # (bytes that still pass, what happens then)
        self._is_away = False
        self._each = None  # the same of each new connection
        self._own = {}  # the same by connection
        self._open = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def after(self, server_bytes, what):
        """Once so many more bytes of the server's have passed: 'cut' resets every connection, 'stall' passes nothing more, 'end' closes in order."""
        with self.lock:
            self._fault = (server_bytes, what)

    def each(self, server_bytes, what):
        """As `after`, but of each connection that is made from now on, and it alone."""
        with self.lock:
            self._each = (server_bytes, what)

    def heal(self):
        with self.lock:
            self._fault = self._each = None
            self._own.clear()
            self._is_away = False

    def go_away(self):
        """Ends every connection, and each new one at once, until it is healed."""
        with self.lock:
            self._is_away = True
        self.cut()

    def cut(self, reset=True):
        """Ends every connection: by a reset, as a dead router does, or in order, as a server that stops does."""
        with self.lock:
            sockets, self._open = self._open, set()
        self._end(sockets, reset)

    def _end(self, sockets, reset):
        for one in sockets:
            try:
                if reset:
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                one.shutdown(socket.SHUT_RD if reset else socket.SHUT_RDWR)  # wakes the thread that reads
            except OSError:
                pass
            one.close()

    def refuse(self):
        """Takes no more connections, as a server that is down."""
        try:
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        except OSError:
            pass
        self._listener.close()

    def close(self):
        self.refuse()
        self.cut()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
                with self.lock:
                    is_away = self._is_away
                if is_away:
                    client.close()
                    continue
                server = socket.create_connection(self.target, timeout=10)
            except OSError:
                return
            server.settimeout(None)
            for one in (client, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.accepted += 1
                self._open |= {client, server}
                number = self.accepted
                if self._each is not None:
                    self._own[number] = self._each
            for source, sink, is_client in ((client, server, True), (server, client, False)):
                line = queue.SimpleQueue()
                threading.Thread(target=self._read, args=(source, line, is_client, number), daemon=True).start()
                threading.Thread(target=self._write, args=(sink, source, line, is_client, number), daemon=True).start()

    def _read(self, source, line, is_client, number):
        while True:
            try:
                piece = source.recv(PIECE_BYTES)
            except OSError:
                piece = b""
            if piece:
                with self.lock:
                    if is_client and self._spoke_last.get(number) != "client":
                        self.trips[number] = self.trips.get(number, 0) + 1
                    if is_client and self.keep_said:
                        self.said += piece
                    self._spoke_last[number] = "client" if is_client else "server"
            line.put((time.monotonic() + self.delay_s, piece))
            if not piece:
                return

    def _passes(self, piece, number):
        """What of a piece of the server's may pass, what happens after it, and whether to this connection alone."""
        with self.lock:
            is_own = self._fault is None and number in self._own
            fault = self._own[number] if is_own else self._fault
            if fault is None:
                self.server_bytes += len(piece)
                return piece, None, False
            left, what = fault
            is_over = piece and len(piece) > left or not piece and left == 0  # the end of a stream that has stalled does not arrive either
            passed = min(left, len(piece))
            self.server_bytes += passed
            if is_own:
                self._own[number] = (left - passed, what)
            else:
                self._fault = (left - passed, what)
            return piece[:passed], what if is_over else None, is_own

    def _write(self, sink, source, line, is_client, number):
        while True:
            due, piece = line.get()
            wait = due - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            fault = is_own = None
            if not is_client:
                piece, fault, is_own = self._passes(piece, number)
            try:
                if piece:
                    sink.sendall(piece)
                elif fault is None:
                    sink.shutdown(socket.SHUT_WR)
                    return
            except OSError:
                return
            if fault == "stall":
                return  # whoever reads from `sink` hears nothing more; what arrives is swallowed
            if fault is not None and is_own:
                with self.lock:
                    self._open -= {sink, source}
                self._end((sink, source), fault == "cut")
                return
            if fault is not None:
                self.heal()
                self.cut(reset=fault == "cut")
                return

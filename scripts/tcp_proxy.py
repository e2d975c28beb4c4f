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

    def heal(self):
        with self.lock:
            self._fault = None
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
            for source, sink, is_client in ((client, server, True), (server, client, False)):
                line = queue.SimpleQueue()
                threading.Thread(target=self._read, args=(source, line, is_client, number), daemon=True).start()
                threading.Thread(target=self._write, args=(sink, line, is_client), daemon=True).start()

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

    def _passes(self, piece):
        """What of a piece of the server's may pass, and what happens after it."""
        with self.lock:
            if self._fault is None:
                self.server_bytes += len(piece)
                return piece, None
            left, what = self._fault
            if piece and len(piece) <= left or not piece and left > 0:  # the end of a stream that has stalled does not arrive either
                self._fault = (left - len(piece), what)
                self.server_bytes += len(piece)
                return piece, None
            self._fault = (0, what)
            self.server_bytes += left
            return piece[:left], what

    def _write(self, sink, line, is_client):
        while True:
            due, piece = line.get()
            wait = due - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            fault = None
            if not is_client:
                piece, fault = self._passes(piece)
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
            if fault is not None:
                self.heal()
                self.cut(reset=fault == "cut")
                return

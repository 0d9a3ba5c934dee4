"""A line to a Redis server that spoils replies.

What goes to the server arrives as it is. Of what comes back, some pieces are spoilt, as random numbers say that depend on the
seed and on the number of the connection: `flip` changes a bit, `cut` ends the connection in the middle of a piece, `double`
sends a part of a piece twice, `delay` holds a piece back, `swallow` leaves a part out."""
import collections
import random
import socket
import threading
import time

KINDS = ("flip", "cut", "double", "delay", "swallow")


class Proxy:
    def __init__(self, server, seed, kinds, share):
        self.server, self.seed, self.kinds, self.share = server, seed, kinds, share
        self.counts = collections.Counter()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        number = 0
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            number += 1
            try:
                server = socket.create_connection(("127.0.0.1", self.server), 5)
            except OSError:
                client.close()
                continue
            draw = random.Random(f"{self.seed} {number}")
            for source, sink, spoil in ((client, server, None), (server, client, draw)):
                source.settimeout(None)
                threading.Thread(target=self.carry, args=(source, sink, spoil), daemon=True).start()

    def carry(self, source, sink, draw):
        """Carries bytes until one end closes; `draw`: they are replies."""
        try:
            while piece := source.recv(16384):
                last = False
                if draw and draw.random() < self.share:
                    piece, last = self.spoil(piece, draw)
                sink.sendall(piece)
                if last:
                    break
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            if end is source:
                end.close()

    def spoil(self, piece, draw):
        """Returns the piece as it goes on, and whether it is the last."""
        kind = draw.choice(self.kinds)
        with self.lock:
            self.counts[kind] += 1
        begin, end = sorted(draw.randrange(len(piece) + 1) for _ in range(2))
        if kind == "flip":
            at = draw.randrange(len(piece))
            return piece[:at] + bytes([piece[at] ^ 1 << draw.randrange(8)]) + piece[at + 1:], False
        if kind == "cut":
            return piece[:begin], True
        if kind == "double":
            return piece[:end] + piece[begin:], False
        if kind == "swallow":
            return piece[:begin] + piece[end:], False
        time.sleep(draw.random() / 2)
        return piece, False

    def close(self):
        self.listener.close()

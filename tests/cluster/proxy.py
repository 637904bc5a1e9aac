# SPDX-License-Identifier: Apache-2.0
"""proxy.py: stands between two ends of every connection and disturbs what passes.

    proxy.py PORT '{"seed": 1, "delay_ms": [0.5, 1.5], "short": true, "flip": 0.01}'

Connections are redirected to it by the kernel; it asks where each wanted to go. In one direction of
one connection bytes keep their order. What may be given:
  delay_ms  from how long to how long each piece waits
  short     pieces are cut into small ones
  flip, repeat, lose, cut
            the probability, for each piece, that a bit is flipped, that the piece passes twice or
            not at all, or that the connection ends amid it
  after     bytes of a direction that pass undisturbed by the last four (default: 0)
"""

import collections
import json
import random
import selectors
import socket
import struct
import sys
import time

QUEUE_BYTES_MAX = 1 << 18
SO_ORIGINAL_DST = 80


class Direction:
    """From one socket to the other."""

    def __init__(self, source, target):
        self.source, self.target = source, target
        self.queue = collections.deque()  # (time, bytes)
        self.waiting = self.passed = 0
        self.ended = False
        self.until = 0.0


class Proxy:
    def __init__(self, port, how):
        self.how = how
        self.random = random.Random(how.get("seed", 1))
        self.selector = selectors.DefaultSelector()
        self.listener = socket.create_server(("127.0.0.1", port), backlog=256)
        self.listener.setblocking(False)
        self.selector.register(self.listener, selectors.EVENT_READ, None)
        self.by_source = {}

    def chance(self, name, direction):
        return (direction.passed >= self.how.get("after", 0)
                and self.random.random() < self.how.get(name, 0))

    def accept(self):
        near, _ = self.listener.accept()
        raw = near.getsockopt(socket.SOL_IP, SO_ORIGINAL_DST, 16)
        port, address = struct.unpack("!2xH4s8x", raw)
        try:
            far = socket.create_connection((socket.inet_ntoa(address), port), timeout=5)
        except OSError:
            near.close()
            return
        for each, other in ((near, far), (far, near)):
            each.setblocking(False)
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            direction = Direction(each, other)
            self.by_source[each] = direction
            self.selector.register(each, selectors.EVENT_READ, direction)

    def close(self, direction):
        for each in (direction.source, direction.target):
            if self.by_source.pop(each, None):
                self.forget(each)
                each.close()

    def forget(self, source):
        """Also if it is not read at the moment."""
        try:
            self.selector.unregister(source)
        except KeyError:
            pass

    def read(self, direction):
        try:
            data = direction.source.recv(16384)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        low, high = self.how.get("delay_ms", (0, 0))
        when = max(direction.until, time.monotonic() + self.random.uniform(low, high) / 1000)
        direction.until = when
        if not data:
            direction.ended = True
            direction.queue.append((when, None))
            self.watch(direction)
            return
        while data:
            size = self.random.choice((1, 2, 7, 64, 4096)) if self.how.get("short") else len(data)
            piece, data = data[:size], data[size:]
            self.disturb(direction, when, piece)
        self.watch(direction)

    def disturb(self, direction, when, piece):
        copies = 1
        if self.chance("flip", direction):
            at = self.random.randrange(len(piece))
            piece = piece[:at] + bytes([piece[at] ^ 1 << self.random.randrange(8)]) + piece[at + 1:]
        if self.chance("repeat", direction):
            copies = 2
        elif self.chance("lose", direction):
            copies = 0
        elif self.chance("cut", direction):
            direction.queue.append((when, piece[:len(piece) // 2]))
            direction.queue.append((when, None))
            copies = 0
        direction.passed += len(piece)
        for _ in range(copies):
            direction.queue.append((when, piece))
            direction.waiting += len(piece)

    def watch(self, direction):
        """Nothing is read while much waits."""
        if direction.source not in self.by_source:
            return
        self.forget(direction.source)
        if not direction.ended and direction.waiting < QUEUE_BYTES_MAX:
            self.selector.register(direction.source, selectors.EVENT_READ, direction)

    def write(self, direction, now):
        """What is due. Returns when the next piece is."""
        while direction.queue and direction.source in self.by_source:
            when, piece = direction.queue[0]
            if when > now:
                return when
            if piece is None:
                self.close(direction)
                return None
            try:
                sent = direction.target.send(piece)
            except BlockingIOError:
                return now + 0.0005
            except OSError:
                self.close(direction)
                return None
            direction.waiting -= sent
            if sent == len(piece):
                direction.queue.popleft()
            else:
                direction.queue[0] = (when, piece[sent:])
            self.watch(direction)
        return None

    def run(self):
        print("ready", flush=True)
        pause = None
        while True:
            for key, _ in self.selector.select(pause):
                if key.data is None:
                    self.accept()
                elif key.data.source in self.by_source:
                    self.read(key.data)
            now = time.monotonic()
            due = [self.write(each, now) for each in list(self.by_source.values())]
            due = [each for each in due if each is not None]
            pause = max(0.0, min(due) - now) if due else None


if __name__ == "__main__":
    Proxy(int(sys.argv[1]), json.loads(sys.argv[2])).run()

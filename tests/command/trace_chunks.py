# SPDX-License-Identifier: Apache-2.0
"""The chunks of a trace file, as docs/trace-format.md describes them."""

import struct

MASK = (1 << 64) - 1


def check_sum(data):
    """As docs/trace-format.md says."""
    total = 0x9e3779b97f4a7c15 ^ len(data)
    padded = data + bytes(-len(data) % 8) if data else bytes(8)
    words = list(struct.unpack(f"<{len(padded) // 8}Q", padded))
    if data and len(data) % 8 == 0:
        words.append(0)
    for word in words:
        total = (total ^ word) * 0xbf58476d1ce4e5b9 & MASK
        total ^= total >> 29
    return total


def chunk(kind, process, source, data):
    head = struct.pack("<5I", 0x6b684354, kind, process, source, len(data))
    return head + struct.pack("<IQ", check_sum(head) & 0xffffffff, check_sum(data)) + data


def chunks(data):
    """Kind, process, source and contents of each chunk of a file without damage."""
    at = 16
    while at < len(data):
        mark, kind, process, source, size = struct.unpack_from("<5I", data, at)
        assert mark == 0x6b684354, at
        yield kind, process, source, data[at + 32:at + 32 + size]
        at += 32 + size

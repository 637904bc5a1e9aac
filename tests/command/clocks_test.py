# SPDX-License-Identifier: Apache-2.0
"""clocks_test.py: times of nodes whose hosts' clocks differ. The clock of a node of a real run over
tcp is made another one in its trace, where all that it read is set back or forth."""

import csv
import io
import re
import struct

from command import CommandTest, terrane
from trace_chunks import chunk, chunks

CLOCK, EXCHANGE = 4, 7
HERE = {CLOCK: (1,), EXCHANGE: (0, 2)}  # the fields that the node read from its own clock


def skewed(data, process, offset_ns, ppm):
    """The trace as it would be if that process had such a clock."""
    made, first = data[:16], None
    for kind, whose, source, contents in chunks(data):
        if whose == process and kind in HERE:
            fields = list(struct.unpack("<3Q", contents))
            for i in HERE[kind]:
                first = first or fields[i]
                fields[i] += offset_ns + (fields[i] - first) * ppm // 1_000_000
            contents = struct.pack("<3Q", *fields)
        made += chunk(kind, whose, source, contents)
    return made


class Clocks(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.make_folder()
        cls.trace = cls.folder / "run.trace"
        done = terrane("run", "--world", "tcp", "--nodes", "2", "--processors", "1", "--stats",
                       "none", "--trace", cls.trace, "--trace-full", "wait", "--events",
                       "message,balance", "queens", "8", "4")
        assert done.code == 0, done.err
        cls.data = cls.trace.read_bytes()

    def events(self, trace):
        out = self.folder / "events.csv"
        done = terrane("trace", "convert", trace, "--to", "csv", "-o", out)
        self.assertEqual(done.code, 0, done.err)
        return list(csv.DictReader(io.StringIO(out.read_text())))

    def test_every_node_exchanges_stamps_at_the_start_and_at_the_end(self):
        asked = {0: [], 1: []}
        for kind, process, _, contents in chunks(self.data):
            if kind == EXCHANGE:
                sent, there, received = struct.unpack("<3Q", contents)
                asked[process].append(sent)
                self.assertTrue(sent <= there <= received)  # one host has one clock
        for stamps in asked.values():
            self.assertGreaterEqual(len(stamps), 9)  # two bursts of eight, as far as there was time
        self.assertNotIn("clocks:", terrane("trace", "show", self.trace).out)

    def test_a_clock_that_differs_is_found_and_its_times_are_set_right(self):
        plain = self.events(self.trace)
        for offset_ns, ppm in ((5_000_000_000, 200), (-5_000_000_000, -200)):
            other = self.folder / "skewed.trace"
            other.write_bytes(skewed(self.data, 1, offset_ns, ppm))
            said = re.search(r"clocks: the process of node 1 had a clock that differed by "
                             r"([-0-9.]+) s .* right to ([0-9.]+) us",
                             terrane("trace", "show", other).out)
            self.assertIsNotNone(said)
            self.assertAlmostEqual(float(said[1]), offset_ns / 1e9, delta=0.1)
            bound = float(said[2]) * 1e-6
            self.assertLess(bound, 1)
            seen = self.events(other)
            self.assertEqual(len(seen), len(plain))

            def times(rows):
                found = {}
                for row in rows:
                    found.setdefault(row["source"], []).append(float(row["ns"]) * 1e-9)
                return found

            before = times(plain)
            for source, now in times(seen).items():
                for old, new in zip(before[source], now):
                    self.assertLess(abs(new - old), 2 * bound + 1e-4, source)

    def test_the_report_says_how_exact_times_are(self):
        other, page = self.folder / "skewed.trace", self.folder / "page.html"
        other.write_bytes(skewed(self.data, 1, 5_000_000_000, 0))
        self.assertEqual(terrane("report", other, "-o", page).code, 0)
        self.assertRegex(page.read_text(), r'\["Clocks","the process of node 1 had a clock')

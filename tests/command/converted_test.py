# SPDX-License-Identifier: Apache-2.0
"""converted_test.py: what other tools would read of a trace."""

import csv
import io
import json
import pathlib
import re
import shutil
import unittest

from command import execute, terrane
from traced import FIBERS, TOKENS, Traced, samples_of


def fields_of(data):
    """The fields of a message of protocol buffers: number -> list of values."""
    found, at = {}, 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = number()
        if key & 7 == 0:
            value = number()
        elif key & 7 == 1:
            value = int.from_bytes(data[at:at + 8], "little")
            at += 8
        else:
            size = number()
            value = data[at:at + size]
            at += size
        found.setdefault(key >> 3, []).append(value)
    return found


class Converted(Traced):
    def test_csv_has_every_event_and_agrees_with_the_statistics(self):
        rows = list(csv.DictReader(io.StringIO(self.converted("csv").decode())))
        count = {}
        for row in rows:
            count[row["event"]] = count.get(row["event"], 0) + 1
        self.assertEqual(count["token_queued"] + count.get("token_inlined", 0), TOKENS)
        self.assertEqual(sum(int(row["field1"]) + int(row["field2"]) for row in rows
                             if row["event"] == "fiber_ended"), FIBERS)
        self.assertEqual(count["token_given"], self.statistics["tokens_moved"])
        self.assertEqual(count["note_sent"], self.statistics["notes_sent"])
        times = [int(row["ns"]) for row in rows]
        self.assertEqual(times, sorted(times))

    def test_chrome_nests_slices_and_has_both_ends_of_flows(self):
        events = json.loads(self.converted("chrome"))["traceEvents"]
        threads = {(each["pid"], each["tid"]) for each in events if each["name"] == "thread_name"}
        self.assertGreaterEqual(len(threads), 4)
        slices = [each for each in events if each["ph"] == "X"]
        self.assertTrue(all((each["pid"], each["tid"]) in threads for each in slices))
        fibers = [each for each in slices if each["cat"] == "fiber"]
        self.assertLessEqual({"programs::fib", "programs::fib::sum"},
                             {each["name"] for each in fibers})
        ends = {mark: sorted(each["id"] for each in events if each["ph"] == mark) for mark in "sf"}
        self.assertTrue(ends["s"])
        self.assertEqual(ends["s"], ends["f"])

    def test_perfetto_is_balanced_declared_and_matched(self):
        packets = [fields_of(each) for each in fields_of(self.converted("perfetto"))[1]]
        declared, depth, sent, taken = set(), {}, {}, {}
        for packet in packets:
            if 60 in packet:
                declared.add(fields_of(packet[60][0])[1][0])
                continue
            event = fields_of(packet[11][0])
            track, kind = event[11][0], event[9][0]
            self.assertIn(track, declared)
            depth[track] = depth.get(track, 0) + {1: 1, 2: -1}.get(kind, 0)
            self.assertGreaterEqual(depth[track], 0)
            for flow in event.get(47, []):
                sent[flow] = packet[8][0]
            for flow in event.get(48, []):
                taken[flow] = packet[8][0]
        self.assertEqual(set(depth.values()), {0})
        self.assertTrue(sent)
        self.assertEqual(set(sent), set(taken))
        self.assertTrue(all(sent[each] <= taken[each] for each in sent))

    def test_perfetto_is_what_its_own_library_reads(self):
        try:
            from perfetto.protos.perfetto.trace import perfetto_trace_pb2
        except ImportError:
            self.skipTest("PyPI's perfetto is not installed")
        trace = perfetto_trace_pb2.Trace()
        trace.ParseFromString(self.converted("perfetto"))
        begins = sum(each.track_event.type == 1 for each in trace.packet)
        self.assertGreater(begins, 0)
        self.assertEqual(begins, sum(each.track_event.type == 2 for each in trace.packet))

    def test_otf2_is_what_its_own_printer_reads(self):
        folder = str(self.folder / "archive")
        done = terrane("trace", "convert", self.trace, "--to", "otf2", "-o", folder)
        if "built where OTF2 was not found" in done.err:
            self.skipTest(done.err)
        self.assertEqual((done.code, done.out, done.err), (0, "", ""))
        again = terrane("trace", "convert", self.trace, "--to", "otf2", "-o", folder)
        self.assert_refused(again, "is there already")
        self.assert_refused(terrane("trace", "convert", self.trace, "--to", "otf2", "-o", "-"),
                            "a folder")
        self.assert_refused(terrane("trace", "convert", self.trace, "--to", "otf2", "-o",
                                    "/proc/x"), "cannot write /proc/x")
        if not shutil.which("otf2-print"):
            self.skipTest("otf2-print is not installed")
        printed = execute("otf2-print", folder + "/traces.otf2")
        self.assertEqual((printed.code, printed.err), (0, ""))
        open_regions, last, count, sent, taken = {}, {}, {}, {}, {}
        row = re.compile(r"^(\w+) +(\d+) +(\d+)  (.*)$", re.M)
        for kind, location, ns, rest in row.findall(printed.out):
            count[kind] = count.get(kind, 0) + 1
            self.assertLessEqual(last.get(location, 0), int(ns))
            last[location] = int(ns)
            its = open_regions.setdefault(location, [])
            if kind == "ENTER":
                its.append(rest)
            elif kind == "LEAVE":
                self.assertEqual(its.pop(), rest)
            elif kind in ("MPI_SEND", "MPI_RECV"):
                partner, tag = re.search(r"er: (\d+) .*Tag: (\d+)", rest).groups()
                if kind == "MPI_SEND":
                    sent.setdefault((location, partner, tag), []).append(int(ns))
                else:
                    taken.setdefault((partner, location, tag), []).append(int(ns))
        self.assertFalse([each for each in open_regions.values() if each])
        self.assertGreater(count["ENTER"], FIBERS // 2)
        self.assertGreater(count["METRIC"], 0)
        self.assertEqual(set(sent), set(taken))
        for pair, times in sent.items():
            self.assertEqual(len(times), len(taken[pair]))
            self.assertTrue(all(left <= came for left, came in zip(times, taken[pair])))
        self.assertEqual(sum(len(times) for (_, _, tag), times in sent.items() if tag == "1"),
                         self.statistics["tokens_moved"])

    def test_openmetrics_counts_the_same(self):
        found = samples_of(self.converted("openmetrics").decode())
        queued = sum(value for labels, value in found["terrane_events_total"]
                     if labels["event"] in ("token_queued", "token_inlined"))
        self.assertEqual(queued, TOKENS)
        self.assertEqual(sum(value for _, value in found["terrane_dropped_total"]), 0)
        self.assertEqual(len({labels["processor"] for labels, _ in
                              found["terrane_spent_seconds_total"]}), 4)

    def test_the_output_may_be_stdout_or_a_file_beside(self):
        done = terrane("trace", "convert", self.trace, "--to", "csv", "-o", "-")
        self.assertTrue(done.out.startswith("ns,source,"))
        self.assertEqual(terrane("trace", "convert", self.trace, "--to", "csv").code, 0)
        self.assertTrue(pathlib.Path(self.trace + ".csv").exists())


if __name__ == "__main__":
    unittest.main()

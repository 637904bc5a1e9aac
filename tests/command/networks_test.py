# SPDX-License-Identifier: Apache-2.0
"""networks_test.py: terrane networks: what it says of the simulated machines, and their prices."""

import csv
import json
import pathlib
import tempfile

from command import FIB, CommandTest, execute, terrane

PRESETS = ("zero", "modern", "sp2", "beowulf", "myrinet", "testbed", "paragon", "sun10")
FILES = pathlib.Path(__file__).resolve().parents[2] / "terrane" / "transport" / "networks"


def simulate(program, *words, network, seed=1, nodes=1):
    done = execute(FIB.with_name(program), "--quiet", "--world", "sim", "--network", network,
                   "--nodes", str(nodes), "--seed", str(seed), "--stats", "json", *words)
    if done.code != 0:
        raise AssertionError(done.err)
    return json.loads(done.err.splitlines()[-1])


class Networks(CommandTest):
    def test_are_listed_with_their_numbers(self):
        done = terrane("networks")
        self.assert_printed(done, "--network NAME")
        for name in PRESETS:
            self.assertRegex(done.out, rf"(?m)^{name} +\S.*[a-z]{{3}}\n +latency [0-9.]+ [num]s, ")
        for line in done.out.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_every_file_of_the_sources_is_listed(self):
        for file in FILES.glob("*.net"):
            self.assertRegex(terrane("networks").out, rf"(?m)^{file.stem} ")

    def test_one_is_printed_as_its_file(self):
        for name in PRESETS:
            text = (FILES / f"{name}.net").read_text()
            self.assertEqual(terrane("networks", name), (0, text, ""))

    def test_every_number_names_its_source(self):
        for file in FILES.glob("*.net"):
            explained = False  # by a comment above, up to a blank line
            for line in file.read_text().splitlines():
                if not line or line.startswith("#"):
                    explained = bool(line)
                elif not line.startswith(("summary", "topology")):
                    self.assertTrue(explained or " # " in line, f"{file.name}: {line}")

    def test_the_file_of_one_is_a_network_again(self):
        with tempfile.TemporaryDirectory() as folder:
            mine = pathlib.Path(folder) / "mine.net"
            mine.write_text(terrane("networks", "sp2").out)
            there, here = (simulate("fib", "15", network=each, nodes=4) for each in ("sp2", mine))
            self.assertEqual(there["event_log_hash"], here["event_log_hash"])

    def test_times_near_the_end_of_64_bits_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            mine = pathlib.Path(folder) / "mine.net"
            for line in ("latency_ns = 9223372036854775807", "jitter_ns = 1000000000001",
                         "price_ps.x = 18446744073709551615"):
                mine.write_text(f"{line}\n")
                name, value = line.split(" = ")
                self.assert_refused(
                    execute(FIB, "--world", "sim", "--network", mine, "5"),
                    f"mine.net:1: '{value}' is no value for {name} (a whole number up to 10")

    def test_wrong_words(self):
        self.assert_refused(terrane("networks", "sp3"), "no network 'sp3'", "did you mean sp2?")
        self.assert_refused(terrane("networks", "sp2", "zero"), "one network", "'zero'")
        for word in ("", " ", "x" * 100_000, b"\xff\x01\x1b[31m", "-"):
            self.assert_refused(terrane("networks", word))

    def test_a_wrong_file_is_refused_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            mine = pathlib.Path(folder) / "mine.net"
            mine.write_text("gap_ns = 1\ngap = 2\n")
            self.assert_refused(execute(FIB, "--world", "sim", "--network", mine, "5"),
                                "mine.net:2: there is no 'gap'")


class Testbed(CommandTest):
    def kinds(self, *words):
        """What was served, packed and flew in a run, in order, with its bytes."""
        with tempfile.TemporaryDirectory() as folder:
            trace, table = pathlib.Path(folder) / "trace", pathlib.Path(folder) / "csv"
            done = execute(FIB.with_name(words[0]), "--quiet", "--world", "sim", "--network",
                           "testbed", "--nodes", "5", "--events", "channel", "--trace", trace,
                           *words[1:])
            self.assertEqual(done.code, 0, done.err)
            self.assertEqual(terrane("trace", "convert", trace, "--to", "csv", "-o", table).code, 0)
            with open(table, newline="") as file:
                rows = [each for each in csv.DictReader(file)
                        if each["event"] in ("served", "packed", "flew")]
        rows.sort(key=lambda each: int(each["ns"]))
        return [(each["event"], each["field1"], int(each["field2"]), int(each["field3"]))
                for each in rows]

    def test_sends_focus_rtr_and_msg_for_each_item(self):
        seen = self.kinds("remote", "10", "1")
        sizes = [size for event, what, size, _ in seen if (event, what) == ("served", "send")][:10]
        self.assertEqual(sizes, [1 + 500 * i for i in range(10)])
        order = [what for event, what, _, _ in seen if event == "served"
                 and what in ("send", "focus", "rtr", "msg")]
        self.assertEqual("".join(each[0] for each in order).count("sfrm"), 10, order)

    def test_prices_are_those_of_its_file(self):
        took = {size: ns for event, what, size, ns in self.kinds("local", "10", "1")
                if (event, what) == ("served", "local_copy")}
        # 1.037 ms, 1.828 us a byte, 0.05 ms a page of the source and of the target; 0.25 a tick
        steps = 2501 // 1024 + (2501 + 512) // 1024
        self.assertIn(took[2501] - (1_037_000 + 1828 * 2501 + 50_000 * steps), (0, 250_000))

    def test_a_thread_is_packed_and_unpacked(self):
        moves = [(event, ns) for event, what, _, ns in self.kinds("migrate", "3")
                 if what == "thread"]
        self.assertEqual([event for event, _ in moves], ["packed", "flew", "served"] * 3)
        self.assertTrue(all(ns in (3_358_000, 3_608_000) for event, ns in moves
                            if event == "packed"), moves)


class Programs(CommandTest):
    def test_declare_all_their_work(self):
        for words in (("fib", "15"), ("queens", "7", "3"), ("knary", "4", "3", "1"), ("reduce",),
                      ("remote_sum",), ("matmul", "32", "4"), ("barrier", "3")):
            for network in ("zero", "modern", "testbed"):
                with self.subTest(words=words, network=network):
                    runs = [simulate(*words, network=network, seed=5, nodes=4) for _ in range(2)]
                    self.assertTrue(runs[0]["repeatable"])
                    self.assertEqual(runs[0]["event_log_hash"], runs[1]["event_log_hash"])

    def test_take_the_seconds_of_the_paper_on_one_node_of_an_sp2(self):
        for words, seconds in ((("queens", "12", "4"), 30.91 * 0.165),
                               (("knary", "7", "7", "2"), 24.77),
                               (("fib", "24"), 27.27 * 75025 / 5702887),
                               (("matmul", "128", "16"), 16.77 * 16.96 / 8**3)):
            with self.subTest(words=words):
                self.assertAlmostEqual(simulate(*words, network="sp2")["elapsed_seconds"] / seconds,
                                       1, delta=0.05)


class OtherWorlds(CommandTest):
    def test_refuse_what_only_a_simulated_machine_has(self):
        for option, value in (("--network", "sp2"), ("--faults", "delay=0.1"), ("--log", "/x/y")):
            self.assert_refused(terrane("run", option, value, "fib", "5"),
                                f"{option} is for world sim, and this is world local: leave it "
                                "out, or choose with --world")

    def test_take_faults_of_which_there_are_none(self):
        self.assertEqual(terrane("run", "--faults", "none", "fib", "5").code, 0)

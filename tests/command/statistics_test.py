# SPDX-License-Identifier: Apache-2.0
"""statistics_test.py: what a run reports about itself, in which form and where."""

import json
import os
import pathlib
import re
import tempfile

from command import FIB, CommandTest, execute, terrane

# fib 20: 10946 leaves. A token for every call but the first, a fiber for every leaf, two for every
# other call, and two of the root.
TOKENS, FIBERS = 2 * 10946 - 2, 3 * 10946
COMPANY = os.environ["TERRANE_COMPANY"]
DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "statistics.md"


def json_of(*words):
    return json.loads(terrane("run", "--stats", "json", *words).err.splitlines()[-1])


class Json(CommandTest):
    def test_is_the_last_line_of_stderr(self):
        done = terrane("run", "--stats", "json", "--nodes", "2", "--processors", "2", "--seed",
                       "5", "--balancer", "spn", "fib", "20")
        self.assertEqual((done.code, done.out), (0, "fib(20) = 10946\n"))
        lines = done.err.split("\n")
        self.assertEqual(lines.pop(), "")
        read = json.loads(lines[-1])
        self.assertEqual((read["world"], read["nodes"], read["processors"], read["balancer"],
                          read["seed"], read["exit_code"]), ("local", 2, 2, "spn", 5, 0))
        self.assertGreater(read["elapsed_seconds"], 0)
        self.assertEqual([(each["processor"], each["node"]) for each in read["per_processor"]],
                         [(0, 0), (1, 0), (2, 1), (3, 1)])

    def test_adds_up(self):
        read = json_of("--nodes", "2", "--processors", "2", "fib", "20")
        for name in ("tokens_generated", "fibers_executed"):
            self.assertEqual(read[name], sum(each[name] for each in read["per_processor"]))
        between = sum(each["messages_sent"] for each in read["per_processor"])
        self.assertEqual(read["messages_sent"],
                         between + read["notes_sent"] + read["tokens_moved"])
        for each in read["per_processor"]:
            self.assertLessEqual(each["run_seconds"], read["elapsed_seconds"])

    def test_has_just_the_documented_fields(self):
        document = DOCUMENT.read_text().split("## The JSON object")[1]
        read = json_of("fib", "5")
        simulated = json_of("--world", "sim", "fib", "5")
        two_nodes = json_of("--world", "sim", "--nodes", "2", "reduce")
        wired = json_of("--world", "tcp", "--nodes", "2", "reduce")
        waiting = json_of("--waits", "jacobi", "rope", "66")
        parts = (read, simulated, wired, waiting, wired["wires"][0], read["per_processor"][0],
                 two_nodes["pairs"][0], waiting["waits"][0])
        fields = {name for part in parts for name in part}
        fields.add("probes")  # of builds with rare branches
        self.assertEqual(fields, set(re.findall(r"(?m)^\| `(\w+)`", document)))

    def test_adds_up_over_pairs_of_nodes(self):
        read = json_of("--world", "sim", "--nodes", "5", "queens", "6")
        pairs = read["pairs"]
        places = [(each["from"], each["to"]) for each in pairs]
        self.assertEqual(places, sorted(set(places)))
        self.assertTrue(all(0 <= from_ < 5 and 0 <= to < 5 and from_ != to for from_, to in places))
        self.assertEqual(sum(each["messages"] for each in pairs), read["network_messages"])
        self.assertEqual(sum(each["bytes"] for each in pairs), read["network_bytes"])
        self.assertEqual(json_of("--world", "sim", "fib", "5")["pairs"], [])

    def test_counts_the_same_on_any_number_of_nodes_under_every_balancer(self):
        names = re.findall(r"(?m)^(\w+) {2,}", terrane("balancers").out)
        self.assertIn("nop", names)
        for balancer in names:
            for nodes in (1, 2, 4):
                with self.subTest(balancer=balancer, nodes=nodes):
                    read = json_of("--nodes", str(nodes), "--balancer", balancer, "fib", "20")
                    self.assertEqual((read["tokens_generated"], read["fibers_executed"]),
                                     (TOKENS, FIBERS))
                    self.assertEqual((read["nodes"], read["balancer"]), (nodes, balancer))
                    if nodes == 1 or balancer == "nop":
                        self.assertEqual(read["tokens_moved"], 0)

    def test_counts_the_same_when_every_token_is_queued(self):
        read = json_of("--nodes", "2", "--enough", "all", "fib", "20")
        self.assertEqual((read["tokens_generated"], read["fibers_executed"]), (TOKENS, FIBERS))

    def test_tells_the_exit_code(self):
        done = terrane("run", "--stats", "json", "fib", "x")
        self.assertEqual(done.code, 2)
        self.assertEqual(json.loads(done.err.splitlines()[-1])["exit_code"], 2)


class File(CommandTest):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="terrane statistics ")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def test_holds_the_object_and_stderr_nothing(self):
        for name in ("a.json", "two words.json", "it's.json", "line\nbreak", "größe", "--"):
            done = terrane("run", "--stats", f"json={name}", "fib", "20", folder=self.folder)
            self.assertEqual(done, (0, "fib(20) = 10946\n", ""))
            text = (self.folder / name).read_text()
            self.assertEqual(text.count("\n"), 1)
            self.assertEqual(json.loads(text)["fibers_executed"], FIBERS)

    def test_is_written_by_a_program_run_directly_too(self):
        done = execute(FIB, "--stats=json=a.json", "20", folder=self.folder)
        self.assertEqual(done, (0, "fib(20) = 10946\n", ""))
        self.assertEqual(json.loads((self.folder / "a.json").read_text())["nodes"], 1)

    def test_lies_in_the_folder_of_the_caller(self):
        script = self.folder / "script"
        script.write_text(f"#!/bin/sh\ncd / && exec '{FIB}' \"$@\"\n")
        script.chmod(0o755)
        done = terrane("run", "--stats", "json=a.json", "./script", "5", folder=self.folder)
        self.assertEqual(done, (0, "fib(5) = 8\n", ""))
        self.assertTrue((self.folder / "a.json").exists())

    def test_that_is_there_is_replaced(self):
        file = self.folder / "a.json"
        file.write_text("x" * 100_000)
        self.assertEqual(terrane("run", "--stats", f"json={file}", "fib", "5").code, 0)
        self.assertEqual(json.loads(file.read_text())["exit_code"], 0)

    def test_is_left_as_it_was_by_a_run_time_error(self):
        for world in ("local", "shm", "sim"):
            for before in (None, "what was here before\n"):
                with self.subTest(world=world, before=before):
                    file = self.folder / f"{world}.json"
                    file.unlink(missing_ok=True)
                    if before:
                        file.write_text(before)
                    done = terrane("run", "--world", world, "--nodes", "2", "--stats",
                                   f"json={file}", COMPANY, "mistake")
                    self.assertEqual(done.code, 122, done.err)
                    self.assertEqual(file.read_text() if file.exists() else "", before or "")

    def test_that_cannot_be_made_is_found_before_the_run(self):
        for name in ("none/a.json", ".", "/", "x" * 300):
            for program, words in ((terrane, ("run",)), (execute, (FIB,))):
                fib = ("fib",) if program is terrane else ()
                self.assert_refused(
                    program(*words, "--stats", f"json={name}", *fib, "5", folder=self.folder),
                    "--stats json=FILE", "choose another FILE")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_that_fills_up_loses_nothing(self):
        done = terrane("run", "--stats", "json=/dev/full", "fib", "20")
        self.assertEqual((done.code, done.out), (1, "fib(20) = 10946\n"))
        self.assertIn("/dev/full", done.err.splitlines()[0])
        self.assertEqual(json.loads(done.err.splitlines()[-1])["tokens_generated"], TOKENS)

    def test_that_is_stdout_follows_what_was_printed(self):
        with open(self.folder / "out", "wb") as out:
            done = terrane("run", "--stats", "json=/dev/stdout", "fib", "20", out=out)
        self.assertEqual((done.code, done.err), (0, ""))
        answer, statistics = (self.folder / "out").read_text().splitlines()
        self.assertEqual(answer, "fib(20) = 10946")
        self.assertEqual(json.loads(statistics)["exit_code"], 0)


class Text(CommandTest):
    def test_is_a_summary_and_a_row_for_each_processor(self):
        done = terrane("run", "--nodes", "2", "--processors", "2", "fib", "20")
        self.assertEqual((done.code, done.out), (0, "fib(20) = 10946\n"))
        budget, machine, counts, head, *rows = [
            line for line in done.err.splitlines()
            if not line.startswith("terrane: rare branches:")]  # of builds that have them
        self.assertRegex(budget, r"^terrane: processors: \d+ \(.+\)")
        self.assertEqual(machine, "terrane: 2 nodes of 2 processors, world local, balancer rand, "
                                  "seed 1")
        self.assertRegex(counts, rf"^terrane: \d+\.\d+ s elapsed, {TOKENS} tokens, "
                                 rf"{FIBERS} fibers, \d+ tokens? moved, \d+ messages?$")
        self.assertEqual(head.split()[:4], ["processor", "node", "tokens", "fibers"])
        self.assertEqual([row.split()[:2] for row in rows],
                         [["0", "0"], ["1", "0"], ["2", "1"], ["3", "1"]])
        self.assertEqual(sum(int(row.split()[2]) for row in rows), TOKENS)

    def test_leaves_out_notices_when_quiet(self):
        done = terrane("run", "--quiet", "fib", "20")
        self.assertNotIn("processors:", done.err)
        self.assertIn(f"{TOKENS} tokens", done.err)

    def test_none(self):
        self.assertEqual(terrane("run", "--stats", "none", "fib", "20").err, "")

# SPDX-License-Identifier: Apache-2.0
"""shm_test.py: world shm as its user meets it: output, exit codes, and nodes that are lost."""

import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

from command import FIB, TERRANE, CommandTest, Done, execute, surroundings

COMPANY = pathlib.Path(os.environ["TERRANE_COMPANY"]).resolve()
SHM = ("--world", "shm", "--processors", "1")
SANITIZED = "TERRANE_SANITIZE:STRING=\n" not in pathlib.Path(
    os.environ["TERRANE_BUILD"], "CMakeCache.txt").read_text()
BALANCERS = ("minima", "dual", "spn", "shis", "snd", "his", "range", "catapult", "rand", "adaptive")


class WorldTest(CommandTest):
    """What any world does whose nodes are processes; tcp_test.py has the same in another."""
    WORLD = SHM
    LAYOUTS = ((), ("--layout", "own"))

    def company(self, nodes, *words, **how):
        return execute(COMPANY, *self.WORLD, "--nodes", str(nodes), *words, **how)


def processes_of(launcher):
    """The node processes, by node."""
    listed = subprocess.run(["ps", "--ppid", str(launcher), "-o", "pid="], capture_output=True,
                            text=True, check=False).stdout.split()
    return [int(each) for each in listed]


def nodes_of(launcher):
    """Those of them that have found their run."""
    return [each for each in processes_of(launcher)
            if pathlib.Path(f"/proc/{each}/comm").read_text().startswith("terrane node")]


def is_there(process):
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


class Output(WorldTest):
    def test_of_all_nodes_comes_in_whole_lines(self):
        done = self.company(4, "print", "200")
        self.assertEqual((done.code, done.err), (0, ""))
        lines = done.out.splitlines()
        self.assertEqual(len(lines), 800)
        for letter in "abcd":
            self.assertEqual(lines.count(letter * 100), 200)

    def test_says_who_printed_it_when_asked(self):
        done = self.company(3, "--tag-output", "print", "2")
        self.assertEqual(sorted(done.out.splitlines()),
                         [f"[node {n}] " + letter * 100 for n, letter in enumerate("abc")
                          for _ in range(2)])

    def test_input_goes_to_node_0(self):
        done = subprocess.run([COMPANY, *self.WORLD, "--nodes", "3", "echo"], input=b"one\ntwo",
                              stdout=subprocess.PIPE, env=surroundings(), timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, b"one\ntwo"))

    def test_each_node_is_a_process_of_its_own(self):
        done = self.company(5, "pids")
        self.assertEqual(len(set(done.out.split())), 5)

    def test_nodes_lie_at_equal_addresses_and_runs_at_others(self):
        if pathlib.Path("/proc/sys/kernel/randomize_va_space").read_text().strip() == "0":
            self.skipTest("this machine does not randomise layouts")
        layouts = set()
        for _ in range(3):
            of_nodes = set(self.company(4, "layout").out.split())
            self.assertEqual(len(of_nodes), 1)
            layouts |= of_nodes
        self.assertEqual(len(layouts), 3)


class OwnLayouts(WorldTest):
    """Nodes that start the program anew, each with code at addresses of its own."""

    OWN = ("--layout", "own")

    def test_differ(self):
        if pathlib.Path("/proc/sys/kernel/randomize_va_space").read_text().strip() == "0":
            self.skipTest("this machine does not randomise layouts")
        self.assertEqual(len(set(self.company(4, *self.OWN, "layout").out.split())), 4)

    def test_run_programs_right_under_every_balancer(self):
        counts = [  # program, words, answer, tokens, fibers
            ("fib", ["26"], "fib(26) = 196418\n", 2 * 196418 - 2, 3 * 196418),
            ("queens", ["10"], "queens(10) = 724\n", 3692, 9231),
            ("queens", ["12"], "queens(12) = 14200\n", 9916, 24791),
            ("matmul", ["256"], "sum -7 sumsq 3785653\n", 16, 50),
        ]
        for balancer in BALANCERS:
            for program, words, answer, tokens, fibers in counts:
                with self.subTest(balancer=balancer, program=program):
                    done = execute(FIB.with_name(program), *self.WORLD, *self.OWN, "--nodes", "3",
                                   "--balancer", balancer, "--stats", "json", *words)
                    self.assertEqual((done.code, done.out), (0, answer), done.err)
                    self.assertIn(f'"tokens_generated":{tokens},', done.err)
                    self.assertIn(f'"fibers_executed":{fibers},', done.err)

    def test_run_threads_that_may_move_right(self):
        alone = execute(FIB.with_name("quadrature"), "--processors", "1", "16", "9")
        for balancer in BALANCERS:
            with self.subTest(balancer=balancer):
                done = execute(FIB.with_name("quadrature"), *self.WORLD, *self.OWN, "--nodes", "3",
                               "--balancer", balancer, "16", "9")
                self.assertEqual(done, alone)

    def test_move_blocks_of_any_size(self):
        for size in (1, 5000, 3_000_000):
            done = self.company(3, *self.OWN, "send", str(size))
            self.assertEqual(done, (0, f"sent {3 * size}\n", ""))

    def test_refuse_to_move_threads_and_say_why(self):
        why = "it stays: each node has its code at addresses of its own"
        if SANITIZED:  # which is another reason, and comes first
            self.skipTest("threads stay in any layout")
        done = self.company(2, *self.OWN, "--balancer", "nop", "visit")
        self.assertEqual(done, (0, f"node 0: {why}; to go there, {why}\n"
                                   f"node 0: runs\nnode 0: pushed, {why}\n", ""))
        done = self.company(2, "--balancer", "nop", "visit")
        self.assertEqual((done.code, set(done.out.splitlines()), done.err),
                         (0, {"node 1: it has moved, or may move; to go there, it has moved, or "
                              "may move", "node 1: runs",
                              "node 0: pushed, it has moved, or may move"}, ""))

    def test_keep_threads_from_balancers(self):
        for balancer in ("rand", "spn", "adaptive"):
            with self.subTest(balancer=balancer):
                of = ("--balancer", balancer, "roam")
                self.assertEqual(self.company(3, *self.OWN, *of, "5").out,
                                 "threads were on node 0 alone\n")
                if not SANITIZED:
                    self.assertEqual(self.company(3, *of, "1000").out,
                                     "threads were on other nodes\n")

    def test_find_no_run_in_what_a_user_writes(self):
        pipe = os.pipe()
        with open("/dev/zero", "rb") as zeros:
            for told in ("", "x", "0", "0:0:1", "0:0:1:1", "-1:3:4:5", "0:3:4:5:6", "0:3:4: 5",
                         "99999999999999999999:3:4:5", f"0:0:{pipe[1]}:{os.getpid()}",
                         f"0:{zeros.fileno()}:{pipe[1]}:{os.getpid()}",
                         f"0:{zeros.fileno()}:{pipe[0]}:{os.getpid()}",
                         f"0:1000:{pipe[1]}:{os.getpid()}", f"0:{zeros.fileno()}:1:{os.getpid()}"):
                with self.subTest(told=told):
                    done = subprocess.run(
                        [COMPANY, *self.WORLD, "pids"], stdin=subprocess.DEVNULL,
                        capture_output=True, timeout=60, text=True,
                        env=surroundings(TERRANE_NODE=told), check=False,
                        pass_fds=(*pipe, zeros.fileno()))
                    self.assert_refused(Done(done.returncode, done.stdout, done.stderr),
                                        "TERRANE_NODE", "unset it")
        for each in pipe:
            os.close(each)


class ExitCode(WorldTest):
    def test_is_the_programs(self):
        self.assertEqual(self.company(3, "exit", "7"), (7, "", ""))

    def test_of_a_deadlock_names_who_waits(self):
        done = self.company(3, "forget")
        self.assertEqual(done.code, 121)
        self.assertIn("R-250: deadlock", done.err)
        self.assertRegex(done.err, r"processor 2, node 2: .*member::came")

    def test_of_an_error_at_run_time(self):
        done = self.company(3, "mistake")
        self.assertEqual(done.code, 122)
        self.assertRegex(done.err, r"R-202: .*\(on processor 2 of node 2")

    def test_of_places_that_are_no_memory_of_their_owner(self):
        for deed, did in (("poke", "written"), ("peek", "read")):
            done = self.company(2, deed)
            self.assertEqual(done.code, 122)
            self.assertRegex(done.err, rf"R-222: 8 bytes at address 0x1000 were to be {did}, .*"
                                       r"\(on processor 0 of node 0")

    def test_statistics_are_those_of_all_nodes(self):
        done = execute(FIB, *self.WORLD, "--nodes", "4", "--stats", "json", "18")
        self.assertEqual((done.code, done.out), (0, "fib(18) = 4181\n"))
        self.assertIn('"tokens_generated":8360', done.err)
        self.assertIn('"fibers_executed":12543', done.err)
        self.assertEqual(len(re.findall('"processor":', done.err)), 4)


class Sends(WorldTest):
    def test_everybody_sends_everybody_small_and_large_blocks(self):
        for size in (1, 5000, 100_000, 3_000_000):
            with self.subTest(size=size):
                self.assertEqual(self.company(4, "send", str(size)), (0, f"sent {4 * size}\n", ""))


class Lost(WorldTest):
    """A node that is lost becomes one sentence, ends the run, and leaves nothing behind."""

    def assert_lost(self, done, *parts):
        self.assertEqual(done.code, 123, done.err)
        self.assertRegex(done.err, r"(?m)\Aterrane: node \d+ \(process \d+")
        for part in parts:
            self.assertIn(part, done.err)

    def test_a_node_that_aborts(self):
        self.assert_lost(self.company(3, "abort"), "node 2", "signal 6", "running")

    def test_a_node_that_leaves(self):
        # What a program had when it left is no leak.
        leaves = {"variables": {"ASAN_OPTIONS": "detect_leaks=0"}}
        self.assertEqual(self.company(3, "leave", "9", **leaves).code, 9)
        done = self.company(3, "leave", "0", **leaves)
        self.assert_lost(done, "node 2", "ended by itself with exit code 0")

    def test_a_node_that_takes_too_much_memory(self):
        done = self.company(2, "--max-memory", "100", "eat", "300")
        self.assertEqual(done.code, 123)
        self.assertIn("node 1", done.err)
        self.assertIn("--max-memory", done.err)

    def run_and(self, act, *options, nodes=3, does="wait"):
        """Starts a run without end, acts on its processes, waits for its end."""
        run = subprocess.Popen([COMPANY, *self.WORLD, *options, "--nodes", str(nodes), does],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=surroundings())
        until = time.monotonic() + 20
        while len(nodes_of(run.pid)) < nodes and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.3)
        members = processes_of(run.pid)
        self.assertEqual(len(members), nodes)
        act(run, members)
        out, err = run.communicate(timeout=30)
        until = time.monotonic() + 10
        while any(is_there(each) for each in members) and time.monotonic() < until:
            time.sleep(0.01)
        self.assertFalse([each for each in members if is_there(each)], "a process is left")
        return run.returncode, out, err

    def test_a_node_that_is_killed(self):
        killed = []

        def kill(_, members):
            killed.append(members[1])
            os.kill(members[1], signal.SIGKILL)
        for layout in self.LAYOUTS:
            code, _, err = self.run_and(kill, *layout)
            self.assertEqual(code, 123)
            self.assertRegex(err,
                             rf"node 1 \(process {killed[-1]}, running\).* was killed by signal 9")

    def test_threads_that_were_to_go_to_a_node_that_is_killed_stay_where_they_were(self):
        if SANITIZED:
            self.skipTest("threads stay in any case")

        def kill(_, members):
            os.kill(members[2], signal.SIGKILL)
        code, out, err = self.run_and(kill, "--after-loss", "20", "--balancer", "nop",
                                      does="lose")
        self.assertEqual(code, 123, err)
        self.assertRegex(err, r"\Aterrane: node 2 \(process \d+, running\).* was killed by "
                              r"signal 9 .*; the others have 20 s\n"
                              r"(terrane: the last \d+ events .*:\n(  .*\n)*)?\Z")
        ended = "was to go to a node whose process has ended"
        self.assertEqual(
            sorted(out.splitlines()),
            [f"node 0: it {ended}; again, it {ended}; elsewhere, it has moved, or may move; now on "
             "node 1, whole"] * 2 + [f"node 0: pushed, it {ended}"] * 2 + ["node 0: runs"] * 2)

    def test_what_waits_for_a_node_that_is_killed_has_its_time_and_no_more(self):
        def kill(_, members):
            os.kill(members[1], signal.SIGKILL)
        begun = time.monotonic()
        code, _, err = self.run_and(kill, "--after-loss", "2")
        self.assertEqual(code, 123)
        self.assertIn("the others have 2 s", err)
        self.assertIn("terrane: the run was ended", err)
        self.assertGreaterEqual(time.monotonic() - begun, 2)

    def test_a_node_that_is_stopped(self):
        code, _, err = self.run_and(lambda _, members: os.kill(members[2], signal.SIGSTOP))
        self.assertEqual(code, 123)
        self.assertRegex(err, r"node 2 \(process \d+, running\).* is stopped")

    def test_a_node_that_is_stopped_for_a_moment_is_not_lost(self):
        def pause(run, members):
            os.kill(members[1], signal.SIGSTOP)
            time.sleep(1)
            os.kill(members[1], signal.SIGCONT)
            time.sleep(1)
            self.assertIsNone(run.poll())
            run.terminate()
        self.assertEqual(self.run_and(pause)[0], -signal.SIGTERM)

    def test_a_launcher_that_is_told_to_pause_pauses_its_nodes_and_loses_none(self):
        def pause(run, members):
            run.send_signal(signal.SIGTSTP)
            self.assertTrue(self.all_come_to({run.pid, *members}, stopped=True))
            time.sleep(2)  # more than three heartbeats
            run.send_signal(signal.SIGCONT)
            self.assertTrue(self.all_come_to({run.pid, *members}, stopped=False))
            time.sleep(1.5)
            self.assertIsNone(run.poll())
            run.terminate()
        code, _, err = self.run_and(pause, "--heartbeat", "0.4")
        self.assertEqual((code, err), (-signal.SIGTERM, ""))

    @staticmethod
    def all_come_to(processes, stopped):
        """Whether all those are stopped, or all go on, within some seconds."""
        def is_stopped(process):
            text = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
            return text.rsplit(") ", 1)[1][0] == "T"
        until = time.monotonic() + 10
        while any(is_stopped(each) != stopped for each in processes):
            if time.monotonic() > until:
                return False
            time.sleep(0.01)
        return True

    def test_a_launcher_that_is_killed_takes_its_nodes_along(self):
        for layout in self.LAYOUTS:
            self.assertEqual(self.run_and(lambda run, _: run.kill(), *layout)[0],
                             -signal.SIGKILL)

    def test_an_interrupt_ends_everything_without_a_word(self):
        code, _, err = self.run_and(lambda run, _: run.send_signal(signal.SIGINT))
        self.assertEqual((code, err), (-signal.SIGINT, ""))


    def test_a_reader_that_stands_still_holds_up_no_end(self):
        run = subprocess.Popen([COMPANY, *self.WORLD, "--nodes", "2", "print", "100000"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               env=surroundings())
        with run.stdout:
            run.stdout.read(1)  # then the pipe is full before long
            time.sleep(0.5)
            self.assertIsNone(run.poll())
            run.terminate()
            self.assertEqual(run.wait(20), -signal.SIGTERM)


class Refused(CommandTest):
    def test_more_processors_than_the_world_takes(self):
        done = execute(TERRANE, "run", "--world", "shm", "--nodes", "300", "--processors", "1",
                       "fib")
        self.assert_refused(done, "world shm takes up to 256")


if __name__ == "__main__":
    unittest.main()

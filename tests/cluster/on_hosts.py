# SPDX-License-Identifier: Apache-2.0
"""on_hosts.py: runs of world tcp on four hosts, started by ssh, over 100 Mbit/s that lose one
packet of a hundred; starts that go wrong, and hosts that are lost.

TERRANE_RUNS says how many hosts are lost in each way.
"""

import json
import os
import pathlib
import random
import signal
import sys
import time
import unittest

from rig import Rig, command, why_not

TERRANE = pathlib.Path(os.environ["TERRANE_BIN"]).resolve()
FIB = TERRANE.with_name("fib")
QUEENS = TERRANE.with_name("queens")
MOVES = TERRANE.with_name("moves")
RUNS = int(os.environ.get("TERRANE_RUNS", "1"))
SECONDS_MAX = 15  # to notice, with time for ssh on a busy machine
WHY_NOT = why_not()


class OnHosts(unittest.TestCase):
    loss = 0.0

    @classmethod
    def setUpClass(cls):
        cls.rig = cls.enterClassContext(Rig("abcd", rate="100mbit", loss=cls.loss))

    def words(self, *words, hosts="a,b,c,d"):
        return [TERRANE, "run", "--world", "tcp", "--hosts", hosts, "--processors", "1", *words]

    def left(self):
        """Programs and launchers that are left on any host, after a moment."""
        for _ in range(100):
            found = [process for name in self.rig.names
                     for process in self.rig.processes(name, "/bin/(fib|queens) |/ssh ")]
            if not found:
                return []
            time.sleep(0.05)
        return found


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Sound(OnHosts):
    loss = 0.01

    def test_counts_are_exact(self):
        for how in ((), ("--tls",), ("--progress", "modules"),
                    ("--nodes", "7", "--connect", "lazy")):
            done = self.rig.execute(*self.words("--enough", "all", "--stats", "json", *how), FIB,
                                    16)
            self.assertEqual((done.code, done.out), (0, "fib(16) = 1597\n"), (how, done.err))
            counted = json.loads(done.err.splitlines()[-1])
            self.assertEqual((counted["tokens_generated"], counted["fibers_executed"]),
                             (3192, 4791), how)
        self.assertEqual(self.left(), [])

    @unittest.skipIf(os.environ.get("TERRANE_SANITIZE"), "threads stay in their process")
    def test_threads_move_between_hosts(self):
        done = self.rig.execute(*self.words("--stats", "none", "--balancer", "nop", hosts="a,b"),
                                MOVES, 1, 20)
        self.assertEqual((done.code, len(done.out.splitlines())), (0, 4), done.err)

    def test_the_program_is_sent_first_if_told_so(self):
        with self.rig.in_place_of(FIB, "#!/bin/false\n", at="b"):
            done = self.rig.execute(*self.words("--copy", "--stats", "none"), FIB, 16)
            self.assertEqual((done.code, done.out), (0, "fib(16) = 1597\n"), done.err)
            done = self.rig.execute(*self.words("--stats", "none"), FIB, 16)
            self.assertNotEqual(done.code, 0)
        self.assertEqual(self.left(), [])

    def listeners(self, name):
        """The ports at which a host can be called, but for that of ssh."""
        lines = command(self.rig.inside(name, "ss", "-Hltn")).splitlines()
        ports = [int(line.split()[3].rpartition(":")[2]) for line in lines]
        return [port for port in ports if port != 22]

    def end(self, run):
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=SECONDS_MAX)
        self.assertEqual(self.left(), [])

    def test_nobody_listens_once_all_are_connected(self):
        run = self.rig.start(*self.words("--stats", "none", "--connect", "eager"), FIB, 50)
        time.sleep(3)
        open_ports = {name: self.listeners(name) for name in self.rig.names}
        self.assertIsNone(run.poll())
        self.end(run)
        self.assertEqual(open_ports, {name: [] for name in self.rig.names})

    def test_strangers_change_nothing(self):
        # Without work to move the nodes do not call each other, and go on to listen.
        run = self.rig.start(*self.words("--stats", "none", "--connect", "lazy", "--balancer",
                                         "nop"), FIB, 50)
        time.sleep(3)
        ports = [(self.rig.address(name), port) for name in "abcd"
                 for port in self.listeners(name)]
        script = f"""
import os, socket
for where in {ports}:
    for text in (b"GET / HTTP/1.1\\r\\n\\r\\n", bytes(72), b"terrane\\n" + os.urandom(64), b""):
        with socket.create_connection(where, timeout=5) as stranger:
            try:
                stranger.sendall(text)
                assert not text or stranger.recv(1) == b"", "a stranger was answered"
            except ConnectionResetError:
                pass
"""
        done = self.rig.execute(sys.executable, "-c", script)
        self.assertNotEqual(ports, [])
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertIsNone(run.poll())
        self.end(run)

    def test_work_moves_between_hosts(self):
        done = self.rig.execute(*self.words("--stats", "none"), QUEENS, 8, 3)
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertIn("92", done.out)


@unittest.skipIf(WHY_NOT, WHY_NOT)
class BadStarts(OnHosts):
    def assert_ends(self, done, took, *parts):
        where = f"{done} after {took:.1f} s"
        self.assertIsNotNone(done.code, f"hangs: {where}")
        self.assertNotEqual(done.code, 0, where)
        self.assertLess(took, SECONDS_MAX, where)
        self.assertRegex(done.err, "terrane: ", where)
        for part in parts:
            self.assertRegex(done.err, part, where)
        self.assertNotIn("internal error", done.err, where)
        self.assertEqual(self.left(), [], where)
        if "TERRANE_SHOW" in os.environ:
            print(f"{self.id()}: {done.code}, {took:.1f} s\n{done.err}", file=sys.stderr)

    def bad_start(self, *parts, hosts="a,b", how=()):
        start = time.monotonic()
        done = self.rig.execute(*self.words("--stats", "none", *how, hosts=hosts), FIB, 16,
                                timeout=60)
        self.assert_ends(done, time.monotonic() - start, *parts)

    def test_a_host_that_does_not_exist(self):
        self.bad_start("nosuch", hosts="a,nosuch")

    def test_a_host_that_refuses_ssh(self):
        with self.rig.rule("-d", self.rig.address("b"), "-p", "tcp", "--dport", "22", "-j",
                           "REJECT", "--reject-with", "tcp-reset"):
            self.bad_start("node 1", "b")

    def test_a_user_that_may_not_log_in(self):
        self.bad_start("node 1", hosts="a,nobody@b")

    def test_a_launcher_that_is_not_there(self):
        self.bad_start("nowhere", how=("--launcher", "/nowhere {host} {command}"))

    def test_a_launcher_that_does_nothing(self):
        self.bad_start("node", how=("--launcher", "true {host} {command}"))

    def test_a_file_that_is_not_there(self):
        with self.rig.in_place_of(FIB, "", at="b"):
            self.bad_start("node 1")

    def test_a_program_that_ends_at_once(self):
        with self.rig.in_place_of(FIB, "#!/bin/sh\nexit 3\n", at="b"):
            self.bad_start("node 1", "3")

    def test_a_program_that_is_killed_at_once(self):
        with self.rig.in_place_of(FIB, "#!/bin/sh\nkill -9 $$\n", at="b"):
            self.bad_start("node 1")

    def test_a_program_that_is_none(self):
        with self.rig.in_place_of(FIB, b"\x7fELF nothing", at="b"):
            self.bad_start("node 1")

    def test_another_build(self):
        text = FIB.read_bytes()
        at = text.index(b"GNU\0", text.index(b"\x03\0\0\0GNU\0")) + 4
        other = text[:at] + bytes(reversed(text[at:at + 20])) + text[at + 20:]
        with self.rig.in_place_of(FIB, other, at="b"):
            self.bad_start("runs another executable", r"on b\b", text[at:at + 20].hex())

    def disturbed(self, script, *parts):
        """The program on b is a script that runs the real one."""
        real = self.rig.folder / "real"
        real.write_bytes(FIB.read_bytes())
        real.chmod(0o755)
        with self.rig.in_place_of(FIB, f"#!/bin/sh\n{script.format(real=real)}\n", at="b"):
            self.bad_start(*parts)

    def test_a_node_without_the_secret(self):
        self.disturbed('exec {real} "$@" </dev/null', "secret")

    def test_a_node_with_another_secret(self):
        self.disturbed('read s; echo "$s" | tr 0123456789abcdef 123456789abcdef0 | {real} "$@"',
                       "node 1")

    def test_a_node_with_few_descriptors(self):
        self.disturbed('ulimit -n 6; exec {real} "$@"', "descriptor|Too many open files")

    def test_a_node_with_little_address_space(self):
        self.disturbed('ulimit -v 200000; exec {real} "$@"', "node 1", "address space")

    def test_a_node_that_calls_a_stale_port(self):
        self.disturbed('export TERRANE_NODE=$(echo $TERRANE_NODE | sed "s/:[0-9]*:\\([^:]*\\)$/:9:'
                       '\\1/"); exec {real} "$@"', "port|refused|9")

    def test_a_node_that_says_it_is_another(self):
        self.disturbed('export TERRANE_NODE=$(echo $TERRANE_NODE | '
                       'sed "s/^tcp:same:1:/tcp:same:0:/"); exec {real} "$@"')

    def test_a_firewall_before_the_launcher(self):
        with self.rig.rule("-s", self.rig.address("b"), "-d", self.rig.address("home"), "-p", "tcp",
                           "--syn", "-j", "REJECT", "--reject-with", "tcp-reset"):
            self.bad_start("node 1|cannot reach the launcher")

    def test_a_firewall_between_two_nodes(self):
        with self.rig.rule("-s", self.rig.address("a"), "-d", self.rig.address("b"), "-p", "tcp",
                           "--syn", "-j", "REJECT", "--reject-with", "tcp-reset"):
            self.bad_start("node")

    def test_no_way_between_two_nodes(self):
        with self.rig.rule("-s", self.rig.address("a"), "-d", self.rig.address("b"), "-j", "DROP"):
            self.bad_start("node")


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Lost(OnHosts):
    """Hosts and launchers that are lost at a random moment."""

    def lose(self, what, number, *parts):
        chance = random.Random(number)
        start = time.monotonic()
        run = self.rig.start(*self.words("--stats", "none", "--heartbeat", "0.5"), FIB, 46)
        time.sleep(1.0 + 2 * chance.random())
        victim = chance.choice("abcd")
        struck = time.monotonic()
        what(run, victim)
        try:
            out, err = run.communicate(timeout=40)
        except Exception:
            run.kill()
            out, err = run.communicate()
            self.fail(f"hangs: {err}")
        took = time.monotonic() - struck
        err = os.fsdecode(err)
        where = (f"run {number}, {victim}, struck after {struck - start:.1f} s: {run.returncode} "
                 f"{err}")
        self.assertLess(took, SECONDS_MAX, where)
        self.assertEqual(self.left(), [], where)
        if "TERRANE_SHOW" in os.environ:
            print(f"{where} after {took:.1f} s", file=sys.stderr)
        return run.returncode, err, victim, where

    def signal_node(self, which):
        def strike(_, victim):
            for process in self.rig.processes(victim, "/bin/fib "):
                name = pathlib.Path(f"/proc/{process}/comm").read_text()
                if name != "terrane guard\n":
                    os.kill(process, which)
        return strike

    def assert_named(self, lost):
        code, err, victim, where = lost
        self.assertEqual(code, 123, where)
        self.assertRegex(err, rf"node \d+ .*\b{victim}\b", where)

    def test_a_killed_node_is_named(self):
        for number in range(RUNS):
            self.assert_named(self.lose(self.signal_node(signal.SIGKILL), number))

    def test_a_stopped_node_is_named(self):
        for number in range(RUNS):
            self.assert_named(self.lose(self.signal_node(signal.SIGSTOP), number))

    def test_a_host_that_is_cut_off_is_named(self):
        def strike(_, victim):
            for way in ("-s", "-d"):
                self.rig.router("iptables", "-I", "FORWARD", way, self.rig.address(victim), "-j",
                                "DROP")

        for number in range(RUNS):
            try:
                self.assert_named(self.lose(strike, number))
            finally:
                self.rig.router("iptables", "-F", "FORWARD")

    def test_a_killed_launcher_ends_everything(self):
        def strike(run, _):
            for process in self.rig.processes("home", "/bin/fib "):
                os.kill(process, signal.SIGKILL)
            run.kill()

        for number in range(RUNS):
            self.lose(strike, number)

    def test_an_interrupted_run_ends_everything(self):
        def strike(run, _):
            run.send_signal(signal.SIGINT)

        for number in range(RUNS):
            code, _, _, where = self.lose(strike, number)
            self.assertIn(code, (-signal.SIGINT, 130), where)

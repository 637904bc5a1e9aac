# SPDX-License-Identifier: Apache-2.0
"""tcp_test.py: world tcp as its user meets it: what shm does, and what a network adds."""

import contextlib
import os
import signal
import socket
import subprocess
import time
import unittest

import shm_test
from command import FIB, CommandTest, execute, surroundings

TCP = ("--world", "tcp", "--processors", "1")
PROGRESS = ("poll", "watchdog", "modules")


class Output(shm_test.Output):
    WORLD = TCP


class ExitCode(shm_test.ExitCode):
    WORLD = TCP


class Sends(shm_test.Sends):
    WORLD = TCP

    def test_everybody_sends_everybody_under_every_form_of_progress(self):
        for progress in PROGRESS:
            for connect in ("eager", "lazy"):
                with self.subTest(progress=progress, connect=connect):
                    done = self.company(3, "--progress", progress, "--connect", connect, "send",
                                        "300000")
                    self.assertEqual(done, (0, "sent 900000\n", ""))


class Lost(shm_test.Lost):
    WORLD = TCP
    LAYOUTS = ((),)
    test_threads_that_were_to_go_to_a_node_that_is_killed_stay_where_they_were = None

    def test_a_heartbeat_may_be_short(self):
        begun = time.monotonic()
        code, _, err = self.run_and(lambda _, members: os.kill(members[2], signal.SIGSTOP),
                                    "--heartbeat", "0.3")
        self.assertEqual(code, 123)
        self.assertRegex(err, r"node 2 \(process \d+, running\) on \S+ is stopped")
        self.assertLess(time.monotonic() - begun, 20)

    def test_nodes_end_with_a_word_if_their_launcher_is_mute(self):
        def stop(run, members):
            os.kill(run.pid, signal.SIGSTOP)
            until = time.monotonic() + 20
            while (any(shm_test.is_there(each) for each in members)
                   and time.monotonic() < until):
                time.sleep(0.05)
            os.kill(run.pid, signal.SIGCONT)
        code, _, err = self.run_and(stop, "--heartbeat", "0.3")
        self.assertEqual(code, 123)
        self.assertRegex(err, r"terrane: node \d \(process \d+, running\) on \S+: the launcher "
                              r"has been silent for \d\.\d s; this node ends")


class Programs(CommandTest):
    def test_come_to_their_counts_under_every_form_of_progress(self):
        counts = [  # program, words, answer, tokens, fibers
            ("queens", ["10"], "queens(10) = 724\n", 3692, 9231),
            ("matmul", ["256"], "sum -7 sumsq 3785653\n", 16, 50),
        ]
        for progress in PROGRESS:
            for nodes in (2, 3, 7):
                for program, words, answer, tokens, fibers in counts:
                    with self.subTest(progress=progress, nodes=nodes, program=program):
                        done = execute(FIB.with_name(program), *TCP, "--progress", progress,
                                       "--nodes", str(nodes), "--stats", "json", *words)
                        self.assertEqual((done.code, done.out), (0, answer), done.err)
                        self.assertIn(f'"tokens_generated":{tokens},', done.err)
                        self.assertIn(f'"fibers_executed":{fibers},', done.err)


def listening_port_of(process):
    """Of a launcher: the one port where its nodes call."""
    links = {os.readlink(f"/proc/{process}/fd/{each}") for each in os.listdir(f"/proc/{process}/fd")}
    with open(f"/proc/{process}/net/tcp", encoding="ascii") as table:
        for line in table.readlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in links:
                return int(fields[1].split(":")[1], 16)
    return None


class Strangers(CommandTest):
    """Who calls a node without the run's secret is turned away, and the run goes on."""

    def test_do_no_harm(self):
        run = subprocess.Popen([shm_test.COMPANY, *TCP, "--connect", "lazy", "--nodes", "2",
                                "wait"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=surroundings())
        until = time.monotonic() + 20
        while len(shm_test.nodes_of(run.pid)) < 2 and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.2)
        ports = [port for each in shm_test.processes_of(run.pid)
                 if (port := listening_port_of(each))]
        self.assertEqual(len(ports), 2)
        for port in ports:
            for said in (b"", b"GET / HTTP/1.0\r\n\r\n", b"\0" * 5000, os.urandom(3000)):
                with socket.create_connection(("127.0.0.1", port), timeout=10) as stranger, \
                        contextlib.suppress(ConnectionError, BrokenPipeError, OSError):
                    stranger.sendall(said)
                    stranger.shutdown(socket.SHUT_WR)
                    self.assertEqual(stranger.recv(1000), b"")
        self.assertIsNone(run.poll())
        run.terminate()
        self.assertEqual((run.wait(20), run.stderr.read()), (-signal.SIGTERM, ""))
        run.stdout.close()
        run.stderr.close()


class Refused(CommandTest):
    def test_nonsense_is_one_sentence(self):
        for option, value in (("--progress", "often"), ("--connect", "perhaps"),
                              ("--heartbeat", "-1"), ("--heartbeat", ""), ("--heartbeat", "x"),
                              ("--heartbeat", "1e9"), ("--nodes", "0")):
            with self.subTest(option=option, value=value):
                self.assert_refused(execute(FIB, *TCP, option, value, "5"), option)

    def test_more_processors_than_the_world_takes(self):
        self.assert_refused(execute(FIB, *TCP, "--nodes", "2000", "5"),
                            "world tcp takes up to 1024")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""tcp_test.py: world tcp as its user meets it: what shm does, and what a network adds."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest

import shm_test
from command import FIB, CommandTest, execute, surroundings

TCP = ("--world", "tcp", "--processors", "1")
MOVES = FIB.with_name("moves")
SANITIZED = bool(os.environ.get("TERRANE_SANITIZE"))
PROGRESS = ("poll", "watchdog", "modules")


def exe_of(process):
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{process}/exe")
    return ""


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


class Hosts(CommandTest):
    """Nodes that a command starts; here the command is a shell of this host."""
    HOSTS = (*TCP, "--hosts", "localhost,127.0.0.1:2", "--launcher",
             "env ON={host} sh -c {command}")

    def start(self, *words, **how):
        return execute(shm_test.COMPANY, *self.HOSTS, *words, **how)

    def test_take_a_node_for_each_slot(self):
        self.assertEqual(len(set(self.start("pids").out.split())), 3)
        self.assertEqual(len(set(self.start("--nodes", "5", "pids").out.split())), 5)

    def test_run_in_the_same_directory_with_the_same_words(self):
        done = execute(FIB, *self.HOSTS, "--stats", "json", "20")
        self.assertEqual((done.code, done.out), (0, "fib(20) = 10946\n"), done.err)
        self.assertIn('"tokens_generated":21890,', done.err)

    def test_send_blocks_and_come_to_an_exit_code(self):
        self.assertEqual(self.start("send", "100000"), (0, "sent 300000\n", ""))
        self.assertEqual(self.start("exit", "7"), (7, "", ""))
        done = self.start("mistake")
        self.assertEqual(done.code, 122)
        self.assertRegex(done.err, r"R-202: .*\(on processor 2 of node 2")

    def test_get_input_on_node_0(self):
        done = subprocess.run([shm_test.COMPANY, *self.HOSTS, "echo"], input=b"one\ntwo",
                              stdout=subprocess.PIPE, env=surroundings(), timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, b"one\ntwo"))

    def test_never_see_the_secret_in_words_or_variables(self):
        run = subprocess.Popen([shm_test.COMPANY, *self.HOSTS, "wait"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings())
        time.sleep(0.7)
        seen = b""
        for each in shm_test.processes_of(run.pid):
            for name in ("cmdline", "environ"):
                with open(f"/proc/{each}/{name}", "rb") as told:
                    seen += told.read()
        self.assertIn(b"TERRANE_NODE=tcp:same:1:3:1:", seen)
        self.assertIsNone(re.search(rb"[0-9a-f]{64}", seen))
        run.terminate()
        self.assertEqual((run.wait(20), run.stderr.read()), (-signal.SIGTERM, b""))
        run.stdout.close()
        run.stderr.close()

    def move(self, *words):
        return execute(MOVES, *self.HOSTS, "--nodes", "2", "--balancer", "nop", *words, "4", "20")

    @unittest.skipIf(SANITIZED, "threads stay in their process")
    def test_have_equal_addresses_so_that_threads_move(self):
        for how in ((), ("--progress", "modules"), ("--tls",)):
            with self.subTest(how=how):
                done = self.move(*how)
                self.assertEqual((done.code, done.err), (0, ""))
                self.assertEqual(len(done.out.splitlines()), 4)

    @unittest.skipIf(SANITIZED, "threads stay in their process")
    def test_keep_addresses_of_their_own_if_told_so(self):
        for words in (self.HOSTS, TCP):
            done = execute(MOVES, *words, "--layout", "own", "--nodes", "2", "1", "5")
            self.assertEqual(done.code, 1, done.err)
            self.assertIn("stays: each node has its code at addresses of its own", done.err)

    def test_get_the_program_first_if_told_so(self):
        with tempfile.TemporaryDirectory() as folder:
            hosts = [*self.HOSTS[:-1], f"env TMPDIR={folder} sh -c {{command}}", "--copy"]
            done = subprocess.run([shm_test.COMPANY, *hosts, "echo"], input=b"one\ntwo",
                                  stdout=subprocess.PIPE, env=surroundings(), timeout=60,
                                  check=False)
            self.assertEqual((done.returncode, done.stdout), (0, b"one\ntwo"))
            self.assertEqual(os.listdir(folder), [])
            run = subprocess.Popen([shm_test.COMPANY, *hosts, "wait"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=surroundings())
            until = time.monotonic() + 20
            copies = set()
            while len(copies) < 3 and time.monotonic() < until:
                time.sleep(0.05)
                running = {exe_of(each) for each in os.listdir("/proc") if each.isdigit()}
                copies = {each for each in running if each.startswith(f"{folder}/terrane.")}
            self.assertEqual(len(copies), 3)
            run.kill()
            run.communicate(timeout=20)
            while os.listdir(folder) and time.monotonic() < until:
                time.sleep(0.05)
            self.assertEqual(os.listdir(folder), [])

    def test_cannot_get_the_program_from_people(self):
        self.assert_refused(execute(FIB, *TCP, "--hosts", "localhost", "--launcher", "print",
                                    "--copy", "5"), "--copy needs a launcher that carries bytes")

    def test_may_be_started_by_people(self):
        run = subprocess.Popen([shm_test.COMPANY, *TCP, "--hosts", "localhost:2", "--launcher",
                                "print", "exit", "7"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env=surroundings())
        told = [run.stderr.readline() for _ in range(6)]
        secrets = {line for line in told if re.fullmatch(r"[0-9a-f]{64}\n", line)}
        commands = [line for line in told if "TERRANE_NODE=tcp:" in line]
        self.assertEqual((len(secrets), len(commands)), (1, 2), "".join(told))
        nodes = [subprocess.Popen(["sh", "-c", each], stdin=subprocess.PIPE, text=True,
                                  env=surroundings()) for each in commands]
        for each in nodes:
            each.stdin.write(*secrets)
            each.stdin.close()
        self.assertEqual((run.wait(20), run.stderr.read()), (7, ""))
        for each in nodes:
            each.wait(20)
        run.stderr.close()

    def test_that_do_not_start_are_named(self):
        done = execute(FIB, *TCP, "--hosts", "localhost", "--launcher", "no-such-command {host} "
                       "{command}", "20")
        self.assertEqual(done.code, 123)
        self.assertIn("terrane: node 0: no-such-command could not be started: No such file",
                      done.err)
        done = execute(FIB, *TCP, "--hosts", "localhost", "--launcher", "false {host} {command}",
                       "20")
        self.assertEqual(done.code, 123, done.err)
        self.assertRegex(done.err, r"node 0 \(process \d+, starting\) on localhost did not start: "
                                   r"its command ended with exit code 1")

    def test_need_the_same_executable(self):
        other = """sh -c 'eval "$(printf %s "$2" | sed s,/fib,/queens,)"' sh {host} {command}"""
        done = execute(FIB, *TCP, "--hosts", "localhost:2", "--launcher", other, "20")
        self.assertEqual(done.code, 123, done.err)
        self.assertRegex(done.err, r"runs another executable \([0-9a-f]+ there, [0-9a-f]+ on \S+ "
                                   r"here\): start the same file everywhere")


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
    files = f"/proc/{process}/fd"
    links = set()
    for each in os.listdir(files):
        with contextlib.suppress(FileNotFoundError):  # it may be closed meanwhile
            links.add(os.readlink(f"{files}/{each}"))
    with open(f"/proc/{process}/net/tcp", encoding="ascii") as table:
        for line in table.readlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in links:
                return int(fields[1].split(":")[1], 16)
    return None


class Strangers(CommandTest):
    """Who calls a node without the run's secret is turned away, and the run goes on."""

    def test_do_no_harm(self):
        # Nodes 1 and 3 have nothing to say to each other, and so go on listening: the search for
        # quiescence goes from each node to the next.
        run = subprocess.Popen([shm_test.COMPANY, *TCP, "--connect", "lazy", "--balancer", "nop",
                                "--nodes", "4", "wait"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=surroundings())
        until = time.monotonic() + 20
        while len(shm_test.nodes_of(run.pid)) < 4 and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.2)
        ports = [port for each in shm_test.processes_of(run.pid)
                 if (port := listening_port_of(each))]
        self.assertGreaterEqual(len(ports), 2)
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
                              ("--heartbeat", "1e9"), ("--nodes", "0"), ("--hosts", ""),
                              ("--hosts", "a,,b"), ("--hosts", "-oProxyCommand=x"),
                              ("--hosts", "a:0"), ("--hosts", "a:x"), ("--hostfile", "/none"),
                              ("--launcher", ""), ("--env", "1=2"),
                              ("--env", "a b"), ("--env", ",")):
            with self.subTest(option=option, value=value):
                self.assert_refused(execute(FIB, *TCP, option, value, "5"), option)

    def test_hosts_are_for_this_world(self):
        for world in ("local", "shm", "sim"):
            self.assert_refused(execute(FIB, "--world", world, "--hosts", "localhost", "5"),
                                f"--hosts is for world tcp, and this is world {world}: leave it "
                                "out, or choose with --world")

    def test_what_only_terrane_may_say(self):
        for told in ("", "tcp:", "tcp:own:", "tcp:same:0", "tcp:own:0:1:1:1:0:1",
                     "tcp:own:1:1:1:1:0:99:127.0.0.1", "tcp:same:0:1:1:1:0:0:127.0.0.1",
                     "tcp:own:0:1:1:1:0:99999:127.0.0.1", "tcp:own:0:1:1:7:0:99:127.0.0.1",
                     "tcp:same:0:1:1:1:0:99:no host", "tcp:0:1:1:1:0:99:127.0.0.1", "3:4:5:6"):
            with self.subTest(told=told):
                self.assert_refused(execute(FIB, *TCP, "5", variables={"TERRANE_NODE": told}),
                                    "TERRANE_NODE", "unset it")

    def test_more_processors_than_the_world_takes(self):
        self.assert_refused(execute(FIB, *TCP, "--nodes", "2000", "5"),
                            "world tcp takes up to 1024")


if __name__ == "__main__":
    unittest.main()

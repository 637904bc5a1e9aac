# SPDX-License-Identifier: Apache-2.0
"""doctor_test.py: what `terrane doctor` says of this machine, also under the names of hosts."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from command import FIB, TERRANE, CommandTest, execute, terrane

HERE = "sh -c {command}"  # a launcher that stays here
HOSTS = ("--hosts", "localhost,127.0.0.1:2")


def lacks_openssl():
    return "OpenSSL" in terrane("doctor", *HOSTS, "--launcher", HERE).out.split("\n")[1]


class ThisMachine(CommandTest):
    def test_is_examined_and_tried(self):
        done = terrane("doctor")
        self.assertEqual((done.code, done.err), (0, ""), done.out)
        for part in ("free memory: ", "address space", "open files", "locked memory",
                     "world local: two nodes ran", "world shm: two nodes ran"):
            self.assertIn(part, done.out)
        self.assertEqual(done.out.splitlines()[-1], "A run would start.")

    def limited(self, limit):
        return execute("sh", "-c", f"ulimit {limit}; exec {TERRANE} doctor")

    @unittest.skipIf("asan" in subprocess.run(["ldd", str(TERRANE)], capture_output=True, text=True,
                                              check=False).stdout, "it needs address space itself")
    def test_with_too_little_address_space_is_told_so(self):
        done = self.limited("-v 4000000")
        self.assertEqual(done.code, 1, done.out)
        self.assertRegex(done.out, r"BAD +address space is limited to .* -> ulimit -v unlimited")
        self.assertRegex(done.out.splitlines()[-1], r"A run would not start: \d+ faults?\.")

    def test_with_few_open_files_is_told_so(self):
        self.assertRegex(self.limited("-n 24").out, r"BAD +open files: 24; .* -> ulimit -n 1024")


class Hosts(CommandTest):
    def examine(self, *words, launcher=HERE):
        return terrane("doctor", *words, "--launcher", launcher)

    def setUp(self):
        if lacks_openssl():
            self.skipTest("there is no OpenSSL")

    def test_that_are_sound_pass(self):
        done = self.examine(*HOSTS, str(FIB))
        self.assertEqual((done.code, done.err), (0, ""), done.out)
        for part in ("3 nodes for 2 hosts", f"{FIB} is the same file there", "its clock is",
                     "its name means 127.0.0.1", "listens at 127.0.0.1", "there and back in",
                     "2 connections between hosts tried", "MB/s"):
            self.assertIn(part, done.out)

    def test_on_which_nothing_can_be_started_say_why(self):
        for launcher, why in (("/nowhere {host} {command}", "No such file or directory"),
                              ("sh -c 'exit 3' {host} {command}", "it ended with exit code 3"),
                              ("sh -c 'echo no route >&2; exit 255' {command}", "no route"),
                              ("echo hello {command}", "it answered: hello"),
                              ("sh -c 'kill -9 $$' {command}", "killed by signal 9")):
            done = self.examine("--hosts", "localhost", launcher=launcher)
            self.assertEqual(done.code, 1, done.out)
            self.assertRegex(done.out, rf"BAD .*could not start.*{why}.* -> ")

    def test_that_do_not_exist_are_named(self):
        done = self.examine("--hosts", "nosuchhost.invalid", launcher="false {command}")
        self.assertEqual(done.code, 1)
        self.assertRegex(done.out, r"nosuchhost\.invalid:\n.*BAD .*\n.*BAD .*no address")

    def test_with_another_build_are_told_both_ids(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder, "terrane")
            noted = subprocess.run(["readelf", "-n", str(TERRANE)], capture_output=True, text=True,
                                   check=False).stdout
            build = re.search(r"Build ID: ([0-9a-f]+)", noted)
            if not build:
                self.skipTest("the linker gave no build id")
            text = TERRANE.read_bytes()
            ours = bytes.fromhex(build[1])
            other.write_bytes(text.replace(ours, bytes(reversed(ours))))
            other.chmod(0o755)
            command = f"sh -c 'exec {other} doctor --probe' {{command}}"
            done = self.examine("--hosts", "localhost", launcher=command)
            self.assertEqual(done.code, 1, done.out)
            self.assertRegex(done.out, rf"another build there: {bytes(reversed(ours)).hex()}, "
                                       rf"{ours.hex()} here -> copy it")
            self.assertIn("runs another executable", done.out)


class Misuse(CommandTest):
    def test_is_one_sentence(self):
        for words in (["--hosts"], ["--hosts", "a:x"], ["--hosts="], ["--host", "a"],
                      ["--nodes", "0"], ["--nodes", "many"], ["--hosts", "a:1", "--nodes", "2"],
                      ["a", "b"], ["--launcher", "rsh"], ["--launcher", "print"],
                      ["--launcher", "rsh 'x {command}"], ["--hostfile", "/nowhere"],
                      ["--hostfile", "/"], ["--hosts", "a", "--hosts", "b"], ["-x"],
                      ["--hosts", "-oProxyCommand=x"], ["--hosts", "$(reboot)"]):
            self.assert_refused(terrane("doctor", *words))

    def test_of_a_batch_systems_variables_names_them(self):
        self.assert_refused(execute(TERRANE, "doctor", variables={"SLURM_JOB_NODELIST": "n[1"}),
                            "SLURM_JOB_NODELIST")
        self.assert_refused(execute(TERRANE, "doctor", variables={"PBS_NODEFILE": "/nowhere"}),
                            "PBS_NODEFILE")

    def test_of_a_probe_or_a_trial_is_an_error(self):
        done = execute(TERRANE, "doctor", "--probe")
        self.assertEqual(done.code, 1)
        self.assertIn("standard input ended", done.out)
        self.assertEqual(execute(TERRANE, "doctor", "--trial", "nowhere").code, 2)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""slurm_test.py: runs in a Slurm of four nodes (slurm_up): srun with PMI2 and PMIx, sbatch."""

import importlib.util
import os
import re
import subprocess
import tempfile
import time
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ["TERRANE_BUILD"])
TERRANE = Path(os.environ["TERRANE_BIN"]).resolve()
COMPANY = os.environ["TERRANE_COMPANY"]
# The MPI that Debian builds for each way of srun.
MPI_OF = {"pmi2": "mpich", "pmix": "openmpi"}


def load_slurm_up():
    loader = SourceFileLoader("slurm_up", str(HERE / "slurm_up"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("slurm_up", loader))
    loader.exec_module(module)
    return module


slurm = load_slurm_up()


@unittest.skipIf(slurm.problem(), slurm.problem())
class InSlurm(unittest.TestCase):
    """A test with a Slurm of its own."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="slurm", dir="/tmp"))
        cls.addClassCleanup(slurm.stop, cls.folder)
        why = slurm.start(cls.folder)
        if why:
            raise unittest.SkipTest(why)
        cls.environment = {**os.environ, "SLURM_CONF": str(cls.folder / "slurm.conf"),
                           "TERRANE_OPTIONS": "--processors 1"}

    def execute(self, *words, seconds=60):
        return subprocess.run([str(each) for each in words], capture_output=True, text=True,
                              env=self.environment, cwd=self.folder, timeout=seconds, check=False)

    def ways(self):
        listed = self.execute("srun", "--mpi=list")
        known = set(re.findall(r"\w+", listed.stdout + listed.stderr))
        return [way for way, mpi in MPI_OF.items()
                if way in known and (BUILD / "lib" / f"libterrane_mpi_{mpi}.so").exists()]

    def batch(self, text, *words):
        script = self.folder / "job.sh"
        script.write_text(f"#!/bin/sh\n{text}\n")
        done = self.execute("sbatch", "-W", "-N4", "-n4", "-o", self.folder / "job.%a.out", *words,
                            script)
        return done, "".join(sorted(each.read_text() for each in self.folder.glob("job.*.out")))

    def tearDown(self):
        for each in self.folder.glob("job.*.out"):
            each.unlink()

    def await_members(self, count, seconds=20):
        """Until so many processes of the program that waits are there."""
        until = time.monotonic() + seconds
        while len(self.members()) != count:
            self.assertLess(time.monotonic(), until, f"{len(self.members())} processes")
            time.sleep(0.05)

    def members(self):
        """Processes whose program is COMPANY, with the configuration of this Slurm."""
        found = []
        for each in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(each / "exe") != str(Path(COMPANY).resolve()):
                    continue
                if str(self.folder).encode() in (each / "environ").read_bytes():
                    found.append(int(each.name))
            except OSError:
                continue
        return found


class Slurm(InSlurm):
    def test_srun_is_world_mpi(self):
        for way in self.ways():
            with self.subTest(way=way):
                done = self.execute("srun", "-N4", "-n4", f"--mpi={way}",
                                    TERRANE.with_name("fib"), "--enough", "0", "18")
                self.assertEqual((done.returncode, done.stdout), (0, "fib(18) = 4181\n"),
                                 done.stderr)

    def test_the_exit_code_is_the_programs(self):
        for way in self.ways():
            with self.subTest(way=way):
                done = self.execute("srun", "-N2", "-n2", f"--mpi={way}", COMPANY, "exit", "7")
                self.assertEqual(done.returncode, 7, done.stderr)

    def test_cpus_per_task_are_the_processors(self):
        self.environment["TERRANE_OPTIONS"] = ""
        self.addCleanup(self.environment.update, TERRANE_OPTIONS="--processors 1")
        for way in self.ways():
            with self.subTest(way=way):
                done = self.execute("srun", "-N1", "-n1", "-c", "1", f"--mpi={way}",
                                    TERRANE.with_name("fib"), "--stats", "text", "10")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("1 node of 1 processor", done.stderr)

    def test_a_batch_script_runs_world_tcp_on_the_hosts_of_slurm(self):
        done, said = self.batch(
            f"{TERRANE} run --world tcp --interface 127.0.0.1 --launcher "
            "'srun --overlap -N1 -n1 -w {host} sh -c {command}' --stats none fib 18")
        self.assertEqual((done.returncode, said), (0, "fib(18) = 4181\n"), done.stderr)

    def test_each_of_an_array_of_jobs_is_a_run(self):
        way = self.ways()[0]
        done, said = self.batch(f"srun -N2 -n2 --mpi={way} {TERRANE.with_name('fib')} "
                                "1$SLURM_ARRAY_TASK_ID", "--array=1-2")
        self.assertEqual((done.returncode, said), (0, "fib(11) = 144\nfib(12) = 233\n"),
                         done.stderr)

    def test_a_cancelled_job_ends_at_once(self):
        for way in self.ways():
            with self.subTest(way=way):
                script = self.folder / "wait.sh"
                script.write_text(f"#!/bin/sh\nsrun --mpi={way} {COMPANY} wait\n")
                job = self.execute("sbatch", "--parsable", "-N4", "-n4", "-o", "job.9.out",
                                   script).stdout.strip()
                self.await_members(4)
                begun = time.monotonic()
                self.execute("scancel", job)
                self.await_members(0)
                self.assertLess(time.monotonic() - begun, 3)
                shown = self.execute("scontrol", "show", "job", job).stdout
                self.assertRegex(shown, "JobState=(CANCELLED|COMPLETING)")
                self.assertRegex(shown, r"ExitCode=\d+:\d+")


if __name__ == "__main__":
    unittest.main()

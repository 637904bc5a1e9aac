# SPDX-License-Identifier: Apache-2.0
"""long_slurm.py: ends of jobs that Slurm takes long to notice: limits, and what is killed."""

import os
import signal
import subprocess
import unittest

from slurm_test import COMPANY, InSlurm


class Ends(InSlurm):
    def test_a_job_that_reaches_its_time_limit_ends(self):
        for way in self.ways():
            with self.subTest(way=way):
                script = self.folder / "late.sh"
                script.write_text(f"#!/bin/sh\nsrun --mpi={way} {COMPANY} wait\n")
                job = self.execute("sbatch", "--parsable", "-N2", "-n2", "-o", "job.9.out",
                                   script).stdout.strip()
                self.await_members(2)
                # A limit is whole minutes; one that is in the past is reached at once.
                self.execute("scontrol", "update", f"JobId={job}", "TimeLimit=0:01")
                self.await_members(0, seconds=100)
                shown = self.execute("scontrol", "show", "job", job).stdout
                self.assertRegex(shown, "JobState=(TIMEOUT|COMPLETING)")

    def test_an_srun_that_is_killed_leaves_nothing(self):
        for way in self.ways():
            with self.subTest(way=way):
                run = subprocess.Popen(["srun", "-N2", "-n2", f"--mpi={way}", COMPANY, "wait"],
                                       env=self.environment, cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.await_members(2)
                run.kill()
                run.wait()
                self.await_members(0)

    def test_a_rank_that_is_killed_ends_the_job(self):
        for way in self.ways():
            with self.subTest(way=way):
                run = subprocess.Popen(["srun", "-N2", "-n2", "--kill-on-bad-exit",
                                        f"--mpi={way}", COMPANY, "wait"],
                                       env=self.environment, cwd=self.folder, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.await_members(2)
                os.kill(self.members()[-1], signal.SIGKILL)
                said, _ = run.communicate(timeout=10)
                self.assertNotEqual(run.returncode, 0)
                self.assertRegex(said, "(?i)killed")
                self.await_members(0)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""jacobi_test.py: the applications of docs/mpi.md give the same numbers however they are run."""

import re
import unittest

from mpi_job import BIN, MPIS, MpiTest, mpirun

MOVES = {"TERRANE_OPTIONS": "--processors 1 --enough 0"}


class Jacobi(MpiTest):
    RANKS = (1, 2)  # long_mpi.py has more

    def test_c_and_fortran_agree_on_any_number_of_ranks(self):
        seen = set()
        for mpi in MPIS:
            for language in ("jacobi", "jacobi_fortran"):
                program = BIN / "examples" / f"{language}_{mpi}"
                if not program.exists():
                    continue
                for ranks in self.RANKS:
                    with self.subTest(mpi=mpi, language=language, ranks=ranks):
                        done = mpirun(mpi, ranks, program, **MOVES)
                        self.assertEqual(done.code, 0, done.err)
                        lines = re.findall(r"after (\d+) sweeps: +(0\.\d{12})", done.out)
                        self.assertEqual([sweeps for sweeps, _ in lines], ["200", "400", "600"])
                        seen.add(tuple(heat for _, heat in lines))
        self.assertEqual(len(seen), 1, seen)
        heats = [float(each) for each in seen.pop()]
        self.assertEqual(heats, sorted(heats))  # it only gets warmer


if __name__ == "__main__":
    unittest.main()

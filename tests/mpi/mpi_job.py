# SPDX-License-Identifier: Apache-2.0
"""mpi_job.py: runs of world mpi for the tests: under which MPIs, and how they are started."""

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "command"))

from command import CommandTest, Done, surroundings, terrane  # noqa: E402,F401

BUILD = Path(os.environ["TERRANE_BUILD"])
BIN = Path(os.environ["TERRANE_BIN"]).resolve().parent
COMPANY = os.environ["TERRANE_COMPANY"]
TITLES = {"openmpi": "Open MPI", "mpich": "MPICH"}
# Open MPI refuses root, and more ranks than cores, unless it is told not to.
PERMITTED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
             "OMPI_MCA_rmaps_base_oversubscribe": "1",
             "OMPI_MCA_hwloc_base_binding_policy": "none"}
LONGEST_S = 60

# The MPIs that are here, with their parts.
MPIS = [each for each in TITLES if shutil.which(f"mpirun.{each}")
        and (BUILD / "lib" / f"libterrane_mpi_{each}.so").exists()]


@unittest.skipUnless(MPIS, "no MPI is here with its part; on Debian: apt-get install openmpi-bin "
                           "libopenmpi-dev, or mpich libmpich-dev")
class MpiTest(CommandTest):
    """A test that needs an MPI."""


def command(mpi, ranks, *words):
    return [f"mpirun.{mpi}", "-n", str(ranks), *map(str, words)]


def environment(**more):
    return {**surroundings(**PERMITTED), **more}


def mpirun(mpi, ranks, *words, stdin="", **more):
    """What `mpirun -n RANKS WORDS` did."""
    done = subprocess.run(command(mpi, ranks, *words), input=stdin, capture_output=True, text=True,
                          timeout=LONGEST_S, env=environment(**more), check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def members(mark):
    """The processes of COMPANY in a run whose TERRANE_TEST_MARK that is."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            if (os.readlink(each / "exe") == str(Path(COMPANY).resolve())
                    and f"TERRANE_TEST_MARK={mark}".encode() in (each / "environ").read_bytes()):
                found.append(int(each.name))
        except OSError:
            continue
    return sorted(found)


def ours(err):
    """The lines of stderr that are the runtime's, and not the launcher's."""
    return [line for line in err.splitlines() if line.startswith("terrane: ")]

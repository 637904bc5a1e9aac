# SPDX-License-Identifier: Apache-2.0
"""scenarios.py: the scenarios of tests/scenario in world mpi: each rank runs the same tests.

What a test's root writes to variables of the test is there on rank 0 alone. So rank 0 judges; of
the others, who run the same machines, only an abort counts.
"""

import subprocess

from mpi_job import BUILD, command, environment

PROGRAM = BUILD / "tests" / "scenario_test"
# Rank 0 is the test; what the others print and find is left out.
BESIDE = """
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] && exec "$@"
"$@" > /dev/null 2>&1
[ $? -lt 2 ]
"""


def suites(ranks):
    """The suites that have tests in world mpi, with how many each has."""
    listed = subprocess.run([PROGRAM, "--gtest_list_tests"], capture_output=True, text=True,
                            timeout=60, check=True, env=environment(TERRANE_TEST_RANKS=str(ranks)))
    found, suite = {}, ""
    for line in listed.stdout.splitlines():
        if not line.startswith(" "):
            suite = line.strip()
        elif "mpi_" in line:
            found[suite] = found.get(suite, 0) + 1
    return found


def scenarios(mpi, ranks, chosen, seconds, wire="own"):
    """What `mpirun -n RANKS scenario_test` did with the tests that the filter names."""
    return subprocess.run(
        command(mpi, ranks, "sh", "-c", BESIDE, "sh", PROGRAM, f"--gtest_filter={chosen}",
                "--gtest_color=no"),
        capture_output=True, text=True, timeout=seconds, check=False,
        env=environment(TERRANE_TEST_RANKS=str(ranks), TERRANE_TEST_WIRE=wire))

# SPDX-License-Identifier: Apache-2.0
"""The programs and balancers of [EARTH-LB], by the names in its tables."""

from harness.matrix import Program

FIB = Program("Fibonacci(33)", "fib 33", "fib 22", "D&C")
FIB28 = Program("Fibonacci(28)", "fib 28", "fib 22", "D&C")  # of Table 5
QUEENS = Program("Queens(12)", "queens 12 4", "queens 10 4", "D&C")
TSP = Program("TSP(10)", "tsp 10 4", "tsp 8 4", "D&C")
KNARY = Program("Knary(7,7,2)", "knary 7 7 2", "knary 6 6 2", "D&C")
MATRIX = Program("Matrix", "matmul 1024 16", "matmul 256 4", "regular")
TOMCATV = Program("Tomcatv(257)", "tomcatv 257 100", "tomcatv 129 20", "regular")
SPMD1 = Program("SPMD(1,1,0)", "spmd 1 1 0", "spmd 1 1 0", "regular")
SPMD4 = Program("SPMD(4,4,0)", "spmd 4 4 0", "spmd 4 4 0", "regular")
PARAFFINS = Program("Paraffins(28)", "paraffins 28", "paraffins 23 20000", "irregular")
SUITE = (FIB, QUEENS, TSP, KNARY, MATRIX, TOMCATV, SPMD1, SPMD4, PARAFFINS)

DYNAMIC = {name.capitalize(): name for name in
           ("dual", "spn", "shis", "snd", "his", "range", "catapult", "rand")}


def of_group(group):
    return [each.title for each in SUITE if each.group == group]


def sequential(program):
    """The same program in plain C++: no token, no fiber."""
    return Program(program.title, f"sequential {program.run}", f"sequential {program.quick}")

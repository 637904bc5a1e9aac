# SPDX-License-Identifier: Apache-2.0
"""mpi_programs_test.py: unmodified MPI programs in C are right as ranks of every world, and what is
wrong is one sentence."""

import unittest

from mpicc import HERE, WORLDS, MpiccTest, terrane

JACOBI = {(66, 20): "jacobi(66, 20) = 7539fb3d422bc523, sum 2159.213882\n",
          (514, 20): "jacobi(514, 20) = 9caae17bd22725ec, sum 130789.870081\n"}
FAULTS = "delay=0.1,heavy=0.1,reorder=0.1,slow=0.1"


class Programs(MpiccTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.every, _ = cls.compile("every_call", sources=sorted(HERE.glob("every_call*.c")))
        cls.ring, _ = cls.compile("ring")
        cls.pi, _ = cls.compile("pi")
        cls.halo, _ = cls.compile("halo")
        cls.wildcards, _ = cls.compile("wildcards")

    def test_every_call_does_what_it_is_to_do(self):
        for world, nodes, processors in WORLDS:
            for count in (1, 2, 5, 16):
                with self.subTest(world=world, nodes=nodes, count=count):
                    done = self.ranks(self.every, count, "--nodes", world=world, nodes=nodes,
                                      processors=processors)
                    self.assert_said(done, f"every call by {count}: 0 wrong\n")

    def test_every_call_however_messages_travel_and_whatever_goes_wrong(self):
        for eager in (0, 1 << 30):
            for world in ("local", "shm"):
                done = self.ranks(self.every, 5, "--nodes", world=world, nodes=2,
                                  options=("--eager", str(eager)))
                self.assert_said(done, "every call by 5: 0 wrong\n")
        for seed in range(1, 11):
            done = self.ranks(self.every, 7, "--nodes", world="sim", nodes=3,
                              options=("--seed", str(seed), "--faults", FAULTS))
            self.assert_said(done, "every call by 7: 0 wrong\n")

    def test_a_number_goes_round(self):
        for world, nodes, processors in WORLDS:
            for count in (1, 3, 64):
                done = self.ranks(self.ring, count, 5, world=world, nodes=nodes,
                                  processors=processors)
                self.assert_said(done, f"ring of {count}: {5 * count * (count - 1) // 2}\n")

    def test_pi_is_found(self):
        for world, nodes, processors in WORLDS:
            done = self.ranks(self.pi, 8, 100000, world=world, nodes=nodes, processors=processors)
            self.assert_said(done, "pi by 8: 3.141592653598, right\n")

    def test_an_exchange_of_edges_has_the_bits_of_jacobi(self):
        for world, nodes, processors in WORLDS:
            for count in (1, 4, 9):
                done = self.ranks(self.halo, count, 66, 20, world=world, nodes=nodes,
                                  processors=processors)
                self.assert_said(done, JACOBI[66, 20])
        self.assert_said(self.ranks(self.halo, 64, 514, 20, nodes=2), JACOBI[514, 20])

    def test_wildcards_keep_the_order_of_each_sender(self):
        for world, nodes, processors in WORLDS:
            done = self.ranks(self.wildcards, 6, 200, world=world, nodes=nodes,
                              processors=processors)
            self.assert_said(done, "wildcards of 6: 0 wrong\n")

    def test_a_rank_a_processor_is_what_is_unsaid(self):
        done = terrane("run", "--stats", "none", "--nodes", "2", "--processors", "3", self.ring)
        self.assert_said(done, "ring of 6: 150\n")

    def test_a_program_is_run_directly_with_words_of_its_own(self):
        done = self.run_alone(self.every, "--nodes")
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertRegex(done.out, r"\Aevery call by \d+: 0 wrong\n\Z")

    def run_alone(self, *words):
        from mpicc import execute
        return execute(*map(str, words), options="--processors 2")

    def test_a_thousand_ranks_on_a_processor(self):
        self.assert_said(self.ranks(self.ring, 1000, 2), "ring of 1000: 999000\n")


class Misused(MpiccTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program, _ = cls.compile("misused")

    def at(self, text):
        """The place of that text in the program, once it has begun."""
        lines = (HERE / "misused.c").read_text().splitlines()
        return f"at misused.c:{1 + next(i for i, line in enumerate(lines) if text in line)}"

    def test_one_sentence_says_what_is_wrong_and_where(self):
        for how, code, text, said in (
                ("rank", "R-301", "INT, 99, 0", "MPI_Send of rank 0 {} names rank 99 of a "
                                                "communicator of 2: ranks go from 0 to 1"),
                ("tag", "R-301", "1, -5, ", "MPI_Send of rank 0 {} has the tag -5"),
                ("count", "R-301", "value, -1", "MPI_Send of rank 0 {} has the count -1"),
                ("root", "R-301", "MPI_INT, size", "{} has the root 2 of a communicator of 2"),
                ("null", "R-306", "COMM_NULL", "{} names MPI_COMM_NULL"),
                ("operation", "R-301", "MPI_BAND", "{} names operation 6, which is not for"),
                ("long", "R-300", "value, 2, MPI_INT, 0", "a message of 16 bytes from "),
                ("long", "R-300", "value, 2, MPI_INT, 0", "receives {}: "),
                ("own", "R-300", "COMM_SELF", "gives this rank itself 16 bytes, and room for 8"),
                ("unequal", "R-300", "value, size, MPI_INT", "{} gives 8 bytes, and room for 4 of "
                                                             "each rank: they are to be equal"),
                ("negative", "R-301", "Alltoallv", "MPI_Alltoallv of rank "),
                ("dims", "R-301", "Dims_create", "asks for a grid of 0 ranks"),
                ("differ", "R-303", "", "all members call the same"),
                ("twice", "R-305", "Wait(&copy", "{} names request 1, which this rank has not"),
                ("early", "R-306", '"early"', "calls MPI_Barrier {} before MPI_Init"),
                ("late", "R-306", '"late"', "calls MPI_Barrier {} after MPI_Finalize")):
            for world in ("local", "shm", "sim"):
                with self.subTest(how=how, world=world):
                    done = self.ranks(self.program, 2, how, world=world, nodes=2)
                    first = done.err.splitlines()[0]
                    self.assertEqual(done.code, 122, done.err)
                    self.assertTrue(first.startswith(f"terrane: {code}: "), first)
                    self.assertIn(said.format(self.at(text)), first)

    def test_ranks_that_wait_for_ever_are_named(self):
        place = self.at("1 - rank, 7").removeprefix("at ")
        for world in ("local", "shm", "sim"):
            done = self.ranks(self.program, 2, "crossed", world=world, nodes=2)
            self.assertEqual(done.code, 121, done.err)
            for rank in (0, 1):
                self.assertRegex(done.err, rf"waits for rank {rank} <\d,\d+> in recv from rank "
                                           rf"{1 - rank} <\d,\d+>, tag 7, {place}")

    def test_a_rank_ends_the_run(self):
        for world in ("local", "shm", "tcp", "sim"):
            for how, code, said in (
                    ("abort", 7, "rank 1 calls MPI_Abort with 7, at "),
                    ("leaves", 3, "rank 1 ended with exit code 3 before MPI_Finalize")):
                done = self.ranks(self.program, 4, how, world=world, nodes=2)
                self.assertEqual(done.code, code, done.err)
                self.assertIn(said, done.err.splitlines()[0])

    def test_the_exit_code_is_that_of_the_lowest_rank_that_has_one(self):
        for world in ("local", "shm", "sim"):
            done = self.ranks(self.program, 4, "codes", world=world, nodes=2)
            self.assertEqual((done.code, done.out), (11, ""), done.err)
            done = self.ranks(self.program, 4, "exits", world=world, nodes=2)
            self.assertEqual((done.code, done.out), (5, ""), done.err)

    def test_errors_are_returned_where_a_program_asks_for_it(self):
        self.assert_said(self.ranks(self.program, 2, "returned"), "wrong rank\n")
        self.assert_said(self.ranks(self.program, 2, "type"), "a type that is none\n")

    def test_ranks_are_for_mpi_programs_and_a_number(self):
        self.assert_refused(terrane("run", "--ranks", "0", self.program),
                            "--ranks needs a whole number from 1 to 1000000, not '0'")
        self.assert_refused(terrane("run", "--ranks", "4", "fib", "10"),
                            "--ranks is for MPI programs, which terrane mpicc links")


class Compiler(MpiccTest):
    def test_variables_that_ranks_share_are_named_with_a_cure(self):
        program, said = self.compile("shares")
        self.assertEqual(len(said.splitlines()), 1)
        for part in ("terrane mpicc: warning: ranks in one process share ", "last_rank (",
                     "table (", "shares.c, 800 bytes)", "count (", "of_a_thread (",
                     "--world shm, with as many --nodes as --ranks"):
            self.assertIn(part, said)
        for part in ("names", "constant"):
            self.assertNotIn(part, said)
        self.assert_said(self.ranks(program, 3), "shared, a3\n")
        self.assert_said(self.ranks(program, 3, world="shm", nodes=3), "each its own, a3\n")
        self.assertEqual(self.compile("shares", "-Wno-shared-variables")[1], "")
        self.assertEqual(self.compile("ring")[1], "")

    def test_objects_are_compiled_and_linked_apart(self):
        one = self.folder / "one.o"
        done = terrane("mpicc", "-O1", "-c", HERE / "shares.c", "-o", one)
        self.assertEqual(done, (0, "", ""))
        done = terrane("mpicc", one, "-o", self.folder / "linked")
        self.assertEqual((done.code, done.out), (0, ""))
        self.assertIn("last_rank (", done.err)
        self.assert_said(self.ranks(self.folder / "linked", 1), "each its own, a3\n")

    def test_dependencies_lie_beside_the_program(self):
        self.compile("ring", "-MMD", sources=[HERE / "ring.c"])
        text = (self.folder / "ring.d").read_text()
        self.assertTrue(text.startswith(f"{self.folder / 'ring'}:"), text)
        self.assertIn("ring.c", text)
        self.compile("several", "-MD", sources=[HERE / "every_call.c", *sorted(
            HERE.glob("every_call_*.c"))])
        text = (self.folder / "several-every_call_types.d").read_text()
        self.assertIn("checks.h", text)

    def test_no_folder_for_temporary_files_is_one_sentence(self):
        done = terrane("mpicc", HERE / "ring.c", variables={"TMPDIR": str(self.folder / "none")})
        self.assert_refused(done, "mpicc finds no folder for temporary files")

    def test_a_large_array_fits_a_larger_stack(self):
        source = self.folder / "deep.c"
        source.write_text("#include <mpi.h>\n#include <stdio.h>\n#include <string.h>\n"
                          "int main(int argc, char** argv) {\n  char all[20 << 20];\n"
                          "  MPI_Init(&argc, &argv);\n  memset(all, argc, sizeof all);\n"
                          '  printf("%d\\n", all[argc]);\n  return MPI_Finalize();\n}\n')
        program, _ = self.compile("deep", "--stack", "32768", sources=[source])
        self.assert_said(self.ranks(program, 2), "1\n1\n")
        program, _ = self.compile("shallow", sources=[source])
        done = self.ranks(program, 1)
        self.assertEqual(done.code, 122)
        self.assertIn("R-280", done.err)
        self.assertIn("give it more with --stack 16384", done.err)
        self.assert_said(self.ranks(program, 2, options=("--stack", "32768")), "1\n1\n")

    def test_commands_are_shown_and_wrong_words_are_refused(self):
        done = terrane("mpicc", "-show", "x.c", "y.o", "-o", "x", "-lm")
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertIn("--wrap=main", done.out)
        self.assertIn("terrane/c/mpi", done.out)
        self.assert_refused(terrane("mpicc", "--stack", "few", "x.c"), "--stack needs KiB")
        done = terrane("mpicc", HERE / "missing.c")
        self.assertNotEqual(done.code, 0)
        self.assertIn("missing.c", done.err)


if __name__ == "__main__":
    unittest.main()

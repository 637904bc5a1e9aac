# SPDX-License-Identifier: Apache-2.0
"""The studies: where each is, its question, and the programs that it runs."""

import dataclasses
import importlib

SUITE = ("fib", "queens", "tsp", "knary", "matmul", "tomcatv", "spmd", "paraffins")


@dataclasses.dataclass(frozen=True)
class Study:
    place: str      # module.function
    question: str
    programs: tuple
    network: str = "sp2"

    def function(self):
        """Imported here, so that a list of studies needs nothing but Python."""
        module, name = self.place.split(".")
        return getattr(importlib.import_module(module), name)


STUDIES = {
    "000_table1": Study("s000.table1", "Tokens and threads of every program: are they the paper's, "
                        "whoever balances?", SUITE),
    "000_table2": Study("s000.table2", "Which balancer is best for which kind of program? Seconds "
                        "on 32 nodes.", SUITE),
    "000_table3": Study("s000.table3", "Table 2 over the fastest of each program, and the averages "
                        "of the groups.", SUITE),
    "000_table4": Study("s000.table4", "Must balancing be dynamic? Speed-up over Minima, which "
                        "distributes once.", SUITE),
    "000_table5": Study("s000.table5", "Absolute and relative speed-up on 32 nodes, and USE "
                        "factor, of His and Rand.", (*SUITE, "sequential")),
    "000_fig2": Study("s000_trees.fig2", "Which activations, fibers and signals is fib(4)? Drawn "
                      "from the events of a run.", ("fib",)),
    "000_fig3": Study("s000_trees.fig3", "What is the tree of activations of fib(4)? Drawn from "
                      "the events of a run.", ("fib",)),
    "000_fig5": Study("s000_figures.fig5", "How does speed grow with the processors, under each "
                      "balancer, Minima and Nop?", ("paraffins", "queens")),
    "000_fig6": Study("s000_figures.fig6", "Where does the time go under a receiver- and a "
                      "sender-initiated balancer?", ("queens",)),
    "000_fig7": Study("s000_figures.fig7", "Where does the time go under His and Rand, and how "
                      "evenly?", ("queens",)),
    "000_literal": Study("s000_variants.literal", "Balancers as the paper words them, beside ours.",
                         SUITE),
    "000_missing": Study("s000_variants.missing", "Which rule of the paper's runtime would bring "
                         "what is missing: Shis, Matrix, Catapult, Fibonacci?", SUITE),
    "000_sensitivity": Study("s000_sensitivity.sensitivity", "Which claims depend on the estimated "
                             "numbers of the network? Fit and prediction apart.",
                             ("queens", "tsp", "knary", "spmd", "tomcatv", "matmul")),
    "001_fig6": Study("s001_sequence.fig6", "Which messages is a PUT_SYNC between two nodes? Drawn "
                      "from a real run.", ("counter",), "beowulf"),
    "001_fig7": Study("s001.fig7", "fib(32): is it better to poll the network, or to have threads "
                      "for it? One and two processors a node.", ("fib",), "beowulf"),
    "001_fig8": Study("s001.fig8", "queens(12) without a throttle: the same, and does it decline?",
                      ("queens",), "beowulf"),
    "001_fig9": Study("s001.fig9", "ATGC of 40K: the same for a program that computes much and "
                      "sends little.", ("atgc",), "beowulf"),
    "002_fig2": Study("s002.fig2", "Jacobi: is it better to overlap messages by hand, or to have "
                      "threads? Over processors.", ("jacobi",), "paragon"),
    "002_fig3": Study("s002.fig3", "Jacobi: how evenly are the processes loaded?", ("jacobi",),
                      "paragon"),
    "002_fig4": Study("s002.fig4", "Jacobi where one process has four times the work: what do the "
                      "others do meanwhile?", ("jacobi",), "paragon"),
    "002_fig5": Study("s002.fig5", "The same over processors.", ("jacobi",), "paragon"),
    "002_fig6": Study("s002.fig6", "Jacobi by threads: does it matter how many columns the "
                      "boundary threads have?", ("jacobi",), "paragon"),
    "002_fig7": Study("s002_pic.fig7", "PIC: what do threads cost where communication is "
                      "overlapped already?", ("pic",), "sun10"),
    "002_fig8": Study("s002_pic.fig8", "PIC: how many sends and receives?", ("pic",), "sun10"),
    "002_overlap": Study("s002_more.overlap", "Jacobi: how much latency do threads hide, and "
                         "members of a rope?", ("jacobi",), "modern"),
    "002_polling": Study("s002_more.polling", "What does a thread that waits cost the others: "
                         "looked for by the scheduler, or by itself?", ()),
    "002_threads": Study("s002_more.threads", "Jacobi: what do more members on a processor cost?",
                         ("jacobi",), "modern"),
    "002_balance": Study("s002_more.balance", "Jacobi: what is it worth that members move, and "
                         "what does it cost where nothing is to gain?", ("jacobi",), "paragon"),
    "003_table2": Study("s003.table2", "What do threads and their synchronisation cost, beside the "
                        "paper's machines and others?", ()),
    "003_table3": Study("s003_moves.table3", "How long does it take to move a thread, and how much "
                        "of that is the source's?", ("moves",), "myrinet"),
    "003_fig4": Study("s003_moves.fig4", "How do latency, overhead and throughput of a migration "
                      "grow with the stack?", ("moves",), "myrinet"),
    "003_fig7": Study("s003_programs.fig7", "grep: is it better to let those threads be stolen "
                      "that make more, or those that search?", ("grep",), "myrinet"),
    "003_fig8": Study("s003_programs.fig8", "grep: does it help to push threads where they are to "
                      "run?", ("grep",), "myrinet"),
    "003_fig9": Study("s003_programs.fig9", "grep over many disks: what is it worth to go where "
                      "the files are?", ("grep",), "myrinet"),
    "003_fig10": Study("s003_programs.fig10", "grep: how long does a search thread live?",
                       ("grep",), "myrinet"),
    "003_fig11": Study("s003_programs.fig11", "quadrature: how does speed grow with the "
                       "processors?", ("quadrature",), "myrinet"),
    "003_fig12": Study("s003_programs.fig12", "quadrature: how many threads are best?",
                       ("quadrature",), "myrinet"),
    "004_fig9_10": Study("s004_services.fig9_10", "What do a local send and a local receive take, "
                         "by size?", ("local",), "testbed"),
    "004_fig11": Study("s004_services.fig11", "What does a request for remote communication take?",
                       ("remote",), "testbed"),
    "004_fig12": Study("s004_services.fig12", "What does it take to serve a focus, an rtr and a "
                       "msg?", ("remote",), "testbed"),
    "004_fig13_14": Study("s004_services.fig13_14", "How long do focus, rtr and msg fly, and how "
                          "long does a msg wait before?", ("remote",), "testbed"),
    "004_fig15": Study("s004_services.fig15", "How long does a remote communication delay its "
                       "sender and its receiver?", ("remote",), "testbed"),
    "004_fig16": Study("s004_services.fig16", "How long does a thread take to be packed, to fly "
                       "and to be unpacked?", ("migrate",), "testbed"),
    "004_fig17": Study("s004_services.fig17", "How long does it take to copy a page on reference?",
                       ("migrate",), "testbed"),
    "004_table6": Study("s004_services.table6", "Which lines fit the latencies of communication, "
                        "migration and paging, and do Figs 24 to 27 bound them?",
                        ("local", "remote", "migrate"), "testbed"),
    "004_table7": Study("s004_services.table7", "The same beside other systems.",
                        ("local", "remote", "migrate"), "testbed"),
    "004_fig19": Study("s004_monitor.fig19", "multi_phase: how long are the ready queues?",
                       ("multi_phase",), "testbed"),
    "004_fig20": Study("s004_monitor.fig20", "multi_phase: how many sends are there, by time?",
                       ("multi_phase",), "testbed"),
    "004_fig21_22": Study("s004_monitor.fig21_22", "multi_phase: how long do sends take among 25 "
                          "threads?", ("multi_phase",), "testbed"),
    "004_fig33": Study("s004_monitor.fig33", "What does N-THREADS show of multi_phase?",
                       ("multi_phase",), "testbed"),
    "004_fig34": Study("s004_monitor.fig34", "What does RQ-LENGTH show of multi_phase?",
                       ("multi_phase",), "testbed"),
    "004_fig35_37": Study("s004_monitor.fig35_37", "What does CPU-TIME show of multi_phase, and "
                          "how late, by its window?", ("multi_phase",), "testbed"),
    "004_fig38": Study("s004_monitor.fig38", "What does REM-COMM show of multi_phase?",
                       ("multi_phase",), "testbed"),
    "004_table8": Study("s004_monitor.table8", "How many events a second does each load metric "
                        "cost?", ("multi_phase",), "testbed"),
    "004_event_rate": Study("s004_monitor.event_rate", "How many events a second can the master "
                            "read?", ("overflow",), "testbed"),
    "004_fig42_44": Study("s004_balancer.fig42_44", "20 threads that compute: queues, links and "
                          "moves under the central balancer.", ("synthetic",), "testbed"),
    "004_fig45_47": Study("s004_balancer.fig45_47", "The same for 20 pairs that communicate.",
                          ("synthetic",), "testbed"),
    "004_fig48": Study("s004_balancer.fig48", "The same for 20 pairs that do both: queues.",
                       ("synthetic",), "testbed"),
    "004_fig50_52": Study("s004_balancer.fig50_52", "The same for an asynchronous adder, whose "
                          "threads hardly compute.", ("adder", "synthetic"), "testbed"),
    "004_fig53": Study("s004_balancer.fig53", "WaTor: how many fish are where?", ("wator",),
                       "testbed"),
    "004_fig54_58": Study("s004_balancer.fig54_58", "WaTor: queues, links and moves, with the "
                          "central balancer and without.", ("wator",), "testbed"),
    "004_table9": Study("s004_table9.table9", "Four programs on one node, at random, and balanced: "
                        "seconds.", ("synthetic", "adder", "wator"), "testbed"),
    "004_table9_all": Study("s004_table9.table9_all", "The same under all balancers: their ranks.",
                            ("synthetic", "adder", "wator"), "testbed"),
    "004_limit": Study("s004_table9.limit", "How many nodes can a central balancer serve?",
                       ("synthetic",), "testbed"),
    "adaptive": Study("s000_adaptive.adaptive", "adaptive against every fixed balancer, on 32 and "
                      "256 nodes.", SUITE),
}


def chosen(name):
    """The studies that a name stands for: one, those of a paper by its number, or all."""
    return [each for each in STUDIES if name in ("all", each, each.split("_")[0])]

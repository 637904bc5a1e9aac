# SPDX-License-Identifier: Apache-2.0
"""What the paper leaves open: how much a thread hides, costs, and gains when it may move; and what
it costs others that it waits."""

from harness import bench, networks
from harness.matrix import Cells
from harness.report import curves
from s002 import cells, jacobi, statistics

LATENCIES_US = (0, 10, 20, 30, 45, 60, 90, 120)


def overlap(report, runner, options):
    """Latency hidden."""
    nodes = 8 if options.world == "sim" else 2
    ways = {"blocking": jacobi("blocking", 514), "overlapped": jacobi("overlapped", 514),
            "threads": jacobi("threads", 514),
            **{f"V = {members}": jacobi("rope", 514, members=members)
               for members in (2, 4, 8, 16)}}
    latencies = LATENCIES_US if options.world == "sim" else (0,)
    times = cells(statistics(runner, options, {
        (us, way): (programs, nodes, ("--rope-balancer", "none"),
                    networks.changed(report.folder / "networks", f"modern {us} us",
                                     {"latency_ns": us * 1000}, "modern"))
        for us in latencies for way, programs in ways.items()}))
    report.needs(times)
    report.csv(times)
    report.say("seconds of 20 iterations, N = 514, by microseconds of latency")
    report.table(times.mean())
    gains = times.derived(lambda frame: frame.rdiv(frame["blocking"], axis=0))
    report.say("times as fast as blocking")
    report.table(gains.mean())
    with report.figure() as axes:
        curves(axes, gains, f"Jacobi, N = 514, {nodes} processors", "latency, us",
               "times as fast as blocking")
    at = gains.at(0).loc[30 if 30 in latencies else latencies[0]]
    report.measured("002_overlap.overlapped", at["overlapped"])
    report.measured("002_overlap.threads", at["threads"])
    report.measured("002_overlap.members", at["V = 8"])


def measured(rounds):
    """{row: median ns} of bench/chant; why not, if not."""
    rows = bench.rows_of("chant", "--only", "waiting", "--rounds", str(rounds))
    return rows if isinstance(rows, str) else {each["row"]: float(each["ns_median"])
                                               for each in rows}


def polling(report, runner, options):
    """Measured on this machine, whatever world was asked for."""
    rounds = 2 if options.quick else 7
    report.source = (f"MEASURED on this machine, one processor, median of {rounds} rounds; "
                     "not simulated")
    found = runner.measure("bench/chant, waiting", lambda: measured(rounds))
    if isinstance(found, str):
        return report.not_measured(found)
    places = {row: row.rsplit(" ", 2) for row in found}  # "scheduler 1000 waiting"
    times = Cells(sorted({int(each[1]) for each in places.values()}),
                  dict.fromkeys(each[0] for each in places.values()),
                  {(int(place[1]), place[0]): [found[row]] for row, place in places.items()})
    report.needs(times)
    report.csv(times)
    report.say("ns a message of two threads, one way, by others that wait")
    report.table(times.mean())
    with report.figure() as axes:
        curves(axes, times, "a message beside waiting threads", "waiting threads", "ns one way")
    frame = times.at(0)
    report.measured("002_polling.scheduler_flat",
                    frame["scheduler"].iloc[-1] / frame["scheduler"].iloc[0])
    report.measured("002_polling.thread_linear",
                    frame["thread"].iloc[-1] / frame["thread"].iloc[0])


def threads(report, runner, options):
    """What more members on a processor cost."""
    counts = (1, 2, 4, 8, 16, 32, 64) if options.quick else (1, 2, 4, 8, 16, 32, 64, 128, 256)
    times = cells(statistics(runner, options, {
        (members, "rope"): (jacobi("rope", 514, members=members), 1, ("--rope-balancer", "none"),
                            None) for members in counts}))
    report.needs(times)
    report.csv(times)
    report.say("seconds of 20 iterations, N = 514, one processor, by members")
    report.table(times.mean())
    with report.figure() as axes:
        curves(axes, times, "Jacobi, N = 514, one processor", "members", "seconds")
    frame = times.at(0)["rope"]
    report.measured("002_threads.eight", frame[8] / frame[1])
    report.measured("002_threads.sixty_four", frame[64] / frame[1])


POLICIES = ("none", "greedy", "refine", "neighbours")


def balance(report, runner, options):
    """What it gains that members move."""
    nodes = 8 if options.world == "sim" else 2
    loads = (1, 4) if options.quick else (1, 2, 4, 6, 8)
    members = (1, 8) if options.quick else (1, 2, 4, 8, 16)
    iterations = 40 if options.quick else 200
    times = cells(statistics(runner, options, {
        ((load, each), policy): (jacobi("rope", 514, iterations, load=load, members=each), nodes,
                                 ("--rope-balancer", policy), None)
        for load in loads for each in members for policy in POLICIES}))
    report.needs(times)
    report.csv(times)
    report.say(f"seconds of {iterations} iterations, N = 514, by L, V")
    report.table(times.mean())
    frame = times.at(0)
    gains = frame.rdiv(frame["none"], axis=0)
    for load in loads:
        with report.figure(f"_{load}", size=(6, 4)) as axes:
            curves(axes, Cells(members, POLICIES, {
                (each, policy): [gains.loc[[(load, each)], policy].iloc[0]] for each in members
                for policy in POLICIES}), f"Jacobi, L = {load}", "members of a processor",
                "times as fast as without")
    one = frame.loc[[(4, 1)], "none"].iloc[0]
    for policy in POLICIES[1:]:
        report.measured(f"002_balance.{policy}_gains",
                        one / frame.loc[[(4, 8)], policy].iloc[0])
        report.measured(f"002_balance.{policy}_costs",
                        frame.loc[[(1, 8)], policy].iloc[0] / frame.loc[[(1, 8)], "none"].iloc[0])

# SPDX-License-Identifier: Apache-2.0
"""[CHANT §3.1], Fig. 2 to Fig. 6: Jacobi by blocking messages, by overlapped ones, and by threads.

The time is that of the iterations: a run without any is taken off, since the gathering of the
answer is none of the paper's. No tokens: no seed changes anything.
"""

import math

import pandas

from harness.matrix import Cells, Program, run_of, seconds_of
from harness.report import bars, curves

VERSIONS = ("blocking", "overlapped", "threads")
IRREGULAR = 4  # how often the points of the loaded processor are computed
LOADED = 4


def nodes_of(options):
    if options.world != "sim":
        return (1, 2)
    return (1, 2, 4, 8) if options.quick else (1, 2, 4, 8, 16, 32, 64, 128)


def jacobi(version, n=512, iterations=20, boundary=1, load=1, members=1, quick=130):
    """A Program, and the same without iterations."""
    def words(size, times):
        return f"jacobi {version} {size} {times} 1000 {boundary} {load} {members}"
    title = f"{version}, {n} x {iterations}"
    return (Program(title, words(n, iterations), words(quick, max(iterations, 2))),
            Program(title, words(n, 0), words(quick, 0)))


def statistics(runner, options, wanted):
    """{place: (of the run, of the run without iterations)} of {place: (programs, nodes, further
    options, network)}."""
    runs = {}
    for place, (programs, nodes, more, network) in wanted.items():
        runs[place] = []
        for each in programs:
            one = run_of(options, each, nodes, "nop", 1, 1, network)
            runs[place].append(type(one)(one.program, one.nodes, one.balancer, one.seed, one.world,
                                         one.network, one.processors, tuple(more)))
    found = runner.all([run for each in runs.values() for run in each],
                       None if options.world == "sim" else 1)
    return {place: tuple(found[run] for run in each) for place, each in runs.items()}


def seconds(found):
    whole, without = map(seconds_of, found)
    return whole - without


def busy(found):
    """Seconds that each processor computed."""
    if any("failed" in each for each in found):
        return [math.nan]
    whole, without = ([one["run_seconds"] for one in each["per_processor"]] for each in found)
    return [more - less for more, less in zip(whole, without)]


def occupied(found):
    """Seconds that each processor was not idle: computing, switching, or looking for messages."""
    if any("failed" in each for each in found):
        return [math.nan]
    whole, without = ([each["elapsed_seconds"] - one.get("idle_seconds", 0)
                       for one in each["per_processor"]] for each in found)
    return [more - less for more, less in zip(whole, without)]


def cells(found):
    return Cells(dict.fromkeys(row for row, _ in found), dict.fromkeys(one for _, one in found),
                 {place: [seconds(each)] for place, each in found.items()})


def shown(report, times, title, axis, ideal=None):
    report.needs(times)
    report.csv(times)
    report.say("seconds of the iterations")
    report.table(times.mean())
    with report.figure() as axes:
        curves(axes, times, title, axis, "seconds", ideal=ideal)
    return times.at(0)


def over_nodes(runner, options, load):
    return cells(statistics(runner, options, {
        (nodes, version): (jacobi(version, load=load), nodes, (), None)
        for nodes in nodes_of(options) for version in VERSIONS}))


def fig2(report, runner, options):
    """Regular, over processors."""
    frame = shown(report, over_nodes(runner, options, 1), "Jacobi, regular: N = 512, ITER = 20",
                  "processors")
    many = frame.loc[[row for row in frame.index if row > 1]]
    for version in VERSIONS[1:]:
        report.measured(f"002_fig2.{version}_better", (many[version] / many["blocking"]).max())
    report.measured("002_fig2.negligible", (many.max(axis=1) / many.min(axis=1)).max())
    few = frame.loc[[row for row in frame.index if row <= 32]]
    speedup = frame.loc[1] / few
    report.measured("002_fig2.linear", speedup.div(few.index, axis=0).min().min())


def per_process(report, runner, options, load, ways):
    """Seconds that each process of 8 computes, {way: [...]}, and the seconds of the run."""
    nodes = 8 if options.world == "sim" else 2
    found = statistics(runner, options, {
        ("all", way): (jacobi(version, load=load), nodes, more, None)
        for way, (version, more) in ways.items()})
    work = {way: (occupied if "occupied" in way else busy)(each)
            for (_, way), each in found.items()}
    frame = pandas.DataFrame(dict(work)) if len({len(each) for each in work.values()}) == 1 \
        else pandas.DataFrame({way: [math.nan] for way in work})
    report.csv(frame)
    report.say("seconds that each process is busy")
    report.table(frame)
    times = cells(found)
    report.say("seconds until all have finished")
    report.table(times.mean())
    with report.figure(size=(9, 4.5)) as axes:
        bars(axes, Cells(list(frame.index), list(frame.columns), {
            (row, column): [frame.loc[row, column]] for row in frame.index
            for column in frame.columns}), f"Jacobi on {nodes} processors", "seconds")
    return frame, times.at(0).loc["all"]


def fig3(report, runner, options):
    """Regular, by process."""
    frame, whole = per_process(report, runner, options, 1,
                               {version: (version, ()) for version in VERSIONS})
    report.measured("002_fig3.even", (frame.max() / frame.min()).max())
    report.measured("002_fig3.blocking_largest",
                    whole["blocking"] / max(whole["overlapped"], whole["threads"]))
    report.measured("002_fig3.threads_above", whole["threads"] / whole["overlapped"])
    report.measured("002_fig3.axis", whole.max())


def fig4(report, runner, options):
    """Irregular, by process: busy, and occupied: a waiting process of then kept its processor."""
    spin = ("--recv-wait", "spin")
    frame, whole = per_process(report, runner, options, IRREGULAR, {
        **{version: (version, ()) for version in VERSIONS},
        "blocking, occupied": ("blocking", spin), "overlapped, occupied": ("overlapped", spin)})
    loaded = min(LOADED, len(frame) - 1)
    others = frame.drop(index=loaded)
    report.measured("002_fig4.alike", whole[list(VERSIONS)].max() / whole[list(VERSIONS)].min())
    report.measured("002_fig4.others_lower",
                    others["threads"].mean() / others["blocking, occupied"].mean())
    report.measured("002_fig4.occupied", others["blocking, occupied"].mean()
                    / whole["blocking, occupied"])
    report.measured("002_fig4.busy_alike", others["threads"].mean() / others["blocking"].mean())


def fig5(report, runner, options):
    """Irregular, over processors."""
    frame = shown(report, over_nodes(runner, options, IRREGULAR),
                  "Jacobi, irregular: N = 512, ITER = 20", "processors")
    at = max(row for row in frame.index if row <= 8)
    regular = statistics(runner, options, {("all", "blocking"): (jacobi("blocking"), at, (), None)})
    report.measured("002_fig5.increases",
                    frame.loc[at, "blocking"] / seconds(regular["all", "blocking"]))
    many = frame.loc[[row for row in frame.index if row > 1]]
    report.measured("002_fig5.alike", (many.max(axis=1) / many.min(axis=1)).max())


SIZES = ((256, 80), (512, 20), (1024, 5))
BOUNDARIES = (1, 3, 7, 11, 15, 19, 23, 27, 31)


def fig6(report, runner, options):
    """The columns of the boundary threads."""
    nodes, most = (8, {}) if options.world == "sim" else (2, {})
    worst = 0
    for n, _ in SIZES:
        smallest = ((130 if options.quick else n) - 2) // nodes
        most[n] = [each for each in BOUNDARIES if 2 * each <= smallest]
    for n, iterations in SIZES:
        times = cells(statistics(runner, options, {
            (boundary, f"N {n}"): (jacobi("threads", n, iterations, boundary), nodes, (), None)
            for boundary in most[n]}))
        report.csv(times, f"_{n}")
        report.say(f"N = {n}, ITER = {iterations}: seconds of the iterations, by B")
        report.table(times.mean())
        with report.figure(f"_{n}", size=(6, 4)) as axes:
            curves(axes, times, f"threads, N = {n}", "B", "seconds")
        frame = times.at(0)
        worst = max(worst, (frame.max() / frame.min()).max())
    report.measured("002_fig6.flat", worst)

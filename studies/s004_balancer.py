# SPDX-License-Identifier: Apache-2.0
"""[TESTBED §4.3]: queues, links and moves under the balancer central, from its log."""

import functools
import pathlib
import re
import statistics
import tempfile

from harness import runs
from harness.balance_log import BalanceLog, links_of
from harness.report import COLOURS, DASHES, MARKERS

SLAVES = 5
NODES = SLAVES + 1  # node 0 is the master, and runs nothing else
APART, EARTH = 3, 4  # START: in turn, and all on node 1; node 0 is left free
MINUTE = 60          # s for which synthetic goes on
BUSY = ",link=200"   # per cent over the mean; on five nodes, whose links are ten
CENTRAL = "central:apart=1,sample=1000" + BUSY
SLOW = "central:apart=1,sample=10000" + BUSY  # WaTor's [TESTBED §4.3.3]
WATCHES = "central:apart=1,sample=10000,rq=1000000,link=1000000"  # tells, and moves nothing
PAIRS = (28, 10)     # operands of adder: the sequential time of Table 9
WATOR = f"wator {{}} 100 16 100 {APART}"


def logged(program, balancer, network, seed, world="sim"):
    """What a run says: its log, seconds and output; why not, if it failed."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "log"
        run = runs.Run(program, NODES, balancer, seed, world, network,
                       1, options=("--balance-log", str(file)))
        try:
            stats, output = runs.terrane.runs.make(run, runs.TERRANE)
        except runs.terrane.Error as wrong:
            return str(wrong)
        if not file.is_file():
            return f"{run.program[0]} left no log"
        return {"log": file.read_text(), "seconds": stats["elapsed_seconds"],
                "output": output.strip()}


def seen(read, program, balancer, options, until):
    """The first seed's run, and what `read` makes of each: {name: [number of each seed]}."""
    first, numbers = None, {}
    for seed in options.every_seed():
        one = logged(program, balancer, options.network, seed, options.world)
        if isinstance(one, str):
            return one
        log = BalanceLog(one["log"], until)
        if not log.samples:
            return "its log has no sample"
        first = first or one
        for name, value in (read(log) | {"seconds": one["seconds"]}).items():
            numbers.setdefault(name, []).append(value)
    return first | {"numbers": numbers}


def found_in(report, runner, options, program, balancer, read, until=float("inf"), real=False):
    """The same, archived; the first log is read anew. None: it says why. real: may be measured."""
    many = options.seeds
    where = (f"SIMULATED, network {options.network}" if options.world == "sim" else
             f"MEASURED on this machine, world {options.world}")
    report.source = (f"{where}, {SLAVES} nodes and a master; {many} seed"
                     f"{'s' if many > 1 else ''}; pictures of the first; from the balancer's log")
    if options.world != "sim" and not (real and options.world == "local"):
        report.not_measured("of the simulated machine only")
        return None
    place = options.network if options.world == "sim" else options.world
    one = runner.measure(f"log of {program}, {balancer}, {place}, {many} seeds",
                         functools.partial(seen, read, program, balancer, options, until))
    if isinstance(one, str):
        report.not_measured(one)
        return None
    return BalanceLog(one["log"], until), one["numbers"], one["output"]


# --- pictures ---

def lines(report, part, title, unit, series):
    """series: {name: [(s, number)]}."""
    with report.figure(part, size=(10, 4)) as axes:
        for at, (name, points) in enumerate(series.items()):
            axes.plot(*zip(*points), label=name, color=COLOURS[at % len(COLOURS)],
                      linestyle=DASHES[at // 5 % len(DASHES)], linewidth=1.1,
                      marker=MARKERS[at % len(MARKERS)], markersize=3,
                      markevery=max(1, len(points) // 15))
        axes.set_title(title)
        axes.set_xlabel("seconds")
        axes.set_ylabel(unit)
        axes.set_ylim(bottom=0)
        axes.legend(ncol=1, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    report.csv_rows(part, ("what", "seconds", unit), [
        (name, x, y) for name, points in series.items() for x, y in points])


def draw_queues(report, part, title, log):
    lines(report, part, f"{title}: ready queues", "threads", {
        f"node {at + 1}": [(sample.seconds, sample.queues[at]) for sample in log.samples]
        for at in range(SLAVES)})


def draw_links(report, part, title, log, period):
    lines(report, part, f"{title}: messages over links", f"messages in {period} s", {
        name: [(sample.seconds, sample.links[at]) for sample in log.samples]
        for at, name in enumerate(links_of(SLAVES))})


def draw_moves(report, part, title, log):
    """As the paper draws them, a line from where a thread left to where it came; with a dot there,
    since a slope alone is hard to see."""
    with report.figure(part, size=(10, 3)) as axes:
        for why, colour in ((False, COLOURS[0]), (True, COLOURS[1])):
            moves = [each for each in log.arrivals if each.link == why]
            for each in moves:
                axes.plot([each.seconds, each.seconds], [each.source, each.target], color=colour,
                          linewidth=1)
            axes.plot([each.seconds for each in moves], [each.target for each in moves],
                      linestyle="none", marker=MARKERS[why], color=colour, markersize=4,
                      label="for a link" if why else "for a queue")
        axes.set_title(f"{title}: moves, each to its dot")
        axes.set_xlabel("seconds")
        axes.set_ylabel("node")
        axes.set_yticks(range(1, SLAVES + 1))
        axes.set_ylim(0.7, SLAVES + 0.3)
        axes.set_xlim(0, log.samples[-1].seconds)
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    report.csv_rows(part, ("seconds", "from", "to", "for"), [
        (each.seconds, each.source, each.target, "link" if each.link else "queue")
        for each in log.arrivals])


# --- synthetic: Figs 42 to 48 ---

def back(log):
    """Moves of threads that were moved before, or from another node than the first."""
    return sum(each.source != 1 or each.target == 1 for each in log.arrivals)


def of_computing(log):
    times = [each.seconds for each in log.requests]
    after = [sample.links for sample in log.samples if sample.seconds > 18]
    return {"rate": (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else None,
            "equal": log.equal_since(1) or log.samples[-1].seconds, "back": back(log),
            "quiet": max(map(max, after), default=None), "level": level(log),
            "longest": max(max(sample.queues) for sample in log.samples)}


def synthetic(report, runner, options, threads, read):
    """A minute of it; for real a tenth, with samples of a tenth."""
    part = 1 if options.world == "sim" else 10
    return found_in(report, runner, options,
                    f"synthetic {threads} {MINUTE // part} 0 0 {EARTH}",
                    CENTRAL.replace("sample=1000", f"sample={1000 // part}"), read,
                    MINUTE // part, True)


def level(log):
    """The longest queue in the last sixth of the time, over the longest of all."""
    queues = [max(sample.queues) for sample in log.samples]
    return max(queues[-(len(queues) // 6 or 1):]) / max(max(queues), 1)


def computing(report, runner, options):
    return synthetic(report, runner, options, "0 20 0", of_computing)


def fig42_44(report, runner, options):
    """20 threads that compute."""
    if not (found := computing(report, runner, options)):
        return
    log, numbers, _ = found
    for name in ("rate", "equal", "back", "quiet", "level"):
        report.measured(f"004_fig42_44.{name}", numbers[name])
    title = "20 threads that compute"
    draw_queues(report, "_fig42", title, log)
    draw_links(report, "_fig43", title, log, 1)
    draw_moves(report, "_fig44", title, log)


def of_pairs(log):
    means = log.means_of_links(log.samples[-1].seconds * 5 / 6)
    return {"equal": log.equal_since(2) or log.samples[-1].seconds, "back": back(log),
            "quiet": sum(each < 0.05 * max(means) for each in means) if max(means) else 10,
            "level": level(log), "moves": len(log.arrivals)}


def pairs(report, runner, options, threads, parts, title):
    if not (found := synthetic(report, runner, options, threads, of_pairs)):
        return
    log, numbers, _ = found
    for name in ("equal", "quiet", "back", "level"):
        report.measured(f"{report.name}.{name}", numbers[name])
    report.say(f"moves: {statistics.mean(numbers['moves']):.1f}")
    draw_queues(report, parts[0], title, log)
    if len(parts) > 1:
        draw_links(report, parts[1], title, log, 1)
        draw_moves(report, parts[2], title, log)


def fig45_47(report, runner, options):
    """20 pairs that communicate."""
    pairs(report, runner, options, "20 0 0", ("_fig45", "_fig46", "_fig47"),
          "20 pairs that communicate")


def fig48(report, runner, options):
    """20 pairs that do both."""
    pairs(report, runner, options, "0 0 20", ("",),
          "20 pairs that compute and communicate")


# --- adder: Figs 50 to 52 ---

def of_adder(log):
    means = log.means_of_links(15)
    return {"longest": max(max(sample.queues) for sample in log.samples),
            "silent": sum(each < 1 for each in means), "nothing": len(log.nothing),
            "moves": len(log.arrivals)}


def fig50_52(report, runner, options):
    """The adder."""
    if options.world != "sim":
        return report.not_measured("of the simulated machine only")
    if not (beside := computing(report, runner, options)):
        return None
    found = found_in(report, runner, options,
                     "adder {} {} {}".format(*PAIRS, EARTH), CENTRAL, of_adder)
    if not found:
        return None
    log, numbers, _ = found
    report.measured("004_fig50_52.queues", [ours / theirs for ours, theirs in zip(
        numbers["longest"], beside[1]["longest"])])
    report.measured("004_fig50_52.silent", numbers["silent"])
    report.measured("004_fig50_52.nothing", numbers["nothing"])
    report.say(f"moves: {statistics.mean(numbers['moves']):.0f}")
    draw_queues(report, "_fig50", "adder", log)
    draw_links(report, "_fig51", "adder", log, 1)
    draw_moves(report, "_fig52", "adder", log)
    return None


# --- WaTor: Figs 53 to 58 ---

def populations(text):
    """[(step, fish, sharks, four regions' fish)] of wator's output."""
    return [tuple(map(int, each)) for each in re.findall(
        r"step +(\d+) fish +(\d+) sharks +(\d+) +fish by region (\d+) (\d+) (\d+) (\d+)", text)]


def fig53(report, runner, options):
    """Fish by region; the same under the balancer, and in one region, as in the known answer."""
    parallel = runs.Run(WATOR.format(1), NODES, SLOW, 1, options.world, options.network)
    alone = runs.Run("wator 1 100 1", 1, "nop", 1, options.world, options.network)
    if options.world != "sim":
        return report.not_measured("of the simulated machine only")
    found = runner.all([parallel, alone])
    texts = [found[run].get("output", "") for run in (parallel, alone)]
    rows = populations(texts[0])
    if not rows or not populations(texts[1]):
        return report.not_measured(found[parallel].get("failed", "wator printed no populations"))
    report.measured("004_fig53.reference", int(
        texts[0] == texts[1] and "fnv 3c9524385029da2b" in texts[0]))
    fish = [row[1] for row in rows]
    peaks = [at for at in range(1, len(fish) - 1) if fish[at - 1] < fish[at] > fish[at + 1]]
    report.measured("004_fig53.busts", max(fish) / min(fish), f"peaks at steps "
                    + ", ".join(str(rows[at][0]) for at in peaks))
    with report.figure(size=(9, 4)) as axes:
        for at in range(4):
            axes.plot([row[0] for row in rows], [row[3 + at] for row in rows],
                      color=COLOURS[at], marker=MARKERS[at], linestyle=DASHES[at],
                      label=f"region {at + 1}")
        axes.plot([row[0] for row in rows], [row[2] for row in rows], color="#7f7f7f",
                  linestyle=":", label="all sharks")
        axes.set_title("WaTor: fish by region, each tenth step")
        axes.set_xlabel("step")
        axes.set_ylabel("fish")
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    report.csv_rows("", ("step", "fish", "sharks", "region 1", "region 2", "region 3",
                         "region 4"), rows)
    return None


def of_wator(log):
    end = log.samples[-1].seconds
    return {"queue": statistics.mean(statistics.mean(each.queues) for each in log.samples),
            "messages": statistics.mean(sum(each.links) for each in log.samples),
            "late": sum(each.seconds > 0.75 * end for each in log.arrivals)}


def fig54_58(report, runner, options):
    """WaTor, with and without the balancer, on two seas."""
    saved, found = {}, {}
    for sea in (1, 2):
        both = [found_in(report, runner, options, WATOR.format(sea), balancer, of_wator)
                for balancer in (WATCHES, SLOW)]
        if None in both:
            return
        without, balanced = (each[1] for each in both)
        saved[sea] = [1 - b / a for a, b in zip(without["seconds"], balanced["seconds"])]
        found[sea] = both
        report.say(f"sea {sea}: {statistics.mean(without['seconds']):.0f} s without, "
                   f"{statistics.mean(balanced['seconds']):.0f} s with: "
                   f"{statistics.mean(saved[sea]):.1%} less")
    (without, numbers, _), (balanced, others, _) = found[1]
    report.measured("004_fig54_58.queues", [b / a for a, b in zip(numbers["queue"],
                                                                  others["queue"])])
    report.measured("004_fig54_58.links", [b / a for a, b in zip(numbers["messages"],
                                                                 others["messages"])])
    report.measured("004_fig54_58.time", saved[1])
    for sea in saved:
        report.measured(f"004_fig54_58.quarter[sea {sea}]", saved[sea])
    report.measured("004_fig54_58.late", others["late"])
    draw_queues(report, "_fig54", "WaTor without balancing", without)
    draw_links(report, "_fig55", "WaTor without balancing", without, 10)
    draw_queues(report, "_fig56", "WaTor with balancing", balanced)
    draw_links(report, "_fig57", "WaTor with balancing", balanced, 10)
    draw_moves(report, "_fig58", "WaTor", balanced)

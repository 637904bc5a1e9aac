# SPDX-License-Identifier: Apache-2.0
"""[ACTIVE Fig. 7] to Fig. 12: grep and quadrature on a cluster of multiprocessors."""

import io
import pathlib
import sys

import pandas

from harness.matrix import Cells, Program, of_runs, run_of, seconds_of
from harness.report import COLOURS, HATCHES, curves

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs" / "grep"))
from make_tree import make_tree  # noqa: E402

WIDTHS = ((1, 1), (1, 2), (1, 4), (2, 4), (4, 4), (8, 4))  # nodes and processors of each
# The paper's policy: an idle processor "tries to steal work from any remote node which has
# available work". Spn asks round the ring until there is some; rand gives unasked, too.
PAPER, OURS = "spn", "rand"
DISKS = 8


def widths(options):
    return WIDTHS if options.world == "sim" else ((1, 1), (2, 1))


def tree(report, directories, files):
    """Where a tree of the paper's kind lies; made once."""
    place = report.folder / "trees" / f"{directories}-{files}"
    if not place.exists():
        place.parent.mkdir(exist_ok=True)
        half = place.with_suffix(".part")
        make_tree(half, directories=directories, files=files)
        half.rename(place)
    return place


def small_tree(report, _):
    return tree(report, 50, 400)


def large_tree(report, options):
    return tree(report, *((50, 400) if options.quick else (400, 3200)))


def title_of(width):
    return f"{width[0]} x {width[1]}"


def speedups(report, runner, options, variants, title):
    """Seconds of {name: (Program, balancer)} by width, shown; their speed-up over the first on one
    processor."""
    single = options.world != "sim"
    times = of_runs(runner, {
        (title_of(width), name): [run_of(options, program, width[0], balancer, seed, width[1])
                                  for seed in options.every_seed()]
        for width in widths(options) for name, (program, balancer) in variants.items()},
        jobs=1 if single else None)
    report.needs(times)
    first, one = times.rows[0], next(iter(variants))
    ours = times.derived(lambda frame: frame.rdiv(frame.loc[first, one]))
    report.csv(times, "_seconds")
    report.csv(ours)
    report.say("seconds")
    report.table(times.mean())
    report.say(f"speed-up over {one} on one processor")
    report.table(ours.mean())
    with report.figure(size=(8.5, 5)) as axes:
        curves(axes, ours, title, "nodes x processors of each", "speed-up, times",
               ideal=[n * p for n, p in widths(options)])
    return times, ours


def grep(where, policy, remote_us=0):
    words = f"grep mutex {where} {policy} {remote_us} {DISKS}"
    return Program(policy, words, words)


def both(name, program):
    """The paper's policy, and ours as a second curve."""
    return {name: (program, PAPER), f"{name} ({OURS})": (program, OURS)}


def fig7(report, runner, options):
    """Which threads may be stolen."""
    where = small_tree(report, options)
    _, ours = speedups(report, runner, options, {
        **both("steal-search", grep(where, "steal-search")),
        **both("steal-cascade", grep(where, "steal-cascade"))}, "grep: stealing")
    many = [width for width in ours.rows if not width.startswith("1 ")]
    report.measured("003_fig7.cascade_better", [
        (frame.loc[many, "steal-cascade"] / frame.loc[many, "steal-search"]).min()
        for frame in ours.frames()])
    report.measured("003_fig7.smp_linear", [
        frame.loc["1 x 4", "steal-search"] / 4 if "1 x 4" in ours.rows else None
        for frame in ours.frames()])
    report.measured("003_fig7.competitive", [frame.iloc[-1]["steal-search"]
                                             for frame in ours.frames()])


def fig8(report, runner, options):
    """Pushing."""
    where = small_tree(report, options)
    _, ours = speedups(report, runner, options, {
        "round-robin": (grep(where, "round-robin"), PAPER),
        "by-load": (grep(where, "by-load"), PAPER),
        **both("steal-cascade", grep(where, "steal-cascade"))}, "grep: pushing")
    last = [frame.iloc[-1] for frame in ours.frames()]
    report.measured("003_fig8.load_better", [each["by-load"] / each["round-robin"]
                                             for each in last])
    report.measured("003_fig8.load_near_stealing", [each["by-load"] / each["steal-cascade"]
                                                    for each in last])


def fig9(report, runner, options):
    """Locality."""
    where = large_tree(report, options)
    remote = 1 if options.world == "sim" else 1000
    times, ours = speedups(report, runner, options, {
        **both("steal-cascade", grep(where, "steal-cascade", remote)),
        "locality": (grep(where, "locality", remote), PAPER)}, f"grep: files on {DISKS} disks")
    last = [frame.iloc[-1] for frame in ours.frames()]
    report.measured("003_fig9.locality_better", [each["locality"] / each["steal-cascade"]
                                                 for each in last])
    report.measured("003_fig9.super_linear", [each["locality"] / 32 for each in last])
    report.measured("003_fig9.one_processor_s", [frame.iloc[0, 0] for frame in times.frames()])
    report.measured("003_fig9.locality_s", [frame.iloc[-1]["locality"] for frame in times.frames()])


def fig10(report, runner, options):
    """Lives of search threads."""
    where = small_tree(report, options)
    words = f"grep -t mutex {where} steal-search {1 if options.world == 'sim' else 6000} 8"
    run = run_of(options, Program("", words, words), 2, PAPER, processors=1)
    text = runner.all([run], 1)[run].get("output", "")
    if not text:
        return report.not_measured(runner.made[run].get("failed", "it printed nothing"))
    lives = pandas.read_csv(io.StringIO(text), sep=":", names=["file", "us", "disk"])
    lives["ms"] = lives.us / 1000
    lives["file"] = lives.file.map(lambda path: "/".join(path.split("/")[-2:]))
    report.csv(lives.set_index("file")[["ms", "disk"]])
    printed = {"local": 3.98, "remote": 9.97}
    medians = lives.groupby("disk").ms.median().to_dict()
    with report.figure(size=(8, 4.5)) as axes:
        for at, (disk, of_disk) in enumerate(lives.groupby("disk")):
            short = of_disk.ms[of_disk.ms <= of_disk.ms.quantile(0.95)]
            axes.hist(short, bins=30, alpha=0.6, color=COLOURS[at], hatch=HATCHES[at],
                      label=f"{disk}: 95 % of {len(of_disk)}")
            axes.axvline(printed[disk], color="black", linewidth=1, linestyle="--")
            axes.annotate(f"the paper's median, {disk}", (printed[disk], axes.get_ylim()[1] * 0.95),
                          rotation=90, va="top", ha="right", fontsize=7)
        axes.set_xlabel("life of a search thread, ms")
        axes.set_ylabel("threads")
        axes.set_title("grep: lives of search threads")
        axes.legend(frameon=False)
    for disk in printed:
        report.measured(f"003_fig10.median_{disk}", medians.get(disk))
    report.measured("003_fig10.twice", medians["remote"] / medians["local"]
                    if len(medians) == 2 else None)


def quadrature(threads):
    return Program("", f"quadrature {threads} 9", f"quadrature {threads} 8")


def fig11(report, runner, options):
    """Quadrature by processors."""
    counts = (64, 256, 1024)
    variants = {}
    for n in counts:
        variants |= both(f"{n} threads", quadrature(n))
    _, ours = speedups(report, runner, options, variants, "quadrature")
    names = [f"{n} threads" for n in counts]
    report.measured("003_fig11.every_node_faster", [
        frame[names].max(axis=1).pct_change().dropna().min() for frame in ours.frames()])


def fig12(report, runner, options):
    """Quadrature by threads."""
    counts = (4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16384)
    nodes, processors = widths(options)[-1]
    found = of_runs(runner, {
        (n, name): [run_of(options, quadrature(n), nodes, name, seed, processors)
                    for seed in options.every_seed()]
        for n in counts for name in (PAPER, OURS)})
    one = run_of(options, quadrature(4), 1, PAPER, processors=1)
    single = seconds_of(runner.all([one])[one])
    ours = Cells(counts, [f"stealing ({PAPER})", f"also giving ({OURS})"], {
        (n, title): [single / each for each in found.values[n, name]] for n in counts
        for name, title in ((PAPER, f"stealing ({PAPER})"), (OURS, f"also giving ({OURS})"))})
    report.csv(found, "_seconds")
    report.csv(ours)
    report.table(ours.mean())
    with report.figure(size=(8, 4.5)) as axes:
        axes.set_xscale("log")
        curves(axes, ours, f"quadrature on {nodes} x {processors} processors", "threads",
               "speed-up, times")
    best = [frame[f"stealing ({PAPER})"].idxmax() for frame in ours.frames()]
    report.measured("003_fig12.more_are_better", [each > counts[0] for each in best],
                    f"best with {sorted(set(best))}")
    report.measured("003_fig12.up_to_their_cost", [each < counts[-1] for each in best])

# SPDX-License-Identifier: Apache-2.0
"""[EARTH-SMP Fig. 7] to Fig. 9: RTS 1.2, which polls, and RTS 2.0, which has modules, on clusters
of one and of two processors a node.

Simulated, a runtime system is a network file: what it takes of an execution module's time to send,
to receive and to look (claims.toml, inputs smp_*). With --world tcp the same programs run for real,
under --progress poll and modules, on hosts that are network namespaces of this machine.
"""

import re

from harness import namespaces, networks
from harness.matrix import Cells, Program, of_runs, run_of
from harness.report import curves

NODES = (1, 2, 4, 8, 16)
MHZ = {"Earthquake": 500, "Ecgtheow": 200}
BALANCER = "rand"
# Cycles of a processor; the preset beowulf has the first for 500 MHz.
KERNEL, SWITCH, HAND_OVER = 15_000, 2_500, 2_500
POLL_FEW, POLL_MANY, MOST_NODES = 2_500, 15_000, 60

POLLS, MODULES, TWO = "RTS 1.2", "RTS 2.0 (1 EM)", "RTS 2.0 (2 EM)"
VARIANTS = {"Earthquake": (POLLS, MODULES), "Ecgtheow": (POLLS, MODULES, TWO)}
REAL = {POLLS: ("poll", 1), MODULES: ("modules", 1), TWO: ("modules", 2)}  # progress, processors


def select_cycles(nodes):
    """A look at the sockets of so many nodes: from the least to the most that the paper names."""
    return POLL_FEW + (POLL_MANY - POLL_FEW) * max(nodes - 2, 0) // (MOST_NODES - 2)


def cycles(machine, variant, nodes):
    """{number of the network file: cycles} that differ from one runtime system to the other."""
    if variant == POLLS:  # the one module does it all
        look = select_cycles(nodes)
        return {"send_overhead_ns": KERNEL, "receive_overhead_ns": KERNEL + look, "poll_ns": look}
    if machine == "Ecgtheow" and variant == MODULES:  # the other processor has the modules
        return {"send_overhead_ns": HAND_OVER, "receive_overhead_ns": HAND_OVER,
                "poll_ns": HAND_OVER // 10, "gap_ns": KERNEL, "modules": 2 * KERNEL}
    there_and_back = KERNEL + 2 * SWITCH  # modules and fibers take turns on a processor
    return {"send_overhead_ns": there_and_back, "receive_overhead_ns": there_and_back,
            "poll_ns": HAND_OVER // 10}


def network(report, machine, variant, nodes):
    """The file of that machine under that runtime system."""
    preset = dict(re.findall(r"(?m)^([\w.]+) *= *(\d+)", networks.preset("beowulf")))
    slower = MHZ["Earthquake"] / MHZ[machine]
    numbers = {name: round(int(value) * slower) for name, value in preset.items()
               if name.startswith("price_ps.") or name in ("fiber_ns", "token_ns", "balance_ns",
                                                          "local_message_ns")}
    of_rts = cycles(machine, variant, nodes)
    latency = of_rts.pop("modules", 0)
    numbers |= {name: each * 1000 // MHZ[machine] for name, each in of_rts.items()}
    numbers["latency_ns"] = int(preset["latency_ns"]) + latency * 1000 // MHZ[machine]
    return networks.changed(report.folder / "networks", f"{machine} {variant} {nodes}", numbers,
                            "beowulf")


def simulated(report, runner, options, machine, program, seeds):
    """Seconds by nodes and variant."""
    return of_runs(runner, {
        (nodes, variant): [run_of(options, program, nodes, BALANCER, seed,
                                  2 if variant == TWO else 1,
                                  network(report, machine, variant, nodes)) for seed in seeds]
        for nodes in NODES for variant in VARIANTS[machine]})


def real(report, runner, options, machine, program, seeds):
    """The same of runs on namespaces; None, and why, where there can be none."""
    words = options.command(program).split()
    name = f"001 {machine}: {' '.join(words)}, {len(seeds)} rounds"
    found = runner.measure(name, lambda: namespaces.seconds(
        words, NODES, {each: REAL[each] for each in VARIANTS[machine]}, len(seeds)))
    if isinstance(found, str):
        report.not_measured(found)
        return None
    return Cells(NODES, VARIANTS[machine], {
        (nodes, variant): found[f"{nodes} {variant}"]
        for nodes in NODES for variant in VARIANTS[machine]})


def speedups(report, runner, options, program, seeds):
    """{machine: Cells}: speed-up over one node of the same runtime system and one module."""
    if options.world == "local":
        report.not_measured("nodes are hosts here: --world sim or tcp")
        return None
    found = {}
    for machine in VARIANTS:
        times = (simulated if options.world == "sim" else real)(
            report, runner, options, machine, program, seeds)
        if times is None:
            return None
        report.needs(times)
        ours = times.derived(lambda frame: frame.loc[1, MODULES] / frame)
        part = "_" + machine.lower()
        report.csv(times, f"{part}_seconds")
        report.csv(ours, part)
        if options.world == "sim":
            report.say(f"{machine}, simulated: {MHZ[machine]} MHz")
        else:
            report.say(f"as {machine}, MEASURED: network namespaces of this machine as hosts, tbf "
                       f"of {namespaces.RATE} on each; RTS 1.2 is --progress poll, 2.0 modules")
        report.say("seconds")
        report.table(times.mean())
        report.say("speed-up over one node, RTS 2.0 (1 EM)")
        report.table(ours.mean())
        with report.figure(part, size=(8, 4.5)) as axes:
            curves(axes, ours, f"{program.title}, {machine}", "nodes", "speed-up, times",
                   ideal=NODES)
        found[machine] = ours
    if options.world != "sim":
        report.source = ("MEASURED on this machine, world tcp, in network namespaces shaped to "
                         f"{namespaces.RATE}; {namespaces.cores()} cores for all hosts together")
    return found


def ratios(cells, nodes, above, below):
    return [frame.loc[nodes, above] / frame.loc[nodes, below] for frame in cells.frames()]


def fig7(report, runner, options):
    """Fibonacci."""
    found = speedups(report, runner, options, Program("fib(32)", "fib 32", "fib 24"),
                     options.every_seed())
    if not found:
        return
    one, two = found["Earthquake"], found["Ecgtheow"]
    report.measured("001_fig7.modules_at_16", ratios(one, 16, MODULES, POLLS))
    report.measured("001_fig7.modules_at_16_smp", ratios(two, 16, TWO, POLLS))
    report.measured("001_fig7.polling_at_8", ratios(one, 8, POLLS, MODULES))
    report.measured("001_fig7.two_modules_highest", [
        (frame[TWO] / frame[[POLLS, MODULES]].max(axis=1)).min() for frame in two.frames()])
    report.measured("001_fig7.two_modules_at_16", [frame.loc[16, TWO] for frame in two.frames()])
    report.measured("001_fig7.polling_at_16", [frame.loc[16, POLLS] for frame in two.frames()])


def fig8(report, runner, options):
    """N-queens without a throttle, and with one."""
    found = speedups(report, runner, options,
                     Program("queens(12)", "queens 12 12", "queens 9 9"), options.every_seed())
    if not found:
        return
    one, two = found["Earthquake"], found["Ecgtheow"]
    report.measured("001_fig8.modules_at_16", ratios(one, 16, MODULES, POLLS))
    report.measured("001_fig8.modules_at_16_smp", ratios(two, 16, TWO, POLLS))
    for name in (POLLS, MODULES):
        report.measured(f"001_fig8.declines_{'polls' if name == POLLS else 'modules'}", [
            frame.loc[16, name] / frame.loc[8, name] for frame in one.frames()])
    throttled = (simulated if options.world == "sim" else real)(
        report, runner, options, "Earthquake",
        Program("queens(12), throttled", "queens 12 4", "queens 9 3"), options.every_seed())
    if throttled:
        report.csv(throttled, "_throttled_seconds")
        report.say("throttled at depth 4, Earthquake: seconds")
        report.table(throttled.mean())
        report.measured("001_fig8.throttled_does_not", [
            frame.loc[8, MODULES] / frame.loc[16, MODULES] for frame in throttled.frames()])


def fig9(report, runner, options):
    """ATGC: no tokens, so that no seed changes anything."""
    found = speedups(report, runner, options, Program("ATGC(40K)", "atgc 40000", "atgc 4000"), [1])
    if not found:
        return
    two = found["Ecgtheow"]
    report.measured("001_fig9.alike", [
        max((frame[POLLS] / frame[MODULES]).max(), (frame[MODULES] / frame[POLLS]).max())
        for cells in found.values() for frame in cells.frames()])
    report.measured("001_fig9.nearly_double", ratios(two, 16, TWO, MODULES))

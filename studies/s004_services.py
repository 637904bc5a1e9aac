# SPDX-License-Identifier: Apache-2.0
"""[TESTBED §3.3.1 to §3.3.4]: what requests, messages and moves of threads take, from the events of
simulated runs of local, remote and migrate."""

import functools
import statistics

from harness.lines import between, line_of, packed, straightness, unpacked
from harness.report import COLOURS, MARKERS, paper_table
from harness.traces import NoTrace, Trace

NODES = 5
SIZES, TIMES, MOVES = 100, 4, 60
QUICK = (20, 2, 12)
REMOTE_SIZES, REMOTE_TIMES = 50, 1  # [TESTBED §3.3.2]: fifty sizes, each sent once
LABEL = "SIMULATED, network {}, {} nodes; 1 seed; from the events of its run"


def sizes_of(options):
    return QUICK if options.quick else (SIZES, TIMES, MOVES)


def by_kind(events):
    """{"served focus": "bytes ns interrupted;..."} with times of their ends."""
    found = {}
    for ns, node, event, what, *numbers in events:
        if event in ("served", "packed", "flew"):
            found.setdefault(f"{event} {what}", []).append(
                [ns, node, *(int(each) for each in numbers[:3])])
    return found


def measured(program, network):
    """Services by kind, packed; why not, if there is no run."""
    try:
        with Trace(program, network, NODES, "channel") as trace:
            return {kind: packed(rows) for kind, rows in by_kind(trace.events()).items()}
    except NoTrace as why:
        return str(why)


def needs(*programs):
    """A study of such runs: function(report, {program: {kind: rows}}, options). A row: when, on
    which node, bytes, and two times in ns."""
    def made(function):
        @functools.wraps(function)
        def study(report, runner, options):
            report.source = LABEL.format(options.network, NODES) + report.small()
            if options.world != "sim":
                return report.not_measured("of the simulated machine only")
            sizes, times, moves = sizes_of(options)
            words = {"local": f"local {sizes} {times}",
                     "remote": f"remote {REMOTE_SIZES} {REMOTE_TIMES}",
                     "migrate": f"migrate {moves} 1"}
            found = {}
            for each in programs:
                one = runner.measure(f"services of {words[each]}, {options.network}",
                                     functools.partial(measured, words[each], options.network))
                if isinstance(one, str):
                    return report.not_measured(one)
                found[each] = {kind: unpacked(rows) for kind, rows in one.items()}
            return function(report, found, options)
        return study
    return made


def ms(rows, of=3):
    """(Kbytes, ms) of services; of 4: what the clock took of each."""
    return [(row[2] / 1000, row[of] / 1e6) for row in rows]


def corrected(rows):
    """Less what the clock took."""
    return [(row[2] / 1000, (row[3] - row[4]) / 1e6) for row in rows]


def times(points):
    return [y for _, y in points]


def spread(points):
    """Between the most and the least, over the mean."""
    y = times(points)
    return (max(y) - min(y)) / statistics.mean(y)


def far(points, middle):
    """How far from there they come."""
    return max(abs(y - middle) for y in times(points))


def draw(report, part, title, series, lines=(), unit="ms"):
    """series: {name: points}; lines: [(slope, height)] of the paper."""
    with report.figure(part) as axes:
        for at, (name, points) in enumerate(series.items()):
            axes.plot(*zip(*points), MARKERS[at % len(MARKERS)], color=COLOURS[at % len(COLOURS)],
                      markersize=2.5, linestyle="none", label=name)
        most = max((x for points in series.values() for x, _ in points), default=0)
        for slope, height in lines:
            axes.plot([0, most], [height, height + slope * most], color="black", linewidth=0.8)
        axes.set_title(title)
        axes.set_xlabel("Kbytes")
        axes.set_ylabel(unit)
        axes.legend(frameon=False)
    report.csv_rows(part, ("what", "kbytes", unit), [
        (name, x, y) for name, points in series.items() for x, y in points])


def remote_items(found):
    """Each item of `remote` from its send to its end: its rows by kind. Of the items of known size
    alone: what else is sent, at the beginning and at the end, is left out."""
    taken = {kind: iter(rows) for kind, rows in found.items()}
    last = {kind: None for kind in found}

    def next_of(kind, after, bytes_wanted=None):
        while last.get(kind) is None or last[kind][0] < after or (
                bytes_wanted is not None and last[kind][2] != bytes_wanted):
            last[kind] = next(taken[kind])
        row, last[kind] = last[kind], None
        return row

    items = []
    try:
        for send in found.get("served send", ())[:-1]:
            one = {"send": send, "bytes": send[2]}
            one["focus flight"] = next_of("flew focus", send[0] - send[3])
            one["focus"] = next_of("served focus", one["focus flight"][0])
            one["rtr flight"] = next_of("flew rtr", one["focus"][0])
            one["rtr"] = next_of("served rtr", one["rtr flight"][0])
            one["msg flight"] = next_of("flew msg", one["rtr"][0], send[2])
            one["msg"] = next_of("served msg", one["msg flight"][0], send[2])
            items.append(one)
    except StopIteration:
        pass
    return items[1:]  # the first finds out where the receiver is


def of_items(items, kind, clean=False):
    """(Kbytes of the item, ms)."""
    return [(one["bytes"] / 1000, (one[kind][3] - (one[kind][4] if clean else 0)) / 1e6)
            for one in items]


@needs("local")
def fig9_10(report, found, options):
    """Local send and receive."""
    sends, waits = found["local"]["served local_copy"], found["local"]["served local_wait"]
    waits = [row for row in waits if row[2] == 5000]  # the receiver's
    raw, clean = ms(sends), corrected(sends)
    slope, _ = line_of(raw)
    report.measured("004_fig9_10.slope", slope)
    hit = [(row[3], row[4]) for row in sends if row[4] > 0]
    apart = [interrupted / 1e6 for _, interrupted in hit]
    report.measured("004_fig9_10.bands", statistics.median(apart) if apart else None,
                    f"{len(hit)} of {len(sends)} services were interrupted")
    report.measured("004_fig9_10.steps", period(clean), "Kbytes from one pair to the next")
    report.measured("004_fig9_10.receive", spread(corrected(waits)))
    draw(report, "_fig9", "local send", {"send": raw})
    draw(report, "_fig10", "local send and receive, less what the clock took",
         {"send": clean,
          "receive": [(at, y) for (at, _), y in zip(clean, times(corrected(waits)))]})


def period(points):
    """The distance, in 1,024 bytes, from each step of a curve to the next but one, in the mean."""
    by_size = {}
    for x, y in points:
        by_size.setdefault(x, []).append(y)
    curve = [(x, statistics.mean(y)) for x, y in sorted(by_size.items())]
    rises = [(b[0], (b[1] - a[1]) / (b[0] - a[0])) for a, b in zip(curve, curve[1:])]
    usual = statistics.median(rise for _, rise in rises)
    steps = [x for x, rise in rises if rise > 1.2 * usual]
    if len(steps) < 3:
        return None
    return statistics.mean(b - a for a, b in zip(steps, steps[2:])) * 1000 / 1024


@needs("remote")
def fig11(report, found, options):
    """Remote requests."""
    items = remote_items(found["remote"])
    send = of_items(items, "send", clean=True)
    receive = corrected(found["remote"]["served receive"])
    report.measured("004_fig11.send", far(send, 1.2))
    report.measured("004_fig11.receive", far(receive, 0.45))
    draw(report, "", "service of a remote request",
         {"send": of_items(items, "send"), "receive": list(zip(
             [x for x, _ in send], times(ms(found["remote"]["served receive"]))))})


@needs("remote")
def fig12(report, found, options):
    """Service of focus, rtr and msg."""
    items = remote_items(found["remote"])
    clean = {kind: of_items(items, kind, clean=True) for kind in ("focus", "rtr", "msg")}
    report.measured("004_fig12.focus_constant", spread(clean["focus"]))
    report.measured("004_fig12.linear", min(straightness(clean["rtr"]),
                                            straightness(clean["msg"])))
    report.measured("004_fig12.rtr_above_msg", min(
        a - b for a, b in zip(times(clean["rtr"]), times(clean["msg"]))))
    for kind in ("rtr", "msg"):
        slope, height = line_of(of_items(items, kind))
        report.measured(f"004_fig12.{kind}_1k", slope + height)
    draw(report, "", "service of a message", {kind: of_items(items, kind)
                                              for kind in ("rtr", "msg", "focus")})


def flights(items, kind, queued=True, flying=True):
    return [(one["bytes"] / 1000, (queued * one[kind][3] + flying * one[kind][4]) / 1e6)
            for one in items]


@needs("remote")
def fig13_14(report, found, options):
    """Flights."""
    items = remote_items(found["remote"])
    for kind in ("focus", "rtr"):
        report.measured(f"004_fig13_14.{kind}", statistics.mean(
            times(flights(items, f"{kind} flight"))))
    queued = flights(items, "msg flight", flying=False)
    pure = flights(items, "msg flight", queued=False)
    report.measured("004_fig13_14.spread", max(times(queued)) - min(times(queued)))
    report.measured("004_fig13_14.spread_most", max(times(queued)))
    report.measured("004_fig13_14.linear", straightness(pure))
    slope, height = line_of(pure)
    report.measured("004_fig13_14.pure_1k", slope + height)
    draw(report, "_fig13", "flights of messages", {kind: flights(items, f"{kind} flight")
                                                   for kind in ("msg", "rtr", "focus")})
    draw(report, "_fig14", "msg: waiting to leave, and flying",
         {"waiting": queued, "flying": pure})


def whole(items):
    """What a send delays both sides: (Kbytes, ms), of the sender and of the receiver."""
    begin = [one["send"][0] - one["send"][3] for one in items]
    return ([(one["bytes"] / 1000, (one["rtr"][0] - at) / 1e6) for one, at in zip(items, begin)],
            [(one["bytes"] / 1000, (one["msg"][0] - at) / 1e6) for one, at in zip(items, begin)])


@needs("remote")
def fig15(report, found, options):
    """The whole delay."""
    sender, receiver = whole(remote_items(found["remote"]))
    report.measured("004_fig15.sender_linear", straightness(sender))
    slope, height = line_of(receiver)
    off = [y - slope * x - height for x, y in receiver]
    report.measured("004_fig15.receiver_spread", max(off) - min(off))
    draw(report, "", "delay of a whole remote communication",
         {"receiver": receiver, "sender": sender})


def moves(found):
    """The parts of each move of a thread, in ms: packing, flight, unpacking."""
    pack, fly, unpack = (found[kind] for kind in ("packed thread", "flew thread",
                                                  "served thread"))
    return [(at, row[3] / 1e6, (flew[3] + flew[4]) / 1e6, served[3] / 1e6)
            for at, (row, flew, served) in enumerate(zip(pack, fly, unpack))]


@needs("migrate")
def fig16(report, found, options):
    """A thread that moves."""
    parts = moves(found["migrate"])
    for at, name in enumerate(("pack", "flight", "unpack"), 1):
        values = [row[at] for row in parts]
        report.measured(f"004_fig16.{name}", statistics.mean(values))
        report.measured(f"004_fig16.{name}_constant", max(values) - min(values))
    draw(report, "", "a thread's move, by its number",
         {name: [(row[0], row[at]) for row in parts]
          for at, name in enumerate(("pack", "flight", "unpack"), 1)})


def pages(found):
    """Each copy of a page: fault, flight of the request, flight of the page, in ms."""
    faults, requests, asked, came = (found[kind] for kind in (
        "served page_fault", "flew page_request", "served page_request", "served page"))
    rows = []
    for fault, request, service, page in zip(faults, requests, asked, came):
        begun = service[0] - service[3]
        rows.append((fault[3] / 1e6, (request[3] + request[4]) / 1e6, (page[0] - begun) / 1e6))
    return rows


@needs("migrate")
def fig17(report, found, options):
    """Pages that are copied."""
    rows = pages(found["migrate"])
    fault, request, page = zip(*rows)
    report.measured("004_fig17.fault", statistics.mean(fault))
    report.measured("004_fig17.page", statistics.mean(page))
    report.measured("004_fig17.most_variable", statistics.pstdev(page)
                    / max(statistics.pstdev(fault), statistics.pstdev(request)))
    draw(report, "", "copying a page, by its number", {
        name: list(enumerate(values)) for name, values in (
            ("flight of the page", page), ("flight of the request", request), ("fault", fault))})


def printed_line(text):
    """Slope and height of `1.95*n+1.025`, or of a constant."""
    slope, _, height = text.rpartition("*n+")
    return float(slope or 0), float(height)


@needs("local", "remote", "migrate")
def table6(report, found, options):
    """Lines through what was measured, and the figures' bounds."""
    printed = paper_table("004_table6_testbed_ms", "service")
    bounds = paper_table("004_fig24_27_bounds_ms", "service")
    local = ms(found["local"]["served local_copy"])
    sender, _ = whole(remote_items(found["remote"]))
    moved = [(0, sum(row[1:])) for row in moves(found["migrate"])]
    copied = [(0, sum(row)) for row in pages(found["migrate"])]
    for name, title, points in (("local", "local communication of n Kbytes", local),
                                ("remote", "remote communication of n Kbytes", sender),
                                ("migration", "thread migration", moved),
                                ("page", "remote page copy", copied)):
        theirs = printed_line(str(printed.loc[title, "average_ms"]))
        low, high = (float(bounds.loc[title, each]) for each in ("low", "high"))
        if theirs[0]:
            slope, height = line_of(points)
            report.measured(f"004_table6.{name}_slope", slope)
            report.measured(f"004_table6.{name}_height", height)
            said = f"{slope:.4g} n + {height:.4g}"
        else:
            mean = statistics.mean(times(points))
            report.measured(f"004_table6.{name}", mean)
            said = f"{mean:.4g}"
        share = between(points, theirs[0], low, high)
        report.measured(f"004_table6.{name}_bounds", share)
        report.say(f"{title}: {said} ms; the paper: {printed.loc[title, 'average_ms']}; "
                   f"{share:.1%} of {len(points)} between its lines")
        shown = points if theirs[0] else [(at, y) for at, (_, y) in enumerate(points)]
        draw(report, f"_{name}", title, {"measured": shown},
             [(theirs[0], low), (theirs[0], high)])


@needs("local", "remote", "migrate")
def table7(report, found, options):
    """Other systems as the paper has them, and what stands for the Testbed here."""
    printed = paper_table("004_table7_other_systems_ms", "system")
    for system, row in printed.iterrows():
        report.say(f"{system:<22}{row['service']:<34}{float(row['average_ms']):8.1f} ms")
    local = line_of(ms(found["local"]["served local_copy"]))
    remote = line_of(whole(remote_items(found["remote"]))[0])
    moved = statistics.mean(sum(row[1:]) for row in moves(found["migrate"]))
    ours = [("local communication (1 byte)", local[1] + local[0] / 1000),
            ("local communication (5K)", local[1] + 5 * local[0]),
            ("remote communication (1 byte)", remote[1] + remote[0] / 1000),
            ("remote communication (5K)", remote[1] + 5 * remote[0]),
            ("migrate thread", moved)]
    for service, value in ours:
        report.say(f"{'Testbed, simulated':<22}{service:<34}{value:8.1f} ms")
    report.csv_rows("", ("system", "service", "ms"), [
        *((system, row["service"], row["average_ms"]) for system, row in printed.iterrows()),
        *(("Testbed, simulated", *row) for row in ours)])

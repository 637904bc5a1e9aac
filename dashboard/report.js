// SPDX-License-Identifier: Apache-2.0
// report.js: the parts of the page, in their order.
// --- the head ---

byId("command").textContent = D.command;
document.title = "Terrane: " + D.command;
for (const [what, value] of D.facts) byId("facts").append(make("dt", what), make("dd", value || "not known"));
byId("facts").append(make("dt", "Shown"), make("dd", `${time(span)}, ${count(D.lanes.length)} processors`));
for (const words of [...D.problems.map(each => "The trace is damaged: " + each), ...D.notes,
  ...(D.dropped ? [`${count(D.dropped)} events were dropped since the rings were full. Record with --trace-full wait to keep all.`] : [])])
  byId("warnings").append(make("div", words, {class: "warning"}));

// --- per node ---

const nodes = Array.from({length: D.nodes}, () => ({seconds: D.shares.map(() => 0), lanes: []}));
for (const lane of D.lanes) {
  if (!nodes[lane.node]) continue;
  nodes[lane.node].lanes.push(lane);
  lane.seconds.forEach((s, i) => nodes[lane.node].seconds[i] += s);
}

{
  const section = part("split", "Where did the time of each node go?",
    "Each bar is all the time of a node's processors; 'other' is switching, and what is not in the trace.");
  const rows = rowHeight(D.nodes);
  const {tools} = figure(section, "split", "Stacked bars: the time of each node by what it did",
    () => rows * D.nodes + 8,
    (to, width) => stackedBars(to, width, rows, nodes.map(node => node.seconds), shareColours, seconds => total(seconds) || 1, true),
    () => [["node", ...D.shares.map(s => s + "_seconds")], ...nodes.map((node, n) => [n, ...node.seconds])]);
  keys(tools, D.shares.map(s => [s, s]));
}

// --- findings ---

{
  const section = part("findings", "What stands out?", "Rules that found something in the numbers of this run.");
  const list = make("ul");
  for (const [says, cure] of D.findings) {
    const item = make("li");
    item.append(make("b", says), document.createTextNode(" "), make("span", cure, {class: "cure"}));
    list.append(item);
  }
  section.append(D.findings.length ? list : make("p", "Nothing: no rule applies."));
}

// --- heat map ---

{
  const section = part("heat", "When was which node busy?",
    "A row for each node, time from left to right: the darker, the larger the chosen part of the time.");
  const chooser = make("select", undefined, {"aria-label": "What the heat map shows"});
  D.shares.slice(0, 4).forEach((s, i) => chooser.append(make("option", s, {value: i})));
  D.levels.forEach((each, i) => chooser.append(make("option", each.title, {value: 10 + i})));
  const mostOf = D.levels.map(each => Math.max(1e-9, ...each.rows.map(row => Math.max(0, ...row))));
  const rows = rowHeight(D.nodes), bins = D.lanes.length ? D.lanes[0].bins.length : 0;
  const shareAt = (node, bin, which) => {
    let sum = 0;
    for (const lane of node.lanes) sum += lane.bins.length ? lane.bins[bin][which] : 0;
    return node.lanes.length ? sum / node.lanes.length / 1000 : 0;
  };
  const {canvas, tools, redraw} = figure(section, "heat", "Heat map: nodes by time", () => rows * D.nodes + 24,
    (to, width) => {
      const which = Number(chooser.value || 0), w = (width - left) / bins, level = D.levels[which - 10];
      nodes.forEach((node, n) => {
        nodeLabel(to, n, rows);
        for (let bin = 0; bin < bins; ++bin) {
          const part = level ? level.rows[n][bin] / mostOf[which - 10] : shareAt(node, bin, which);
          if (part > 0) to.rect(left + bin * w, n * rows, w + 0.5, rows - (rows > 4 ? 1 : 0), colour(level ? "thread" : shareColours[which]), part);
        }
      });
      timeAxis(to, 0, span, left, width - left, rows * D.nodes);
    }, () => [["node", "from_ns", ...D.shares, ...D.levels.map(each => each.title)], ...nodes.flatMap((node, n) => Array.from({length: bins},
      (_, bin) => [n, D.begin + bin * D.bin, ...D.shares.map((_, i) => shareAt(node, bin, i)), ...D.levels.map(each => each.rows[n][bin])]))]);
  const about = make("div", "", {class: "about", "aria-live": "polite"});
  section.append(about);
  chooser.addEventListener("change", redraw);
  tools.prepend(chooser);
  canvas.addEventListener("mousemove", event => {
    const n = Math.floor(event.offsetY / rows);
    const bin = Math.floor((event.offsetX - left) / (canvas.clientWidth - left) * bins);
    if (!nodes[n] || bin < 0 || bin >= bins) return;
    about.textContent = `node ${n} at ${time(D.begin + bin * D.bin)}: ` +
      D.shares.map((s, i) => `${s} ${percent(shareAt(nodes[n], bin, i))}`).concat(
        D.levels.map(each => `${each.title} ${each.rows[n][bin]}`)).join(", ");
  });
  canvas.addEventListener("click", event => {
    const at = (event.offsetX - left) / (canvas.clientWidth - left) * span;
    if (at >= 0) timeline.show(at - span / 40, at + span / 40);
  });
}

// --- timeline ---

const timeline = makeTimeline();

// --- critical path ---

{
  const P = D.path, section = part("path", "Which chain of work took the whole time?",
    "The critical path: from the start of the root to its end, each moment in exactly one part.");
  if (P.why_not) {
    section.append(make("p", "There is none: " + P.why_not + "."));
  } else {
    const whole = total(P.ns), colours = ["run", "poll", "idle", "balance", "flow", "thread", "other", "line"];
    section.append(make("p", `Without any waiting for processors it would take ${time(P.span)} (the span); all work together is ${time(P.work)}: ` +
      `so ${(P.work / Math.max(1, P.span)).toFixed(1)} processors at most are of use.`));
    section.append(table(["what the path waited for or did", "time", "part"], P.parts.map((name, i) =>
      [name, time(P.ns[i]), whole ? percent(P.ns[i] / whole) : ""]).concat([["all", time(whole), ""]]), new Set([1, 2])));
    const {canvas, tools} = figure(section, "path", "The critical path over time, coloured by what it did", () => 60, (to, width) => {
      const x = t => left + Math.max(0, t) / span * (width - left);
      for (const [t, took, what] of P.steps) to.rect(x(t), 4, Math.max(0.5, x(t + took) - x(t)), 30, colour(colours[what]));
      timeAxis(to, 0, span, left, width - left, 36);
    }, () => [["from_ns", "ns", "part", "source", "name"], ...P.steps.map(([t, took, what, source, name]) => [D.begin + t, took, P.parts[what], source, nameOf(name)])]);
    canvas.addEventListener("click", event => {
      const at = (event.offsetX - left) / (canvas.clientWidth - left) * span;
      if (at >= 0) timeline.show(at - span / 40, at + span / 40);
    });
    keys(tools, P.parts.map((name, i) => [colours[i], name]));
    if (P.of > P.steps.length) section.append(make("p", `The longest ${count(P.steps.length)} of ${count(P.of)} steps are drawn; the sums are of all.`));
    section.append(table(["function on the path", "time"], [...P.functions].sort((a, b) => b[1] - a[1]).slice(0, 12).map(([name, ns]) => [name, time(ns)]), new Set([1])));
  }
}

// --- why idle ---

{
  const section = part("idle", "Why were processors idle?",
    "Each moment of idleness has one cause. A click on an interval shows it in the timeline; needs the classes time, token, fiber and balance.");
  if (D.dropped) section.append(make("p", "Events were dropped, so these causes may be wrong.", {class: "warning"}));
  const sum = total(D.idle.all);
  section.append(table(["cause", "seconds", "part"], D.idle.causes.map((cause, i) =>
    [cause, D.idle.all[i].toFixed(6), sum ? percent(D.idle.all[i] / sum) : ""]).concat([["all", sum.toFixed(6), ""]]), new Set([1, 2])));
  const colours = ["idle", "other", "balance", "poll", "line", "thread", "flow", "run"], rows = rowHeight(D.nodes);
  const {tools} = figure(section, "idle", "Stacked bars: the idle time of each node by cause", () => rows * D.nodes + 8,
    (to, width) => {
      const most = Math.max(1e-12, ...D.idle.nodes.map(total));
      stackedBars(to, width, rows, D.idle.nodes, colours, () => most, false);
    }, () => [["node", ...D.idle.causes], ...D.idle.nodes.map((each, n) => [n, ...each])]);
  keys(tools, D.idle.causes.map((c, i) => [colours[i], c]));
  const list = table(["from", "length", "node", "cause"], D.idle.longest.map(([a, b, node, cause]) =>
    [time(D.begin + a), time(b - a), node, D.idle.causes[cause]]));
  [...list.tBodies[0].rows].forEach((row, i) => {
    row.tabIndex = 0;
    const [a, b] = D.idle.longest[i], go = () => timeline.show(a - (b - a) / 2, b + (b - a) / 2);
    row.addEventListener("click", go);
    row.addEventListener("keydown", event => { if (event.key === "Enter") go(); });
  });
  const box = make("div", undefined, {class: "scroll"});
  box.append(make("h3", "The longest intervals"), list);
  section.append(box);
}

// --- decisions ---

{
  const section = part("decisions", "What did the balancers decide?",
    `Decisions, notes, tokens given and moves refused: ${count(D.decisions.length)} of ${count(D.decisions_of)} are listed.`);
  const tools = make("div", undefined, {class: "tools"}), box = make("div", undefined, {class: "scroll"});
  const words = make("input", undefined, {type: "search", placeholder: "filter words", "aria-label": "Filter decisions by words"});
  const node = make("input", undefined, {type: "number", min: "0", placeholder: "node", "aria-label": "Filter decisions by node"});
  const fill = () => {
    const match = words.value.toLowerCase();
    const rows = D.decisions.filter(([, n, kind, text]) => (node.value === "" || n === Number(node.value)) &&
      (kind + " " + text).toLowerCase().includes(match)).slice(0, 500);
    box.replaceChildren(table(["time", "node", "event", "what"], rows.map(([t, n, kind, text]) => [time(D.begin + t), n, kind, text])));
  };
  words.addEventListener("input", fill);
  node.addEventListener("input", fill);
  tools.append(words, node);
  section.append(tools, box);
  fill();
}

// --- histograms ---

{
  const section = part("histograms", "How long do things take?",
    "Counts by length; each bar is twice as long as the one before it.");
  const chooser = make("select", undefined, {"aria-label": "Which histogram"});
  D.histograms.forEach((each, i) => chooser.append(make("option", `${each.title} (${count(each.count)})`, {value: i})));
  const firstWith = D.histograms.findIndex((each, i) => i > 2 && each.count);
  const {tools, redraw} = figure(section, "histograms", "Histogram of lengths", () => 190, (to, width) => {
    const its = D.histograms[Number(chooser.value || 0)], most = Math.max(1, ...its.bins), w = (width - left) / Math.max(12, its.bins.length);
    its.bins.forEach((n, i) => {
      const h = n / most * 125;
      to.rect(left + i * w, 150 - h, w - 2, h, colour("run"));
      if (n && w > 36) to.text(left + i * w + w / 2, 143 - h, count(n), colour("quiet"), "center", w);
      if (i % 2 === 0) to.text(left + i * w, 160, time(i ? 2 ** (i - 1) : 0), colour("quiet"), "left", 2 * w);
    });
    to.text(left, 180, `${its.title}: ${count(its.count)}, median ${time(its.median)}, 99 % below ${time(its.p99)}, mean ${time(its.count ? its.sum / its.count : 0)}`, colour("text"));
  }, () => [["what", "from_ns", "count"], ...D.histograms.flatMap(each => each.bins.map((n, i) => [each.title, i ? 2 ** (i - 1) : 0, n]))]);
  if (firstWith >= 0) chooser.value = String(firstWith);
  chooser.addEventListener("change", redraw);
  tools.prepend(chooser);
}

// --- messages ---

{
  const section = part("messages", "Who sent how much to whom?",
    "Messages and tokens between nodes: a row for each sender, a column for each receiver.");
  const bins = D.traffic.length ? D.traffic[0][2].length : 1;
  const what = make("select", undefined, {"aria-label": "Messages or bytes"});
  what.append(make("option", "messages", {value: 2}), make("option", "bytes", {value: 3}));
  const slider = make("input", undefined, {type: "range", min: "-1", max: String(bins - 1), value: "-1", "aria-label": "Time: leftmost is the whole run"});
  const label = make("span", "whole run");
  const valueOf = pair => {
    const values = pair[Number(what.value)], at = Number(slider.value);
    return at < 0 ? total(values) : values[at];
  };
  const cell = () => Math.max(3, Math.min(28, Math.floor(420 / D.nodes)));
  const {canvas, tools, redraw} = figure(section, "messages", "Heat map: messages from node to node", () => cell() * D.nodes + 24, to => {
    const size = cell(), most = Math.max(1, ...D.traffic.map(valueOf));
    for (let n = 0; n < D.nodes; ++n)
      if (size >= 11 || n % 4 === 0) {
        to.text(left - 8, n * size + size / 2, "from " + n, colour("text"), "right");
        to.text(left + n * size + size / 2, D.nodes * size + 10, String(n), colour("text"), "center");
      }
    to.rect(left, 0, size * D.nodes, size * D.nodes, colour("panel"));
    for (const pair of D.traffic) {
      const value = valueOf(pair);
      if (value) to.rect(left + pair[1] * size, pair[0] * size, size - 1, size - 1, colour("thread"), 0.15 + 0.85 * value / most);
    }
  }, () => [["from", "to", "bin", "messages", "bytes"], ...D.traffic.flatMap(pair => pair[2].map((n, i) => [pair[0], pair[1], i, n, pair[3][i]]))]);
  const about = make("div", "", {class: "about", "aria-live": "polite"});
  section.append(about);
  canvas.addEventListener("mousemove", event => {
    const to = Math.floor((event.offsetX - left) / cell()), from = Math.floor(event.offsetY / cell());
    const pair = D.traffic.find(each => each[0] === from && each[1] === to);
    if (from < D.nodes && to >= 0 && to < D.nodes)
      about.textContent = `node ${from} to node ${to}: ${pair ? count(valueOf(pair)) : 0} ${what.selectedOptions[0].textContent}`;
  });
  slider.addEventListener("input", () => {
    const at = Number(slider.value);
    label.textContent = at < 0 ? "whole run" : `from ${time(D.begin + at * span / bins)}`;
    redraw();
  });
  what.addEventListener("change", redraw);
  tools.prepend(what, slider, label);
}

// --- migrations ---

{
  const section = part("moves", "What moved between nodes?",
    "A line from the sender's row at the time of leaving to the receiver's at the time of arrival: threads thick, tokens thin.");
  const rows = Math.max(10, rowHeight(D.nodes)), moved = [];
  for (let i = 0; i < D.flows.length; i += 7) if (D.flows[i] > 0) moved.push(D.flows.slice(i, i + 7));
  const node = p => Math.floor(p / D.processors);
  figure(section, "moves", "Lines between the rows of nodes", () => rows * D.nodes + 24, (to, width) => {
    const x = t => left + t / span * (width - left);
    nodes.forEach((_, n) => {
      to.line(left, n * rows + rows / 2, width, n * rows + rows / 2, colour("line"));
      nodeLabel(to, n, rows);
    });
    for (const [kind, from, at, t, took] of moved.slice(0, 4000))
      to.line(x(t), node(from) * rows + rows / 2, Math.max(x(t) + 3, x(t + took)), node(at) * rows + rows / 2, colour(kind === 2 ? "flow" : "thread"), kind === 2 ? 2 : 0.7);
    timeAxis(to, 0, span, left, width - left, rows * D.nodes);
  }, () => [["kind", "from_node", "to_node", "left_ns", "took_ns", "bytes", "name"],
    ...moved.map(([kind, from, at, t, took, bytes, name]) => [kind === 2 ? "thread" : "token", node(from), node(at), D.begin + t, took, bytes, nameOf(name)])]);
  if (!moved.length) section.append(make("p", "Nothing moved between nodes, or the classes token and move were not recorded."));
}

const redrawAll = () => figures.forEach(redraw => redraw());
window.addEventListener("resize", redrawAll);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
redrawAll();

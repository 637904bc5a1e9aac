// SPDX-License-Identifier: Apache-2.0
// The page of a report. All text that comes from a trace is set as text, never as markup.
"use strict";
(() => {
const D = JSON.parse(document.getElementById("data").textContent);
const span = D.end - D.begin;
const byId = id => document.getElementById(id);
const make = (tag, text, attributes) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const name in attributes || {}) made.setAttribute(name, attributes[name]);
  return made;
};
const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const time = ns => {
  const size = Math.abs(ns);
  if (size < 1e3) return ns.toFixed(0) + " ns";
  if (size < 1e6) return (ns / 1e3).toPrecision(4) + " \u00b5s";
  if (size < 1e9) return (ns / 1e6).toPrecision(4) + " ms";
  return (ns / 1e9).toPrecision(5) + " s";
};
const percent = part => (100 * part).toFixed(1) + " %";
const count = n => n.toLocaleString("en");
const nameOf = n => n < 0 ? "" : D.names[n];

// --- where figures are drawn: a canvas, or an SVG text with the same calls ---

class OnCanvas {
  constructor(canvas, width, height) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = height + "px";
    this.c = canvas.getContext("2d");
    this.c.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.c.fillStyle = colour("back");
    this.c.fillRect(0, 0, width, height);
    this.c.font = "12px system-ui, sans-serif";
    this.c.textBaseline = "middle";
  }
  rect(x, y, w, h, fill, alpha) {
    this.c.globalAlpha = alpha === undefined ? 1 : alpha;
    this.c.fillStyle = fill;
    this.c.fillRect(x, y, w, h);
    this.c.globalAlpha = 1;
  }
  line(x1, y1, x2, y2, stroke, width) {
    this.c.strokeStyle = stroke;
    this.c.lineWidth = width || 1;
    this.c.beginPath();
    this.c.moveTo(x1, y1);
    this.c.lineTo(x2, y2);
    this.c.stroke();
  }
  text(x, y, words, fill, align, most) {
    this.c.fillStyle = fill;
    this.c.textAlign = align || "left";
    let shown = words;
    if (most !== undefined) {
      const fits = Math.floor(most / 6.5);
      if (fits < 2) return;
      if (shown.length > fits) shown = shown.slice(0, fits - 1) + "\u2026";
    }
    this.c.fillText(shown, x, y);
  }
}
const escaped = words => words.replace(/[&<>"']/g, c => "&#" + c.charCodeAt(0) + ";");
class AsSvg {
  constructor(width, height) {
    this.parts = [`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="${colour("back")}"/>`];
  }
  rect(x, y, w, h, fill, alpha) {
    this.parts.push(`<rect x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${w.toFixed(2)}" ` +
      `height="${h.toFixed(2)}" fill="${fill}" fill-opacity="${alpha === undefined ? 1 : alpha.toFixed(3)}"/>`);
  }
  line(x1, y1, x2, y2, stroke, width) {
    this.parts.push(`<line x1="${x1.toFixed(2)}" y1="${y1.toFixed(2)}" x2="${x2.toFixed(2)}" ` +
      `y2="${y2.toFixed(2)}" stroke="${stroke}" stroke-width="${width || 1}"/>`);
  }
  text(x, y, words, fill, align, most) {
    if (most !== undefined && words.length * 6.5 > most) words = words.slice(0, Math.max(0, Math.floor(most / 6.5) - 1));
    const anchor = {left: "start", right: "end", center: "middle"}[align || "left"];
    this.parts.push(`<text x="${x.toFixed(2)}" y="${(y + 4).toFixed(2)}" fill="${fill}" ` +
      `text-anchor="${anchor}">${escaped(words)}</text>`);
  }
  finish() { return this.parts.join("\n") + "\n</svg>\n"; }
}
const save = (name, url) => {
  const link = make("a", "", {href: url, download: name});
  link.click();
};
const saveText = (name, type, text) => {
  const url = URL.createObjectURL(new Blob([text], {type}));
  save(name, url);
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

// --- parts: a heading, a line of words, a figure with its buttons ---

function part(id, title, words) {
  const section = make("section", undefined, {id, "aria-labelledby": id + "-title"});
  section.append(make("h2", title, {id: id + "-title"}), make("p", words));
  byId("parts").append(section);
  byId("contents").append(make("a", title, {href: "#" + id}));
  return section;
}
// height(): of the figure; draw(to, width, height); rows(): its numbers, for CSV and screen readers.
function figure(section, id, about, height, draw, rows) {
  const canvas = make("canvas", undefined, {role: "img", "aria-label": about, tabindex: "0", id: id + "-figure"});
  section.append(canvas);
  const redraw = () => {
    const width = canvas.parentElement.clientWidth;
    if (width > 0) draw(new OnCanvas(canvas, width, height()), width, height());
  };
  const tools = make("div", undefined, {class: "tools"});
  const button = (label, act) => {
    const made = make("button", label, {type: "button", "aria-label": label + " of this figure"});
    made.addEventListener("click", act);
    tools.append(made);
  };
  button("PNG", () => save(id + ".png", canvas.toDataURL("image/png")));
  button("SVG", () => {
    const to = new AsSvg(canvas.clientWidth, height());
    draw(to, canvas.clientWidth, height());
    saveText(id + ".svg", "image/svg+xml", to.finish());
  });
  button("CSV", () => saveText(id + ".csv", "text/csv", csv(rows())));
  section.append(tools);
  figures.push(redraw);
  return {canvas, tools, redraw};
}
const csv = rows => rows.map(row => row.map(cell =>
  typeof cell === "number" ? String(cell) : '"' + String(cell).replace(/"/g, '""') + '"').join(",")).join("\n") + "\n";
const figures = [];
function keys(tools, entries) {
  for (const [name, label] of entries) {
    const key = make("span", undefined, {class: "key"}), box = make("i");
    box.style.background = `var(--${name})`;
    key.append(box, make("span", label));
    tools.append(key);
  }
}
function table(heads, rows, numbers) {
  const made = make("table"), top = make("tr");
  for (const head of heads) top.append(make("th", head, {scope: "col"}));
  const head = make("thead"), body = make("tbody");
  head.append(top);
  for (const row of rows) {
    const line = make("tr");
    row.forEach((cell, i) => line.append(make("td", String(cell), numbers && numbers.has(i) ? {class: "n"} : {})));
    body.append(line);
  }
  made.append(head, body);
  return made;
}
const left = 92;
const shareColours = D.shares;
// A round step for about that many marks.
function stepFor(range, marks) {
  const raw = range / Math.max(1, marks), power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map(f => f * power).find(s => s >= raw) || raw;
}
function timeAxis(to, from, until, x0, width, y) {
  const step = stepFor(until - from, width / 110);
  for (let t = Math.ceil(from / step) * step; t <= until; t += step) {
    const x = x0 + (t - from) / (until - from) * width;
    to.line(x, y, x, y + 4, colour("quiet"));
    to.text(x, y + 12, time(D.begin + t), colour("quiet"), "center");
  }
}

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
const rowHeight = n => Math.max(3, Math.min(22, Math.floor(420 / Math.max(1, n))));

{
  const section = part("split", "Where did the time of each node go?",
    "Each bar is all the time of a node's processors; 'other' is switching, and what is not in the trace.");
  const rows = rowHeight(D.nodes);
  const {tools} = figure(section, "split", "Stacked bars: the time of each node by what it did",
    () => rows * D.nodes + 8, (to, width) => {
      nodes.forEach((node, n) => {
        const all = node.seconds.reduce((a, b) => a + b, 0) || 1;
        let x = left;
        if (rows >= 11 || n % Math.ceil(12 / rows) === 0)
          to.text(left - 8, n * rows + rows / 2, "node " + n, colour("text"), "right");
        node.seconds.forEach((s, i) => {
          const w = s / all * (width - left);
          to.rect(x, n * rows, w, rows - (rows > 4 ? 1 : 0), colour(shareColours[i]));
          if (rows >= 14 && w > 44) to.text(x + 4, n * rows + rows / 2, percent(s / all), colour("back"));
          x += w;
        });
      });
    }, () => [["node", ...D.shares.map(s => s + "_seconds")], ...nodes.map((node, n) => [n, ...node.seconds])]);
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
  const rows = rowHeight(D.nodes), bins = D.lanes.length ? D.lanes[0].bins.length : 0;
  const shareAt = (node, bin, which) => {
    let sum = 0;
    for (const lane of node.lanes) sum += lane.bins.length ? lane.bins[bin][which] : 0;
    return node.lanes.length ? sum / node.lanes.length / 1000 : 0;
  };
  const {canvas, tools, redraw} = figure(section, "heat", "Heat map: nodes by time", () => rows * D.nodes + 24,
    (to, width) => {
      const which = Number(chooser.value || 0), w = (width - left) / bins;
      nodes.forEach((node, n) => {
        if (rows >= 11 || n % Math.ceil(12 / rows) === 0)
          to.text(left - 8, n * rows + rows / 2, "node " + n, colour("text"), "right");
        for (let bin = 0; bin < bins; ++bin) {
          const part = shareAt(node, bin, which);
          if (part > 0) to.rect(left + bin * w, n * rows, w + 0.5, rows - (rows > 4 ? 1 : 0), colour(shareColours[which]), part);
        }
      });
      timeAxis(to, 0, span, left, width - left, rows * D.nodes);
    }, () => [["node", "from_ns", ...D.shares], ...nodes.flatMap((node, n) => Array.from({length: bins},
      (_, bin) => [n, D.begin + bin * D.bin, ...D.shares.map((_, i) => shareAt(node, bin, i))]))]);
  const about = make("div", "", {class: "about", "aria-live": "polite"});
  section.append(about);
  chooser.addEventListener("change", redraw);
  tools.prepend(chooser);
  canvas.addEventListener("mousemove", event => {
    const n = Math.floor(event.offsetY / rows);
    const bin = Math.floor((event.offsetX - left) / (canvas.clientWidth - left) * bins);
    if (!nodes[n] || bin < 0 || bin >= bins) return;
    about.textContent = `node ${n} at ${time(D.begin + bin * D.bin)}: ` +
      D.shares.map((s, i) => `${s} ${percent(shareAt(nodes[n], bin, i))}`).join(", ");
  });
  canvas.addEventListener("click", event => {
    const at = (event.offsetX - left) / (canvas.clientWidth - left) * span;
    if (at >= 0) timeline.show(at - span / 40, at + span / 40);
  });
}

// --- timeline ---

const timeline = (() => {
  const section = part("timeline", "What ran where, moment by moment?",
    "Drag or use the arrow keys to move, the wheel or + and - to zoom, 0 for all. Where single slices were left out, the parts of the time are shown.");
  const kinds = D.kinds, kindColour = ["run", "thread", "idle", "sleep", "poll", "balance"];
  const view = {from: 0, to: span, top: 0, found: -1};
  const laneHeight = 30, laneCount = D.lanes.length;
  const shownLanes = () => Math.min(laneCount, 14);
  const laneOf = new Map(D.lanes.map((lane, i) => [lane.p, i]));
  const search = make("input", undefined, {type: "search", placeholder: "search a name", "aria-label": "Search a name in the timeline"});
  const note = make("div", "", {class: "about"}), about = make("div", "", {class: "about", "aria-live": "polite"});
  // The first slice that may reach into the view. Slices lie in order of begin, five numbers each.
  function firstFrom(slices, from) {
    let low = 0, high = slices.length / 5;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (slices[5 * middle] < from) low = middle + 1; else high = middle;
    }
    return Math.max(0, low - 300);  // outer slices that began before
  }
  function draw(to, width) {
    const scale = (width - left) / (view.to - view.from), match = search.value.toLowerCase();
    const x = t => left + (t - view.from) * scale;
    const colours = kindColour.map(colour), shares = shareColours.map(colour), back = colour("back"), text = colour("text");
    for (let row = 0; row < shownLanes(); ++row) {
      const lane = D.lanes[view.top + row], y = row * laneHeight;
      to.text(left - 8, y + 12, (D.processors > 1 ? `node ${lane.node}, ` : "node ") + (D.processors > 1 ? lane.p : lane.node), text, "right", left - 8);
      const first = Math.max(0, Math.floor(view.from / D.bin)), last = Math.min(lane.bins.length - 1, Math.ceil(view.to / D.bin));
      if (lane.left_out || !lane.slices.length)
        for (let bin = first; bin <= last; ++bin) {
          const x0 = Math.max(left, x(bin * D.bin)), x1 = Math.min(width, x((bin + 1) * D.bin));
          let top = y + 26;
          lane.bins[bin].forEach((part, i) => {
            const h = 24 * part / 1000;
            if (h > 0 && x1 > x0) to.rect(x0, top - h, x1 - x0 + 0.3, h, shares[i], 0.55);
            top -= h;
          });
        }
      const slices = lane.slices;
      let until = -1;
      for (let i = 5 * firstFrom(slices, view.from); i < slices.length && slices[i] <= view.to; i += 5) {
        if (slices[i] + slices[i + 1] < view.from) continue;
        const x0 = Math.max(left, x(slices[i])), x1 = Math.min(width, x(slices[i] + slices[i + 1])), depth = slices[i + 3];
        const name = nameOf(slices[i + 4]), found = match && name.toLowerCase().includes(match);
        if (x1 - x0 < 0.4 && x0 < until && !found) continue;  // it would change no pixel
        if (depth === 0) until = x0 + 0.4;
        const inset = Math.min(depth, 3) * 4;
        to.rect(x0, y + 2 + inset, Math.max(0.5, x1 - x0), 24 - inset, found ? colour("flow") : colours[slices[i + 2]]);
        if (x1 - x0 > 40) to.text(x0 + 3, y + 14 + inset / 2, name || kinds[slices[i + 2]], back, "left", x1 - x0 - 6);
      }
      to.line(left, y + laneHeight - 1, width, y + laneHeight - 1, colour("line"));
    }
    let arrows = 0;
    for (let i = 0; i < D.flows.length && arrows < 400; i += 7) {
      const kind = D.flows[i], t0 = D.flows[i + 3], t1 = t0 + D.flows[i + 4];
      if (t1 < view.from || t0 > view.to) continue;
      const from = laneOf.get(D.flows[i + 1]) - view.top, toLane = laneOf.get(D.flows[i + 2]) - view.top;
      if (!(from >= 0 && from < shownLanes() && toLane >= 0 && toLane < shownLanes()) || from === toLane) continue;
      to.line(Math.max(left, x(t0)), from * laneHeight + 14, Math.min(width, x(t1)), toLane * laneHeight + 14, colour("flow"), kind === 0 ? 0.5 : 1.5);
      ++arrows;
    }
    timeAxis(to, view.from, view.to, left, width - left, shownLanes() * laneHeight);
    const hidden = D.lanes.slice(view.top, view.top + shownLanes()).reduce((sum, lane) => sum + lane.left_out, 0);
    const seconds = t => ((D.begin + t) / 1e9).toPrecision(9);
    note.textContent = (hidden ? `${count(hidden)} short slices of these processors are not shown singly. ` : "") +
      `Everything in this view: terrane trace show ${D.file} --from ${seconds(view.from)} --to ${seconds(view.to)}`;
  }
  const {canvas, tools, redraw} = figure(section, "timeline", "Timeline: a lane for each processor",
    () => shownLanes() * laneHeight + 24, draw, () => [["processor", "begin_ns", "length_ns", "kind", "depth", "name"],
      ...D.lanes.flatMap(lane => Array.from({length: lane.slices.length / 5}, (_, i) => [lane.p, D.begin + lane.slices[5 * i],
        lane.slices[5 * i + 1], kinds[lane.slices[5 * i + 2]], lane.slices[5 * i + 3], nameOf(lane.slices[5 * i + 4])]))]);
  keys(tools, kinds.map((k, i) => [kindColour[i], k]));
  tools.prepend(search);
  section.append(about, note);
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; redraw(); });
  };
  function show(from, to) {
    const width = Math.min(span, Math.max(20, to - from));
    view.from = Math.min(Math.max(0, from), span - width);
    view.to = view.from + width;
    soon();
  }
  const zoom = (factor, at) => {
    const width = (view.to - view.from) * factor, part = (at - view.from) / (view.to - view.from);
    show(at - width * part, at + width * (1 - part));
  };
  const scroll = lanes => {
    view.top = Math.min(Math.max(0, view.top + lanes), laneCount - shownLanes());
    soon();
  };
  const timeAt = x => view.from + (x - left) / (canvas.clientWidth - left) * (view.to - view.from);
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    if (event.shiftKey) return scroll(Math.sign(event.deltaY));
    zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.offsetX));
  }, {passive: false});
  let held = null;
  canvas.addEventListener("mousedown", event => { held = {x: event.offsetX, from: view.from, to: view.to}; });
  window.addEventListener("mouseup", () => { held = null; });
  canvas.addEventListener("mousemove", event => {
    if (held) {
      const by = (held.x - event.offsetX) / (canvas.clientWidth - left) * (held.to - held.from);
      return show(held.from + by, held.to + by);
    }
    const lane = D.lanes[view.top + Math.floor(event.offsetY / laneHeight)], at = timeAt(event.offsetX);
    if (!lane || at < 0) return;
    let best = -1;
    for (let i = 5 * firstFrom(lane.slices, at); i < lane.slices.length && lane.slices[i] <= at; i += 5)
      if (lane.slices[i] + lane.slices[i + 1] >= at) best = i;
    about.textContent = `processor ${lane.p} of node ${lane.node} at ${time(D.begin + at)}` + (best < 0 ? "" :
      `: ${kinds[lane.slices[best + 2]]} ${nameOf(lane.slices[best + 4])}, ${time(lane.slices[best + 1])} from ${time(D.begin + lane.slices[best])}`);
  });
  canvas.addEventListener("keydown", event => {
    const width = view.to - view.from, middle = (view.to + view.from) / 2;
    const act = {ArrowLeft: () => show(view.from - width / 5, view.to - width / 5), ArrowRight: () => show(view.from + width / 5, view.to + width / 5),
      ArrowUp: () => scroll(-1), ArrowDown: () => scroll(1), "+": () => zoom(0.5, middle), "=": () => zoom(0.5, middle),
      "-": () => zoom(2, middle), "0": () => show(0, span)}[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  search.addEventListener("input", soon);
  return {show: (from, to) => { show(from, to); section.scrollIntoView({block: "start"}); }, view, redraw};
})();

// --- why idle ---

{
  const section = part("idle", "Why were processors idle?",
    "Each moment of idleness has one cause. A click on an interval shows it in the timeline; needs the classes time, token, fiber and balance.");
  const sum = D.idle.all.reduce((a, b) => a + b, 0);
  section.append(table(["cause", "seconds", "part"], D.idle.causes.map((cause, i) =>
    [cause, D.idle.all[i].toFixed(6), sum ? percent(D.idle.all[i] / sum) : ""]).concat([["all", sum.toFixed(6), ""]]), new Set([1, 2])));
  const colours = ["idle", "balance", "poll", "thread", "flow"], rows = rowHeight(D.nodes);
  const {tools} = figure(section, "idle", "Stacked bars: the idle time of each node by cause", () => rows * D.nodes + 8,
    (to, width) => {
      const most = Math.max(1e-12, ...D.idle.nodes.map(each => each.reduce((a, b) => a + b, 0)));
      D.idle.nodes.forEach((causes, n) => {
        let x = left;
        if (rows >= 11 || n % Math.ceil(12 / rows) === 0)
          to.text(left - 8, n * rows + rows / 2, "node " + n, colour("text"), "right");
        causes.forEach((s, i) => {
          const w = s / most * (width - left);
          to.rect(x, n * rows, w, rows - (rows > 4 ? 1 : 0), colour(colours[i]));
          x += w;
        });
      });
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
    return at < 0 ? values.reduce((a, b) => a + b, 0) : values[at];
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
      if (rows >= 11 || n % 2 === 0) to.text(left - 8, n * rows + rows / 2, "node " + n, colour("text"), "right");
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
window.terraneReport = {data: D, timeline};  // for tests
})();

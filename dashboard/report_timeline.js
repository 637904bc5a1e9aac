// SPDX-License-Identifier: Apache-2.0
// report_timeline.js: the timeline: what ran where, moment by moment; it moves, zooms and searches.
function makeTimeline() {
  const section = part("timeline", "What ran where, moment by moment?",
    "Drag or use the arrow keys to move, the wheel or + and - to zoom, 0 for all. Where single slices were left out, the parts of the time are shown.");
  const kinds = D.kinds, kindColour = ["run", "thread", "idle", "sleep", "poll", "balance"];
  const view = {from: 0, to: span, top: 0};
  const laneHeight = 30, laneCount = D.lanes.length;
  const shownLanes = () => Math.min(laneCount, 14);
  const laneOf = new Map(D.lanes.map((lane, i) => [lane.p, i]));
  const search = make("input", undefined, {type: "search", placeholder: "search a name", "aria-label": "Search a name in the timeline"});
  const note = make("div", "", {class: "about"}), about = make("div", "", {class: "about", "aria-live": "polite"});
  const quoted = words => /^[\w./:+-]+$/.test(words) ? words : `'${words.replace(/'/g, "'\\''")}'`;
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
      `Everything in this view: terrane trace show ${quoted(D.file)} --from ${seconds(view.from)} --to ${seconds(view.to)}`;
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
  return {show: (from, to) => { show(from, to); section.scrollIntoView({block: "start"}); }};
}

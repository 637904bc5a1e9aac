// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/live_page.hpp"

namespace terrane {

const std::string_view live_page = R"page(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Terrane: live</title>
<link rel="icon" href="data:,">
<style>
:root{color-scheme:light dark;--run:#3a7;--balance:#c70;--poll:#57c;--idle:#999;--line:#8884}
body{font:15px system-ui,sans-serif;max-width:1200px;margin:1.5rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{padding:.15rem .6rem;text-align:right}
th:first-child,td:first-child{text-align:left}tr{border-bottom:1px solid var(--line)}
td.bar{width:45%;min-width:12rem}.part{display:inline-block;height:1rem;vertical-align:middle}
.key{margin-right:1rem}.key i{display:inline-block;width:.8rem;height:.8rem;margin-right:.3rem}
</style></head><body>
<h1 id="words">Terrane</h1><p id="state" aria-live="polite">no data yet</p>
<p id="keys"></p>
<table><thead><tr><th scope="col">node</th><th scope="col">where the time of the last second went
</th><th scope="col">busy</th><th scope="col">tokens/s</th><th scope="col">queued</th>
<th scope="col">loads</th></tr></thead><tbody id="nodes"></tbody></table>
<h2>How long things take</h2>
<table><thead><tr><th scope="col">what</th><th scope="col">timed</th><th scope="col">half below</th>
<th scope="col">all below</th></tr></thead><tbody id="lengths"></tbody></table>
<script>
"use strict";
const byId = id => document.getElementById(id), parts = ["run", "balance", "poll", "idle"];
const make = (name, text) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
};
const time = ns => ns < 1e3 ? `${ns.toFixed(0)} ns` : ns < 1e6 ? `${(ns / 1e3).toFixed(1)} µs`
  : ns < 1e9 ? `${(ns / 1e6).toFixed(1)} ms` : `${(ns / 1e9).toFixed(2)} s`;
for (const part of parts) {
  const key = make("span"), box = make("i");
  key.className = "key";
  box.style.background = `var(--${part})`;
  key.append(box, part);
  byId("keys").append(key);
}
let before = {seconds: 0, nodes: []};
function bar(now, then) {
  const cell = make("td"), spent = parts.map(p => Math.max(0, now[p] - (then ? then[p] : 0)));
  const whole = spent.reduce((a, b) => a + b, 0) || 1;
  cell.className = "bar";
  cell.style.textAlign = "left";
  parts.forEach((p, i) => {
    const part = make("span"), share = 100 * spent[i] / whole;
    part.className = "part";
    part.style.width = share + "%";
    part.style.background = `var(--${p})`;
    part.title = `${p} ${share.toFixed(1)} %`;
    cell.append(part);
  });
  cell.setAttribute("aria-label",
    parts.map((p, i) => `${p} ${(100 * spent[i] / whole).toFixed(0)} %`).join(", "));
  return cell;
}
function below(counts, share) {
  const whole = counts.reduce((a, b) => a + b, 0);
  let seen = 0;
  for (let i = 0; i < counts.length; ++i) if ((seen += counts[i]) >= share * whole) return 2 ** i;
  return 0;
}
function show(data) {
  byId("words").textContent = data.words || "Terrane";
  byId("state").textContent =
    `${data.seconds.toFixed(1)} s, world ${data.world}, ${data.nodes.length} nodes`;
  const elapsed = data.seconds - before.seconds || 1;
  byId("nodes").replaceChildren(...data.nodes.map(now => {
    const then = before.nodes.find(each => each.node === now.node), row = make("tr");
    const rate = (now.tokens - (then ? then.tokens : 0)) / elapsed;
    const loads = Object.entries(now.loads || {}).map(([k, v]) => `${k} ${v.toPrecision(3)}`);
    row.append(make("td", now.node), bar(now, then), make("td", `${now.busy}/${now.processors}`),
      make("td", Math.max(0, rate).toFixed(0)), make("td", now.queued),
      make("td", loads.join(", ")));
    return row;
  }));
  byId("lengths").replaceChildren(...data.lengths.map(each => {
    const row = make("tr");
    row.append(make("td", each.what), make("td", each.counts.reduce((a, b) => a + b, 0)),
      make("td", time(below(each.counts, 0.5))), make("td", time(2 ** (each.counts.length - 1))));
    return row;
  }));
  before = data;
}
async function look() {
  try {
    const answer = await fetch("data");
    const data = await answer.json();
    if (data.nodes.length) show(data);
    setTimeout(look, 1000);
  } catch {
    byId("state").textContent += ": the run has ended";
  }
}
look();
</script></body></html>
)page";

}  // namespace terrane

// SPDX-License-Identifier: Apache-2.0
// report_parts.js: the data of the run, how numbers are written, and what every part of the page is
// made of. All text that comes from a trace is set as text, never as markup.
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
const total = values => values.reduce((a, b) => a + b, 0);
const nameOf = n => n < 0 ? "" : D.names[n];

// --- files that a reader saves ---

const save = (name, url) => {
  const link = make("a", "", {href: url, download: name});
  link.click();
};
const saveText = (name, type, text) => {
  const url = URL.createObjectURL(new Blob([text], {type}));
  save(name, url);
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};
const csv = rows => rows.map(row => row.map(cell =>
  typeof cell === "number" ? String(cell) : '"' + String(cell).replace(/"/g, '""') + '"').join(",")).join("\n") + "\n";

// --- parts: a heading, a line of words, a figure with its buttons ---

function part(id, title, words) {
  const section = make("section", undefined, {id, "aria-labelledby": id + "-title"});
  section.append(make("h2", title, {id: id + "-title"}), make("p", words));
  byId("parts").append(section);
  byId("contents").append(make("a", title, {href: "#" + id}));
  return section;
}
const figures = [];
// height(): of the figure; draw(to, width, height); rows(): its numbers, for CSV.
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

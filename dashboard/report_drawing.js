// SPDX-License-Identifier: Apache-2.0
// report_drawing.js: where figures are drawn: a canvas, or an SVG text with the same calls; and what
// figures have in common.
// As much of the words as fits into `most` pixels.
const shortened = (words, most) => {
  const fits = most === undefined ? words.length : Math.floor(most / 6.5);
  if (words.length <= fits) return words;
  return fits < 2 ? "" : words.slice(0, fits - 1) + "\u2026";
};

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
    this.c.fillText(shortened(words, most), x, y);
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
    const anchor = {left: "start", right: "end", center: "middle"}[align || "left"];
    this.parts.push(`<text x="${x.toFixed(2)}" y="${(y + 4).toFixed(2)}" fill="${fill}" ` +
      `text-anchor="${anchor}">${escaped(shortened(words, most))}</text>`);
  }
  finish() { return this.parts.join("\n") + "\n</svg>\n"; }
}

// --- what figures have in common ---

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
const rowHeight = n => Math.max(3, Math.min(22, Math.floor(420 / Math.max(1, n))));
// Where rows are low, not each has a label.
function nodeLabel(to, n, rows) {
  if (rows >= 11 || n % Math.ceil(12 / rows) === 0)
    to.text(left - 8, n * rows + rows / 2, "node " + n, colour("text"), "right");
}
// A row for each node, with its values one after the other. wholeOf(values): what a full row stands for.
function stackedBars(to, width, rows, nodes, colours, wholeOf, withPercents) {
  nodes.forEach((values, n) => {
    const whole = wholeOf(values);
    let x = left;
    nodeLabel(to, n, rows);
    values.forEach((value, i) => {
      const w = value / whole * (width - left);
      to.rect(x, n * rows, w, rows - (rows > 4 ? 1 : 0), colour(colours[i]));
      if (withPercents && rows >= 14 && w > 44) to.text(x + 4, n * rows + rows / 2, percent(value / whole), colour("back"));
      x += w;
    });
  });
}

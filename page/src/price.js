// The value over the price of asking, with the break-even price; the slider below it has the same axis.
import { number } from "./decision.js";
import { html, svg } from "./scene.js";

const W = 400, H = 100;
let curve = null, max = 1, failed = null;

// A round number, this one or a little more.
function roundUp(x) {
  const unit = 10 ** Math.floor(Math.log10(x));
  return Number((unit * [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((k) => k * unit >= x * (1 - 1e-9))).toPrecision(2));
}

// Where the axis ends: beyond the break-even price, and beyond the model's own.
export function setCurve(next, own, problem = null) {
  curve = next;
  failed = problem;
  const [low, high] = next?.even ?? [null, null];
  const end = high !== null && high < (next.never ?? Infinity) && high < 3 * low ? 1.6 * high : low ? 3 * low : 0;
  max = Math.max(end, 2 * (own || 0));
  if (!Number.isFinite(max) || max <= 0) max = 2 * (own || 1);
  max = roundUp(max);
}
export function clear() {
  curve = null;
  for (const id of ["curve", "priceaxis", "valuehigh", "valuelow"]) document.getElementById(id).replaceChildren();
}
export const toPrice = (slider) => round((slider / 1000) * max || max / 1000);
export const toSlider = (price) => Math.round((1000 * price) / max);
const round = (x) => Number(x.toPrecision(3));

// `name`: of the inquiry whose price it is; null: asking for the state.  `fixed`: why it cannot be moved.
export function draw(price, name, fixed) {
  const box = document.getElementById("curve"), note = document.getElementById("pricenote");
  document.getElementById("priceaxis").replaceChildren(html("span", {}, "0"), html("span", {}, String(max)));
  box.setAttribute("viewBox", `0 0 ${W} ${H}`);
  const x = (p) => (W * p) / max;
  if (!curve) {
    box.replaceChildren(svg("line", { x1: x(price), x2: x(price), y1: 0, y2: H, class: "here" }));
    for (const id of ["valuehigh", "valuelow"]) document.getElementById(id).textContent = "";
    note.textContent = fixed ?? failed ?? "Computing the value at other prices …";
    return;
  }
  const points = curve.points.filter((p) => p.price <= max);
  if (curve.points.at(-1)?.price > max) points.push({ price: max, value: valueAt(max) });
  const values = points.flatMap((p) => p.value);
  const low = Math.min(...values), high = Math.max(...values), pad = 0.06 * (high - low || 1);
  const y = (v) => H - (H * (v - low + pad)) / (high - low + 2 * pad);
  // As the bounds above: what it is worth at least is drawn through, what it is worth at most is dashed.
  const upper = points.map((p) => `${x(p.price)},${y(p.value[1])}`), lower = points.map((p) => `${x(p.price)},${y(p.value[0])}`);
  const parts = [svg("polygon", { points: [...upper, ...[...lower].reverse()].join(" "), class: "band" }), svg("polyline", { points: upper.join(" "), class: "most" }), svg("polyline", { points: lower.join(" "), class: "least" })];
  const [from, to] = curve.even;
  if (from !== null && from <= max) {
    const end = Math.min(max, to ?? max);
    parts.push(svg("rect", { x: x(from), width: Math.max(0, x(end) - x(from)), y: 0, height: H, class: "even" }));
    if (x(end) - x(from) < 3) parts.push(svg("line", { x1: x(from), x2: x(from), y1: 0, y2: H, class: "evenline" }));
  }
  parts.push(svg("line", { x1: x(price), x2: x(price), y1: 0, y2: H, class: "here" }));
  box.replaceChildren(...parts);
  for (const [id, v] of [["valuehigh", high], ["valuelow", low]]) {
    const label = document.getElementById(id);
    label.textContent = number(v, high - low || 1);
    label.style.top = `${y(v).toFixed(1)}%`;
  }
  const known = to !== null && to < (curve.never ?? Infinity), narrow = known && to - from < 0.02 * max;
  const asking = name ? `asking ${name}` : "asking", pays = `A${asking.slice(1)} pays at the start up to a price`;
  const most = Math.max(0, valueAt(from)[1] - curve.off[0]); // what it may gain beyond
  const little = most <= 0.02 * (curve.free[0] - curve.off[1]);
  const even = narrow ? `Break-even price: ${number((from + to) / 2, max / 10)}. Below it ${asking} pays at the start, above it it does not.`
    : known && to <= max ? `${pays} between ${number(from, max / 10)} and ${number(to, max / 10)} (shaded), not above it.`
    : `${pays} of ${number(from, max / 10)} at least; beyond it (shaded) ${little ? "it gains little or nothing" : `the bounds do not tell: it gains at most ${number(most, most)}`}.`;
  note.textContent = `${even} Worth ${number(curve.free[0], 1)} if ${name ? "that" : "asking"} were free, ${narrowRange(curve.off)} without ${name ? "it" : "asking"}.`;
}

// Bounds at a price.
function valueAt(price) {
  const after = curve.points.find((p) => p.price >= price) ?? curve.points.at(-1), before = curve.points.findLast((p) => p.price <= price) ?? curve.points[0];
  const t = after.price > before.price ? (price - before.price) / (after.price - before.price) : 0;
  return before.value.map((v, i) => v + t * (after.value[i] - v));
}

function narrowRange([low, high]) {
  return high - low < 0.01 * (1 + Math.abs(high)) ? number((low + high) / 2, 1) : `${number(low, 1)} to ${number(high, 1)}`;
}

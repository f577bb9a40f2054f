// The value over the price of asking, with the break-even price; the slider below it has the same axis.
import { number } from "./decision.js";
import { svg } from "./scene.js";

const W = 400, H = 100;
let curve = null, max = 1;

// Where the axis ends: beyond the break-even price, and beyond the model's own.
export function setCurve(next, own) {
  curve = next;
  const [low, high] = next?.even ?? [null, null];
  const end = high !== null && high < (next.never ?? Infinity) && high < 3 * low ? 1.6 * high : low ? 3 * low : 0;
  max = Math.max(end, 2 * (own || 0));
  if (!Number.isFinite(max) || max <= 0) max = 2 * (own || 1);
}
export const toPrice = (slider) => round((slider / 1000) * max || max / 1000);
export const toSlider = (price) => Math.round((1000 * price) / max);
const round = (x) => Number(x.toPrecision(3));

export function draw(price) {
  const box = document.getElementById("curve"), note = document.getElementById("pricenote");
  box.setAttribute("viewBox", `0 0 ${W} ${H}`);
  const x = (p) => (W * p) / max;
  if (!curve) {
    box.replaceChildren(svg("line", { x1: x(price), x2: x(price), y1: 0, y2: H, class: "here" }));
    note.textContent = "Computing the value at other prices …";
    return;
  }
  const points = curve.points.filter((p) => p.price <= max);
  const next = curve.points.find((p) => p.price > max);
  if (next) {
    const before = points.at(-1), t = (max - before.price) / (next.price - before.price);
    points.push({ price: max, value: before.value.map((v, i) => v + t * (next.value[i] - v)) });
  }
  const values = points.flatMap((p) => p.value);
  const low = Math.min(...values), high = Math.max(...values), pad = 0.06 * (high - low || 1);
  const y = (v) => H - (H * (v - low + pad)) / (high - low + 2 * pad);
  const upper = points.map((p) => `${x(p.price)},${y(p.value[1])}`), lower = points.map((p) => `${x(p.price)},${y(p.value[0])}`);
  const parts = [svg("polygon", { points: [...upper, ...lower.reverse()].join(" "), class: "band" }), svg("polyline", { points: points.map((p) => `${x(p.price)},${y((p.value[0] + p.value[1]) / 2)}`).join(" "), class: "mid" })];
  const [from, to] = curve.even;
  if (from !== null && from <= max) {
    const end = Math.min(max, to ?? max);
    parts.push(svg("rect", { x: x(from), width: Math.max(0, x(end) - x(from)), y: 0, height: H, class: "even" }));
    if (x(end) - x(from) < 3) parts.push(svg("line", { x1: x(from), x2: x(from), y1: 0, y2: H, class: "evenline" }));
  }
  parts.push(svg("line", { x1: x(price), x2: x(price), y1: 0, y2: H, class: "here" }));
  box.replaceChildren(...parts);
  const narrow = to !== null && to - from < 0.02 * max;
  const bound = to === null || to >= (curve.never ?? Infinity) ? `at least ${number(from, max / 10)}` : narrow ? number((from + to) / 2, max / 10) : `between ${number(from, max / 10)} and ${number(to, max / 10)}`;
  note.textContent = `Break-even price: ${bound}. From there on asking gains nothing at the start. Worth ${number(curve.free[0], 1)} if asking were free, ${narrowRange(curve.off)} without asking.`;
}

function narrowRange([low, high]) {
  return high - low < 0.01 * (1 + Math.abs(high)) ? number((low + high) / 2, 1) : `${number(low, 1)} to ${number(high, 1)}`;
}

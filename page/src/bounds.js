// Bounds over expansions, while the search runs.
import uPlot from "uplot";

let plot, data = [[], [], []], box, least = 10; // the width at least, in expansions or steps
let marked = null; // the step of a recording that is shown
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Bounds that have met are a line in the middle, not noise on the whole height.
function pad(low, high) {
  const least = 0.02 * Math.max(1e-3, Math.abs(low), Math.abs(high)), wide = Math.max(high - low, least);
  const middle = (low + high) / 2;
  return [middle - 0.6 * wide, middle + 0.6 * wide];
}

function drawMark({ ctx, bbox, valToPos }) {
  if (marked === null) return;
  ctx.fillStyle = colour("--ink");
  ctx.fillRect(Math.round(valToPos(marked, "x", true)), bbox.top, 1.5 * devicePixelRatio, bbox.height);
}

function make() {
  plot?.destroy();
  const accent = colour("--accent"), soft = colour("--soft"), line = colour("--line");
  const axis = { stroke: soft, grid: { stroke: line, width: 0.5 }, ticks: { stroke: line, width: 0.5 }, font: "11px system-ui, sans-serif" };
  const r = colour("--heat");
  plot = new uPlot({
    width: Math.max(120, box.clientWidth), height: box.clientHeight,
    cursor: { show: false }, legend: { show: false },
    scales: { y: { range: (_u, low, high) => (low === null ? [0, 1] : pad(low, high)) }, x: { time: false, range: (_u, _min, max) => [0, Math.max(least, max || least)] } },
    axes: [{ ...axis, size: 30, label: undefined, incrs: [1, 2, 5].flatMap((k) => [0, 1, 2, 3, 4, 5, 6].map((n) => k * 10 ** n)).sort((a, b) => a - b) }, { ...axis, size: 54 }],
    series: [{}, { stroke: accent, width: 2, points: { show: false } }, { stroke: accent, width: 2, dash: [5, 3], points: { show: false } }],
    bands: [{ series: [2, 1], fill: `rgba(${r}, .16)` }],
    hooks: { draw: [drawMark] },
  }, data, box);
}

export function begin(element) {
  box = element;
  make();
  new ResizeObserver(() => plot.setSize({ width: Math.max(120, box.clientWidth), height: box.clientHeight })).observe(box);
}
export const repaint = make;
export function mark(step) {
  if (marked === step) return;
  marked = step;
  plot.redraw(false);
}
export function clear(width = 10) {
  marked = null;
  least = width;
  data = [[], [], []];
  plot.setData(data);
}
// Points [expansions, lower, upper]; long lines are thinned by half.
export function extend(points) {
  for (const [x, low, high] of points) {
    const last = data[0].length - 1;
    if (last >= 0 && x < data[0][last]) continue;
    const at = last >= 0 && x === data[0][last] ? last : last + 1; // the same place again: what is known now
    [data[0][at], data[1][at], data[2][at]] = [x, low, high];
  }
  if (data[0].length > 1500) data = data.map((column) => column.filter((_, i) => i % 2 === 0 || i === column.length - 1));
  // A search that is over at once is still a line.
  const last = data[0].length - 1;
  plot.setData(data[0][last] < least ? data.map((column, i) => [...column, i ? column[last] : least]) : data);
}
export const length = () => data[0].length;

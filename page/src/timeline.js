// The timeline: a tick per step, requests as marks, rewards as bars up and down.
import { svg } from "./scene.js";

const asked = (moment) => (moment.answers ?? []).map((a) => `${a.inquiry}: ${a.answer}, `).join("") || (moment.asked ? "asked, " : "");

// `asking`: the step under way has asked already.
export function drawTimeline(moments, at, asking, onPick) {
  const box = document.getElementById("timeline");
  const width = +box.dataset.width || 600, height = 40; // measured when it changes: asking here would force a layout
  const count = moments.length + 1, step = Math.max(3, Math.min(26, (width - 8) / Math.max(count, 12)));
  const first = Math.max(0, count - Math.floor((width - 8) / step));
  box.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const most = Math.max(1e-9, ...moments.map((m) => Math.abs(m.reward)));
  // Ticks on a line; gains stand on it, losses hang from it.
  const line = height - 17, parts = [svg("rect", { x: 4, y: line + 2, width: Math.max(0, width - 8), height: 1, class: "base" })];
  for (let i = first; i < count; i++) {
    const moment = moments[i], x = 4 + (i - first) * step;
    const group = svg("g", { "data-step": i });
    group.append(svg("rect", { x, y: 0, width: step, height, fill: "transparent" }));
    group.append(svg("rect", { x: x + 0.5, y: line, width: Math.max(2, step - 2), height: 5, rx: 2, class: `tick${i === at ? " at" : ""}` }));
    if (moment ? asked(moment) : asking) group.append(svg("text", { x: x + step / 2, y: 11, class: "ask" }, "?"));
    if (moment?.reward) {
      const tall = 2 + 9 * (Math.abs(moment.reward) / most);
      group.append(svg("rect", { x: x + 1, width: Math.max(2, step - 3), y: moment.reward > 0 ? line - 1 - tall : line + 6, height: tall, rx: 1, class: moment.reward > 0 ? "up" : "down" }));
    }
    group.append(svg("title", {}, moment ? `step ${i + 1}: ${asked(moment)}${moment.action}, reward ${moment.reward}` : "now"));
    group.addEventListener("click", () => onPick(i));
    parts.push(group);
  }
  box.replaceChildren(...parts);
}

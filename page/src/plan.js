// The plan as a graph.  It begins with the current belief and what follows the choice there; a click opens or
// closes a belief.  A belief to which several ways lead is drawn once: further ways are dashed lines.
import { hierarchy, tree } from "d3-hierarchy";
import { percent, svg } from "./scene.js";

const WIDE = 158, HIGH = 38, ACROSS = 282, DOWN = 50, MOST = 260;
let graph = null, opened = new Set(), model = null, key = null;

export function show(next, names, newKey) {
  graph = next;
  model = names;
  if (newKey !== key) opened = first();
  key = newKey;
  draw();
}

// What is open at first: from the current belief on, the most probable, as long as it stays small.
function first() {
  const open = new Set([0]);
  let shown = 1;
  for (let wave = [0], deep = 0; deep < 4 && wave.length; deep++) {
    const next = [];
    for (const id of wave) {
      const edges = graph.edges.filter((edge) => edge.from === id && (edge.plan || deep === 0));
      if (deep && shown + edges.length > 9) continue;
      open.add(id);
      shown += edges.length;
      next.push(...edges.sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0)).map((edge) => edge.to).filter((to) => !open.has(to)));
    }
    wave = next;
  }
  return open;
}

export function fromPolicy(policy) {
  const nodes = policy.nodes.map((node, id) => ({ id, ask: node.choice === null, action: node.choice, expanded: true, corner: false, state: null, support: 0, belief: [] }));
  const edges = policy.nodes.flatMap((node, from) => node.edges.map(([seen, to]) => ({ from, to, ask: node.choice === null, plan: true, action: node.choice, observation: node.choice === null ? null : seen, state: node.choice === null ? seen : null, probability: null })));
  return { nodes, edges, cut: policy.size > policy.nodes.length };
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function title(node) {
  if (node.ask) return "ask";
  if (node.action !== null) return model.actions[node.action];
  return node.upper - node.lower < 1e-3 * (1 + Math.abs(node.upper)) ? `worth ${node.upper.toPrecision(4)}` : "not searched yet";
}
function below(node) {
  if (node.state !== null) return `in ${model.states[node.state] ?? node.state}`;
  if (!node.belief.length) return "";
  const [s, p] = node.belief[0];
  return node.support > 1 ? `${percent(p)} ${model.states[s] ?? s} +${node.support - 1}` : `in ${model.states[s] ?? s}`;
}
function seen(edge) {
  const what = edge.ask ? model.states[edge.state] ?? edge.state : model.observations[edge.observation] ?? edge.observation;
  return { what: String(what), p: edge.probability === null ? "" : percent(edge.probability) };
}

function draw() {
  const box = document.getElementById("graph");
  if (!graph?.nodes.length) {
    box.replaceChildren();
    return;
  }
  const out = new Map();
  for (const edge of graph.edges) (out.get(edge.from) ?? out.set(edge.from, []).get(edge.from)).push(edge);
  for (const list of out.values()) list.sort((a, b) => Number(b.plan) - Number(a.plan) || (b.probability ?? 0) - (a.probability ?? 0));
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const placed = new Set(), cross = [];
  let hidden = 0;
  const grow = (id, edge, depth) => {
    placed.add(id);
    const item = { id, edge, children: [] };
    if (!opened.has(id) || depth > 30) return item;
    for (const next of out.get(id) ?? []) {
      if (placed.has(next.to)) cross.push(next);
      else if (placed.size >= MOST) hidden++;
      else item.children.push(grow(next.to, next, depth + 1));
    }
    return item;
  };
  const root = tree().nodeSize([DOWN, ACROSS])(hierarchy(grow(0, null, 0)));
  const all = root.descendants();
  const low = Math.min(...all.map((d) => d.x)), high = Math.max(...all.map((d) => d.x)), deep = Math.max(...all.map((d) => d.y));
  const width = deep + WIDE + 48, height = high - low + HIGH + 56;
  const picture = svg("svg", { width, height, viewBox: `-16 ${low - HIGH / 2 - 26} ${width} ${height}` });
  const where = new Map(all.map((d) => [d.data.id, d]));
  const line = (edge, a, b, crossing) => {
    const x1 = a.y + WIDE, x2 = b.y, mid = (x1 + x2) / 2;
    const path = crossing && x2 <= x1
      ? `M${x1} ${a.x} C${x1 + 60} ${a.x}, ${x1 + 60} ${b.x - HIGH}, ${b.y + WIDE / 2} ${b.x - HIGH / 2 - 1}`
      : `M${x1} ${a.x} C${mid} ${a.x}, ${mid} ${b.x}, ${x2} ${b.x}`;
    picture.append(svg("path", { d: path, class: `edge${crossing ? " cross" : ""}${edge.plan ? "" : " off"}`, "stroke-width": crossing ? 1.2 : 1 + 2.5 * (edge.probability ?? 0.2) }));
  };
  for (const d of all) if (d.parent) line(d.data.edge, d.parent, d, false);
  for (const edge of cross) if (where.has(edge.from) && where.has(edge.to)) line(edge, where.get(edge.from), where.get(edge.to), true);
  for (const d of all) {
    if (!d.parent) continue;
    const { what, p } = seen(d.data.edge);
    const off = d.data.edge.plan ? "" : `${d.data.edge.ask ? "ask" : model.actions[d.data.edge.action]}: `;
    picture.append(svg("text", { x: d.y - 6, y: d.x - 5, "text-anchor": "end", class: "elabel" }, cut(off + what, 15), " ", p));
  }
  for (const d of all) {
    const node = byId.get(d.data.id), more = (out.get(node.id) ?? []).length, open = opened.has(node.id) && more > 0;
    const g = svg("g", { class: `gnode${node.ask ? " asks" : ""}${node.corner ? " corner" : ""}${more ? "" : " leaf"}${open ? " open" : ""}`, transform: `translate(${d.y} ${d.x - HIGH / 2})`, tabindex: more ? 0 : -1, role: "button", "aria-expanded": String(open), "data-node": node.id },
      svg("title", {}, `${title(node)}; ${below(node)}${node.lower === undefined ? "" : `; worth ${node.lower.toFixed(4)} to ${node.upper.toFixed(4)}`}`),
      svg("rect", { width: WIDE, height: HIGH, rx: 9 }),
      svg("text", { x: 10, y: 16 }, cut(title(node), 17)), svg("text", { x: 10, y: 30, class: "sub" }, cut(below(node), 25)));
    if (more && !open) g.append(svg("text", { x: WIDE - 17, y: 17, class: "more" }, "+"));
    const toggle = () => {
      if (!more) return;
      if (open) opened.delete(node.id);
      else opened.add(node.id);
      draw();
      document.querySelector(`#graph [data-node="${node.id}"]`)?.focus({ preventScroll: true });
    };
    g.addEventListener("click", toggle);
    g.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      toggle();
    });
    picture.append(g);
  }
  const scroll = [box.scrollLeft, box.scrollTop];
  box.replaceChildren(picture);
  if (box.scrollHeight > box.clientHeight && scroll[0] + scroll[1] === 0) box.scrollTop = -low + HIGH / 2 + 26 - box.clientHeight / 2;
  else [box.scrollLeft, box.scrollTop] = scroll;
  const corners = graph.nodes.filter((node) => node.corner).length;
  document.getElementById("planaside").textContent = `${all.length} of ${graph.nodes.length}${graph.cut ? "+" : ""} beliefs shown${corners ? `, ${corners} known states` : ""}${hidden ? `, ${hidden} more do not fit` : ""}`;
}

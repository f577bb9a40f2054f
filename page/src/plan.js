// The plan as a graph, from the top down: the current belief and what follows the choice there.  What asking can
// tell, the known states, stands in one row for all who ask.  A belief is drawn once: further ways to it are dashed
// lines.  A click opens or closes a belief; where much follows, the most probable comes first, and a box for the rest.
import { hierarchy, tree } from "d3-hierarchy";
import { percent, svg } from "./scene.js";

const HIGH = 38, DOWN = 92, BAND = 38, MOST = 260, LINES = 24, FEW = 12;
let wide = 164, apart = 18; // of a box, and between two of them
let graph = null, opened = new Set(), model = null, key = null;
let room = new Map(); // of beliefs, how many that follow are drawn, where that is not FEW

export function show(next, names, newKey) {
  graph = withoutPasses(next);
  model = names;
  const same = newKey === key;
  measure();
  if (!same) [opened, room] = [first(), new Map()];
  key = newKey;
  draw(!same);
}

// In a model with inquiries the plan may go on without a question: such a belief and the one that follows are one.
function withoutPasses(all) {
  const on = new Map(all.edges.filter((edge) => edge.passes && edge.plan).map((edge) => [edge.from, edge.to]));
  const others = new Set(all.edges.filter((edge) => !edge.passes).map((edge) => edge.from)); // of which choices are drawn
  const final = (id) => (on.has(id) && !others.has(id) ? final(on.get(id)) : id);
  const root = final(0);
  const gone = new Set(all.nodes.map((node) => node.id).filter((id) => final(id) !== id));
  return { ...all, root, nodes: all.nodes.filter((node) => !gone.has(node.id)), edges: all.edges.filter((edge) => !gone.has(edge.from)).map((edge) => ({ ...edge, to: final(edge.to) })) };
}

function measure() {
  [wide, apart] = document.getElementById("graph").clientWidth < 420 ? [122, 10] : [164, 18];
}

// What is open at first: from the current belief on, the most probable, as long as it stays small.
function first() {
  const open = new Set([graph.root]);
  let shown = 1;
  for (let wave = [graph.root], deep = 0; deep < 4 && wave.length; deep++) {
    const next = [];
    for (const id of wave) {
      const edges = graph.edges.filter((edge) => edge.from === id && (edge.plan || deep === 0));
      if (deep && shown + edges.length > (wide < 150 ? 5 : 9)) continue;
      open.add(id);
      shown += edges.length;
      next.push(...edges.sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0)).map((edge) => edge.to).filter((to) => !open.has(to)));
    }
    wave = next;
  }
  return open;
}

export function fromPolicy(policy) {
  const edges = policy.nodes.flatMap((node, from) => node.edges.map(([seen, to]) => ({ from, to, ask: node.choice === null, plan: true, action: node.choice, observation: node.choice === null ? null : seen, state: node.choice === null ? seen : null, probability: null })));
  const told = new Map(); // nodes that asking leads to, and the states there
  for (const edge of edges) if (edge.ask) told.set(edge.to, [...(told.get(edge.to) ?? []), edge.state]);
  const nodes = policy.nodes.map((node, id) => ({ id, ask: node.choice === null, action: node.choice, expanded: true, corner: told.has(id), state: told.get(id)?.length === 1 ? told.get(id)[0] : null, support: told.get(id)?.length ?? 0, belief: [] }));
  return { nodes, edges, cut: policy.size > policy.nodes.length };
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function title(node) {
  if (node.ask) return "ask";
  if (node.does) return node.does;
  if (node.action !== null) return model.actions[node.action];
  return node.upper - node.lower < 1e-3 * (1 + Math.abs(node.upper)) ? `worth ${node.upper.toPrecision(4)}` : "not searched yet";
}
function below(node) {
  if (node.state !== null) return `in ${model.states[node.state] ?? node.state}`;
  if (!node.belief.length) return node.corner ? `in one of ${node.support} states` : "";
  const [s, p] = node.belief[0];
  return node.support > 1 ? `${percent(p)} ${model.states[s] ?? s} +${node.support - 1}` : `in ${model.states[s] ?? s}`;
}
function seen(edge) {
  const what = edge.ask ? "" : edge.sees ?? String(model.observations[edge.observation] ?? edge.observation);
  return `${edge.plan ? "" : `${edge.ask ? "ask" : edge.does ?? model.actions[edge.action]}: `}${what}${edge.probability === null ? "" : ` ${percent(edge.probability)}`}`.trim();
}

// Where everything stands: the tree of the current belief, then the row of known states with a tree below each.
function arrange(out, byId) {
  const placed = new Set(), told = [], cross = [], rest = [];
  let hidden = 0;
  const grow = (id, edge) => {
    placed.add(id);
    const item = { id, edge, children: [] };
    if (!opened.has(id)) return item;
    const most = room.get(id) ?? FEW, all = out.get(id) ?? [], asks = all.filter((next) => next.ask), others = all.filter((next) => !next.ask);
    for (const [list, limit, row] of [[asks, most, told], [others, 2 * most, item.children]]) {
      if (list.length <= limit + 1) continue;
      const left = list.splice(limit), one = [...list, ...left].every((next) => next.plan && next.probability !== null); // one choice, all of which is 1
      const sum = one ? Math.max(0, 1 - list.reduce((p, next) => p + next.probability, 0)) : null;
      const more = one && left.reduce((p, next) => p + next.probability, 0) < sum - 1e-6; // than the graph has
      rest.push([row, { id: `${id}/${row === told}`, edge: { from: id, ask: row === told, plan: left[0].plan, probability: sum }, rest: `${left.length}${more ? "+" : ""}`, children: [] }]);
    }
    for (const next of [...asks, ...others]) {
      if (placed.has(next.to)) cross.push(next);
      else if (placed.size >= MOST) hidden++;
      else if (next.ask && byId.has(next.to)) {
        placed.add(next.to);
        told.push(next);
      } else if (byId.has(next.to)) item.children.push(grow(next.to, next));
    }
    return item;
  };
  const lay = (item) => tree().nodeSize([wide + apart, DOWN])(hierarchy(item));
  const middle = (all) => (Math.min(...all.map((d) => d.x)) + Math.max(...all.map((d) => d.x))) / 2;
  const root = grow(graph.root, null), row = [];
  for (let i = 0; i < told.length; i++) row.push(grow(told[i].to, told[i]));
  for (const [list, item] of rest) (list === told ? row : list).push(item);
  const start = lay(root);
  const top = start.descendants(), deep = (start.height + 1) * DOWN + BAND;
  const known = row.length ? lay({ id: null, children: row }).descendants().filter((d) => d.data.id !== null) : [];
  for (const d of known) d.y += deep - DOWN;
  const shift = known.length ? middle(known) - middle(top) : 0;
  for (const d of top) d.x += shift;
  return { all: [...top, ...known], cross, hidden, band: known.length ? deep : null };
}

function lines(picture, { all, cross }) {
  const where = new Map(all.map((d) => [d.data.id, d]));
  const many = cross.length > LINES;
  const put = (edge, path, kind, width) => picture.append(svg("path", { d: path, class: `edge${kind}${edge.plan ? "" : " off"}`, "stroke-width": width, "data-from": edge.from }));
  for (const d of all) {
    const edge = d.data.edge, a = edge && where.get(edge.from);
    if (!a) continue;
    const y1 = a.y + HIGH, mid = (y1 + d.y) / 2;
    if (d.y > a.y) put(edge, `M${a.x} ${y1} C${a.x} ${mid}, ${d.x} ${mid}, ${d.x} ${d.y}`, edge.ask ? " told" : "", 1 + 2.5 * (edge.probability ?? 0.2));
    else cross.push(edge);
  }
  for (const edge of cross) {
    const a = where.get(edge.from), b = where.get(edge.to);
    if (!a || !b) continue;
    const kind = ` cross${edge.ask ? " told" : ""}${many ? " quiet" : ""}`;
    const side = a.x + wide / 2, height = a.y + HIGH / 2;
    if (a === b) put(edge, `M${side} ${height - 7} c22 -16, 22 30, 0 14`, kind, 1.2);
    else if (b.y > a.y) put(edge, `M${a.x} ${a.y + HIGH} C${a.x} ${(a.y + b.y) / 2}, ${b.x} ${(a.y + b.y) / 2}, ${b.x} ${b.y}`, kind, 1.2);
    else put(edge, `M${side} ${height} C${side + 40} ${height}, ${b.x + wide / 2 + 34} ${b.y + HIGH / 2 + 30}, ${b.x + wide / 2} ${b.y + HIGH / 2}`, kind, 1.2);
  }
}

function pressed(g, toggle) {
  g.addEventListener("click", toggle);
  g.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    toggle();
  });
  return g;
}

const letters = (text, one) => cut(text, Math.floor((wide - 20) / one)); // what a box has room for

// What else follows a belief: a click shows more of it.
function further(d, toggle) {
  const { id, rest, edge } = d.data;
  return pressed(svg("g", { class: "gnode further", transform: `translate(${d.x - wide / 2} ${d.y})`, tabindex: 0, role: "button", "data-node": id },
    svg("title", {}, "Click to see more of them"), svg("rect", { width: wide, height: HIGH, rx: 9 }),
    svg("text", { x: 10, y: 16 }, letters(`${rest} more`, 8)), svg("text", { x: 10, y: 30, class: "sub" }, edge.probability === null ? "less probable" : letters(`together ${percent(edge.probability)}`, 5.3))), toggle);
}

function belief(d, node, more, toggle) {
  const open = opened.has(node.id) && more > 0;
  const g = svg("g", { class: `gnode${node.ask || node.asks ? " asks" : ""}${node.corner ? " corner" : ""}${more ? "" : " leaf"}${open ? " open" : ""}`, transform: `translate(${d.x - wide / 2} ${d.y})`, tabindex: more ? 0 : -1, role: "button", "aria-expanded": String(open), "data-node": node.id },
    svg("title", {}, `${title(node)}; ${below(node)}${node.lower === undefined ? "" : `; worth ${node.lower.toFixed(4)} to ${node.upper.toFixed(4)}`}`),
    svg("rect", { width: wide, height: HIGH, rx: 9 }),
    svg("text", { x: 10, y: below(node) ? 16 : 23 }, letters(title(node), 8)), svg("text", { x: 10, y: 30, class: "sub" }, letters(below(node), 5.3)));
  if (more && !open) g.append(svg("text", { x: wide - 17, y: 17, class: "more" }, "+"));
  const light = (on) => document.querySelectorAll(`#graph [data-from="${node.id}"]`).forEach((path) => path.classList.toggle("lit-line", on));
  for (const [name, on] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) g.addEventListener(name, () => light(on));
  return pressed(g, toggle);
}

// Draws it again after a click on a box, which stays where it is.
function redraw(id, next) {
  const box = document.getElementById("graph"), find = (name) => box.querySelector(`[data-node="${name}"]`)?.getBoundingClientRect();
  const before = find(id);
  draw(false);
  const after = find(id) ?? find(next);
  if (before && after) [box.scrollLeft, box.scrollTop] = [box.scrollLeft + after.left - before.left, box.scrollTop + after.top - before.top];
  box.querySelector(`[data-node="${find(id) ? id : next}"]`)?.focus({ preventScroll: true });
}

function draw(fresh) {
  const box = document.getElementById("graph");
  if (!graph?.nodes.length) {
    box.replaceChildren();
    return;
  }
  const out = new Map();
  for (const edge of graph.edges) (out.get(edge.from) ?? out.set(edge.from, []).get(edge.from)).push(edge);
  for (const list of out.values()) list.sort((a, b) => Number(b.plan) - Number(a.plan) || (b.probability ?? 0) - (a.probability ?? 0));
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  measure();
  const set = arrange(out, byId), { all, band, hidden } = set;
  const left = Math.min(...all.map((d) => d.x)) - wide / 2 - 24, right = Math.max(...all.map((d) => d.x)) + wide / 2 + 48;
  const width = right - left, height = Math.max(...all.map((d) => d.y)) + HIGH + 32;
  const picture = svg("svg", { width, height, viewBox: `${left} -16 ${width} ${height}` });
  if (band !== null) picture.append(svg("rect", { x: left, width, y: band - BAND, height: HIGH + BAND + 10, class: "band" }), svg("text", { x: left + 10, y: band - BAND + 13, class: "bandlabel" }, "known states"));
  lines(picture, set);
  for (const d of all) if (d.data.edge && !d.data.rest) picture.append(svg("text", { x: d.x, y: d.y - 6, "text-anchor": "middle", class: "elabel" }, cut(seen(d.data.edge), wide > 150 ? 30 : 20)));
  for (const d of all) {
    if (d.data.rest) {
      const { from } = d.data.edge;
      picture.append(further(d, () => {
        room.set(from, 2 * (room.get(from) ?? FEW));
        redraw(d.data.id, from);
      }));
      continue;
    }
    const node = byId.get(d.data.id), more = (out.get(node.id) ?? []).length;
    picture.append(belief(d, node, more, () => {
      if (!more) return;
      if (opened.has(node.id)) opened.delete(node.id);
      else opened.add(node.id);
      redraw(node.id);
    }));
  }
  const scroll = [box.scrollLeft, box.scrollTop];
  box.replaceChildren(picture);
  if (fresh) [box.scrollLeft, box.scrollTop] = [(all[0].x - left) - box.clientWidth / 2, 0];
  else [box.scrollLeft, box.scrollTop] = scroll;
  const corners = graph.nodes.filter((node) => node.corner).length;
  document.getElementById("planaside").textContent = `${all.filter((d) => !d.data.rest).length} of ${graph.nodes.length}${graph.cut ? "+" : ""} ${graph.nodes[0].lower === undefined ? "nodes" : "beliefs"} shown${corners ? `, ${corners} known state${corners === 1 ? "" : "s"}` : ""}${hidden ? `, ${hidden} more do not fit` : ""}`;
}

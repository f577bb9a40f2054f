// Pictures of the world and of beliefs: SVG grids for models with a scene, lists for others.
const NS = "http://www.w3.org/2000/svg";
export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
export function html(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

// A grid by the names of states, such as r1c2 or cell1-level2: a layout for models that have no scene of their own.
// Rows and columns are what they are called, y is the row; else the longer way lies from left to right.
export function sceneByNames(names) {
  const form = /^([a-z]+)_?(\d+)[-_]?([a-z]+)_?(\d+)$/i;
  const parts = names.map((name) => form.exec(name)), [, first, , second] = parts.find(Boolean) ?? [];
  const found = parts.map((m) => (m && m[1] === first && m[3] === second ? [+m[2], +m[4]] : null));
  const inside = found.filter(Boolean);
  if (inside.length < 4 || inside.length < names.length / 2) return null;
  const least = [0, 1].map((i) => Math.min(...inside.map((m) => m[i])));
  const size = [0, 1].map((i) => Math.max(...inside.map((m) => m[i])) - least[i] + 1);
  if (size[0] * size[1] > 4000 || Math.min(...size) < 2) return null;
  const plain = /^r(ow)?$/i.test(first) || /^y$/i.test(second);
  const down = /^y$/i.test(second) || (!plain && size[0] > size[1]) ? 1 : 0; // which number is the row
  const height = size[down], width = size[1 - down];
  const cells = new Map();
  const background = new Array(height * width).fill("#");
  found.forEach((m, i) => {
    if (!m) return;
    const cell = (m[down] - least[down]) * width + (m[1 - down] - least[1 - down]);
    cells.set(names[i], cell);
    background[cell] = " ";
  });
  const places = names.filter((_, i) => !found[i]);
  places.forEach((name, i) => cells.set(name, height * width + i));
  const legend = plain ? "" : `${[first, second][1 - down]} from left to right, ${[first, second][down]} from top to bottom`;
  return { rows: height, columns: width, background: background.join(""), legend, marks: " ", layers: ["state"], places, cells };
}

// Layouts for models without a scene: how many states each can show.
const MOST = { row: 16, grid: 400, circle: 60 };
export const LAYOUTS = ["names", "list", ...Object.keys(MOST)];
export const fits = (layout, states) => layout === "list" || states <= MOST[layout];

// Each state has a spot of its own.
export function sceneByLayout(layout, names) {
  const count = names.length;
  if (!(count <= MOST[layout])) return null;
  const columns = layout === "row" ? count : Math.ceil(Math.sqrt(count));
  const radius = Math.max(0.9, (1.15 * count) / (2 * Math.PI));
  const spots = names.map((_, i) => {
    const turn = (2 * Math.PI * i) / count;
    return layout === "circle" ? [radius + radius * Math.sin(turn), radius - radius * Math.cos(turn)] : [i % columns, Math.floor(i / columns)];
  });
  const size = layout === "circle" ? [2 * radius + 1, 2 * radius + 1] : [columns, Math.ceil(count / columns)];
  return { spots, names, columns: size[0], rows: size[1], legend: "", round: layout === "circle" };
}

// A long name goes on in a second line, where a sign parts it near its middle.
function inLines(name) {
  const [at] = [...name.matchAll(/[-_.]/g)].map((m) => m.index + 1).sort((a, b) => Math.abs(a - name.length / 2) - Math.abs(b - name.length / 2));
  const lines = name.length > 6 && at && at < name.length ? [name.slice(0, at), name.slice(at)] : [name];
  return lines.map((line) => (line.length > 11 ? `${line.slice(0, 10)}…` : line));
}

// Spots with their names; `weights` shades them, `truth` is marked.
const WIDTH = 280, LEAST = 6.5; // of a picture, and of letters that can be read, in pixels
function drawSpots(scene, label, weights, truth) {
  const picture = svg("svg", { viewBox: `-.05 -.05 ${scene.columns + 0.1} ${scene.rows + 0.1}`, role: "img", "aria-label": label });
  scene.spots.forEach(([x, y], i) => {
    const name = scene.names[i], p = weights?.get(name) ?? 0, lines = inLines(name);
    const size = Math.min(0.17, (scene.round ? 1.4 : 1.5) / Math.max(...lines.map((line) => line.length))); // so that it stays inside
    if (weights && p > 0) lines.push(percent(p));
    const shape = (kind, more = {}) => svg("rect", { x: x + 0.03, y: y + 0.03, width: 0.94, height: 0.94, rx: scene.round ? 0.47 : 0.12, class: kind, ...more });
    const spot = svg("g", {}, svg("title", {}, weights ? `${name} ${percent(p)}` : name), shape("floor"));
    if (p > 0) spot.append(shape("heat", { opacity: shade(Math.min(1, p)) }));
    if (name === truth) spot.append(svg("rect", { x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88, rx: scene.round ? 0.44 : 0.1, class: "ring" }));
    if ((size * WIDTH) / scene.columns >= LEAST)
      lines.forEach((line, k) => spot.append(svg("text", { x: x + 0.5, y: y + 0.52 + 0.19 * (k - (lines.length - 1) / 2), class: `spot${p > 0.5 ? " onheat" : ""}`, style: `font-size: ${size}px` }, line)));
    picture.append(spot);
  });
  return html("figure", {}, picture);
}

// Layers of a moment; for a grid by names they are made of the list of states.
export function layersOf(scene, moment) {
  if (!scene.cells) return moment.belief.layers;
  const believed = new Map();
  let at = scene.rows * scene.columns + scene.places.length;
  for (const [name, p, truth] of moment.belief.largest) {
    const slot = scene.cells.get(name);
    believed.set(slot, (believed.get(slot) ?? 0) + p);
    if (truth) at = slot;
  }
  return [{ at, believed: [...believed] }];
}

function ground(scene, label) {
  const picture = svg("svg", { viewBox: `0 0 ${scene.columns} ${scene.rows}`, role: "img", "aria-label": label });
  const letters = svg("g", { class: "letters" });
  for (let i = 0; i < scene.rows * scene.columns; i++) {
    const x = i % scene.columns, y = Math.floor(i / scene.columns), c = scene.background[i];
    picture.append(svg("rect", { x, y, width: 1, height: 1, class: c === "#" ? "wall" : "floor" }));
    if (c !== "#" && c !== " " && c !== ".") letters.append(svg("text", { x: x + 0.5, y: y + 0.53, class: "letter" }, c));
  }
  picture.append(letters);
  return picture;
}

function names(scene) {
  return [...new Set(scene.layers)];
}

function disc(scene, slot, layer, radius = 0.36) {
  const x = (slot % scene.columns) + 0.5, y = Math.floor(slot / scene.columns) + 0.5;
  const kind = names(scene).indexOf(scene.layers[layer]) % 4;
  return svg("g", {}, svg("circle", { cx: x, cy: y, r: radius, class: `disc b${kind}` }),
    svg("text", { x, y: y + 0.03, class: "mark" }, scene.marks[layer]));
}

const placeName = (scene, slot) => scene.places[slot - scene.rows * scene.columns] ?? "nowhere";

export function drawWorld(box, scene, moment) {
  if (!scene) {
    box.replaceChildren(html("div", { class: "bigstate" }, moment.state));
    return "";
  }
  if (scene.spots) {
    box.replaceChildren(drawSpots(scene, `The true state: ${moment.state}`, null, moment.state));
    return moment.state;
  }
  const picture = ground(scene, `The true state: ${moment.state}`);
  const notes = [];
  const met = new Map();
  layersOf(scene, moment).forEach((layer, i) => {
    if (layer.at >= scene.rows * scene.columns) {
      if (names(scene).length === scene.layers.length) notes.push(`${scene.layers[i]}: ${placeName(scene, layer.at)}`);
      return;
    }
    const before = met.get(layer.at) ?? 0;
    met.set(layer.at, before + 1);
    const mark = disc(scene, layer.at, i, before ? 0.24 : 0.36);
    if (before) mark.setAttribute("transform", "translate(.24 -.24)");
    picture.append(mark);
  });
  box.replaceChildren(html("figure", {}, picture));
  return [notes.join(", "), scene.legend].filter(Boolean).join(" · ");
}

// The most probable states; where all have room, each keeps its place.
const LISTED = 10;
function listed(largest, states) {
  if (!states.length || states.length > LISTED) return largest.slice(0, LISTED);
  const place = new Map(states.map((name, i) => [name, i]));
  return [...largest].sort((a, b) => place.get(a[0]) - place.get(b[0]));
}

// Square roots make small probabilities visible; the scale below the pictures has the same.
export const shade = (p) => Math.sqrt(p);

export function drawBelief(box, scene, moment, states = []) {
  if (!scene) {
    const rows = listed(moment.belief.largest, states).map(([name, p, truth]) =>
      html("div", { class: truth ? "staterow truth" : "staterow" }, html("span", { title: name }, name),
        html("span", { class: "track" }, html("i", { style: `width:${100 * p}%` })), html("span", { class: "num" }, percent(p))));
    box.replaceChildren(html("div", { class: "stack", style: `--rows: ${Math.min(LISTED, states.length || LISTED)}` }, ...rows));
    return;
  }
  if (scene.spots) {
    box.replaceChildren(drawSpots(scene, "Belief", new Map(moment.belief.largest.map(([name, p]) => [name, p])), null));
    return;
  }
  const layers = layersOf(scene, moment), size = scene.rows * scene.columns;
  box.replaceChildren(...names(scene).map((name) => {
    const picture = ground(scene, `Belief about ${name}`), letters = picture.lastChild;
    const weight = new Map();
    const off = [];
    layers.forEach((layer, i) => {
      if (scene.layers[i] !== name) return;
      for (const [slot, p] of layer.believed) {
        if (slot < size) weight.set(slot, (weight.get(slot) ?? 0) + p);
        else if (scene.layers.filter((other) => other === name).length === 1 && (slot < size + scene.places.length || p > 1e-9)) off.push(`${placeName(scene, slot)} ${percent(p)}`);
      }
    });
    for (const [slot, p] of weight) {
      const x = slot % scene.columns, y = Math.floor(slot / scene.columns);
      letters.before(svg("rect", { x, y, width: 1, height: 1, class: "heat", opacity: shade(Math.min(1, p)) }, svg("title", {}, percent(p))));
      if (p > 0.9995) picture.append(disc(scene, slot, scene.layers.indexOf(name), 0.3));
    }
    const cut = scene.cells && moment.belief.states > moment.belief.largest.length ? [`the ${moment.belief.largest.length} most probable of ${moment.belief.states}`] : []; // of a grid by names
    const caption = [name, [...off.slice(0, 3), ...cut].join(", ")].filter(Boolean).join(": ");
    return html("figure", {}, html("figcaption", { title: caption }, caption), picture);
  }));
}

export function percent(p) {
  if (p >= 0.9995) return "100 %";
  if (p < 0.001) return "<0.1 %";
  return `${(100 * p).toFixed(p < 0.1 ? 1 : 0)} %`;
}

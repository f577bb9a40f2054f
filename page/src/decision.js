// The decision: one bar per choice, from what it is worth at least to what it is worth at most.  The rows keep
// their places during a step.  The axis keeps its ends while bounds close, until they fill a third of it or the search
// is over: then it is drawn for what is known.
import { html } from "./scene.js";

let axis = null; // { key, low, high, order, done }

export function number(value, width = 1) {
  if (value === null || !Number.isFinite(value)) return "–";
  const digits = width > 0 && width < Infinity ? Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(width)))) : 3;
  const text = value.toFixed(Math.min(digits, Math.abs(value) >= 1000 ? 1 : 4));
  return text === "-0" || /^-0\.0*$/.test(text) ? text.slice(1) : text;
}

// A value between two bounds; bounds that have met are one number.
export function interval(low, high) {
  const gap = high - low, size = Math.max(Math.abs(low), Math.abs(high));
  return gap <= 1e-6 * (1 + size) ? number((low + high) / 2, size / 10 || 1) : `${number(low, gap)} … ${number(high, gap)}`;
}

// What a choice is known by: its name, and "?" for asking for the state, which no name can be.
export const keyOf = (choice) => (choice.ask && choice.name === "ask" ? "?" : choice.name);
// Its number among the moves of the model.
export const codeOf = (key, moves) => (key === "?" ? "?" : moves.indexOf(key));

// How choices stand: certain, possible, excluded.  `certain`: what the module says of the one made; a recording has no such.
function judge(choices, made, certain) {
  const slack = (x) => 1e-9 * (1 + Math.abs(x));
  const best = Math.max(...choices.map((c) => c.lower ?? -Infinity));
  return choices.map((c) => {
    const isMade = c.taken || made === keyOf(c);
    const rivals = choices.filter((o) => o !== c).map((o) => o.upper ?? -Infinity);
    const sure = isMade && (certain ?? (c.lower ?? -Infinity) + slack(c.upper) >= Math.max(-Infinity, ...rivals));
    return { ...c, made: isMade, sure, out: !isMade && c.upper !== null && c.upper + slack(best) < best };
  });
}

// The ends of an axis.  A choice that is much worse than most would press all others into a corner: the axis ends
// before it, and its bar goes on beyond.
const APART = 6;
export function ends(choices) {
  const known = choices.filter((c) => Number.isFinite(c.lower) && Number.isFinite(c.upper));
  if (!known.length) return { low: Infinity, high: -Infinity };
  const high = Math.max(...known.map((c) => c.upper)), below = known.map((c) => high - c.lower).sort((a, b) => a - b);
  let last = Math.ceil((below.length - 1) / 2);
  while (last + 1 < below.length && below[last + 1] <= APART * Math.max(below[last], 1e-9 * (1 + Math.abs(high)))) last++;
  return { low: high - below[last], high };
}

// Which axis is shown now; `done`: the search for this decision is over.
function choose_axis(choices, moment, key, done) {
  const next = ends(choices), fresh = !axis || axis.key !== key;
  if (fresh || !Number.isFinite(axis.low) || (done && !axis.done) || next.high - next.low < (axis.high - axis.low) / 3)
    axis = { key, ...next, order: fresh ? moment.order ?? choices.map(keyOf) : axis.order, done };
  return fresh;
}

// The row of the choice that was made is inside the list, which may be longer than its box.
function reveal(box) {
  const row = box.querySelector(".best");
  if (!row || box.scrollHeight <= box.clientHeight) return;
  const top = row.offsetTop; // in the box
  if (top < box.scrollTop) box.scrollTop = top - 4;
  else if (top + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + row.offsetHeight - box.clientHeight + 4;
}

export function drawDecision(moment, key, made, onChoose, done) {
  const box = document.getElementById("choices");
  if (moment.planned === false && !moment.choices.length) { // nothing is known yet, and nothing moves
    for (const row of box.children) row.disabled = true;
    return;
  }
  let choices = judge(moment.choices, made, moment.certain);
  const over = done && !axis?.done;
  if (choose_axis(choices, moment, key, done)) {
    if (box.children.length !== axis.order.length) box.replaceChildren();
    box.parentElement.style.setProperty("--letters", Math.max(...axis.order.map((name) => name.length)));
  }
  // A choice that is not there at this moment, as asking is after it was asked, keeps its row.
  const gone = (key) => ({ name: key === "?" ? "ask" : key, ask: key === "?" || key.startsWith("ask "), lower: null, upper: null, gone: true });
  choices = axis.order.map((key) => choices.find((c) => keyOf(c) === key) ?? (moment.order ? gone(key) : null)).filter(Boolean);
  const wide = axis.high > axis.low ? axis.high - axis.low : 1;
  const at = (x) => Math.max(0, Math.min(1, ((x ?? axis.low) - axis.low) / wide));
  choices.forEach((c, i) => {
    let row = box.children[i];
    if (!row) {
      row = html("button", { class: "choice", type: "button" }, html("span", { class: "name" }), html("span", { class: "span" }, html("i")), html("span", { class: "num" }));
      box.append(row);
    }
    const look = `choice${c.ask ? " ask" : ""}${c.made ? " best" : ""}${c.sure ? " sure" : ""}${c.out ? " out" : ""}${c.gone ? " gone" : ""}`;
    if (row.className !== look) row.className = look;
    const may = onChoose && !c.gone;
    row.disabled = !may;
    row.onclick = may ? () => onChoose(c) : null;
    const label = c.name;
    const gap = (c.upper ?? 0) - (c.lower ?? 0);
    const range = c.lower === null ? "–" : gap < 1e-6 * (1 + Math.abs(c.upper)) ? number((c.lower + c.upper) / 2, wide / 10) : `${number(c.lower, gap)} … ${number(c.upper, gap)}`;
    const state = c.gone ? "not possible now" : c.sure ? "certain" : c.made ? "the choice" : c.out ? "excluded" : "possible";
    const place = c.lower === null ? "display:none" : `--from:${at(c.lower).toFixed(4)};--wide:${Math.max(0, at(c.upper) - at(c.lower)).toFixed(4)}`;
    const far = c.lower !== null && c.lower < axis.low - 1e-9 * wide;
    const key = `${label}/${state}/${range}/${place}/${far}/${may}`;
    if (row.dataset.key === key) return; // nothing of it has changed
    row.dataset.key = key;
    row.title = `${label}: ${state}${may ? "; click to choose it yourself" : ""}`;
    row.setAttribute("aria-label", `${label}: ${state}, worth ${range}`);
    row.children[0].textContent = label;
    row.children[1].firstChild.style.cssText = place;
    row.children[1].classList.toggle("far", far);
    row.children[2].textContent = range;
  });
  while (box.children.length > choices.length) box.lastChild.remove();
  if (over) reveal(box);
  if (axis.shown) return;
  axis.shown = true;
  document.getElementById("axis").replaceChildren(...[axis.low, axis.high].map((end) => html("span", {}, Number.isFinite(end) ? number(end, wide) : "")));
}

// What a choice costs compared with the best one, at least and at most.
export function regret(choices, chosen) {
  const others = choices.filter((c) => c !== chosen);
  if (!others.length || chosen.lower === null) return null;
  const low = Math.max(0, Math.max(...others.map((c) => c.lower ?? -Infinity)) - chosen.upper);
  const high = Math.max(0, Math.max(...others.map((c) => c.upper ?? -Infinity)) - chosen.lower);
  return [low, high];
}

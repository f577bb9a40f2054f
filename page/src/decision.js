// The decision: one bar per choice, from what it is worth at least to what it is worth at most.  The rows keep
// their places and the axis its ends during a step, so that nothing moves while bounds close.
import { html } from "./scene.js";

let axis = null; // { step, low, high, order }

export function number(value, width = 1) {
  if (value === null || !Number.isFinite(value)) return "–";
  const digits = width > 0 && width < Infinity ? Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(width)))) : 3;
  const text = value.toFixed(Math.min(digits, Math.abs(value) >= 1000 ? 1 : 4));
  return text === "-0" || /^-0\.0*$/.test(text) ? text.slice(1) : text;
}

// How choices stand: certain, possible, excluded.
export function judge(choices, made) {
  const slack = (x) => 1e-9 * (1 + Math.abs(x));
  const best = Math.max(...choices.map((c) => c.lower ?? -Infinity));
  return choices.map((c) => {
    const isMade = made !== null && (c.ask ? made === "?" : made === c.name);
    const rivals = choices.filter((o) => o !== c).map((o) => o.upper ?? -Infinity);
    const sure = isMade && (c.lower ?? -Infinity) + slack(c.upper) >= Math.max(-Infinity, ...rivals);
    return { ...c, made: isMade, sure, out: !isMade && c.upper !== null && c.upper + slack(best) < best };
  });
}

export function drawDecision(moment, key, made, onChoose) {
  const box = document.getElementById("choices");
  let choices = judge(moment.choices, made);
  const ends = choices.flatMap((c) => [c.lower, c.upper]).filter((x) => x !== null);
  if (!axis || axis.key !== key || (!Number.isFinite(axis.low) && ends.length)) {
    axis = { key, low: Math.min(...ends), high: Math.max(...ends), order: moment.order ?? choices.map((c) => c.name) };
    if (box.children.length !== axis.order.length) box.replaceChildren();
  }
  choices = axis.order.map((name) => choices.find((c) => c.name === name)).filter(Boolean);
  const wide = axis.high > axis.low ? axis.high - axis.low : 1;
  const at = (x) => 100 * Math.max(0, Math.min(1, ((x ?? axis.low) - axis.low) / wide));
  choices.forEach((c, i) => {
    let row = box.children[i];
    if (!row) {
      row = html("button", { class: "choice", role: "listitem", type: "button" }, html("span", { class: "name" }), html("span", { class: "span" }, html("i")), html("span", { class: "num" }));
      box.append(row);
    }
    row.className = `choice${c.ask ? " ask" : ""}${c.made ? " best" : ""}${c.sure ? " sure" : ""}${c.out ? " out" : ""}`;
    row.disabled = !onChoose;
    row.onclick = onChoose ? () => onChoose(c) : null;
    const label = c.name;
    const gap = (c.upper ?? 0) - (c.lower ?? 0);
    const range = c.lower === null ? "–" : gap < 1e-6 * (1 + Math.abs(c.upper)) ? number((c.lower + c.upper) / 2, wide / 10) : `${number(c.lower, gap)} … ${number(c.upper, gap)}`;
    const state = c.sure ? "certain" : c.made ? "the choice" : c.out ? "excluded" : "possible";
    row.title = onChoose ? `${state}; click to choose it yourself` : state;
    row.setAttribute("aria-label", `${label}: ${state}, worth ${range}`);
    row.children[0].textContent = label;
    row.children[1].firstChild.style.cssText = c.lower === null ? "display:none" : `left:${at(c.lower)}%;width:${Math.max(0, at(c.upper) - at(c.lower))}%`;
    row.children[2].textContent = range;
  });
  while (box.children.length > choices.length) box.lastChild.remove();
  document.getElementById("axis").replaceChildren(html("span", {}, number(axis.low, wide)), html("span", {}, number(axis.high, wide)));
}

// What a choice costs compared with the best one, at least and at most.
export function regret(choices, chosen) {
  const others = choices.filter((c) => c !== chosen);
  if (!others.length || chosen.lower === null) return null;
  const low = Math.max(0, Math.max(...others.map((c) => c.lower ?? -Infinity)) - chosen.upper);
  const high = Math.max(0, Math.max(...others.map((c) => c.upper ?? -Infinity)) - chosen.lower);
  return [low, high];
}

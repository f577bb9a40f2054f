// What stays over a reload, and what a link holds.
import { $, complain, page } from "./state.js";

export const state = () => ({ spec: page.source?.spec, file: page.source?.file, name: page.source?.name, cost: (page.inquiry === null && page.cost) || undefined, prices: page.prices.length ? page.prices : undefined, seed: page.seed, budget: page.budget, choices: page.choices, layout: page.layout, branches: page.branches.length > 1 ? page.branches.map((b, i) => (i === page.branch ? page.choices : b.choices)) : undefined, branch: page.branch || undefined });
// What the address or `glimpse view` says to show: after a reload, what was done since then counts.
const sum = (text) => [...text].reduce((h, c) => (Math.imul(h, 31) + c.codePointAt(0)) | 0, 0);
let data = null; // of the page, summed up
const origin = () => `${location.pathname}${location.hash}/${(data ??= sum($("glimpse-data").textContent))}`;

// For a reload, and for tomorrow.
export function remember() {
  if (!page.recording && !page.source) return;
  const kept = JSON.stringify({ ...(page.recording ? { record: page.recording.text, at: page.at } : { ...state(), inquiry: page.inquiry ?? undefined }), policy: page.policy?.text, hide: $("hide").checked || undefined, origin: origin() });
  try {
    for (const storage of [sessionStorage, localStorage]) storage.setItem("glimpse", kept);
  } catch (error) {
    if (error.name === "QuotaExceededError") complain("This is too large for the browser to keep: it is lost when the page is closed or loaded again. Share saves it as a file.");
    // a browser that keeps nothing still plays
  }
}

// What this window showed before it was loaded again, or else, but for a link or a page with data, what any did.
export function recall() {
  try {
    const here = JSON.parse(sessionStorage.getItem("glimpse"));
    if (here?.origin === origin()) return here;
    return location.hash.length > 2 || $("glimpse-data").textContent !== "null" ? null : here ?? JSON.parse(localStorage.getItem("glimpse"));
  } catch {
    return null; // nothing was kept
  }
}

// What was written in the editor and not used yet.
export function draft(text) {
  try {
    if (text === undefined) return localStorage.getItem("glimpse-draft");
    if (text === null) localStorage.removeItem("glimpse-draft");
    else localStorage.setItem("glimpse-draft", text);
  } catch {
    // likewise
  }
  return null;
}

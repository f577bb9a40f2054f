// What stays over a reload, and what a link holds.
import { complain, page } from "./state.js";

export const state = () => ({ spec: page.source?.spec, file: page.source?.file, name: page.source?.name, cost: (page.inquiry === null && page.cost) || undefined, prices: page.prices.length ? page.prices : undefined, seed: page.seed, budget: page.budget, choices: page.choices, layout: page.layout, branches: page.branches.length > 1 ? page.branches.map((b, i) => (i === page.branch ? page.choices : b.choices)) : undefined, branch: page.branch || undefined });
// For a reload, and for tomorrow.
export function remember() {
  if (!page.recording && !page.source) return;
  const kept = JSON.stringify(page.recording ? { record: page.recording.text, at: page.at } : { ...state(), policy: page.policy?.text });
  try {
    for (const storage of [sessionStorage, localStorage]) storage.setItem("glimpse", kept);
  } catch (error) {
    if (error.name === "QuotaExceededError") complain("This is too large for the browser to keep: it is lost when the page is closed or loaded again. Share saves it as a file.");
    // a browser that keeps nothing still plays
  }
}

export function recall() {
  try {
    return JSON.parse(sessionStorage.getItem("glimpse") ?? localStorage.getItem("glimpse"));
  } catch {
    return null; // nothing was kept
  }
}

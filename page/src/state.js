// What is open and what is shown of it, for all parts of the page.
export const $ = (id) => document.getElementById(id);
// A text that stays costs no layout.
export const say = (id, text) => $(id).textContent === text || ($(id).textContent = text);
export const BUDGETS = [10, 20, 50, 100, 200, 500, 1000, 2000, 3000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000];
export const DELAYS = [2200, 1200, 650, 250, 40];
export const EXAMPLES = __EXAMPLES__; // name -> .pomdp text

export const page = { model: null, scene: null, source: null, seed: 1, moments: [], choices: [], at: 0, now: null, done: false, running: false, recording: null, policy: null, inquiry: null, prices: [], wanted: false, budget: 3000, episode: 0, loading: 0, left: Infinity, search: 0, branches: [], layout: "list", met: new Set(), drawn: null, drawing: null, line: [] };
// What runs: the engine that plans, one that computes a curve of prices, and the pause between two steps.
export const work = { engine: null, pricer: null, timer: 0 };

export function complain(text) {
  $("banner").hidden = !text;
  $("banner").firstElementChild.textContent = text ?? "";
}
export const told = (answer) => {
  if (!answer?.status) return false;
  const first = (answer.findings ?? []).filter((f) => f.error).map((f) => (f.line ? `line ${f.line}: ${f.text}` : f.text));
  complain(first.length ? first.slice(0, 4).join("\n") : answer.status);
  return true;
};

export const isLive = () => !page.recording && page.at === page.moments.length;
export const shown = () => (isLive() ? page.now : page.moments[page.at]);
// What may be chosen: now, or at a step to which one has gone back, from where a new branch begins.
export const mayChoose = () => !page.busy && !page.recording && (isLive() ? page.now?.planned && !page.now.over : true);
export const stepKey = () => `${page.episode}/${page.recording ? "r" : ""}${page.at}/${page.now?.asked && isLive() ? `after${page.now.answers?.length ?? ""}` : "first"}/${page.inquiry}/${page.cost}`;

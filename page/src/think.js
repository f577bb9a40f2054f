// Thinking: what the search tells, the plan that it has found, and the curve of prices.
import * as bounds from "./bounds.js";
import { Engine } from "./engine.js";
import { step } from "./play.js";
import * as plan from "./plan.js";
import * as prices from "./price.js";
import { render, renderPrice } from "./show.js";
import { $, DELAYS, isLive, page, stepKey, work } from "./state.js";
import { remember } from "./store.js";

export function think() {
  page.done = false;
  page.line = [];
  bounds.clear();
  page.opening = true;
  work.engine.call("think", { budget: page.budget, search: ++page.search });
}

// What the search tells is shown once a frame.
let painting = 0;
function paint() {
  cancelAnimationFrame(painting);
  painting = 0;
  bounds.extend(page.line.splice(0));
  if (isLive()) render();
}
function soon() {
  if (!painting) painting = requestAnimationFrame(paint);
}

export function onNow({ search, now, line, done }) {
  if (search !== page.search) return; // of a search that was given up
  page.now = now;
  page.done = done;
  if (page.opening && now.offline_lower !== null) page.line.push([0, now.offline_lower, now.offline_upper]);
  page.opening = false;
  page.line.push(...line);
  if (!done) {
    soon();
    return;
  }
  paint();
  remember();
  if (page.wanted) {
    page.wanted = false;
    step();
  } else if (page.running) {
    clearTimeout(work.timer);
    work.timer = setTimeout(() => page.running && step(), DELAYS[$("speed").value]);
    if (DELAYS[$("speed").value] > 200) showPlan();
  } else showPlan();
}

export async function showPlan() {
  if (page.recording || page.policy || !page.model || !page.now?.planned) return;
  const key = stepKey();
  const mine = (page.drawing = {}); // a worker that is replaced does not answer, so the last call counts
  const graph = await work.engine.call("graph", { plan: !$("allchoices").checked });
  if (page.drawing === mine) page.drawing = null;
  if (graph.nodes && key === stepKey()) plan.show(graph, { actions: page.model.actions, observations: page.model.observations, states: page.model.state_names }, `${key}${$("allchoices").checked}`);
}

export async function computeCurve() {
  const model = page.model, inquiry = page.inquiry, own = page.cost || model.cost || 1;
  prices.setCurve(null, own);
  renderPrice();
  work.pricer?.stop();
  if (inquiry === null ? model.layered || !model.uniform : !model.inquiries[inquiry].uniform) return;
  work.pricer = new Engine();
  await work.pricer.start();
  const large = model.states > 400;
  for (const [expansions, points] of [[large ? 60 : 200, 8], [large ? 400 : 2000, 12]]) { // at once, then better
    const mine = work.pricer, curve = await mine.call("curve", { ...page.source, prices: page.prices, inquiry: inquiry ?? undefined, expansions, points });
    if (page.model !== model || mine !== work.pricer) return;
    if (curve.status) prices.setCurve(null, own, "The value at other prices could not be computed.");
    else prices.setCurve(curve, page.cost || model.cost);
    renderPrice();
    if (curve.status) break;
  }
  work.pricer.stop();
}

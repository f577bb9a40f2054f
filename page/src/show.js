// Showing what is open: world, belief, decision, the bar and the price.
import * as bounds from "./bounds.js";
import { drawDecision, interval, keyOf, number } from "./decision.js";
import { choose, switchTo } from "./play.js";
import * as prices from "./price.js";
import { drawBelief, drawWorld, html, LAYOUTS, percent, sceneByLayout } from "./scene.js";
import { $, isLive, mayChoose, page, say, shown, stepKey } from "./state.js";
import { remember } from "./store.js";
import { drawTimeline } from "./timeline.js";

// The rows of the choices: those that this model has had so far, each in its place.
function order(choices) {
  if (page.recording) return page.recording.order;
  for (const choice of choices) page.met.add(keyOf(choice));
  const moves = page.model?.moves;
  if (!moves || moves.length > 12) return undefined;
  const asks = (name) => name.startsWith("ask "); // a name of an action has no space
  return ["?", ...moves.filter(asks), ...moves.filter((name) => !asks(name))].filter((key) => page.met.has(key));
}

// The belief of a step does not change while the search runs.
function renderPictures(moment, live) {
  const key = `${stepKey()}/${page.layout}/${document.documentElement.dataset.theme}/${page.source?.name}`;
  if (page.drawn === key) return;
  page.drawn = key;
  const last = page.scene ? null : page.moments[page.at - 1];
  const world = drawWorld($("world"), page.scene, moment);
  $("worldnote").textContent = [$("hide").checked ? page.scene?.legend : world, last ? `Last: ${last.action}, then ${last.observation}; reward ${number(last.reward, 1)}.` : ""].filter(Boolean).join(" · ");
  drawBelief($("belief"), page.scene, moment, page.recording ? [] : page.model.state_names);
  for (const id of ["scale", "largest"]) $(id).hidden = !page.scene;
  $("entropy").textContent = `${number(moment.belief.entropy, 1)} bits, ${moment.belief.states} state${moment.belief.states === 1 ? "" : "s"}`;
  $("largest").replaceChildren(...(page.scene ? moment : { belief: { largest: [] } }).belief.largest.filter(([, p]) => p > 0).slice(0, 6).map(([name, p]) => html("li", {}, html("b", {}, percent(p)), ` ${name}`)));
}

// Likewise where the model has inquiries: questions before the action, or with it, or as the step.
function told_of_answers(moment, worth) {
  const before = moment.joint ? moment.answers.slice(0, -1) : moment.answers, last = moment.joint ? moment.answers.at(-1) : null;
  const asked = before.map((a, i) => `asked ${a.inquiry}${i ? "" : worth(moment.decision)} for ${a.price} and was told ${a.answer}`);
  if (moment.action) asked.push(`chose ${moment.action}${last ? ` with ${last.inquiry} for ${last.price}` : ""}${worth(before.length ? moment.after : moment.decision)} and saw ${moment.observation}${last ? `, ${last.inquiry}: ${last.answer}` : ""}`);
  return `Step ${moment.step + 1}: it ${asked.join(", then ")}; reward ${moment.reward}.`;
}

// What was decided at a step that is over.
function told_of(moment) {
  const worth = (d) => (d?.lower === null || d?.lower === undefined ? "" : ` (worth ${interval(d.lower, d.upper)})`);
  if (moment.answers) return told_of_answers(moment, worth);
  const asked = moment.asked ? `paid ${moment.cost} to be told the state, then ` : "";
  return `Step ${moment.step + 1}: it ${asked}chose ${moment.action}${worth(moment.choices.find((c) => !c.ask && c.name === moment.action) ?? (moment.asked ? moment.after : moment.decision))} and saw ${moment.observation}; reward ${moment.reward}.`;
}

export function render() {
  const moment = shown();
  if (!moment) return;
  const live = isLive();
  renderPictures(moment, live);
  if (page.recording) bounds.mark(page.at);
  const past = !page.recording && (!live || Boolean(moment.over)); // what the search has found is about another moment
  document.querySelector(".bounds").classList.toggle("elsewhere", past);
  document.querySelector(".plan").classList.toggle("elsewhere", past && !page.policy);
  const taken = moment.choices.find((c) => c.taken);
  const made = live ? moment.made : taken ? keyOf(taken) : moment.action || "?";
  drawDecision({ ...moment, order: order(moment.choices) }, stepKey(), made, mayChoose() ? choose : null, !live || page.done);
  const after = live ? moment.asked : false;
  say("verdict", moment.over && live ? "the episode is over" : !made ? "thinking" : `${after ? "told; now " : ""}${made === "?" ? "ask for the state" : made}${live ? `${moment.certain ? ", certain" : ", not certain yet"}${page.wanted ? "; steps when it has thought" : ""}` : moment.asked && moment.action ? ", after asking" : ""}`);
  say("why", live ? (moment.over ? "Nothing is left to decide. Start again, or go back and choose something else." : moment.why ?? "") : told_of(moment));
  say("asking", live ? (moment.over ? "" : moment.asking ?? "") : page.recording ? "" : "Choose something else here, and a new branch of the episode begins. The old one stays.");
  const decision = (moment.asked ? moment.after : moment.decision) ?? moment.decision;
  say("gap", decision.lower === null || (live && !moment.planned) ? "" : `${interval(decision.lower, decision.upper)}, ${decision.expansions.toLocaleString("en")} expansion${decision.expansions === 1 ? "" : "s"}${decision.stop === "solved" ? ", solved" : ""}`);
  renderBar();
}

let barred = null; // what the bar shows
export function renderBar() {
  const key = [page.episode, page.moments.length, page.at, page.running, page.busy, page.now?.over, page.now?.asked, page.seed, page.branch, page.branches.length, $("hide").checked, $("timeline").dataset.width].join();
  if (key === barred) return;
  barred = key;
  const count = page.recording ? page.moments.length - 1 : page.moments.length;
  drawTimeline(page.recording ? page.moments.slice(0, -1) : page.moments, page.at, page.recording ? page.moments.at(-1).asked : page.now?.asked, look);
  $("back").disabled = page.at === 0;
  const end = page.recording ? page.at >= count : isLive() && page.now?.over;
  $("next").disabled = end || page.busy;
  say("play", page.running ? "Pause" : "Run");
  $("play").disabled = end && !page.running;
  $("restart").disabled = !page.model && !page.recording;
  $("dice").disabled = Boolean(page.recording);
  say("seed", page.recording ? "–" : String(page.seed));
  const moment = page.recording ? page.moments[page.at] : page.moments.at(-1);
  const total = moment ? `step ${moment.step + 1}, return ${number(moment.return, 0.1)}, ${moment.requests} request${moment.requests === 1 ? "" : "s"}` : "step 0";
  const what = moment?.text?.replace(/^episode \d+ /, "");
  say("status", $("hide").checked ? what?.replace(/: in [^;]*;/, ":") ?? total : what ?? total);
  renderBranches();
}

// The branches of the episode; the one that is shown is the last of `order`.
function renderBranches() {
  const box = $("branches"), all = page.recording ? [] : page.branches;
  box.hidden = all.length < 2;
  const key = `${all.length}/${page.branch}`;
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren(...all.map((_, i) => html("button", { type: "button", "aria-pressed": String(i === page.branch), title: `Branch ${i + 1} of the episode`, onclick: () => switchTo(i) }, String(i + 1))));
}

export function renderPrice() {
  const inquiry = page.model?.inquiries[page.inquiry], uniform = inquiry ? inquiry.uniform : !page.model?.layered && page.model?.uniform;
  const limited = !inquiry && page.model?.layered && page.model.uniform;
  const may = page.model && uniform && !page.recording;
  $("price").disabled = !may;
  document.querySelector(".price").classList.toggle("without", Boolean(page.model) && !uniform);
  $("inquiry").hidden = page.recording || !(page.model?.inquiries.length > 1);
  $("priceout").textContent = page.recording ? "" : inquiry || page.model?.requests ? (uniform ? String(page.cost) : limited ? String(page.model.cost) : "depends on the state") : "off: this model has no requests";
  const fixed = may ? null : limited ? "The page does not move the price of a model with limits." : `The price of ${inquiry?.name ?? "asking"} depends on the state, so it is not one number that could be moved.`;
  if (!page.recording) prices.draw(page.cost || 0, inquiry?.name ?? null, fixed);
  if (may) $("price").value = prices.toSlider(page.cost || 0);
}

export function setLayout(layout) {
  page.layout = LAYOUTS.includes(layout) ? layout : "list";
  $("layout").value = page.layout;
  page.scene = page.model.scene ?? (page.layout === "names" ? page.named : sceneByLayout(page.layout, page.model.state_names));
}

export function look(at) {
  page.running = page.running && page.recording;
  page.at = Math.max(0, Math.min(at, page.recording ? page.moments.length - 1 : page.moments.length));
  render();
  if (page.recording) remember();
}

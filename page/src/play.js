// Playing: the planner's choices and the visitor's, back and forth, branches, another price.
import { codeOf, keyOf, number, regret } from "./decision.js";
import { look, render, renderBar, renderPrice } from "./show.js";
import { $, BUDGETS, DELAYS, isLive, page, shown, told, work } from "./state.js";
import { remember } from "./store.js";
import { showPlan, think } from "./think.js";

async function perform(choice) {
  if (page.busy || !page.now || page.now.over) return;
  page.busy = true;
  page.search++;
  try {
    const answer = await work.engine.call("choose", { choice, budget: page.done ? page.budget : 0 });
    if (told(answer)) return;
    page.choices.push(choice);
    if (answer.step !== undefined) page.moments.push({ ...answer, upto: page.choices.length }); // the step is over
    page.at = page.moments.length;
    page.now = await work.engine.call("now");
  } finally {
    page.busy = false;
  }
  remember();
  if (page.now.over) {
    page.running = false;
    page.done = true;
  }
  if (--page.left <= 0 || (page.tillAsked && page.now.asked)) {
    page.running = page.tillAsked = false;
    page.left = Infinity;
  }
  render();
  if (!page.now.over) think();
}

// ------------------------------------------------------------------ branches

export function keepBranch() {
  page.branches[page.branch] = { choices: page.choices, moments: page.moments };
}

// The world as it was before choice number `count`; what was found on the way is known already.
async function rewind(choices, moments) {
  page.busy = true;
  page.search++;
  page.done = false;
  clearTimeout(work.timer);
  const played = await work.engine.call("replay", { seed: page.seed, choices, budget: moments ? 0 : page.budget, last: page.budget, kept: moments?.at(-1)?.upto });
  page.busy = false;
  if (told(played)) return false;
  page.choices = [...choices];
  page.moments = moments ?? played.moments;
  page.at = page.moments.length;
  page.episode++;
  page.now = await work.engine.call("now");
  return true;
}

export async function switchTo(branch) {
  if (page.busy || branch === page.branch) return;
  page.running = page.wanted = false;
  keepBranch();
  const { choices, moments } = page.branches[branch];
  if (!(await rewind(choices, moments))) return;
  page.branch = branch;
  $("cost").textContent = "";
  afterMove();
}

// Goes back for good, into a new branch: to the last choice of the step that is shown, after what it has asked.
async function branchOff() {
  const { at } = page;
  keepBranch();
  if (!(await rewind(page.choices.slice(0, page.moments[at].upto - 1), page.moments.slice(0, at)))) return false;
  page.branches.push({});
  page.branch = page.branches.length - 1;
  keepBranch();
  return true;
}

function afterMove() {
  if (page.now.over) {
    page.done = true;
    remember();
  }
  render();
  if (!page.now.over) think();
}

// The planner's own choice, once the search for it is done.
export function step() {
  if (page.recording) return look(page.at + 1);
  if (!isLive()) return look(page.at + 1);
  if (page.now?.over) return;
  if (!page.done && !(page.wanted && page.now?.made)) { // pressed again, it takes what is best by now
    page.wanted = true;
    render();
    return;
  }
  page.wanted = false;
  $("cost").textContent = "";
  perform(codeOf(page.now.made, page.model.moves));
}

// The visitor's.
export async function choose(choice) {
  const moment = shown(), live = isLive();
  const key = keyOf(choice), rest = moment.choices.find((c) => keyOf(c) === key);
  const lost = regret(moment.choices, rest);
  const planners = live ? page.now.made === key : rest.taken;
  const gap = lost ? lost[1] - lost[0] : 1;
  const verdict = !lost || planners ? (live ? "That is what the planner would do." : "That is what was chosen before.") : lost[1] < 1e-9 ? "It costs nothing." : lost[1] - lost[0] < 1e-6 ? `Compared with the best choice it costs ${number(lost[0], lost[0] || 1)}.` : `Compared with the best choice it costs ${lost[0] > 0 ? `between ${number(lost[0], gap)} and` : "at most"} ${number(lost[1], gap)}.`;
  page.running = false;
  if (!live && planners) return look(page.at + 1);
  if (!live && !(await branchOff())) return;
  $("cost").textContent = `You chose ${choice.ask ? `to ${choice.name}` : choice.name}. ${verdict}`;
  perform(codeOf(key, page.model.moves));
}

export function run() {
  if (page.recording) {
    page.running = true;
    const advance = () => {
      if (!page.running || !page.recording) return;
      if (page.at >= page.moments.length - 1) page.running = false;
      else look(page.at + 1);
      renderBar();
      if (page.running) work.timer = setTimeout(advance, DELAYS[$("speed").value]);
    };
    advance();
    return;
  }
  if (page.now?.over) return;
  page.at = page.moments.length;
  page.running = true;
  render();
  if (page.done) step();
}

export function pause() {
  page.running = page.wanted = page.tillAsked = false;
  page.left = Infinity;
  clearTimeout(work.timer);
  renderBar();
  showPlan();
}

export async function restart(seed = page.seed) {
  if (page.recording) return look(0);
  page.running = page.wanted = false;
  clearTimeout(work.timer);
  page.seed = seed;
  page.search++;
  if (told(await work.engine.call("begin", { seed }))) return;
  Object.assign(page, { moments: [], choices: [], at: 0, branches: [{}], branch: 0 });
  keepBranch();
  page.episode++;
  $("cost").textContent = "";
  page.now = await work.engine.call("now");
  render();
  think();
}

// --------------------------------------------------------------------- price

let pricing = false, nextPrice = null;
export async function setPrice(cost) {
  if (page.recording || !page.model) return;
  page.cost = cost;
  if (page.inquiry !== null) page.prices = [...page.prices.filter(([i]) => i !== page.inquiry), [page.inquiry, cost]];
  renderPrice();
  nextPrice = cost;
  if (pricing) return; // the last one counts
  pricing = true;
  page.search++;
  page.done = false;
  while (nextPrice !== null) {
    const wanted = nextPrice;
    nextPrice = null;
    if (told(await work.engine.call("price", { cost: wanted, inquiry: page.inquiry ?? undefined }))) break;
    if (page.inquiry === null) page.model.requests = true;
    else page.model.inquiries[page.inquiry].price = wanted;
  }
  pricing = false;
  page.at = page.moments.length;
  page.now = await work.engine.call("now");
  render();
  think();
}

// Whose price the slider has; null: that of asking for the state.
export function setInquiry(inquiry) {
  page.inquiry = inquiry;
  $("inquiry").value = inquiry ?? "";
  page.cost = inquiry === null ? (page.model.requests ? page.model.cost : 0) : page.model.inquiries[inquiry].price;
}

export function setBudget(budget) {
  page.budget = budget;
  $("budget").value = Math.max(0, BUDGETS.findLastIndex((b) => b <= budget));
  $("budgetout").textContent = `${budget.toLocaleString("en")} expansions`;
}

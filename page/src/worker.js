// The worker: drives the module.  A search goes in slices of about 12 ms, so that messages are heard between
// them; what is known is told about 30 times a second.
import { isFinal, load } from "./module.js";

const SLICE = 12; // ms
const TELL = 33; // ms between two reports

let module;
let layered = false; // the model has inquiries or limits
let drawn = null; // its graphs before the choice was settled, of the plan and of all choices
let thinking = null; // the search under way: { budget, search (its number), size, told, line }
const channel = new MessageChannel();
channel.port1.onmessage = () => think();

function report(done) {
  postMessage({ type: "now", search: thinking.search, now: module.now(), line: thinking.line.splice(0), done });
  thinking.told = performance.now();
}

function think() {
  if (!thinking) return;
  const begin = performance.now();
  let final = false;
  while (!final && performance.now() - begin < SLICE) {
    const left = thinking.budget - module.bounds()[0];
    const from = performance.now();
    const size = Math.max(1, Math.min(thinking.size, left));
    final = isFinal(module.plan(size)) || left <= size;
    const took = performance.now() - from;
    if (took < SLICE / 4) thinking.size = Math.min(thinking.size * 2, 4096);
    else if (took > SLICE) thinking.size = Math.max(1, Math.floor(thinking.size / 2));
    thinking.line.push(module.bounds());
  }
  if (final) {
    settle(thinking.budget);
    report(true);
    thinking = null;
  } else {
    if (performance.now() - thinking.told > TELL) report(false);
    channel.port2.postMessage(0);
  }
}

// With inquiries the program goes on from a search to the action; graphs are drawn of where the search stood.
const LOOK = [10, 0.003];
function settle(budget) {
  drawn = null;
  if (!layered || budget <= 0) return;
  const graphs = [false, true].map((plan) => module.graph(...LOOK, plan));
  module.settle(Math.max(0, budget - module.bounds()[0]));
  drawn = graphs;
}

function start(budget, search) {
  const idle = !thinking;
  drawn = null;
  thinking = { budget, search, size: 8, told: 0, line: [] };
  if (idle) channel.port2.postMessage(0);
}

// Plans to the end at once: for episodes that are played again.
function planNow(budget) {
  while (module.bounds()[0] < budget && !isFinal(module.plan(budget - module.bounds()[0])));
  settle(budget);
}

const calls = {
  environments: () => module.environments(),
  open(what) {
    thinking = null;
    const model = module.open(what);
    if (model.status) return model;
    layered = model.layered;
    drawn = null;
    const ready = module.prepare();
    if (ready.status) return ready;
    module.begin(what.seed ?? 1);
    return { ...model, subject: module.subject() };
  },
  begin({ seed }) {
    thinking = null;
    return module.begin(seed);
  },
  price({ cost, inquiry }) {
    thinking = null;
    return module.price(cost, inquiry);
  },
  think: ({ budget, search }) => start(budget, search),
  pause() {
    thinking = null;
  },
  now: () => module.now(),
  // "?" asks for the state, a number is one of the model's moves.  The answer is a moment where that ends a step.
  choose({ choice, budget }) {
    thinking = null;
    return module.choose(choice, Math.max(0, budget - module.bounds()[0]));
  },
  // What was chosen before.  Without a budget nothing is planned on the way, but for the step that is not over, from
  // choice number `kept` on: what is known there belongs to it.
  replay({ seed, choices, budget, last, kept = 0 }) {
    thinking = null;
    const begun = module.begin(seed);
    if (begun.status) return begun;
    const moments = [];
    for (const [i, choice] of choices.entries()) {
      const most = i >= kept ? Math.max(budget, last ?? 0) : budget;
      planNow(most);
      const answer = module.choose(choice, Math.max(0, most - module.bounds()[0]));
      if (answer.status) return answer;
      if (answer.step !== undefined) moments.push({ ...answer, upto: i + 1 });
    }
    planNow(last ?? 0);
    return { moments };
  },
  graph: ({ plan }) => drawn?.[plan ? 1 : 0] ?? module.graph(...LOOK, plan),
  policy: ({ file }) => module.policy(file),
  curve({ spec, file, prices = [], inquiry, expansions, points }) {
    const model = module.open({ spec, file });
    if (model.status) return model;
    for (const [i, cost] of prices) module.price(cost, i);
    return module.curve(expansions, points, inquiry);
  },
  write: () => module.write(),
  subject: () => module.subject(),
};

onmessage = async ({ data }) => {
  try {
    if (data.call === "load") {
      module = await load(data.bytes);
      postMessage({ type: "answer", id: data.id, answer: module.environments() });
    } else {
      postMessage({ type: "answer", id: data.id, answer: calls[data.call](data) ?? null });
    }
  } catch (error) {
    thinking = null;
    postMessage({ type: "answer", id: data.id, answer: { status: `the planner failed: ${error.message}`, findings: [] } });
  }
};

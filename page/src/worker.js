// The worker: drives the module.  A search goes in slices of about 12 ms, so that messages are heard between
// them; what is known is told about 30 times a second.
import { isFinal, load } from "./module.js";

const SLICE = 12; // ms
const TELL = 33; // ms between two reports

let module;
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
    report(true);
    thinking = null;
  } else {
    if (performance.now() - thinking.told > TELL) report(false);
    channel.port2.postMessage(0);
  }
}

function start(budget, search) {
  const idle = !thinking;
  thinking = { budget, search, size: 8, told: 0, line: [] };
  if (idle) channel.port2.postMessage(0);
}

// Plans to the end at once: for episodes that are played again.
function planNow(budget) {
  while (module.bounds()[0] < budget && !isFinal(module.plan(budget - module.bounds()[0])));
}

const calls = {
  environments: () => module.environments(),
  open(what) {
    thinking = null;
    const model = module.open(what);
    if (model.status) return model;
    const ready = module.prepare();
    if (ready.status) return ready;
    module.begin(what.seed ?? 1);
    return { ...model, subject: module.subject() };
  },
  begin({ seed }) {
    thinking = null;
    return module.begin(seed);
  },
  price({ cost }) {
    thinking = null;
    return module.price(cost);
  },
  think: ({ budget, search }) => start(budget, search),
  pause() {
    thinking = null;
  },
  now: () => module.now(),
  ask() {
    thinking = null;
    return module.ask();
  },
  act({ action }) {
    thinking = null;
    return module.act(action);
  },
  // What was chosen before, step by step: "?" asks, a number acts.
  replay({ seed, choices, budget }) {
    thinking = null;
    const begun = module.begin(seed);
    if (begun.status) return begun;
    const moments = [];
    for (const choice of choices) {
      planNow(budget);
      const answer = choice === "?" ? module.ask() : module.act(choice);
      if (answer.status) return answer;
      if (choice !== "?") moments.push(answer);
    }
    return { moments };
  },
  graph: ({ depth, probability, plan }) => module.graph(depth, probability, plan),
  policy: ({ file }) => module.policy(file),
  curve({ spec, file, expansions, points }) {
    const model = module.open({ spec, file });
    return model.status ? model : module.curve(expansions, points);
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

// The module has the same bits as the program: bounds of all choices after the same expansions, however they are
// sliced; the sentence of explain; and whole episodes, moment by moment.
//
//   node bits.mjs PAGE-BUILD GLIMPSE
import { execFileSync } from "node:child_process";
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFinal, load } from "../../page/src/module.js";

const [build, glimpse] = process.argv.slice(2);
const models = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../../examples/models");
const bytes = readFileSync(join(build, "glimpse.wasm"));
const run = (...args) => execFileSync(glimpse, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const module = await load(bytes);
const fine = (answer) => strictEqual(answer.status, null);

function search(budget, slice) {
  for (let stop = 0, k = 0; module.bounds()[0] < budget && !isFinal(stop); k++) stop = module.plan(Math.min(1 + ((k * 7) % slice), budget - module.bounds()[0]));
}

// What the menu offers can be shown.
const offered = module.environments().environments.map((environment) => environment.name);
for (const spec of ["tiger", "maintenance", "battery-robot"]) ok(offered.includes(spec));
for (const spec of offered) fine(module.open({ spec }));

let compared = 0;
for (const [spec, cost, budget] of [["tiger", 1, 50], ["tiger", 12, 300], ["toy", 2, 40], ["robot-delivery:n=3", 0.1, 700], ["robot-delivery:n=5", 0.25, 400], ["rock-sample:n=4,k=4", 2, 150], ["tag", 1, 40]]) {
  const native = JSON.parse(run("explain", spec, "--cost", String(cost), "--expansions", String(budget), "--json"));
  const told = run("explain", spec, "--cost", String(cost), "--expansions", String(budget)).replace(/\s+/g, " ");
  fine(module.open({ spec }));
  fine(module.prepare());
  fine(module.begin(1));
  fine(module.price(cost));
  search(budget, 60);
  const now = module.now();
  for (const side of ["lower", "upper"]) strictEqual(now.decision[side], native[side], `${spec} ${side}`);
  strictEqual(now.decision.expansions, native.expansions);
  strictEqual(now.certain, native.certain);
  strictEqual(now.gain_least, native.gain_least);
  strictEqual(now.made, native.ask ? "?" : native.action);
  for (const choice of now.choices) {
    const other = choice.ask ? { lower: native.request_lower, upper: native.request_upper } : native.actions.find((a) => a.action === choice.name);
    strictEqual(choice.lower, other.lower, `${spec} ${choice.name}`);
    strictEqual(choice.upper, other.upper, `${spec} ${choice.name}`);
    compared += 2;
  }
  ok(told.includes(now.why.replace(/\s+/g, " ")), `${spec}: explain says something else than: ${now.why}`);
  ok(told.includes(now.asking.replace(/\s+/g, " ")), `${spec}: explain says something else than: ${now.asking}`);
}

// Models with inquiries, with few expansions as well: the choice, its bounds and those of all others.
const sensors = readFileSync(join(models, "robot-sensors.pomdp"), "utf8");
const two = sensors.replace("# glimpse: inquiry camera", "# glimpse: limit per-step 2\n# glimpse: inquiry camera");
const joint = sensors.replace("camera before 0.3", "camera joint 0.3").replace("localisation before", "localisation step");
ok(two !== sensors && joint.includes("camera joint") && joint.includes("localisation step"));
const folder = mkdtempSync(join(tmpdir(), "glimpse-"));
const stored = (name, file) => (writeFileSync(join(folder, name), file), { name: join(folder, name), file });
const layered = [{ name: "maintenance", spec: "maintenance" }, { name: "battery-robot", spec: "battery-robot" }, stored("sensors.pomdp", sensors), stored("two.pomdp", two), stored("joint.pomdp", joint), stored("horizon.pomdp", sensors.replace("# glimpse: inquiry camera", "# glimpse: limit horizon 4\n# glimpse: inquiry camera"))];
let asking = 0, acting = 0;
for (const { name, spec, file } of layered)
  for (const budget of [1, 3, 8, 20, 60, 300]) {
    const native = JSON.parse(run("explain", name, "--expansions", String(budget), "--json"));
    const told = run("explain", name, "--expansions", String(budget)).replace(/\s+/g, " ");
    fine(module.open({ spec, file }));
    fine(module.prepare());
    fine(module.begin(1));
    search(budget, 30);
    fine(module.settle(budget - module.bounds()[0]));
    const now = module.now(), what = `${name} with ${budget} expansions`;
    const called = ({ action, inquiry }) => (!action ? `ask ${inquiry}` : inquiry ? `${action} with ${inquiry}` : action);
    strictEqual(now.made, called(native), what);
    for (const side of ["lower", "upper", "expansions"]) strictEqual(now.decision[side], native[side], `${what} ${side}`);
    strictEqual(now.choices.length, native.choices.length);
    for (const choice of now.choices) {
      const other = native.choices.find((one) => called(one) === choice.name);
      for (const side of ["lower", "upper"]) strictEqual(choice[side], other[side], `${what}: ${choice.name} ${side}`);
      compared += 2;
    }
    if (native.ask) asking++;
    else acting++;
    ok(told.includes(now.why.replace(/\s+/g, " ")), `${what}: explain says something else than: ${now.why}`);
    ok(told.includes(now.asking.replace(/\s+/g, " ")), `${what}: explain says something else than: ${now.asking}`);
    // An action is settled: all the same the visitor may ask, or search on.
    const question = now.choices.find((choice) => choice.ask && choice.name !== now.made);
    if (native.ask || !question) continue;
    module.plan(budget + 5);
    ok(module.bounds()[0] > 0 && !module.now().status, what);
    fine(module.settle(0));
    const { moves } = module.open({ spec, file });
    fine(module.prepare());
    fine(module.begin(1));
    search(budget, 30);
    fine(module.settle(budget - module.bounds()[0]));
    const answer = module.choose(moves.indexOf(question.name));
    ok(answer.step !== undefined || answer.status === null, `${what}: ${question.name} ${answer.status}`);
    strictEqual((answer.step === undefined ? module.now() : answer).answers[0].inquiry, question.name.slice(4));
  }
ok(asking >= 3 && acting >= 3, `${asking} decisions to ask, ${acting} to act`);

// The price of one of several inquiries: the curve is that of the one which was named.
for (const [number, inquiry] of module.open({ spec: "maintenance" }).inquiries.entries()) {
  const curve = module.curve(50, 4, number);
  const native = JSON.parse(run("price", "maintenance", "--inquiry", inquiry.name, "--expansions", "50", "--points", "4", "--max-memory", "16M", "--json"));
  strictEqual(native.inquiry, inquiry.name);
  deepStrictEqual([...curve.off, ...curve.free, ...curve.even, curve.never], [native.off_lower, native.off_upper, native.free_lower, native.free_upper, native.break_even_low, native.break_even_high, native.never]);
}

let steps = 0, answers = 0;
for (const [what, budget] of [[{ spec: "tiger" }, 60], [{ spec: "robot-delivery:n=3" }, 80], [{ spec: "rock-sample:n=4,k=4" }, 30], ...layered.map((model) => [model, 80])]) {
  const file = join(folder, "run.jsonl");
  run("run", what.name ?? what.spec, "--episodes", "1", "--expansions", String(budget), "--seed", "5", "--max-steps", "25", "--record", file);
  const lines = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const { moves } = module.open({ spec: what.spec, file: what.file });
  fine(module.prepare());
  fine(module.begin(5));
  const { settings: _s, model: _m, ...subject } = lines[0];
  const { settings: _t, model: _n, ...ours } = JSON.parse(module.subject());
  deepStrictEqual(ours, subject);
  for (const native of lines.slice(1).filter((line) => !line.end)) {
    for (let left = budget, moment = null; !moment; ) {
      search(left, 40);
      const now = module.now(), used = module.bounds()[0];
      const answer = module.choose(now.made === "?" ? "?" : moves.indexOf(now.made), left - used);
      left = Math.max(1, left - used);
      if (answer.step === undefined) {
        fine(answer);
        continue;
      }
      const { text, ...made } = answer;
      moment = made;
      if (native.step === 24) moment.last = native.last; // the cap of the run
      deepStrictEqual(moment, native, `${what.name ?? what.spec} step ${native.step}`);
      ok(text.startsWith(`episode 1 step ${native.step + 1}: in ${native.state}`));
      answers += native.answers?.length ?? 0;
    }
    steps++;
  }
}
ok(answers > 20, `${answers} answers`);

// What is wrong is said with its line, and leaves the module usable.
const wrong = module.open({ file: "discount: 0.9\nvalues: reward\nstates: a b\nactions: x\nobservations: o\nT: x : a : a 1.5\n" });
ok(wrong.status && wrong.findings.some((finding) => finding.error && finding.line === 6), JSON.stringify(wrong));
ok(module.open({ spec: "nonsense" }).status);
ok(module.open({ file: "" }).status);
ok(module.policy("nonsense").status);
fine(module.open({ spec: "tiger" }));
fine(module.prepare());
fine(module.begin(1));
module.plan(10);
strictEqual(module.choose(99).status, "an argument is out of its range");
strictEqual(module.now().made, "?");
fine(module.choose("?"));
ok(module.choose("?").status, "asks twice");

// A model that does not fit into the memory of the page, 256 MB, is refused with a sentence, and the next one opens.
const LIMIT = 256 * 1024 * 1024;
const large = ({ status }) => status ?? module.prepare().status;
strictEqual(large(module.open({ spec: "rock-sample:n=8,k=12" })), "out of memory");
ok(module.memory() <= LIMIT, `${module.memory()} bytes`);
ok(module.memory() > LIMIT / 4, "the large model was not tried");
const after = await load(bytes); // the page begins with a new module then
strictEqual(after.open({ spec: "tiger" }).status, null);
console.log(`page: ${compared} bounds and ${steps} moments are those of the program`);

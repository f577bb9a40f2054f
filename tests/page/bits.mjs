// The module has the same bits as the program: bounds of all choices after the same expansions, however they are
// sliced; the sentence of explain; and whole episodes, moment by moment.
//
//   node bits.mjs PAGE-BUILD GLIMPSE
import { execFileSync } from "node:child_process";
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFinal, load } from "../../page/src/module.js";

const [build, glimpse] = process.argv.slice(2);
const bytes = readFileSync(join(build, "glimpse.wasm"));
const run = (...args) => execFileSync(glimpse, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const module = await load(bytes);
const fine = (answer) => strictEqual(answer.status, null);

function search(budget, slice) {
  for (let stop = 0, k = 0; module.bounds()[0] < budget && !isFinal(stop); k++) stop = module.plan(Math.min(1 + ((k * 7) % slice), budget - module.bounds()[0]));
}

// What the menu offers can be shown; inquiries cannot.
const offered = module.environments().environments.map((environment) => environment.name);
ok(offered.includes("tiger") && !offered.includes("maintenance") && !offered.includes("battery-robot"));
for (const spec of offered) fine(module.open({ spec }));
ok(module.open({ spec: "maintenance" }).status !== null);

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
  strictEqual(now.ask, native.ask);
  strictEqual(now.act, native.action);
  for (const choice of now.choices) {
    const other = choice.ask ? { lower: native.request_lower, upper: native.request_upper } : native.actions.find((a) => a.action === choice.name);
    strictEqual(choice.lower, other.lower, `${spec} ${choice.name}`);
    strictEqual(choice.upper, other.upper, `${spec} ${choice.name}`);
    compared += 2;
  }
  ok(told.includes(now.why.replace(/\s+/g, " ")), `${spec}: explain says something else than: ${now.why}`);
  ok(told.includes(now.asking.replace(/\s+/g, " ")), `${spec}: explain says something else than: ${now.asking}`);
}

let steps = 0;
for (const [spec, budget] of [["tiger", 60], ["robot-delivery:n=3", 80], ["rock-sample:n=4,k=4", 30]]) {
  const file = join(mkdtempSync(join(tmpdir(), "glimpse-")), "run.jsonl");
  run("run", spec, "--episodes", "1", "--expansions", String(budget), "--seed", "5", "--max-steps", "25", "--record", file);
  const lines = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  fine(module.open({ spec }));
  fine(module.prepare());
  fine(module.begin(5));
  const { settings: _s, ...subject } = lines[0];
  const { settings: _t, ...ours } = JSON.parse(module.subject());
  deepStrictEqual(ours, subject);
  for (const native of lines.slice(1).filter((line) => !line.end)) {
    search(budget, 40);
    let now = module.now();
    if (now.ask) {
      const left = Math.max(1, budget - now.decision.expansions);
      fine(module.ask());
      search(left, 40);
      now = module.now();
    }
    const { text, ...moment } = module.act(actions(spec).indexOf(now.act));
    if (native.step === 24) moment.last = native.last; // the cap of the run
    deepStrictEqual(moment, native);
    ok(text.startsWith(`episode 1 step ${native.step + 1}: in ${native.state}`));
    steps++;
  }
}
function actions(spec) {
  return (actions[spec] ??= JSON.parse(run("plan", spec, "--expansions", "1", "--json")).actions.map((a) => a.action));
}

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
strictEqual(module.act(99).status, "an argument is out of its range");
strictEqual(module.now().ask, true);
fine(module.ask());
ok(module.ask().status, "asks twice");
console.log(`page: ${compared} bounds and ${steps} moments are those of the program`);

// How fast the module searches, compared with the program: the same searches by turns, and the fastest of each.
//
//   node speed.mjs PAGE-BUILD GLIMPSE [TURNS]
//
// Wanted is a half.  Other work on the machine may disturb one of them more than the other: then there are more turns.
import { execFileSync } from "node:child_process";
import { ok, strictEqual } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isFinal, load } from "../../page/src/module.js";

const [build, glimpse, turns = "5"] = process.argv.slice(2);
const module = await load(readFileSync(join(build, "glimpse.wasm")));

function native(spec, cost, expansions) {
  const plan = JSON.parse(execFileSync(glimpse, ["plan", spec, ...cost, "--expansions", String(expansions), "--max-memory", "40M", "--json"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  return [plan.seconds, plan.expansions, plan.lower];
}

function wasm(spec, cost, expansions) {
  strictEqual(module.open({ spec }).status, null);
  strictEqual(module.prepare().status, null);
  strictEqual(module.begin(1).status, null);
  if (cost.length) strictEqual(module.price(+cost[1]).status, null);
  const from = performance.now();
  while (module.bounds()[0] < expansions && !isFinal(module.plan(expansions - module.bounds()[0])));
  const seconds = (performance.now() - from) / 1000, [count, lower] = module.bounds();
  return [seconds, count, lower];
}

const found = [];
for (const [spec, cost, expansions] of [["robot-delivery:n=5", ["--cost", "0.4"], 3000], ["tag", [], 5000], ["battery-robot", [], 6000], ["maintenance", [], 6000]]) {
  const best = [Infinity, Infinity];
  for (let i = 0; i < +turns || (i < 5 * turns && best[0] < 0.5 * best[1]); i++) {
    const there = native(spec, cost, expansions), here = wasm(spec, cost, expansions);
    strictEqual(here[1], there[1]); // the same search
    if (!spec.match(/battery|maintenance/)) strictEqual(here[2], there[2]); // where it is not settled further
    best[0] = Math.min(best[0], there[0]);
    best[1] = Math.min(best[1], here[0]);
  }
  found.push([spec, best[0] / best[1]]);
  console.log(`page: ${spec}, ${expansions} expansions: ${(1000 * best[0]).toFixed(0)} ms in the program, ${(1000 * best[1]).toFixed(0)} ms in the page, ${(best[0] / best[1]).toFixed(2)} of its speed`);
}
for (const [spec, ratio] of found) ok(ratio > 0.4, `${spec}: ${ratio.toFixed(2)} of the program's speed`);

// Opening: a model, a recording or a policy.
import * as bounds from "./bounds.js";
import { interval, keyOf, number } from "./decision.js";
import * as editor from "./editor.js";
import { Engine } from "./engine.js";
import * as plan from "./plan.js";
import { keepBranch, setBudget, setInquiry } from "./play.js";
import * as prices from "./price.js";
import { fits, html, sceneByNames } from "./scene.js";
import { readRecording, readState } from "./share.js";
import { render, renderPrice, setLayout } from "./show.js";
import { $, complain, page, told, work } from "./state.js";
import { draft, remember } from "./store.js";
import { computeCurve, think } from "./think.js";

export async function open(source, { cost, prices: wished = [], seed = 1, choices = [], branches = [], branch = 0, budget, layout, complaint = null } = {}) {
  const mine = ++page.loading;
  complain(complaint);
  page.running = false;
  clearTimeout(work.timer);
  $("verdict").textContent = "computing bounds";
  page.search++;
  page.done = false;
  await work.engine.fresh();
  const model = await work.engine.call("open", { spec: source.spec, file: source.file, seed });
  if (mine !== page.loading) return false;
  if (told(model)) {
    if (page.recording) render();
    else if (page.model) await reopen();
    return false;
  }
  const warning = model.findings.find((f) => !f.error);
  if (warning) complain(`${warning.line ? `line ${warning.line}: ` : ""}${warning.text}`);
  Object.assign(page, { model, source, seed, met: new Set(), prices: [], moments: [], choices: [], at: 0, now: null, recording: null, policy: null, wanted: false, left: Infinity });
  page.episode++;
  page.named = model.scene ? null : sceneByNames(model.state_names);
  for (const option of $("layout").options) option.disabled = option.value === "names" ? !page.named : !fits(option.value, model.state_names.length);
  setLayout(layout ?? (page.named ? "names" : "list"));
  if (budget) setBudget(budget);
  $("inquiry").replaceChildren(...model.inquiries.map(({ name }, i) => html("option", { value: i }, name)));
  setInquiry(model.inquiries.length ? 0 : null);
  frame();
  markModel();
  $("cost").textContent = "";
  if (cost && cost !== page.cost && model.uniform) {
    page.cost = cost;
    if (told(await work.engine.call("price", { cost }))) return false;
  }
  for (const [inquiry, price] of wished) {
    if (!model.inquiries[inquiry] || told(await work.engine.call("price", { cost: price, inquiry }))) return false;
    model.inquiries[inquiry].price = price;
    page.prices.push([inquiry, price]);
  }
  if (wished.length) setInquiry(wished.at(-1)[0]);
  if (choices.length) {
    const played = await work.engine.call("replay", { seed, choices, budget: page.budget });
    if (!told(played)) {
      page.moments = played.moments;
      page.choices = [...choices];
      page.at = page.moments.length;
    }
  }
  page.branches = branches.length ? branches.map((list) => ({ choices: list, moments: null })) : [{}];
  page.branch = Math.min(branch, page.branches.length - 1);
  keepBranch();
  page.now = await work.engine.call("now");
  render();
  think();
  computeCurve();
  return true;
}

// After a model that could not be opened: the one before is still there.
async function reopen() {
  page.now = await work.engine.call("now");
  render();
  think();
}

function markModel() {
  const value = page.recording ? "recording" : page.source.spec ?? page.source.name ?? "own";
  const menu = $("models");
  if (value === "recording") menu.querySelector("option[value=recording]")?.remove(); // of another model
  if (![...menu.options].some((o) => o.value === value)) menu.append(html("option", { value }, value === "recording" ? `recording of ${page.recording.subject.model?.split("/").at(-1) || "a model"}` : page.source.name ?? value));
  menu.value = value;
  document.title = `glimpse: ${value}`;
}

// What is different around a recording: it has decisions, step by step, but no search and no plan.
const CLICK = $("plannote").textContent;
function frame() {
  const recording = Boolean(page.recording);
  $("h-bounds").firstChild.textContent = recording ? "Bounds, step by step " : "Bounds closing ";
  $("h-plan").firstChild.textContent = "Plan ";
  $("plannote").textContent = CLICK;
  document.querySelector("main").classList.toggle("recorded", recording);
  document.querySelector("main").classList.toggle("planned", Boolean(page.policy));
  document.querySelector(".decision").style.setProperty("--asks", page.model?.inquiries.length || 1);
  $("allchoices").parentElement.hidden = Boolean(page.policy);
  $("budget").disabled = $("allchoices").disabled = recording;
  $("layout").parentElement.hidden = recording || Boolean(page.model.scene);
}

// The choices of a recording, asking first; each keeps its row from step to step, where there are not too many.
function orderOf(moments) {
  const asks = new Set(), acts = new Set();
  for (const moment of moments) for (const choice of moment.choices) (choice.ask ? asks : acts).add(keyOf(choice));
  const all = [...[...asks].sort(), ...[...acts].sort()];
  return all.length <= 12 ? all : undefined;
}

export function showRecording(text, at = 0) {
  const recording = { ...readRecording(text), text };
  recording.order = orderOf(recording.moments);
  page.running = false;
  page.search++;
  work.engine.call("pause");
  Object.assign(page, { recording, moments: recording.moments, at: Math.min(at, recording.moments.length - 1), scene: recording.subject.scene, model: null, policy: null });
  page.episode++;
  work.pricer?.stop();
  prices.clear();
  bounds.clear(Math.max(1, page.moments.length - 1));
  bounds.extend(page.moments.map((m, i) => [i, m.decision.lower, m.decision.upper]).filter(([, low]) => low !== null));
  complain(null);
  $("cost").textContent = "";
  frame();
  $("graph").replaceChildren();
  $("planaside").textContent = "";
  markModel();
  render();
  renderPrice();
  remember();
}

export async function showPolicy(text) {
  const helper = new Engine();
  await helper.start();
  const policy = await helper.call("policy", { file: text });
  helper.stop();
  if (told(policy)) return;
  if (!page.model && !page.recording) { // beside the model that it is for, where that is one of ours
    const ours = page.environments.some((e) => e.name === policy.model?.split(":")[0]);
    if (!ours || !(await open({ spec: policy.model }))) await open({ spec: "tiger" });
  }
  page.policy = { ...policy, text };
  frame();
  $("h-plan").firstChild.textContent = "Policy ";
  plan.show(plan.fromPolicy(policy), { actions: policy.actions, observations: policy.observations, states: policy.state_names }, `policy${++page.episode}`);
  $("plannote").textContent = `A policy of ${policy.size} nodes for ${policy.model || "a model"}: worth ${policy.upper - policy.lower > 1e-6 * (1 + Math.abs(policy.upper)) ? `at least ${number(policy.lower, policy.upper - policy.lower)}, and no policy more than ${number(policy.upper, policy.upper - policy.lower)}` : `${interval(policy.lower, policy.upper)}, as much as any`}.`;
  complain(null);
  remember();
}

// What "Save state" wrote.
async function openState(text) {
  let what;
  try {
    what = JSON.parse(text);
  } catch {
    throw new Error("the state is cut off or damaged");
  }
  if (what.version !== 1) throw new Error(`the state has version ${what.version}; this page reads version 1`);
  readState(what);
  await open({ spec: what.spec, file: what.file, name: what.name }, what);
}

// A file that was dropped or chosen: what it is shows by how it begins.
export async function openText(name, text) {
  try {
    const head = text.trimStart();
    if (head.startsWith("{") && /"glimpse"\s*:\s*"record"/.test(head.slice(0, 200))) showRecording(text);
    else if (/^glimpse[- ]policy/i.test(head) || name.endsWith(".policy")) await showPolicy(text);
    else if (/^\{\s*"glimpse"\s*:\s*"state"/.test(head)) await openState(head);
    else if (head.startsWith("<")) throw new Error("this is XML, which the page does not read; 'glimpse view FILE' shows a POMDPX file, 'glimpse convert FILE' makes a .pomdp file of it");
    else if (head.startsWith("{")) throw new Error("this is neither a model nor a recording of glimpse");
    else if (!(await open({ file: text, name }))) {
      complain(null);
      draft(text); // so that it is there after the editor was closed
      editor.openEditor(text);
    }
  } catch (error) {
    complain(`${name}: ${error.message}`);
  }
}

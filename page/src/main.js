// The page: what is open, what is shown of it, and what the visitor does.
import "uplot/dist/uPlot.min.css";
import * as bounds from "./bounds.js";
import { drawDecision, number, regret } from "./decision.js";
import { Engine } from "./engine.js";
import * as plan from "./plan.js";
import * as prices from "./price.js";
import { drawBelief, drawWorld, html, percent, sceneByNames } from "./scene.js";
import { pack, readRecording, save, unpack } from "./share.js";
import { drawTimeline } from "./timeline.js";
import { tours } from "./tours.js";

const $ = (id) => document.getElementById(id);
const BUDGETS = [10, 20, 50, 100, 200, 500, 1000, 2000, 3000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000];
const DELAYS = [2200, 1200, 650, 250, 40];
const EXAMPLES = __EXAMPLES__; // name -> .pomdp text
const STARTERS = [["tiger", "Tiger"], ["robot-delivery:n=3", "Robot delivery, 3 corridors"], ["robot-delivery:n=5", "Robot delivery, 5 corridors"], ["frozen-lake:size=8", "Frozen lake, 8 × 8"], ["frozen-lake", "Frozen lake, 4 × 4"], ["rock-sample:n=4,k=4", "Rock sample, 4 rocks"], ["tag", "Tag"], ["toy", "Toy of the paper"]];

const page = { model: null, scene: null, source: null, seed: 1, moments: [], choices: [], at: 0, now: null, done: false, running: false, recording: null, policy: null, wanted: false, budget: 3000, episode: 0, loading: 0, left: Infinity, search: 0 };
let engine, pricer, timer;

// ------------------------------------------------------------------ messages

function complain(text) {
  $("banner").hidden = !text;
  $("banner").firstElementChild.textContent = text ?? "";
}
const told = (answer) => {
  if (!answer?.status) return false;
  const first = (answer.findings ?? []).filter((f) => f.error).map((f) => (f.line ? `line ${f.line}: ${f.text}` : f.text));
  complain(first.length ? first.slice(0, 4).join("\n") : answer.status);
  return true;
};

// ------------------------------------------------------------------- showing

const isLive = () => !page.recording && page.at === page.moments.length;
const shown = () => (isLive() ? page.now : page.moments[page.at]);
const stepKey = () => `${page.episode}/${page.recording ? "r" : ""}${page.at}/${page.now?.asked && isLive() ? "after" : "first"}/${page.cost}`;

function order() {
  if (!page.model || page.model.actions.length > 12) return undefined;
  return ["ask", ...page.model.actions];
}

function render() {
  const moment = shown();
  if (!moment) return;
  const live = isLive(), last = page.scene ? null : page.moments[page.at - 1];
  $("worldnote").textContent = [drawWorld($("world"), page.scene, moment), last ? `Last: ${last.action}, then ${last.observation}; reward ${number(last.reward, 1)}.` : ""].filter(Boolean).join(" · ");
  drawBelief($("belief"), page.scene, moment);
  $("scale").style.visibility = page.scene ? "visible" : "hidden";
  $("entropy").textContent = `${number(moment.belief.entropy, 1)} bits, ${moment.belief.states} state${moment.belief.states === 1 ? "" : "s"}`;
  $("largest").replaceChildren(...(page.scene ? moment : { belief: { largest: [] } }).belief.largest.filter(([, p]) => p > 0).slice(0, 6).map(([name, p]) => html("li", {}, html("b", {}, percent(p)), ` ${name}`)));
  const made = live ? (!moment.planned ? null : moment.ask ? "?" : moment.act) : moment.action;
  drawDecision({ ...moment, order: order() }, stepKey(), made, live && moment.planned && !moment.over && !page.busy ? choose : null);
  const after = live ? moment.asked : false;
  $("verdict").textContent = moment.over && live ? "the episode is over" : !made ? "thinking" : `${after ? "told; now " : ""}${made === "?" ? "ask for the state" : made}${live ? (moment.certain ? ", certain" : ", not certain yet") : moment.asked ? ", after asking" : ""}`;
  $("why").textContent = live ? (moment.over ? "Nothing is left to decide. Start again, or try another world." : moment.why ?? "") : moment.text ?? `It ${moment.asked ? "asked, then " : ""}did ${moment.action} and saw ${moment.observation}; reward ${moment.reward}.`;
  $("asking").textContent = live && !moment.over ? moment.asking ?? "" : "";
  const decision = (live ? (moment.asked ? moment.after : moment.decision) : moment.asked ? moment.after : moment.decision) ?? moment.decision;
  $("gap").textContent = decision.lower === null || (live && !moment.planned) ? "" : `${number(decision.lower, decision.upper - decision.lower)} … ${number(decision.upper, decision.upper - decision.lower)}, ${decision.expansions} expansions${decision.stop === "solved" ? ", solved" : ""}`;
  renderBar();
}

function renderBar() {
  const count = page.recording ? page.moments.length - 1 : page.moments.length;
  drawTimeline(page.recording ? page.moments.slice(0, -1) : page.moments, page.at, look);
  $("back").disabled = page.at === 0;
  const end = page.recording ? page.at >= count : isLive() && page.now?.over;
  $("next").disabled = end || page.busy;
  $("play").textContent = page.running ? "Pause" : "Run";
  $("play").disabled = end && !page.running;
  $("restart").disabled = !page.model && !page.recording;
  $("dice").disabled = Boolean(page.recording);
  $("seed").textContent = page.recording ? "–" : page.seed;
  const moment = page.recording ? page.moments[page.at] : page.moments.at(-1);
  const total = moment ? `step ${moment.step + 1}, return ${number(moment.return, 0.1)}, ${moment.requests} request${moment.requests === 1 ? "" : "s"}` : "step 0";
  $("status").textContent = moment?.text ? moment.text.replace(/^episode \d+ /, "") : total;
}

function renderPrice() {
  const may = page.model && page.model.uniform && !page.recording;
  $("price").disabled = !may;
  $("priceout").textContent = page.recording ? "" : page.model?.requests ? (page.model.uniform ? String(page.cost) : "depends on the state") : "off: this model has no requests";
  prices.draw(page.cost || 0);
  if (may) $("price").value = prices.toSlider(page.cost || 0);
  if (page.recording) $("pricenote").textContent = "A recording has the price that it was made with.";
}

function look(at) {
  page.running = page.running && page.recording;
  page.at = Math.max(0, Math.min(at, page.recording ? page.moments.length - 1 : page.moments.length));
  render();
}

// ------------------------------------------------------------------ thinking

function think() {
  page.done = false;
  bounds.clear();
  page.opening = true;
  engine.call("think", { budget: page.budget, search: ++page.search });
}

function onNow({ search, now, line, done }) {
  if (search !== page.search) return; // of a search that was given up
  page.now = now;
  page.done = done;
  if (page.opening && now.offline_lower !== null) bounds.extend([[0, now.offline_lower, now.offline_upper]]);
  page.opening = false;
  bounds.extend(line);
  if (isLive()) render();
  if (!done) return;
  remember();
  if (page.wanted) {
    page.wanted = false;
    step();
  } else if (page.running) {
    clearTimeout(timer);
    timer = setTimeout(() => page.running && step(), DELAYS[$("speed").value]);
    if (DELAYS[$("speed").value] > 200) showPlan();
  } else showPlan();
}

async function showPlan() {
  if (page.recording || page.policy || !page.model || !page.now?.planned) return;
  const key = stepKey();
  const graph = await engine.call("graph", { depth: 10, probability: 0.003, plan: !$("allchoices").checked });
  if (graph.nodes && key === stepKey()) plan.show(graph, { actions: page.model.actions, observations: page.model.observations, states: page.model.state_names }, `${key}${$("allchoices").checked}`);
}

async function computeCurve() {
  prices.setCurve(null, page.model.cost || 1);
  renderPrice();
  const model = page.model;
  pricer?.stop();
  if (!model.uniform) return;
  pricer = new Engine();
  await pricer.start();
  const large = model.states > 400;
  for (const [expansions, points] of [[large ? 60 : 200, 8], [large ? 400 : 2000, 12]]) { // at once, then better
    const mine = pricer, curve = await mine.call("curve", { ...page.source, expansions, points });
    if (page.model !== model || mine !== pricer) return;
    if (curve.status) break;
    prices.setCurve(curve, page.cost || model.cost);
    renderPrice();
  }
  pricer.stop();
}

// ------------------------------------------------------------------- opening

async function open(source, { cost, seed = 1, choices = [], budget, complaint = null } = {}) {
  const mine = ++page.loading;
  complain(complaint);
  page.running = false;
  clearTimeout(timer);
  $("verdict").textContent = "computing bounds";
  page.search++;
  page.done = false;
  await engine.fresh();
  const model = await engine.call("open", { spec: source.spec, file: source.file, seed });
  if (mine !== page.loading) return false;
  if (told(model)) {
    if (page.model && !page.recording) await reopen();
    return false;
  }
  const warning = model.findings.find((f) => !f.error);
  if (warning) complain(`${warning.line ? `line ${warning.line}: ` : ""}${warning.text}`);
  Object.assign(page, { model, source, seed, cost: model.requests ? model.cost : 0, moments: [], choices: [], at: 0, now: null, recording: null, policy: null, wanted: false, left: Infinity });
  page.episode++;
  page.scene = model.scene ?? sceneByNames(model.state_names);
  if (budget) setBudget(budget);
  $("h-plan").firstChild.textContent = "Plan ";
  markModel();
  $("cost").textContent = "";
  if (cost && cost !== page.cost && model.uniform) {
    page.cost = cost;
    if (told(await engine.call("price", { cost }))) return false;
  }
  if (choices.length) {
    const played = await engine.call("replay", { seed, choices, budget: page.budget });
    if (!told(played)) {
      page.moments = played.moments;
      page.choices = choices;
      page.at = page.moments.length;
    }
  }
  page.now = await engine.call("now");
  render();
  think();
  computeCurve();
  return true;
}

// After a model that could not be opened: the one before is still there.
async function reopen() {
  page.now = await engine.call("now");
  render();
  think();
}

function markModel() {
  const value = page.recording ? "recording" : page.source.spec ?? page.source.name ?? "own";
  const menu = $("models");
  if (![...menu.options].some((o) => o.value === value)) menu.append(html("option", { value }, value === "recording" ? `recording of ${page.recording.subject.model || "a model"}` : page.source.name ?? value));
  menu.value = value;
  document.title = `glimpse: ${value}`;
}

function showRecording(text) {
  const recording = readRecording(text);
  page.running = false;
  page.search++;
  engine.call("pause");
  Object.assign(page, { recording, moments: recording.moments, at: 0, scene: recording.subject.scene, model: null, policy: null });
  page.episode++;
  bounds.clear();
  complain(null);
  $("graph").replaceChildren();
  $("planaside").textContent = "";
  markModel();
  render();
  renderPrice();
}

async function showPolicy(text) {
  const helper = new Engine();
  await helper.start();
  const policy = await helper.call("policy", { file: text });
  helper.stop();
  if (told(policy)) return;
  page.policy = policy;
  $("h-plan").firstChild.textContent = "Policy ";
  plan.show(plan.fromPolicy(policy), { actions: policy.actions, observations: policy.observations, states: policy.state_names }, `policy${++page.episode}`);
  $("plannote").textContent = `A policy of ${policy.size} nodes for ${policy.model || "a model"}: worth at least ${number(policy.lower, 0.01)}, and no policy more than ${number(policy.upper, 0.01)}.`;
  complain(null);
}

// A file that was dropped or chosen: what it is shows by how it begins.
async function openText(name, text) {
  try {
    const head = text.trimStart();
    if (head.startsWith("{") && /"glimpse"\s*:\s*"record"/.test(head.slice(0, 200))) showRecording(text);
    else if (/^glimpse[- ]policy/i.test(head) || name.endsWith(".policy")) await showPolicy(text);
    else if (head.startsWith("{")) throw new Error("this is neither a model nor a recording of glimpse");
    else if (!(await open({ file: text, name }))) openEditor(text);
  } catch (error) {
    complain(`${name}: ${error.message}`);
  }
}

// ------------------------------------------------------------------- playing

async function perform(choice) {
  if (page.busy || !page.now || page.now.over) return;
  page.busy = true;
  page.search++;
  try {
    if (choice === "?") {
      if (told(await engine.call("ask"))) return;
      page.choices.push("?");
    } else {
      const moment = await engine.call("act", { action: choice });
      if (told(moment)) return;
      page.choices.push(choice);
      page.moments.push(moment);
      page.at = page.moments.length;
    }
    page.now = await engine.call("now");
  } finally {
    page.busy = false;
  }
  if (page.now.over) {
    page.running = false;
    page.done = true;
    remember();
  }
  if (--page.left <= 0) {
    page.running = false;
    page.left = Infinity;
  }
  render();
  if (!page.now.over) think();
}

// The planner's own choice, once the search for it is done.
function step() {
  if (page.recording) return look(page.at + 1);
  if (!isLive()) return look(page.at + 1);
  if (page.now?.over) return;
  if (!page.done) {
    page.wanted = true;
    return;
  }
  $("cost").textContent = "";
  perform(page.now.ask ? "?" : page.model.actions.indexOf(page.now.act));
}

// The visitor's.
function choose(choice) {
  const rest = page.now.choices.find((c) => c.ask === choice.ask && c.name === choice.name);
  const lost = regret(page.now.choices, rest);
  const planners = choice.ask ? page.now.ask : page.now.act === choice.name;
  const gap = lost ? lost[1] - lost[0] : 1;
  const say = !lost || planners ? "That is what the planner would do." : lost[1] < 1e-9 ? "It costs nothing." : lost[1] - lost[0] < 1e-6 ? `Compared with the best choice it costs ${number(lost[0], lost[0] / 10 || 1)}.` : `Compared with the best choice it costs ${lost[0] > 0 ? `between ${number(lost[0], gap)} and` : "at most"} ${number(lost[1], gap)}.`;
  $("cost").textContent = `You chose ${choice.ask ? "to ask" : choice.name}. ${say}`;
  page.running = false;
  perform(choice.ask ? "?" : page.model.actions.indexOf(choice.name));
}

function run() {
  if (page.recording) {
    page.running = true;
    const advance = () => {
      if (!page.running || !page.recording) return;
      if (page.at >= page.moments.length - 1) page.running = false;
      else look(page.at + 1);
      renderBar();
      if (page.running) timer = setTimeout(advance, DELAYS[$("speed").value]);
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

function pause() {
  page.running = page.wanted = false;
  page.left = Infinity;
  clearTimeout(timer);
  renderBar();
  showPlan();
}

async function restart(seed = page.seed) {
  if (page.recording) return look(0);
  page.running = page.wanted = false;
  clearTimeout(timer);
  page.seed = seed;
  page.search++;
  if (told(await engine.call("begin", { seed }))) return;
  Object.assign(page, { moments: [], choices: [], at: 0 });
  page.episode++;
  $("cost").textContent = "";
  page.now = await engine.call("now");
  render();
  think();
}

// --------------------------------------------------------------------- price

let pricing = false, nextPrice = null;
async function setPrice(cost) {
  if (page.recording || !page.model) return;
  page.cost = cost;
  renderPrice();
  nextPrice = cost;
  if (pricing) return; // the last one counts
  pricing = true;
  page.search++;
  page.done = false;
  while (nextPrice !== null) {
    const wanted = nextPrice;
    nextPrice = null;
    if (told(await engine.call("price", { cost: wanted }))) break;
    page.model.requests = true;
  }
  pricing = false;
  page.at = page.moments.length;
  page.now = await engine.call("now");
  render();
  think();
}

function setBudget(budget) {
  page.budget = budget;
  $("budget").value = Math.max(0, BUDGETS.findLastIndex((b) => b <= budget));
  $("budgetout").textContent = `${budget.toLocaleString("en")} expansions`;
}

// -------------------------------------------------------------------- editor

function findings(list) {
  const marks = new Map();
  for (const f of list) if (f.line && marks.get(f.line) !== "b") marks.set(f.line, f.error ? "b" : "u");
  const lines = $("source").value.split("\n").length;
  $("gutter").replaceChildren(...Array.from({ length: lines }, (_, i) => i).flatMap((i) => {
    const kind = marks.get(i + 1);
    return kind ? [html(kind, {}, `${i + 1} `), "\n"] : [`${i + 1} \n`];
  }));
}

function goTo(line) {
  const area = $("source"), lines = area.value.split("\n");
  const from = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  area.focus();
  area.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
  area.scrollTop = Math.max(0, (line - 5) * 19.5);
}

let checker;
async function check() {
  if (!checker) {
    checker = new Engine();
    await checker.start();
  }
  const answer = await checker.call("open", { file: $("source").value });
  const list = answer.findings ?? [];
  findings(list);
  $("errors").replaceChildren(...list.map((f) => html("li", { class: f.error ? "bad" : "warn" }, f.line ? html("button", { onclick: () => goTo(f.line) }, `line ${f.line}: ${f.text}`) : f.text)),
    ...(answer.status ? (list.some((f) => f.error) ? [] : [html("li", { class: "bad" }, answer.status)]) : [html("li", { class: "fine" }, `A model with ${answer.states} states, ${answer.actions.length} actions and ${answer.observations.length} observations.`)]));
  return !answer.status;
}

function openEditor(text) {
  $("source").value = text;
  $("editor").showModal();
  findings([]);
  check();
}

// ----------------------------------------------------------------- what stays

const state = () => ({ spec: page.source?.spec, file: page.source?.file, name: page.source?.name, cost: page.cost || undefined, seed: page.seed, budget: page.budget, choices: page.choices });
function remember() {
  if (page.recording || !page.source) return;
  try {
    sessionStorage.setItem("glimpse", JSON.stringify(state()));
  } catch {
    // a browser that keeps nothing still plays
  }
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  try {
    localStorage.setItem("glimpse-theme", name);
  } catch {
    // likewise
  }
  if (bounds.length() >= 0) bounds.repaint();
}

// --------------------------------------------------------------------- tours

const guide = {
  open,
  step,
  price: async (cost) => {
    await restart();
    await setPrice(cost);
  },
  run(steps) {
    page.left = steps;
    run();
  },
  pause,
};
let tour = null;

async function tourStep(i) {
  document.querySelectorAll(".lit").forEach((node) => node.classList.remove("lit"));
  const box = $("tour");
  if (!tour || i < 0 || i >= tour.steps.length) {
    tour = null;
    box.hidden = true;
    return;
  }
  const here = tour.steps[i];
  box.hidden = false;
  box.replaceChildren(html("h3", {}, tour.name), html("p", {}, here.text), html("div", { class: "row" }, html("span", {}, `${i + 1} of ${tour.steps.length}`), html("button", { onclick: () => tourStep(-1) }, "End"), html("button", { class: "primary", id: "tournext", onclick: () => tourStep(i + 1) }, i + 1 < tour.steps.length ? "Next" : "Done")));
  const target = document.querySelector(here.at);
  target?.classList.add("lit");
  target?.scrollIntoView({ block: "nearest", behavior: "auto" });
  $("tournext").focus({ preventScroll: true });
  await here.do?.(guide);
}

// --------------------------------------------------------------------- start

function listen() {
  $("models").onchange = () => {
    const value = $("models").value;
    if (EXAMPLES[value]) open({ file: EXAMPLES[value], name: value });
    else if (value === page.source?.name) open(page.source);
    else if (value !== "recording") open({ spec: value });
  };
  $("brand").onclick = (event) => {
    event.preventDefault();
    open({ spec: "tiger" });
  };
  $("play").onclick = () => (page.running ? pause() : run());
  $("next").onclick = step;
  $("back").onclick = () => look(page.at - 1);
  $("restart").onclick = () => restart();
  $("dice").onclick = () => restart(page.seed + 1);
  $("hide").onchange = () => $("world").classList.toggle("veiled", $("hide").checked);
  $("allchoices").onchange = showPlan;
  $("price").oninput = () => setPrice(prices.toPrice(+$("price").value));
  $("budget").oninput = () => {
    setBudget(BUDGETS[$("budget").value]);
    if (!page.recording && page.now && !page.now.over && isLive()) think();
  };
  $("theme").onclick = () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  $("about").onclick = () => $("abouting").showModal();
  $("banner").lastElementChild.onclick = () => complain(null);
  $("load").onclick = () => $("file").click();
  $("file").onchange = async () => {
    const file = $("file").files[0];
    if (file) await openText(file.name, await file.text());
    $("file").value = "";
  };
  $("edit").onclick = async () => openEditor(page.source?.file ?? (page.model ? await engine.call("write") : EXAMPLES["tiger.pomdp"] ?? ""));
  $("check").onclick = check;
  $("use").onclick = async () => {
    if (!(await check())) return;
    $("editor").close();
    open({ file: $("source").value, name: "my model" });
  };
  $("source").oninput = () => {
    findings([]);
    clearTimeout(listen.later);
    listen.later = setTimeout(check, 500);
  };
  $("source").onscroll = () => ($("gutter").scrollTop = $("source").scrollTop);
  $("share").onclick = async () => {
    $("sharing").showModal();
    $("link").value = page.recording ? "A recording is shared as a file." : `${location.href.split("#")[0]}#${await pack(state())}`;
  };
  $("copy").onclick = async () => {
    $("link").select();
    try {
      await navigator.clipboard.writeText($("link").value);
    } catch {
      document.execCommand("copy"); // pages from files may not use the clipboard otherwise
    }
    $("copy").textContent = "Copied";
    setTimeout(() => ($("copy").textContent = "Copy link"), 1500);
  };
  $("record").onclick = async () => {
    const subject = page.recording ? `${JSON.stringify(page.recording.subject)}\n` : page.model.subject;
    const lines = page.moments.map(({ text, ...moment }) => JSON.stringify(moment));
    const end = JSON.stringify({ end: true, steps: lines.length, complete: page.recording ? true : Boolean(page.now?.over) });
    save("glimpse.jsonl", `${subject}${lines.map((line) => `${line}\n`).join("")}${end}\n`, "application/jsonl");
  };
  $("savemodel").onclick = async () => page.model && save("model.pomdp", await engine.call("write"));
  $("tours").onclick = () => $("touring").showModal();
  $("tourlist").replaceChildren(...tours.map((one) => html("button", { onclick: () => { $("touring").close(); tour = one; tourStep(0); } }, html("b", {}, one.name), html("small", {}, one.text))));
  window.ondragover = (event) => {
    event.preventDefault();
    $("drop").hidden = false;
  };
  window.ondragleave = (event) => {
    if (!event.relatedTarget) $("drop").hidden = true;
  };
  window.ondrop = async (event) => {
    event.preventDefault();
    $("drop").hidden = true;
    const file = event.dataTransfer.files[0];
    if (file) await openText(file.name, await file.text());
  };
  window.onkeydown = (event) => {
    if (event.target.closest?.("input, textarea, select, dialog[open], .gnode") || event.ctrlKey || event.metaKey || event.altKey) return;
    const press = { " ": () => $("play").click(), ArrowRight: () => $("next").click(), ArrowLeft: () => $("back").click(), r: () => $("restart").click(), d: () => $("dice").click(), Escape: () => tourStep(-1) }[event.key];
    const rows = [...$("choices").children];
    if (press) {
      event.preventDefault();
      press();
    } else if (/^[1-9]$/.test(event.key)) rows.filter((row) => !row.classList.contains("ask"))[+event.key - 1]?.click();
    else if (event.key === "?") rows.find((row) => row.classList.contains("ask"))?.click();
  };
  window.onhashchange = () => fromLink();
  new ResizeObserver(renderBar).observe($("timeline"));
}

async function fromLink() {
  if (location.hash.length < 3) return false;
  try {
    const what = await unpack(location.hash.slice(1));
    return await open({ spec: what.spec, file: what.file, name: what.name }, what);
  } catch {
    return open({ spec: "tiger" }, { complaint: "The link is damaged: nothing could be read from it." });
  }
}

async function fromData() {
  const data = JSON.parse($("glimpse-data").textContent);
  if (!data) return false;
  if (data.record) showRecording(data.record);
  else if (data.spec || data.file) await open({ spec: data.spec, file: data.file, name: data.name }, { cost: data.cost });
  if (data.policy) {
    if (!data.spec && !data.file) await open({ spec: "tiger" });
    await showPolicy(data.policy);
  }
  return true;
}

async function begin() {
  let wish = null;
  try {
    wish = localStorage.getItem("glimpse-theme");
  } catch {
    // no storage
  }
  document.documentElement.dataset.theme = wish ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  bounds.begin($("chart"));
  setBudget(page.budget);
  listen();
  engine = new Engine(onNow);
  const about = await engine.start();
  page.environments = about.environments;
  $("version").textContent = about.version;
  const known = new Set(about.environments.map((e) => e.name));
  const rest = about.environments.filter((e) => !STARTERS.some(([spec]) => spec.split(":")[0] === e.name)).map((e) => [e.name, e.name]);
  for (const [value, label] of [...STARTERS, ...rest]) if (known.has(value.split(":")[0])) $("models").append(html("option", { value }, label));
  for (const name of Object.keys(EXAMPLES)) $("models").append(html("option", { value: name }, name));
  window.glimpse = page; // for tests, and for the curious
  if (await fromData()) return;
  if (await fromLink()) return;
  try {
    const kept = JSON.parse(sessionStorage.getItem("glimpse"));
    if (kept && (await open({ spec: kept.spec, file: kept.file, name: kept.name }, kept))) return;
  } catch {
    // nothing was kept
  }
  await open({ spec: "robot-delivery:n=3" }, { seed: 2 });
}

begin().catch((error) => complain(`The page could not start: ${error.message}. It needs a browser with WebAssembly and DecompressionStream.`));

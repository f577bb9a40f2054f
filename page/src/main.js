// The page: it starts, and listens to the visitor.
import "uplot/dist/uPlot.min.css";
import * as bounds from "./bounds.js";
import * as editor from "./editor.js";
import { Engine } from "./engine.js";
import * as guide from "./guide.js";
import { open, openText, showPolicy, showRecording } from "./open.js";
import { pause, restart, run, setBudget, setInquiry, setPrice, step } from "./play.js";
import * as prices from "./price.js";
import { html } from "./scene.js";
import { pack, readState, save, unpack } from "./share.js";
import { look, render, renderBar, renderPrice, setLayout } from "./show.js";
import { $, BUDGETS, complain, EXAMPLES, isLive, page, work } from "./state.js";
import { recall, remember, state } from "./store.js";
import { computeCurve, onNow, showPlan, think } from "./think.js";

const STARTERS = [["tiger", "Tiger"], ["robot-delivery:n=3", "Robot delivery, 3 corridors"], ["robot-delivery:n=5", "Robot delivery, 5 corridors"], ["frozen-lake:size=8", "Frozen lake, 8 × 8"], ["frozen-lake", "Frozen lake, 4 × 4"], ["rock-sample:n=4,k=4", "Rock sample, 4 rocks"], ["tag", "Tag"], ["battery-robot", "Robot with sensors and a battery"], ["maintenance", "Maintenance with three tests"], ["toy", "Toy of the paper"]];

function theme(name) {
  document.documentElement.dataset.theme = name;
  try {
    localStorage.setItem("glimpse-theme", name);
  } catch {
    // likewise
  }
  if (bounds.length() >= 0) bounds.repaint();
}

function veil() {
  document.querySelector("main").classList.toggle("veiled", $("hide").checked);
  page.drawn = null;
}

// --------------------------------------------------------------------- tours

const guided = {
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
  // Until it has asked and been told, but no longer than so many choices.
  toRequest(most) {
    page.left = most;
    page.tillAsked = true;
    run();
  },
  pause,
};
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
  $("hide").onchange = () => {
    veil();
    render();
    remember();
  };
  $("allchoices").onchange = showPlan;
  $("layout").onchange = () => {
    setLayout($("layout").value);
    render();
    remember();
  };
  $("price").oninput = () => setPrice(page.inquiry !== null && +$("price").value === 0 ? 0 : prices.toPrice(+$("price").value));
  $("inquiry").onchange = () => {
    setInquiry(+$("inquiry").value);
    computeCurve();
  };
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
  $("edit").onclick = async () => editor.edit(page.source?.file ?? (page.model ? await work.engine.call("write") : EXAMPLES["tiger.pomdp"] ?? ""));
  editor.begin((file) => open({ file, name: "my model" }));
  $("share").onclick = async () => {
    for (const id of ["copy", "savestate", "savemodel"]) $(id).disabled = Boolean(page.recording);
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
    const lines = page.moments.map(({ text, upto, ...moment }) => JSON.stringify(moment));
    const end = JSON.stringify({ end: true, steps: lines.length, complete: page.recording ? true : Boolean(page.now?.over) });
    save("glimpse.jsonl", `${subject}${lines.map((line) => `${line}\n`).join("")}${end}\n`, "application/jsonl");
  };
  $("savestate").onclick = () => save("glimpse-state.json", `${JSON.stringify({ glimpse: "state", version: 1, ...state() })}\n`, "application/json");
  $("savemodel").onclick = async () => page.model && save("model.pomdp", await work.engine.call("write"));
  guide.begin(guided);
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
    if (event.key === " " && event.target.closest?.("button, summary, a, .choice")?.matches(":focus-visible")) return; // it presses what has the focus
    const press = { " ": () => $("play").click(), ArrowRight: () => $("next").click(), ArrowLeft: () => $("back").click(), r: () => $("restart").click(), d: () => $("dice").click(), Escape: () => guide.step(-1) }[event.key];
    const rows = [...$("choices").children];
    if (press) {
      event.preventDefault();
      press();
    } else if (/^[1-9]$/.test(event.key)) rows.filter((row) => !row.classList.contains("ask"))[+event.key - 1]?.click();
    else if (event.key === "?") {
      const asks = rows.filter((row) => row.classList.contains("ask") && !row.disabled);
      if (asks.length === 1) asks[0].click();
      else asks[(asks.indexOf(document.activeElement) + 1) % asks.length]?.focus(); // then Enter
    }
  };
  window.onhashchange = () => fromLink();
  new ResizeObserver(([entry]) => {
    $("timeline").dataset.width = Math.round(entry.contentRect.width);
    renderBar();
  }).observe($("timeline"));
}

async function fromLink() {
  if (location.hash.length < 3) return false;
  try {
    const what = readState(await unpack(location.hash.slice(1)));
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
  if (data.policy) await showPolicy(data.policy);
  return true;
}

async function fromStore() {
  const kept = recall();
  try {
    $("hide").checked = Boolean(kept?.hide);
    veil();
    if (kept?.record) showRecording(kept.record, kept.at);
    else if (!kept || !(await open({ spec: kept.spec, file: kept.file, name: kept.name }, readState(kept)))) return false;
    if (kept.policy) await showPolicy(kept.policy);
    if (kept.inquiry && page.model?.inquiries[kept.inquiry]) {
      setInquiry(kept.inquiry);
      renderPrice();
      computeCurve();
    }
    return true;
  } catch {
    return false; // of another version of the page
  }
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
  work.engine = new Engine(onNow);
  const about = await work.engine.start();
  page.environments = about.environments;
  $("version").textContent = about.version;
  const known = new Set(about.environments.map((e) => e.name));
  const rest = about.environments.filter((e) => !STARTERS.some(([spec]) => spec.split(":")[0] === e.name)).map((e) => [e.name, e.name]);
  for (const [value, label] of [...STARTERS, ...rest]) if (known.has(value.split(":")[0])) $("models").append(html("option", { value }, label));
  for (const name of Object.keys(EXAMPLES)) $("models").append(html("option", { value: name }, name));
  window.glimpse = page; // for tests, and for the curious
  if (await fromStore()) return;
  if (await fromLink()) return;
  if (await fromData()) return;
  await open({ spec: "robot-delivery:n=3" }, { seed: 2 });
}

begin().catch((error) => complain(`The page could not start: ${error.message}. It needs a browser with WebAssembly and DecompressionStream.`));

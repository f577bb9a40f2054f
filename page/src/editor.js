// The editor for a small model, with what is wrong at its line.
import { Engine } from "./engine.js";
import { html } from "./scene.js";
import { draft } from "./store.js";

const $ = (id) => document.getElementById(id);
let checker, later;

function mark(list) {
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

async function check() {
  if (!checker) {
    checker = new Engine();
    await checker.start();
  }
  const answer = await checker.call("open", { file: $("source").value });
  const list = answer.findings ?? [];
  mark(list);
  $("errors").replaceChildren(...list.map((f) => html("li", { class: f.error ? "bad" : "warn" }, f.line ? html("button", { onclick: () => goTo(f.line) }, `line ${f.line}: ${f.text}`) : f.text)),
    ...(answer.status ? (list.some((f) => f.error) ? [] : [html("li", { class: "bad" }, answer.status)]) : [html("li", { class: "fine" }, `A model with ${answer.states} states, ${answer.actions.length} actions and ${answer.observations.length} observations.`)]));
  return !answer.status;
}

// On a text, from its beginning.
export function openEditor(text) {
  $("source").value = text;
  $("afresh").hidden = true;
  if (!$("editor").open) $("editor").showModal();
  $("source").focus();
  $("source").setSelectionRange(0, 0);
  $("source").scrollTop = 0;
  mark([]);
  check();
}

// On the model that is shown, or on what was written and not used yet.
export function edit(text) {
  const before = draft();
  openEditor(before ?? text);
  $("afresh").hidden = before === null || before === text;
  $("afresh").onclick = () => {
    draft(null);
    openEditor(text);
  };
}

// `use` takes the text of a model that is in order.
export function begin(use) {
  $("check").onclick = check;
  $("use").onclick = async () => {
    if (!(await check())) return;
    $("editor").close();
    draft(null);
    use($("source").value);
  };
  $("source").oninput = () => {
    draft($("source").value);
    mark([]);
    clearTimeout(later);
    later = setTimeout(check, 500);
  };
  $("source").onscroll = () => ($("gutter").scrollTop = $("source").scrollTop);
}

// Tours: shows their steps, one after the other, beside what they are about.
import { html } from "./scene.js";
import { tours } from "./tours.js";

const $ = (id) => document.getElementById(id);
let tour = null, page;

const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// Right below, or where that would cover what is lit, on the other side, or at the top.
function place(box, target) {
  for (const where of ["", "left", "high", "left high"]) {
    box.className = `tour ${where}`;
    if (!target || !over(box.getBoundingClientRect(), target.getBoundingClientRect())) return;
  }
  box.className = "tour";
}

export async function step(i) {
  document.querySelectorAll(".lit").forEach((node) => node.classList.remove("lit"));
  const box = $("tour");
  if (!tour || i < 0 || i >= tour.steps.length) {
    tour = null;
    box.hidden = true;
    return;
  }
  const here = tour.steps[i];
  box.hidden = false;
  box.replaceChildren(html("h3", {}, tour.name), html("p", {}, here.text), html("div", { class: "row" }, html("span", {}, `${i + 1} of ${tour.steps.length}`), html("button", { onclick: () => step(-1) }, "End"), html("button", { class: "primary", id: "tournext", onclick: () => step(i + 1) }, i + 1 < tour.steps.length ? "Next" : "Done")));
  const target = document.querySelector(here.at);
  target?.classList.add("lit");
  const settle = () => {
    const block = innerWidth < 700 ? "start" : here.at === ".plan" ? "center" : "nearest";
    document.querySelector(here.see ?? here.at)?.scrollIntoView({ block, behavior: "auto" }); // what is lit, or what happens there
    place(box, target);
  };
  settle();
  $("tournext").focus({ preventScroll: true });
  await here.do?.(page);
  if (tour?.steps[i] === here && !box.hidden) settle(); // a model that was opened may have moved things
}

export function begin(guide) {
  page = guide;
  $("tours").onclick = () => $("touring").showModal();
  $("tourlist").replaceChildren(...tours.map((one) => html("button", { onclick: () => { $("touring").close(); tour = one; step(0); } }, html("b", {}, one.name), html("small", {}, one.text))));
}

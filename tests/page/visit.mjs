// A visitor: Chromium with the page in it, what the tests of the page do there, and how they run.
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

export const [build, glimpse, executablePath, work] = process.argv.slice(2);
const { chromium } = createRequire(resolve(build, "npm", "package.json"))("playwright-core");
const browser = await chromium.launch({
  executablePath,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
export const models = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../../examples/models");
export const file = `file://${resolve(build, "glimpse.html")}`;
let errors = [];

export async function visit(address, { width = 1280, height = 900, scheme = "light" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  context.setDefaultTimeout(120000); // a machine with much other work may be slow
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(address);
  await done(page);
  return page;
}
// It has decided, and the plan, which the worker is asked for then, is drawn.
export const done = (page) => page.waitForFunction(() => window.glimpse?.now && window.glimpse.done && !window.glimpse.busy && !window.glimpse.drawing);
export const text = (page, selector) => page.textContent(selector);
export const close = (page) => page.context().close();
export async function drop(page, name, content) {
  const data = await page.evaluateHandle(([n, c]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([c], n));
    return transfer;
  }, [name, content]);
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
}
export async function choose(page, spec) {
  await page.selectOption("#models", spec);
  await page.waitForFunction((s) => window.glimpse.source?.spec === s, spec);
  await done(page);
}
// Cards inside the window, none over another, no text wider than the page.
export async function structure(page) {
  const found = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth, window: innerWidth,
    cards: [...document.querySelectorAll(".card")].map((card) => {
      const box = card.getBoundingClientRect();
      return [box.left, box.top + scrollY, box.right, box.bottom + scrollY];
    }),
  }));
  ok(found.width <= found.window, `the page is ${found.width} wide in a window of ${found.window}`);
  strictEqual(found.cards.length, 6);
  found.cards.forEach((a, i) => found.cards.slice(i + 1).forEach((b) => ok(a[2] <= b[0] + 1 || b[2] <= a[0] + 1 || a[3] <= b[1] + 1 || b[3] <= a[1] + 1, "cards overlap")));
}

// All of them, or those that PAGE_TEST is part of the name of, one after the other; ends the process.
export async function run(all) {
  const tests = Object.fromEntries(Object.entries(all).filter(([name]) => name.includes(process.env.PAGE_TEST ?? "")));
  let failed = 0;
  const from = Date.now();
  for (const [name, test] of Object.entries(tests)) {
    const begin = Date.now();
    errors = [];
    try {
      await test();
      deepStrictEqual(errors, []);
      console.log(`page: ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed++;
      console.log(`page: FAILED ${name}: ${error.message}\n${error.stack.split("\n").slice(1, 4).join("\n")}\n${errors.join("\n")}`);
    }
  }
  await browser.close();
  console.log(`page: ${Object.keys(tests).length - failed} of ${Object.keys(tests).length} tests in the browser, ${((Date.now() - from) / 1000).toFixed(0)} s`);
  process.exit(failed ? 1 : 0);
}

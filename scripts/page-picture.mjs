// Draws docs/pictures/page.png: the page of "make page" in Chromium.
//
//   node scripts/page-picture.mjs [PICTURE]
import { createRequire } from "node:module";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
const { chromium } = createRequire(resolve(root, "build/page/npm/package.json"))("playwright-core");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
const page = await browser.newPage({ viewport: { width: 1400, height: 1180 }, colorScheme: "light" });
await page.goto(`file://${root}/build/page/glimpse.html`);
const done = () => page.waitForFunction(() => window.glimpse?.now && window.glimpse.done && !window.glimpse.busy && !window.glimpse.drawing, null, { timeout: 60000 });
await done();
await page.waitForFunction(() => document.getElementById("pricenote").textContent.includes("Worth"), null, { timeout: 60000 });
await page.waitForTimeout(12000); // for the better curve of prices
// Until the first package is there, and the robot wonders where the next one is.
while (await page.evaluate(() => window.glimpse.moments.length < 11)) {
  const before = await page.evaluate(() => window.glimpse.choices.length);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((n) => window.glimpse.choices.length > n, before);
  await done();
}
await page.locator("#price").evaluate((slider) => slider.dispatchEvent(new Event("input"))); // it plans anew from there
await page.waitForFunction(() => !window.glimpse.done);
await done();
await page.waitForTimeout(500);
await page.screenshot({ path: process.argv[2] ?? resolve(root, "docs/pictures/page.png") });
await browser.close();

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
await page.waitForFunction(() => window.glimpse?.done && document.getElementById("pricenote").textContent.includes("Worth"), null, { timeout: 60000 });
await page.waitForTimeout(12000); // for the better curve of prices
await page.screenshot({ path: process.argv[2] ?? resolve(root, "docs/pictures/page.png") });
await browser.close();

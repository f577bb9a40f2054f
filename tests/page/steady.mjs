// The page stays steady: nothing moves while bounds close, it has time for frames and answers while it searches, and
// what was written or played is there again after a reload.
//
//   node steady.mjs PAGE-BUILD GLIMPSE CHROMIUM WORK
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, choose, close, done, drop, file, glimpse, run, text, visit, work } from "./visit.mjs";

const slide = (page, id, value) => page.locator(`#${id}`).evaluate((slider, v) => { slider.value = v; slider.dispatchEvent(new Event("input")); }, value);

// Chromium counts what moves without being asked to.  The bars of the choices do: they are the bounds.
const watch = (page) => page.evaluate(() => {
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      for (const { node, previousRect, currentRect } of entry.sources)
        if (!node?.matches?.(".choice .span i, .plotted span")) window.moved.push(`${node?.id || node?.className || node?.nodeName} from ${previousRect.y} to ${currentRect.y}, ${previousRect.height} to ${currentRect.height} high`);
  }).observe({ type: "layout-shift" });
});

const LONG = 25; // ms

// Tasks of the page's own thread, by the processor time they take, which other work on the machine does not change.
async function trace(page, stages) {
  const session = await page.context().newCDPSession(page), events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel", "devtools.timeline"] } });
  for (const [name, stage] of Object.entries(stages)) {
    await page.evaluate((n) => console.timeStamp(n), name);
    await stage();
  }
  const over = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await over;
  const stamps = events.filter((e) => e.name === "TimeStamp" && e.args.data.message in stages).sort((a, b) => a.ts - b.ts);
  strictEqual(stamps.length, Object.keys(stages).length);
  const tasks = events.filter((e) => e.ph === "X" && e.pid === stamps[0].pid && e.tid === stamps[0].tid && e.name.endsWith("RunTask"));
  return stamps.map((stamp, i) => {
    const within = tasks.filter((task) => task.ts >= stamp.ts && task.ts < (stamps[i + 1]?.ts ?? Infinity)).map((task) => task.tdur / 1000).filter(Number.isFinite);
    ok(within.length > 5, `${within.length} tasks while: ${stamp.args.data.message}`);
    return [stamp.args.data.message, Math.max(...within)];
  });
}

const tests = {
  async "nothing moves while bounds close, prices change and steps are made"() {
    for (const [width, height, models] of [[1280, 900, ["robot-delivery:n=3", "tiger", "battery-robot"]], [360, 740, ["tiger"]], [2500, 1300, ["battery-robot"]]]) {
      const page = await visit(file, { width, height });
      for (const spec of models) {
        await choose(page, spec);
        await page.waitForFunction(() => /pays|little/.test(document.getElementById("pricenote").textContent)); // the curve is there
        await watch(page);
        for (const part of [100, 400, 900, 200]) await slide(page, "price", part);
        await done(page);
        for (let i = 0; i < 3; i++) {
          const before = await page.evaluate(() => window.glimpse.choices.length);
          await page.keyboard.press("ArrowRight");
          await page.waitForFunction((n) => window.glimpse.choices.length > n || window.glimpse.now.over, before);
          await done(page);
        }
        await page.keyboard.press("2"); // the visitor's, who is told what it costs
        await page.waitForFunction(() => window.glimpse.now.over || document.getElementById("cost").textContent !== "");
        await done(page);
        deepStrictEqual(await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(window.moved))))), [], `${spec} in ${width} × ${height}`);
      }
      await close(page);
    }
  },
  async "a choice that is much worse than all others leaves room for them"() {
    const page = await visit(file);
    await choose(page, "rock-sample:n=4,k=4"); // going west is worth -100, the others about 21
    const [low] = (await page.locator("#axis span").allTextContents()).map(Number);
    ok(low > 0, `the axis begins at ${low}`);
    deepStrictEqual(await page.locator("#choices .choice:has(.far) .name").allTextContents(), ["west", "sample"]);
    await page.addStyleTag({ content: "#choices { max-height: 9rem !important }" });
    await choose(page, "sepsis"); // a long list: what was chosen is inside its box
    ok(await page.locator("#choices").evaluate((box) => {
      const a = box.querySelector(".best").getBoundingClientRect(), b = box.getBoundingClientRect();
      return a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
    }), "the choice is out of sight");
    await close(page);
  },
  async "what was written, played or hidden is there after a reload"() {
    const page = await visit(file);
    await page.click("#edit");
    await page.waitForSelector("#editor[open]");
    await page.fill("#source", "states: a b\nnonsense");
    await page.waitForSelector("#errors .bad");
    await page.reload(); // with an error in it
    await done(page);
    await page.click("#edit");
    await page.waitForSelector("#editor[open]");
    strictEqual(await page.inputValue("#source"), "states: a b\nnonsense");
    await page.click("#afresh");
    ok((await page.inputValue("#source")).includes("row1col1"));
    await page.keyboard.press("Escape");
    await page.check("#hide");
    await page.reload();
    await done(page);
    strictEqual(await page.isChecked("#hide"), true);
    await close(page);
    // A page that `glimpse view` wrote, and a link: what was done since then counts.
    const written = join(work, "played.html");
    execFileSync(glimpse, ["view", "tiger", "-o", written], { stdio: "ignore", env: { ...process.env, GLIMPSE_PAGE: resolve(build, "glimpse.html") } });
    const view = await visit(`file://${written}`);
    const listen = async (page, count) => {
      await page.keyboard.press("1");
      await page.waitForFunction((n) => window.glimpse.moments.length === n, count);
      await done(page);
    };
    await listen(view, 1);
    await view.click("#share");
    await view.waitForFunction(() => document.getElementById("link").value.includes("#"));
    const link = await view.inputValue("#link"), saving = view.waitForEvent("download");
    await view.click("#savestate");
    const state = readFileSync(await (await saving).path(), "utf8");
    await view.keyboard.press("Escape");
    await listen(view, 2);
    await view.reload();
    await done(view);
    strictEqual(await view.evaluate(() => window.glimpse.moments.length), 2);
    await close(view);
    const linked = await visit(link);
    strictEqual(await linked.evaluate(() => window.glimpse.moments.length), 1);
    await listen(linked, 2);
    await linked.reload();
    await done(linked);
    strictEqual(await linked.evaluate(() => window.glimpse.moments.length), 2);
    await close(linked);
    // The state as a file, and damaged ones.
    const other = await visit(file);
    await drop(other, "glimpse-state.json", state);
    await other.waitForFunction(() => window.glimpse.moments.length === 1);
    await done(other);
    for (const [wrong, says] of [[state.slice(0, -9), "cut off"], [state.replace('"version":1', '"version":7'), "version 7"], [state.replace('"choices":[', '"choices":[-3,'), "'choices'"], [state.replace('"spec"', '"sepc"'), "no model"]]) {
      await drop(other, "wrong.json", wrong);
      await other.waitForFunction((words) => document.getElementById("banner").textContent.includes(words), says);
      strictEqual(await other.evaluate(() => window.glimpse.moments.length), 1); // what was there stays
    }
    await close(other);
  },
  async "a step that is asked for during a long search is promised, and made when asked again"() {
    const page = await visit(file);
    await choose(page, "robot-delivery:n=5");
    await slide(page, "price", 1000);
    await slide(page, "budget", 16);
    await page.waitForFunction(() => window.glimpse.now.planned && !window.glimpse.done);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.getElementById("verdict").textContent.endsWith("steps when it has thought"));
    strictEqual(await page.evaluate(() => window.glimpse.choices.length), 0);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => window.glimpse.choices.length === 1);
    ok(!(await text(page, "#verdict")).includes("steps when"));
    await close(page);
  },
  async "no task of the page is long, whatever the visitor does"() {
    const stages = (page) => ({
      "a model opens": () => choose(page, "tag"),
      "the price moves": async () => {
        for (const part of [200, 500, 800, 300]) {
          await slide(page, "price", part);
          await page.waitForTimeout(50);
        }
        await done(page);
      },
      "all choices are drawn": async () => {
        await choose(page, "robot-delivery:n=5");
        await page.check("#allchoices");
        await page.waitForFunction(() => document.querySelectorAll("#graph .edge.off").length > 0);
        await page.locator("#graph .gnode:not(.open):not(.leaf)").first().click();
        await page.uncheck("#allchoices");
      },
      "an episode runs": async () => {
        await slide(page, "speed", 4);
        await page.click("#play");
        await page.waitForFunction(() => window.glimpse.moments.length > 5 || window.glimpse.now.over);
        if (await page.isEnabled("#play")) await page.click("#play");
      },
      "a search of a million expansions": async () => {
        await choose(page, "battery-robot");
        await slide(page, "budget", 16);
        await page.waitForTimeout(1500);
      },
    });
    const measure = async () => {
      const page = await visit(file), found = await trace(page, stages(page));
      await close(page);
      return found;
    };
    // Much other work on the machine costs processor time here, too, when caches are cold: then it is tried again.
    let found = await measure();
    for (let again = 0; again < 2 && found.some(([, most]) => most >= LONG); again++)
      found = (await measure()).map(([name, most], i) => [name, Math.min(most, found[i][1])]);
    console.log(`page: the longest tasks in ms of processor time: ${found.map(([name, most]) => `${name} ${most.toFixed(0)}`).join(", ")}`);
    for (const [name, most] of found) ok(most < LONG, `${name}: a task takes ${most.toFixed(0)} ms of processor time; a frame has 33, an answer 50`);
  },
  async "frames and answers while it searches"() {
    const page = await visit(file);
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" }); // processor time of the page's own thread
    const spent = async () => 1000 * (await session.send("Performance.getMetrics")).metrics.find((one) => one.name === "TaskDuration").value;
    await choose(page, "robot-delivery:n=5"); // where asking is dear it takes long to solve
    for (const [name, value] of [["price", 1000], ["budget", 16]]) await page.locator(`#${name}`).evaluate((slider, v) => { slider.value = v; slider.dispatchEvent(new Event("input")); }, value);
    await page.waitForFunction(() => window.glimpse.now.planned && !window.glimpse.done);
    const before = await spent();
    const found = await page.evaluate(() => new Promise((resolve) => {
      const from = performance.now(), tasks = [];
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask" });
      let frames = 0, last = from, worst = 0;
      const tick = (now) => {
        frames++;
        worst = Math.max(worst, now - last);
        last = now;
        if (now - from < 2500) requestAnimationFrame(tick);
        else resolve({ frames, rate: (1000 * frames) / (now - from), worst, searching: !window.glimpse.done, task: Math.max(0, ...tasks), tasks: tasks.length });
      };
      requestAnimationFrame(tick);
    }));
    const each = ((await spent()) - before) / found.frames;
    ok(found.searching, "the search was over before it could be measured");
    // A click, and when what it did is on the screen.
    const clicks = [];
    for (let i = 0; i < 5; i++) {
      const from = await spent();
      const took = await page.evaluate(() => new Promise((resolve) => {
        const clicked = performance.now();
        document.getElementById("tours").click();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - clicked)));
      }));
      clicks.push([took, (await spent()) - from]);
      await page.keyboard.press("Escape");
    }
    const middle = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
    const answer = middle(clicks.map(([took]) => took)), cost = middle(clicks.map(([, work]) => work));
    console.log(`page: while it searches ${found.rate.toFixed(0)} frames a second, ${each.toFixed(1)} ms of processor time each, the slowest after ${found.worst.toFixed(0)} ms; ${found.tasks} tasks above 50 ms, the longest ${found.task.toFixed(0)} ms; a click is answered in ${answer.toFixed(0)} ms with ${cost.toFixed(0)} ms of processor time`);
    // Wanted are 30 frames a second, 50 ms and no long task.  What a machine with other work to do says of time is told
    // alone; that the page's own work leaves room for it has to hold everywhere.
    ok(each < 1000 / 30, `a frame takes ${each.toFixed(0)} ms of processor time`);
    ok(cost < 50, `a click takes ${cost.toFixed(0)} ms of processor time`);
    ok(found.rate > 2 && answer < 2000, "the page does not keep up");
    await close(page);
  },
};

await run(tests);

// A page whose exhibit plays: how soon it answers hands, how long it keeps the processor, and what
// memory it takes in the end.

import { call, openPage, ready, DIST } from "../browser/harness.mjs";
import { serve } from "../browser/server.mjs";
import { rounded } from "./engine.mjs";
import { busiestSince, ownMemory, pageProcesses } from "./process.mjs";

const EXHIBIT = "event-life";
const MINUTE_MS = 60_000;
/** How long tasks are watched once the exhibit is ready. */
const WATCHED_MS = 8_000;
/** Between two interactions, so that each is answered before the next. */
const BETWEEN_MS = 250;
/** What memory is compared with: the page when it has played so long. */
const WARM_MS = 10_000;

/** Interactions, tasks and memory. The last takes a minute, or ten. */
export async function playing(browser, minutes) {
  const site = await serve(DIST);
  try {
    const url = site.url(`exhibits/${EXHIBIT}/`);
    return {
      interaction_to_next_paint_ms: await interactions(browser, url, 1),
      interaction_to_next_paint_ms_4x_cpu: await interactions(browser, url, 4),
      longest_task_ms: await longestTask(browser, url),
      ...(await memory(browser, url, minutes)),
    };
  } finally {
    await site.close();
  }
}

/** The slowest of some two dozen clicks and keys while the exhibit plays. */
async function interactions(browser, url, cpu) {
  const page = await openPage(browser, url, { init: `(${noteInteractions})()` });
  try {
    const element = await ready(page);
    // Who touches an exhibit has brought the pointer to it before, which fetches the second part.
    await element.locator(".map:visible").first().hover();
    await page.waitForLoadState("networkidle");
    await call(page, "play");
    const wire = await page.context().newCDPSession(page);
    await wire.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    const then = () => page.waitForTimeout(BETWEEN_MS * Math.sqrt(cpu));
    const places = await element.evaluate(chosenOnTheMap);
    for (const { x, y } of places) {
      await page.mouse.click(x, y);
      await then();
    }
    // Faster and slower again, and the list of keys. What was clicked on may be gone by now.
    await element.locator("article").first().focus();
    for (const key of ["]", "[", "]", "[", "?", "Escape", "?", "Escape"]) {
      await page.keyboard.press(key);
      await then();
    }
    // What more can be done is shown and put away.
    const more = element.locator(".acts button[aria-expanded]").first();
    for (let times = 0; times < 2; times += 1) {
      await more.click();
      await then();
    }
    if (!(await call(page, "snapshot")).playing) throw new Error("it has stopped playing meanwhile");
    await then();
    const slowest = await page.evaluate(() => window.interactions);
    if (slowest.length < places.length) {
      throw new Error(`${slowest.length} interactions were measured of ${places.length} clicks alone`);
    }
    return rounded(Math.max(...slowest));
  } finally {
    await page.context().close();
  }
}

/** Runs in the page: keeps how long each interaction took until the next picture. */
function noteInteractions() {
  window.interactions = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.interactionId) window.interactions.push(entry.duration);
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
}

/** Runs in the page: the middles of what can be chosen on the map, up to a dozen in the window. */
function chosenOnTheMap(element) {
  const goals = [...element.shadowRoot.querySelectorAll("svg.map [data-go]")];
  const boxes = goals.map((goal) => goal.getBoundingClientRect());
  return boxes
    .filter((box) => box.width > 0 && box.top > 0 && box.bottom < window.innerHeight)
    .slice(0, 12)
    .map((box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 }));
}

/** The longest task of the page's main thread while its exhibit computes and plays. */
async function longestTask(browser, url) {
  const page = await openPage(browser, "about:blank");
  try {
    await page.goto(url, { waitUntil: "load" });
    await ready(page);
    const categories = ["toplevel", "disabled-by-default-devtools.timeline", "blink.user_timing"];
    await browser.startTracing(page, { categories });
    await page.evaluate(() => performance.mark("bench: after load"));
    await call(page, "play");
    await page.waitForTimeout(WATCHED_MS);
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
    const mark = traceEvents.find((event) => event.name === "bench: after load");
    if (!mark) throw new Error("the mark is not in the trace");
    const own = (event) => event.pid === mark.pid && event.tid === mark.tid && event.ts > mark.ts;
    // The task under way when the trace ends has no length.
    const whole = traceEvents.filter((event) => event.ph === "X" && event.dur > 0);
    const tasks = whole.filter((event) => /RunTask$/.test(event.name) && own(event));
    if (tasks.length === 0) throw new Error("no task is in the trace");
    return rounded(Math.max(...tasks.map((task) => task.dur / 1000)));
  } finally {
    await page.context().close();
  }
}

/** What the page's process holds for itself after so many minutes, and how much more than at first. */
async function memory(browser, url, minutes) {
  const page = await openPage(browser, url);
  try {
    await ready(page);
    const before = await pageProcesses(browser);
    await page.evaluate(playOnAndOn);
    const wire = await page.context().newCDPSession(page);
    const held = async () => {
      await wire.send("HeapProfiler.collectGarbage");
      return ownMemory(await busiestSince(browser, before));
    };
    await page.waitForTimeout(WARM_MS);
    const first = await held();
    await page.waitForTimeout(minutes * MINUTE_MS - WARM_MS);
    const last = await held();
    if (page.problems.length) throw new Error(page.problems.join("\n"));
    return {
      [`memory_after_${minutes}min_mb`]: rounded(last),
      [`memory_grown_in_${minutes}min_mb`]: rounded(last - first),
    };
  } finally {
    await page.context().close();
  }
}

/** Runs in the page: plays, and at the end plays again. */
function playOnAndOn() {
  const face = document.querySelector("in-flight").api(1);
  const on = async () => {
    const { playing, seconds, end } = await face.snapshot();
    if (!playing && seconds >= end) await face.reset();
    if (!playing) await face.play();
  };
  on();
  setInterval(on, 1_000);
}

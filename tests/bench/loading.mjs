// What a reader waits for when a page with an exhibit is loaded: over a slow line and on a slow
// processor, and over none.

import { openPage, waitForEvent } from "../browser/harness.mjs";
import { median, rounded } from "./engine.mjs";
import { compressed } from "./host.mjs";

const EXHIBIT = "event-life";
const LOADS = 5;
/** Lighthouse's slow 4G: a round trip of 150 ms, 1.6 Mbit/s down, 750 kbit/s up. */
const SLOW = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000, cpu: 4 };
/** How long a page is watched for shifts once its exhibit is ready. */
const SETTLED_MS = 1_500;

/** Medians of several loads with nothing kept from the one before. */
export async function loading(browser) {
  const site = await compressed();
  try {
    const url = site.url(`exhibits/${EXHIBIT}/`);
    // The host compresses each file the first time it is asked for it.
    await load(browser, url);
    const [slow, fast] = [[], []];
    for (let round = 0; round < LOADS; round += 1) {
      slow.push(await load(browser, url, SLOW));
      fast.push(await load(browser, url));
    }
    const middle = (loads, name) => rounded(median(loads.map((load) => load[name])));
    return {
      largest_contentful_paint_ms: middle(slow, "paint"),
      first_moving_frame_ms: middle(slow, "moving"),
      first_moving_frame_ms_unthrottled: middle(fast, "moving"),
      total_blocking_time_ms: middle(fast, "blocking"),
      total_blocking_time_ms_slow: middle(slow, "blocking"),
      layout_shift: Math.max(...slow.map((load) => load.shift)),
    };
  } finally {
    await site.close();
  }
}

/** One load in a context of its own, whose exhibit is played as soon as it can be. */
async function load(browser, url, slow) {
  const page = await openPage(browser, "about:blank", { init: `(${watch})()` });
  try {
    if (slow) {
      const { cpu, ...line } = slow;
      const wire = await page.context().newCDPSession(page);
      await wire.send("Network.enable");
      await wire.send("Network.emulateNetworkConditions", { offline: false, ...line });
      await wire.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    }
    await page.goto(url, { waitUntil: "load" });
    await waitForEvent(page, "inflight-ready");
    await page.waitForFunction(() => window.seen.moving !== undefined);
    await page.waitForTimeout(SETTLED_MS);
    if (page.problems.length) throw new Error(page.problems.join("\n"));
    return await page.evaluate(() => ({
      ...window.seen,
      blocking: window.seen.tasks
        .filter((task) => task.start >= window.seen.first && task.start < window.seen.moving)
        .reduce((sum, task) => sum + task.ms - 50, 0),
    }));
  } finally {
    await page.context().close();
  }
}

/** Runs in the page before anything of its own, and notes what comes when. */
function watch() {
  const seen = { paint: 0, first: 0, shift: 0, tasks: [], moving: undefined };
  window.seen = seen;
  const observe = (type, note) => {
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  };
  observe("largest-contentful-paint", (entry) => {
    seen.paint = entry.startTime;
  });
  observe("paint", (entry) => {
    if (entry.name === "first-contentful-paint") seen.first = entry.startTime;
  });
  observe("layout-shift", (entry) => {
    if (!entry.hadRecentInput) seen.shift += entry.value;
  });
  observe("longtask", (entry) => seen.tasks.push({ start: entry.startTime, ms: entry.duration }));
  document.addEventListener("inflight-ready", ({ target }) => {
    const moved = new MutationObserver((changes) => {
      const moves = changes.some(({ target }) => target.closest?.("svg.map") && target.dataset.m);
      if (!moves || seen.moving !== undefined) return;
      moved.disconnect();
      // What has been changed is drawn in the frame under way, which is over when the next begins.
      requestAnimationFrame(() => {
        seen.moving = performance.now();
      });
    });
    moved.observe(target.shadowRoot, { attributes: true, subtree: true });
    target.api(1).play();
  }, { once: true });
}

// Frames a second with a thousand messages and more on their way over a map, and two live charts,
// in Chromium on the built site.

import { call, drawn, openPage, ready, DIST } from "../browser/harness.mjs";
import { serve } from "../browser/server.mjs";
import { rounded } from "./engine.mjs";
import { busiestSince, mainThreadMs, pageProcesses } from "./process.mjs";

/** How many messages are on their way at a time. */
const CROWDS = [1000, 5000];
/** How long a message travels: from the middle of the run on as many arrive as leave. */
const TRAVEL_S = { min: 15, max: 25 };
const STEADY = "26s";
const WARM_MS = 1_500;
const MEASURED_MS = 8_000;
/** Chance makes the number on screen vary; fewer than this share of it measures something else. */
const LEAST_SHARE = 0.9;

/** How many sources there are, each with a line of its own, and queues that they send to in turn. */
const SOURCES = 8;
const QUEUES = 2;

/** Sources, queues and four workers at each of these, with so many messages on the lines between. */
export function crowd(messages) {
  const perSecond = messages / ((TRAVEL_S.min + TRAVEL_S.max) / 2);
  const work = { wait: { label: "work", for: `${Math.floor((QUEUES * 3e6) / perSecond)}us` } };
  const travel = { uniform: { min: `${TRAVEL_S.min}s`, max: `${TRAVEL_S.max}s` } };
  const arrivals = { poisson: { per_second: perSecond / SOURCES } };
  const components = {};
  for (let n = 0; n < SOURCES; n += 1) {
    const lanes = Array.from({ length: 8 }, (_, lane) => ({ lane: `lane ${lane}` }));
    const to = `jobs-${n % QUEUES}`;
    components[`feed-${n}`] = { is: "source", to, travel, arrivals, key: "lane", messages: lanes };
  }
  for (let n = 0; n < QUEUES; n += 1) {
    components[`jobs-${n}`] = { is: "queue", profile: "sqs-standard" };
    const on_message = [work, { ack: {} }];
    components[`crew-${n}`] = { is: "workers", from: `jobs-${n}`, count: 4, on_message };
  }
  return {
    format: 1,
    kind: "simulator",
    title: `${messages} messages`,
    module: "m1",
    number: "1.1",
    lesson: "A crowd is drawn as well as a few are.",
    rules: "Amazon SQS rules",
    summary: "Many messages on their way at a time, for a measurement.",
    scenario: {
      format: 1,
      name: "A crowd",
      seed: "1",
      until: "60s",
      components,
    },
    views: ["topology", "transcript"],
    gauges: [{ shows: "depth", of: "jobs-0", label: "Waiting" }],
    charts: [
      { label: "Waiting", series: [{ shows: "depth", of: "jobs-0", label: "waiting" }] },
      { label: "Acked", series: [{ shows: "acked", of: "jobs-0", label: "acked" }] },
    ],
  };
}

/** Frames a second of each crowd, and for the smaller one the frame that 95 in 100 are as short as. */
export async function crowds(browser) {
  const pages = Object.fromEntries(CROWDS.map((n) => [`/${n}.json`, JSON.stringify(crowd(n))]));
  const site = await serve(DIST, { pages: { ...pages, ...hosts(CROWDS) } });
  const figures = {};
  try {
    for (const messages of CROWDS) {
      const url = `${site.origin}/${messages}.html`;
      const { gaps, spent, signs, dots } = await play(browser, url, messages);
      figures[`fps_${messages}_tokens`] = rounded(gaps.length / (sum(gaps) / 1000));
      figures[`p95_frame_ms_${messages}_tokens`] = rounded(percentile(gaps, 0.95));
      figures[`cpu_ms_per_frame_${messages}_tokens`] = rounded(spent / gaps.length);
      figures[`signs_for_${messages}_tokens`] = signs;
      figures[`dots_for_${messages}_tokens`] = dots;
    }
    return figures;
  } finally {
    await site.close();
  }
}

function hosts(sizes) {
  const host = (n) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Crowd</title>
    <link rel="icon" href="data:,"><script src="/courses/inflight/element.js" async></script></head>
    <body><in-flight src="/${n}.json" loading="eager"></in-flight></body></html>`;
  return Object.fromEntries(sizes.map((n) => [`/${n}.html`, host(n)]));
}

/**
 * Plays from the middle of the run on: the milliseconds between one frame and the next, and those
 * that the page's main thread had the processor, which neighbours on the machine do not lengthen.
 */
async function play(browser, url, messages) {
  const page = await openPage(browser, url);
  try {
    const element = await ready(page);
    const before = await pageProcesses(browser);
    await call(page, "seek", STEADY);
    await drawn(page);
    await element.locator(".map:visible").first().scrollIntoViewIfNeeded();
    await call(page, "play");
    await page.waitForTimeout(WARM_MS);
    const pid = await busiestSince(browser, before);
    const begun = mainThreadMs(pid);
    const gaps = await page.evaluate(frames, MEASURED_MS);
    const spent = mainThreadMs(pid) - begun;
    const { playing } = await call(page, "snapshot");
    if (!playing) throw new Error("the run ended before the measurement did");
    // What moves is on a canvas; what stands is in the map, where it can be counted.
    await call(page, "pause");
    await drawn(page);
    const { signs, dots, said } = await element.evaluate(countTokens);
    const shown = Math.max(signs, said);
    if (shown < messages * LEAST_SHARE) throw new Error(`${shown} of ${messages} messages are shown`);
    if (page.problems.length) throw new Error(page.problems.join("\n"));
    return { gaps, spent, signs, dots };
  } finally {
    await page.context().close();
  }
}

/** Runs in the page: the gaps between frames for so many milliseconds. */
function frames(ms) {
  return new Promise((done) => {
    const gaps = [];
    let first;
    let last;
    const frame = (now) => {
      if (last !== undefined) gaps.push(now - last);
      first ??= now;
      last = now;
      if (now - first < ms) requestAnimationFrame(frame);
      else done(gaps);
    };
    requestAnimationFrame(frame);
  });
}

/**
 * Runs in the page: how many signs and how many dots the map that is in sight draws, and how many
 * messages it says the dots stand for. Where dots would hide each other fewer are drawn.
 */
function countTokens(element) {
  const maps = [...element.shadowRoot.querySelectorAll("svg.map")];
  const map = maps.find((map) => map.getBoundingClientRect().width > 0);
  const paths = [...map.querySelectorAll(".crowd")].map((path) => path.getAttribute("d") ?? "");
  const said = [...map.querySelectorAll(".crowd ~ text")];
  const number = (text) => Number(text.textContent.replaceAll(/\D/g, ""));
  return {
    signs: map.querySelectorAll(".tok").length,
    dots: paths.join("").split("M").length - 1,
    said: said.reduce((all, text) => all + number(text), 0),
  };
}

export function sum(values) {
  return values.reduce((all, value) => all + value, 0);
}

/** The value that so large a share of all is not above. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}

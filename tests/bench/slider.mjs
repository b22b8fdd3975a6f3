// From a slider's input to the picture of the new run, in Chromium on the built site.

import { openPage, ready, DIST } from "../browser/harness.mjs";
import { serve } from "../browser/server.mjs";
import { median, rounded } from "./engine.mjs";

const REPETITIONS = 30;

/** Medians in milliseconds. */
export async function slider(browser, exhibit = "event-life") {
  const site = await serve(DIST);
  try {
    const page = await openPage(browser, site.url(`exhibits/${exhibit}/`));
    const element = await ready(page);
    // The controls are folded away until they are asked for.
    await element.locator(".acts button[aria-expanded=false]").first().click();
    const control = element.locator("input[type=range][data-control]").first();
    await control.scrollIntoViewIfNeeded();
    const runs = await control.evaluate(moveAndWait, REPETITIONS);
    await page.context().close();
    return {
      slider_to_picture_ms: rounded(median(runs.map((run) => run.picture))),
      slider_handler_ms: rounded(median(runs.map((run) => run.handler))),
    };
  } finally {
    await site.close();
  }
}

/** Runs in the page: each time waits for a frame, moves the slider, waits for two more. */
async function moveAndWait(input, repetitions) {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const [low, high] = [Number(input.min), Number(input.max)];
  const steps = Math.round((high - low) / Number(input.step || 1));
  const runs = [];
  for (let index = 0; index < repetitions; index += 1) {
    const place = (index * 7) % (steps + 1);
    await frame();
    const start = performance.now();
    input.value = String(low + place * Number(input.step || 1));
    input.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    const handled = performance.now();
    await frame();
    await frame();
    runs.push({ handler: handled - start, picture: performance.now() - start });
  }
  return runs;
}

// Many runs in workers: they come to the same as without, and where no worker can start the page does
// all of it.

import assert from "node:assert/strict";
import { DIST, exhibit, openPage, ready, stage } from "./harness.mjs";
import { serve } from "./server.mjs";

const site = stage();

const button = (page, name) => exhibit(page).getByRole("button", { name });

/** A hundred runs of a retry storm whose waits are drawn: what they come to, in words and as bands. */
async function hundred(page, during = async () => {}) {
  await ready(page);
  await button(page, "Skip").click();
  await exhibit(page).getByRole("button", { name: "More", exact: true }).click();
  await exhibit(page).getByLabel("After a failure, a client waits").selectOption("all of it drawn");
  await button(page, "Run it 100 times").click();
  await during();
  await button(page, "Put the runs away").waitFor({ timeout: 120_000 });
  const said = await exhibit(page).locator(".many__found li").allInnerTexts();
  const bands = exhibit(page).locator(".line__runs, .line__mean");
  return { said, bands: await bands.evaluateAll((all) => all.map((band) => band.getAttribute("d"))) };
}

const NONE = "delete window.Worker";
const BROKEN = `window.Worker = class extends Worker {
  constructor(address, options) { super(address.replace("worker.js", "nowhere.js"), options); }
}`;

/** Keeps count of the runs that workers have told of. */
const COUNTED = `window.told = 0;
window.Worker = class extends Worker {
  constructor(address, options) {
    super(address, options);
    this.addEventListener("message", ({ data }) => { window.told += data.outcome ? 1 : 0; });
  }
}`;

site.test("workers compute runs, and it makes no difference to what comes of them", async ({ open }) => {
  const path = "exhibits/retry-storm/";
  const counted = await open(path, { init: COUNTED });
  let started = 0;
  const shared = await hundred(counted, async () => {
    if (!counted.workers().length) await counted.waitForEvent("worker", { timeout: 10_000 });
    started = counted.workers().length;
  });
  const told = await counted.evaluate(() => window.told);
  assert.ok(started >= 1 && told > 0 && told <= 100, `${started} workers, ${told} runs`);
  assert.equal(counted.workers().length, 0, "they end when there is nothing more to do");
  assert.deepEqual(await hundred(await open(path, { init: NONE })), shared);
});

site.test("workers that fail leave their runs to the page", async ({ open }) => {
  const page = await open("exhibits/retry-storm/", { init: BROKEN });
  const { said } = await hundred(page);
  assert.match(said[0], /100 runs\.$/);
}, { allow: [/nowhere\.js|404/] });

site.test("in the page of somebody else the runs are the page's", async ({ site: ours, browser }) => {
  const host = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>
    <link rel="icon" href="data:,"><script src="${ours.url("element.js")}" async></script></head>
    <body><h1>Host</h1><in-flight exhibit="retry-storm"></in-flight></body></html>`;
  const foreign = await serve(DIST, { base: "/none/", pages: { "/": host } });
  try {
    const page = await openPage(browser, `${foreign.origin}/`);
    const { said } = await hundred(page);
    assert.match(said[0], /100 runs\.$/);
    assert.deepEqual([page.workers().length, page.problems], [0, []]);
    await page.context().close();
  } finally {
    await foreign.close();
  }
});

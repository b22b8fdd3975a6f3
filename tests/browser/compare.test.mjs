// Many runs, another run beside this one, and predictions: by pointer, by keyboard, and for axe.

import assert from "node:assert/strict";
import { becomes, call, checkAccess, checkNoSidewaysScroll, exhibit, ready, stage } from "./harness.mjs";

const site = stage();

const button = (page, name) => exhibit(page).getByRole("button", { name });
const snapshot = (page) => call(page, "snapshot");
const focused = (page) => exhibit(page).locator(":focus");

async function opened(open, id, options = {}) {
  const page = await open(`exhibits/${id}/`, options);
  await ready(page);
  return page;
}

/** A retry storm whose waits are drawn, with More open. */
async function storm(open, options = {}) {
  const page = await opened(open, "retry-storm", options);
  await button(page, "Skip").click();
  await button(page, "More").click();
  await exhibit(page).getByLabel("After a failure, a client waits").selectOption("all of it drawn");
  return page;
}

site.test("a run is repeated in the background, says what came of it, and can be put away", async ({ open }) => {
  const page = await storm(open);
  await button(page, "Run it 100 times").focus();
  await page.keyboard.press("Enter");
  await exhibit(page).locator(".many progress").waitFor();
  await becomes(() => focused(page).innerText(), /Stop/, "the focus is on what ends it");
  await button(page, "Put the runs away").waitFor({ timeout: 120_000 });
  const found = await exhibit(page).locator(".many__found li").allInnerTexts();
  assert.match(found[0], /^Answered: .* in (each of )?.*100 runs\.$/);
  assert.ok(found.some((said) => /with 95 % confidence; from/.test(said)), found.join("\n"));
  assert.ok(found.some((said) => /^“no effect twice” held in \d+ of 100 runs\.$/.test(said)));
  await becomes(() => exhibit(page).locator(".line__runs").count(), (n) => n >= 2, "bands behind the lines");
  await exhibit(page).getByRole("status").filter({ hasText: "100 runs are done." }).waitFor();
  const read = exhibit(page).getByRole("slider", { name: /^Read “Requests/ });
  await read.focus();
  await page.keyboard.press("PageUp");
  await becomes(() => read.getAttribute("aria-valuetext"), /requests in many runs .* in nine of ten/);
  await button(page, "Put the runs away").click();
  await becomes(() => exhibit(page).locator(".line__runs").count(), 0);
});

site.test("runs can be stopped, and another setting puts them away", async ({ open }) => {
  const page = await storm(open);
  await button(page, "Run it 1,000 times").click();
  await exhibit(page).locator(".many__found li").first().waitFor();
  await button(page, "Stop").click();
  const [, n] = /seeds 1 to (\d+)/.exec(await exhibit(page).locator(".many__found").innerText());
  assert.ok(Number(n) > 0 && Number(n) < 1_000, n);
  await exhibit(page).getByLabel("After a failure, a client waits").selectOption("1 s each time");
  await becomes(() => exhibit(page).locator(".many--runs").count(), 0, "nothing is drawn in this one");
});

site.test("two runs have one playhead, and say where they part", async ({ open }) => {
  const page = await opened(open, "event-life");
  await call(page, "seek", 22);
  await button(page, "More").click();
  await button(page, "Compare with this run").click();
  const part = exhibit(page).locator(".compare__part");
  await becomes(() => part.innerText(), /^Both runs are the same/);
  await becomes(() => focused(page).innerText(), /Put the other run away/);
  await button(page, /^Crash worker 2/).click();
  await becomes(() => part.innerText(), /^The runs part at 0:22\.0\. Here: Worker 2 dies/);
  await call(page, "seek", 40);
  await becomes(() => exhibit(page).locator(".compare__map figcaption").innerText(), /0:40\.0$/);
  const gauges = await exhibit(page).locator(".gauge").count();
  await becomes(() => exhibit(page).locator(".gauge__other").count(), gauges);
  await button(page, "The runs part at 0:22.0").click();
  await becomes(async () => (await snapshot(page)).seconds, 22);
  await call(page, "seek", 30);
  await button(page, "Go there").focus();
  await page.keyboard.press("Enter");
  await becomes(async () => (await snapshot(page)).seconds, 22);
  await becomes(() => exhibit(page).locator(".compare__words").innerText(), /At the end: .+ here, .+ there/);
  await button(page, "Put the other run away").click();
  await becomes(() => exhibit(page).locator(".compare, .gauge__other").count(), 0);
  await becomes(() => focused(page).innerText(), /Compare with this run/);
});

site.test("a chart has the other run as a line of its own", async ({ open }) => {
  const page = await opened(open, "retry-storm");
  await button(page, "Skip").click();
  await button(page, "More").click();
  await button(page, "Compare with this run").click();
  const wait = exhibit(page).getByLabel("After a failure, a client waits");
  await wait.selectOption("1 s each time");
  const lines = exhibit(page).locator(".line__other");
  await becomes(() => lines.count(), 2);
  const own = await exhibit(page).locator(".line__next").first().getAttribute("d");
  await becomes(() => lines.first().getAttribute("d"), (now) => now !== own);
  const set = exhibit(page).locator(".compare__set");
  await becomes(() => set.innerText(), /1 s each time here, 1, 2, 4, 8, 8 s there/);
});

site.test("play asks first, and the answer stands beside what happened", async ({ open }) => {
  const page = await opened(open, "retry-storm");
  await button(page, "Play").first().focus();
  await page.keyboard.press("Enter");
  await becomes(async () => (await snapshot(page)).playing, false);
  await becomes(() => focused(page).getAttribute("type"), "radio", "the focus is in the question");
  await page.keyboard.press("Space");
  await button(page, "That is what I expect").click();
  await becomes(() => exhibit(page).locator(".predict").innerText(), /You said: All 300\. The run shows it at 0:30\.0/);
  await becomes(() => focused(page).innerText(), /Play/);
  await page.keyboard.press("Enter");
  await becomes(async () => (await snapshot(page)).playing, true);
  await call(page, "pause");
  await call(page, "seek", 30);
  await becomes(() => exhibit(page).locator(".predict").innerText(), /Not as you said[\s\S]*All 300[\s\S]*In the run: Twenty/);
});

site.test("who skips plays at once, and a script is not asked", async ({ open }) => {
  const page = await opened(open, "five-tries");
  await button(page, "Skip").click();
  await becomes(() => exhibit(page).locator(".predict").count(), 0);
  await becomes(() => focused(page).innerText(), /Play/);
  await page.keyboard.press("Enter");
  await becomes(async () => (await snapshot(page)).playing, true);
  const other = await opened(open, "hot-lane");
  await call(other, "play");
  assert.equal((await snapshot(other)).playing, true);
});

site.test("a number is predicted by keyboard", async ({ open }) => {
  const page = await opened(open, "hot-lane");
  await button(page, "Predict first").click();
  await exhibit(page).getByLabel("What you expect, as a number").fill("0");
  await page.keyboard.press("Enter");
  await call(page, "seek", 3_600);
  await becomes(() => exhibit(page).locator(".predict").innerText(), /Not as you said[\s\S]*You said: 0 records[\s\S]*7200/);
});

for (const [width, theme] of [[320, "light"], [768, "dark"], [1440, "light"]]) {
  site.test(`questions, runs and comparisons pass axe and fit at ${width}`, async ({ open }) => {
    const page = await opened(open, "retry-storm", { width, theme });
    await button(page, "Predict first").click();
    await checkAccess(page);
    await checkNoSidewaysScroll(page);
    await button(page, "Skip").click();
    await button(page, "More").click();
    await button(page, "Compare with this run").click();
    await exhibit(page).getByLabel("After a failure, a client waits").selectOption("all of it drawn");
    await button(page, "Run it 100 times").click();
    await button(page, "Put the runs away").waitFor({ timeout: 120_000 });
    await call(page, "seek", 16);
    await checkAccess(page);
    await checkNoSidewaysScroll(page);
  });
}

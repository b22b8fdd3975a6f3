// An exhibit as a learner meets it: played, stepped, broken, put in another order, linked, and all
// of it by keyboard.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { becomes, call, checkAccess, checkNoSidewaysScroll, drawn, exhibit, ready, snapshotWhen, stage } from "./harness.mjs";

const site = stage();
const PAGE = "exhibits/event-life/";

const snapshot = (page) => call(page, "snapshot");
const trace = (page) => call(page, "trace");

/** Opens the exhibit's page and waits for the engine. */
async function opened(open, options = {}, address = PAGE) {
  const page = await open(address, options);
  await ready(page);
  return page;
}

/** The lines of a run that tell of something. */
const lines = (text, pattern) => text.split("\n").filter((line) => pattern.test(line));

site.test("the run in the browser is the golden trace", async ({ open }) => {
  const page = await opened(open);
  const golden = readFileSync(new URL("../goldens/event-life.trace", import.meta.url), "utf8");
  assert.equal(await trace(page), golden);
});

site.test("it plays, pauses, steps and steps back", async ({ open }) => {
  const page = await opened(open);
  await call(page, "reset");
  await call(page, "seek", 0);
  const play = exhibit(page).getByRole("button", { name: "Play", exact: true });
  await play.click();
  await snapshotWhen(page, (now) => now.seconds > 0.2, "virtual time goes on");
  await exhibit(page).getByRole("button", { name: "Pause", exact: true }).click();
  await snapshotWhen(page, (now) => now.seconds > 0.2 && !now.playing, "it is paused where it was");
  await call(page, "seek", 18.3);
  await exhibit(page).getByRole("button", { name: "Step forward" }).click();
  await becomes(async () => (await snapshot(page)).seconds, 18.4);
  await exhibit(page).getByRole("button", { name: "Step back" }).click();
  await becomes(async () => (await snapshot(page)).seconds, 18.3);
});

site.test("a worker crashed at the playhead can be taken back by name", async ({ open }) => {
  const page = await opened(open);
  const before = await trace(page);
  await call(page, "seek", 22);
  await exhibit(page).getByRole("button", { name: /^Crash worker 2/ }).click();
  await becomes(() => trace(page), /22\.000000 crashed mailers\.2 holding 7/);
  assert.equal(lines(await trace(page), / crashed /).length, 2);
  await exhibit(page).getByRole("button", { name: /Take back the crash of worker 2 at 0:22\.0/ }).click();
  await becomes(() => trace(page), before);
});

site.test("every action leaves its mark on the run", async ({ open }) => {
  const page = await opened(open);
  const check = async (seconds, name, mark) => {
    const state = await call(page, "getState");
    await call(page, "seek", seconds);
    await exhibit(page).getByRole("button", { name }).click();
    await becomes(() => trace(page), mark);
    await call(page, "setState", state);
  };
  await check(14, /^Slow worker/, /14\.000000 slowed mailers\.\d percent 600/);
  await check(21, /^Lose the next ack/, /ack-lost alerts \d+ mailers/);
  await check(10, /^Make 5 poison/, /10\.000000 poisoned 5/);
});

site.test("the ack is put before the work by keyboard, and a crash then loses", async ({ open }) => {
  const page = await opened(open);
  const line = exhibit(page).getByRole("button", { name: /^Line 3, ack/ }).filter({ visible: true }).first();
  await line.focus();
  // A line that moves loses the focus until it is drawn in its new place; a key before is for nobody.
  for (const key of ["Space", "ArrowUp", "ArrowUp"]) {
    await page.keyboard.press(key);
    await drawn(page);
    await exhibit(page).locator(".is-lifted :focus").waitFor();
  }
  await page.keyboard.press("Space");
  await exhibit(page).getByRole("button", { name: /^Line 1, ack/ }).filter({ visible: true }).first().waitFor();
  const text = await trace(page);
  assert.match(text, /18\.400000 lost 5/);
  assert.match(text, /acked alerts 1 mailers\.1/);
});

site.test("a link restores changes, interventions, seed and playhead", async ({ open }) => {
  const page = await opened(open);
  await call(page, "seek", 22);
  await exhibit(page).getByRole("button", { name: /^Crash worker 2/ }).click();
  await call(page, "seek", 40.5);
  await becomes(() => trace(page), /22\.000000 crashed mailers\.2/);
  const there = await snapshot(page);
  const again = await opened(open, {}, `${PAGE}?run=${encodeURIComponent(there.run)}`);
  const here = await snapshot(again);
  assert.equal(here.seconds, 40.5);
  assert.equal(here.words, there.words);
  assert.equal(await trace(again), await trace(page));
});

site.test("a link that was cut short is answered, and the exhibit runs all the same", async ({ open }) => {
  const page = await opened(open);
  const { run } = await snapshot(page);
  const cut = await opened(open, {}, `${PAGE}?run=${encodeURIComponent(run.slice(0, -9))}`);
  await exhibit(cut).getByText(/cut short/).first().waitFor();
  assert.ok((await trace(cut)).length > 1000);
});

site.test("the keyboard plays, steps and changes the speed, only while focus is inside", async ({ open }) => {
  const page = await opened(open);
  await call(page, "seek", 12.5);
  await page.keyboard.press("ArrowRight");
  await becomes(async () => (await snapshot(page)).seconds, 12.5, "focus is outside");
  await exhibit(page).getByRole("button", { name: "Step forward" }).focus();
  await page.keyboard.press("ArrowRight");
  await becomes(async () => (await snapshot(page)).seconds, (now) => now > 12.5);
  await page.keyboard.press("Home");
  await becomes(async () => (await snapshot(page)).seconds, 0);
  await page.keyboard.press("End");
  await becomes(async () => (await snapshot(page)).seconds, 70);
});

site.test("with reduced motion the run goes from event to event", async ({ open }) => {
  const page = await opened(open, { motion: "reduce" });
  await call(page, "seek", 0);
  await call(page, "play");
  const times = new Set((await trace(page)).split("\n").map((line) => Number(line.split(" ")[0])));
  for (let n = 0; n < 6; n += 1) {
    await page.waitForTimeout(150);
    const { seconds } = await snapshot(page);
    assert.ok(times.has(seconds) || seconds === 0, `${seconds} s is between two events`);
  }
  await call(page, "pause");
});

site.test("no sideways scroll from 320 pixels on, and axe finds nothing as the run goes", async ({ open }) => {
  for (const width of [320, 768, 1440]) {
    const page = await opened(open, { width });
    await checkNoSidewaysScroll(page);
    for (const seconds of [0, 18.4, 34.2, 70]) {
      await call(page, "seek", seconds);
      await checkAccess(page);
    }
  }
});

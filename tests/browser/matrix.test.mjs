// The crash matrix: what a crash at each border costs, by pointer, by keyboard, and for axe.

import assert from "node:assert/strict";
import { becomes, call, checkAccess, checkNoSidewaysScroll, exhibit, ready, snapshotWhen, stage } from "./harness.mjs";

const site = stage();

const panel = (page) => exhibit(page).getByRole("group", { name: "What if it crashes here?" });
const button = (page, name) => panel(page).getByRole("button", { name });
const cells = (page) => panel(page).locator("button.fate");
const pressed = (page) => panel(page).locator('button.fate[aria-pressed="true"]');
const focused = (page) => exhibit(page).locator(":focus");
const snapshot = (page) => call(page, "snapshot");

async function opened(open, id, options = {}) {
  const page = await open(`exhibits/${id}/`, options);
  await ready(page);
  return page;
}

/** An exhibit whose matrix is asked for and done. */
async function explored(open, id, options = {}) {
  const page = await opened(open, id, options);
  await button(page, "Crash it everywhere").click();
  await button(page, "Put the table away").waitFor({ timeout: 120_000 });
  return page;
}

site.test("the table reads as the program does", async ({ open }) => {
  const page = await explored(open, "ack-line");
  const heads = await panel(page).locator("tbody th[scope=row]").allInnerTexts();
  assert.deepEqual(heads.map((head) => head.replace(/\s+/g, " ").trim()), [
    "before line 1", "1 check", "between 1 and 2", "2 charge card", "between 2 and 3", "3 ack", "after line 3",
  ]);
  assert.deepEqual(await cells(page).allInnerTexts(), ["fine", "fine", "fine", "again", "fine"]);
  await becomes(() => panel(page).innerText(), /5 crashes: 4 fine, 1 again\./);
  await becomes(() => panel(page).innerText(), /One crash is enough to break “no effect twice”\./);
  await becomes(() => focused(page).innerText(), /Put the table away/, "the focus is not lost");
  await button(page, "Put the table away").click();
  await becomes(() => focused(page).innerText(), /Crash it everywhere/);
});

site.test("a cell is a run, and the run is a link", async ({ open }) => {
  const page = await explored(open, "event-life");
  const cell = cells(page).filter({ hasText: "again" }).first();
  await cell.click();
  await becomes(() => pressed(page).count(), 1);
  const { seconds } = await snapshotWhen(page, (now) => now.seconds > 0, "the playhead goes to the crash");
  const said = await panel(page).locator(".matrix__opened").innerText();
  assert.match(said, /^In the run now: worker dies between 2 and 3, with number \d+, at 0:0/);
  assert.match(said, /Times done: 2; without the crash: 1\./);
  const state = await call(page, "getState");
  const other = await open(`exhibits/event-life/?run=${encodeURIComponent(state)}`);
  await ready(other);
  assert.equal((await snapshot(other)).seconds, seconds);
  assert.deepEqual(await call(other, "trace"), await call(page, "trace"));
  await cell.click();
  await becomes(() => pressed(page).count(), 0, "once more takes it out");
  await becomes(() => call(page, "getState"), (now) => now !== state);
});

site.test("what a property breaks by is one step away", async ({ open }) => {
  const page = await explored(open, "ack-line");
  await button(page, /^Go there: One crash is enough/).click();
  await becomes(() => pressed(page).innerText(), "again");
});

site.test("the table is one stop of the Tab key, and the arrows go from cell to cell", async ({ open }) => {
  const page = await explored(open, "event-life");
  const before = await snapshot(page);
  await cells(page).first().focus();
  const label = () => focused(page).getAttribute("aria-label");
  await becomes(label, /dies before line 1, with number 1/);
  await page.keyboard.press("ArrowRight");
  await becomes(label, /dies before line 1, with number 2/);
  await page.keyboard.press("ArrowDown");
  await becomes(label, /with number 2/);
  await becomes(label, (now) => !now.includes("before line 1"));
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowLeft");
  await becomes(label, /dies before line 1, with number 1/);
  await becomes(async () => (await snapshot(page)).seconds, before.seconds, "the arrows are not the player's");
  await page.keyboard.press("Enter");
  await becomes(() => pressed(page).count(), 1);
  await becomes(label, /dies before line 1, with number 1/, "the focus stays");
  await page.keyboard.press("Tab");
  await becomes(() => focused(page).locator("xpath=ancestor::table").count(), 0);
});

site.test("another order of lines has another matrix, by itself", async ({ open }) => {
  const page = await explored(open, "ack-line");
  await exhibit(page).getByRole("button", { name: "More", exact: true }).click();
  const lines = exhibit(page).locator(".program__line");
  await lines.nth(2).click();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await cells(page).filter({ hasText: "lost" }).first().waitFor();
});

site.test("under More it is there for others too, and can be stopped", async ({ open }) => {
  const page = await opened(open, "five-tries");
  await button(page, "Crash it everywhere").waitFor({ state: "detached" });
  await exhibit(page).getByRole("button", { name: "More", exact: true }).click();
  await button(page, "Crash it everywhere").click();
  await cells(page).first().waitFor({ timeout: 120_000 });
  await button(page, "Stop").click();
  await button(page, "Put the table away").waitFor();
});

for (const [width, theme] of [[360, "light"], [768, "dark"], [1440, "light"]]) {
  site.test(`the crash matrix passes axe and fits at ${width}`, async ({ open }) => {
    const page = await explored(open, "event-life", { width, theme, motion: "reduce" });
    await checkAccess(page);
    await checkNoSidewaysScroll(page);
    await cells(page).filter({ hasText: "lost" }).first().click();
    await checkAccess(page);
    await checkNoSidewaysScroll(page);
  });
}

// A worksheet as somebody fills it in: typed into, wrong input answered, kept, taken along, by
// keyboard alone, at every width.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { becomes, checkAccess, checkNoSidewaysScroll, drawn, exhibit, ready, stage } from "./harness.mjs";

const strict = stage();

const PAGE = "exhibits/backlog-and-drain/";
const SHEETS = [
  "backlog-and-drain",
  "chain-of-calls",
  "dedup-window",
  "disk-bill",
  "partition-count",
  "promise-to-threshold",
  "retry-curve",
  "saga-odds",
  "visibility-and-retention",
];

/** Opens a worksheet's page and waits for it. */
async function opened(open, path = PAGE, options = {}) {
  const page = await open(path, options);
  await ready(page);
  return page;
}

const field = (page, label) => exhibit(page).getByLabel(label, { exact: true });

/** The result of this name: its number, its verdict, its formula in words. */
const result = (page, name) =>
  exhibit(page).locator(".out").filter({ has: page.locator(`dt:text-is("${name}")`) });

/** The document that the copy button writes. */
async function copied(page) {
  await exhibit(page).getByRole("button", { name: "Copy as Markdown" }).click();
  await exhibit(page).locator(".sheet__said").getByText("Copied as Markdown.").waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

strict.test("a value is typed and what follows changes, with the chart", async ({ open }) => {
  const page = await opened(open);
  await becomes(() => result(page, "Longest wait").innerText(), /16 min[\s\S]*Fails[\s\S]*promise of 300 s/);
  const line = exhibit(page).locator(".chart__box .line__past").first();
  const before = await line.getAttribute("d");
  await field(page, "Workers").fill("23");
  await becomes(() => result(page, "Longest wait").innerText(), /4 min 42 s[\s\S]*Holds/);
  await becomes(() => result(page, "Workers that keep the promise").innerText(), /23/);
  await becomes(() => line.getAttribute("d"), (now) => now !== before, "the chart is drawn anew");
  await exhibit(page).getByLabel("minute", { exact: true }).check({ force: true });
  await becomes(() => result(page, "Longest wait").innerText(), /Fails/);
});

strict.test("what has no number says why, and nothing shows NaN", async ({ open }) => {
  const page = await opened(open);
  await field(page, "Workers").fill("1");
  await field(page, "One message takes").fill("3600");
  await becomes(
    () => result(page, "Drained after the burst in").innerText(),
    /not defined: the workers do no more than still arrives/,
  );
  await becomes(() => exhibit(page).innerText(), (text) => !/NaN|Infinity|inf\b/.test(text));
});

strict.test("input that cannot be used is answered, and the number before counts", async ({ open }) => {
  const page = await opened(open);
  const workers = field(page, "Workers");
  for (const [typed, says] of [
    ["many", /This is not a number\. Write one from 1 to 10,000; until then 10 counts\./],
    ["2.5", /Write a whole number from 1 to 10,000; until then 10 counts\./],
    ["0", /Write a number from 1 to 10,000; until then 10 counts\./],
    ["", /This is not a number/],
  ]) {
    await workers.fill(typed);
    const message = exhibit(page).getByRole("alert");
    await becomes(() => message.innerText(), says);
    await becomes(() => workers.getAttribute("aria-invalid"), "true");
    const id = await message.getAttribute("id");
    const names = (described) => described?.split(" ").includes(id);
    await becomes(() => workers.getAttribute("aria-describedby"), names, "the field names its message");
    await becomes(() => result(page, "Longest wait").innerText(), /16 min/);
  }
  await workers.fill("12");
  await becomes(() => exhibit(page).getByRole("alert").count(), 0);
  await becomes(() => workers.getAttribute("aria-invalid"), null);
});

strict.test("what was typed is kept on the device, and begins anew when asked", async ({ open }) => {
  const page = await opened(open);
  await field(page, "Workers").fill("17");
  await exhibit(page).getByLabel("nothing arrives").check({ force: true });
  await page.reload();
  await ready(page);
  await becomes(() => field(page, "Workers").inputValue(), "17");
  await becomes(() => exhibit(page).getByLabel("nothing arrives").isChecked(), true);
  await exhibit(page).getByRole("button", { name: "Begin anew" }).click();
  await becomes(() => field(page, "Workers").inputValue(), "10");
  await page.reload();
  await ready(page);
  await becomes(() => field(page, "Workers").inputValue(), "10");
});

strict.test("storage none keeps nothing, and blocked storage breaks nothing", async ({ open }) => {
  const page = await opened(open);
  await page.evaluate(() => document.querySelector("in-flight").setAttribute("storage", "none"));
  await field(page, "Workers").fill("19");
  await page.reload();
  await ready(page);
  await becomes(() => field(page, "Workers").inputValue(), "10");
  const init = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } });";
  const blocked = await opened(open, PAGE, { init });
  await field(blocked, "Workers").fill("23");
  await becomes(() => result(blocked, "Longest wait").innerText(), /Holds/);
});

strict.test("it is copied as Markdown", async ({ open }) => {
  const page = await opened(open, "exhibits/promise-to-threshold/", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await field(page, "The alarm’s runbook says").fill("600");
  const text = await copied(page);
  assert.match(text, /^# From promise to threshold\n/);
  assert.match(text, /\| Limit of depth \| 2,843 messages \|/);
  assert.match(text, /\| Alarm less promise \| 5 min \| Fails: The page says 300 s, the runbook 600 s\./);
  assert.match(text, /- Age of the oldest: warn at 142\.15 s old, page at 284\.3 s old\./);
  assert.match(text, /Worked out at http/);
});

strict.test("it is saved as a file, under the strict policy", async ({ open }) => {
  const page = await opened(open, "exhibits/saga-odds/");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    exhibit(page).getByRole("button", { name: "Save as a file" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "saga-odds.md");
  const text = await readFile(await download.path(), "utf8");
  assert.match(text, /^# The odds of a saga\n/);
  assert.match(text, /\| Undone in a million \| 3,994 sagas \|/);
});

strict.test("where the browser does not copy, the text stands there", async ({ open }) => {
  const init = "Object.defineProperty(navigator, 'clipboard', { value: undefined });";
  const page = await opened(open, PAGE, { init });
  await exhibit(page).getByRole("button", { name: "Copy as Markdown" }).click();
  const text = await exhibit(page).getByLabel("The worksheet as Markdown").inputValue();
  assert.match(text, /^# Backlog and drain\n/);
});

strict.test("it can be filled in by keyboard alone", async ({ open }) => {
  const page = await opened(open);
  await field(page, "Usual arrivals").focus();
  await page.keyboard.press("Tab");
  // The options of one entry are one stop, moved through by the arrows.
  await page.keyboard.press("ArrowLeft");
  await becomes(() => exhibit(page).getByLabel("minute", { exact: true }).isChecked(), true);
  await page.keyboard.press("ArrowRight");
  await becomes(() => exhibit(page).getByLabel("day", { exact: true }).isChecked(), true);
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press("Tab");
  assert.ok(await field(page, "Workers").evaluate((input) => input.matches(":focus")));
  await page.keyboard.type("23");
  await page.keyboard.press("Tab");
  await becomes(() => result(page, "Longest wait").innerText(), /Holds/);
  // What came of it is said once the entry is left.
  await exhibit(page).locator("[role=status]").getByText("Worked out. Every check holds.").waitFor({ state: "attached" });
});

for (const id of SHEETS) {
  strict.test(`${id}: no barrier that axe finds, no sideways scroll`, async ({ open }) => {
    for (const [width, theme] of [[360, "light"], [768, "dark"], [1440, "light"]]) {
      const page = await opened(open, `exhibits/${id}/`, { width, theme });
      await checkNoSidewaysScroll(page);
      await checkAccess(page);
      const number = exhibit(page).locator(".entry__number").first();
      await number.fill("wrong");
      for (const details of await exhibit(page).locator("details").all()) {
        await details.evaluate((element) => { element.open = true; });
      }
      await drawn(page);
      await checkNoSidewaysScroll(page);
      await checkAccess(page);
    }
  });
}

strict.test("the page of worksheets lists them all", async ({ open }) => {
  const page = await open("worksheets/");
  const links = await page.locator(".card a").evaluateAll((all) => all.map((link) => link.pathname));
  for (const id of SHEETS) assert.ok(links.some((link) => link.endsWith(`/${id}/`)), id);
});

strict.test("without a script the entries, the formulas and what follows can be read", async ({ open }) => {
  const page = await open(PAGE, { javaScript: false, width: 360 });
  const text = await exhibit(page).innerText();
  assert.match(text, /Workers\s+10/);
  assert.match(text, /Most that waits\s+10,000 messages\s+Burst less capacity, times the length of the burst\./);
  assert.match(text, /Longest wait\s+16 min Fails: Longer than the promise of 300 s\./);
});

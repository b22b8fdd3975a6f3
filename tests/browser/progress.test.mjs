// Progress: what was read, run and answered is kept on the device, shown, taken along, brought back
// and forgotten; and nothing breaks where nothing can be kept.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { becomes, call, checkAccess, checkNoSidewaysScroll, exhibit, ready, stage } from "./harness.mjs";

const { test } = stage();

const KEY = "inflight-progress";
const DAY = "2026-11-30";
const SAMPLE = {
  inflight: "progress",
  version: 1,
  read: { m1: ["two-purses", "borrowed-time"], m2: ["four-states"] },
  run: { "seven-seconds": DAY, "event-life": DAY },
  passed: { "ack-line-quiz": DAY },
  quizzes: { "ack-line-quiz": { crash: { right: true, tries: 2, on: DAY }, gap: { right: false, tries: 1, on: DAY } } },
};

/** Script for a page that already has this progress. */
const having = (progress) => `localStorage.getItem("${KEY}") ?? localStorage.setItem("${KEY}", ${JSON.stringify(JSON.stringify(progress))});`;

const BLOCKED = `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });`;

const kept = (page) => page.evaluate((key) => JSON.parse(localStorage.getItem(key)), KEY);
const note = (page) => page.locator(".course__note span");

/** Tells what a quiz would tell. */
const tell = (page, exhibit, type, detail) =>
  page.evaluate(([exhibit, type, detail]) => {
    const quiz = document.createElement("div");
    quiz.setAttribute("exhibit", exhibit);
    document.querySelector("main").append(quiz);
    quiz.dispatchEvent(new CustomEvent("inflight-" + type, { bubbles: true, composed: true, detail }));
  }, [exhibit, type, detail]);
const answer = (page, exhibit, detail) => tell(page, exhibit, "answer", detail);

test("a section counts when it has been read, and not when it was jumped past", async ({ open }) => {
  const page = await open("m7/");
  await note(page).filter({ hasText: /^0 of \d+ stops read\./ }).waitFor();
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
  await page.waitForTimeout(600);
  const section = "mistakes-and-what-they-look-like";
  await page.locator(`#${section}`).evaluate((heading) => heading.scrollIntoView({ behavior: "instant" }));
  await note(page).filter({ hasText: /^1 of \d+ stops read\./ }).waitFor();
  assert.deepEqual((await kept(page)).read, { m7: [section] });
  const stop = page.locator(`.course__stops li:has(a[href="#${section}"])`);
  await becomes(() => stop.getAttribute("class"), /is-done/);
  assert.equal((await stop.getByRole("link").textContent()).replace(/\s+/g, " "), "Mistakes and what they look like (read)");
});

test("an exhibit that was run to its end counts on every page", async ({ open, site }) => {
  const before = site.log.length;
  const page = await open("exhibits/seven-seconds/");
  await ready(page);
  const asked = site.log.slice(before).map(({ path }) => path);
  assert.ok(!asked.some((path) => path.includes("/progress-")), "nothing to keep, nothing fetched");
  await exhibit(page).evaluate((element) => element.setAttribute("speed", "max"));
  await call(page, "play");
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, KEY);
  assert.deepEqual(Object.keys((await kept(page)).run), ["seven-seconds"]);
  await page.goto(site.url("m1/"));
  await note(page).filter({ hasText: /1 of \d+ exhibits run to the end\./ }).waitFor();
  await becomes(() => page.locator(".site-progress").isVisible(), true);
});

test("answers of quizzes are kept with their day, the last one of each item", async ({ open, site }) => {
  const page = await open("progress/");
  await answer(page, "the-gate", { item: "later", right: false, tries: 1 });
  await answer(page, "the-gate", { item: "later", right: true, tries: 2 });
  await answer(page, "the-gate", { item: "", right: true, tries: 1 });
  await answer(page, "the-gate", { item: "other", right: true, tries: "many" });
  await page.getByText("Questions answered right: 1 of 1.").waitFor();
  const { quizzes } = await kept(page);
  assert.deepEqual(Object.keys(quizzes["the-gate"]), ["later"]);
  const { right, tries, on } = quizzes["the-gate"].later;
  assert.deepEqual([right, tries], [true, 2]);
  assert.match(on, /^\d{4}-\d\d-\d\d$/);
});

test("a quiz counts when it is passed, and is no exhibit that was run", async ({ open }) => {
  const page = await open("progress/");
  await tell(page, "the-gate", "complete", { score: 3, of: 6, passed: false });
  await tell(page, "the-gate", "complete", { score: 5, of: 6, passed: true });
  await tell(page, "lost-ack", "complete", null);
  await page.waitForFunction((key) => localStorage.getItem(key)?.includes("lost-ack"), KEY);
  const { passed, run } = await kept(page);
  assert.deepEqual([Object.keys(passed), Object.keys(run)], [["the-gate"], ["lost-ack"]]);
});

test("a real quiz tells its answers, and they are kept", async ({ open }) => {
  const page = await open("exhibits/the-gate/");
  const element = await ready(page);
  await element.getByRole("checkbox").first().check();
  await element.getByRole("button", { name: "Check", exact: true }).first().click();
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, KEY);
  assert.deepEqual(Object.keys((await kept(page)).quizzes), ["the-gate"]);
});

test("the sum is shown, exported as it is, cleared on the second press, and imported again", async ({ open }) => {
  const page = await open("progress/", { init: having(SAMPLE) });
  const row = page.locator("tr[data-module=m1]");
  const cell = (name) => row.locator(`[data-cell=${name}]`);
  await cell("read").filter({ hasText: /^2 of \d+$/ }).waitFor();
  await becomes(() => cell("run").innerText(), /^1 of \d+$/);
  await becomes(() => page.locator(".site-progress").getAttribute("aria-label"), /0 of 8 modules read/);
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const download = await waiting;
  assert.match(download.suggestedFilename(), /^inflight-progress-\d{4}-\d\d-\d\d\.json$/);
  const path = await download.path();
  assert.deepEqual(JSON.parse(await readFile(path, "utf8")), SAMPLE);

  await page.getByRole("button", { name: "Clear everything" }).click();
  assert.deepEqual(await kept(page), SAMPLE, "one press asks");
  await page.getByRole("button", { name: "Clear it for good" }).click();
  await cell("read").filter({ hasText: /^0 of/ }).waitFor();
  assert.equal(await kept(page), null);
  await becomes(() => page.locator(".site-progress").isVisible(), false);

  await page.getByLabel("Import from a file").setInputFiles({ name: "mine.json", mimeType: "application/json", buffer: await readFile(path) });
  await cell("read").filter({ hasText: /^2 of/ }).waitFor();
  await page.getByRole("status").filter({ hasText: "added to what is here" }).waitFor();
  assert.deepEqual(await kept(page), SAMPLE);
});

test("importing adds, and keeps the earlier run and the later answer", async ({ open }) => {
  const page = await open("progress/", { init: having(SAMPLE) });
  const file = structuredClone(SAMPLE);
  file.read = { m1: ["two-purses", "when-not-to"] };
  file.run = { "event-life": "2026-01-01", "lost-ack": DAY };
  delete file.passed;
  file.quizzes["ack-line-quiz"] = { gap: { right: true, tries: 4, on: "2026-12-01" }, crash: { right: false, tries: 1, on: "2026-01-01" } };
  await page.getByLabel("Import").setInputFiles({ name: "b.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(file)) });
  await page.getByRole("status").filter({ hasText: "added" }).waitFor();
  const now = await kept(page);
  assert.deepEqual(now.read.m1, ["two-purses", "borrowed-time", "when-not-to"]);
  assert.deepEqual(now.run, { "seven-seconds": DAY, "event-life": "2026-01-01", "lost-ack": DAY });
  assert.deepEqual(now.passed, SAMPLE.passed, "a part that is missing changes nothing");
  assert.equal(now.quizzes["ack-line-quiz"].gap.right, true);
  assert.equal(now.quizzes["ack-line-quiz"].crash.right, true);
});

test("a file that is not progress is refused, with the place and the repair, and changes nothing", async ({ open }) => {
  const page = await open("progress/", { init: having(SAMPLE) });
  const rows = [
    ["nonsense", /^x\.json was not imported: it is not JSON\./],
    ["[]", /it is not progress of this site/],
    [JSON.stringify({ ...SAMPLE, version: 2 }), /another version/],
    [JSON.stringify({ ...SAMPLE, read: { m1: "all" } }), /read\.m1 must be a list/],
    [JSON.stringify({ ...SAMPLE, read: { m1: ["<b>"] } }), /read\.m1 must have names/],
    [JSON.stringify({ ...SAMPLE, run: { "event-life": "yesterday" } }), /run\.event-life must be a day/],
    [JSON.stringify({ ...SAMPLE, passed: { q: 1 } }), /passed\.q must be a day/],
    [JSON.stringify({ ...SAMPLE, quizzes: { q: { i: { right: 1 } } } }), /quizzes\.q\.i must have right/],
    [JSON.stringify({ ...SAMPLE, quizzes: [] }), /quizzes must be an object/],
  ];
  for (const [text, said] of rows) {
    await page.getByLabel("Import").setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await page.getByRole("status").filter({ hasText: said }).waitFor();
    assert.deepEqual(await kept(page), SAMPLE, text);
  }
});

test("what a newer edition has kept is left alone", async ({ open }) => {
  const newer = { ...SAMPLE, version: 2 };
  const page = await open("m1/", { init: having(newer) });
  await note(page).waitFor();
  await answer(page, "the-gate", { item: "later", right: true, tries: 1 });
  await page.waitForTimeout(300);
  assert.deepEqual(await kept(page), newer);
});

test("with storage blocked everything works as long as the page, and says so", async ({ open }) => {
  const module = await open("m7/", { init: BLOCKED });
  await module.locator("#mistakes-and-what-they-look-like").evaluate((heading) => heading.scrollIntoView({ behavior: "instant" }));
  await note(module).filter({ hasText: /^1 of \d+ stops read\./ }).waitFor();
  const desk = await open("progress/", { init: BLOCKED });
  await desk.getByText("This browser keeps nothing for this site.").waitFor();
  await desk.getByLabel("Import").setInputFiles({ name: "a.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(SAMPLE)) });
  await desk.getByRole("status").filter({ hasText: "cannot keep it" }).waitFor();
  await desk.locator("tr[data-module=m1]").locator("[data-cell=read]").filter({ hasText: /^2 of/ }).waitFor();
});

test("without scripts it says that nothing is kept, and counts what there is", async ({ open }) => {
  const page = await open("progress/", { javaScript: false });
  await becomes(() => page.locator("main").innerText(), /Without JavaScript nothing is kept/);
  await becomes(() => page.getByRole("button", { name: "Export" }).isVisible(), false);
  const module = await open("m1/", { javaScript: false });
  await becomes(() => note(module).isVisible(), false);
});

test("what is shown of progress has no barrier and fits", async ({ open }) => {
  for (const theme of ["light", "dark"]) {
    for (const path of ["progress/", "m1/"]) {
      const page = await open(path, { theme, width: 1200, init: having(SAMPLE) });
      await page.locator(".site-progress").waitFor();
      await checkAccess(page);
      for (const width of [320, 700, 1000]) {
        await page.setViewportSize({ width, height: 900 });
        await checkNoSidewaysScroll(page);
      }
    }
  }
});

// Pages on paper: exhibits are their stills, folds are open, nothing is left to click.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { sep } from "node:path";
import { DIST, becomes, ready, stage } from "./harness.mjs";

const { test } = stage();

/** Paths of all pages, as links have them, but for the frame and the pages of other people. */
const PAGES = readdirSync(DIST, { recursive: true })
  .filter((name) => name.endsWith(".html"))
  .map((name) => name.split(sep).join("/").replace(/(^|\/)index\.html$/, "$1"))
  .filter((name) => name !== "embed.html" && !name.startsWith("examples/"))
  .sort();

/** As a browser does when it is asked to print. */
async function print(page) {
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
}

const shown = (page, selector) =>
  page.locator(selector).evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);

test("a module prints its stills, and the screen is as it was before", async ({ open }) => {
  const page = await open("m2/");
  await ready(page);
  const all = await page.locator("in-flight").count();
  const exhibits = await page.locator("in-flight:not(:has(.still-quiz, .still-quiz__pool, .still-sheet))").count();
  const pools = await page.locator("in-flight > .still--pool").count();
  assert.ok(exhibits > 5 && pools === 1, `${exhibits} exhibits, ${pools} pools`);
  await print(page);
  assert.equal(await shown(page, "in-flight"), 0);
  assert.equal(await shown(page, ".still--paper"), all - pools, "a pool is for drawing from");
  const pictures = ".still--paper:not(:has(.still-sheet)) svg";
  assert.equal(await shown(page, pictures), exhibits, "one picture each");
  for (const tool of [".site-bar", ".course", ".contents", ".crumb", ".next", ".page-foot"]) {
    assert.equal(await shown(page, tool), 0, tool);
  }
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await becomes(() => page.locator(".still--paper").count(), 0);
  assert.equal(await shown(page, "in-flight"), all);
});

test("a printed picture fits on a page beside its words", async ({ open }) => {
  const page = await open("m2/", { width: 673, height: 986 });
  await print(page);
  // A worksheet is as long as its lists.
  const stills = page.locator(".still--paper:not(:has(.still-quiz, .still-quiz__pool, .still-sheet))");
  const heights = await stills.evaluateAll((all) => all.map((one) => one.offsetHeight));
  assert.ok(heights.every((height) => height > 200 && height < 986), heights.join(" "));
});

test("folds are open on paper, with a script or without", async ({ open }) => {
  for (const javaScript of [true, false]) {
    const page = await open("interview/", { javaScript });
    await page.emulateMedia({ media: "print" });
    const answers = page.locator(".question details > .prose");
    const boxes = await Promise.all((await answers.all()).map((answer) => answer.boundingBox()));
    assert.equal(boxes.length, 12);
    assert.ok(boxes.every((box) => box && box.height > 20), "each answer has a place on the page");
    await becomes(() => page.locator("summary").first().isVisible(), false);
  }
});

test("a module that was asked for alone is printed with the others", async ({ open }) => {
  const page = await open("anti-patterns/#operate-it");
  assert.equal(await shown(page, ".filtered__group"), 1);
  await print(page);
  assert.equal(await shown(page, ".filtered__group"), 8, "the modules, and not the parade");
});

test("the printed gate is a checklist and nothing else", async ({ open }) => {
  const page = await open("gate/");
  await print(page);
  assert.equal(await shown(page, ".gate__check"), 10);
  assert.equal(await shown(page, ".gate__acts, .gate__aside, .gate__kept"), 0);
});

test("every page prints its words, within the sheet, and no tool of the screen", async ({ open, site }) => {
  const page = await open("", { width: 673, height: 986 });
  const wrong = [];
  for (const path of PAGES) {
    await page.goto(site.url(path));
    await print(page);
    const found = await page.evaluate(() => {
      const seen = (selector) =>
        [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).length;
      return {
        words: document.querySelector("main").innerText.length,
        tools: seen(".site-bar, .page-foot, .skip, main button"),
        live: seen("in-flight"),
        stills: seen(".still--paper") + document.querySelectorAll("in-flight .still--pool").length,
        // What is asked beside a list is for the screen.
        units: [...document.querySelectorAll("in-flight")].filter((one) => !one.closest(".paper :is(.part, .filtered__group)")).length,
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      };
    });
    const { words, tools, live, stills, units, wide } = found;
    // A search finds nothing on paper, and its page is a heading there.
    const fine = words > (path === "search/" ? 5 : 60) && tools === 0 && live === 0 && stills >= units && wide <= 0;
    if (!fine) wrong.push(`${path || "home"}: ${JSON.stringify(found)}`);
    await page.emulateMedia({ media: "screen" });
  }
  assert.ok(PAGES.length > 100);
  assert.deepEqual(wrong, []);
});

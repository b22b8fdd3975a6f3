// Every page of the bundle as it stands: under a strict policy, without scripts, with the wrong
// type for WebAssembly, at every width.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { test } from "node:test";
import { DIST, becomes, checkAccess, checkNoSidewaysScroll, checkPage, ready, stage, themeOf, unitsIn } from "./harness.mjs";

/** Paths of all pages, as links have them. */
const PAGES = readdirSync(DIST, { recursive: true })
  .filter((name) => name.endsWith(".html"))
  .map((name) => name.split(sep).join("/").replace(/(^|\/)index\.html$/, "$1"))
  // A frame without its exhibit and the pages of other people have their own tests.
  .filter((name) => name !== "embed.html" && !name.startsWith("examples/"))
  .sort();

const strict = stage();
const mistyped = stage({ wasmType: "application/octet-stream" });

strict.test("the bundle has the home page and the first exhibit", async () => {
  assert.ok(PAGES.includes(""), PAGES.join(" "));
  assert.ok(PAGES.includes("exhibits/event-life/"), PAGES.join(" "));
});

// The pages of units are made by few hands: one of each kind is looked at from every side, and the
// others in one visit each.
const SAMPLES = ["event-life", "signup-hole", "check-m1", "inline-or-queued", "backlog-and-drain"];
const isUnit = (path) => /^exhibits\/.+/.test(path);
const isSample = (path) => SAMPLES.includes(path.split("/")[1]);

test("there is a sample of each kind of unit", () => {
  for (const id of SAMPLES) assert.ok(PAGES.includes(`exhibits/${id}/`), id);
});

// The samples are looked at in both themes; of the others, whose colours are theirs, half in each.
const OTHERS = PAGES.filter((path) => isUnit(path) && !isSample(path));

test("no page is left out", () => {
  assert.ok(OTHERS.length > 80 && PAGES.length > OTHERS.length + 20, `${PAGES.length} pages`);
});

// Exhibits and quizzes are held to the same by the tests that visit each of them anyway.
const VISITED = new Set([...unitsIn("exhibits"), ...unitsIn("quizzes")].map((id) => `exhibits/${id}/`));

for (const [turn, path] of OTHERS.filter((path) => !VISITED.has(path)).entries()) {
  strict.test(`${path}: comes alive under a strict policy, fits every width, has no barrier`, async ({ open }) => {
    const page = await open(path, { width: 320, theme: themeOf(turn) });
    await becomes(() => page.locator("in-flight").count(), 1, "one unit");
    await checkPage(page);
  });
}

/** What the host answers to an address, asked once. */
const answers = new Map();
async function answerOf(link) {
  if (!answers.has(link)) answers.set(link, (await fetch(link, { method: "HEAD" })).status);
  return answers.get(link);
}

for (const path of PAGES.filter((path) => !isUnit(path) || isSample(path))) {
  const name = path || "home";

  strict.test(`${name}: comes alive under a strict policy, fits every width, leads somewhere`, async ({ open, site }) => {
    const page = await open(path, { width: 320 });
    await checkPage(page);
    const links = await page.locator("a[href]").evaluateAll((all) => all.map((link) => link.href));
    const here = new Set(links.map((link) => link.split("#")[0]));
    for (const link of [...here].filter((link) => link.startsWith(site.origin))) {
      assert.equal(await answerOf(link), 200, link);
    }
    const outside = links.filter((link) => link.startsWith(site.origin));
    assert.ok(outside.every((link) => link.startsWith(site.root)), "links stay below the sub-path");
  });

  strict.test(`${name}: has no barrier that axe finds in the dark`, async ({ open }) => {
    const page = await open(path, { theme: "dark" });
    if (await page.locator("in-flight").count()) await ready(page);
    await checkAccess(page);
  });

  strict.test(`${name}: can be read without scripts`, async ({ open }) => {
    const page = await open(path, { javaScript: false, width: 360 });
    const text = await page.locator("body").innerText();
    assert.ok(text.length > 200, `only ${text.length} characters to read`);
    for (const element of await page.locator("in-flight").all()) {
      assert.ok((await element.innerText()).length > 40, "an exhibit's fallback is in words");
      // A run has a picture, a quiz has its answers behind folds, a pool of questions its own page.
      const has = async (part) => (await element.locator(part).count()) > 0;
      const wanted = (await has(".still-quiz__pool"))
        ? ".still-quiz__open a"
        : (await has(".still-quiz"))
          ? "details:visible"
          : "svg:visible, img:visible";
      await becomes(() => element.locator(wanted).first().isVisible(), true, `and has ${wanted}`);
    }
  });
}

/** Visits every page of `paths` in one page and says of which `look` complains. */
async function eachOf(paths, page, site, look) {
  const wrong = [];
  for (const path of paths) {
    await page.goto(site.url(path));
    try {
      await look(path);
    } catch (error) {
      wrong.push(`${path || "home"}: ${error.message}`);
    }
  }
  assert.deepEqual(wrong, []);
}

strict.test("every other unit's page can be read without scripts", async ({ open, site }) => {
  const page = await open(OTHERS[0], { javaScript: false, width: 360 });
  await eachOf(OTHERS, page, site, async () => {
    const text = await page.locator("in-flight").first().innerText();
    assert.ok(text.length > 100, `only ${text.length} characters to read`);
    // A run has a picture, a quiz and a tree have folds, a worksheet has what it works out.
    const shown = page.locator("in-flight").locator("svg:visible, img:visible, details:visible, table:visible, dl:visible");
    await becomes(() => shown.count(), (n) => n > 0, "nothing but words");
    await checkNoSidewaysScroll(page);
  });
});

mistyped.test("WebAssembly of the wrong type still runs, without a complaint", async ({ open }) => {
  const page = await open("exhibits/event-life/");
  const warnings = [];
  page.on("console", (message) => warnings.push(message.text()));
  await ready(page);
  assert.deepEqual(warnings, []);
});

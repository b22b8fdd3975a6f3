// The search: it finds sections, terms, exhibits and rules, says how many, leads to them, and costs
// nothing where it is not opened.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { DIST, becomes, checkAccess, checkNoSidewaysScroll, stage } from "./harness.mjs";

const { test } = stage();
const INDEX = readdirSync(DIST).find((name) => /^search-\w+\.json$/.test(name));

const found = (page) => page.locator("[data-found]");
const results = (page) => page.locator(".result");

/** Types a query and waits for what is said of it. */
async function ask(page, query) {
  await page.getByRole("searchbox").fill(query);
  await found(page).filter({ hasText: query }).waitFor();
}

test("a word is found by its meaning first, and the number is told", async ({ open }) => {
  const page = await open("search/");
  await ask(page, "visibility timeout");
  await becomes(() => found(page).innerText(), /^\d+ results for “visibility timeout”\.$/);
  await becomes(() => found(page).getAttribute("role"), "status");
  const first = results(page).first();
  await becomes(() => first.locator("a").getAttribute("href"), /glossary\/#visibility-timeout$/);
  const kinds = await results(page).locator(".result__where").allInnerTexts();
  for (const kind of ["Glossary", "Exhibit", "Rule"]) {
    assert.ok(kinds.some((said) => said.startsWith(kind)), `${kind} in ${kinds}`);
  }
});

test("sections of modules are found by what they say, with an excerpt around it", async ({ open, site }) => {
  const page = await open("search/");
  await ask(page, "Knight Capital");
  const result = results(page).first();
  await becomes(() => result.locator("a").innerText(), "Changing the shape");
  await becomes(() => result.innerText(), /Section · Shapes and contracts/);
  assert.deepEqual(await result.locator("mark").allInnerTexts(), ["Knight", "Capital"]);
  await result.locator("a").click();
  await page.waitForURL(site.url("m4/#changing-the-shape"));
});

test("every result leads to a place that is there", async ({ open, site }) => {
  const index = await (await fetch(site.url(INDEX))).json();
  assert.ok(index.length > 400, `${index.length} entries`);
  const pages = new Map();
  for (const [, title, , address] of index) {
    const [path, id] = address.split("#");
    if (!pages.has(path)) pages.set(path, await (await fetch(site.url(path))).text());
    assert.ok(title.length > 0, address);
    assert.ok(!id || pages.get(path).includes(` id="${id}"`), `${address} leads nowhere`);
  }
  const page = await open("search/");
  await becomes(() => page.locator("h1").innerText(), "Search");
});

test("beginnings, accents, apostrophes and small words do not matter", async ({ open }) => {
  const page = await open("search/");
  for (const query of ["Little's law", "little’s LAW", "what is little's law"]) {
    await ask(page, query);
    await becomes(() => results(page).first().locator("a").getAttribute("href"), /glossary\/#littles-law$/, query);
  }
  await ask(page, "idempot");
  await becomes(() => results(page).count(), (n) => n > 3);
  await ask(page, "Montrosé");
  await becomes(() => results(page).count(), 1);
  await ask(page, "xyzzy");
  await becomes(() => results(page).count(), 0);
  await becomes(() => found(page).innerText(), /^Nothing for “xyzzy”/);
});

test("it works by keyboard, and its address can be sent", async ({ open, site }) => {
  const page = await open("m1/");
  const link = page.getByRole("link", { name: "Search" }).first();
  await link.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(site.url("search/"));
  await page.waitForFunction(() => document.activeElement?.id === "query");
  await page.keyboard.type("outbox");
  await page.keyboard.press("Enter");
  await found(page).filter({ hasText: "outbox" }).waitFor();
  await page.waitForURL(site.url("search/?q=outbox"));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.href), /glossary\/#outbox$/);
  const sent = await open("search/?q=outbox");
  await results(sent).first().waitFor();
  await becomes(() => sent.getByRole("searchbox").inputValue(), "outbox");
});

test("the index is fetched where the search is opened, and nowhere else", async ({ open, site }) => {
  const before = site.log.length;
  const page = await open("m2/");
  await page.waitForLoadState("networkidle");
  const asked = site.log.slice(before).map(({ path }) => path);
  assert.ok(!asked.some((path) => path.includes("/search-")), asked.join(" "));
});

test("an index that cannot be fetched is told of", async ({ open, browser, site }) => {
  const page = await open("");
  await page.route(`**/${INDEX}`, (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto(site.url("search/?q=outbox"));
  await found(page).filter({ hasText: "could not be fetched" }).waitFor();
  await page.unroute(`**/${INDEX}`);
  await page.getByRole("button", { name: "Search" }).click();
  await results(page).first().waitFor();
}, { allow: [/503/] });

test("without scripts it says what it cannot do, and where to look instead", async ({ open }) => {
  const page = await open("search/", { javaScript: false });
  await becomes(() => page.getByRole("searchbox").isVisible(), false);
  await becomes(() => page.locator("main").innerText(), /JavaScript, which is off/);
  await becomes(() => page.locator("main a").count(), (n) => n >= 4);
});

test("what it found has no barrier and fits", async ({ open }) => {
  for (const theme of ["light", "dark"]) {
    const page = await open("search/?q=consumer", { theme, width: 320 });
    await results(page).first().waitFor();
    await checkAccess(page);
    await checkNoSidewaysScroll(page);
  }
});

// The page for authors: what is chosen is shown and written, for every kind of page, and what is
// written works.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { becomes, call, checkAccess, checkNoSidewaysScroll, exhibit, ready, stage } from "./harness.mjs";

/** The documents that explain the formats, as they stand in the paper. */
const paper = readFileSync(new URL("../../crates/course/content/authors/format.md", import.meta.url), "utf8");
const [EXHIBIT, QUIZ, TREE] = [...paper.matchAll(/```json\n([^]*?)\n```/g)].map(([, text]) => text);

const BASE = "/courses/inflight/";
const hostOf = (tag) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A host</title><link rel="icon" href="${BASE}icon.svg">
   <script src="${BASE}element.js" async></script></head><body><h1>A host</h1>${tag}</body></html>`;

/** Pages of somebody else's, with files of their own beside them. */
const pages = {
  "/exhibit.json": EXHIBIT,
  "/quiz.json": QUIZ,
  "/tree.json": TREE,
  "/broken.json": EXHIBIT.replace('"lesson"', '"leson"'),
  ...Object.fromEntries(
    ["exhibit", "quiz", "tree", "broken"].map((name) => [
      "/" + name,
      hostOf(`<in-flight src="${name}.json"><p>What stands here without it.</p></in-flight>`),
    ]),
  ),
};

const { test } = stage();
const guest = stage({ pages });

const field = (page, name) => page.locator(`.builder [name=${name}]`);
const written = (page) => page.locator("[data-host]:visible code").innerText();
const shown = (page) => page.locator(".builder > in-flight");
const has = (page, name) => shown(page).evaluate((element, name) => element.getAttribute(name), name);

test("what is chosen is shown, written, and heard", async ({ open, site }) => {
  const page = await open("authors/");
  await ready(page);
  assert.equal(
    await written(page),
    `<script src="${site.root}element.js" async></script>\n<in-flight exhibit="event-life">\n` +
      `  <a href="${site.root}exhibits/event-life/">Life of a message</a>\n</in-flight>`,
  );
  await field(page, "seed").fill("7");
  await field(page, "controls").selectOption("mini");
  await page.getByText("More attributes").click();
  await field(page, "label").fill('"Ours" & more');
  await field(page, "label").blur();
  assert.match(await written(page), /<in-flight exhibit="event-life" seed="7" controls="mini" label="&quot;Ours&quot; &amp; more">/);
  await shown(page).getByRole("article", { name: '"Ours" & more' }).waitFor();
  assert.equal(await has(page, "seed"), "7");
  await page.locator(".builder__heard code", { hasText: "inflight-ready" }).waitFor();

});

test("for a quiz there are other fields, and what counts for runs is left out", async ({ open }) => {
  const page = await open("authors/");
  await field(page, "controls").selectOption("mini");
  await field(page, "exhibit").selectOption("brochure");
  await becomes(() => field(page, "controls").isVisible(), false);
  await field(page, "attempts").fill("1");
  await field(page, "reveal").selectOption("never");
  assert.match(await written(page), /<in-flight exhibit="brochure" attempts="1" reveal="never">\n {2}<a href="[^"]*\/exhibits\/brochure\/">Translate the brochure<\/a>/);
  await shown(page).getByRole("heading", { name: "Translate the brochure" }).waitFor();
  assert.equal(await has(page, "controls"), null);
  assert.equal(await has(page, "attempts"), "1");
});

test("a value that cannot be used is answered in the picture", async ({ open }) => {
  const page = await open("authors/");
  await ready(page);
  await field(page, "seed").fill("seven");
  await field(page, "seed").blur();
  await shown(page).getByText('seed="seven" cannot be used').waitFor();
  await page.locator(".builder__heard code", { hasText: '"bad-param"' }).waitFor();
});

test("each kind of page has its snippet, and a frame takes its attributes along", async ({ open, site }) => {
  const page = await open("authors/");
  await field(page, "theme").selectOption("dark");
  for (const [where, says] of [
    ["mdbook", "theme/head.hbs"],
    ["mkdocs", "extra_javascript:"],
    ["docusaurus", "docusaurus.config.js"],
    ["hugo", "{{< html >}}"],
  ]) {
    await field(page, "where").selectOption(where);
    await becomes(() => page.locator("[data-host]:visible").count(), 1);
    const text = await written(page);
    assert.ok(text.includes(says), text);
    assert.ok(text.includes('<in-flight exhibit="event-life" theme="dark">'), text);
    assert.ok(text.includes(`${site.root}element.js`), text);
  }
  await field(page, "where").selectOption("frame");
  const text = await written(page);
  assert.match(text, /^<iframe src="[^"]*embed\.html\?exhibit=event-life&amp;theme=dark"/);
  const address = await page.evaluate((text) => {
    const place = document.createElement("div");
    place.innerHTML = text;
    return place.firstChild.src;
  }, text);
  const frame = await open(address);
  await ready(frame);
  await becomes(() => frame.evaluate(() => document.querySelector("in-flight").getAttribute("theme")), "dark");
});

guest.test("the examples of the formats run in a page of one's own", async ({ open, site }) => {
  const run = await open(site.origin + "/exhibit");
  await ready(run);
  await call(run, "seek", "11s");
  await becomes(async () => (await call(run, "snapshot")).beat, /again/);

  const quiz = await open(site.origin + "/quiz");
  await ready(quiz);
  await exhibit(quiz).getByText("It comes back when its visibility timeout is over.").click();
  await exhibit(quiz).getByRole("button", { name: "Check" }).click();
  await exhibit(quiz).getByText("The queue lends a message; only an ack ends that.").waitFor();
  const kept = await quiz.evaluate(() => Object.keys(localStorage));
  assert.ok(kept.includes("inflight-quiz:quiz.json"), kept.join(" "));

  const tree = await open(site.origin + "/tree");
  await ready(tree);
  await exhibit(tree).getByRole("button", { name: "No", exact: true }).click();
  await exhibit(tree).getByText("Put it into a queue").first().waitFor();
});

guest.test("a file that cannot be read says where and what", async ({ open, site }) => {
  const page = await open(site.origin + "/broken");
  await exhibit(page).getByText("did you mean “lesson”?").waitFor();
});

test("without scripts every snippet stands there", async ({ open }) => {
  const page = await open("authors/", { javaScript: false });
  await becomes(() => page.locator("[data-host]:visible").count(), 6);
  await becomes(() => page.locator(".builder form").isVisible(), false);
  await becomes(() => page.locator("[data-host=frame] code").innerText(), /embed\.html\?exhibit=event-life/);
});

test("in each of its states it has no barrier and fits", async ({ open }) => {
  for (const theme of ["light", "dark"]) {
    const page = await open("authors/", { theme, width: 320 });
    await ready(page);
    await page.getByText("More attributes").click();
    await field(page, "exhibit").selectOption("brochure");
    await field(page, "attempts").fill("many");
    await field(page, "attempts").blur();
    await shown(page).getByText("cannot be used").waitFor();
    await checkAccess(page);
    await checkNoSidewaysScroll(page);
  }
});

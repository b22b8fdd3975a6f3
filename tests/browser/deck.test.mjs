// Cards that are answered aloud, and designs that are run under faults.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { becomes, checkAccess, checkNoSidewaysScroll, exhibit, ready, stage } from "./harness.mjs";

const parsed = (id) =>
  JSON.parse(readFileSync(new URL(`../../crates/course/content/quizzes/${id}.json`, import.meta.url), "utf8"));
const site = stage();
const button = (page, name) => exhibit(page).getByRole("button", { name });

async function opened(open, id, options = {}) {
  const page = await open(`exhibits/${id}/`, options);
  await ready(page);
  return page;
}

/** Puts the beats of the design that is looked at into their order. */
async function inOrder(page, beats) {
  const shown = () => exhibit(page).locator(".step__say").allInnerTexts();
  for (const [place, { say }] of beats.entries()) {
    for (let now = (await shown()).indexOf(say); now > place; now -= 1) {
      await button(page, `Move “${say}” up`).click();
    }
  }
  assert.deepEqual(await shown(), beats.map(({ say }) => say));
}

const decide = (page, beat, option) =>
  exhibit(page)
    .getByRole("radiogroup", { name: beat.say })
    .getByRole("radio", { name: option.say, exact: true })
    .check();

site.test("a card is answered aloud, turned, and judged by what was in the answer", async ({ open }) => {
  const page = await opened(open, "interview-deck", { width: 360 });
  const { questions, draw } = parsed("interview-deck");
  await becomes(() => exhibit(page).locator(".q-stop").count(), draw);
  await becomes(() => button(page, "Check").count(), 0, "nothing is judged before the card is turned");
  await button(page, "Give me half a minute").click();
  await becomes(() => exhibit(page).getByRole("timer").innerText(), "Half a minute runs.");
  const bar = exhibit(page).locator(".card__bar");
  const runs = await bar.evaluate((bar) => getComputedStyle(bar, "::before").animationDuration);
  assert.equal(runs, "30s");
  await checkAccess(page);
  const asked = await exhibit(page).locator(".q__ask").innerText();
  const card = questions.find(({ ask }) => ask === asked);
  const text = await exhibit(page).locator(".q").innerText();
  assert.ok(!text.includes(card.points[0]), "the front does not tell");
  await button(page, "Turn the card").click();
  await becomes(() => exhibit(page).locator(".card__say").innerText(), card.say);
  await checkAccess(page);
  await checkNoSidewaysScroll(page);
  await button(page, "Check").click();
  await becomes(() => exhibit(page).locator(".result").innerText(), /^Not yet[\s\S]*named 0 of/);
  await button(page, "Try again").click();
  for (const point of card.points) {
    await exhibit(page).getByRole("checkbox", { name: point, exact: true }).check();
  }
  await button(page, "Check").click();
  await becomes(() => exhibit(page).locator(".result").innerText(), /^Right/);
  await button(page, "Watch the run").click();
  await exhibit(page).locator(".q-run .player").waitFor();
});

site.test("a design is put into order, decided, and run under its three faults", async ({ open }) => {
  const page = await opened(open, "five-beats", { width: 360 });
  const [{ beats, faults }] = parsed("five-beats").questions;
  assert.equal(faults.length, 3);
  await checkAccess(page);
  await becomes(() => exhibit(page).locator(".q").innerText(), /5 decisions are still open/);
  const right = (beat) => beat.options.find((option) => option.right);
  // Everything is decided well but one, and the beats stand as chance put them.
  const last = beats[4];
  const wrong = last.options.find((option) => !option.right);
  for (const beat of beats) await decide(page, beat, beat === last ? wrong : right(beat));
  await button(page, "Check").click();
  const result = exhibit(page).locator(".result");
  await becomes(() => result.innerText(), /^Not yet/);
  await becomes(() => result.locator(".props li").count(), 3);
  const lines = await result.locator(".props li").allInnerTexts();
  for (const [at, { id, say, keeps }] of faults.entries()) {
    assert.ok(lines[at].includes(say));
    const broken = wrong.breaks.includes(id);
    assert.equal(lines[at].startsWith(broken ? "Fails" : "Holds"), true, lines[at]);
    assert.equal(lines[at].includes(keeps), !broken, lines[at]);
  }
  await becomes(() => exhibit(page).locator(".design").innerText(), (text) => text.includes(wrong.why), "it says why");
  await checkNoSidewaysScroll(page);
  await checkAccess(page);
  await result.locator(".props li").filter({ hasText: "Fails" }).getByRole("button", { name: "Watch the run" }).click();
  await exhibit(page).locator(".q-run .player").waitFor();
  await button(page, "Put the run away").click();

  // Well decided, in a wrong order; then in the right one.
  await button(page, "Try again").click();
  await decide(page, last, right(last));
  await button(page, "Check").click();
  await becomes(() => result.innerText(), /^Not yet/);
  const isReason = (said) => beats.some(({ why }) => said.includes(why));
  await becomes(() => result.locator(".result__say").innerText(), isReason);
  await button(page, "Try again").click();
  await inOrder(page, beats);
  await button(page, "Check").click();
  await becomes(() => result.innerText(), /^Right/);
  await becomes(() => result.locator(".props li").filter({ hasText: "Holds" }).count(), 3);
});

site.test("a beat is dragged to another's place, and its options can still be picked", async ({ open }) => {
  const page = await opened(open, "five-beats");
  const says = () => exhibit(page).locator(".step__say").allInnerTexts();
  const before = await says();
  const middle = ({ x, y, width }) => [x + width / 2, y + 12];
  const from = await exhibit(page).locator(".step").nth(2).boundingBox();
  const to = await exhibit(page).locator(".step").first().boundingBox();
  await page.mouse.move(...middle(from));
  await page.mouse.down();
  await page.mouse.move(...middle(to), { steps: 8 });
  await page.mouse.up();
  assert.deepEqual(await says(), [before[2], before[0], before[1], ...before.slice(3)]);
  const option = exhibit(page).locator(".step").first().getByRole("radio").first();
  await exhibit(page).locator(".step").first().locator(".opt__pick").first().click();
  await becomes(() => option.isChecked(), true);
});

site.test("the interview page has the deck and the designs, and reads without a script", async ({ open }) => {
  const page = await open("interview/");
  for (const id of ["interview-deck", "five-beats"]) {
    const unit = page.locator(`in-flight[exhibit="${id}"]`);
    await unit.scrollIntoViewIfNeeded();
    await unit.locator(".q__ask").waitFor();
  }
  const still = await open("exhibits/five-beats/", { javaScript: false });
  const text = await still.locator("in-flight").innerText();
  const { questions } = parsed("five-beats");
  for (const { ask, faults } of questions) {
    assert.ok(text.includes(ask));
    for (const { say } of faults) assert.ok(text.includes(say), say);
  }
});

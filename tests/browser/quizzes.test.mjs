// Quizzes and decision trees, as any learner may meet them: by mouse, touch and keyboard, with the
// runs that convict, with what is kept for another day, and without a script.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { becomes, checkAccess, checkNoSidewaysScroll, checkPage, exhibit, ready, stage, themeOf, unitsIn } from "./harness.mjs";

const content = (folder) => new URL(`../../crates/course/content/${folder}/`, import.meta.url);
const parsed = (folder, id) => JSON.parse(readFileSync(new URL(`${id}.json`, content(folder)), "utf8"));
const site = stage();

const failures = (page) => exhibit(page).locator(".failure").innerText();
const button = (page, name) => exhibit(page).getByRole("button", { name });
const live = (page) => exhibit(page).locator("p[role=status]").first();

async function opened(open, id, options = {}) {
  const page = await open(`exhibits/${id}/`, options);
  await ready(page);
  assert.equal(await failures(page), "");
  return page;
}

/** The events of the element, as they come. */
async function heard(page, type) {
  await page.evaluate((type) => {
    window.heard = [];
    document.querySelector("in-flight").addEventListener(type, (event) => window.heard.push(event.detail));
  }, type);
  return () => page.evaluate(() => window.heard);
}

for (const [turn, id] of unitsIn("quizzes").entries()) {
  const { questions, draw } = parsed("quizzes", id);
  site.test(`${id}: its page, and every question that is asked, with its answer shown, at 360 pixels`, async ({ open }) => {
    const page = await open(`exhibits/${id}/`, { width: 320, theme: themeOf(turn) });
    await checkPage(page);
    assert.equal(await failures(page), "");
    await page.setViewportSize({ width: 360, height: 900 });
    await page.evaluate(() => document.querySelector("in-flight").setAttribute("reveal", "always"));
    const asked = draw ?? questions.length;
    const stops = exhibit(page).locator(".q-stop");
    await becomes(() => stops.count(), asked > 1 ? asked : 0);
    for (let n = 0; n < asked; n += 1) {
      if (asked > 1) await stops.nth(n).click();
      await checkNoSidewaysScroll(page);
      await button(page, "Show the answer").click();
      await exhibit(page).locator(".result").waitFor();
      await checkNoSidewaysScroll(page);
      if (n === 0) await checkAccess(page);
    }
    assert.equal(await failures(page), "");
    if (asked > 1) await becomes(() => exhibit(page).locator(".q-close").innerText(), /0 of \d+ right at the first try/);
  });
}

site.test("a part that is placed is run; the wrong one can be watched failing, the right one holds", async ({ open }) => {
  const page = await opened(open, "signup-hole");
  const answers = await heard(page, "inflight-answer");
  await button(page, /^Cache/).click();
  const result = exhibit(page).locator(".result");
  await becomes(() => result.innerText(), /Fails[\s\S]*Every sign-up has its mail[\s\S]*0 in the end, instead of 120; so in 5 of 5 runs/);
  await button(page, "Watch it fail").click();
  const run = exhibit(page).locator(".q-run");
  await run.getByRole("button", { name: "Pause" }).waitFor();
  await becomes(() => run.innerText(), /cache/);
  await button(page, "Put the run away").click();
  await becomes(() => run.count(), 0);
  await button(page, /^Durable queue/).click();
  await becomes(() => result.innerText(), /^Holds/);
  await becomes(answers, [
    { item: "part", right: false, tries: 1 },
    { item: "part", right: true, tries: 2 },
  ]);
});

site.test("a part can be dragged into the empty place", async ({ open }) => {
  const page = await opened(open, "signup-hole");
  const part = await button(page, /^Cache/).boundingBox();
  const hole = await exhibit(page).locator("[data-drop]").boundingBox();
  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
  await page.mouse.move(...middle(part));
  await page.mouse.down();
  await page.mouse.move(...middle(hole), { steps: 6 });
  await page.mouse.up();
  await becomes(() => exhibit(page).locator(".route__hole").innerText(), /your part: Cache/);
  // Dropped beside it, it is not placed.
  const other = await button(page, /^Load balancer/).boundingBox();
  await page.mouse.move(...middle(other));
  await page.mouse.down();
  await page.mouse.move(other.x + 10, other.y + 300, { steps: 6 });
  await page.mouse.up();
  await becomes(() => exhibit(page).locator(".route__hole").innerText(), /your part: Cache/);
});

site.test("a part is placed by a finger's tap and by keyboard", async ({ open }) => {
  const page = await opened(open, "signup-hole", { width: 360 });
  await button(page, /^Nightly cron/).dispatchEvent("pointerdown", { pointerType: "touch", button: 0 });
  await button(page, /^Nightly cron/).dispatchEvent("click");
  await becomes(() => exhibit(page).locator(".route__hole").innerText(), /Nightly cron/);
  await button(page, /^Durable queue/).focus();
  await page.keyboard.press("Enter");
  await becomes(() => exhibit(page).locator(".result").innerText(), /^Holds/);
});

site.test("options, hints, a second try and the reasons, all by keyboard", async ({ open }) => {
  const page = await opened(open, "say-it-as-a-number");
  const [question] = parsed("quizzes", "say-it-as-a-number").questions;
  const right = question.options.find((option) => option.right).say;
  const wrong = question.options.find((option) => !option.right);
  await button(page, "A hint").press("Enter");
  await becomes(() => exhibit(page).locator(".hint").innerText(), question.hints[0]);
  await exhibit(page).getByRole("radio", { name: wrong.say, exact: true }).press("Space");
  await button(page, "Check").press("Enter");
  await becomes(() => live(page).innerText(), /Not yet/);
  const text = (await exhibit(page).locator(".opts").innerText()).replace(/\s+/g, " ");
  assert.ok(text.includes(wrong.why), "the wrong option says why");
  await button(page, "Try again").press("Enter");
  await exhibit(page).getByRole("radio", { name: right, exact: true }).press("Space");
  await button(page, "Check").press("Enter");
  await becomes(() => live(page).innerText(), /Right/);
  for (const option of question.options) {
    const all = (await exhibit(page).locator(".opts").innerText()).replace(/\s+/g, " ");
    assert.ok(all.includes(option.why), `“${option.say}” says why`);
  }
});

site.test("cards go into bins, steps into order", async ({ open }) => {
  const page = await opened(open, "heal-or-hopeless");
  const { bins, cards } = parsed("quizzes", "heal-or-hopeless").questions[0];
  for (const card of cards) {
    const bin = bins.find(({ id }) => id === (card.bin ?? card.bins[0]));
    const group = exhibit(page).getByRole("group", { name: card.say, exact: true });
    await group.getByRole("radio", { name: bin.say, exact: true }).check();
  }
  await button(page, "Check").click();
  await becomes(() => exhibit(page).locator(".result").innerText(), /^Right/);

  const drill = await opened(open, "letters-drill");
  const { questions } = parsed("quizzes", "letters-drill");
  const at = questions.findIndex((question) => question.is === "order");
  const steps = questions[at].steps.map((step) => step.say);
  await exhibit(drill).locator(".q-stop").nth(at).click();
  const shown = () => exhibit(drill).locator(".step__say").allInnerTexts();
  assert.notDeepEqual(await shown(), steps);
  for (const [place, say] of steps.entries()) {
    for (let now = (await shown()).indexOf(say); now > place; now -= 1) {
      await exhibit(drill).getByRole("button", { name: `Move “${say}” up` }).press("Enter");
      await becomes(async () => (await shown()).indexOf(say), now - 1);
    }
  }
  await becomes(shown, steps);
  await button(drill, "Check").click();
  await becomes(() => exhibit(drill).locator(".result").innerText(), /^Right/);
});

site.test("a number is read as people write it, and a prediction shows its run", async ({ open }) => {
  const { questions } = parsed("quizzes", "check-m1");
  const page = await open("exhibits/check-m1/");
  await ready(page);
  // A pool draws by chance: another seed until a predicted number is asked.
  for (let seed = 1; seed < 40; seed += 1) {
    const text = await exhibit(page).locator(".q__ask").innerText();
    const question = questions.find(({ ask }) => ask === text);
    if (question.is === "number" && question.predict) {
      await exhibit(page).getByRole("textbox").fill(` ${question.answer} `);
      await page.keyboard.press("Enter");
      await becomes(() => exhibit(page).locator(".result").innerText(), /^Right/);
      await exhibit(page).locator(".q-run .player").waitFor();
      return;
    }
    await page.evaluate((seed) => {
      const old = document.querySelector("in-flight");
      const fresh = old.cloneNode(true);
      fresh.setAttribute("seed", seed);
      window.inflightEvents.length = 0;
      old.replaceWith(fresh);
    }, seed);
    await ready(page);
  }
  assert.fail("no seed asks for a predicted number first");
});

site.test("what was missed is kept for another day, unless the page forbids it", async ({ open }) => {
  const kept = (page) => page.evaluate(() => localStorage.getItem("inflight-quiz:signup-hole"));
  const page = await opened(open, "signup-hole");
  await button(page, /^Cache/).click();
  await exhibit(page).locator(".result").waitFor();
  const today = Math.floor((Date.now() - new Date().getTimezoneOffset() * 60_000) / 86_400_000);
  await becomes(async () => JSON.parse(await kept(page)), { version: 1, items: { part: { box: 0, due: today + 1 } } });

  const other = await open("exhibits/signup-hole/");
  await ready(other);
  await other.evaluate(() => {
    localStorage.clear();
    const old = document.querySelector("in-flight");
    const fresh = old.cloneNode(true);
    fresh.setAttribute("storage", "none");
    window.inflightEvents.length = 0;
    old.replaceWith(fresh);
  });
  await ready(other);
  await button(other, /^Cache/).click();
  await exhibit(other).locator(".result").waitFor();
  assert.equal(await kept(other), null);
});

site.test("a tree is walked, walked back, and copied", async ({ open }) => {
  const page = await opened(open, "inline-or-queued", { width: 360, permissions: ["clipboard-write", "clipboard-read"] });
  const tree = parsed("trees", "inline-or-queued");
  await exhibit(page).getByRole("combobox", { name: "Walk with" }).selectOption(tree.examples[0].say);
  await checkAccess(page);
  await button(page, "No").press("Enter");
  await becomes(() => live(page).innerText(), tree.forks[1].ask);
  await button(page, "No, none").press("Enter");
  await becomes(() => exhibit(page).locator(".walk__said").innerText(), /comes to another end: Do it inline/);
  await button(page, `Change the answer to “${tree.forks[0].ask}”`).press("Enter");
  await button(page, "Yes").click();
  await becomes(() => exhibit(page).locator(".walk__said").innerText(), /ends here/);
  await checkNoSidewaysScroll(page);
  await checkAccess(page);
  await button(page, "Copy the walk").click();
  const copied = async () => (await navigator.clipboard.readText()).includes("Do it inline");
  await page.waitForFunction(copied);
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /^Inline or queued\nPassword check\n.*\? Yes\n→ Do it inline\./);
});

for (const id of unitsIn("trees")) {
  site.test(`${id}: each example comes to its end`, async ({ open }) => {
    const page = await opened(open, id, { width: 320 });
    const { examples } = parsed("trees", id);
    for (const { say, answers } of examples) {
      await exhibit(page).getByRole("combobox", { name: "Walk with" }).selectOption(say);
      for (const answer of answers) {
        await exhibit(page).locator(".walk__here").getByRole("button", { name: answer, exact: true }).click();
      }
      await becomes(() => exhibit(page).locator(".walk__said").innerText(), /ends here/, say);
      await checkNoSidewaysScroll(page);
    }
    await checkAccess(page);
  });
}

site.test("without a script, questions, options and reasons can be read", async ({ open }) => {
  const page = await open("exhibits/signup-hole/", { javaScript: false });
  const text = await page.locator("in-flight").innerText();
  assert.match(text, /Which part lets every sign-up succeed/);
  assert.match(text, /Durable queue/);
  await page.locator("summary").first().click();
  await becomes(() => page.locator("in-flight").innerText(), /Right: Durable queue/);
});

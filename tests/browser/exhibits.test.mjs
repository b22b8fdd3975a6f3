// Every exhibit, as any learner may meet it: it plays, steps forth and back, comes back from its
// link, is worked by keyboard, survives each control at its ends, fits every width, and passes axe.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { call, checkAccess, checkNoSidewaysScroll, checkPage, drawn, exhibit, snapshotWhen, stage, themeOf, unitsIn } from "./harness.mjs";

const CONTENT = new URL("../../crates/course/content/exhibits/", import.meta.url);
const { test } = stage();

const snapshot = (page) => call(page, "snapshot");
const failures = (page) => exhibit(page).locator(".failure").innerText();

/** Sets every control to its ends, every choice to each of its options; what the exhibit complains of. */
async function complaintsOfControls(page) {
  return exhibit(page).evaluate(async ({ shadowRoot }) => {
    const wrong = [];
    const all = (selector) => [...shadowRoot.querySelectorAll(`.controls ${selector}`)];
    const changed = async (control, change, what) => {
      change(control);
      for (const type of ["input", "change"]) {
        control.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
      }
      // A change is drawn when this task is over.
      await new Promise((done) => setTimeout(done));
      const failure = shadowRoot.querySelector(".failure").innerText;
      if (failure) wrong.push(`${what}: ${failure}`);
    };
    // A change may draw the controls anew, so each is looked up when its turn comes.
    for (let n = 0; n < all("input[type=range]").length; n += 1) {
      for (const end of ["min", "max"]) {
        const toEnd = (input) => (input.value = input[end]);
        await changed(all("input[type=range]")[n], toEnd, `control ${n + 1} at its ${end}`);
      }
    }
    for (let n = 0; n < all("select").length; n += 1) {
      for (let option = 0; option < all("select")[n].length; option += 1) {
        const choose = (select) => (select.selectedIndex = option);
        await changed(all("select")[n], choose, `choice ${n + 1} at its option ${option + 1}`);
      }
    }
    return wrong;
  });
}

for (const [turn, id] of unitsIn("exhibits").entries()) {
  const { controls = [], scenario } = JSON.parse(readFileSync(new URL(`${id}.json`, CONTENT), "utf8"));

  test(`${id}: plays, steps forth and back, comes back from its link, survives its controls, fits, has no barrier`, async ({ open }) => {
    const page = await open(`exhibits/${id}/`, { width: 320, theme: themeOf(turn) });
    await checkPage(page);
    assert.equal(await failures(page), "");

    await call(page, "seek", 0);
    await call(page, "play");
    await snapshotWhen(page, (now) => now.seconds > 0, "it plays");
    await call(page, "pause");
    await call(page, "seek", 0);
    await call(page, "step");
    const first = await snapshot(page);
    await call(page, "step");
    const second = await snapshot(page);
    assert.ok(second.seconds >= first.seconds && second.seconds > 0, `it steps: ${second.seconds}`);
    await call(page, "step", -1);
    const back = await snapshot(page);
    assert.deepEqual([back.seconds, back.gauges, back.words], [first.seconds, first.gauges, first.words]);
    await call(page, "seek", first.end * 0.6);
    const [there, state] = [await snapshot(page), await call(page, "getState")];
    await call(page, "seek", 0);
    await call(page, "setState", state);
    const again = await snapshot(page);
    assert.deepEqual([again.seconds, again.gauges, again.words], [there.seconds, there.gauges, there.words]);
    assert.ok(there.words.length > 10, "the scene is told in words");

    await call(page, "reset");
    await page.setViewportSize({ width: 360, height: 900 });
    await drawn(page);
    await checkNoSidewaysScroll(page);
    await exhibit(page).locator(".inflight article").focus();
    await page.keyboard.press("Home");
    await snapshotWhen(page, (now) => now.seconds === 0, "Home goes to the beginning");
    await page.keyboard.press("ArrowRight");
    await snapshotWhen(page, (now) => now.seconds === first.seconds, "an arrow goes a step on");
    await page.keyboard.press("Home");
    await snapshotWhen(page, (now) => now.seconds === 0, "and Home comes back");
    if (controls.length > 0) {
      await exhibit(page).getByRole("button", { name: "More", exact: true }).click();
      await exhibit(page).locator(".controls :is(input, select)").first().waitFor();
      assert.deepEqual(await complaintsOfControls(page), []);
      const ended = await snapshot(page);
      assert.ok(ended.end > 0, `it still runs: ${scenario.name}`);
    }
    await checkAccess(page);
  });
}

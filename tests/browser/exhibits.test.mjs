// Every exhibit, as any learner may meet it: it plays, steps forth and back, comes back from its
// link, is worked by keyboard, survives each control at its ends, and passes axe.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { call, checkAccess, checkNoSidewaysScroll, exhibit, ready, stage } from "./harness.mjs";

const CONTENT = new URL("../../crates/course/content/exhibits/", import.meta.url);
const ids = readdirSync(CONTENT).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));
const site = stage();
// axe puts a style into the page, which the strict policy forbids.
const free = stage({ csp: null });

const snapshot = (page) => call(page, "snapshot");
const failures = (page) => exhibit(page).locator(".failure").innerText();

/** Opens an exhibit's page at its beginning, whatever moment the page shows at first. */
async function opened(open, id, options = {}) {
  const page = await open(`exhibits/${id}/`, options);
  await ready(page);
  assert.equal(await failures(page), "");
  return page;
}

for (const id of ids) {
  const { controls = [], scenario } = JSON.parse(readFileSync(new URL(`${id}.json`, CONTENT), "utf8"));

  site.test(`${id}: plays, steps forth and back, and comes back from its link`, async ({ open }) => {
    const page = await opened(open, id);
    await call(page, "seek", 0);
    await call(page, "play");
    await page.waitForFunction(
      async () => (await document.querySelector("in-flight").api(1).snapshot()).seconds > 0,
    );
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
  });

  free.test(`${id}: by keyboard, at both ends of each control, with axe and no sideways scroll`, async ({ open }) => {
    const page = await opened(open, id, { width: 360 });
    await checkNoSidewaysScroll(page);
    await exhibit(page).locator(".inflight article").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    const stepped = await snapshot(page);
    await page.keyboard.press("Home");
    assert.ok(stepped.seconds >= 0 && (await snapshot(page)).seconds === 0, "the keys move the playhead");
    if (controls.length > 0) {
      await exhibit(page).getByRole("button", { name: "More", exact: true }).click();
      const sliders = exhibit(page).locator(".controls input[type=range]");
      for (let n = 0; n < (await sliders.count()); n += 1) {
        for (const end of ["min", "max"]) {
          await sliders.nth(n).evaluate((input, end) => {
            input.value = input[end];
            input.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
          }, end);
          assert.equal(await failures(page), "", `control ${n + 1} at its ${end}`);
        }
      }
      const choices = exhibit(page).locator(".controls select");
      for (let n = 0; n < (await choices.count()); n += 1) {
        for (let option = 0; option < (await choices.nth(n).locator("option").count()); option += 1) {
          await choices.nth(n).selectOption({ index: option });
          assert.equal(await failures(page), "", `choice ${n + 1} at its option ${option + 1}`);
        }
      }
      const ended = await snapshot(page);
      assert.ok(ended.end > 0, `it still runs: ${scenario.name}`);
    }
    await checkAccess(page);
  });
}

// The views beside the map, what reads a chart, the files one can keep, and what is said of a
// change: by pointer, by keyboard, and for axe.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { becomes, call, checkAccess, checkNoSidewaysScroll, exhibit, ready, snapshotWhen, stage } from "./harness.mjs";

const CONTENT = new URL("../../crates/course/content/exhibits/", import.meta.url);
const site = stage();

const snapshot = (page) => call(page, "snapshot");
const button = (page, name) => exhibit(page).getByRole("button", { name });
const tab = (page, name) => exhibit(page).getByRole("radio", { name, exact: true });

async function opened(open, id, options = {}) {
  const page = await open(`exhibits/${id}/`, options);
  await ready(page);
  return page;
}

/** Exhibits with more than a map, and the names of their tabs. */
function withViews() {
  const names = { topology: "Map", timeline: "Timeline", sequence: "Sequence" };
  const files = readdirSync(CONTENT).filter((name) => name.endsWith(".json"));
  const all = files.map((name) => {
    const { views = [] } = JSON.parse(readFileSync(new URL(name, CONTENT), "utf8"));
    return { id: name.slice(0, -5), tabs: views.map((view) => names[view]).filter(Boolean) };
  });
  return all.filter(({ tabs }) => tabs.length > 1);
}

/** The bytes and the name of the file that a click makes. */
async function kept(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

site.test("tabs are one stop of the Tab key, and the arrows choose", async ({ open }) => {
  const page = await opened(open, "order-and-envelope");
  await call(page, "seek", 1);
  const before = await call(page, "getState");
  await becomes(() => tab(page, "Map").isChecked(), true, "the map is shown first");
  await tab(page, "Map").focus();
  await page.keyboard.press("ArrowRight");
  await becomes(() => tab(page, "Sequence").isChecked(), true);
  await exhibit(page).getByRole("list", { name: "What travels, by time" }).waitFor();
  await becomes(() => exhibit(page).locator(".inflight svg.map").count(), 0, "the map makes room");
  await page.keyboard.press("ArrowRight");
  await exhibit(page).getByRole("list", { name: /^Messages/ }).waitFor();
  await becomes(async () => (await snapshot(page)).seconds, 1, "the arrows are not the player's");
  assert.equal(await call(page, "getState"), before, "the choice is no part of the run");
  await page.keyboard.press("Tab");
  const focus = () => exhibit(page).locator(":focus").getAttribute("class");
  await becomes(focus, /^bar/);
});

site.test("a bar of the timeline follows its message, by click and by keyboard", async ({ open }) => {
  const page = await opened(open, "overtaking");
  await call(page, "seek", 5);
  await tab(page, "Timeline").check();
  await button(page, /^Number 4:/).click();
  await exhibit(page).getByText("Following number 4", { exact: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await exhibit(page).getByText("Following number 5", { exact: true }).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Space");
  await exhibit(page).getByText("Following number 3", { exact: true }).waitFor();
  await becomes(() => button(page, /^Number 3:/).getAttribute("aria-pressed"), "true");
  await becomes(async () => (await snapshot(page)).seconds, 5);
});

site.test("the playhead of the timeline goes with the run", async ({ open }) => {
  const page = await opened(open, "overtaking");
  await tab(page, "Timeline").check();
  const place = async (seconds) => {
    await call(page, "seek", seconds);
    const over = exhibit(page).locator(".timeline__over");
    return over.evaluate((over) => parseFloat(over.style.getPropertyValue("--pos")));
  };
  const places = [await place(0), await place(10), await place(20), await place(30)];
  assert.equal(places[0], 0);
  const steps = places.slice(1).map((at, i) => at - places[i]);
  for (const step of steps) assert.ok(Math.abs(step - steps[0]) < 0.1 && step > 5, `${places}`);
});

site.test("many messages have a window that can be moved", async ({ open }) => {
  const page = await opened(open, "hot-lane");
  await call(page, "seek", 600);
  await tab(page, "Timeline").check();
  const rows = exhibit(page).locator(".bar");
  await becomes(() => rows.count(), 120);
  await button(page, /earlier messages$/).click();
  await button(page, /^4,660 earlier messages$/).waitFor();
  await button(page, /later messages$/).click();
  await button(page, /^4,720 earlier messages$/).waitFor();
  await becomes(() => rows.count(), 120);
});

site.test("a row of the sequence moves the playhead", async ({ open }) => {
  const page = await opened(open, "order-and-envelope");
  await call(page, "seek", 0);
  await tab(page, "Sequence").check();
  await button(page, /Relay 1 dies/).and(exhibit(page).locator(".hop")).click();
  await becomes(async () => (await snapshot(page)).seconds, 0.86);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await becomes(async () => (await snapshot(page)).seconds, 0.95);
  const said = await exhibit(page).locator(".hop .visually-hidden").allInnerTexts();
  assert.ok(said.length > 20 && said.every((text) => text.length > 5), "every row is said");
});

site.test("a chart is read by keyboard and by pointer, and Enter goes there", async ({ open }) => {
  const page = await opened(open, "whole-fleet");
  await call(page, "seek", 0);
  const reader = exhibit(page).getByRole("slider", { name: /^Read “Waiting, and crashes”/ });
  await reader.focus();
  await page.keyboard.press("End");
  await becomes(() => reader.getAttribute("aria-valuetext"), /^1:\d\d\.\d, waiting \d+, crashes \d+$/);
  const last = await reader.getAttribute("aria-valuetext");
  await page.keyboard.press("PageDown");
  await becomes(() => reader.getAttribute("aria-valuetext"), (now) => now !== last);
  await becomes(async () => (await snapshot(page)).seconds, 0, "reading does not move the playhead");
  await becomes(() => exhibit(page).locator(".chart__tip time").innerText(), /^1:/);
  await page.keyboard.press("Enter");
  await snapshotWhen(page, ({ seconds }) => seconds > 60, "Enter goes to what is read");
  await reader.scrollIntoViewIfNeeded();
  const box = await reader.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const half = (await snapshot(page)).end / 2;
  const isHalf = (read) => {
    const [minutes, rest] = read.split(":").map(Number);
    return Math.abs(minutes * 60 + rest - half) < 1;
  };
  await becomes(() => exhibit(page).locator(".chart__tip time").innerText(), isHalf);
});

site.test("a chart shows its data, with the playhead in it", async ({ open }) => {
  const page = await opened(open, "whole-fleet");
  await call(page, "seek", 40);
  const data = exhibit(page).locator(".chart__table").first();
  await data.getByText("Show data").click();
  await becomes(() => data.locator("tbody tr").count(), (n) => n >= 10);
  await becomes(() => data.locator("tr[aria-current]").innerText(), /^0:(3|40)/);
});

site.test("a run and its scenario can be kept as files, under the strict policy", async ({ open }) => {
  const page = await opened(open, "event-life");
  await call(page, "seek", 22);
  await button(page, /^Crash worker 2/).click();
  await becomes(() => call(page, "trace"), /22\.000000 crashed mailers\.2/);
  await button(page, "More").click();
  const trace = await kept(page, () => button(page, "Trace (CSV)").click());
  assert.match(trace.name, /^[a-z0-9-]+-trace\.csv$/);
  const rows = trace.bytes.toString().trimEnd().split("\n");
  const lines = (await call(page, "trace")).trimEnd().split("\n");
  assert.equal(rows.length, lines.length + 1);
  assert.ok(rows.includes("22.000000,crashed,7,crashed mailers.2 holding 7"), rows[50]);
  const scenario = await kept(page, () => button(page, "Scenario (JSON)").click());
  const document = JSON.parse(scenario.bytes);
  const own = JSON.parse(readFileSync(new URL("event-life.json", CONTENT), "utf8")).scenario;
  const added = document.interventions.length - (own.interventions ?? []).length;
  assert.deepEqual([added, document.seed], [1, own.seed]);
  await exhibit(page).getByText(/scenario\.json is handed to the browser/).first().waitFor();
});

site.test("views and charts can be kept as drawings and pictures", async ({ open }) => {
  const page = await opened(open, "whole-fleet", { width: 1440 });
  await call(page, "seek", 40);
  await button(page, "More").click();
  const check = async (act, form) => {
    const { name, bytes } = await kept(page, act);
    assert.ok(name.endsWith(`.${form}`), name);
    if (form === "png") {
      assert.equal(bytes.subarray(1, 4).toString(), "PNG");
      assert.ok(bytes.readUInt32BE(16) > 600 && bytes.length > 10_000, `${name}: ${bytes.length}`);
      return;
    }
    const seen = await page.evaluate((text) => {
      const read = new DOMParser().parseFromString(text, "image/svg+xml");
      const all = [...read.querySelectorAll("[fill], [stroke]")];
      const colours = new Set(all.flatMap((el) => [el.getAttribute("fill"), el.getAttribute("stroke")]));
      return {
        wrong: read.querySelector("parsererror")?.textContent ?? "",
        words: [...read.querySelectorAll("text")].map((el) => el.textContent).join(" "),
        shapes: read.querySelectorAll("path").length,
        colours: [...colours].filter((colour) => colour && colour !== "none"),
      };
    }, bytes.toString());
    assert.equal(seen.wrong, "");
    assert.ok(seen.shapes > 5 && seen.words.length > 20, name);
    assert.ok(seen.colours.every((colour) => /^(rgb|#|color)/.test(colour)), `${seen.colours}`);
    return seen;
  };
  const view = (form) => () => button(page, `This view (${form.toUpperCase()})`).click();
  await check(view("svg"), "svg");
  await check(view("png"), "png");
  await tab(page, "Timeline").check();
  const bars = await check(view("svg"), "svg");
  const numbers = await exhibit(page).locator(".bar__name").allInnerTexts();
  for (const number of numbers) assert.ok(bars.words.includes(` ${number.trim()}`), number);
  assert.equal(numbers.length, 120, "all rows are on it, scrolled or not");
  await check(view("png"), "png");
  await exhibit(page).getByText("Show data").first().click();
  const save = (form) => () => exhibit(page).locator(".chart__saves").first().getByRole("button", { name: form.toUpperCase() }).click();
  await check(save("svg"), "svg");
  await check(save("png"), "png");
  const points = await kept(page, save("csv"));
  assert.match(points.bytes.toString(), /^seconds,thumbnails\n0\.000000,2\n/);
});

site.test("a browser that makes no files says so", async ({ open }) => {
  const page = await opened(open, "event-life");
  await page.evaluate(() => {
    URL.createObjectURL = () => {
      throw new Error("not here");
    };
  });
  await button(page, "More").click();
  await button(page, "Trace (CSV)").click();
  await exhibit(page).getByText("The browser does not let this page make a file: not here").first().waitFor();
});

site.test("what a change has done is said under the player", async ({ open }) => {
  const page = await opened(open, "event-life");
  const said = exhibit(page).locator(".player__changed");
  await becomes(() => said.count(), 0, "nothing was changed yet");
  await call(page, "seek", 22);
  await button(page, /^Crash worker 2/).click();
  await becomes(() => said.innerText(), /^At the end of the run: .+: \d+ before, \d+ now/);
  await button(page, /^Take back the crash of worker 2/).click();
  await becomes(() => said.innerText(), /before, \d+ now/);
  await button(page, "Reset").click();
  await becomes(() => said.count(), 0);
});

for (const { id, tabs } of withViews()) {
  site.test(`${id}: every view passes axe and fits, narrow and wide`, async ({ open }) => {
    for (const [width, theme] of [[320, "light"], [1440, "dark"]]) {
      const page = await opened(open, id, { width, theme });
      await call(page, "seek", (await snapshot(page)).end / 2);
      for (const name of tabs) {
        await tab(page, name).check();
        await checkNoSidewaysScroll(page);
        await checkAccess(page);
      }
    }
  });
}

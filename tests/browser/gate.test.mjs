// The review gate: a checklist that judges evidence, keeps what was written, and can be taken along,
// and that is still a checklist where no script runs.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { becomes, checkAccess, checkNoSidewaysScroll, stage } from "./harness.mjs";

const { test } = stage();

const stands = (page) => page.locator(".gate__stands");
const check = (page, nth) => page.locator("[data-check]").nth(nth);

async function fill(page, nth, where) {
  await check(page, nth).getByRole("checkbox").check();
  await check(page, nth).getByRole("textbox").fill(where);
}

test("five with evidence pass, whatever the others say, and one without blocks", async ({ open }) => {
  const page = await open("gate/");
  await stands(page).filter({ hasText: "0 of 5" }).waitFor();
  await becomes(() => stands(page).innerText(), /^Not yet/);
  for (let nth = 0; nth < 4; nth += 1) await fill(page, nth, `runbook, section ${nth + 1}`);
  await becomes(() => stands(page).innerText(), /^Not yet[^]*4 of 5/);
  await check(page, 4).getByRole("checkbox").check();
  await becomes(() => stands(page).innerText(), /^Blocked[^]*4 of 5[^]*1 are ticked without it/);
  await becomes(() => check(page, 4).innerText(), /A tick needs a place/);
  await fill(page, 4, "trace 4bf92f");
  await becomes(() => stands(page).innerText(), /^It goes live[^]*all 5/);
  await fill(page, 9, "planned");
  await becomes(() => stands(page).innerText(), /^It goes live/, "the second five do not decide");
});

test("later is no evidence", async ({ open }) => {
  const page = await open("gate/");
  for (const [where, word] of [["Monitoring comes later", "later"], ["Planned for May", "Planned"], ["next quarter", "next quarter"]]) {
    await fill(page, 1, where);
    await becomes(() => check(page, 1).innerText(), new RegExp(`“${word}” is no evidence`));
    await becomes(() => stands(page).innerText(), /^Blocked/);
  }
  await check(page, 1).getByRole("checkbox").uncheck();
  await check(page, 1).getByRole("textbox").fill("");
  await becomes(() => stands(page).innerText(), /^Not yet/);
});

test("what was written is there after a visit elsewhere, and can be saved and cleared", async ({ open, site }) => {
  const page = await open("gate/");
  await page.getByLabel("The design under review").fill("Price alerts");
  await fill(page, 0, "alerts-dlq,\nowner: pricing");
  await check(page, 1).getByRole("textbox").fill("soon");
  await page.goto(site.url("m8/"));
  await page.goto(site.url("gate/"));
  await stands(page).filter({ hasText: "1 of 5" }).waitFor();
  await becomes(() => page.getByLabel("The design under review").inputValue(), "Price alerts");

  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as Markdown" }).click();
  const text = await readFile(await (await waiting).path(), "utf8");
  assert.match(text, /^# Review gate: Price alerts\n\n\d{4}-\d\d-\d\d\. Not yet: 1 of 5/);
  assert.match(text, /## Five that decide\n\n- \[x\] A way out for messages that fail: alerts-dlq,; owner: pricing\n/);
  assert.match(text, /- \[ \] An alarm on lag: soon \(“soon” is no evidence/);
  assert.equal(text.match(/^- \[/gm).length, 10);

  await page.getByRole("button", { name: "Clear the list" }).click();
  await page.getByRole("button", { name: "Clear it for good" }).click();
  await stands(page).filter({ hasText: "0 of 5" }).waitFor();
  await becomes(() => page.getByLabel("The design under review").inputValue(), "");
  assert.equal(await page.evaluate(() => localStorage.getItem("inflight-gate")), null);
});

test("what is kept and cannot be read is no list", async ({ open }) => {
  for (const kept of ["{", "[1]", '{"checks":{"an-alarm-on-lag":7},"design":{}}']) {
    const page = await open("gate/", { init: `localStorage.setItem("inflight-gate", ${JSON.stringify(kept)});` });
    await stands(page).filter({ hasText: "0 of 5" }).waitFor();
  }
});

test("with storage blocked it judges all the same, and says that nothing is kept", async ({ open }) => {
  const init = `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });`;
  const page = await open("gate/", { init });
  await fill(page, 0, "alerts-dlq");
  await becomes(() => stands(page).innerText(), /1 of 5/);
  await page.getByText("This browser keeps nothing for this page").waitFor();
});

test("without scripts it can be filled in, and says what it cannot do", async ({ open }) => {
  const page = await open("gate/", { javaScript: false });
  await fill(page, 0, "alerts-dlq");
  await becomes(() => check(page, 0).getByRole("checkbox").isChecked(), true);
  await becomes(() => page.locator("main").innerText(), /Without JavaScript you can fill in this list and print it/);
  await becomes(() => page.getByRole("button", { name: "Print" }).isVisible(), false);
});

test("in each of its states it has no barrier and fits", async ({ open }) => {
  for (const theme of ["light", "dark"]) {
    const page = await open("gate/", { theme, width: 320 });
    await fill(page, 0, "later");
    await checkAccess(page);
    await checkNoSidewaysScroll(page);
  }
});

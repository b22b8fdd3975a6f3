// The gallery: complete without a script; with one, the choices go together, stand in the address,
// and how many are left is told.

import assert from "node:assert/strict";
import { becomes, checkAccess, checkNoSidewaysScroll, stage } from "./harness.mjs";

const { test } = stage();

const shown = (page) => page.locator(".gallery [data-kind]:visible");
const count = (page) => page.locator("[data-count]");
const choice = (page, name) => page.getByRole("combobox", { name, exact: true });
const asked = (page) => Object.fromEntries(new URL(page.url()).searchParams);

test("without a script every exhibit is there, and says what it is made of", async ({ open }) => {
  const page = await open("exhibits/", { javaScript: false });
  await becomes(() => shown(page).count(), (n) => n > 80);
  await becomes(() => page.locator(".gallery__choices").isVisible(), false);
  await becomes(() => page.locator(".card__meta").first().innerText(), /·/);
  await page.locator(".filter a[href='#module-2']").click();
  const left = await shown(page).count();
  assert.ok(left > 5 && left < 40, `${left}`);
});

test("choices go together, and an address brings them back", async ({ open }) => {
  const page = await open("exhibits/");
  const all = await shown(page).count();
  await becomes(() => count(page).innerText(), `${all} of ${all} shown`);
  await choice(page, "Kind").selectOption("Simulator");
  const simulators = await shown(page).count();
  await choice(page, "With a").selectOption("log");
  const logs = await shown(page).count();
  await choice(page, "Module").selectOption({ index: 6 });
  const few = await shown(page).count();
  assert.ok(few > 0 && few < logs && logs < simulators && simulators < all);
  await becomes(() => count(page).innerText(), few === 1 ? `One of ${all} shown` : `${few} of ${all} shown`);
  const has = await shown(page).evaluateAll((cards) => cards.map((card) => [card.dataset.kind, card.dataset.has]));
  assert.ok(has.every(([kind, parts]) => kind === "simulator" && parts.split(" ").includes("log")));
  assert.deepEqual(asked(page), { module: "6", kind: "simulator", has: "log" });
  await page.reload();
  await becomes(() => shown(page).count(), few);
  await becomes(() => choice(page, "With a").inputValue(), "log");
  await page.getByRole("button", { name: "Show all" }).click();
  await count(page).filter({ hasText: `${all} of ${all}` }).waitFor();
  assert.deepEqual(asked(page), {});
});

test("an anchor of old chooses its module, and nonsense chooses nothing", async ({ open }) => {
  const page = await open("exhibits/#module-3");
  await becomes(() => choice(page, "Module").inputValue(), "3");
  const some = await shown(page).count();
  await choice(page, "Module").selectOption("");
  await becomes(() => shown(page).count(), (n) => n > some);
  const odd = await open("exhibits/?kind=song&has=log");
  await becomes(() => choice(odd, "Kind").inputValue(), "");
  await becomes(() => shown(odd).count(), (n) => n > 3);
});

test("the gallery with its choices passes axe and fits", async ({ open }) => {
  for (const [width, theme] of [[320, "light"], [768, "dark"], [1440, "light"]]) {
    const page = await open("exhibits/?has=saga", { width, theme });
    await checkNoSidewaysScroll(page);
    await checkAccess(page);
  }
});

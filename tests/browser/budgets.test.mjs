// Bytes are the same on every machine, so they are held to their budget by a test; times are not.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { stage } from "./harness.mjs";
import { weigh } from "./weight.mjs";

const budgets = JSON.parse(readFileSync(new URL("../budgets.json", import.meta.url), "utf8"));
const { test } = stage();

test("what a reader downloads stays within its budget", async ({ browser, t }) => {
  const { sizes, files } = await weigh(browser);
  for (const [name, bytes] of Object.entries(sizes)) {
    const parts = files[name].map((file) => `${file.name} ${file.brotli}`).join(", ");
    t.diagnostic(`${name}: ${bytes} of ${budgets[name]} (${parts})`);
    assert.ok(bytes > 0, `${name}: nothing was loaded`);
    assert.ok(bytes <= budgets[name], `${name}: ${bytes} of ${budgets[name]} bytes (${parts})`);
  }
  assert.deepEqual(Object.keys(sizes).sort(), Object.keys(budgets).sort());
});

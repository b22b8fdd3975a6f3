// Measures everything, prints a table, writes a flat report. `cargo xtask bench` calls it with the
// places of what it has built: `node bench.mjs REPORT` and NATIVE, MODULE, PYTHON in variables.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { TARGET, startBrowser } from "../browser/harness.mjs";
import { weigh } from "../browser/weight.mjs";
import { engine } from "./engine.mjs";
import { slider } from "./slider.mjs";

/** What design asks for at least: `most` or `least`, in the report's units. */
const FLOORS = {
  mm1_events_per_s_wasm: { least: 12e6 },
  wasm_over_native: { most: 1.6 },
  slider_to_picture_ms: { most: 50 },
  ...budgets(),
};

const [report] = process.argv.slice(2);
const { NATIVE: native, MODULE: module, PYTHON: python } = process.env;

const browser = await startBrowser();
try {
  const measured = {};
  await part("engine", async () => engine(browser, {
    native, module, python, folder: join(TARGET, "bench", "page"),
  }));
  await part("sizes", async () => (await weigh(browser)).sizes);
  await part("slider", async () => slider(browser));
  Object.assign(measured, {
    rounds_interleaved: 5,
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}`,
    chromium: browser.version(),
    node: process.version,
  });
  mkdirSync(dirname(report), { recursive: true });
  writeFileSync(report, `${JSON.stringify(measured, null, 2)}\n`);
  table(measured);

  /** A part that cannot be measured is told of and fails the whole, but not the other parts. */
  async function part(name, work) {
    console.error(`measuring: ${name}`);
    try {
      Object.assign(measured, await work());
    } catch (error) {
      console.error(`${name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
} finally {
  await browser.close();
}

function budgets() {
  const file = new URL("../budgets.json", import.meta.url);
  const entries = Object.entries(JSON.parse(readFileSync(file, "utf8")));
  return Object.fromEntries(entries.map(([name, most]) => [name, { most }]));
}

function table(measured) {
  const shown = (value) => (typeof value === "number" ? value.toLocaleString("en-GB") : value);
  for (const [name, value] of Object.entries(measured)) {
    const floor = FLOORS[name];
    const bound = floor?.least ?? floor?.most;
    const holds = floor && (floor.least ? value >= bound : value <= bound);
    const verdict = floor
      ? `${floor.least ? "at least" : "at most"} ${shown(bound)}: ${holds ? "holds" : "MISSED"}`
      : "";
    console.log(`${name.padEnd(30)} ${String(shown(value)).padStart(14)}  ${verdict}`);
  }
}

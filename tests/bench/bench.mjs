// Measures everything, prints a table, writes a flat report. `cargo xtask bench` calls it with the
// places of what it has built: `node bench.mjs REPORT` and NATIVE, MODULE, PYTHON in variables.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { TARGET, startBrowser } from "../browser/harness.mjs";
import { weigh } from "../browser/weight.mjs";
import { ROUNDS, engine } from "./engine.mjs";
import { slider } from "./slider.mjs";
import { worlds } from "./world.mjs";

/** What is asked for at least or at most, in the report's units. */
const BOUNDS = {
  mm1_events_per_s_wasm: { least: 12e6 },
  wasm_over_native: { most: 1.6 },
  engine_events_per_s_wasm: { least: 4e6 },
  engine_trace_events_per_s_wasm: { least: 1.5e6 },
  explore_states_per_s_wasm: { least: 100e3 },
  storm_reps_per_s_wasm: { least: 8 },
  storm_ratio_simpy: { least: 40 },
  seek_ms_million_events: { most: 50 },
  slider_to_picture_ms: { most: 50 },
  ...budgets(),
};

await main(process.argv[2]);

async function main(report) {
  const browser = await startBrowser();
  const { NATIVE: native, MODULE: module, PYTHON: python } = process.env;
  const folder = join(TARGET, "bench", "page");
  const parts = {
    engine: () => engine(browser, { native, module, python, folder }),
    worlds: () => worlds(browser, { module, python, folder }),
    sizes: async () => (await weigh(browser)).sizes,
    slider: () => slider(browser),
  };
  const measured = {};
  for (const [name, measure] of Object.entries(parts)) {
    console.error(`measuring: ${name}`);
    try {
      Object.assign(measured, await measure());
    } catch (error) {
      // One part that cannot be measured fails the whole, but not the other parts.
      console.error(`${name}: ${error.stack}`);
      process.exitCode = 1;
    }
  }
  Object.assign(measured, {
    rounds: ROUNDS,
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}`,
    chromium: browser.version(),
    node: process.version,
  });
  await browser.close();
  mkdirSync(dirname(report), { recursive: true });
  writeFileSync(report, `${JSON.stringify(measured, null, 2)}\n`);
  for (const [name, value] of Object.entries(measured)) console.log(row(name, value));
}

function budgets() {
  const file = new URL("../budgets.json", import.meta.url);
  const entries = Object.entries(JSON.parse(readFileSync(file, "utf8")).floors);
  return Object.fromEntries(entries.map(([name, most]) => [name, { most }]));
}

/** A line of the table: name, value, and how it stands to its bound if it has one. */
function row(name, value) {
  const start = `${name.padEnd(30)} ${shown(value).padStart(14)}`;
  const bound = BOUNDS[name];
  if (!bound) return start;
  const holds = bound.least ? value >= bound.least : value <= bound.most;
  const asked = bound.least ? `at least ${shown(bound.least)}` : `at most ${shown(bound.most)}`;
  return `${start}  ${asked}: ${holds ? "holds" : "missed"}`;
}

function shown(value) {
  return typeof value === "number" ? value.toLocaleString("en-GB") : String(value);
}

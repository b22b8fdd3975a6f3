// Measures everything, prints a table, writes a flat report. `cargo xtask bench` calls it with the
// places of what it has built: `node bench.mjs REPORT [--long] [PART…]` and NATIVE, MODULE, PYTHON in
// variables. Without parts it measures all of them.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { TARGET, startBrowser } from "../browser/harness.mjs";
import { weigh } from "../browser/weight.mjs";
import { crowds } from "./crowd.mjs";
import { ROUNDS, engine } from "./engine.mjs";
import { loading } from "./loading.mjs";
import { playing } from "./playing.mjs";
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
  fps_1000_tokens: { least: 55 },
  p95_frame_ms_1000_tokens: { most: 20 },
  fps_5000_tokens: { least: 40 },
  memory_after_1min_mb: { most: 100 },
  memory_after_10min_mb: { most: 100 },
  longest_task_ms: { most: 50 },
  total_blocking_time_ms: { most: 200 },
  interaction_to_next_paint_ms: { most: 100 },
  interaction_to_next_paint_ms_4x_cpu: { most: 200 },
  largest_contentful_paint_ms: { most: 1800 },
  first_moving_frame_ms: { most: 3500 },
  first_moving_frame_ms_unthrottled: { most: 800 },
  layout_shift: { most: 0.05 },
  ...budgets(),
};

await main(process.argv.slice(2));

async function main([report, ...asked]) {
  const long = asked.includes("--long");
  const chosen = asked.filter((word) => word !== "--long");
  const browser = await startBrowser();
  const { NATIVE: native, MODULE: module, PYTHON: python } = process.env;
  const folder = join(TARGET, "bench", "page");
  const parts = {
    engine: () => engine(browser, { native, module, python, folder }),
    worlds: () => worlds(browser, { module, python, folder }),
    sizes: async () => (await weigh(browser)).sizes,
    slider: () => slider(browser),
    crowds: () => crowds(browser),
    loading: () => loading(browser),
    playing: () => playing(browser, long ? 10 : 1),
  };
  const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length) throw new Error(`no part ${unknown}: there are ${Object.keys(parts)}`);
  const measured = {};
  for (const [name, measure] of Object.entries(parts)) {
    if (chosen.length && !chosen.includes(name)) continue;
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
    // Above the number of processors, what counts frames and milliseconds measured the neighbours.
    machine_load: loadavg()[1],
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
  const start = `${name.padEnd(36)} ${shown(value).padStart(14)}`;
  const bound = BOUNDS[name];
  if (!bound) return start;
  const holds = bound.least ? value >= bound.least : value <= bound.most;
  const asked = bound.least ? `at least ${shown(bound.least)}` : `at most ${shown(bound.most)}`;
  return `${start}  ${asked}: ${holds ? "holds" : "missed"}`;
}

function shown(value) {
  return typeof value === "number" ? value.toLocaleString("en-GB") : String(value);
}

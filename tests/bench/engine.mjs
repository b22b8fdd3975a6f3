// M/M/1 four ways in one run: natively, in Node.js, in Chromium, in SimPy.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openPage } from "../browser/harness.mjs";
import { serve } from "../browser/server.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Every way is measured this often, in turn. */
export const ROUNDS = 5;
const CUSTOMERS = 4_000_000;
const SIMPY_CUSTOMERS = 100_000;
const SEED = 1;

/** Middle value; times are skewed by whatever else the machine does. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Events a second of each, and their ratios. */
export async function engine(browser, { native, module, python, folder }) {
  const inNode = await nodeRunner(module);
  const page = await browserPage(browser, module, folder);
  const runs = { native: [], node: [], chromium: [], simpy: [] };
  const ways = {
    native: () => JSON.parse(execFileSync(native, [String(CUSTOMERS), String(SEED)], UTF8)),
    node: () => inNode(CUSTOMERS, SEED),
    chromium: () => page.evaluate(([n, seed]) => window.runMm1(n, seed), [CUSTOMERS, SEED]),
    simpy: () => simpy(python),
  };
  try {
    // The first call of each runs in a baseline compiler; it is not counted.
    await ways.node();
    await ways.chromium();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, way] of Object.entries(ways)) runs[name].push(await way());
    }
  } finally {
    await page.close();
  }
  const [first] = runs.native;
  for (const other of [...runs.native, ...runs.node, ...runs.chromium]) {
    if (other.events !== first.events) throw new Error("the engine differs between platforms");
  }
  return figures(runs);
}

const UTF8 = { encoding: "utf8" };

function figures(runs) {
  const rate = (name) => median(runs[name].map((run) => run.events / run.seconds));
  const [native, node, wasm] = ["native", "node", "chromium"].map(rate);
  const simpyRate = rate("simpy");
  const eventsPerCustomer = runs.native[0].events / CUSTOMERS;
  const simpyCustomers = median(runs.simpy.map((run) => SIMPY_CUSTOMERS / run.seconds));
  return {
    mm1_events_per_s_native: Math.round(native),
    mm1_events_per_s_wasm: Math.round(wasm),
    mm1_events_per_s_wasm_node: Math.round(node),
    wasm_over_native: rounded(native / wasm),
    simpy_mm1_events_per_s: Math.round(simpyRate),
    mm1_ratio_simpy: rounded(wasm / simpyRate),
    mm1_customers_per_s_wasm: Math.round(wasm / eventsPerCustomer),
    simpy_mm1_customers_per_s: Math.round(simpyCustomers),
    mm1_customers_ratio_simpy: rounded(wasm / eventsPerCustomer / simpyCustomers),
  };
}

export function rounded(number) {
  return Math.round(number * 100) / 100;
}

/** The module's benchmark called in this process. */
async function nodeRunner(module) {
  const bindings = await import(pathToFileURL(join(module, "inflight.js")));
  await bindings.default({ module_or_path: readFileSync(join(module, "inflight_bg.wasm")) });
  return (customers, seed) => {
    const start = performance.now();
    const events = bindings.bench_mm1(customers, seed);
    return { events, seconds: (performance.now() - start) / 1000 };
  };
}

/** A page that has the module loaded. */
export async function browserPage(browser, module, folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of ["page.html", "page.js"]) cpSync(join(HERE, name), join(folder, name));
  cpSync(module, join(folder, "module"), { recursive: true });
  const site = await serve(folder, { base: "/" });
  const page = await openPage(browser, site.url("page.html"));
  await page.waitForFunction(() => window.runMm1);
  const close = async () => {
    await page.context().close();
    await site.close();
  };
  return { evaluate: page.evaluate.bind(page), close };
}

/** One run of the twin; the faster of its two models speaks for SimPy. */
function simpy(python) {
  const text = execFileSync(python, [join(HERE, "simpy_mm1.py"), String(SIMPY_CUSTOMERS)], UTF8);
  const models = [...text.matchAll(/ ([\d.]+)s customers\/s=\S+ events=(\d+) /g)].map(
    ([, seconds, events]) => ({ seconds: Number(seconds), events: Number(events) }),
  );
  if (models.length === 0) throw new Error(`SimPy said something else: ${text}`);
  return models.reduce((best, one) => (one.seconds < best.seconds ? one : best));
}

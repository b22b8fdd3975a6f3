// The engine with all it does, in Chromium: a full queue, the retry storm and its twin in SimPy, and
// a seek in a long run.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { browserPage, median, rounded } from "./engine.mjs";
import { busiestMs } from "./process.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROUNDS = 5;
const STORM_REPLICATIONS = 10;
const SEEKS = 40;

/** A queue with one worker at 90 % load, and every rule of the queue. */
const queue = (messages) => ({
  format: 1,
  name: "One queue",
  seed: "1",
  until: "30d",
  components: {
    feed: { is: "source", to: "jobs", arrivals: { poisson: { per_second: 90, count: messages } } },
    jobs: { is: "queue", profile: "sqs-standard" },
    crew: {
      is: "workers",
      from: "jobs",
      on_message: [{ wait: { for: { exponential: { mean: "10ms" } } } }, "ack"],
    },
  },
});

/** Twenty orders, two workers, a service in front, and two crashes a run. */
const explored = {
  format: 1,
  name: "Crashes",
  seed: "1",
  until: "10m",
  components: {
    shop: { is: "source", to: "api", request: "order", arrivals: { every: { interval: "700ms", count: 20 } } },
    api: { is: "service", handles: { order: [{ publish: { to: "jobs" } }, { respond: 202 }] } },
    jobs: { is: "queue", profile: "sqs-standard" },
    crew: { is: "workers", from: "jobs", count: 2, on_message: [{ wait: { for: "200ms" } }, { call: { to: "mail" } }, "ack"] },
    mail: { is: "external", latency: "500ms" },
  },
  properties: ["no message lost", "no effect twice"],
};

/** Events and replications a second, and how long a seek takes. */
export async function worlds(browser, { module, python, folder }) {
  const storm = JSON.parse(readFileSync(join(HERE, "..", "scenarios", "storm.json"), "utf8"));
  const page = await browserPage(browser, module, folder);
  const run = (document, seed, traced) =>
    page.evaluate(([document, seed, traced]) => window.runScenario(document, seed, traced), [document, seed, traced]);
  const rates = { counting: [], tracing: [], storm: [], stormCpu: [], simpy: [], explored: [] };
  const explore = () => page.evaluate(([document, bounds]) => window.exploreScenario(document, bounds), [explored, { crashes: 2, runs: 2_000 }]);
  try {
    await run(queue(20_000), 1, false);
    await run(storm, 1, false);
    await explore();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, traced] of [["counting", false], ["tracing", true]]) {
        const { events, seconds } = await run(queue(100_000), 1, traced);
        rates[name].push(events / seconds);
      }
      const tried = await explore();
      rates.explored.push(tried.states / tried.seconds);
      let seconds = 0;
      const worked = await busiestMs(browser, async () => {
        for (let seed = 1; seed <= STORM_REPLICATIONS; seed += 1) seconds += (await run(storm, seed, false)).seconds;
      });
      rates.storm.push(STORM_REPLICATIONS / seconds);
      rates.stormCpu.push((STORM_REPLICATIONS * 1000) / worked);
      rates.simpy.push(simpy(python));
    }
    // Nine trace events a message make a run of a million.
    const long = queue(112_000);
    const shares = Array.from({ length: SEEKS }, (_, i) => ((i * 61) % SEEKS) / SEEKS);
    const sought = await page.evaluate(([long, shares]) => window.seekIn(long, shares), [long, shares]);
    const slowest = sought.seconds.sort((a, b) => a - b)[Math.floor(SEEKS * 0.95)];
    const storms = median(rates.storm);
    return {
      engine_events_per_s_wasm: Math.round(median(rates.counting)),
      engine_trace_events_per_s_wasm: Math.round(median(rates.tracing)),
      explore_states_per_s_wasm: Math.round(median(rates.explored)),
      storm_reps_per_s_wasm: rounded(storms),
      simpy_storm_reps_per_s: rounded(median(rates.simpy)),
      storm_ratio_simpy: rounded(storms / median(rates.simpy)),
      storm_ratio_simpy_cpu: rounded(median(rates.stormCpu) / median(rates.simpy)),
      seek_run_events: sought.events,
      seek_ms_million_events: rounded(slowest * 1000),
    };
  } finally {
    await page.close();
  }
}

/** Replications a second of the twin, by the processor's time as it measures itself. */
function simpy(python) {
  const text = execFileSync(python, [join(HERE, "simpy_storm.py")], { encoding: "utf8" });
  const seconds = [...text.matchAll(/: ([\d.]+)s CPU\/rep/g)].map(([, figure]) => Number(figure));
  if (seconds.length === 0) throw new Error(`SimPy said something else: ${text}`);
  return 1 / Math.min(...seconds);
}

// Loads the engine and offers one timed run to whoever drives the page.

import init, { bench_mm1 } from "./module/inflight.js";

await init();

window.runMm1 = (customers, seed) => {
  const start = performance.now();
  const events = bench_mm1(customers, seed);
  return { events, seconds: (performance.now() - start) / 1000 };
};

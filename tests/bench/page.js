// Loads the engine and offers timed runs to whoever drives the page.

import init, { BenchScenario, Simulation, bench_mm1 } from "./module/inflight.js";

await init();

/** Seconds that something takes, with what it returns. */
function timed(act) {
  const start = performance.now();
  const events = act();
  return { events, seconds: (performance.now() - start) / 1000 };
}

window.runMm1 = (customers, seed) => timed(() => bench_mm1(customers, seed));

window.runScenario = (document, seed, traced) => {
  const scenario = new BenchScenario(document);
  const run = timed(() => scenario.run(seed, traced));
  scenario.free();
  return run;
};

/** Explores a scenario to its end; states and seconds. */
window.exploreScenario = (document, bounds) => {
  const run = new Simulation(document);
  const search = run.explore(bounds);
  const { seconds } = timed(() => search.advance());
  const { states, runs } = search;
  search.free();
  run.free();
  return { states, runs, seconds };
};

/** Seeks to each share of a run that has been computed; seconds of each. */
window.seekIn = (document, shares) => {
  const run = new Simulation(document);
  run.advance();
  const events = run.events(1e9).length + Number(run.trace().split("\n").length - 1);
  const seconds = shares.map((share) => timed(() => run.advance(run.end * share)).seconds);
  run.free();
  return { events, seconds };
};

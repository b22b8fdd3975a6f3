// The engine for scripts, from a plain page: `inflight.js` and its `Simulation`.

import assert from "node:assert/strict";
import { stage } from "./harness.mjs";

const site = stage();

/** A page with the engine loaded and `window.Simulation` in place. */
async function engine(open) {
  const page = await open("examples/engine.html");
  await page.waitForFunction(() => document.getElementById("said").textContent.length > 10);
  await page.evaluate(async () => {
    const module = await import(new URL("../inflight.js", location.href).href);
    await module.default();
    window.Simulation = module.Simulation;
    window.jobs = {
      format: 1, name: "Jobs", seed: "7", until: "60s",
      components: {
        shop: { is: "source", to: "jobs", arrivals: { poisson: { per_second: 1 } } },
        jobs: { is: "queue", profile: "sqs-standard" },
        mailers: { is: "workers", from: "jobs", count: 2, on_message: [{ call: { to: "mail" } }, { ack: {} }] },
        mail: { is: "external", latency: "500ms" },
      },
      properties: ["no message lost"],
    };
  });
  return page;
}

site.test("the example says what came of its run", async ({ open }) => {
  const page = await engine(open);
  const said = await page.locator("#said").innerText();
  assert.match(said, /3\.000000 crashed mailers\.1 holding 1/);
  assert.match(said, /no message lost: holds/);
  assert.match(said, /no effect twice: broken/);
  assert.match(said, /jobs acked: 2/);
});

site.test("a run is advanced, looked at and broken", async ({ open }) => {
  const page = await engine(open);
  const seen = await page.evaluate(() => {
    const run = new Simulation(jobs, "11");
    const more = run.advance("10s");
    const early = run.events().length;
    const frame = run.frame(10);
    run.advance();
    const whole = run.events().length;
    const plain = run.measures();
    const number = run.intervene({ at: "20s", outage: { component: "mail", for: "10s" } });
    run.advance();
    const broken = run.events().some((event) => event.is === "outage-began" && event.at === 20);
    const back = run.takeBack(number);
    run.advance();
    return { more, early, frame, whole, plain, number, broken, back, again: run.measures(), seed: run.seed, done: run.done };
  });
  assert.equal(seen.more, true);
  assert.ok(seen.early > 0 && seen.whole > seen.early);
  assert.equal(seen.frame.now, 10);
  assert.equal(typeof seen.frame.components.jobs.available_total, "number");
  assert.equal(seen.frame.components.mailers.instances.length, 2);
  assert.ok(seen.frame.messages.every((message) => typeof message.state === "string"));
  assert.deepEqual([seen.number, seen.broken, seen.back, seen.seed, seen.done], [0, true, true, "11", true]);
  assert.deepEqual(seen.again, seen.plain, "taken back, the run is the one it was");
});

site.test("one seed has one run, and another seed another", async ({ open }) => {
  const page = await engine(open);
  const [one, same, other] = await page.evaluate(() =>
    ["1", "1", "2"].map((seed) => {
      const run = new Simulation(jobs, seed);
      run.advance();
      return run.trace();
    }),
  );
  assert.equal(one, same);
  assert.notEqual(one, other);
});

site.test("what is wrong is told with its place and its repair", async ({ open }) => {
  const page = await engine(open);
  const wrong = await page.evaluate(() => {
    const caught = (act) => {
      try {
        act();
      } catch (error) {
        return { text: error.message, isError: error instanceof Error, diagnostics: error.diagnostics };
      }
      return undefined;
    };
    const broken = structuredClone(jobs);
    broken.components.mailers.from = "jbos";
    broken.until = "never";
    const run = new Simulation(jobs);
    return {
      scenario: caught(() => new Simulation(broken)),
      number: caught(() => new Simulation(7)),
      action: caught(() => run.intervene({ crash: { component: "mail" } })),
      moment: caught(() => run.advance("soon")),
    };
  });
  assert.ok(wrong.scenario.isError);
  const places = wrong.scenario.diagnostics.map(({ path }) => path);
  assert.deepEqual(places.sort(), ["/components/mailers/from", "/until"]);
  assert.ok(wrong.scenario.diagnostics.every(({ problem, repair }) => problem && repair));
  assert.match(wrong.scenario.text, /jobs/);
  assert.equal(wrong.number.diagnostics.length, 1);
  assert.match(wrong.action.diagnostics[0].path, /component/);
  assert.match(wrong.moment.text, /seconds/);
});

site.test("a scenario is explored: a matrix, a verdict and a run to open", async ({ open }) => {
  const page = await engine(open);
  const seen = await page.evaluate(() => {
    const scenario = structuredClone(jobs);
    scenario.components.shop.arrivals = { at: ["1s"] };
    scenario.components.jobs.visibility_timeout = "10s";
    scenario.properties = ["no effect twice", "no message lost"];
    scenario.interventions = [{ at: "0.2s", crash: { component: "mailers", instance: 2 } }];
    const run = new Simulation(scenario);
    run.advance();
    const search = run.explore({ messages: 1, restart_after: "2s" });
    let slices = 1;
    while (search.advance(1)) slices += 1;
    const report = search.report();
    const whole = run.explore({ messages: 1, restart_after: "2s" });
    whole.advance();
    // What a cell claims is played by hand.
    const again = new Simulation({ ...scenario, interventions: report.shortest.duplicated.interventions });
    again.advance();
    let wrong;
    try {
      run.explore({ crashes: 3 });
    } catch (error) {
      wrong = error.diagnostics;
    }
    const same = JSON.stringify(whole.report()) === JSON.stringify(report);
    return { slices, report, same, again: again.properties(), wrong, done: search.done, mine: run.events().length };
  });
  const { report } = seen;
  assert.ok(seen.slices > 3 && seen.done && seen.same && seen.mine > 0);
  assert.deepEqual(report.messages, [1]);
  const told = report.rows.map((row, at) => [row.border, row.line, report.cells[at][0].outcome, report.cells[at][0].effects]);
  assert.deepEqual(told, [
    ["after", 0, "fine", 1],
    ["during", 1, "duplicated", 2],
    ["after", 1, "duplicated", 2],
    ["after", 2, "fine", 1],
  ]);
  assert.equal(report.counts.duplicated, 2);
  assert.deepEqual(report.guarantees.map(({ finding }) => finding), ["broken", "holds"]);
  assert.match(report.shortest.duplicated.run, /^1\./);
  assert.equal(seen.again[0].finding, "broken");
  assert.equal(seen.wrong[0].path, "/crashes");
});

import init, { Simulation } from "../inflight.js";

const scenario = {
  format: 1,
  name: "Two orders",
  seed: "42",
  until: "90s",
  components: {
    shop: { is: "source", to: "jobs", arrivals: { at: ["1s", "2s"] } },
    jobs: { is: "queue", profile: "sqs-standard", visibility_timeout: "30s" },
    mailers: {
      is: "workers",
      from: "jobs",
      restart_after: "5s",
      on_message: [{ call: { to: "mail" } }, { ack: {} }],
    },
    mail: { is: "external", latency: "3s" },
  },
  properties: ["no message lost", "no effect twice"],
};

await init();
const run = new Simulation(scenario);
run.intervene({ at: "3s", crash: { component: "mailers", instance: 1 } });
run.advance();
const lines = [
  run.trace(),
  ...Object.entries(run.measures()).map(([name, value]) => name + ": " + value),
  ...run.properties().map(({ property, finding }) => property + ": " + finding),
];
document.getElementById("said").textContent = lines.join("\n");

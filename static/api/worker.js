// One of those who compute runs beside a page: a module worker with an engine of its own. It is told what
// they are runs of, then which seeds, and says what came of each.
import init from "./inflight.js";
import { replica, replicas } from "./%js%";

const ready = init();

self.onmessage = async ({ data: { exhibit, run, until, seeds } }) => {
  try {
    await ready;
    if (exhibit && !replicas(exhibit, run, until)) throw new Error("these runs cannot be made");
    for (const seed of seeds) {
      const outcome = replica(seed);
      self.postMessage({ seed, outcome }, [outcome.buffer]);
    }
  } catch {
    // The page does itself what was asked here.
    self.postMessage({ lost: true });
  }
};

ready.then(
  () => self.postMessage({}),
  () => self.postMessage({ lost: true }),
);

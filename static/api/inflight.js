// Inflight's engine for scripts, without its views:
//   import init, { Simulation } from "https://host/inflight/inflight.js";
//   await init();
// Types and documentation are in inflight.d.ts beside this file.
import load, { Simulation } from "./%js%";

const here = new URL(".", import.meta.url);
let ready;

export default function init() {
  ready ||= start().catch((error) => {
    ready = undefined;
    throw error;
  });
  return ready;
}

async function start() {
  const [first, rest] = await Promise.all(["%wasm%", "%rest%"].map(compile));
  const exports = await load({ module_or_path: first });
  if (rest) await WebAssembly.instantiate(rest, { first: lent(exports, rest) });
}

%lent%
async function compile(name) {
  if (!name) return undefined;
  const response = await fetch(new URL(name, here));
  if (!response.ok) throw new Error("inflight: " + response.status + " for " + response.url);
  return WebAssembly.compile(await response.arrayBuffer());
}

export { Simulation };

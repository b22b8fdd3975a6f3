// Which functions of the engine a first picture needs: plays the watched bundle as a page does
// before anybody reaches for it, and writes their hashes to web/first.txt. `cargo xtask bless first`
// builds that bundle and calls this.

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DIST, exhibit, openPage, ready, startBrowser } from "./harness.mjs";
import { serve } from "./server.mjs";

const FILE = resolve(fileURLToPath(import.meta.url), "..", "..", "..", "web", "first.txt");
const EXHIBIT = "event-life";
const HEAD = `# The functions that a page with an exhibit runs until somebody reaches for it: the first part of the
# module. All others are in the rest. Hashes of names; written by \`cargo xtask bless first\`.
# exhibits: ${EXHIBIT}
`;
const BASE = "/courses/inflight/";

/** What a page may be asked for from the start. */
const LOADS = [
  { path: `exhibits/${EXHIBIT}/`, width: 1440 },
  { path: `exhibits/${EXHIBIT}/`, width: 360, theme: "dark" },
  { path: `exhibits/${EXHIBIT}/`, width: 768, motion: "reduce" },
  { path: "", width: 1440 },
  { host: `<in-flight exhibit="${EXHIBIT}" seed="11" step="2" label="A run"></in-flight>`, width: 1440 },
  { host: `<in-flight exhibit="${EXHIBIT}" autoplay speed="60"></in-flight>`, width: 1440, plays: true },
  { host: `<in-flight exhibit="${EXHIBIT}" autoplay speed="8" controls="mini"></in-flight>`, width: 360, plays: true },
];

/** Long enough for a run of seventy seconds at sixty times the pace, on a slow machine. */
const SETTLED_MS = 4000;

const browser = await startBrowser();
const called = new Set();
for (const load of LOADS) {
  const site = await serve(DIST, { base: BASE });
  const page = load.host && document(site, load.host);
  const host = page && (await serve(DIST, { base: "/none/", pages: { "/": page } }));
  const opened = await openPage(browser, host ? `${host.origin}/` : site.url(load.path), load);
  await ready(opened);
  await opened.waitForTimeout(SETTLED_MS);
  // The pointer comes into the exhibit, and asks for the rest: what hears of it must be there.
  await exhibit(opened).locator(".inflight article").hover();
  await opened.mouse.move(400, 400);
  for (const name of await opened.evaluate(names)) called.add(name);
  await opened.context().close();
  await site.close();
  await host?.close();
}
await browser.close();
writeFileSync(FILE, HEAD + [...called].sort().join("\n") + "\n");
process.stdout.write(`${called.size} functions are needed first\n`);

function document(site, element) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>
    <link rel="icon" href="data:,"><script src="${site.url("element.js")}" async></script></head>
    <body>${element}</body></html>`;
}

/** Runs in the page: the functions that were called, as the watched module notes them. */
async function names() {
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  const address = loaded.find((name) => /\/inflight-[^/]*\.js$/.test(name));
  const exports = await (await import(address)).default();
  const notes = Object.keys(exports).filter((name) => name.startsWith("called "));
  return notes.filter((name) => exports[name].value === 1).map((name) => name.slice("called ".length));
}

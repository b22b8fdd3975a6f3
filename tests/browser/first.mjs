// Which functions of the engine a first picture needs: plays the watched bundle as a page does
// before anybody reaches for it, and writes their hashes to web/first.txt, and which words it needs to
// web/first_words.txt. `cargo xtask bless first` builds that bundle and calls this.

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DIST, exhibit, openPage, ready, startBrowser } from "./harness.mjs";
import { serve } from "./server.mjs";

const WEB = resolve(fileURLToPath(import.meta.url), "..", "..", "..", "web");
const FILE = join(WEB, "first.txt");
const WORDS = join(WEB, "first_words.txt");
const WORDS_HEAD = `# The keys of the words that such a page says, or finds that there are none; the others come with the
# rest. Written by \`cargo xtask bless first\`.
`;
const EXHIBIT = "event-life";
const HEAD = `# The functions that a page with an exhibit runs until somebody reaches for it: the first part of the
# module. All others are in the rest. Hashes of names; where a function did not run from end to end,
# its shape and the places that ran. Written by \`cargo xtask bless first\`.
# exhibits: ${EXHIBIT}
`;
const BASE = "/courses/inflight/";

/** What a page may be asked for from the start. */
const LOADS = [
  { path: `exhibits/${EXHIBIT}/`, width: 1440 },
  { path: `exhibits/${EXHIBIT}/`, width: 360, theme: "dark" },
  { path: `exhibits/${EXHIBIT}/`, width: 768, motion: "reduce" },
  { path: "", width: 1440 },
  // Attributes of each kind, more of them than a list begins with.
  {
    host: `<in-flight exhibit="${EXHIBIT}" seed="11" step="2" label="A run" theme="auto" frame="sign" motion="auto"></in-flight>`,
    width: 1440,
  },
  { host: `<h1>Host</h1><in-flight exhibit="${EXHIBIT}"></in-flight>`, width: 1440 },
  { host: `<in-flight exhibit="${EXHIBIT}"></in-flight>`, width: 360 },
  { host: `<in-flight exhibit="${EXHIBIT}" autoplay></in-flight>`, width: 1440 },
  { host: `<in-flight exhibit="${EXHIBIT}" autoplay controls="mini"></in-flight>`, width: 360 },
  { path: `exhibits/${EXHIBIT}/`, width: 1440, plays: "by its face" },
  { path: `exhibits/${EXHIBIT}/`, width: 360, plays: "by a click" },
];

/** Long enough for a first picture to be whole and for the first moments of playing, on a slow machine. */
const SETTLED_MS = 1500;

/** How long the rest may be on its way over a slow line while a run plays already. */
const PLAYED_MS = 6000;

/** Whoever starts a run does not wait for the rest. */
const plays = {
  "by its face": (page) => exhibit(page).evaluate((element) => element.api(1).play()),
  "by a click": (page) => exhibit(page).getByRole("button", { name: "Play", exact: true }).click(),
};

const browser = await startBrowser();
const places = readFileSync(join(DIST, "watched.txt"), "utf8").trim().split("\n").map((line) => line.split(" "));
const reached = new Uint8Array(places.reduce((sum, [, , count]) => sum + Number(count), 0));
const words = new Set();
for (const load of LOADS) {
  const site = await serve(DIST, { base: BASE });
  const page = load.host && document(site, load.host);
  const host = page && (await serve(DIST, { base: "/none/", pages: { "/": page } }));
  const address = host ? `${host.origin}/` : site.url(load.path);
  const opened = await openPage(browser, address, { ...load, init: listen });
  await ready(opened);
  await opened.waitForTimeout(SETTLED_MS);
  if (load.plays) {
    await plays[load.plays](opened);
    await opened.waitForTimeout(PLAYED_MS);
  }
  // The pointer comes into the exhibit, and asks for the rest: what hears of it must be there.
  await exhibit(opened).locator(".inflight article").hover();
  await opened.mouse.move(400, 400);
  const notes = Buffer.from(await opened.evaluate(taken, reached.length), "base64");
  notes.forEach((note, place) => (reached[place] |= note));
  for (const key of await opened.evaluate(() => [...window.wordsAsked])) words.add(key);
  await opened.context().close();
  await site.close();
  await host?.close();
}
await browser.close();
const lines = called();
writeFileSync(FILE, HEAD + lines.join("\n") + "\n");
writeFileSync(WORDS, WORDS_HEAD + [...words].sort().join("\n") + "\n");
process.stdout.write(`${words.size} words and ${new Set(lines.map((line) => line.slice(0, 8))).size} functions are needed first\n`);

/** A line for each function that was called, in order. */
function called() {
  const all = new Map();
  let from = 0;
  for (const [name, shape, count] of places) {
    const ran = reached.subarray(from, (from += Number(count)));
    if (!ran[0]) continue;
    const key = name + " " + shape;
    // Functions that differ only in a hash of the compiler's are one here.
    const known = all.get(key);
    all.set(key, known ? known.map((note, place) => note | ran[place]) : ran);
  }
  const lines = [...all].map(([key, ran]) => (ran.every(Boolean) ? key.slice(0, 8) : `${key} ${digits(ran)}`));
  return [...new Set(lines)].sort();
}

/** Places as digits, four in each, the first of them its lowest bit. */
function digits(ran) {
  let text = "";
  for (let at = 0; at < ran.length; at += 4) {
    text += [0, 1, 2, 3].reduce((sum, bit) => sum | (ran[at + bit] << bit), 0).toString(16);
  }
  return text;
}

function document(site, element) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>
    <link rel="icon" href="data:,"><script src="${site.url("element.js")}" async></script></head>
    <body>${element}</body></html>`;
}

/** Runs in the page before its own scripts: notes which words of the catalogue are asked for. */
function listen() {
  window.wordsAsked = new Set();
  const parse = JSON.parse;
  JSON.parse = (...given) => {
    const document = parse(...given);
    // Where the module is watched, the words of a first picture are none: as many stand in for them,
    // because a list of many is read and put into order by other functions than an empty one.
    if (given[0] === "{}") {
      const keys = Array.from({ length: 160 }, (_, n) => `~${n + 100}`);
      return Object.fromEntries(keys.map((key) => [key, "?"]));
    }
    if (!document?.["number.thousands"]) return document;
    const get = (all, key) => {
      window.wordsAsked.add(key);
      return all[key];
    };
    return new Proxy(document, { get });
  };
}

/** Runs in the page: the notes that the watched module has taken. */
async function taken(length) {
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  const address = loaded.find((name) => /\/inflight-[^/]*\.js$/.test(name));
  const exports = await (await import(address)).default();
  const notes = new Uint8Array(exports.watched.buffer, 0, length);
  let text = "";
  for (const note of notes) text += String.fromCharCode(note);
  return btoa(text);
}

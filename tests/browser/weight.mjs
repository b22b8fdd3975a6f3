// What a page costs its reader: the bytes of every file that a browser asks the host for, each
// compressed with brotli as a static host would send it.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { DIST, openPage, ready } from "./harness.mjs";
import { serve } from "./server.mjs";

const BASE = "/courses/inflight/";
const SETTLED_MS = 1000;

/** Sizes, by the names that `tests/budgets.json` uses, and the files behind each. */
export async function weigh(browser, exhibit = "event-life") {
  const loads = {
    first_load_brotli_bytes: await load(browser, { page: `exhibits/${exhibit}/` }),
    embed_brotli_bytes: await load(browser, { host: embedding(exhibit, "") }),
    // Far below the window the element has not been needed yet.
    element_js_brotli_bytes: await load(browser, {
      host: embedding(exhibit, '<div style="height: 30000px"></div>'),
      waits: false,
    }),
  };
  const sizes = {};
  for (const [name, files] of Object.entries(loads)) {
    sizes[name] = files.reduce((sum, file) => sum + file.brotli, 0);
  }
  return { sizes, files: loads };
}

/** A page of someone else's with one exhibit in it. */
function embedding(exhibit, before) {
  return (site) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>
    <link rel="icon" href="data:,"><script src="${site.url("element.js")}" async></script></head>
    <body><h1>Host</h1>${before}<in-flight exhibit="${exhibit}"></in-flight></body></html>`;
}

/** The files of ours that a page asks for until its exhibit is ready and all is quiet. */
async function load(browser, { page: path, host, waits = true }) {
  const site = await serve(DIST, { base: BASE });
  const foreign = host && (await serve(DIST, { base: "/none/", pages: { "/": host(site) } }));
  try {
    const page = await openPage(browser, foreign ? `${foreign.origin}/` : site.url(path));
    if (waits) await ready(page);
    await page.waitForTimeout(SETTLED_MS);
    await page.context().close();
    const paths = new Set(site.log.filter((line) => line.status === 200).map((line) => line.path));
    return await Promise.all([...paths].map(compressed));
  } finally {
    await site.close();
    await foreign?.close();
  }
}

/** What each file weighs; the best compression is slow, and most files are loaded more than once. */
const weights = new Map();

function compressed(path) {
  const relative = decodeURIComponent(path.slice(BASE.length));
  const name = relative === "" || relative.endsWith("/") ? `${relative}index.html` : relative;
  if (!weights.has(name)) weights.set(name, weightOf(name));
  return weights.get(name);
}

async function weightOf(name) {
  const body = await readFile(join(DIST, name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  return { name, raw: body.length, brotli: brotliCompressSync(body, { params }).length };
}

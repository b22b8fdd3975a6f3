// What every browser test stands on: a browser, a static host with the built site under a
// sub-path, pages that fail their test on any console error, axe, screenshots.
// README.md beside this file shows how a test is written.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { after, before, test as nodeTest } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, "..", "..");

/** The bundle under test. */
export const DIST = resolve(process.env.INFLIGHT_DIST ?? join(ROOT, "dist"));

/** Where reports and screenshots go. */
export const TARGET = resolve(
  process.env.INFLIGHT_TARGET ?? process.env.CARGO_TARGET_DIR ?? join(ROOT, "target"),
);

/** The widths at which every page must be good. */
export const WIDTHS = [360, 768, 1440];

/** How long a page may take to become ready on a slow, shared machine, in milliseconds. */
const PATIENCE = 30_000;

const BROWSER_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the installed Chromium; no driver stands between it and the tests. */
export async function startBrowser() {
  return chromium.launch({ executablePath: browserProgram(), headless: true, args: BROWSER_FLAGS });
}

function browserProgram() {
  if (process.env.CHROME) return process.env.CHROME;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = BROWSER_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = places.find((place) => existsSync(place));
  if (!found) throw new Error("no Chromium found: `cargo xtask setup`, or name it in $CHROME");
  return found;
}

/**
 * Opens a page of its own context and gathers what went wrong on it.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {object} [options]
 * @param {number} [options.width] @param {number} [options.height]
 * @param {"light"|"dark"} [options.theme] what the system asks for
 * @param {"reduce"|"no-preference"} [options.motion]
 * @param {boolean} [options.javaScript]
 * @param {string} [options.init] script text that runs before the page's own
 * @returns {Promise<import("playwright-core").Page & {problems: string[]}>}
 */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.theme ?? "light",
    reducedMotion: options.motion ?? "no-preference",
    javaScriptEnabled: options.javaScript ?? true,
    locale: "en-GB",
    permissions: options.permissions ?? [],
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (message) => {
    if (message.type() === "error") page.problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => page.problems.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    // A page that is closed or left drops its requests; that is no fault of the page.
    if (why !== "net::ERR_ABORTED") page.problems.push(`request: ${request.url()} ${why}`);
  });
  if (options.javaScript ?? true) {
    await page.addInitScript(recordEvents);
    if (options.init) await page.addInitScript(options.init);
  }
  await page.goto(url, { waitUntil: "load" });
  return page;
}

/** Runs in the page: keeps every event of our elements, so that none can be missed. */
function recordEvents() {
  window.inflightEvents = [];
  const names = ["ready", "height", "progress", "answer", "complete", "xapi", "error"];
  for (const name of names) {
    const type = `inflight-${name}`;
    document.addEventListener(type, (event) => {
      const place = [...document.querySelectorAll("in-flight")].indexOf(event.target);
      window.inflightEvents.push({ type, detail: event.detail, element: place });
    });
  }
}

/** The nth `<in-flight>` element of a page; locators below it reach into its shadow root. */
export function exhibit(page, nth = 0) {
  return page.locator("in-flight").nth(nth);
}

/** Waits until the nth element has said `inflight-ready`, bringing it into view first. */
export async function ready(page, nth = 0) {
  const element = exhibit(page, nth);
  await element.scrollIntoViewIfNeeded();
  await waitForEvent(page, "inflight-ready", nth);
  return element;
}

/** Waits for an event of the nth element; its detail. */
export async function waitForEvent(page, type, nth = 0) {
  const seen = ({ type, nth }) =>
    window.inflightEvents.find((event) => event.type === type && event.element === nth);
  const found = await page.waitForFunction(seen, { type, nth }, { timeout: PATIENCE });
  return (await found.jsonValue()).detail;
}

/** Calls a method of the façade: `call(page, "seek", "34.2s")`. */
export async function call(page, method, ...args) {
  return exhibit(page).evaluate((element, [method, args]) => element.api(1)[method](...args), [
    method,
    args,
  ]);
}

/** Waits for two frames, after which a change has been drawn. */
export async function drawn(page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Fails on any violation of WCAG 2.2 AA, axe's best practices, or the size of targets. */
export async function checkAccess(page, options = {}) {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async (exclude) => {
    const found = await window.axe.run(exclude.length ? { exclude } : document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      rules: { "target-size": { enabled: true } },
    });
    return found.violations.map(
      (rule) => `${rule.id}: ${rule.help}\n` +
        rule.nodes.map((node) => `    ${node.target.flat().join(" ")} ${node.failureSummary}`)
          .join("\n"),
    );
  }, options.exclude ?? []);
  assert.deepEqual(violations, [], `axe on ${page.url()}`);
}

/** Fails when anything is wider than the window. */
export async function checkNoSidewaysScroll(page) {
  const [content, view] = await page.evaluate(() => {
    const root = document.documentElement;
    return [root.scrollWidth, root.clientWidth];
  });
  assert.ok(content <= view, `${page.url()}: ${content} px of content in ${view} px`);
}

/** Writes a screenshot to `target/shots/NAME.png`; the path. */
export async function shot(page, name, options = {}) {
  const folder = options.folder ?? join(TARGET, "shots");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, fullPage: options.fullPage ?? true, animations: "allow" });
  return path;
}

/**
 * A stage for the tests of one file: one browser, one host with the site, closed at the end.
 *
 * `stage.test(name, work)` gives `work` an `open(path, options)`; when the work is done, every page
 * that it opened is closed and the test fails if any of them had a console error, an uncaught
 * exception or a failed request that `allow` (patterns) does not expect.
 *
 * @param {Parameters<typeof serve>[1]} [hosting]
 */
export function stage(hosting = {}) {
  let browser;
  let site;
  before(async () => {
    [browser, site] = await Promise.all([startBrowser(), serve(DIST, hosting)]);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  return {
    get site() {
      return site;
    },
    get browser() {
      return browser;
    },
    test(name, work, { allow = [] } = {}) {
      nodeTest(name, async (t) => {
        const pages = [];
        const open = async (path = "", options = {}) => {
          const page = await openPage(browser, site.url(path), options);
          pages.push(page);
          return page;
        };
        try {
          await work({ t, open, site, browser });
        } finally {
          for (const page of pages) await page.context().close();
        }
        const problems = pages.flatMap((page) => page.problems);
        const unexpected = problems.filter((problem) => !allow.some((rule) => rule.test(problem)));
        assert.deepEqual(unexpected, [], "problems on the page");
      });
    },
  };
}

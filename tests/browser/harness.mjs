// What every browser test stands on: a browser, a static host with the built site under a
// sub-path, pages that fail their test on any console error, axe, screenshots.
// README.md beside this file shows how a test is written.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { after, before, test as nodeTest } from "node:test";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";
import { PATIENCE, Visits } from "./visits.mjs";

export { openPage } from "./visits.mjs";

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

const BROWSER_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

// A browser takes one list of features, the last: what playwright-core switches off and a page here
// could notice stands in it once more. The pop-ups of the address bar are pages of the browser's own,
// which each window would load before ours.
const WITHOUT_FEATURES = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AimEnabled",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${WITHOUT_FEATURES.join(",")}`,
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

/** Asks for snapshots, a frame apart, until one is as it should be; that one. */
export async function snapshotWhen(page, holds, why) {
  for (let frames = 0; frames < 600; frames += 1) {
    const now = await call(page, "snapshot");
    if (holds(now)) return now;
    await drawn(page);
  }
  throw new assert.AssertionError({ message: `${why}: never` });
}

/**
 * Reads again and again until what is read is as it should be: what a key or a click brings is drawn
 * after the browser has said that it was pressed. Fails with what was read last.
 *
 * @template T
 * @param {() => Promise<T>} read
 * @param {RegExp|((now: T) => boolean)|T} wanted a pattern, a question, or the value itself
 * @param {string} [why]
 */
export async function becomes(read, wanted, why) {
  const end = Date.now() + PATIENCE;
  let now = await read();
  while (!isAsWanted(now, wanted)) {
    if (Date.now() > end) {
      if (wanted instanceof RegExp) assert.match(now, wanted, why);
      if (typeof wanted !== "function") assert.deepEqual(now, wanted, why);
      throw new assert.AssertionError({ message: why ?? `not as wanted: ${now}`, actual: now });
    }
    await new Promise((done) => setTimeout(done, 25));
    now = await read();
  }
}

function isAsWanted(now, wanted) {
  if (wanted instanceof RegExp) return wanted.test(now);
  return typeof wanted === "function" ? wanted(now) : isDeepStrictEqual(now, wanted);
}

/** Waits for two frames, after which a change has been drawn. */
export async function drawn(page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Fails on any violation of WCAG 2.2 AA, axe's best practices, or the size of targets.
 *
 * axe would write stylesheets anew into the page, which the strict policy forbids, for one rule that
 * is an experiment and not asked for: it is told to leave them.
 */
export async function checkAccess(page, options = {}) {
  if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (exclude) => {
    // A colour on its way to another is no colour to be judged.
    const roots = [...document.querySelectorAll("in-flight")].map((unit) => unit.shadowRoot);
    const changing = [document, ...roots.filter(Boolean)].flatMap((root) => root.getAnimations());
    const turning = changing.filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(turning.map((transition) => transition.finished));
    const found = await window.axe.run(exclude.length ? { exclude } : document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      rules: { "target-size": { enabled: true } },
      preload: { assets: ["media"] },
      resultTypes: ["violations"],
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

/**
 * What is asked of every page: it comes alive, has one main heading, fits every width, has no barrier.
 * The page is left at the widest.
 */
export async function checkPage(page) {
  assert.ok((await page.title()).length > 0, "a title");
  if (await exhibit(page).count()) await ready(page);
  assert.equal(await page.locator("h1:visible").count(), 1, "one main heading");
  for (const width of [320, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 900 });
    await drawn(page);
    await checkNoSidewaysScroll(page);
  }
  await checkAccess(page);
}

/** The ids of the units that the course keeps in a folder: `exhibits`, `quizzes`, `trees`. */
export function unitsIn(folder) {
  const names = readdirSync(join(ROOT, "crates", "course", "content", folder)).sort();
  return names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));
}

/** The theme for the nth of many pages whose colours are the same: half of them in each. */
export const themeOf = (turn) => (turn % 2 ? "dark" : "light");

/** Writes a screenshot to `target/shots/NAME.png`; the path. */
export async function shot(page, name, options = {}) {
  const folder = options.folder ?? join(TARGET, "shots");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, fullPage: options.fullPage ?? true, animations: "allow" });
  return path;
}

/** The browser of this file, however many stages it has, and its pages. */
let started;

async function start() {
  const browser = await startBrowser();
  return { browser, visits: new Visits(browser) };
}

/**
 * A stage for the tests of one file: a host with the site, and the file's browser, closed at the end.
 *
 * `stage.test(name, work)` gives `work` an `open(path, options)`; when the work is done, every page
 * that it opened is left and the test fails if any of them had a console error, an uncaught
 * exception or a failed request that `allow` (patterns) does not expect.
 *
 * A test has its pages to itself and finds nothing kept on the device, but the window that shows them
 * may be one that another test has left: a new one takes longer to start than most tests to run. A
 * stage that is about first visits asks for new ones (`fresh`).
 *
 * @param {Parameters<typeof serve>[1] & {fresh?: boolean}} [hosting]
 */
export function stage({ fresh = false, ...hosting } = {}) {
  let browser;
  let site;
  let visits;
  before(async () => {
    started ??= start();
    [{ browser, visits }, site] = await Promise.all([started, serve(DIST, hosting)]);
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
          const page = await visits.open(site.url(path), { fresh, ...options });
          pages.push(page);
          return page;
        };
        let whole = false;
        try {
          await work({ t, open, site, browser });
          whole = true;
        } finally {
          // Before the pages are left, since leaving may break off what they are about.
          for (const page of pages) page.found = [...page.problems];
          await Promise.all(pages.map((page) => (whole ? visits.leave(page) : page.context().close())));
        }
        const problems = pages.flatMap((page) => page.found);
        const unexpected = problems.filter((problem) => !allow.some((rule) => rule.test(problem)));
        assert.deepEqual(unexpected, [], "problems on the page");
      });
    },
  };
}

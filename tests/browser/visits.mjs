// Pages that tests look at: opened, watched for what goes wrong on them, and left so that the next
// test may have their window.

/** How long a page may take to become ready on a slow, shared machine, in milliseconds. */
export const PATIENCE = 30_000;

/**
 * @typedef {object} Opening
 * @property {number} [width] @property {number} [height]
 * @property {"light"|"dark"} [theme] what the system asks for
 * @property {"reduce"|"no-preference"} [motion]
 * @property {boolean} [javaScript]
 * @property {string[]} [permissions]
 * @property {string} [init] script text that runs before the page's own
 */

/**
 * Opens a page of its own context and gathers what went wrong on it.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {Opening} [options]
 * @returns {Promise<import("playwright-core").Page & {problems: string[]}>}
 */
export async function openPage(browser, url, options = {}) {
  const page = await newPage(browser, options);
  await page.goto(url, { waitUntil: "load" });
  return page;
}

async function newPage(browser, options) {
  const context = await browser.newContext({
    viewport: sizeOf(options),
    ...mediaOf(options),
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
  return page;
}

const sizeOf = ({ width = 1440, height = 900 }) => ({ width, height });
const mediaOf = ({ theme = "light", motion = "no-preference" }) => ({
  colorScheme: theme,
  reducedMotion: motion,
});

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

/** The pages of one browser, each in a context of its own, kept for the next who needs one. */
export class Visits {
  #browser;
  /** Pages that nobody looks at, with scripts and without. */
  #free = { true: [], false: [] };

  constructor(browser) {
    this.#browser = browser;
  }

  /** @param {string} url @param {Opening & {fresh?: boolean}} options */
  async open(url, options) {
    const { fresh = false, init, permissions, javaScript = true } = options;
    // What a script or a permission has changed for good cannot be taken back.
    const kept = !fresh && !init && !permissions;
    const page = (kept && this.#free[javaScript].pop()) || (await newPage(this.#browser, options));
    page.kept = kept ? { javaScript, origin: new URL(url).origin } : undefined;
    page.problems.length = 0;
    await page.setViewportSize(sizeOf(options));
    await page.emulateMedia({ media: null, ...mediaOf(options) });
    await page.goto(url, { waitUntil: "load" });
    return page;
  }

  /** Leaves a page as if nobody had been there, or closes it. */
  async leave(page) {
    if (!page.kept || page.isClosed()) return page.context().close();
    const { javaScript, origin } = page.kept;
    await page.unrouteAll();
    await page.goto("about:blank");
    await page.mouse.move(0, 0);
    page.devtools ??= await page.context().newCDPSession(page);
    await page.devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    this.#free[javaScript].push(page);
  }
}

// The element as a guest: on pages of other people, with what they do to guests; and what it says
// when it cannot run.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DIST, becomes, call, exhibit, ready, shot, stage, waitForEvent } from "./harness.mjs";

const BASE = "/courses/inflight/";
const SCRIPT = `<script src="${BASE}element.js" async></script>`;
const FALLBACK = `<a href="${BASE}exhibits/event-life/">Open the life of a message</a>`;

/** A page of somebody else's. */
function host(body, head = "") {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A host</title>
    <link rel="icon" href="${BASE}icon.svg">${head}</head><body><h1>A host</h1>${body}</body></html>`;
}

const one = (attributes = "", inside = FALLBACK) =>
  `<in-flight exhibit="event-life" ${attributes}>${inside}</in-flight>`;

const pages = {
  "/plain": host(one() + SCRIPT),
  "/two": host(one() + one('seed="11"') + SCRIPT),
  "/far": host(`<div style="height: 5000px"></div>${one()}${SCRIPT}`),
  "/click": host(one('loading="click"') + SCRIPT),
  "/twice": host(SCRIPT + one() + SCRIPT),
  "/taken": host(
    one() + SCRIPT,
    `<script>customElements.define("in-flight", class extends HTMLElement {});</script>`,
  ),
  "/nowhere": host(`<in-flight exhibit="no-such">${FALLBACK}</in-flight>${SCRIPT}`),
  "/nameless": host(`<in-flight>${FALLBACK}</in-flight>${SCRIPT}`),
  "/wrong": host(one('speeed="3" speed="fast" theme="pink" class="x" data-y="1"') + SCRIPT),
  "/dark": host(one() + SCRIPT, "<style>body { background: #161923; color: #ddd; }</style>"),
};

// What a first visit fetches and when is what these are about.
const guest = stage({ pages, fresh: true });
const forbidden = stage({ csp: "default-src 'self'" });

/** Opens a page of `pages`. */
const visit = (open, site, path) => open(site.origin + path);

const says = (page, nth = 0) => exhibit(page, nth).locator(".failure").innerText();
const shell = (page) => exhibit(page).locator(".inflight").first();

const isRest = (path) => /-rest-[0-9a-f]+\.wasm$/.test(path);

guest.test("the rest of the engine comes when somebody reaches for an exhibit, once", async ({ open, site }) => {
  const before = site.log.length;
  const rests = () => site.log.slice(before).filter(({ path }) => isRest(path));
  const page = await visit(open, site, "/two");
  await ready(page, 0);
  await ready(page, 1);
  await page.waitForTimeout(500);
  assert.equal(
    rests().length,
    0,
    "a function that the first picture needs is not in its part: `cargo xtask bless first`",
  );
  const came = page.waitForResponse((response) => isRest(new URL(response.url()).pathname));
  await exhibit(page, 0).locator("article").hover();
  await came;
  await exhibit(page, 1).locator("article").hover();
  await page.waitForTimeout(500);
  assert.equal(rests().length, 1);
});

guest.test("a run plays from the first part, whoever starts it: nothing has to wait for the rest", async ({ open }) => {
  const init = `window.now = [];
    const { open } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.open = function (...given) {
      window.now.push(given[1]);
      return open.apply(this, given);
    };`;
  for (const [width, start] of [
    [1440, (page) => call(page, "play")],
    [360, (page) => exhibit(page).getByRole("button", { name: "Play", exact: true }).click()],
  ]) {
    const page = await open("exhibits/event-life/", { width, init });
    // What is asked for ahead does not come, so that only what cannot wait has it.
    await page.route(/-rest-/, (route) => (route.request().resourceType() === "fetch" ? null : route.continue()));
    await ready(page);
    const clock = () => exhibit(page).locator(".player__clock").first().innerText();
    const before = await clock();
    await start(page);
    await becomes(clock, (now) => now !== before, "it plays");
    await page.waitForTimeout(1_000);
    const asked = await page.evaluate(() => window.now);
    assert.deepEqual(asked, [], `at ${width}: \`cargo xtask bless first\``);
  }
});

guest.test("a first picture shows nothing that only the later stylesheet styles", async ({ open, site }) => {
  const classes = (sheet) => {
    const name = readdirSync(DIST).find((file) => file.startsWith(`${sheet}-`) && file.endsWith(".css"));
    return new Set([...readFileSync(join(DIST, name), "utf8").matchAll(/\.([a-z][\w-]*)/g)].map(([, found]) => found));
  };
  const [first, later] = [classes("inflight"), classes("later")];
  for (const width of [360, 1440]) {
    const page = await open(`${site.origin}/plain`, { width });
    await ready(page);
    const shown = await exhibit(page).evaluate((element) =>
      [...element.shadowRoot.querySelectorAll("*")].flatMap((it) => [...it.classList]),
    );
    const bare = [...new Set(shown)].filter((name) => later.has(name) && !first.has(name));
    assert.deepEqual(bare, [], `at ${width}: move their rules to inflight.css`);
    const range = exhibit(page).locator('input[type="range"]:not(.scrub__input)').first();
    assert.equal(await range.evaluate((input) => getComputedStyle(input).appearance), "none", "ranges are drawn by us");
  }
});

guest.test("what needs the rest before it is there waits for it", async ({ open, site }) => {
  const before = site.log.length;
  const page = await visit(open, site, "/two");
  await ready(page, 0);
  // Nobody has reached for anything: a script asks for a link to the run and for its whole trace.
  const state = await call(page, "getState");
  const trace = await call(page, "trace");
  assert.match(state, /^1\./);
  assert.match(trace, /requested/);
  assert.equal(site.log.slice(before).filter(({ path }) => isRest(path)).length, 1);
});

guest.test("what cannot wait for the rest has it there and then", async ({ open, site }) => {
  const before = site.log.length;
  const page = await visit(open, site, "/plain");
  await ready(page);
  await exhibit(page).evaluate((element) => element.setAttribute("seed", "5"));
  await page.waitForFunction(() => document.querySelector("in-flight").shadowRoot.querySelector("article"));
  assert.equal(site.log.slice(before).filter(({ path }) => isRest(path)).length, 1);
  await becomes(async () => (await call(page, "snapshot")).seconds, 0, "it begins anew");
});

guest.test("two on a page share one engine; one can be taken away and put back", async ({ open, site }) => {
  const before = site.log.length;
  const page = await visit(open, site, "/two");
  await ready(page, 0);
  await ready(page, 1);
  const engines = site.log.slice(before).filter(({ path }) => path.endsWith(".wasm"));
  assert.equal(engines.filter(({ path }) => !isRest(path)).length, 1, "one engine");
  await exhibit(page, 0).evaluate(async (element) => {
    const next = element.nextSibling;
    element.remove();
    await new Promise((done) => setTimeout(done, 50));
    if (element.shadowRoot.querySelector("article")) throw new Error("still there");
    next.before(element);
  });
  await exhibit(page, 0).locator("article").waitFor();
  await becomes(() => page.locator("in-flight article").count(), 2);
});

guest.test("moved within the page, it goes on where it was", async ({ open, site }) => {
  const page = await visit(open, site, "/plain");
  await ready(page);
  await call(page, "seek", 20);
  await exhibit(page).evaluate((element) => document.body.append(element));
  await becomes(async () => (await call(page, "snapshot")).seconds, 20);
});

guest.test("far down a page it waits until it is near", async ({ open, site }) => {
  const page = await visit(open, site, "/far");
  await page.waitForFunction(() => customElements.get("in-flight"));
  await becomes(() => exhibit(page).locator("article").count(), 0);
  await ready(page);
  await becomes(() => exhibit(page).locator("article").count(), 1);
});

guest.test("asked to wait for a click, it waits for a click", async ({ open, site }) => {
  const page = await visit(open, site, "/click");
  await becomes(() => page.getByRole("link", { name: "Open the life of a message" }).isVisible(), true);
  await page.getByRole("button", { name: "Run this exhibit" }).click();
  await waitForEvent(page, "inflight-ready");
  assert.ok(await page.getByRole("link", { name: "Open the life of a message" }).isHidden());
});

for (const path of ["/twice", "/taken"]) {
  guest.test(`${path}: nothing breaks`, async ({ open, site }) => {
    const page = await visit(open, site, path);
    await page.waitForFunction(() => customElements.get("in-flight"));
    if (path === "/twice") await ready(page);
    else await becomes(() => page.getByRole("link", { name: "Open the life" }).isVisible(), true);
  });
}

guest.test("the façade answers in its version, and in no other", async ({ open, site }) => {
  const page = await visit(open, site, "/plain");
  await ready(page);
  await call(page, "seek", 34.2);
  const state = await call(page, "getState");
  await call(page, "reset");
  await call(page, "setState", state);
  await becomes(async () => (await call(page, "snapshot")).seconds, 34.2);
  const refused = await exhibit(page).evaluate((element) => {
    try {
      return String(element.api(2));
    } catch (error) {
      return error.name;
    }
  });
  assert.equal(refused, "RangeError");
});

guest.test("attributes that cannot be used are named, and the rest goes on", async ({ open, site }) => {
  const page = await visit(open, site, "/wrong");
  await ready(page);
  const said = await says(page);
  for (const name of ["speeed", "speed", "theme"]) assert.match(said, new RegExp(name));
  assert.doesNotMatch(said, /data-y|class/);
  assert.equal((await waitForEvent(page, "inflight-error")).code, "bad-param");
});

guest.test("an exhibit that is not there is answered", async ({ open, site }) => {
  const page = await visit(open, site, "/nowhere");
  assert.equal((await waitForEvent(page, "inflight-error")).code, "bad-exhibit");
  // It is asked for by its name, and the host says that it has none.
  assert.match(await says(page), /no-such.*event-life/s);
  await becomes(() => page.getByRole("link", { name: "Open the life" }).isVisible(), true, "the fallback");
}, { allow: [/status of 404/] });

guest.test("an element without an exhibit is answered", async ({ open, site }) => {
  const page = await visit(open, site, "/nameless");
  assert.equal((await waitForEvent(page, "inflight-error")).code, "bad-param");
});

guest.test("a lost connection is said, and another try helps", async ({ open, site }) => {
  const page = await visit(open, site, "/click");
  await page.route("**/*.wasm", (route) => route.abort());
  await page.getByRole("button", { name: "Run this exhibit" }).click();
  assert.equal((await waitForEvent(page, "inflight-error")).code, "network");
  await page.unroute("**/*.wasm");
  await page.getByRole("button", { name: "Try again" }).click();
  await waitForEvent(page, "inflight-ready");
}, { allow: [/ERR_FAILED/, /Failed to load resource/] });

guest.test("a host that answers everything with a page is told so", async ({ open, site }) => {
  const page = await visit(open, site, "/click");
  const answer = { contentType: "text/html", body: "<!doctype html><title>Home</title>" };
  await page.route("**/*.wasm", (route) => route.fulfill(answer));
  await page.getByRole("button", { name: "Run this exhibit" }).click();
  assert.equal((await waitForEvent(page, "inflight-error")).code, "mime");
});

forbidden.test("a policy that forbids WebAssembly is named", async ({ open }) => {
  const page = await open("exhibits/event-life/");
  assert.equal((await waitForEvent(page, "inflight-error")).code, "csp");
  assert.match(await says(page), /wasm-unsafe-eval/);
  await becomes(() => exhibit(page).locator("svg").first().isVisible(), true, "the still is there");
}, { allow: [/Content Security Policy/] });

guest.test("on a dark page that says nothing it is dark", async ({ open, site }) => {
  const page = await visit(open, site, "/dark");
  await ready(page);
  await becomes(() => shell(page).getAttribute("data-theme"), "dark");
});

guest.test("in a book with a small root size it keeps its size, its keys and its style", async ({ open }) => {
  const page = await open("examples/chapter.html", { width: 1100 });
  const element = await ready(page, 0);
  const play = element.getByRole("button", { name: "Play" });
  const style = await play.evaluate((button) => {
    const { fontSize, textTransform, fontFamily } = getComputedStyle(button);
    return { fontSize, textTransform, serif: fontFamily.includes("Georgia") };
  });
  assert.deepEqual(style, { fontSize: "14px", textTransform: "none", serif: false });
  await page.keyboard.press("ArrowRight");
  await becomes(() => page.locator("body").getAttribute("data-turned"), "1", "the book's own key");
  await play.focus();
  await page.keyboard.press("ArrowRight");
  await becomes(() => page.locator("body").getAttribute("data-turned"), "1", "not while inside");
  await page.getByRole("button", { name: "Change the theme" }).click();
  await page.waitForFunction(
    () => document.querySelector("in-flight").shadowRoot.querySelector("[data-theme=dark]"),
  );
  await shot(page, "book-dark");
});

guest.test("in a frame it tells its height, and what happens only to whom it may", async ({ open }) => {
  const page = await open("examples/frame.html");
  const said = page.locator("output");
  await page.waitForFunction(() => document.querySelector("output").textContent.includes("ready"));
  await becomes(() => said.innerText(), /^hello\n/);
  const frame = page.frames().find((candidate) => candidate.url().includes("embed.html"));
  const [inside, outside] = await Promise.all([
    frame.evaluate(() => document.querySelector("main").getBoundingClientRect().height),
    page.locator("iframe").evaluate((element) => parseFloat(element.style.height)),
  ]);
  assert.ok(Math.abs(inside - outside) < 3, `${inside} px in ${outside} px`);
  // Foreign messages are nothing to it.
  await page.evaluate(() => {
    const child = document.querySelector("iframe").contentWindow;
    for (const data of [null, 1, "x", {}, { inflight: 1 }, { inflight: 1, type: "set", data: null }]) {
      child.postMessage(data, "*");
    }
  });
  await becomes(() => frame.locator("in-flight article").count(), 1);
});

guest.test("a frame takes no handler from its address", async ({ open }) => {
  const page = await open("embed.html?exhibit=event-life&onfocus=alert(1)&style=color:red&id=x");
  await ready(page);
  const names = await exhibit(page).evaluate((element) => element.getAttributeNames());
  assert.deepEqual(names.sort(), ["exhibit", "heading-level", "loading"]);
});

// Screenshots of any page in any state: `node shots.mjs --help`.

import { readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { DIST, TARGET, WIDTHS, drawn, openPage, shot, startBrowser } from "./harness.mjs";
import { serve } from "./server.mjs";

const HELP = `node shots.mjs [PAGE…]       screenshots of pages of dist/ (default: the home page)

  PAGE               path in dist/ ("exhibits/event-life/"), an HTML file (./x.html), or a URL
  --widths 360,1440  window widths (default ${WIDTHS.join(",")})
  --height 900       window height
  --themes light     light, dark or both (default light,dark)
  --do "STEP; STEP"  what to do first, in order:
                       ready            wait for the first element's inflight-ready
                       click SELECTOR   hover SELECTOR   focus SELECTOR   (shadow roots are pierced)
                       key Space        fill SELECTOR = VALUE   drag SELECTOR = SELECTOR
                       call seek 34.2s  a method of the element's façade
                       see SELECTOR     scroll it into view
                       wait 500         milliseconds
  --of SELECTOR      only that element
  --window           only what the window shows, not the whole page
  --reduced          prefers-reduced-motion: reduce
  --no-js            scripting off
  --no-csp           without the Content-Security-Policy
  --name NAME        start of the file names (default: from the page)
  --out FOLDER       (default ${join(TARGET, "shots")})
  --dist FOLDER      (default ${DIST})

Console errors are printed. Files are called NAME-WIDTH-THEME.png.
`;

const { values: options, positionals: pages } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean" },
    widths: { type: "string", default: WIDTHS.join(",") },
    height: { type: "string", default: "900" },
    themes: { type: "string", default: "light,dark" },
    do: { type: "string", default: "" },
    of: { type: "string" },
    window: { type: "boolean", default: false },
    reduced: { type: "boolean", default: false },
    "no-js": { type: "boolean", default: false },
    "no-csp": { type: "boolean", default: false },
    name: { type: "string" },
    out: { type: "string", default: join(TARGET, "shots") },
    dist: { type: "string", default: DIST },
  },
});

if (options.help) {
  process.stdout.write(HELP);
} else {
  await takeAll();
}

async function takeAll() {
  const hosting = options["no-csp"] ? { csp: null } : {};
  const site = await serve(options.dist, hosting);
  const browser = await startBrowser();
  const hosts = [site];
  try {
    for (const page of pages.length ? pages : [""]) {
      const url = await address(page, site, hosts);
      for (const width of options.widths.split(",")) {
        for (const theme of options.themes.split(",")) {
          await take(browser, url, page, Number(width), theme);
        }
      }
    }
  } finally {
    await browser.close();
    for (const host of hosts) await host.close();
  }
}

/** A page may be a URL, a file on disk (served from its folder) or a path in dist. */
async function address(page, site, hosts) {
  if (/^https?:/.test(page)) return page;
  if (/^[./].*\.html$/.test(page)) {
    const file = resolve(page);
    readFileSync(file);
    const host = await serve(dirname(file), { csp: null, base: "/" });
    hosts.push(host);
    return host.url(basename(file));
  }
  return site.url(page);
}

async function take(browser, url, page, width, theme) {
  const opened = await openPage(browser, url, {
    width,
    height: Number(options.height),
    theme,
    motion: options.reduced ? "reduce" : "no-preference",
    javaScript: !options["no-js"],
  });
  for (const step of options.do.split(";").map((step) => step.trim()).filter(Boolean)) {
    await perform(opened, step);
  }
  if (!options["no-js"]) await drawn(opened);
  const start = options.name ?? (page.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "") || "home");
  const name = `${start}-${width}-${theme}`;
  let path;
  if (options.of) {
    path = join(options.out, `${name}.png`);
    await opened.locator(options.of).first().screenshot({ path });
  } else {
    path = await shot(opened, name, { folder: options.out, fullPage: !options.window });
  }
  console.log(path);
  for (const problem of opened.problems) console.log(`  ! ${problem}`);
  await opened.context().close();
}

async function perform(page, step) {
  const [, verb, rest] = /^(\S+)\s*(.*)$/.exec(step);
  const [left, right] = rest.split(/\s+=\s+/);
  const target = () => page.locator(left).first();
  switch (verb) {
    case "ready":
      await page.locator("in-flight").first().scrollIntoViewIfNeeded();
      return page.waitForFunction(() =>
        window.inflightEvents.some((event) => event.type === "inflight-ready"));
    case "click": return target().click();
    case "hover": return target().hover();
    case "focus": return target().focus();
    case "see": return target().scrollIntoViewIfNeeded();
    case "fill": return target().fill(right);
    case "drag": return target().dragTo(page.locator(right).first());
    case "key": return page.keyboard.press(rest);
    case "wait": return page.waitForTimeout(Number(rest));
    case "call": {
      const [method, ...words] = rest.split(/\s+/);
      const args = words.map((word) => word !== "" && !Number.isNaN(Number(word)) ? Number(word) : word);
      return page.locator("in-flight").first().evaluate(
        (element, [method, args]) => element.api(1)[method](...args), [method, args]);
    }
    default: throw new Error(`unknown step "${step}"; see --help`);
  }
}

// A static host as plain as they come: files of one folder under a sub-path, no rewriting, no
// compression. Each test may have its own, with the headers (right or wrong) that it is about.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";

/** What `design` promises to run under: nothing inline, nothing from elsewhere. */
export const STRICT_CSP = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/**
 * Serves a folder on a free port of this machine.
 *
 * @param {string} folder
 * @param {object} [options]
 * @param {string} [options.base] the sub-path, with a slash at both ends
 * @param {string|null} [options.csp] the Content-Security-Policy, or null for none
 * @param {string} [options.wasmType] the type that WebAssembly is sent with
 * @param {Record<string, string>} [options.pages] pages of the test's own: path from the root to
 *   HTML; sent without the policy, since other people's pages have none of ours
 * @param {number} [options.port]
 * @returns {Promise<{origin: string, root: string, log: {path: string, status: number,
 *   bytes: number}[], url: (path?: string) => string, close: () => Promise<void>}>}
 */
export async function serve(folder, options = {}) {
  const { base = "/courses/inflight/", csp = STRICT_CSP, pages = {}, port = 0 } = options;
  const types = { ...TYPES, ".wasm": options.wasmType ?? TYPES[".wasm"] };
  const log = [];

  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    const answer = (status, headers, body = "") => {
      log.push({ path, status, bytes: Buffer.byteLength(body) });
      response.writeHead(status, { "cache-control": "no-cache", ...headers });
      response.end(request.method === "HEAD" ? undefined : body);
    };
    if (Object.hasOwn(pages, path)) {
      return answer(200, { "content-type": TYPES[".html"] }, pages[path]);
    }
    if (!path.startsWith(base)) return answer(404, { "content-type": "text/plain" }, "not here");
    const policy = csp ? { "content-security-policy": csp } : {};
    const file = await find(folder, path.slice(base.length));
    if (file.redirect) return answer(301, { location: `${path}/` });
    if (!file.body) return answer(404, { ...policy, "content-type": "text/plain" }, "not found");
    const type = types[extname(file.name)] ?? "application/octet-stream";
    answer(200, { ...policy, "content-type": type, "access-control-allow-origin": "*" }, file.body);
  });

  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    root: origin + base,
    log,
    url: (path = "") => new URL(path, origin + base).href,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** A file of the folder; a directory stands for its index page, as on any static host. */
async function find(folder, relative) {
  const name = normalize(join(folder, relative));
  if (name !== normalize(folder) && !name.startsWith(normalize(folder + sep))) return {};
  const index = join(name, "index.html");
  for (const candidate of relative === "" || relative.endsWith("/") ? [index] : [name]) {
    try {
      return { name: candidate, body: await readFile(candidate) };
    } catch (error) {
      if (error.code === "EISDIR") return { redirect: true };
    }
  }
  return {};
}

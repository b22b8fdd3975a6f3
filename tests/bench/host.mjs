// A host as `serve` is one, which sends everything compressed as static hosts do: a measurement over
// a slow line is one of compressed bytes.

import { createServer } from "node:http";
import { brotliCompressSync, constants } from "node:zlib";
import { DIST } from "../browser/harness.mjs";
import { serve } from "../browser/server.mjs";

/** The built site behind such a host. What has been asked for once is kept compressed. */
export async function compressed() {
  const plain = await serve(DIST);
  const kept = new Map();
  const server = createServer(async (request, response) => {
    if (!kept.has(request.url)) kept.set(request.url, await answer(plain.origin + request.url));
    const { status, headers, body } = kept.get(request.url);
    response.writeHead(status, headers);
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    url: (path = "") => plain.url(path).replace(plain.origin, origin),
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await plain.close();
    },
  };
}

async function answer(url) {
  const response = await fetch(url, { redirect: "manual" });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  const body = brotliCompressSync(Buffer.from(await response.arrayBuffer()), { params });
  const headers = { ...Object.fromEntries(response.headers), "content-encoding": "br" };
  for (const stale of ["content-length", "transfer-encoding", "connection", "keep-alive", "date"]) {
    delete headers[stale];
  }
  return { status: response.status, headers, body };
}

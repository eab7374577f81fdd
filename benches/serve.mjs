// A static host for measurements in a browser.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { TYPES } from "../tests/static-host.mjs";

/** The page as it is built. */
export const DIST = fileURLToPath(new URL("../www/dist", import.meta.url));

/** The file in a folder that a path names; the folder's page where it names none. */
export const inFolder = (folder) => (path) => join(folder, path === "/" ? "index.html" : path);

/**
 * Serves the file that `place` gives for a path. With `packs` it packs what static hosts pack: pages, styles, scripts and
 * WebAssembly, by gzip; with `keeps` browsers may keep files for a day. With a `certificate`, its `key` and `cert`, it speaks
 * HTTP/2, as most static hosts do: all requests share one connection. `sent` counts the bytes of all answers.
 */
export async function serve(place, { packs = false, keeps = false, certificate } = {}) {
  const host = { url: "", sent: 0, close: () => server.close() };
  const answer = async (request, response) => {
    const file = place(new URL(request.url ?? "/", "http://localhost").pathname);
    const bytes = await readFile(file).catch(() => undefined);
    if (!bytes) return void response.writeHead(404, { "content-type": "text/html" }).end("<!doctype html><title>Not here</title>");
    const type = TYPES[extname(file)];
    const packed = packs && type ? gzipSync(bytes) : bytes;
    const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 20)}"`;
    const headers = { "content-type": type ?? "application/octet-stream", "content-length": packed.length, etag, ...(keeps && { "cache-control": "max-age=86400" }) };
    if (request.headers["if-none-match"] === etag) return void response.writeHead(304, headers).end();
    host.sent += packed.length;
    response.writeHead(200, packed === bytes ? headers : { ...headers, "content-encoding": "gzip" }).end(packed);
  };
  const server = certificate ? createSecureServer(certificate, answer) : createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  host.url = `${certificate ? "https" : "http"}://127.0.0.1:${server.address().port}/`;
  return host;
}

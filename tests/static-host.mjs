import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";

/** Of what is text or code, by the ending of a file's name. @type {Record<string, string>} */
export const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * A plain static host of a folder under the path `root`.
 *
 * @param {string} root
 * @param {object} serving
 * @param {string} serving.folder What is served.
 * @param {Record<string, string>} [serving.headers] Beside type and length, with every answer.
 * @param {(file: string, bytes: Buffer, response: import("node:http").ServerResponse) => boolean} [serving.answer]
 *   May take a file over, and says whether it did.
 * @returns its address, what was asked for and is not there, and how it is closed.
 */
export async function serve(root, { folder, headers = {}, answer }) {
  /** @type {string[]} */
  const missing = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const file = join(folder, path.slice(root.length) || "index.html");
    if (!path.startsWith(root) || !(await stat(file).catch(() => undefined))?.isFile()) {
      missing.push(path);
      response.writeHead(404, headers).end();
      return;
    }
    const bytes = await readFile(file);
    if (answer?.(file, bytes, response)) return;
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { ...headers, "content-type": type, "content-length": bytes.length }).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}${root}`, missing, close };
}

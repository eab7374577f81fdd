import { readFile, stat } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The page as it is built. */
export const DIST = fileURLToPath(new URL("../../www/dist", import.meta.url));
/** The npm package as it is built. */
export const PACKAGE = fileURLToPath(new URL("../../npm/dist", import.meta.url));

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

export interface StaticHost {
  /** The page's address. */
  url: string;
  /** What was asked for and is not there. */
  missing: string[];
  close(): void;
}

interface Serving {
  /** What is served. */
  folder?: string;
  /** May take a file over, and says whether it did. */
  answer?(file: string, bytes: Buffer, response: ServerResponse): boolean;
}

/** A plain static host of a folder, the page's where none is named, under the path `root`. */
export async function serve(root: string, { folder = DIST, answer }: Serving = {}): Promise<StaticHost> {
  const missing: string[] = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const file = join(folder, path.slice(root.length) || "index.html");
    if (!path.startsWith(root) || !(await stat(file).catch(() => undefined))?.isFile()) {
      missing.push(path);
      response.writeHead(404).end();
      return;
    }
    const bytes = await readFile(file);
    if (answer?.(file, bytes, response)) return;
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-length": bytes.length }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${root}`, missing, close: () => void server.close() };
}

// Previews a site with its search.
import { existsSync, readdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Failure, reasonOf } from "./failure.js";
import { addressOf, linesFor } from "./page.js";
import { isFolderAt } from "./site/walk.js";

/** Where the preview has a page with the search, for sites whose pages do not have it yet. */
const SEARCH = "/-/search";
/** As a careful host sends it: the search works under it. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'";

const PAGE = (script: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="${POLICY}">
<link rel="icon" href="data:,">
<title>Search</title>
<style>body { max-width: 45rem; margin: 2rem auto; padding: 0 1rem; font: 1.05rem/1.5 system-ui, sans-serif; color-scheme: light dark }</style>
${linesFor(script)}
</html>
`;

/** The folder that `smooth-clir index` made in a site: the site itself, or a folder of it; undefined where there is none. */
export function searchIn(site: string): string | undefined {
  const isSearch = (folder: string) => existsSync(join(folder, "box.js")) && existsSync(join(folder, "index.safetensors"));
  if (isSearch(site)) return site;
  const folders = readdirSync(site, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  return folders.map((entry) => join(site, entry.name)).find(isSearch);
}

/** Serves a site on this machine, and resolves with its address and that of a page with the search. */
export async function serveSite(site: string, port: number): Promise<{ server: Server; url: string; page: string | undefined }> {
  if (!isFolderAt(site)) throw new Failure(`${site}: there is no such folder`);
  const search = searchIn(site);
  const { default: sirv } = await import("sirv");
  // Reads each file when it is asked for: a site that is built again is served as it is.
  const files = sirv(site, { dev: true, etag: true });
  const script = search === undefined ? undefined : addressOf(site, search);
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").replace(/[?#].*$/, "");
    if (path === SEARCH && script !== undefined) {
      return void response.writeHead(200, { "content-type": "text/html;charset=utf-8" }).end(PAGE(`/${script.replace(/^\.\//, "")}box.js`));
    }
    files(request, response, () => void response.writeHead(404, { "content-type": "text/plain" }).end(`${path} is not there\n`));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const reason = (cause as NodeJS.ErrnoException).code === "EADDRINUSE" ? "the port is in use: name another one" : reasonOf(cause);
      reject(new Failure(`port ${port}: cannot listen: ${reason}`, 1, { cause }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { server, url: `${url}/`, page: script === undefined ? undefined : url + SEARCH };
}

// Previews a site with its search.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { Failure, reasonOf } from "./failure.js";
import { addressOf, linesFor } from "./page.js";
import { isFileAt, isFolderAt } from "./site/walk.js";
import { Within } from "./site/within.js";

/** Where the preview has a page with the search, for sites whose pages do not have it yet. */
const SEARCH = "/-/search";
/** As a careful host sends it: the search works under it. */
const POLICY = "default-src 'self' data:; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'";

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
  const isSearch = (folder: string) => existsSync(join(folder, "box.js")) && existsSync(join(folder, "index.safetensors.gz"));
  if (isSearch(site)) return site;
  const folders = readdirSync(site, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  return folders.map((entry) => join(site, entry.name)).find(isSearch);
}

/** The types of files by the endings of their names. */
const TYPES: Readonly<Record<string, string>> = {
  ".avif": "image/avif",
  ".css": "text/css;charset=utf-8",
  ".gif": "image/gif",
  ".htm": "text/html;charset=utf-8",
  ".html": "text/html;charset=utf-8",
  ".ico": "image/x-icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": "text/javascript;charset=utf-8",
  ".json": "application/json",
  // As text, which browsers show: pages of Markdown are results, too.
  ".markdown": "text/plain;charset=utf-8",
  ".md": "text/plain;charset=utf-8",
  ".mjs": "text/javascript;charset=utf-8",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
  ".txt": "text/plain;charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".xml": "application/xml",
};

/** An answer to a request. */
interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** The names by which this machine asks itself. A page of another site may have a name that leads here. */
const HOSTS = /^(localhost|127\.0\.0\.1)(:\d+)?$/i;
const OTHER_HOST: Answer = { status: 421, headers: { "content-type": TYPES[".txt"]! }, body: "this preview is for this machine alone\n" };
const NOT_THERE: Answer = { status: 404, headers: { "content-type": TYPES[".txt"]! }, body: "there is no such page\n" };

/** The answer for a path; a path that the system refuses, such as one that is too long, has no file. */
function answerFor(path: string, within: Within): Answer {
  try {
    return fileAt(path, within);
  } catch {
    return NOT_THERE;
  }
}

/** The file of a site at a path, read anew each time: `a/` and `a` are `a/index.html` and `a.html` too. */
function fileAt(path: string, within: Within): Answer {
  const place = placeOf(path);
  if (place === undefined) return NOT_THERE;
  const named = join(within.folder, ...place);
  if (isFolderAt(named) && !path.endsWith("/")) return { status: 302, headers: { location: `/${place.map(encodeURIComponent).join("/")}/` } };
  const file = [named, join(named, "index.html"), ...(place.length > 0 ? [`${named}.html`] : [])].find(isFileAt);
  if (file === undefined || within.refusal(file) !== undefined) return NOT_THERE;
  const type = TYPES[extname(file).toLowerCase()] ?? "application/octet-stream";
  return { status: 200, headers: { "content-type": type, "cache-control": "no-cache" }, body: readFileSync(file) };
}

/** The names of a path's folders and file; undefined where it is no path in the folder, or one to what is hidden. */
function placeOf(path: string): string[] | undefined {
  try {
    const names = path.split("/").filter(Boolean).map(decodeURIComponent);
    return names.some((name) => name.startsWith(".") || /[/\\:\0]/.test(name)) ? undefined : names;
  } catch {
    return undefined;
  }
}

/** Serves a site on this machine, and resolves with its address and that of a page with the search. */
export async function serveSite(site: string, port: number): Promise<{ server: Server; url: string; page: string | undefined }> {
  if (!isFolderAt(site)) throw new Failure(`${site}: there is no such folder`);
  const search = searchIn(site);
  const script = search === undefined ? undefined : addressOf(site, search)?.replace(/^\.\//, "");
  const within = new Within(site);
  const page: Answer = { status: 200, headers: { "content-type": TYPES[".html"]! }, body: PAGE(`/${script}box.js`) };
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").replace(/[?#].*$/, "");
    const isOurs = HOSTS.test(request.headers.host ?? "");
    const isPage = path === SEARCH && script !== undefined;
    const { status, headers, body } = !isOurs ? OTHER_HOST : isPage ? page : answerFor(path, within);
    response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : body);
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

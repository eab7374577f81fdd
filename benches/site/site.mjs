// A site's search in Chromium: node benches/site/site.mjs SITE QUERIES (pagefind | smooth-clir), and the bytes that a host without
// compression sends until the results of a first query are shown.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const [site, queries, engine] = process.argv.slice(2);
const TYPES = { ".js": "text/javascript", ".html": "text/html", ".wasm": "application/wasm", ".json": "application/json" };
const SEARCH = {
  pagefind: `const pagefind = await import("/pagefind/pagefind.js");
    globalThis.find = async (query) => {
      const { results } = await pagefind.search(query);
      return (await Promise.all(results.slice(0, 10).map((result) => result.data()))).map(({ url }) => url);
    };`,
  // The box groups passages by page and links to them: what it lists is what counts.
  "smooth-clir": `await import("/search/box.js");
    const box = document.createElement("smooth-clir-search");
    document.body.append(box);
    globalThis.find = async (query) => {
      const shown = new Promise((resolve) => box.addEventListener("smooth-clir-results", resolve, { once: true }));
      await Promise.all([shown, box.search(query)]);
      return [...box.shadowRoot.querySelectorAll("ol > li [part~=title]")].map(({ href }) => href);
    };`,
};

let sent = { bytes: 0, requests: 0 };
const server = createServer(({ url }, response) => {
  const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  let bytes;
  try {
    bytes = path === "/empty.html" ? Buffer.from("<!doctype html><html lang=fr><title>Search</title><body>") : readFileSync(join(site, path));
  } catch {
    return response.writeHead(404).end();
  }
  sent = { bytes: sent.bytes + bytes.length, requests: sent.requests + 1 };
  response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(bytes);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/empty.html`);
sent = { bytes: 0, requests: 0 };
await page.evaluate(`(async () => { ${SEARCH[engine]} })()`);
const ranks = [];
let first;
for (const line of readFileSync(queries, "utf8").trim().split("\n")) {
  const [query, expected] = line.split("\t");
  const found = await page.evaluate((query) => globalThis.find(query), query);
  first ??= { ...sent };
  const pages = [...new Set(found.map((url) => new URL(url, "http://localhost").pathname.split("/").pop()))];
  ranks.push(pages.findIndex((name) => expected.split(" ").includes(name)) + 1);
}
const count = (most) => ranks.filter((rank) => rank > 0 && rank <= most).length;
const reciprocal = ranks.reduce((sum, rank) => sum + (rank > 0 && rank <= 10 ? 1 / rank : 0), 0) / ranks.length;
console.log(`${engine}: success@1 ${count(1)}, success@3 ${count(3)} of ${ranks.length}, MRR@10 ${reciprocal.toFixed(3)}; first query ${first.bytes} bytes in ${first.requests} requests`);
await browser.close();
server.close();

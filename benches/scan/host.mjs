// One contender in Node or in a Chromium of its own:
//
//   node host.mjs node|chromium CONTENDER BUILT DATA
//
// BUILT has the contenders' bundle and WebAssembly files, and playwright-core; DATA the vectors.
// Says `ready`, or `failed: ` and why; then answers each line `FIRST COUNT` as scan-bench does.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const TYPES = { js: "text/javascript", html: "text/html", wasm: "application/wasm" };

/** Serves both folders' files; what the page needs to be isolated, so that its clock is fine. */
function serve(folders) {
  const server = createServer((request, response) => {
    const name = basename(new URL(request.url, "http://localhost").pathname) || "index.html";
    const path = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    const headers = {
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
      "Content-Type": TYPES[name.split(".").pop()] ?? "application/octet-stream",
    };
    if (name === "index.html") {
      response.writeHead(200, headers).end("<!doctype html><title>scan</title>");
    } else if (path) {
      headers["Content-Length"] = statSync(path).size;
      createReadStream(path).pipe(response.writeHead(200, headers));
    } else {
      response.writeHead(404, headers).end();
    }
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

async function inNode(contender, built, base) {
  // Emscripten's glue asks for it where it finds itself in Node.
  globalThis.require = createRequire(import.meta.url);
  globalThis.__dirname = built;
  globalThis.wasmFolder = `${built}/`;
  const { prepare } = await import(pathToFileURL(join(built, "contenders.js")));
  return prepare(contender, base);
}

async function inChromium(contender, built, base) {
  const { chromium } = createRequire(join(built, "package.json"))("playwright-core");
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  const browser = await chromium.launch({ executablePath, args });
  process.on("exit", () => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  const crashed = new Promise((_, reject) => page.on("crash", () => reject(new Error("the page ran out of memory"))));
  await page.goto(base);
  const prepared = page.evaluate(
    async ([contender, base]) => {
      const { prepare } = await import(`${base}contenders.js`);
      globalThis.run = await prepare(contender, base);
    },
    [contender, base],
  );
  await Promise.race([prepared, crashed]);
  return (first, count) => page.evaluate(([first, count]) => globalThis.run(first, count), [first, count]);
}

const [host, contender, built, data] = process.argv.slice(2);
const server = await serve([resolve(data), resolve(built)]);
const base = `http://127.0.0.1:${server.address().port}/`;
let run;
try {
  run = await (host === "node" ? inNode : inChromium)(contender, resolve(built), base);
} catch (error) {
  const why = error.cause ?? error;
  console.log(`failed: ${String(why.message || why.code || why).split("\n")[0]}`);
  process.exit(1);
}
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const [first, count] = line.split(" ").map(Number);
  console.log(JSON.stringify(await run(first, count)));
}
process.exit(0);

// The packed package in an empty folder, as a person installs it: its command makes the search of `examples/site/public`, and a browser
// finds French pages there by English words. `pkg-scripts/test-package` packs it and names the file.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { serve } from "../static-host.mjs";

const run = promisify(execFile);
const packed = process.env.PACKED ?? assert.fail("run pkg-scripts/test-package");
const example = fileURLToPath(new URL("../../examples/site/public", import.meta.url));

let place;
let browser;
before(async () => {
  place = await mkdtemp(join(tmpdir(), "smooth-clir-npx-"));
  await run("npm", ["install", "--no-audit", "--no-fund", "--offline", packed], { cwd: place });
  await cp(example, join(place, "site"), { recursive: true });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});
const hosts = [];
after(async () => {
  for (const host of hosts) host.close();
  await browser?.close();
  await rm(place, { recursive: true, force: true });
});

/** Types a query into the box of a page, and reads where the first result leads; what the browser complained of, and what it fetched. */
async function search(url, query) {
  const page = await browser.newPage();
  const [problems, fetched] = [[], []];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => fetched.push(request.url()));
  try {
    await page.goto(url);
    const before = fetched.filter((address) => /safetensors|manifest/.test(address));
    await page.getByRole("searchbox").fill(query);
    const link = page.locator("smooth-clir-search").getByRole("link").first();
    await link.waitFor({ timeout: 60_000 }).catch((error) => assert.fail(`${error.message}\n${problems.join("\n")}`));
    return { href: await link.getAttribute("href"), problems, before };
  } finally {
    await page.close();
  }
}

test("npx makes the search of a site, which works below a path and under a strict policy in a <meta>", async () => {
  const { stdout } = await run("npx", ["--no-install", "smooth-clir", "index", "site", "--out", "site/search", "--light"], { cwd: place });
  assert.match(stdout, /^<script type="module" src="search\/box\.js"><\/script>\n<smooth-clir-search><\/smooth-clir-search>\n$/);
  const host = await serve("/a/path/", { folder: join(place, "site") });
  hosts.push(host);
  for (const [from, query, to] of [
    ["fr/eau.html", "bee stings", /\/a\/path\/fr\/ruches\.html/],
    ["index.html", "watering plants in a drought", /\/a\/path\/fr\/eau\.html/],
  ]) {
    const { href, problems, before } = await search(host.url + from, query);
    assert.match(new URL(href, host.url + from).href, to);
    assert.deepEqual({ problems, before }, { problems: [], before: [] });
  }
  assert.deepEqual(host.missing, []);
});

test("npx previews a site, also one whose pages do not have the search yet", async () => {
  const [program, ...args] = [process.execPath, join(place, "node_modules/smooth-clir/dist/command/main.js"), "serve", "site", "--port", "0"];
  const child = spawn(program, args, { cwd: place });
  try {
    const said = await new Promise((resolve) => child.stderr.on("data", (bytes) => /search at/.test(bytes) && resolve(String(bytes))));
    const address = /its search at (\S+);/.exec(said)[1];
    const { href, problems } = await search(address, "slugs");
    assert.match(new URL(href, address).pathname, /^\/fr\/potager\.html$/);
    assert.deepEqual(problems, []);
  } finally {
    child.kill();
  }
});

test("the package has four languages besides English, and names the packages of others", async () => {
  const files = await readdir(join(place, "node_modules/smooth-clir/models"));
  const encoders = ["fr", "it", "sw", "tl"].map((language) => `document.${language}.safetensors`);
  assert.deepEqual(files.sort(), ["card.json", "deep.safetensors", ...encoders, "manifest.json", "query.safetensors", "teacher.json"]);
  await mkdir(join(place, "mixed"));
  await writeFile(join(place, "mixed/a.html"), "<html lang=fr><p>Il pleut sur la montagne.");
  await writeFile(join(place, "mixed/b.html"), "<html lang=de><p>Es regnet in den Bergen.");
  const index = (...options) => run("npx", ["--no-install", "smooth-clir", "index", "mixed", "--out", "mixed/search", "--light", ...options], { cwd: place });
  const { stderr } = await index();
  assert.match(stderr, /^1 passage in de: left out; to index them: npm install smooth-clir-models-en-de$/m);
  await assert.rejects(index("--language", "de"), /--language de: there is a model for fr, it, sw, tl; npm install smooth-clir-models-en-de/);
});

test("the package installs no other", async () => {
  const modules = await readdir(join(place, "node_modules"));
  assert.deepEqual(modules.filter((name) => !name.startsWith(".")), ["smooth-clir"]);
});

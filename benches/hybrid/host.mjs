// One contender in a Chromium of its own: node host.mjs CONTENDER RIVALS MODELS INDEX PASSAGES COUNT
//
// RIVALS has the rivals' packages; MODELS the encoders of a model; INDEX an index in segments of the first passages, for ours.
// Says `ready` with the seconds of loading or indexing and the MB of the tab, or `failed: ` and why; then answers each line, a query
// in English and in French, with a JSON object of milliseconds. Ours is asked the English one, rivals the French one, of the first ten
// documents with their texts. CHROMIUM says where the browser is.
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { memoryOfTab } from "../tab.mjs";
import { serve } from "../../tests/static-host.mjs";

const [contender, rivals, models, index, passages, count] = process.argv.slice(2);

/** The texts of the first passages. */
async function* texts() {
  let left = Number(count);
  for await (const line of createInterface({ input: createReadStream(passages) })) {
    if (left-- === 0) return;
    yield line.split("\t")[2];
  }
}

/** What the page of each contender runs: it prepares, and sets `ask` to a function from a query to its results. */
const PREPARE = {
  "smooth-clir": async () => {
    const { SmoothClir } = await import(`${location.href}package/index.js`);
    const model = ["models/query.safetensors", "models/document.fr.safetensors"];
    const engine = await SmoothClir.load({ model, documents: "index/segments.json", worker: true });
    window.ask = async ([english]) => {
      const milliseconds = {};
      for (const [name, options] of [["hybrid", {}], ["vectors alone", { dense: 1 }]]) {
        const begun = performance.now();
        await engine.search(english, options);
        milliseconds[`smooth-clir, ${name}`] = performance.now() - begun;
      }
      return milliseconds;
    };
  },
  Orama: async () => {
    const { create, insertMultiple, search } = await import(`${location.href}rivals/@orama/orama/dist/browser/index.js`);
    const documents = create({ schema: { text: "string" }, language: "french" });
    const lines = (await (await fetch("texts.txt")).text()).trimEnd().split("\n");
    await insertMultiple(documents, lines.map((text) => ({ text })), 1000);
    window.ask = async ([, term]) => {
      const begun = performance.now();
      await search(documents, { term, limit: 10 });
      return { Orama: performance.now() - begun };
    };
  },
  MiniSearch: async () => {
    const { default: MiniSearch } = await import(`${location.href}rivals/minisearch/dist/es/index.js`);
    const documents = new MiniSearch({ fields: ["text"], storeFields: ["text"] });
    const lines = (await (await fetch("texts.txt")).text()).trimEnd().split("\n");
    documents.addAll(lines.map((text, id) => ({ id, text })));
    window.ask = async ([, query]) => {
      const begun = performance.now();
      documents.search(query).slice(0, 10);
      return { MiniSearch: performance.now() - begun };
    };
  },
  Pagefind: async () => {
    const pagefind = await import(`${location.href}pagefind/pagefind.js`);
    await pagefind.init();
    window.ask = async ([, query]) => {
      const begun = performance.now();
      const { results } = await pagefind.search(query);
      await Promise.all(results.slice(0, 10).map((result) => result.data()));
      return { Pagefind: performance.now() - begun };
    };
  },
};

const site = await mkdtemp(join(tmpdir(), "smooth-clir-hybrid-"));
await writeFile(join(site, "index.html"), "<!doctype html>");
const begun = performance.now();
if (contender === "smooth-clir") {
  await symlink(process.env.SMOOTH_CLIR_DIST ?? fileURLToPath(new URL("../../npm/dist", import.meta.url)), join(site, "package"));
  await symlink(resolve(models), join(site, "models"));
  await symlink(resolve(index), join(site, "index"));
} else if (contender === "Pagefind") {
  const { createIndex } = await import(pathToFileURL(join(resolve(rivals), "node_modules/pagefind/lib/index.js")));
  const made = await createIndex();
  let number = 0;
  for await (const content of texts()) {
    await made.index.addCustomRecord({ url: `/p${number++}`, content, language: "fr" });
  }
  await mkdir(join(site, "pagefind"));
  await made.index.writeFiles({ outputPath: join(site, "pagefind") });
} else {
  await symlink(join(resolve(rivals), "node_modules"), join(site, "rivals"));
  const lines = [];
  for await (const text of texts()) lines.push(text);
  await writeFile(join(site, "texts.txt"), lines.join("\n"));
}
// The page is alone with its files, so that its clock is fine.
const headers = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
const host = await serve("/", { folder: site, headers });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const page = await browser.newPage();
page.setDefaultTimeout(0);
const crashed = new Promise((_, reject) => page.on("crash", () => reject(new Error("the page ran out of memory"))));
try {
  await page.goto(host.url);
  await Promise.race([page.evaluate(PREPARE[contender]), crashed]);
  console.log(`ready ${((performance.now() - begun) / 1000).toFixed(1)} ${(await memoryOfTab()).toFixed(0)}`);
  for await (const line of createInterface({ input: process.stdin })) {
    const asked = page.evaluate((query) => window.ask(query), line.split("\t"));
    console.log(JSON.stringify(await Promise.race([asked, crashed])));
  }
} catch (error) {
  console.log(`failed: ${String(error.message).split("\n")[0]}`);
} finally {
  await browser.close();
  host.close();
  await rm(site, { recursive: true });
}

// What a large index takes in a browser tab: node benches/million-tab.mjs MODELS LANGUAGE INDEX
//
// INDEX is a folder with an index in segments; MODELS has the sides of a model. Vectors are loaded, texts are fetched
// when they are shown, from a host of files on this machine. CHROMIUM says where the browser is.
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { memoryOfTab } from "./tab.mjs";
import { serve } from "../tests/static-host.mjs";

const [models, language, index] = process.argv.slice(2);
const QUERIES = [
  "rain over the mountains",
  "the right to vote in federal elections",
  "how do I read a file line by line",
  "fishing boats in the harbour",
  "protests against the government",
  "a teacher writes a story for children",
  "tax on imported goods",
  "clean water for the village",
];
const site = await mkdtemp(join(tmpdir(), "smooth-clir-million-"));
await symlink(fileURLToPath(new URL("../npm/dist", import.meta.url)), join(site, "package"));
await symlink(resolve(models), join(site, "models"));
await symlink(resolve(index), join(site, "index"));
await writeFile(join(site, "index.html"), "<!doctype html>");
const host = await serve("/", { folder: site });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto(host.url);
const empty = await memoryOfTab();
const loading = await page.evaluate(async (language) => {
  const address = "./package/index.js";
  const { SmoothClir } = await import(address);
  const model = ["models/query.safetensors", `models/document.${language}.safetensors`];
  const begun = performance.now();
  window.engine = await SmoothClir.load({ model, documents: "index/segments.json", worker: true });
  return { ms: performance.now() - begun, documents: window.engine.documentCount };
}, language);
const loaded = await memoryOfTab();
const rounds = await page.evaluate(async (queries) => {
  const times = { "texts to be fetched": [], "texts there": [], "vectors alone, texts to be fetched": [], "vectors alone, texts there": [] };
  for (const kind of Object.keys(times)) {
    const options = kind.startsWith("vectors") ? { dense: 1 } : {};
    for (const query of queries) {
      const begun = performance.now();
      await window.engine.search(query, options);
      times[kind].push(performance.now() - begun);
    }
  }
  return times;
}, QUERIES);
console.log(`${loading.documents} documents loaded in ${(loading.ms / 1000).toFixed(1)} s`);
for (const [kind, times] of Object.entries(rounds)) {
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1];
  console.log(`a search, ${kind}: median ${median.toFixed(0)} ms (${times[0].toFixed(0)} to ${times.at(-1).toFixed(0)})`);
}
const shown = (mb) => `${mb.toFixed(0)} MB`;
console.log(`the tab: ${shown(empty)} empty, ${shown(loaded)} loaded, ${shown(await memoryOfTab())} after ${4 * QUERIES.length} searches`);
await browser.close();
host.close();
await rm(site, { recursive: true });

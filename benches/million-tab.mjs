// What a large index takes in a browser tab: node benches/million-tab.mjs MODELS LANGUAGE INDEX QUERIES
//
// INDEX is a folder with an index in segments; MODELS has the encoders of a model; QUERIES has a query a line, up to a tab. Vectors are
// loaded, texts are fetched when they are shown, from a host of files on this machine. CHROMIUM says where the browser is.
// Each query is asked by hybrid scores and by vectors alone, by turns, twice: in the first round texts are to be fetched.
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { memoryOfTab } from "./tab.mjs";
import { serve } from "../tests/static-host.mjs";

const [models, language, index, file] = process.argv.slice(2);
const queries = (await readFile(file, "utf8")).trim().split("\n").map((line) => line.split("\t")[0]);
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
  const times = {};
  for (const round of ["texts to be fetched", "texts there"]) {
    for (const query of queries) {
      for (const [kind, options] of [["hybrid", {}], ["vectors alone", { dense: 1 }]]) {
        const begun = performance.now();
        await window.engine.search(query, options);
        (times[`${kind}, ${round}`] ??= []).push(performance.now() - begun);
      }
    }
  }
  return times;
}, queries);
console.log(`${loading.documents} documents loaded in ${(loading.ms / 1000).toFixed(1)} s, ${queries.length} queries`);
console.log("| a search, ms | median | 95 % | 99 % | most |\n|---|---|---|---|---|");
for (const [kind, times] of Object.entries(rounds)) {
  times.sort((a, b) => a - b);
  const at = [0.5, 0.95, 0.99, 1].map((share) => times[Math.floor((times.length - 1) * share)].toFixed(0));
  console.log(`| ${kind} | ${at.join(" | ")} |`);
}
const shown = (mb) => `${mb.toFixed(0)} MB`;
console.log(`the tab: ${shown(empty)} empty, ${shown(loaded)} loaded, ${shown(await memoryOfTab())} after ${4 * queries.length} searches`);
await browser.close();
host.close();
await rm(site, { recursive: true });

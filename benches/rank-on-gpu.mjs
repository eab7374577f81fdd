// Rankings on the graphics card and in WebAssembly, in Chromium:
//
//   node benches/rank-on-gpu.mjs QUERY-ENCODER DOCUMENT-ENCODER INDEX [--gpu swiftshader|default]
//
// Prints the medians of seven searches that `rankOnGpu` measures. Without `--gpu` the browser's own graphics card is used;
// "swiftshader" has the processor stand in for one. The model must have no translations: those rank in WebAssembly alone.
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { cardOf, withGpu } from "./gpu-browser.mjs";
import { serve } from "./serve.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { gpu: { type: "string", default: "default" } } });
if (positionals.length !== 3) throw new Error("usage: node benches/rank-on-gpu.mjs QUERY-ENCODER DOCUMENT-ENCODER INDEX [--gpu swiftshader]");
const npm = fileURLToPath(new URL("../npm/dist", import.meta.url));
const files = new Map(positionals.map((path) => [`/files/${basename(path)}`, path]));
const host = await serve((path) => files.get(path) ?? (path.startsWith("/npm/") ? npm + path.slice(4) : ""));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: withGpu(values.gpu) });
const page = await browser.newPage();
await page.goto(host.url);
console.log(`card: ${await cardOf(page)}`);
const measured = await page.evaluate(async ([query, document, index]) => {
  const address = "/npm/index.js";
  const { SmoothClir } = await import(address);
  const engine = await SmoothClir.load({ model: [query, document], documents: index });
  const found = [];
  for (let round = 0; round < 3; round++) found.push(await engine.rankOnGpu({ force: true }));
  return { documents: engine.documentCount, found };
}, [...files.keys()].map((path) => host.url + path.slice(1)));
await browser.close();
host.close();
console.log(`${measured.documents} documents`);
for (const { kind, reason, wasmMs, webgpuMs } of measured.found) {
  console.log(`${kind}${reason ? ` (${reason})` : ""}: WebAssembly ${wasmMs?.toFixed(2)} ms, WebGPU ${webgpuMs?.toFixed(2)} ms`);
}

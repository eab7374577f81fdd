// How much memory the module takes for a model and an index, and how long a search takes then.
//
//   node benches/memory.mjs MODEL.safetensors... INDEX.safetensors [QUERY]
//
// A query beside them is asked once, so that what a search keeps is counted too.
import { readFileSync } from "node:fs";
import init, { Engine } from "../npm/dist/wasm/smooth_clir.js";

const files = process.argv.slice(2).filter((name) => name.endsWith(".safetensors"));
const query = process.argv.slice(2).find((name) => !name.endsWith(".safetensors")) ?? "rain over the mountains";
const module = readFileSync(new URL("../npm/dist/wasm/smooth_clir_bg.wasm", import.meta.url));
const { memory } = await init({ module_or_path: module });
const started = memory.buffer.byteLength;
const index = new Uint8Array(readFileSync(files.at(-1)));
const model = files.slice(0, -1).map((file) => new Uint8Array(readFileSync(file)));
const bytes = [index, ...model].reduce((sum, file) => sum + file.length, 0);
const none = new Uint8Array();
const engine = new Engine(model, none);
const first = performance.now();
engine.addDocuments(index, none);
console.log(`${engine.state().documentCount} documents added in ${(performance.now() - first).toFixed(0)} ms`);
const loaded = memory.buffer.byteLength;
for (const round of ["first", "again"]) {
  const before = performance.now();
  const encoded = engine.encode(query, undefined);
  const missing = engine.rank(encoded, { limit: 10 });
  encoded.free();
  console.log(`${round}: ${(performance.now() - before).toFixed(2)} ms, ${missing.length} files of texts to fetch`);
}
const searched = memory.buffer.byteLength;
const shown = (size) => `${(size / 1e6).toFixed(1)} MB`;
console.log(`files ${shown(bytes)}; module ${shown(started)}, with them ${shown(loaded)}, after a search ${shown(searched)}`);
console.log(`(after a search - 4 MB) / files: ${((searched - 4e6) / bytes).toFixed(3)}`);

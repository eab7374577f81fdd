// Raw, gzip and brotli bytes of the built page, by part.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Promised: the module that searches, with its glue, in brotli bytes. */
const SEARCH_BUDGET = 150_000;

const files = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

const brotli = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;

function measure(paths) {
  const sum = { raw: 0, gzip: 0, brotli: 0 };
  for (const path of paths) {
    const bytes = readFileSync(path);
    sum.raw += bytes.length;
    sum.gzip += gzipSync(bytes, { level: 9 }).length;
    sum.brotli += brotli(bytes);
  }
  return sum;
}

let built;
try {
  built = files("www/dist");
} catch {
  console.error("error: www/dist is not there: run ./pkg-scripts/build");
  process.exit(1);
}
const search = ["npm/dist/wasm/smooth_clir_bg.wasm", "npm/dist/wasm/smooth_clir.js"];
const full = ["npm/dist/full/smooth_clir_bg.wasm", "npm/dist/full/smooth_clir.js"];
const data = built.filter((path) => path.includes("generated"));
const lab = ["npm/dist/lab/smooth_clir_bg.wasm", "npm/dist/lab/smooth_clir.js"];
// Fetched when something is learned or a picture is shown: the modules that do this, their scripts,
// the document sides.
const laterModules = [full[0], lab[0]].map((path) => readFileSync(path));
const later = built.filter((path) =>
  path.endsWith(".wasm")
    ? laterModules.some((bytes) => readFileSync(path).equals(bytes))
    : /(lessons|card|ranking|training|lab|view)-|document\.|evaluation|corpus/.test(path),
);
const first = built.filter((path) => !later.includes(path));
const rows = {
  "module that searches (WebAssembly and glue)": search,
  "page (HTML, styles, scripts)": first.filter((path) => !data.includes(path) && !path.endsWith(".wasm")),
  "model (query side)": data.filter((path) => path.endsWith("query.safetensors")),
  "documents": data.filter((path) => path.endsWith("documents.safetensors")),
  "all that the page loads at first": first,
  "module that learns as well, in its place": full,
  "module behind the pictures": lab,
  "scripts that are fetched when they are needed": later.filter((path) => path.endsWith(".js")),
  "model (document sides, for learning)": data.filter((path) => path.includes("document.")),
};
console.log("| | raw | gzip | brotli |\n|---|---|---|---|");
for (const [name, paths] of Object.entries(rows)) {
  const { raw, gzip, brotli } = measure(paths);
  const shown = [raw, gzip, brotli].map((bytes) => bytes.toLocaleString("en"));
  console.log(`| ${name} | ${shown.join(" | ")} |`);
}
const spent = measure(search).brotli;
if (process.argv.includes("--check") && spent > SEARCH_BUDGET) {
  console.error(`error: the module takes ${spent} bytes in brotli, more than ${SEARCH_BUDGET}`);
  process.exit(1);
}

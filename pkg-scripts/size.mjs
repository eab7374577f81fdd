// Raw, gzip and brotli bytes of the built page, by part.
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Promised: the module that searches, with its glue, in brotli bytes. */
const SEARCH_BUDGET = 200_000;

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
const readers = ["npm/dist/documents/smooth_clir_documents_bg.wasm", "npm/dist/documents/smooth_clir_documents.js"];
const indexer = ["npm/dist/indexer/smooth_clir_indexer_bg.wasm", "npm/dist/indexer/smooth_clir_indexer.js"];
/** The scripts that a script cannot do without. */
function withImports(names) {
  const all = new Set(names);
  for (const name of all) {
    const text = readFileSync(join("www/dist/assets", name), "utf8");
    for (const [, other] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) all.add(other);
  }
  return all;
}
const own = readFileSync("www/dist/index.html", "utf8");
const named = [...own.matchAll(/assets\/([\w.-]+)/g)].map(([, name]) => name);
const worker = readdirSync("www/dist/assets").filter((name) => name.startsWith("worker-"));
const scripts = withImports([...named.filter((name) => name.endsWith(".js")), ...worker]);
const searchBytes = readFileSync(search[0]);
// The rest is fetched when something is learned, a picture is shown, or the page is kept for later.
const isFirst = (path) => {
  if (path.endsWith(".wasm")) return readFileSync(path).equals(searchBytes);
  if (path.includes("assets/")) return scripts.has(basename(path)) || named.includes(basename(path));
  return !/document\.|evaluation|corpus\/|models\/|full\.|methods\/|texts\.|\.gz$|service-worker|licences/.test(path);
};
const later = built.filter((path) => !isFirst(path));
const first = built.filter((path) => !later.includes(path));
const isPack = (path) => {
  const [, language] = /models\/document\.([^/]+)\.safetensors$/.exec(path) ?? [];
  // The demo model has an encoder of each language of the built-in documents.
  return language !== undefined && !data.some((other) => other.endsWith(`generated/document.${language}.safetensors`));
};
const rows = {
  "search module (WebAssembly and glue)": search,
  "page (HTML, styles, scripts)": first.filter((path) => !data.includes(path) && !path.endsWith(".wasm")),
  "demo model: query encoder": data.filter((path) => path.endsWith("generated/query.safetensors")),
  "index of the documents, without texts": data.filter((path) => path.endsWith("/demo.safetensors")),
  "texts of documents, fetched when shown": data.filter((path) => path.includes("/texts.")),
  "everything on the first visit": first,
  "full module, with fine-tuning, which replaces the search module": full,
  "module of the laboratory": lab,
  "module of the readers of documents": readers,
  "module of the indexer, for Node alone": indexer,
  "libraries for PDF": built.filter((path) => path.includes("assets/later-pdf")),
  "library for DOCX": built.filter((path) => path.includes("assets/later-docx")),
  "library that tells languages": built.filter((path) => path.includes("assets/later-languages")),
  "scripts and styles fetched on demand": later.filter((path) => /\.(js|css)$/.test(path) && !path.includes("assets/later-")),
  "demo model: document encoders, for fine-tuning": data.filter((path) => path.includes("generated/document.")),
  "rival methods, each with its index, in French": data.filter((path) => path.includes("methods/fr/")),
  "full model with its index": data.filter((path) => /models\/|full\./.test(path) && !/manifest|\.gz$/.test(path) && !isPack(path)),
  "packs of languages, each fetched when it is chosen": data.filter(isPack),
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

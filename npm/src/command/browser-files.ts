// The files of this package that a browser needs to search.
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../", import.meta.url));
/** Where the search element begins, and the script that it starts as a worker. */
const ENTRIES = ["search-box.js", "worker.js"];
/** Fine-tuning, training, the laboratory and the GPU, which no search needs: they are imported on their first use. */
const LATER = new Set(["lab.js", "worker/full-engine.js", "worker/gpu-ranking.js", "worker/gpu.js", "worker/training.js"]);
/** How a script of ours names another file: an import, or a URL beside it. */
const NAMED = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']*)["']|\bnew URL\(\s*["'](\.[^"']*)["'],\s*import\.meta\.url/g;
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** The scripts and the module that search, by their places in `dist`. */
export function browserFiles(): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  // Grows while it is read.
  const wanted = new Set(ENTRIES);
  for (const place of wanted) {
    const bytes = readFileSync(DIST + place);
    files.set(place, bytes);
    if (!place.endsWith(".js")) continue;
    for (const [, imported, beside] of bytes.toString("utf8").replace(COMMENTS, "").matchAll(NAMED)) {
      const named = posix.join(posix.dirname(place), (imported ?? beside)!);
      if (!LATER.has(named)) wanted.add(named);
    }
  }
  return files;
}

// Bundles the scripts that search a site, for the folder that `smooth-clir index` makes: npm/dist/site. Each script that a script imports is a
// request, after the one that names it.
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const dist = fileURLToPath(new URL("../npm/dist/", import.meta.url));
/** The laboratory, fine-tuning, training and the GPU, which no search needs: scripts that are imported on their first use, and are not copied. */
const LATER = /\/(lab|full-engine|gpu-ranking|gpu|training)\.js$/;

await rm(`${dist}site`, { recursive: true, force: true });
await build({
  // The element, and the script that it starts as a worker.
  input: { "search-box": `${dist}search-box.js`, worker: `${dist}worker.js` },
  external: (name, from) => from !== undefined && from.includes("/worker/") && LATER.test(name),
  output: { dir: `${dist}site`, format: "esm", minify: true, entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
  logLevel: "warn",
});

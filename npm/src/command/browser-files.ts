// The files of this package that a browser needs to search.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../", import.meta.url));
/** Where the bundled scripts of the search element are. */
const SITE = `${DIST}site/`;
/** The module that searches, which the scripts find beside them. */
const MODULE = "wasm/smooth_clir_bg.wasm";

/** The scripts and the module that search, by their places beside each other. */
export function browserFiles(): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const name of readdirSync(SITE).sort()) files.set(name, readFileSync(SITE + name));
  return files.set(MODULE, readFileSync(DIST + MODULE));
}

// The script and the lines of HTML that put the search into a page.
import { relative, resolve, sep } from "node:path";

/** How the script begins, by which a folder is known as one that this command made. */
export const MADE = "// Defines <smooth-clir-search>, which searches the index in this folder. Made by smooth-clir index.";

/** The script beside the index: defines the search element with the files around it. */
export function boxScript(model: readonly string[], packs: readonly string[], base: string | undefined): string {
  const list = (names: readonly string[]) => names.map((name) => `at(${JSON.stringify(name)})`).join(", ");
  const further = packs.length === 0 ? "" : `\n  packs: [${list(packs)}],`;
  const pages = base === undefined ? "" : `\n  base: at(${JSON.stringify(base)}),`;
  return `${MADE}
import { defineSearchBox } from "./dist/search-box.js";

const at = (place) => new URL(place, import.meta.url).href;
defineSearchBox("smooth-clir-search", {
  model: [${list(model)}],${further}
  documents: [at("index.safetensors.gz")],
  manifest: at("manifest.json"),${pages}
});
`;
}

/** The lines of HTML for a page; `script` is the address of the script. */
export const linesFor = (script: string): string =>
  `<script type="module" src="${script}"></script>\n<smooth-clir-search></smooth-clir-search>`;

/** A folder as seen from another, as a relative URL with a slash at its end; undefined if it is not in sight. */
export function addressOf(from: string, to: string): string | undefined {
  const path = relative(resolve(from), resolve(to)).split(sep);
  if (/^[A-Za-z]:$/.test(path[0]!)) return undefined;
  const parts = path.filter(Boolean).map(encodeURIComponent);
  return parts.length === 0 ? "./" : `${parts.join("/")}/`;
}

/** Whether a folder is in another, or is it. */
export function isIn(folder: string, root: string): boolean {
  const path = relative(resolve(root), resolve(folder));
  return path === "" || (path !== ".." && !path.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(path));
}

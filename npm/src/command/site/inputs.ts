// What a command line names: pages, and files of documents.
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { Failure } from "../failure.js";
import type { LeftOut, PageFile } from "./found.js";
import { pagesOf, type Sitemap } from "./sitemap.js";
import { isFileAt, isFolderAt, isPage, pagesIn } from "./walk.js";

/** What is to be read. */
export interface Inputs {
  /** The folder that the places of pages are seen from. */
  root: string;
  pages: PageFile[];
  /** Files of documents. */
  records: string[];
  leftOut: LeftOut[];
}

/** Finds what paths lead to. The folder `out`, which the command makes, is no part of the site. */
export function inputsOf(paths: readonly string[], out: string, parse: (bytes: Uint8Array) => Sitemap): Inputs {
  const folders = paths.map((path) => {
    if (isFolderAt(path)) return path;
    if (isFileAt(path)) return dirname(path);
    throw new Failure(`${path}: there is no such file or folder`);
  });
  const root = folders.length === 1 ? folders[0]! : commonFolder(folders);
  const inputs: Inputs = { root, pages: [], records: [], leftOut: [] };
  const known = new Set<string>();
  paths.forEach((path, at) => {
    const { pages, records = [], leftOut } = found(path, out, parse);
    const before = relative(root, folders[at]!).split(sep).filter(Boolean);
    for (const page of pages) {
      const real = resolve(page.path);
      if (known.has(real)) continue;
      known.add(real);
      inputs.pages.push({ ...page, place: [...before, page.place].join("/") });
    }
    for (const file of records) if (!inputs.records.includes(file)) inputs.records.push(file);
    inputs.leftOut.push(...leftOut);
  });
  return inputs;
}

function found(path: string, out: string, parse: (bytes: Uint8Array) => Sitemap): Pick<Inputs, "pages" | "leftOut"> & { records?: string[] } {
  if (isFolderAt(path)) {
    const records = join(path, "documents.tsv");
    return isFileAt(records) ? { pages: [], records: [records], leftOut: [] } : pagesIn(path, [out]);
  }
  const ending = extname(path).toLowerCase();
  if (ending === ".xml") return pagesOf(path, parse);
  if (isPage(path)) return { pages: [{ place: basename(path), path, changed: undefined, isNamed: true }], leftOut: [] };
  if (![".jsonl", ".ndjson", ".csv", ".tsv"].includes(ending)) {
    throw new Failure(`${path}: expected a page (.md, .html, .txt), a sitemap (.xml), or a file of documents (.jsonl, .csv, .tsv)`);
  }
  return { pages: [], records: [path], leftOut: [] };
}

/** The deepest folder that all folders are in. */
function commonFolder(folders: readonly string[]): string {
  const parts = folders.map((folder) => resolve(folder).split(sep));
  const first = parts[0]!;
  const same = first.findIndex((part, at) => parts.some((other) => other[at] !== part));
  const common = first.slice(0, same < 0 ? first.length : same).join(sep);
  return common === "" || common.endsWith(":") ? `${common}${sep}` : common;
}

// The local files of a sitemap's pages: the rules of `smooth-clir index` in `trainer/src/data/documents/sitemap.rs`.
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure, reasonOf } from "../failure.js";
import { PAGE_BYTES, SITE_FOLDERS, SITEMAPS } from "../../limits.js";
import { messageOf } from "../../errors.js";
import type { LeftOut, PageFile } from "./found.js";
import { isFileAt, isPage } from "./walk.js";
import { Within } from "./within.js";

/** The parts of an address's path, decoded; the last is empty for a folder. */
type Address = readonly string[];

/** A sitemap's pages with the dates of their changes, or the addresses of further sitemaps. */
export interface Sitemap {
  pages: { address: Address; changed: string | undefined }[];
  sitemaps: Address[];
}

/**
 * The pages of a sitemap, or of those that an index of sitemaps lists, in their order. Files lie beside the sitemap, as the site has them:
 * `a/` and `a` in `a/index.html` or `a.html`; where the site is not at its host's root, its own folder may be missing before them.
 * `parse` reads a sitemap.
 */
export function pagesOf(path: string, parse: (bytes: Uint8Array) => Sitemap): { pages: PageFile[]; leftOut: LeftOut[] } {
  const folder = dirname(path);
  const within = new Within(folder);
  const { entries, leftOut } = entriesOf(path, within, parse);
  // How many folders of the host are not here: as many as most pages are found with.
  const depth = entries.reduce((most, { address }) => Math.max(most, address.length), 0);
  let [without, most] = [0, -1];
  for (let folders = 0; folders < Math.min(depth, SITE_FOLDERS + 1); folders++) {
    const count = entries.filter(({ address }) => fileOfPage(folder, address, folders) !== undefined).length;
    if (count > most) [without, most] = [folders, count];
  }
  const pages: PageFile[] = [];
  const known = new Set<string>();
  for (const { address, changed } of entries) {
    const file = fileOfPage(folder, address, without);
    if (file === undefined) {
      leftOut.push({ place: address.join("/"), reason: "it has no file beside the sitemap", isWrong: false });
      continue;
    }
    if (known.has(file)) continue;
    known.add(file);
    const found = join(folder, file);
    const problem = within.refusal(found);
    if (problem === undefined) pages.push({ place: address.slice(without).join("/") || "./", path: found, changed, isNamed: false });
    else leftOut.push({ place: found, reason: problem, isWrong: false });
  }
  if (pages.length === 0) throw new Failure(`${path}: none of its pages has a file beside it`);
  return { pages, leftOut };
}

/** The pages of a sitemap and of all sitemaps that it leads to. */
function entriesOf(first: string, within: Within, parse: (bytes: Uint8Array) => Sitemap) {
  const folder = dirname(first);
  const sitemaps = [first];
  const leftOut: LeftOut[] = [];
  const entries: Sitemap["pages"] = [];
  // Grows while it is read.
  for (const path of sitemaps) {
    const read = parsed(path, parse);
    for (const page of read.pages) entries.push(page);
    for (const address of read.sitemaps) {
      const file = fileOf(folder, address) ?? fileOf(folder, address.slice(-1));
      if (file === undefined) throw new Failure(`${path}: ${address.join("/")} is not beside it`);
      const found = join(folder, file);
      const problem = within.refusal(found);
      if (problem !== undefined) leftOut.push({ place: found, reason: problem, isWrong: false });
      else if (!sitemaps.includes(found)) sitemaps.push(found);
      if (sitemaps.length > SITEMAPS) throw new Failure(`${path}: more than ${SITEMAPS} sitemaps`);
    }
  }
  return { entries, leftOut };
}

function parsed(path: string, parse: (bytes: Uint8Array) => Sitemap): Sitemap {
  let bytes: Uint8Array;
  try {
    const { size } = statSync(path);
    if (size > PAGE_BYTES) throw new Error(`${size} bytes, more than the ${PAGE_BYTES} that a sitemap may have`);
    bytes = readFileSync(path);
  } catch (cause) {
    throw new Failure(`${path}: cannot be read: ${reasonOf(cause)}`, 1, { cause });
  }
  try {
    return parse(bytes);
  } catch (cause) {
    throw new Failure(`${path}: ${messageOf(cause)}`, 1, { cause });
  }
}

/** The file of an address without its first folders, seen from the sitemap's folder. */
function fileOfPage(folder: string, address: Address, folders: number): string | undefined {
  const last = address.at(-1);
  if (last === undefined || folders > address.length - 1) return undefined;
  const before = address.slice(folders, -1);
  const names = last === "" ? [["index.html"], ["index.htm"]] : [[last], [`${last}.html`], [last, "index.html"]];
  for (const name of names) {
    const file = fileOf(folder, [...before, ...name]);
    if (file !== undefined && isPage(basename(file))) return file;
  }
  return undefined;
}

/** A file below a folder, if it is there. */
function fileOf(folder: string, parts: Address): string | undefined {
  const leadsOut = (part: string) => part === "" || part === "." || part === ".." || /[/\\:\0]/.test(part);
  if (parts.length === 0 || parts.some(leadsOut)) return undefined;
  const file = join(...parts);
  return isFileAt(join(folder, file)) ? file : undefined;
}

// The pages of a folder.
import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { Failure, reasonOf } from "../failure.js";
import type { LeftOut, PageFile } from "./found.js";
import { Within } from "./within.js";

/** The names of pages: the readers' own. */
export const isPage = (name: string): boolean => /\.(md|markdown|html|htm|txt)$/i.test(name);

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The pages of a folder and of those within it, sorted by their places as bytes. Hidden files, `node_modules` and the folders `except` are
 * passed over. A link is followed to a file within the folder; one that leads out of it or to a hidden file, and one to a folder, is left
 * out and told, and so are a page whose name is not UTF-8 and a folder within that cannot be read.
 */
export function pagesIn(folder: string, except: readonly string[]): { pages: PageFile[]; leftOut: LeftOut[] } {
  const within = new Within(folder);
  const passed = new Set(except.map(realOf));
  const [pages, leftOut]: [PageFile[], LeftOut[]] = [[], []];

  const leaveOut = (place: string, reason: string, isWrong: boolean) => void leftOut.push({ place, reason, isWrong });
  const read = (path: string, before: string): void => {
    let entries: Dirent<Buffer>[];
    try {
      entries = readdirSync(path, { withFileTypes: true, encoding: "buffer" });
    } catch (cause) {
      const problem = `cannot be read: ${reasonOf(cause)}`;
      if (before === "") throw new Failure(`${path}: ${problem}`, 1, { cause });
      return leaveOut(path, `it ${problem}`, true);
    }
    for (const entry of entries) {
      const seen = entry.name.toString();
      const inner = join(path, seen);
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && isFolderAt(inner));
      if (seen.startsWith(".") || seen === "node_modules" || (!isFolder && !isPage(seen))) continue;
      if (isFolder && passed.has(realOf(inner))) continue;
      if (nameOf(entry.name) === undefined) {
        leaveOut(inner, "its name is not UTF-8, which a URL requires", true);
        continue;
      }
      const place = `${before}${seen}`;
      const problem = within.refusal(inner);
      if (problem !== undefined) leaveOut(inner, problem, false);
      else if (entry.isDirectory()) read(inner, `${place}/`);
      else if (isFileAt(inner)) pages.push({ place, path: inner, changed: undefined, isNamed: false });
      else leaveOut(inner, "it is not a file", false);
    }
  };

  read(folder, "");
  pages.sort((one, other) => Buffer.compare(Buffer.from(one.place), Buffer.from(other.place)));
  return { pages, leftOut };
}

function nameOf(name: Buffer): string | undefined {
  try {
    return decoder.decode(name);
  } catch {
    return undefined;
  }
}

/** Where a path leads, or itself where nothing is there. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path.endsWith(sep) ? path.slice(0, -1) : path;
  }
}

export const isFolderAt = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
export const isFileAt = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

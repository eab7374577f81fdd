import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { Failure, reasonOf } from "../failure.js";

/** What lies in a folder that was named, in sight, and what only a link in it leads to. */
export class Within {
  readonly #root: string;

  /** The folder may be a link itself. */
  constructor(readonly folder: string) {
    try {
      this.#root = realpathSync(folder);
    } catch (cause) {
      throw new Failure(`${folder}: cannot be read: ${reasonOf(cause)}`, 1, { cause });
    }
  }

  /** Why a path in the folder is not read: a link in it leads out of the folder, or to what is hidden in it. */
  refusal(path: string): string | undefined {
    let place: string;
    try {
      place = relative(this.#root, realpathSync(path));
    } catch {
      // What is not there leads nowhere.
      return undefined;
    }
    const parts = place.split(sep);
    if (parts[0] === ".." || isAbsolute(place)) return `it leads out of ${this.folder}`;
    return parts.some((part) => part.startsWith(".")) ? `it leads to what is hidden in ${this.folder}` : undefined;
  }
}

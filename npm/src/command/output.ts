// The folder that the command makes: whole, or not at all.
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Failure, reasonOf } from "./failure.js";
import { MADE } from "./page.js";

/** The names of what the command writes, in the folder itself. */
const OWN = /^(box\.js|dist|model|packs|manifest\.json|index\.safetensors(\.gz)?|texts\.\d+\.safetensors)$/;

/**
 * Refuses a folder that has anything but an earlier output in it, before the work is done. The names alone do not tell: a project has a
 * `dist` of its own.
 */
export function checkOutput(out: string): void {
  if (!existsSync(out)) return;
  if (!lstatSync(out).isDirectory()) throw new Failure(`${out}: is no folder: --out names the folder to make`);
  const names = readdirSync(out);
  const stranger = names.find((name) => !OWN.test(name)) ?? (isMade(out) ? undefined : names[0]);
  if (stranger === undefined) return;
  throw new Failure(`${out}: has ${stranger}, which this command did not make: choose a folder of its own for --out`);
}

/** Whether the command made a folder. */
function isMade(folder: string): boolean {
  try {
    return readFileSync(join(folder, "box.js"), "utf8").startsWith(MADE);
  } catch {
    return false;
  }
}

/** Writes files to a hidden folder beside `out`, and puts it in the place of `out` when all are there. */
export function writeFolder(out: string, files: Iterable<readonly [place: string, bytes: Uint8Array | string]>): void {
  const place = resolve(out);
  checkOutput(place);
  let folder: string | undefined;
  const clear = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    mkdirSync(dirname(place), { recursive: true });
    folder = mkdtempSync(join(dirname(place), `.${basename(place)}-`));
    // Everything below is synchronous: a signal waits until it is done.
    const [made, earlier] = [join(folder, "made"), join(folder, "earlier")];
    mkdirSync(made);
    for (const [name, bytes] of files) {
      const path = join(made, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
    }
    if (existsSync(place)) renameSync(place, earlier);
    try {
      renameSync(made, place);
    } catch (error) {
      if (existsSync(earlier)) renameSync(earlier, place);
      throw error;
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure(`${out}: cannot be written: ${reasonOf(cause)}`, 1, { cause });
  } finally {
    clear();
  }
}

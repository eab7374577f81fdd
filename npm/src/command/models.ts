// Models: where they are, and what is in them.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest } from "../types.js";
import { Failure, reasonOf } from "./failure.js";

/** The names of packages with a model in their folder `models`. */
const PACKAGES = /^smooth-clir-models-/;
/** The general model of this package. */
const OWN = fileURLToPath(new URL("../../models/", import.meta.url));
const DOCUMENT = /^document\.([A-Za-z0-9-]+)\.safetensors$/;

/** A folder with the files of a model. */
export interface ModelFolder {
  folder: string;
  /** The languages that it has document encoders of. */
  languages: string[];
}

/** The model of a folder that was named. */
export function modelIn(folder: string): ModelFolder {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    throw new Failure(`${folder}: cannot be read: ${reasonOf(cause)}`, 1, { cause });
  }
  const languages = names.flatMap((name) => DOCUMENT.exec(name)?.[1] ?? []).sort();
  if (!names.includes("query.safetensors") || languages.length === 0) {
    throw new Failure(`${folder}: expected the files of a model, query.safetensors and document.xx.safetensors; found ${shown(names)}`);
  }
  return { folder, languages };
}

/** The models that need not be named: those of packages in `node_modules` of these folders and of those around them, then our own. */
export function modelsAround(folders: readonly string[]): ModelFolder[] {
  const packages = packagesAround(folders, (name) => PACKAGES.test(name)).map((folder) => join(folder, "models"));
  return [...packages, OWN].filter((folder) => existsSync(join(folder, "query.safetensors"))).map(modelIn);
}

/** The folders of packages in `node_modules` of these folders and of those around them; the nearest first. */
export function packagesAround(folders: readonly string[], isWanted: (name: string) => boolean): string[] {
  const found = new Map<string, string>();
  for (const start of folders) {
    for (let folder = resolve(start); ; folder = dirname(folder)) {
      const modules = join(folder, "node_modules");
      const names = existsSync(modules) ? readdirSync(modules).filter(isWanted).sort() : [];
      for (const name of names) {
        const path = join(modules, name);
        const real = realpathSync(path);
        if (!found.has(real)) found.set(real, path);
      }
      if (folder === dirname(folder)) break;
    }
  }
  return [...found.values()];
}

/** The model that has document encoders for the most documents, counted by language; of several, the first. */
export function bestFor(counts: ReadonlyMap<string, number>, models: readonly ModelFolder[]): ModelFolder {
  const readBy = (model: ModelFolder) => model.languages.reduce((sum, language) => sum + (counts.get(language) ?? 0), 0);
  const [first, ...others] = models;
  if (!first) throw new Failure("the package's own model is not there: install the package again, or name a model with --model");
  return others.reduce((best, model) => (readBy(model) > readBy(best) ? model : best), first);
}

/** The bytes of a model's files by name, checked against the manifest beside them, where there is one. */
export function readModel({ folder }: ModelFolder, names: readonly string[]): Map<string, Uint8Array> {
  const list = join(folder, "manifest.json");
  const expected = existsSync(list) ? manifestIn(list) : undefined;
  return new Map(names.map((name) => [name, checked(join(folder, name), expected?.files[name], list)]));
}

function manifestIn(path: string): Manifest {
  try {
    const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
    if (manifest.format === "smooth-clir-manifest" && manifest.version === 1) return manifest;
  } catch (cause) {
    throw new Failure(`${path}: cannot be read: ${reasonOf(cause)}`, 1, { cause });
  }
  throw new Failure(`${path}: not a manifest of smooth-clir, version 1`);
}

function checked(path: string, expected: Manifest["files"][string] | undefined, list: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new Failure(`${path}: cannot be read: ${reasonOf(cause)}`, 1, { cause });
  }
  const found = digestOf(bytes);
  if (expected && expected.sha256 !== found) {
    throw new Failure(`${path} does not match ${list}: its SHA-256 is ${found}, expected ${expected.sha256}; install the package again`);
  }
  return bytes;
}

export const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The first of some names. */
function shown(names: readonly string[]): string {
  const most = 12;
  if (names.length === 0) return "nothing";
  return names.slice(0, most).join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");
}

// Models: where they are, and what is in them.
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest } from "../types.js";
import { HEADER_BYTES } from "../limits.js";
import { Failure, reasonOf } from "./failure.js";

/** The names of packages with a model, or language packs, in their folder `models`. */
const PACKAGES = /^smooth-clir-models-/;
/** The general model of this package. */
const OWN = fileURLToPath(new URL("../../models/", import.meta.url));
const DOCUMENT = /^document\.([A-Za-z0-9-]+)\.safetensors$/;
const QUERY = "query.safetensors";
/** The languages of published packages `smooth-clir-models-en-xx`. */
const PUBLISHED = ["es", "de", "pt", "ru", "zh", "id", "ar", "hi"];

/** A folder with the files of a model, and the language packs of other folders that belong to it. */
export interface ModelFolder {
  folder: string;
  /** The languages that it has document encoders of, with packs. */
  languages: string[];
  /** The folders of language packs, by language. */
  packs: ReadonlyMap<string, string>;
}

/** The models that are there. */
export interface Models {
  models: ModelFolder[];
  /** Why a language that there is a pack of cannot be indexed, by language. */
  refused: ReadonlyMap<string, string>;
}

/** The model of a folder. */
function modelIn(folder: string): ModelFolder {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    throw new Failure(`${folder}: cannot be read: ${reasonOf(cause)}`, 1, { cause });
  }
  const languages = languagesOf(names);
  if (!names.includes(QUERY) || languages.length === 0) {
    throw new Failure(`${folder}: expected the files of a model, query.safetensors and document.xx.safetensors; found ${shown(names)}`);
  }
  return { folder, languages, packs: new Map() };
}

/**
 * The model of a folder that was named or, if none was, those of packages in `node_modules` of these folders and of those around them, then our
 * own; each with the language packs of packages that belong to it.
 */
export function modelsAround(folders: readonly string[], named: string | undefined): Models {
  // Of packages of one name, the nearest.
  const nearest = new Map<string, string>();
  for (const folder of packagesAround(folders, (name) => PACKAGES.test(name))) {
    if (!nearest.has(basename(folder))) nearest.set(basename(folder), join(folder, "models"));
  }
  const places = [...nearest.values()].filter(existsSync);
  const hasQuery = (folder: string) => existsSync(join(folder, QUERY));
  const packs = places.filter((folder) => !hasQuery(folder)).flatMap((folder) => languagesOf(readdirSync(folder)).map((language) => packIn(folder, language)));
  if (named !== undefined) {
    const model = modelIn(named);
    // Other packs are for other models.
    return withPacks([model], packs.filter(({ space }) => space === headerOf(join(named, QUERY)).space));
  }
  return withPacks([...places.filter(hasQuery), OWN].filter(hasQuery).map(modelIn), packs);
}

/** Adds packs to the models whose query encoder they belong to. A language with several packs has none. */
function withPacks(models: readonly ModelFolder[], packs: readonly Pack[]): Models {
  if (packs.length === 0) return { models: [...models], refused: new Map() };
  const spaces = models.map((model) => headerOf(join(model.folder, QUERY)).space);
  const twice = new Map<string, string>();
  const joined = models.map((model, at) => {
    const own = new Map(model.languages.map((language) => [language, packIn(model.folder, language)]));
    const added = new Map<string, string>();
    for (const pack of packs.filter(({ space }) => space === spaces[at])) {
      const { language, path } = pack;
      const other = own.get(language);
      // The same file may be there twice.
      if (other?.digest === pack.digest) continue;
      if (other && !twice.has(language)) twice.set(language, `there are two packs of ${language}, ${other.path} and ${path}: remove one`);
      own.set(language, pack);
      added.set(language, dirname(path));
    }
    return { ...model, packs: added, languages: [...own.keys()] };
  });
  const usable = joined.map((model) => ({ ...model, languages: model.languages.filter((language) => !twice.has(language)).sort() }));
  const refused = new Map(twice);
  for (const { path, language, space } of packs) {
    if (refused.has(language) || usable.some(({ languages }) => languages.includes(language))) continue;
    const [found, ...known] = [space, ...new Set(spaces)].map((digest) => `${digest.slice(0, SHOWN_DIGITS)}…`);
    refused.set(language, `${path} belongs to another query encoder, ${found}, than ${known.join(", ")} of the models here: install versions that belong together`);
  }
  return { models: usable, refused };
}

/** What to install for documents in a language that no model here has; undefined where no package is published. */
export const remedyFor = (language: string): string | undefined => (PUBLISHED.includes(language) ? `npm install smooth-clir-models-en-${language}` : undefined);

const languagesOf = (names: readonly string[]): string[] => names.flatMap((name) => DOCUMENT.exec(name)?.[1] ?? []).sort();

/** What the metadata of a model's file say of it. */
interface Header {
  path: string;
  /** The digest of the query encoder that it belongs to. */
  space: string;
  /** Of its own bytes. */
  digest: string;
}

interface Pack extends Header {
  language: string;
}

/** The file of a language in a model. */
export const encoderFile = (language: string): string => `document.${language}.safetensors`;

const packIn = (folder: string, language: string): Pack => ({ language, ...headerOf(join(folder, encoderFile(language))) });

function headerOf(path: string): Header {
  try {
    const file = openSync(path, "r");
    try {
      const length = Buffer.alloc(8);
      readSync(file, length);
      const bytes = Number(length.readBigUInt64LE());
      if (bytes > HEADER_BYTES) throw new Error("not a file of smooth-clir");
      const header = Buffer.alloc(bytes);
      readSync(file, header);
      const { space, digest } = (JSON.parse(header.toString("utf8")) as { __metadata__: Record<string, string> }).__metadata__;
      return { path, space: space ?? "", digest: digest ?? "" };
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new Failure(`${path}: cannot be read as a model's file: ${reasonOf(cause)}`, 1, { cause });
  }
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

/** The bytes of a model's files by name, checked against the manifest beside each, where there is one. */
export function readModel({ folder, packs }: ModelFolder, names: readonly string[]): Map<string, Uint8Array> {
  return new Map(
    names.map((name) => {
      const place = packs.get(DOCUMENT.exec(name)?.[1] ?? "") ?? folder;
      const list = join(place, "manifest.json");
      const expected = existsSync(list) ? manifestIn(list) : undefined;
      return [name, checked(join(place, name), expected?.files[name], list)];
    }),
  );
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

/** Digits of a digest in a message. */
const SHOWN_DIGITS = 12;

export const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The first of some names. */
function shown(names: readonly string[]): string {
  const most = 12;
  if (names.length === 0) return "nothing";
  return names.slice(0, most).join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");
}

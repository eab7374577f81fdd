// `smooth-clir index`: from the files of a site to the folder that its visitors' browsers read.
import { readFileSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { messageOf } from "../errors.js";
import { PAGE_BYTES } from "../limits.js";
import { browserFiles } from "./browser-files.js";
import { Failure, reasonOf } from "./failure.js";
import { deepVectors } from "./deep.js";
import { type Documents, Indexing, type LanguageCount, indexerModule, readSitemap, Site } from "./indexer.js";
import { bestFor, digestOf, encoderFile, type ModelFolder, type Models, modelsAround, readModel, remedyFor } from "./models.js";
import type { IndexOptions } from "./options.js";
import { checkOutput, writeFolder } from "./output.js";
import { addressOf, boxScript, isIn, linesFor } from "./page.js";
import type { LeftOut } from "./site/found.js";
import { type Inputs, inputsOf } from "./site/inputs.js";
import { findTeacher, hasProjection, PROJECTION, type Teacher } from "./teacher.js";
import { breather, counted, duration, sizeOf, Terminal } from "./terminal.js";

/** Documents that are encoded between two looks at the clock. */
const TOGETHER = 64;
/** Files that a note names; the others are counted. */
const SHOWN = 20;
/** The language of queries, in which no model has a document encoder. */
const ENGLISH = "en";

/** What light documents cost, by docs/models.md: means of four languages for typed queries, and of all in one list for the built-in corpus. */
const LIGHT =
  "the model alone encodes the passages: MRR@10 of typed queries is .797, with the sentence encoder that the model was made with .802; " +
  "success@3 of queries that share fewer words .690 and .765. To have it: npm install smooth-clir-teacher, or --teacher FILE";

/** Files by their places in the output. */
type Files = Map<string, Uint8Array>;

/** Makes the search of a site. Resolves with the site's folder, for a preview. */
export async function makeIndex(options: IndexOptions, terminal: Terminal): Promise<string> {
  const begun = Date.now();
  checkOutput(options.out);
  await indexerModule.start();
  const inputs = inputsOf(options.inputs, options.out, readSitemap);
  if (inputs.pages.length + inputs.records.length === 0) {
    throw new Failure(`${options.inputs.join(", ")}: no pages are there (.md, .markdown, .html, .htm, .txt)`);
  }
  const { models, refused } = modelsAround(around(options), options.model);
  const known = [...new Set(models.flatMap((model) => model.languages))];
  const named = options.languages ?? (options.language === undefined ? [] : [options.language]);
  checkLanguages("language", named, known, refused);
  checkLanguages("ask", options.queryLanguages, known, refused);
  const languages = known.filter((language) => options.languages?.includes(language) ?? true);
  const documents = await read(inputs, languages, options, terminal);
  const model = modelFor(documents, models);
  checkLanguages("ask", options.queryLanguages, model.languages, refused);
  // Of several languages that were named, all can be indexed.
  tellOf(documents, known, options.languages === undefined ? refused : new Map(), terminal);
  if (documents.length === 0) throw new Failure(`${options.inputs.join(", ")}: nothing to index: no page has words in ${languages.join(", ")}`);

  const count = documents.length;
  const counts = documents.report()[1].filter(([, indexed]) => indexed > 0);
  const files = outputOf(await encode(documents, model, options, terminal), inputs.root, options);
  writeFolder(options.out, files);
  tellResult({ count, counts, milliseconds: Date.now() - begun, files, root: inputs.root, options }, terminal);
  return inputs.root;
}

/** Where packages with models and teachers are looked for: from the folder at hand, the site, and this package on. */
const around = ({ inputs }: IndexOptions): string[] => [process.cwd(), ...inputs.map((path) => dirname(path)), ...inputs, fileURLToPath(import.meta.url)];

/** Refuses languages that an option names and no model has. */
function checkLanguages(option: string, named: readonly string[], known: readonly string[], refused: Models["refused"]): void {
  for (const language of named) {
    if (language === ENGLISH || known.includes(language)) continue;
    const reason = refused.get(language) ?? `there is a model for ${known.join(", ")}; ${remedyFor(language) ?? "others need a package smooth-clir-models-... or --model"}`;
    throw new Failure(`--${option} ${language}: ${reason}`, 2);
  }
}

/** Reads all pages and records. */
async function read(inputs: Inputs, languages: string[], options: IndexOptions, terminal: Terminal): Promise<Documents> {
  const { language, english, words, fields, prefix, isStrict } = options;
  const site = new Site(language, languages, english, words, fields, prefix);
  const leaveOut = ({ place, reason, isWrong }: LeftOut, path = place, isAsked = isStrict) => {
    if (isAsked && isWrong) throw new Failure(`${path}: ${reason}`);
    site.leaveOut(place, reason, isWrong);
  };
  for (const file of inputs.leftOut) leaveOut(file);
  for (const path of inputs.records) {
    try {
      site.records(path, readFileSync(path));
    } catch (cause) {
      throw new Failure(`${path}: ${reasonOf(cause)}`, 1, { cause });
    }
  }
  const progress = terminal.progress("reading pages");
  const breathe = breather();
  for (const [at, { place, path, changed, isNamed }] of inputs.pages.entries()) {
    const isAsked = isStrict || isNamed;
    let bytes: Uint8Array | undefined;
    try {
      const { size } = statSync(path);
      if (size > PAGE_BYTES) {
        const reason = `${size} bytes, longer than ${PAGE_BYTES}, the most a page may have`;
        leaveOut({ place, reason, isWrong: true }, path, isAsked);
      } else bytes = readFileSync(path);
    } catch (error) {
      if (error instanceof Failure) throw error;
      leaveOut({ place, reason: `cannot be read: ${reasonOf(error)}`, isWrong: true }, path, isAsked);
    }
    try {
      if (bytes) site.page(place, basename(path), bytes, changed);
    } catch (cause) {
      // The report names it.
      if (isAsked) throw new Failure(`${path}: ${messageOf(cause)}`, 1, { cause });
    }
    progress.tell(at + 1, inputs.pages.length);
    await breathe();
  }
  progress.end();
  try {
    return site.finish();
  } catch (cause) {
    throw new Failure(`${inputs.root}: ${messageOf(cause)}`, 1, { cause });
  }
}

/** The model that can read the most documents; documents that it cannot read are left out. */
function modelFor(documents: Documents, models: readonly ModelFolder[]): ModelFolder {
  const [, languages] = documents.report();
  const counts = new Map(languages.map(([language, indexed]) => [language, indexed]));
  const model = bestFor(counts, models);
  documents.keep([...model.languages, ENGLISH]);
  return model;
}

/** Says what was found, and what is left out. Documents in a language whose packs are refused are not left out: they are refused too. */
function tellOf(documents: Documents, known: readonly string[], refused: Models["refused"], terminal: Terminal): void {
  const [leftOut, languages, repeated] = documents.report();
  for (const [place, reason] of leftOut.slice(0, SHOWN)) terminal.note(`${place}: left out, ${reason}`);
  if (leftOut.length > SHOWN) terminal.note(`left out too: ${counted(leftOut.length - SHOWN, "further file")}`);
  for (const [language, , out] of languages) {
    if (out === 0) continue;
    const passages = `${counted(out, "passage")} in ${language || "a language that was not recognised"}`;
    const reason = refused.get(language);
    if (reason !== undefined) throw new Failure(`${passages}: ${reason}`);
    const remedy = known.includes(language) ? undefined : remedyFor(language);
    terminal.note(`${passages}: left out${remedy === undefined ? "" : `; to index them: ${remedy}`}`);
  }
  if (repeated > 0) terminal.note(`${counted(repeated, "paragraph")} that many pages have: left out`);
}

/** What an output is made of. */
interface Parts {
  index: Files;
  /** The files of the model that all searches need. */
  model: Files;
  /** Those that queries in further languages need. */
  packs: Files;
}

/** Makes the index, and the files of the model that a browser needs for it. */
async function encode(documents: Documents, model: ModelFolder, options: IndexOptions, terminal: Terminal): Promise<Parts> {
  const teacher = options.isLight ? undefined : findTeacher(model, options.teacher, around(options));
  if (!teacher && !options.isLight && hasProjection(model)) terminal.note(LIGHT);
  const [, languages] = documents.report();
  const read = languages.filter(([language, indexed]) => indexed > 0 && language !== ENGLISH).map(([language]) => language);
  const asked = options.queryLanguages.filter((language) => language !== ENGLISH);
  const names = ["query.safetensors", ...[...new Set([...read, ...asked])].map(encoderFile)];
  const parts = readModel(model, names);
  const { precision, block, isWhole } = options;
  try {
    const indexing = teacher
      ? await deepIndexing(documents, [...parts.values(), ...readModel(model, [PROJECTION]).values()], { teacher, precision }, terminal)
      : await lightIndexing(documents, [...parts.values()], terminal);
    const [index, slim] = indexing.finish(precision, block, !isWhole, asked);
    const used = isWhole ? parts : new Map(slim);
    const further = asked.filter((language) => !read.includes(language)).map(encoderFile);
    const filesWhere = (isPack: boolean) => new Map([...used].filter(([name]) => further.includes(name) === isPack));
    return { index: new Map(index), model: filesWhere(false), packs: filesWhere(true) };
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure(`${model.folder}: ${messageOf(cause)}`, 1, { cause });
  }
}

/** An index of documents that the model's own encoders read. */
async function lightIndexing(documents: Documents, model: Uint8Array[], terminal: Terminal): Promise<Indexing> {
  const count = documents.length;
  const progress = terminal.progress("encoding passages");
  const breathe = breather();
  const indexing = Indexing.light(documents, model);
  for (let left = count; left > 0; ) {
    left = indexing.encode(TOGETHER);
    progress.tell(count - left, count);
    await breathe();
  }
  progress.end();
  return indexing;
}

/** An index of documents that a teacher reads. */
async function deepIndexing(documents: Documents, model: Uint8Array[], { teacher, precision }: { teacher: Teacher; precision: string }, terminal: Terminal): Promise<Indexing> {
  const { vectors, digest } = await deepVectors(documents, { model, teacher, precision }, terminal);
  return Indexing.deep(documents, model, digest, vectors);
}

/** All files of the output. */
function outputOf({ index, model, packs }: Parts, root: string, { out, base }: IndexOptions): Files {
  const isText = (place: string) => place.startsWith("texts.");
  const files: Files = new Map([...index].filter(([place]) => isText(place)));
  const loaded = [...index].filter(([place]) => !isText(place));
  const within = (folder: string, files: Files) => new Map([...files].map(([name, bytes]) => [`${folder}/${name}`, bytes]));
  const [models, further] = [within("model", model), within("packs", packs)];
  const fetched = [...loaded, ...models, ...further];
  for (const [place, bytes] of fetched) files.set(`${place}.gz`, gzipSync(bytes, { level: 9 }));
  // A host may send the content of a compressed file: the loader checks it by the entry of the content's name.
  // Texts are left out: there are many, a visitor fetches few, and the index checks them itself.
  const entries = [...files, ...fetched].filter(([place]) => !isText(place)).map(([place, bytes]) => [place, { bytes: bytes.length, sha256: digestOf(bytes) }]);
  const manifest = { format: "smooth-clir-manifest", version: 1, files: Object.fromEntries(entries) };
  const text = new TextEncoder();
  files.set("manifest.json", text.encode(`${JSON.stringify(manifest)}\n`));
  const placesOf = (files: Files) => [...files.keys()].map((place) => `${place}.gz`);
  const pages = base ?? (isIn(out, root) ? addressOf(out, root) : undefined);
  files.set("box.js", text.encode(boxScript(placesOf(models), placesOf(further), pages)));
  for (const [place, bytes] of browserFiles()) files.set(`dist/${place}`, bytes);
  return files;
}

interface Result {
  count: number;
  counts: LanguageCount[];
  milliseconds: number;
  files: Files;
  root: string;
  options: IndexOptions;
}

/** Says what was made, what a visitor fetches, and what to put into the pages. */
function tellResult({ count, counts, milliseconds, files, root, options: { out, base } }: Result, terminal: Terminal): void {
  const bytesOf = (places: string[]) => places.reduce((sum, place) => sum + files.get(place)!.length, 0);
  const places = [...files.keys()];
  const texts = places.filter((place) => place.startsWith("texts."));
  const first = places.filter((place) => /^(model\/|index\.|manifest\.)/.test(place));
  const code = places.filter((place) => place.startsWith("dist/") || place === "box.js");
  const text = texts.length === 0 ? 0 : Math.round(bytesOf(texts) / texts.length);
  const each = counts.length < 2 ? "" : ` (${counts.map(([language, indexed]) => `${language} ${indexed}`).join(", ")})`;
  terminal.note(`${out}: ${counted(count, "passage")}${each}, ${sizeOf(bytesOf(places))}, in ${duration(milliseconds)}`);
  terminal.note(
    `a visitor's first query fetches ${sizeOf(bytesOf(first))} of model and index, ${sizeOf(bytesOf(code))} of code before compression, ` +
      `and ${sizeOf(text)} of texts a result`,
  );
  const packs = places.filter((place) => place.startsWith("packs/"));
  if (packs.length > 0) terminal.note(`one who asks in a language of --ask fetches its pack too, ${sizeOf(bytesOf(packs) / packs.length)}${packs.length > 1 ? " on average" : ""}`);
  const isInSite = isIn(out, root);
  if (!isInSite && base === undefined) terminal.note(`the results will be no links: ${out} is not in ${root}; give --base URL`);
  const script = isInSite ? (addressOf(root, out)! + "box.js").replace(/^\.\//, "") : "box.js";
  terminal.note("put these two lines into a page (in folders of the site, with ../ before the address):\n");
  terminal.result(linesFor(script));
}

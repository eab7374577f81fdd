import type { SmoothClir, UserDocument } from "smooth-clir";
import * as format from "../../ui/format";
import { languageName } from "../../i18n/strings";
import { DocumentEncoders } from "../../model/document-encoders";
import type { Found } from "./files";
import { ALL_MOST, decoded, kindOf, parse, Problem, reserve, type Kind, type Source } from "./parse";
import { text } from "./strings";

/** The sources to add: files, or a pasted text. */
export type Given = { files: readonly Found[] } | { pasted: string; name: string; kind: Kind };

/** A document that is here. */
export interface Entry {
  title: string;
  language: string;
  /** Words that the model knows. */
  known: number;
  /** All of its words. */
  words: number;
}

/** The outcome: the added documents, and the reason for each refused file. */
export interface Outcome {
  entries: Entry[];
  refused: string[];
}

/** Receives progress, and may stop the work. */
interface Talk {
  signal: AbortSignal;
  say(message: string, done?: number, all?: number): void;
}

/** The languages that a model encodes documents in. */
export const languagesOf = (engine: SmoothClir): readonly string[] =>
  (engine.description.config?.["languages"] as string[] | undefined) ?? [];

/** Reads, encodes and adds documents. A file that is refused leaves the others alone. */
export async function add(engine: SmoothClir, given: Given, language: string, talk: Talk): Promise<Outcome> {
  const reading = new Reading(engine, language, await taken(engine), talk);
  if ("files" in given) await reading.files(given.files);
  else await reading.pasted(given);
  const { groups, refused } = reading;
  const entries: Entry[] = [];
  for (const [language, texts] of groups) {
    const name = languageName(language);
    await DocumentEncoders.of(engine).fetch([language], {
      signal: talk.signal,
      onProgress: (loaded, total) => talk.say(text.fetching(name, format.megabytes(total ?? loaded)), loaded, total),
    });
    const { knownWords, words } = await engine.addUserDocuments(texts, {
      language,
      signal: talk.signal,
      onProgress: ({ done, documents }) =>
        talk.say(text.encoding(format.count(done), format.count(documents)), done, documents),
    });
    for (const [at, { title = "" }] of texts.entries()) {
      entries.push({ title, language, known: knownWords[at]!, words: words[at]! });
    }
  }
  return { entries, refused };
}

/** The ids of the documents that are here, by language. */
async function taken(engine: SmoothClir): Promise<Map<string, Set<string>>> {
  await engine.fetchTexts();
  const { ids, languages } = await engine.documents();
  const taken = new Map(languagesOf(engine).map((language) => [language, new Set<string>()]));
  for (const [at, id] of ids.entries()) taken.get(languages[at]!)?.add(id);
  return taken;
}

/** Texts on their way from files, by language. */
class Reading {
  readonly groups = new Map<string, UserDocument[]>();
  readonly refused: string[] = [];
  readonly #engine: SmoothClir;
  readonly #language: string;
  readonly #taken: Map<string, Set<string>>;
  readonly #talk: Talk;
  #length = 0;

  constructor(engine: SmoothClir, language: string, taken: Map<string, Set<string>>, talk: Talk) {
    this.#engine = engine;
    this.#language = language;
    this.#taken = taken;
    this.#talk = talk;
  }

  async pasted({ pasted, name, kind }: Extract<Given, { pasted: string }>): Promise<void> {
    this.#talk.say(text.readingPasted);
    await this.#read({ name, texts: [pasted] }, kind);
  }

  async files(files: readonly Found[]): Promise<void> {
    for (const [at, found] of files.entries()) {
      this.#talk.say(text.reading(format.count(at + 1), format.count(files.length)), at, files.length);
      try {
        if (/\.safetensors$/i.test(found.path)) await this.#saved(found);
        else await this.#file(found);
      } catch (error) {
        this.#talk.signal.throwIfAborted();
        this.refused.push((error instanceof Problem ? error : new Problem(found.path, undefined, (error as Error).message)).message);
      }
    }
  }

  async #file({ path, file }: Found): Promise<void> {
    const kind = kindOf(path);
    if (kind === undefined) throw new Problem(path, undefined, text.problems.table);
    const title = path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
    await this.#read({ name: path, title, texts: decoded(file) }, kind);
  }

  async #read(source: Omit<Source, "signal">, kind: Kind): Promise<void> {
    const { signal } = this.#talk;
    const texts = await parse({ ...source, signal }, kind, this.#taken.get(this.#language)!);
    this.#put(this.#language, texts, source.name);
  }

  /** An index file: its texts are encoded anew, so that it may be of any model. */
  async #saved({ path, file }: Found): Promise<void> {
    const texts = await this.#engine.documentsOf(new Uint8Array(await file.arrayBuffer()));
    const languages = [...new Set(texts.map(({ language }) => language))];
    const unknown = languages.find((language) => !this.#taken.has(language));
    if (unknown !== undefined) throw new Problem(path, undefined, text.problems.language(languageName(unknown)));
    for (const language of languages) {
      const those = texts.filter((one) => one.language === language);
      reserve(those, this.#taken.get(language)!, (_, id) => new Problem(path, undefined, text.problems.taken(id)));
      this.#put(language, those, path);
    }
  }

  #put(language: string, texts: readonly UserDocument[], source: string): void {
    for (const { text } of texts) this.#length += text.length;
    if (this.#length > ALL_MOST) throw new Problem(source, undefined, text.problems.tooMuch(format.count(ALL_MOST)));
    const group = this.groups.get(language) ?? [];
    for (const one of texts) group.push(one);
    this.groups.set(language, group);
  }
}

import type { SmoothClir, UserDocument } from "smooth-clir";
import { languageName } from "../../i18n/strings";
import * as format from "../../ui/format";
import { DocumentEncoders } from "../../model/document-encoders";
import { noteKeptDocuments, OWN_FIELD, OWN_VALUE, QUERY_LANGUAGE } from "../../state/documents";
import type { Source, WordCounts } from "./source";
import { store } from "./store";
import { text } from "./strings";

/** Receives progress, and may stop the work. */
export interface Talk {
  signal: AbortSignal;
  say(message: string, done?: number, all?: number): void;
}

/** The languages of documents that a model encodes, with those that it still has to load, and the one of its query encoder. */
export const languagesOfModel = (engine: SmoothClir): readonly string[] => [...DocumentEncoders.of(engine).all, QUERY_LANGUAGE];

/** A person's documents: in this browser's store, and encoded in the engine. */
export class Collection {
  #sources: Source[] = [];
  readonly #counts = new Map<Source, WordCounts>();
  /** The engine that has the documents, and those of which sources. */
  #engine: SmoothClir | undefined;
  #encoded = new Set<Source>();
  /** Ends the encoding for an engine that is no longer the one. */
  #encoding = new AbortController();
  #lastRemoved: Source[] = [];
  /** Whether the browser keeps the documents for the next visit. */
  #isKept = true;

  get sources(): readonly Source[] {
    return this.#sources;
  }

  get isKept(): boolean {
    return this.#isKept;
  }

  /** The counts of words of a source; undefined until it is encoded. */
  countsOf(source: Source): WordCounts | undefined {
    return this.#counts.get(source);
  }

  /** Reads what an earlier visit kept. */
  async restore(): Promise<void> {
    try {
      const kept = await store.all();
      const here = new Set(this.#sources.map(({ path }) => path));
      this.#sources = [...kept.filter(({ path }) => !here.has(path)), ...this.#sources];
      noteKeptDocuments(this.#sources.length > 0);
    } catch {
      this.#isKept = false;
    }
  }

  /**
   * Works with this engine from now on; {@link encode} adds the documents to it. They are taken out of the one before, if it
   * still answers.
   */
  attach(engine: SmoothClir | undefined): void {
    const before = this.#engine;
    if (engine === before) return;
    if (this.#encoded.size > 0) before?.removeUserDocuments().catch(() => {});
    this.#encoding.abort();
    this.#engine = engine;
    this.#encoded = new Set();
    this.#counts.clear();
  }

  /** Whether some documents are not in the engine yet. */
  get isBehind(): boolean {
    return this.#engine !== undefined && this.#sources.some((source) => !this.#encoded.has(source));
  }

  /**
   * Adds sources and encodes them; of the same path they replace the ones before. If it is stopped, nothing is added. If another engine comes
   * meanwhile, they are to be encoded for that one.
   */
  async add(sources: readonly Source[], talk: Talk): Promise<void> {
    const before = this.#sources;
    const paths = new Set(sources.map(({ path }) => path));
    const replaced = before.filter(({ path }) => paths.has(path));
    try {
      if (replaced.length > 0) await this.#forgetEncoded();
      this.#sources = [...before.filter(({ path }) => !paths.has(path)), ...sources];
      await this.encode(talk);
    } catch (error) {
      this.#sources = before;
      // What was to be replaced took all others out of the engine.
      if (replaced.length > 0) await this.encode({ ...talk, signal: new AbortController().signal }).catch(() => {});
      throw error;
    }
    await this.#keep(() => store.put(sources));
  }

  /** Replaces a source by the same one in another language. */
  async replace(source: Source, by: Source, talk: Talk): Promise<void> {
    if (!this.#sources.includes(source)) return;
    await this.add([by], talk);
  }

  /** Removes a source, and keeps the others. */
  async remove(source: Source, talk: Talk): Promise<void> {
    this.#lastRemoved = [source];
    await this.#forgetEncoded();
    this.#sources = this.#sources.filter((other) => other !== source);
    await this.#keep(() => store.remove(source.path));
    await this.encode(talk);
  }

  /** Removes all documents; {@link restoreRemoved} brings them back. */
  async clear(): Promise<void> {
    this.#lastRemoved = this.#sources;
    await this.#forgetEncoded();
    this.#sources = [];
    await this.#keep(() => store.clear());
  }

  /** The sources that were removed last. */
  takeRemoved(): Source[] {
    const removed = this.#lastRemoved;
    this.#lastRemoved = [];
    return removed;
  }

  /** Encodes what the engine does not have yet; ends early where another engine comes. */
  async encode(talk: Talk): Promise<void> {
    const engine = this.#engine;
    if (!engine) return;
    const ending = (this.#encoding = new AbortController());
    const stop = () => ending.abort(talk.signal.reason);
    talk.signal.throwIfAborted();
    talk.signal.addEventListener("abort", stop);
    const { signal } = ending;
    const missing = this.#sources.filter((source) => !this.#encoded.has(source));
    const groups = new Map<string, { documents: UserDocument[]; sources: Source[] }>();
    for (const source of missing) {
      for (const { id, title, text, language } of source.documents) {
        const group = groups.get(language) ?? { documents: [], sources: [] };
        groups.set(language, group);
        group.documents.push({ id, title, text, fields: { [OWN_FIELD]: OWN_VALUE } });
        group.sources.push(source);
      }
    }
    let isPartial = false;
    const counts = new Map<Source, WordCounts>(missing.map((source) => [source, { words: 0, known: 0, unknownDocuments: 0 }]));
    try {
      for (const [language, { documents, sources }] of groups) {
        const name = languageName(language);
        await DocumentEncoders.of(engine).fetch(language === QUERY_LANGUAGE ? [] : [language], {
          signal,
          onProgress: (loaded, total) => talk.say(text.fetching(name, format.megabytes(total ?? loaded)), loaded, total),
        });
        const { knownWords, words } = await engine.addUserDocuments(documents, {
          language,
          signal,
          onProgress: ({ done, documents }) => talk.say(text.encoding(format.count(done), format.count(documents)), done, documents),
        });
        isPartial = true;
        for (const [at, source] of sources.entries()) {
          const count = counts.get(source)!;
          count.words += words[at]!;
          count.known += knownWords[at]!;
          if (knownWords[at] === 0) count.unknownDocuments += 1;
        }
      }
      if (engine !== this.#engine) return;
    } catch (error) {
      if (engine !== this.#engine && !talk.signal.aborted) return;
      // One language cannot be taken out again without the others: all are encoded anew.
      if (isPartial && engine === this.#engine) await this.#forgetEncoded().catch(() => {});
      throw error;
    } finally {
      talk.signal.removeEventListener("abort", stop);
    }
    for (const source of missing) {
      this.#encoded.add(source);
      this.#counts.set(source, counts.get(source)!);
    }
  }

  async #forgetEncoded(): Promise<void> {
    this.#encoded = new Set();
    await this.#engine?.removeUserDocuments();
  }

  async #keep(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#isKept = true;
    } catch {
      this.#isKept = false;
    }
    noteKeptDocuments(this.#sources.length > 0);
  }
}

import { SmoothClirError } from "../errors.js";
import { SHOWN_DOCUMENTS, TEXT_BYTES } from "../limits.js";
import { isAddress, isNode } from "../loading/address.js";
import { KnownFiles } from "../loading/manifest.js";
import { read } from "../loading/sources.js";
import type { Origin } from "../protocol.js";
import type { TextBlock } from "../search-module.js";
import type { DocumentName } from "../types.js";

/** An index of the engine, with the state of its files of texts. */
interface LoadedIndex {
  /** None of an index that was given as bytes or encoded here. */
  origin: Origin | undefined;
  /** Files of texts that are fetched or being fetched, by block. */
  texts: Map<number, TextFile>;
}

/** A file of texts. */
interface TextFile {
  index: LoadedIndex;
  block: number;
  fetching: Promise<void>;
  /** Its length; 0 until it is here. */
  bytes: number;
}

/** What the files of texts are given to. */
export interface TextHolder {
  /** Takes a file of texts of the index with a number. */
  addTexts(index: number, bytes: Uint8Array): void;
  /** Forgets a block of it. */
  forgetTexts(index: number, block: number): void;
}

/** The files of texts beside the engine's indexes, each fetched when its texts are shown. */
export class TextFiles {
  /** In the engine's order. */
  #indexes: LoadedIndex[] = [];
  /** Those fetched or being fetched, the one shown longest ago first. */
  readonly #files = new Set<TextFile>();
  /** Those of the last search, which stay: the next one may be the same at another epsilon. */
  readonly #latest = new Set<TextFile>();
  /** Where the texts of documents lie that were shown, the first to be shown first. */
  readonly #shown = new Map<string, { index: LoadedIndex; block: number }>();
  /** By URL. */
  readonly #manifests = new Map<string, Promise<KnownFiles>>();
  readonly #holder: TextHolder;

  constructor(holder: TextHolder) {
    this.#holder = holder;
  }

  /** The engine has a further index. */
  push(origin?: Origin): void {
    this.#indexes.push({ origin, texts: new Map() });
  }

  /** The indexes with these numbers are gone from the engine; later ones move up. */
  remove(gone: Uint32Array): void {
    const kept = this.#indexes.filter((_, number) => !gone.includes(number));
    for (const files of [this.#files, this.#latest]) {
      for (const file of files) if (!kept.includes(file.index)) files.delete(file);
    }
    for (const [name, { index }] of this.#shown) if (!kept.includes(index)) this.#shown.delete(name);
    this.#indexes = kept;
  }

  /** The engine was loaded anew: texts that it lacks are fetched again. */
  renew(): void {
    this.#indexes = this.#indexes.map(({ origin }) => ({ origin, texts: new Map() }));
    this.#files.clear();
    this.#latest.clear();
    this.#shown.clear();
  }

  /** The engine is gone. */
  clear(): void {
    this.#indexes = [];
    this.#files.clear();
    this.#latest.clear();
    this.#shown.clear();
    this.#manifests.clear();
  }

  /** Fetches blocks of texts. */
  async fetch(missing: readonly TextBlock[]): Promise<void> {
    await Promise.all(missing.map(({ index, block }) => this.#fetchBlock(this.#indexes[index]!, block)));
  }

  /** Documents are shown; `blocks` has the number of the index of each, and that of its block. */
  show(documents: readonly { id: string; language: string }[], blocks: Uint32Array): void {
    this.#latest.clear();
    for (const [place, { id, language }] of documents.entries()) {
      const [index, block] = [this.#indexes[blocks[2 * place]!]!, blocks[2 * place + 1]!];
      const file = index.texts.get(block);
      // Texts in the index's own file stay.
      if (!file) continue;
      this.#files.delete(file);
      this.#files.add(file);
      this.#latest.add(file);
      for (const name of [nameOf({ document: id, language }), nameOf({ document: id })]) {
        this.#shown.delete(name);
        this.#shown.set(name, { index, block });
      }
    }
    for (const [name] of this.#shown) {
      if (this.#shown.size <= 2 * SHOWN_DOCUMENTS) break;
      this.#shown.delete(name);
    }
  }

  /** Fetches the texts of documents that were shown, where they have been forgotten since. */
  async fetchAgain(documents: readonly DocumentName[]): Promise<void> {
    const places = documents.flatMap((document) => this.#shown.get(nameOf(document)) ?? []);
    await Promise.all(places.map(({ index, block }) => this.#fetchBlock(index, block)));
  }

  /** Beyond a limit, forgets the files whose texts were shown longest ago, but not those of the last search; whether it forgot any. */
  forget(): boolean {
    let bytes = [...this.#files].reduce((sum, file) => sum + file.bytes, 0);
    let hasForgotten = false;
    for (const file of this.#files) {
      if (bytes <= TEXT_BYTES) break;
      if (file.bytes === 0 || this.#latest.has(file)) continue;
      bytes -= file.bytes;
      this.#files.delete(file);
      file.index.texts.delete(file.block);
      this.#holder.forgetTexts(this.#indexes.indexOf(file.index), file.block);
      hasForgotten = true;
    }
    return hasForgotten;
  }

  #fetchBlock(index: LoadedIndex, block: number): Promise<void> {
    const known = index.texts.get(block);
    if (known) return known.fetching;
    const file: TextFile = { index, block, fetching: Promise.resolve(), bytes: 0 };
    file.fetching = (async () => {
      const { origin } = index;
      if (origin === undefined) {
        const reason = "their index was given as bytes, so their location is unknown";
        throw new SmoothClirError("missing-texts", `the texts of the documents cannot be fetched: ${reason}`);
      }
      const place = besides(origin.place, `texts.${block}.safetensors`);
      const manifest = await this.#manifestOf(origin);
      // The index itself checks texts that the manifest does not list.
      const bytes = await read(place, { retries: origin.retries, maxBytes: origin.maxBytes, cache: origin.cache }, manifest?.has(place) ? manifest : undefined);
      const number = this.#indexes.indexOf(index);
      // The index may have been removed meanwhile.
      if (number < 0) return;
      this.#holder.addTexts(number, bytes);
      file.bytes = bytes.length;
    })();
    index.texts.set(block, file);
    this.#files.add(file);
    // A failed fetch can be retried.
    file.fetching.catch(() => {
      this.#files.delete(file);
      index.texts.delete(block);
    });
    return file.fetching;
  }

  #manifestOf({ manifest, integrity, retries, maxBytes, cache }: Origin): Promise<KnownFiles> | undefined {
    if (manifest === undefined) return undefined;
    const reading = this.#manifests.get(manifest) ?? KnownFiles.read(manifest, { integrity, retries, maxBytes, cache });
    this.#manifests.set(manifest, reading);
    reading.catch(() => this.#manifests.delete(manifest));
    return reading;
  }
}

const nameOf = ({ document, language = "" }: DocumentName) => `${language}\n${document}`;

/** A file beside another one. The query of a URL is kept: a site may sign its URLs. */
function besides(place: string, name: string): string {
  const isPath = isNode && !isAddress(place);
  return place.replace(isPath ? /[^/\\]*$/ : /[^/?#]*(?=[?#]|$)/, name);
}

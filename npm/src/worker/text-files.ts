import { SmoothClirError } from "../errors.js";
import { isAddress, isNode } from "../loading/address.js";
import { KnownFiles } from "../loading/manifest.js";
import { read } from "../loading/sources.js";
import type { Origin } from "../protocol.js";
import type { TextBlock } from "../search-module.js";

/** An index of the engine, with the state of its files of texts. */
interface LoadedIndex {
  /** None of an index that was given as bytes or encoded here. */
  origin: Origin | undefined;
  /** Files of texts that are fetched or being fetched, by block. */
  texts: Map<number, Promise<void>>;
}

/** The files of texts beside the engine's indexes, each fetched when its texts are shown. */
export class TextFiles {
  /** In the engine's order. */
  #indexes: LoadedIndex[] = [];
  /** By URL. */
  readonly #manifests = new Map<string, Promise<KnownFiles>>();
  readonly #add: (index: number, bytes: Uint8Array) => void;

  /** `add` gives the engine a file of texts of the index with a number. */
  constructor(add: (index: number, bytes: Uint8Array) => void) {
    this.#add = add;
  }

  /** The engine has a further index. */
  push(origin?: Origin): void {
    this.#indexes.push({ origin, texts: new Map() });
  }

  /** The indexes with these numbers are gone from the engine; later ones move up. */
  remove(gone: Uint32Array): void {
    this.#indexes = this.#indexes.filter((_, number) => !gone.includes(number));
  }

  /** The engine was loaded anew: texts that it lacks are fetched again. */
  renew(): void {
    this.#indexes = this.#indexes.map(({ origin }) => ({ origin, texts: new Map() }));
  }

  /** The engine is gone. */
  clear(): void {
    this.#indexes = [];
    this.#manifests.clear();
  }

  /** Fetches blocks of texts. */
  async fetch(missing: readonly TextBlock[]): Promise<void> {
    await Promise.all(missing.map(({ index, block }) => this.#fetchBlock(this.#indexes[index]!, block)));
  }

  #fetchBlock(index: LoadedIndex, block: number): Promise<void> {
    const known = index.texts.get(block);
    if (known) return known;
    const fetching = (async () => {
      const { origin } = index;
      if (origin === undefined) {
        const reason = "their index was given as bytes, so their location is unknown";
        throw new SmoothClirError("missing-texts", `the texts of the documents cannot be fetched: ${reason}`);
      }
      const file = besides(origin.place, `texts.${block}.safetensors`);
      const manifest = await this.#manifestOf(origin);
      // The index itself checks texts that the manifest does not list.
      const bytes = await read(file, { retries: origin.retries, maxBytes: origin.maxBytes, cache: origin.cache }, manifest?.has(file) ? manifest : undefined);
      const number = this.#indexes.indexOf(index);
      // The index may have been removed meanwhile.
      if (number >= 0) this.#add(number, bytes);
    })();
    index.texts.set(block, fetching);
    // A failed fetch can be retried.
    fetching.catch(() => index.texts.delete(block));
    return fetching;
  }

  #manifestOf({ manifest, integrity, retries, maxBytes, cache }: Origin): Promise<KnownFiles> | undefined {
    if (manifest === undefined) return undefined;
    const reading = this.#manifests.get(manifest) ?? KnownFiles.read(manifest, { integrity, retries, maxBytes, cache });
    this.#manifests.set(manifest, reading);
    reading.catch(() => this.#manifests.delete(manifest));
    return reading;
  }
}

/** A file beside another one. The query of a URL is kept: a site may sign its URLs. */
function besides(place: string, name: string): string {
  const isPath = isNode && !isAddress(place);
  return place.replace(isPath ? /[^/\\]*$/ : /[^/?#]*(?=[?#]|$)/, name);
}

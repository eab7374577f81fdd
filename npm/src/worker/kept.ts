import { KEPT_CHANGES } from "../limits.js";
import type { CheckedDocument } from "../protocol.js";
import type { Engine, EngineFile } from "../search-module.js";

/** User documents of one call. */
export interface Batch {
  documents: readonly CheckedDocument[];
  language: string;
}

/** All that an engine has loaded, to load it into another one. */
export interface Contents {
  files: readonly (Pick<EngineFile, "kind" | "index"> & { bytes: Uint8Array })[];
  /** The engine's indexes in its order: its user documents, or undefined of an index file. */
  indexes: readonly (Batch | undefined)[];
  /** The states of fine-tuning, one for each change, and undefined for the model as it was loaded. */
  learned: readonly (Uint8Array | undefined)[];
}

/**
 * Notes what an engine has loaded, to load it anew after a trap. Its files are not copied for that: they still lie in the
 * memory of the instance then, and the loader checks them as it does any file.
 */
export class Kept {
  #memory: WebAssembly.Memory | undefined;
  #files: readonly EngineFile[] = [];
  #indexes: (Batch | undefined)[] = [];
  #learned: (Uint8Array | undefined)[] = [];

  /** Notes where the files of an engine lie in the memory of its instance. */
  noteFiles(engine: Engine, memory: WebAssembly.Memory): void {
    this.#files = engine.files();
    this.#memory = memory;
  }

  /** The engine has a further index. */
  push(batch?: Batch): void {
    this.#indexes.push(batch);
  }

  /** The indexes with these numbers are gone from the engine; later ones move up. */
  remove(gone: Uint32Array): void {
    this.#indexes = this.#indexes.filter((_, number) => !gone.includes(number));
  }

  /** Fine-tuning has changed the model: `learned` is its state. */
  changed(learned: Uint8Array | undefined): void {
    // The engine counts no change from the loaded model to itself.
    if (learned === undefined && this.#learned.at(-1) === undefined) return;
    this.#learned.push(learned);
    if (this.#learned.length > KEPT_CHANGES) this.#learned.shift();
  }

  /** The last change was undone. */
  undone(learned: Uint8Array | undefined): void {
    this.#learned.splice(-2);
    this.changed(learned);
  }

  /** A language was removed, and with it what was learned of it: earlier states are gone. */
  forgotten(learned: Uint8Array | undefined): void {
    this.#learned = [];
    this.changed(learned);
  }

  /** Copies the files out of memory. */
  contents(): Contents {
    const files = this.#files.map(({ kind, index, start, length }) => {
      return { kind, index, bytes: new Uint8Array(this.#memory!.buffer, start, length).slice() };
    });
    return { files, indexes: this.#indexes, learned: this.#learned };
  }
}

/** The files of a model. */
export const modelFiles = ({ files }: Contents): Uint8Array[] => files.filter(({ kind }) => kind === "model").map(({ bytes }) => bytes);

/** Adds the documents to an engine that has the model. */
export function addAll(engine: Engine, { files, indexes }: Contents, addBatch: (batch: Batch) => void): void {
  const indexFiles = files.filter(({ kind }) => kind === "index").values();
  for (const batch of indexes) {
    if (batch) addBatch(batch);
    else engine.addDocuments(indexFiles.next().value!.bytes, new Uint8Array());
  }
  for (const { kind, index, bytes } of files) if (kind === "texts") engine.addTexts(index!, bytes);
}

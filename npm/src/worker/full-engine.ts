import { documentsOf, Engine, startFullModule } from "../full-module.js";
import type { CheckedDocument, Task } from "../protocol.js";
import type { Engine as SearchEngine } from "../search-module.js";
import type { AddedDocuments, EncodingProgress, IndexedDocument } from "../types.js";
import { FineTuning } from "./fine-tuning.js";
import type { SharedGpu } from "./gpu.js";
import { encode } from "./user-documents.js";

/** An engine in the full module, which takes the place of the one that only searches. */
export class FullEngine {
  readonly engine: Engine;
  readonly fineTuning: FineTuning;

  /** Loads the module. */
  static start(): Promise<void> {
    return startFullModule();
  }

  /** Copies all files of an engine, whose module has this memory. */
  constructor(from: SearchEngine, memory: WebAssembly.Memory, gpu: SharedGpu) {
    const files = from.files().map(({ kind, index, start, length }) => {
      return { kind, index, bytes: new Uint8Array(memory.buffer, start, length).slice() };
    });
    this.engine = new Engine(files.filter(({ kind }) => kind === "model").map(({ bytes }) => bytes));
    for (const { kind, index, bytes } of files) {
      if (kind === "index") this.engine.addDocuments(bytes);
      if (kind === "texts") this.engine.addTexts(index!, bytes);
    }
    this.fineTuning = new FineTuning(this.engine, gpu);
  }

  /** Encodes and adds documents. `check` throws if they are no longer wanted. */
  async addUserDocuments(
    documents: readonly CheckedDocument[],
    language: string,
    task: Task<EncodingProgress>,
    check: () => void,
  ): Promise<AddedDocuments> {
    const { encoded, added } = await encode(this.engine, documents, language, task);
    try {
      check();
    } catch (error) {
      encoded.free();
      throw error;
    }
    this.engine.addUserDocuments(encoded);
    return added;
  }

  /** The documents of an index file, which is not added. */
  documentsOf(index: Uint8Array): IndexedDocument[] {
    return documentsOf(index);
  }
}

import { documentsOf, Engine, fullModule } from "../full-module.js";
import type { Instance } from "../loading/module.js";
import type { CheckedDocument, Task } from "../protocol.js";
import type { Engine as SearchEngine } from "../search-module.js";
import type { AddedDocuments, EncodingProgress, IndexedDocument } from "../types.js";
import { FineTuning } from "./fine-tuning.js";
import type { SharedGpu } from "./gpu.js";
import { addAll, type Contents, modelFiles } from "./kept.js";
import { encode } from "./user-documents.js";

/** An engine in the full module, which takes the place of the one that only searches. */
export class FullEngine {
  readonly engine: Engine;
  readonly fineTuning: FineTuning;

  /** Loads the module. */
  static start(): Promise<Instance> {
    return fullModule.start();
  }

  constructor(contents: Contents, gpu: SharedGpu) {
    this.engine = new Engine(modelFiles(contents), new Uint8Array());
    addAll(this.engine as Engine & SearchEngine, contents, ({ documents, language }) => {
      const encoded = this.engine.startUserDocuments(language);
      encoded.push(documents);
      this.engine.addUserDocuments(encoded);
    });
    for (const learned of contents.learned) {
      if (learned) this.engine.remember(learned);
      else this.engine.reset();
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

import type { Progress, SmoothClir } from "smooth-clir";
import { load } from "./first-engine";
import { corpusLanguages, type Files, filesOf } from "./models";

/** How the demo model is started. */
interface Starting {
  signal: AbortSignal;
  onProgress?: ((one: Progress) => void) | undefined;
}

/** The demo model in an engine of its own. It begins with the documents of one language, or of all. */
export class DemoModel {
  /** Its files with the documents of all languages. */
  readonly files: Files = filesOf("demo", corpusLanguages());
  #engine: SmoothClir | undefined;
  #completing: Promise<boolean> | undefined;

  get engine(): SmoothClir | undefined {
    return this.#engine;
  }

  /** The engine, once it has its model and the documents of a language, or of all. */
  async start(language: string | undefined, { signal, onProgress }: Starting): Promise<SmoothClir> {
    if (this.#engine) return this.#engine;
    const { model, documents } = filesToBeginWith(language);
    return (this.#engine = await load({ model, documents, signal, onProgress }));
  }

  /** Adds the documents that it did not begin with; whether there were any. Those that fail come at the next call. */
  async complete(): Promise<boolean> {
    const engine = this.#engine;
    const missing = engine ? corpusLanguages().filter((language) => !engine.languages.includes(language)) : [];
    if (!engine || missing.length === 0) return false;
    this.#completing ??= engine
      .addDocuments(filesOf("demo", missing).documents)
      .then(
        () => true,
        () => false,
      )
      .finally(() => (this.#completing = undefined));
    return this.#completing;
  }

  /** The engine does not answer any more. */
  forget(): void {
    this.#engine?.close();
    this.#engine = undefined;
  }
}

/** The files that {@link DemoModel.start} loads for a language, or for all. */
export const filesToBeginWith = (language: string | undefined): Files => {
  const all = corpusLanguages();
  return filesOf("demo", language !== undefined && all.includes(language) ? [language] : all);
};

import type { Progress, SmoothClir } from "smooth-clir";
import { toFailure } from "../ui/failure";
import { encoderOf, languagesOf, MANIFEST, packLanguages, type ModelName } from "./models";

interface Fetching {
  signal?: AbortSignal | undefined;
  onProgress: (loaded: number, total: number | undefined) => void;
}

/** The document encoders of a model, which fine-tuning, encoding and explaining need: each is fetched once, when it is first needed. */
export class DocumentEncoders {
  static readonly #known = new WeakMap<SmoothClir, DocumentEncoders>();
  /** Are told of a language that came to an engine, or went. */
  static readonly listeners = new Set<(engine: SmoothClir, language: string) => void>();
  readonly #engine: SmoothClir;
  readonly #model: ModelName;
  readonly #here: Set<string>;

  private constructor(engine: SmoothClir, model: ModelName, here: readonly string[]) {
    this.#engine = engine;
    this.#model = model;
    this.#here = new Set(here);
  }

  /** The encoders of an engine; the first call names its model, and the languages that it was loaded with. */
  static of(engine: SmoothClir, model: ModelName = "demo", here: readonly string[] = []): DocumentEncoders {
    const encoders = DocumentEncoders.#known.get(engine) ?? new DocumentEncoders(engine, model, here);
    DocumentEncoders.#known.set(engine, encoders);
    return encoders;
  }

  /** The languages whose encoders are here. */
  get languages(): string[] {
    return [...this.#here];
  }

  /** The languages of the model, here or not. */
  get all(): string[] {
    return languagesOf(this.#model);
  }

  /** Fetches those that are not here yet; the first also brings the module that fine-tunes. */
  async fetch(languages: Iterable<string>, { signal, onProgress }: Fetching): Promise<void> {
    const missing = [...new Set(languages)].filter((language) => !this.#here.has(language));
    // Whoever needs an encoder needs all texts too: documents are encoded again, and no name is to be given twice.
    await this.#engine.fetchTexts({ signal });
    const files = new Map<string, Progress>();
    const onFile = (file: Progress) => {
      files.set(file.file, file);
      const all = [...files.values()];
      const known = all.length === missing.length && all.every(({ total }) => total !== undefined);
      const sum = (numbers: number[]) => numbers.reduce((whole, number) => whole + number, 0);
      onProgress(sum(all.map(({ loaded }) => loaded)), known ? sum(all.map(({ total }) => total ?? 0)) : undefined);
    };
    await Promise.all(missing.map((language) => this.add(language, { signal, onProgress: onFile })));
  }

  /** Fetches one. A pack is checked by its digest, and the browser keeps it for the next visit. */
  async add(language: string, options: { signal: AbortSignal | undefined; onProgress(file: Progress): void }): Promise<void> {
    const isPack = this.#model === "full" && packLanguages().includes(language);
    try {
      await this.#engine.addModel(encoderOf(this.#model, language), isPack ? { ...options, manifest: MANIFEST } : options);
    } catch (error) {
      // One that was stopped as it arrived is here all the same.
      if (toFailure(error).code !== "twice") throw error;
    }
    this.#here.add(language);
    this.#tell(language);
  }

  /** Removes one with all documents of its language. */
  async remove(language: string): Promise<void> {
    await this.#engine.removeLanguage(language);
    this.#here.delete(language);
    this.#tell(language);
  }

  #tell(language: string): void {
    for (const listener of DocumentEncoders.listeners) listener(this.#engine, language);
  }
}

import type { Progress, SmoothClir } from "smooth-clir";
import { corpusLanguages, type Files, filesOf, type Lengths } from "./models";
import { DocumentEncoders } from "./document-encoders";
import { load } from "./first-engine";

const CLOSE_AFTER_MS = 5000;

/** Shows how loading goes. */
export interface LoadingReport {
  /** These files are on their way. */
  loading(lengths: Lengths): void;
  progress(one: Progress): void;
  settled(): void;
  failed(error: unknown): void;
}

/** The full model in an engine of its own, with the requested languages. */
export class FullModel {
  readonly #view: LoadingReport;
  #loaded: { engine: SmoothClir; languages: readonly string[] } | undefined;
  #loading: { promise: Promise<SmoothClir>; languages: readonly string[]; controller: AbortController } | undefined;

  constructor(view: LoadingReport) {
    this.#view = view;
  }

  get engine(): SmoothClir | undefined {
    return this.#loaded?.engine;
  }

  /** The files that load the same model once more, with the languages that were added to it. */
  get files(): Files {
    const { engine, missing } = this;
    const here = corpusLanguages().filter((language) => !missing.includes(language));
    return filesOf("full", here, engine ? DocumentEncoders.of(engine).languages : here);
  }

  /** The files that {@link load} fetches for this language, or for all. */
  filesFor(language: string | undefined): Files {
    return filesOf("full", this.#wanted(language));
  }

  #wanted(language: string | undefined): string[] {
    const all = corpusLanguages();
    const here = this.#loaded?.languages ?? [];
    return language === undefined || !all.includes(language) ? all : all.filter((one) => one === language || here.includes(one));
  }

  /** The engine with this language, or with all; undefined where that was given up or failed, which is shown. */
  async load(language: string | undefined): Promise<SmoothClir | undefined> {
    const here = this.#loaded?.languages ?? [];
    const wanted = this.#wanted(language);
    const holds = (languages: readonly string[]) => wanted.every((one) => languages.includes(one));
    if (this.#loaded && holds(here)) return this.#loaded.engine;
    if (!this.#loading || !holds(this.#loading.languages)) this.#start(wanted);
    const loading = this.#loading!;
    try {
      const engine = await loading.promise;
      if (loading !== this.#loading) return this.#loaded?.engine;
      const before = this.#loaded?.engine;
      // Work under way with the old engine ends first.
      setTimeout(() => before?.close(), CLOSE_AFTER_MS);
      this.#loaded = { engine, languages: loading.languages };
      this.#loading = undefined;
      this.#view.settled();
      return engine;
    } catch (error) {
      if (loading !== this.#loading) return undefined;
      this.#loading = undefined;
      this.#view.failed(error);
      return undefined;
    }
  }

  /** The languages whose documents the engine does not have. */
  get missing(): string[] {
    const { engine } = this;
    return engine ? corpusLanguages().filter((language) => !engine.languages.includes(language)) : [];
  }

  /** Adds the documents that are missing, for which the first answer did not wait. Those that fail come when they are chosen. */
  async complete(): Promise<void> {
    const { documents } = filesOf("full", this.missing);
    await this.engine?.addDocuments(documents).catch(() => {});
  }

  /** Gives up what is on its way. */
  stop(): void {
    this.#loading?.controller.abort();
    this.#loading = undefined;
    this.#view.settled();
  }

  /** The engine does not answer any more. */
  forget(): void {
    this.#loaded?.engine.close();
    this.#loaded = undefined;
  }

  #start(languages: readonly string[]): void {
    this.#loading?.controller.abort();
    const controller = new AbortController();
    const { model, documents, lengths } = filesOf("full", languages);
    this.#view.loading(lengths);
    const { signal } = controller;
    const onProgress = this.#view.progress.bind(this.#view);
    const promise = load({ model, documents, signal, onProgress }).then((engine) => {
      DocumentEncoders.of(engine, "full", languages);
      return engine;
    });
    this.#loading = { promise, languages, controller };
  }
}

import type { Card } from "./card.js";
import type { Engine as FullEngine } from "./full/smooth_clir.js";
import init, { Engine } from "./wasm/smooth_clir.js";
import { SmoothClirError } from "./errors.js";
import { read, type LoadingOptions } from "./fetch.js";
import type { Explanation, Hit, Look, ModelDescription, Token, TrainingTexts } from "./index.js";
import type { Device, Exported, IndexedText, Learned, Reencoded, TextsAdded } from "./learning.js";
import type { Lessons, MarkGiven, LearnSettings, TextGiven } from "./lessons.js";
import { KnownFiles } from "./manifest.js";
import { part, startModule } from "./module.js";
import { isAddress, isNode } from "./node.js";
import type { Ranking, RankingDevice } from "./ranking.js";
import type { AllOptions, Trainings } from "./training.js";

/** What the page's side knows of the engine without asking. */
export interface Facts {
  epsilon: number;
  dimension: number;
  documentCount: number;
  languages: string[];
  description: ModelDescription;
}

/** Where an index was loaded from, and how. */
export interface Origin extends Pick<LoadingOptions, "retries" | "cache"> {
  /** Its address or path: the files of its texts lie beside it. */
  place: string;
  manifest: string | undefined;
}

/** An index of the engine, as far as texts must be fetched for it. */
interface LoadedIndex {
  origin?: Origin | undefined;
  /** Files of texts on their way or here, by block. */
  texts: Map<number, Promise<void>>;
}

/** Holds the WebAssembly engine: in the worker, or directly where there is none. */
export class Host {
  #engine: Engine | undefined;
  /** Of the module that searches. */
  #memory: WebAssembly.Memory | undefined;
  /** Learns from marks; from its first use on, its engine is this one's. */
  #lessons: Lessons | undefined;
  /** For whoever takes steps or ranks on it. */
  #card: Card | undefined;
  /** Ranks on the graphics card, where that was asked for. */
  #ranking: Ranking | undefined;
  /** The training from scratch that goes on, if one does. */
  #training: Trainings | undefined;
  /** The indexes of the engine, in its order. */
  #indexes: LoadedIndex[] = [];
  /** By their addresses. */
  #manifests = new Map<string, Promise<KnownFiles>>();
  /** Counts the models that were loaded: what was begun with one is not for the next. */
  #models = 0;

  /** Loads the WebAssembly module that searches. */
  async start(): Promise<void> {
    const { memory } = await startModule(new URL("./wasm/smooth_clir_bg.wasm", import.meta.url), init);
    this.#memory = memory;
  }

  /** Replaces the model, and with it all documents. */
  loadModel(files: Uint8Array[]): { model: number; facts: Facts } {
    const engine = new Engine(files);
    this.free();
    this.#engine = engine;
    return { model: this.#models, facts: this.#facts(engine) };
  }

  /** The index was given as bytes where it has no `origin`; with `model`, it is for that one and no later one. */
  addDocuments(index: Uint8Array, origin: Origin | undefined, model: number | undefined): Facts {
    if (model !== undefined) this.#check(model);
    this.#ranking?.stale();
    const engine = this.#loaded();
    engine.addDocuments(index);
    this.#indexes.push({ origin, texts: new Map() });
    return this.#facts(engine);
  }

  /** Adds sides of the model that is loaded. */
  addSides(files: Uint8Array[]): void {
    this.#loaded().addSides(files);
  }

  /** Takes away the documents of a language and its side of the model. */
  removeLanguage(language: string): Facts {
    this.#ranking?.stale();
    this.#forget((this.#lessons ?? this.#loaded()).removeLanguage(language));
    return this.#facts(this.#loaded());
  }

  /** Those behind indexes that are gone have moved up. */
  #forget(gone: Uint32Array): void {
    this.#indexes = this.#indexes.filter((_, number) => !gone.includes(number));
  }

  async search(
    query: string,
    epsilon: number | undefined,
    limit: number,
    language: string | undefined,
    dense: number | undefined,
    filters: string[],
  ): Promise<Hit[]> {
    const model = this.#models;
    if (language === undefined && filters.length === 0) {
      const hits = await this.#ranking?.search(query, epsilon, limit, (missing) => this.#fetchTexts(missing));
      this.#check(model);
      if (hits) return hits;
    }
    // More than once where documents are taken away meanwhile.
    for (;;) {
      const missing = this.#loaded().missing(query, epsilon, limit, language, dense, filters);
      if (missing.length === 0) break;
      await this.#fetchTexts(missing);
    }
    return this.#loaded().search(query, epsilon, limit, language, dense, filters) as Hit[];
  }

  /** Measures whether the graphics card ranks faster, and has it do so if it does. */
  async rankOnGpu(force: boolean): Promise<RankingDevice> {
    const { engine } = await this.#learning();
    const model = this.#models;
    const card = await this.#graphics();
    const { Ranking } = await part(() => import("./ranking.js"));
    const ranking = await Ranking.measured(engine, card, force);
    this.#check(model);
    this.#ranking = ranking;
    return ranking.device;
  }

  /** Fetches all texts that are not here. */
  async fetchTexts(): Promise<void> {
    await this.#fetchTexts(this.#loaded().missingTexts());
  }

  /** Fetches blocks of texts: the number of an index and that of its block, one after the other. */
  async #fetchTexts(missing: Uint32Array): Promise<void> {
    const model = this.#models;
    const fetched: Promise<void>[] = [];
    for (let at = 0; at < missing.length; at += 2) fetched.push(this.#fetchBlock(this.#indexes[missing[at]!]!, missing[at + 1]!));
    await Promise.all(fetched);
    this.#check(model);
  }

  #fetchBlock(index: LoadedIndex, block: number): Promise<void> {
    const known = index.texts.get(block);
    if (known) return known;
    const fetching = (async () => {
      const { origin } = index;
      if (origin === undefined) {
        const reason = "their index was given as bytes, so nobody knows where they lie";
        throw new SmoothClirError("missing-part", `the texts of the documents cannot be fetched: ${reason}`);
      }
      const file = besides(origin.place, `texts.${block}.safetensors`);
      const known = await this.#known(origin);
      // Those that no manifest tells of are checked by their index alone.
      const bytes = await read(file, origin as LoadingOptions, known?.has(file) ? known : undefined);
      const number = this.#indexes.indexOf(index);
      // It may have been taken away meanwhile.
      if (number >= 0) this.#loaded().addTexts(number, bytes);
    })();
    index.texts.set(block, fetching);
    // What failed may be asked for again.
    fetching.catch(() => index.texts.delete(block));
    return fetching;
  }

  /** The files of an index's manifest, if it has one. */
  #known({ manifest, retries, cache }: Origin): Promise<KnownFiles> | undefined {
    if (manifest === undefined) return undefined;
    const reading = this.#manifests.get(manifest) ?? KnownFiles.read(manifest, { retries, cache });
    this.#manifests.set(manifest, reading);
    reading.catch(() => this.#manifests.delete(manifest));
    return reading;
  }

  /** Of each field, its values and how many documents have each, over all indexes. */
  fields(): Record<string, [value: string, count: number][]> {
    const told = this.#loaded().fields() as (string | number)[];
    // A field may be called "constructor": no plain object until all are known.
    const fields = new Map<string, Map<string, number>>();
    for (let at = 0; at < told.length; at += 3) {
      const [name, value, count] = told.slice(at, at + 3) as [string, string, number];
      const counts = fields.get(name) ?? new Map<string, number>();
      fields.set(name, counts.set(value, (counts.get(value) ?? 0) + count));
    }
    const sorted = (counts: Map<string, number>) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries([...fields].map(([name, counts]) => [name, sorted(counts)]));
  }

  tokens(query: string): Token[] {
    return this.#loaded().tokens(query);
  }

  explain(
    query: string,
    document: string,
    language: string | undefined,
    epsilon: number | undefined,
    dense: number | undefined,
  ): Explanation | undefined {
    return this.#loaded().explain(query, document, language, epsilon, dense) as Explanation | undefined;
  }

  /** The query's norm, then its dot products with all documents. */
  dots(query: string): Float32Array {
    return this.#loaded().dots(query);
  }

  /** The norms of all documents; ids and languages, one after the other. */
  documents(): { norms: Float32Array; names: string[] } {
    const engine = this.#loaded();
    return { norms: engine.norms(), names: engine.names() };
  }

  async gradientMap(size: number, extent: number, epsilon: number): Promise<Float32Array> {
    const { Lab } = await part(() => import("./lab.js"));
    return (await Lab.load()).planeMap("x1", [1, 1], size, extent, epsilon);
  }

  /** Learns from marks; `report` hears of each step, and `aborted` is asked between them. */
  async learn(marks: MarkGiven[], settings: LearnSettings, context: Context): Promise<Learned> {
    const lessons = await this.#learning();
    const model = this.#models;
    const learned = await lessons.learn(marks, settings, context).finally(() => this.#check(model));
    this.#ranking?.stale();
    return learned;
  }

  /** Encodes documents; `report` hears how far it is, and `aborted` is asked. */
  async addTexts(
    texts: TextGiven[],
    language: string,
    context: Context,
  ): Promise<{ added: TextsAdded; facts: Facts }> {
    const lessons = await this.#learning();
    const model = this.#models;
    const aborted = () => context.aborted() || model !== this.#models;
    const { own, added } = await lessons.encode(texts, language, { ...context, aborted });
    this.#check(model);
    lessons.engine.addOwn(own);
    this.#ranking?.stale();
    // At once: the engine and this list count alike.
    if (added.documents > 0) this.#indexes.push({ texts: new Map() });
    return { added, facts: this.#facts(this.#loaded()) };
  }

  /** Takes away the documents that were encoded here. */
  removeTexts(): Facts {
    this.#ranking?.stale();
    if (this.#lessons) this.#forget(this.#lessons.removeTexts());
    return this.#facts(this.#loaded());
  }

  /** The documents of an index file, which is not added. */
  async textsOf(index: Uint8Array): Promise<IndexedText[]> {
    return (await this.#learning()).textsOf(index);
  }

  /** The documents that were encoded here, as an index file; undefined where there is none. */
  texts(): Uint8Array | undefined {
    return this.#lessons?.texts();
  }

  /** Takes back the last change, if there is one. */
  undo(): Reencoded | undefined {
    this.#ranking?.stale();
    return this.#lessons?.undo();
  }

  reset(): Reencoded | undefined {
    this.#ranking?.stale();
    return this.#lessons?.reset();
  }

  /** What was learned, to be kept for another visit; undefined where nothing was. */
  learned(): Uint8Array | undefined {
    return this.#lessons?.learned();
  }

  async remember(learned: Uint8Array): Promise<Reencoded> {
    const reencoded = (await this.#learning()).remember(learned);
    this.#ranking?.stale();
    return reencoded;
  }

  async export(): Promise<Exported> {
    return (await this.#learning()).export();
  }

  /** Begins a training in the place of the one before; how many steps an epoch has, and where they are taken. */
  async startTraining(
    texts: TrainingTexts,
    options: AllOptions,
  ): Promise<{ stepsInEpoch: number; device: Device }> {
    const { Trainings } = await part(() => import("./training.js"));
    const training = await Trainings.start(texts, options, await this.#graphics());
    this.endTraining();
    this.#training = training;
    const { stepsInEpoch, device } = training;
    return { stepsInEpoch, device };
  }

  async trainingSteps(count: number): Promise<{ losses: Float64Array; epoch: number; device: Device }> {
    return this.#begun().step(count);
  }

  async lookAtTraining(seen: boolean): Promise<{ look: Look; device: Device }> {
    return this.#begun().look(seen);
  }

  endTraining(): void {
    this.#training?.free();
    this.#training = undefined;
  }

  #begun(): Trainings {
    if (!this.#training) throw new SmoothClirError("closed", "this training has ended");
    return this.#training;
  }

  async #graphics(): Promise<Card> {
    const { Card } = await part(() => import("./card.js"));
    return (this.#card ??= new Card());
  }

  /** The part that learns, fetched on its first use: it takes over all that is loaded. */
  async #learning(): Promise<Lessons> {
    const model = this.#models;
    this.#loaded();
    if (this.#lessons) return this.#lessons;
    const { Lessons } = await part(() => import("./lessons.js"));
    await Lessons.start();
    const card = await this.#graphics();
    this.#check(model);
    // Two calls may have waited for the same module.
    if (this.#lessons) return this.#lessons;
    const before = this.#loaded();
    this.#lessons = new Lessons(before, this.#memory!, card);
    // It answers all that the smaller one does.
    this.#engine = this.#lessons.engine as FullEngine & Engine;
    before.free();
    return this.#lessons;
  }

  /** Gives the engine's memory back to the module. */
  free(): void {
    this.#models += 1;
    this.#lessons?.end();
    this.#engine?.free();
    this.#engine = undefined;
    this.endTraining();
    this.#lessons = undefined;
    this.#ranking = undefined;
    this.#indexes = [];
    this.#manifests.clear();
  }

  /** Throws where another model was loaded since. */
  #check(model: number): void {
    if (model !== this.#models) throw new SmoothClirError("closed", "another model was loaded meanwhile");
  }

  #loaded(): Engine {
    if (!this.#engine) throw new SmoothClirError("no-model", "no model is loaded yet");
    return this.#engine;
  }

  #facts(engine: Engine): Facts {
    const { epsilon, dimension, documentCount, languages } = engine;
    return { epsilon, dimension, documentCount, languages, description: JSON.parse(engine.description) };
  }
}

/** A file beside another; what follows the path of an address stays: a site may sign its addresses. */
function besides(place: string, name: string): string {
  const isPath = isNode && !isAddress(place);
  return place.replace(isPath ? /[^/\\]*$/ : /[^/?#]*(?=[?#]|$)/, name);
}

/** What long work is given to speak with its caller. */
export interface Context {
  /** Tells how far it is. */
  report(progress: unknown): void;
  /** Whether the caller has given it up. */
  aborted(): boolean;
}

/** The methods that can be called from the other side of a worker. */
export type Method =
  | "start"
  | "loadModel"
  | "addDocuments"
  | "removeLanguage"
  | "search"
  | "fetchTexts"
  | "fields"
  | "tokens"
  | "explain"
  | "dots"
  | "documents"
  | "gradientMap"
  | "rankOnGpu"
  | "learn"
  | "addSides"
  | "addTexts"
  | "removeTexts"
  | "texts"
  | "textsOf"
  | "undo"
  | "reset"
  | "learned"
  | "remember"
  | "export"
  | "startTraining"
  | "trainingSteps"
  | "lookAtTraining"
  | "endTraining"
  | "free";
/** A method's arguments, but for its context. */
export type Args<M extends Method> = Parameters<Host[M]> extends [...infer A, Context] ? A : Parameters<Host[M]>;
export type Answer<M extends Method> = Awaited<ReturnType<Host[M]>>;

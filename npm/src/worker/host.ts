import { SmoothClirError } from "../errors.js";
import type { Engine as FullModuleEngine } from "../full-module.js";
import { part } from "../loading/module.js";
import type {
  Answer,
  CheckedDocument,
  EngineState,
  ExplainCall,
  Handlers,
  LearnCall,
  ModelNumber,
  Origin,
  SearchCall,
  Task,
  TrainingCall,
} from "../protocol.js";
import { Engine, startSearchModule, type EncodedQuery, type TextBlock } from "../search-module.js";
import type {
  Documents,
  EncodingProgress,
  Explanation,
  Exported,
  FieldCounts,
  GradientMapOptions,
  Hit,
  IndexedDocument,
  Judgement,
  LearnProgress,
  LearnResult,
  QueryDots,
  RankingDevice,
  Reencoded,
  Token,
  TrainingCollection,
} from "../types.js";
import type { FullEngine } from "./full-engine.js";
import type { GpuRanking } from "./gpu-ranking.js";
import type { SharedGpu } from "./gpu.js";
import { TextFiles } from "./text-files.js";
import type { TrainingRun } from "./training.js";

/**
 * Holds the WebAssembly engine and answers the page's calls: in the worker, or on the calling thread where there is none.
 *
 * It starts with the module that only searches. The first call that needs more fetches the full module, which takes over
 * all files.
 */
export class Host implements Handlers {
  #engine: Engine | undefined;
  /** The memory of the module that searches. */
  #memory: WebAssembly.Memory | undefined;
  /** Once the full module is loaded, `#engine` is this one's. */
  #full: FullEngine | undefined;
  /** The query of the last search, of `#engine`. */
  #lastQuery: EncodedQuery | undefined;
  #gpu: SharedGpu | undefined;
  /** Ranks on the GPU, once {@link rankOnGpu} was called. */
  #ranking: GpuRanking | undefined;
  /** The training from scratch that was started last. */
  #training: TrainingRun | undefined;
  readonly #texts = new TextFiles((index, bytes) => this.#loaded().addTexts(index, bytes));
  /** Counts the models that were loaded: work for one must not change the next. */
  #model: ModelNumber = 0;

  async start(): Promise<void> {
    this.#memory = await startSearchModule();
  }

  loadModel(files: Uint8Array[]): Answer<"loadModel"> {
    const engine = new Engine(files);
    this.free();
    this.#engine = engine;
    return { model: this.#model, state: this.#state() };
  }

  addDocuments(index: Uint8Array, origin: Origin | undefined, model: ModelNumber | undefined): EngineState {
    if (model !== undefined) this.#check(model);
    this.#ranking?.stale();
    this.#loaded().addDocuments(index);
    this.#texts.push(origin);
    return this.#state();
  }

  addEncoders(files: Uint8Array[]): void {
    this.#loaded().addEncoders(files);
  }

  removeLanguage(language: string): EngineState {
    this.#interrupt();
    this.#texts.remove(this.#loaded().removeLanguage(language));
    return this.#state();
  }

  async search(query: string, { epsilon, limit, language, dense, filters }: SearchCall): Promise<Hit[]> {
    if (language === undefined && Object.values(filters).every((values) => values.length === 0)) {
      const model = this.#model;
      const hits = await this.#ranking?.search(query, epsilon, limit, (missing) => this.#fetch(missing));
      this.#check(model);
      if (hits) return hits;
    }
    // More than once if the model or its documents change meanwhile.
    for (;;) {
      const engine = this.#loaded();
      const encoded = this.#encoded(engine, query);
      try {
        const missing = engine.rank(encoded, { epsilon, limit, language, dense, filters });
        if (missing.length > 0) await this.#fetch(missing);
        const hits = engine === this.#engine ? engine.hits(encoded) : undefined;
        if (hits) return hits;
      } finally {
        this.#keep(engine, encoded);
      }
    }
  }

  async fetchTexts(): Promise<void> {
    await this.#fetch(this.#loaded().missingTexts());
  }

  fields(): FieldCounts {
    return Object.fromEntries(this.#loaded().fields());
  }

  tokens(query: string): Token[] {
    return this.#loaded().tokens(query);
  }

  explain(query: string, options: ExplainCall): Explanation | undefined {
    return this.#loaded().explain(query, options);
  }

  dots(query: string): QueryDots {
    return this.#loaded().dots(query);
  }

  documents(): Documents {
    return this.#loaded().documents();
  }

  async gradientMap({ size, extent, epsilon }: GradientMapOptions): Promise<Float32Array> {
    const { Lab } = await part(() => import("../lab.js"));
    return (await Lab.load()).planeMap("x1", [1, 1], size, extent, epsilon);
  }

  async rankOnGpu(force: boolean): Promise<RankingDevice> {
    const { engine } = await this.#fullEngine();
    const model = this.#model;
    const gpu = await this.#sharedGpu();
    const { GpuRanking } = await part(() => import("./gpu-ranking.js"));
    const ranking = await GpuRanking.measured(engine, gpu, force);
    this.#check(model);
    this.#ranking = ranking;
    return ranking.device;
  }

  async learn(judgements: readonly Judgement[], options: LearnCall, task: Task<LearnProgress>): Promise<LearnResult> {
    const { fineTuning } = await this.#fullEngine();
    const model = this.#model;
    const learned = await fineTuning.learn(judgements, options, task).finally(() => this.#check(model));
    this.#ranking?.stale();
    return learned;
  }

  async addUserDocuments(
    documents: readonly CheckedDocument[],
    language: string,
    task: Task<EncodingProgress>,
  ): Promise<Answer<"addUserDocuments">> {
    const full = await this.#fullEngine();
    const model = this.#model;
    const isCancelled = () => task.isCancelled() || model !== this.#model;
    const added = await full.addUserDocuments(documents, language, { ...task, isCancelled }, () => this.#check(model));
    this.#ranking?.stale();
    // Without waiting: the engine and the files of texts number the indexes alike.
    if (added.documents > 0) this.#texts.push();
    return { added, state: this.#state() };
  }

  removeUserDocuments(): EngineState {
    this.#interrupt();
    if (this.#full) this.#texts.remove(this.#full.engine.removeUserDocuments());
    return this.#state();
  }

  async documentsOf(index: Uint8Array): Promise<IndexedDocument[]> {
    return (await this.#fullEngine()).documentsOf(index);
  }

  exportUserDocuments(): Uint8Array | undefined {
    return this.#full?.engine.userDocuments();
  }

  undo(): Reencoded | undefined {
    this.#interrupt();
    return this.#full?.engine.undo();
  }

  reset(): Reencoded | undefined {
    this.#interrupt();
    return this.#full?.engine.reset();
  }

  learned(): Uint8Array | undefined {
    return this.#full?.engine.learned();
  }

  async remember(learned: Uint8Array): Promise<Reencoded> {
    const { engine } = await this.#fullEngine();
    this.#interrupt();
    return engine.remember(learned);
  }

  async export(): Promise<Exported> {
    return (await this.#fullEngine()).engine.export();
  }

  async startTraining(collection: TrainingCollection, options: TrainingCall): Promise<Answer<"startTraining">> {
    const { TrainingRun } = await part(() => import("./training.js"));
    const training = await TrainingRun.start(collection, options, await this.#sharedGpu());
    this.endTraining();
    this.#training = training;
    const { stepsInEpoch, device } = training;
    return { stepsInEpoch, device };
  }

  async trainingSteps(count: number): Promise<Answer<"trainingSteps">> {
    return this.#started().step(count);
  }

  async evaluateTraining(seen: boolean): Promise<Answer<"evaluateTraining">> {
    return this.#started().evaluate(seen);
  }

  endTraining(): void {
    this.#training?.free();
    this.#training = undefined;
  }

  /** Gives the engine's memory back to the module. */
  free(): void {
    this.#model += 1;
    this.#full?.fineTuning.cancel();
    this.#forgetQuery();
    this.#engine?.free();
    this.#engine = undefined;
    this.endTraining();
    this.#full = undefined;
    this.#ranking = undefined;
    this.#texts.clear();
  }

  async #fetch(missing: TextBlock[]): Promise<void> {
    const model = this.#model;
    await this.#texts.fetch(missing);
    this.#check(model);
  }

  /** A query as the engine encodes it, which is the caller's until it is kept: the last one if it is the same. */
  #encoded(engine: Engine, query: string): EncodedQuery {
    const last = this.#lastQuery;
    if (last?.text !== query) return engine.encode(query);
    this.#lastQuery = undefined;
    return last;
  }

  /** Keeps a query for the next search: while epsilon moves, it is the same again and again. */
  #keep(engine: Engine, query: EncodedQuery): void {
    if (engine !== this.#engine) return query.free();
    this.#forgetQuery();
    this.#lastQuery = query;
  }

  #forgetQuery(): void {
    this.#lastQuery?.free();
    this.#lastQuery = undefined;
  }

  /** Prepares a change of the model or its documents: fine-tuning ends, and the GPU needs the documents anew. */
  #interrupt(): void {
    this.#ranking?.stale();
    this.#full?.fineTuning.cancel();
  }

  #started(): TrainingRun {
    if (!this.#training) throw new SmoothClirError("closed", "this training has ended");
    return this.#training;
  }

  async #sharedGpu(): Promise<SharedGpu> {
    const { SharedGpu } = await part(() => import("./gpu.js"));
    return (this.#gpu ??= new SharedGpu());
  }

  /** The engine of the full module, which is fetched on its first use and takes over all that is loaded. */
  async #fullEngine(): Promise<FullEngine> {
    const model = this.#model;
    this.#loaded();
    if (this.#full) return this.#full;
    const { FullEngine } = await part(() => import("./full-engine.js"));
    await FullEngine.start();
    const gpu = await this.#sharedGpu();
    this.#check(model);
    // Two calls may have waited for the same module.
    if (this.#full) return this.#full;
    const before = this.#loaded();
    this.#full = new FullEngine(before, this.#memory!, gpu);
    // It answers everything that the smaller one does.
    this.#engine = this.#full.engine as FullModuleEngine & Engine;
    this.#forgetQuery();
    before.free();
    return this.#full;
  }

  /** Throws if another model was loaded since. */
  #check(model: ModelNumber): void {
    if (model !== this.#model) throw new SmoothClirError("closed", "another model was loaded meanwhile");
  }

  #loaded(): Engine {
    if (!this.#engine) throw new SmoothClirError("no-model", "no model is loaded yet");
    return this.#engine;
  }

  #state(): EngineState {
    return this.#loaded().state();
  }
}

import { messageOf, SmoothClirError } from "../errors.js";
import type { Engine as FullModuleEngine } from "../full-module.js";
import { TRAININGS } from "../limits.js";
import { type Instance, part } from "../loading/module.js";
import type {
  Answer,
  CheckedDocument,
  EngineState,
  ExplainCall,
  Handlers,
  LearnCall,
  Method,
  ModelNumber,
  Origin,
  SearchCall,
  Task,
  TrainingCall,
} from "../protocol.js";
import { Engine, type EncodedQuery, searchModule, type TextBlock } from "../search-module.js";
import type {
  DocumentName,
  Documents,
  EncodingProgress,
  Explanation,
  Exported,
  FieldCounts,
  Gloss,
  GradientMapOptions,
  Hit,
  IndexedDocument,
  Judgement,
  LearnProgress,
  LearnResult,
  LexicalMatch,
  QueryDots,
  RankingDevice,
  Reencoded,
  Token,
  TrainingCollection,
} from "../types.js";
import type { FullEngine } from "./full-engine.js";
import type { GpuRanking } from "./gpu-ranking.js";
import type { SharedGpu } from "./gpu.js";
import { addAll, Kept, modelFiles } from "./kept.js";
import { TextFiles } from "./text-files.js";
import type { TrainingRun } from "./training.js";

/**
 * Holds the WebAssembly engine and answers the page's calls: in the worker, or on the calling thread where there is none.
 *
 * It starts with the module that only searches. The first call that needs more fetches the full module, which takes over
 * all files.
 *
 * After a trap, such as a lack of memory, the state of a module's instance is undefined. The calls under way reject, and
 * the next one loads the engine into a new instance.
 */
export class Host implements Handlers {
  #engine: Engine | undefined;
  #searchInstance: Instance | undefined;
  /** The instance of `#engine`. */
  #instance: Instance | undefined;
  /** The instances whose traps concern this host. */
  readonly #followed = new Set<Instance>();
  /** Once the full module is loaded, `#engine` is this one's. */
  #full: FullEngine | undefined;
  /** The query of the last search, of `#engine`. */
  #lastQuery: EncodedQuery | undefined;
  #gpu: SharedGpu | undefined;
  /** Ranks on the GPU, once {@link rankOnGpu} was called. */
  #ranking: GpuRanking | undefined;
  /** The trainings from scratch, by their numbers, the oldest first. */
  readonly #trainings = new Map<number, TrainingRun>();
  #lastTraining = 0;
  readonly #texts = new TextFiles({
    addTexts: (index, bytes) => {
      this.#loaded().addTexts(index, bytes);
      this.#hasNewTexts = true;
    },
    forgetTexts: (index, block) => this.#loaded().forgetTexts(index, block),
  });
  #hasNewTexts = false;
  /** Whether all texts were asked for: none is forgotten then. */
  #keepsTexts = false;
  /** The calls under way that need the texts that are here. */
  #readers = 0;
  /** What a trap must not lose. */
  #kept = new Kept();
  /** The module of the engine that a trap ended, until it is loaded anew. */
  #lost: "search" | "full" | undefined;
  #restoring: Promise<void> | undefined;
  /** Rejects the calls that are under way. */
  readonly #pending = new Set<(error: SmoothClirError) => void>();
  /** Counts the models that were loaded: work for one must not change the next. */
  #model: ModelNumber = 0;

  /** Answers a call. */
  async answer(method: Method, args: readonly unknown[], task: Task<never>): Promise<unknown> {
    if (this.#searchInstance?.trap) await this.start();
    // The next model needs none of the last one.
    if (this.#lost && method !== "loadModel") await (this.#restoring ??= this.#restore().finally(() => (this.#restoring = undefined)));
    if (this.#hasNewTexts) this.#noteFiles();
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      const call = async () => (this[method] as (...args: unknown[]) => unknown)(...args, task);
      call().then(resolve, reject).finally(() => this.#pending.delete(reject));
    });
  }

  async start(): Promise<void> {
    this.#searchInstance = await searchModule.start();
  }

  loadModel(files: Uint8Array[], digests: Uint8Array): Answer<"loadModel"> {
    const engine = new Engine(files, digests);
    this.#free();
    this.#take(engine, this.#searchInstance!);
    return { model: this.#model, state: this.#state() };
  }

  addDocuments(index: Uint8Array, digest: Uint8Array, origin: Origin | undefined, model: ModelNumber | undefined): EngineState {
    if (model !== undefined) this.#check(model);
    this.#ranking?.stale();
    this.#loaded().addDocuments(index, digest);
    this.#noteFiles();
    this.#texts.push(origin);
    this.#kept.push();
    return this.#state();
  }

  addEncoders(files: Uint8Array[], digests: Uint8Array): void {
    this.#loaded().addEncoders(files, digests);
    this.#noteFiles();
  }

  removeLanguage(language: string): EngineState {
    this.#interrupt();
    const gone = this.#loaded().removeLanguage(language);
    const learned = this.#full?.engine.learned();
    this.#removed(gone);
    this.#kept.forgotten(learned);
    return this.#state();
  }

  search(query: string, { queryLanguage, epsilon, limit, language, dense, filters }: SearchCall): Promise<Hit[]> {
    if (this.#readers === 0 && !this.#keepsTexts && this.#texts.forget()) this.#noteFiles();
    return this.#reading(async () => {
      if (language === undefined && Object.values(filters).every((values) => values.length === 0)) {
        const model = this.#model;
        const hits = await this.#ranking?.search(query, queryLanguage, epsilon, limit, {
          fetch: (missing) => this.#fetch(missing),
          show: (documents, blocks) => this.#texts.show(documents, blocks),
        });
        this.#check(model);
        if (hits) return hits;
      }
      // More than once if the model or its documents change meanwhile.
      for (;;) {
        const engine = this.#loaded();
        const encoded = this.#encoded(engine, query, queryLanguage);
        try {
          const missing = engine.rank(encoded, { epsilon, limit, language, dense, filters });
          if (missing.length > 0) await this.#fetch(missing);
          const hits = engine === this.#engine ? engine.hits(encoded) : undefined;
          if (!hits) continue;
          this.#texts.show(hits, engine.blocksOf(encoded));
          return hits;
        } finally {
          this.#keep(engine, encoded);
        }
      }
    });
  }

  async fetchTexts(): Promise<void> {
    this.#keepsTexts = true;
    await this.#fetch(this.#loaded().missingTexts());
  }

  fields(): FieldCounts {
    return Object.fromEntries(this.#loaded().fields());
  }

  languageOf(query: string): string {
    return this.#loaded().languageOf(query);
  }

  tokens(query: string, queryLanguage: string | undefined): Token[] {
    return this.#loaded().tokens(query, queryLanguage);
  }

  gloss(words: readonly string[], language: string): Gloss[] {
    return this.#loaded().gloss(language, [...words]);
  }

  matches(query: string, documents: readonly DocumentName[], queryLanguage: string | undefined): Promise<LexicalMatch[][]> {
    return this.#readingAgain(documents, async () => this.#loaded().matches(query, [...documents], queryLanguage));
  }

  explain(query: string, options: ExplainCall): Promise<Explanation | undefined> {
    return this.#readingAgain([options], async () => this.#loaded().explain(query, options));
  }

  dots(query: string, queryLanguage: string | undefined): QueryDots {
    return this.#loaded().dots(query, queryLanguage);
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
    this.#ranking?.stale();
    // Documents may have come while it was measured.
    ranking.stale();
    this.#ranking = ranking;
    return ranking.device;
  }

  learn(judgements: readonly Judgement[], options: LearnCall, task: Task<LearnProgress>): Promise<LearnResult> {
    return this.#readingAgain(judgements, async () => {
      const { engine, fineTuning } = await this.#fullEngine();
      const model = this.#model;
      const learned = await fineTuning.learn(judgements, options, task).finally(() => this.#check(model));
      this.#ranking?.stale();
      this.#kept.changed(engine.learned());
      return learned;
    });
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
    const state = this.#state();
    // Without waiting: the engine and the files of texts number the indexes alike.
    if (added.documents > 0) {
      this.#texts.push();
      this.#kept.push({ documents, language });
    }
    return { added, state };
  }

  removeUserDocuments(): EngineState {
    this.#interrupt();
    if (this.#full) this.#removed(this.#full.engine.removeUserDocuments());
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
    const undone = this.#full?.engine.undo();
    if (undone) this.#kept.undone(this.#full!.engine.learned());
    return undone;
  }

  reset(): Reencoded | undefined {
    this.#interrupt();
    const reset = this.#full?.engine.reset();
    this.#kept.changed(this.#full?.engine.learned());
    return reset;
  }

  learned(): Uint8Array | undefined {
    return this.#full?.engine.learned();
  }

  async remember(learned: Uint8Array): Promise<Reencoded> {
    const { engine } = await this.#fullEngine();
    this.#interrupt();
    const remembered = engine.remember(learned);
    this.#kept.changed(engine.learned());
    return remembered;
  }

  async export(): Promise<Exported> {
    return (await this.#fullEngine()).engine.export();
  }

  async startTraining(collection: TrainingCollection, options: TrainingCall): Promise<Answer<"startTraining">> {
    const { TrainingRun } = await part(() => import("./training.js"));
    this.#follow(await TrainingRun.load());
    const training = await TrainingRun.start(collection, options, await this.#sharedGpu());
    const [oldest] = this.#trainings.keys();
    if (this.#trainings.size >= TRAININGS) this.endTraining(oldest!);
    const name = ++this.#lastTraining;
    this.#trainings.set(name, training);
    const { stepsInEpoch, device } = training;
    return { training: name, stepsInEpoch, device };
  }

  async trainingSteps(training: number, count: number): Promise<Answer<"trainingSteps">> {
    return this.#started(training).step(count);
  }

  async evaluateTraining(training: number, seen: boolean): Promise<Answer<"evaluateTraining">> {
    return this.#started(training).evaluate(seen);
  }

  async trainingDistance(training: number, other: number): Promise<Answer<"trainingDistance">> {
    return this.#started(training).distance(this.#started(other));
  }

  endTraining(training: number): void {
    this.#trainings.get(training)?.free();
    this.#trainings.delete(training);
  }

  /** Gives the engine's memory back to the module, for good. */
  close(): void {
    this.#free();
    this.#unfollow();
  }

  /** Gives the engine's memory back to the module. */
  #free(): void {
    this.#model += 1;
    this.#full?.fineTuning.cancel();
    this.#forgetQuery();
    this.#engine?.free();
    this.#engine = undefined;
    for (const training of [...this.#trainings.keys()]) this.endTraining(training);
    this.#full = undefined;
    this.#ranking = undefined;
    this.#texts.clear();
    this.#keepsTexts = false;
    this.#kept = new Kept();
    this.#hasNewTexts = false;
    this.#lost = undefined;
  }

  /** Works with an engine of this instance from now on. */
  #take(engine: Engine, instance: Instance): void {
    this.#engine = engine;
    this.#instance = instance;
    this.#lost = undefined;
    this.#forgetQuery();
    this.#unfollow();
    this.#follow(instance);
    this.#noteFiles();
  }

  #follow(instance: Instance): void {
    this.#followed.add(instance);
    instance.listeners.add(this.#onTrap);
  }

  #unfollow(): void {
    for (const instance of this.#followed) instance.listeners.delete(this.#onTrap);
    this.#followed.clear();
  }

  /** The state of an instance is undefined: nothing of it is used again, and no call waits for it. */
  readonly #onTrap = (instance: Instance): void => {
    this.#followed.delete(instance);
    this.#trainings.clear();
    this.#gpu = undefined;
    if (instance === this.#instance) {
      this.#lost = this.#full ? "full" : "search";
      this.#engine = this.#full = this.#ranking = this.#lastQuery = this.#instance = undefined;
      this.#hasNewTexts = false;
    }
    for (const reject of this.#pending) reject(instance.trap!);
  };

  /** Loads into a new instance what was in the one that a trap ended. */
  async #restore(): Promise<void> {
    const model = this.#model;
    try {
      if (this.#lost === "full") {
        const { FullEngine } = await part(() => import("./full-engine.js"));
        const instance = await FullEngine.start();
        const gpu = await this.#sharedGpu();
        this.#check(model);
        this.#full = new FullEngine(this.#kept.contents(), gpu);
        this.#take(this.#full.engine as FullModuleEngine & Engine, instance);
      } else {
        await this.start();
        this.#check(model);
        const contents = this.#kept.contents();
        const engine = new Engine(modelFiles(contents), new Uint8Array());
        addAll(engine, contents, () => {});
        this.#take(engine, this.#searchInstance!);
      }
      this.#texts.renew();
    } catch (error) {
      if (model !== this.#model) return;
      const reason = messageOf(error);
      throw new SmoothClirError("closed", `the engine could not be loaded again after its WebAssembly module stopped: ${reason}`, { cause: error });
    }
  }

  /** After each change of the files, and before what goes with it: a trap in here undoes the change. */
  #noteFiles(): void {
    this.#kept.noteFiles(this.#loaded(), this.#instance!.memory);
    this.#hasNewTexts = false;
  }

  /** The indexes with these numbers are gone from the engine. */
  #removed(gone: Uint32Array): void {
    this.#noteFiles();
    this.#texts.remove(gone);
    this.#kept.remove(gone);
  }

  /** Keeps the texts that are here until a call has ended. */
  async #reading<T>(call: () => Promise<T>): Promise<T> {
    this.#readers += 1;
    return call().finally(() => (this.#readers -= 1));
  }

  /** A call that reads documents that were shown: their texts are fetched again where they have been forgotten. */
  #readingAgain<T>(documents: readonly DocumentName[], call: () => Promise<T>): Promise<T> {
    return this.#reading(async () => {
      const model = this.#model;
      await this.#texts.fetchAgain(documents);
      this.#check(model);
      return call();
    });
  }

  async #fetch(missing: readonly TextBlock[]): Promise<void> {
    const model = this.#model;
    await this.#texts.fetch(missing);
    this.#check(model);
  }

  /** A query as the engine encodes it, which is the caller's until it is kept: the last one if it is the same. */
  #encoded(engine: Engine, query: string, language: string | undefined): EncodedQuery {
    const last = this.#lastQuery;
    if (last?.text !== query || last.language !== language) return engine.encode(query, language);
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

  #started(name: number): TrainingRun {
    const training = this.#trainings.get(name);
    if (!training) throw new SmoothClirError("closed", "this training has ended");
    return training;
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
    const instance = await FullEngine.start();
    const gpu = await this.#sharedGpu();
    this.#check(model);
    // Two calls may have waited for the same module.
    if (this.#full) return this.#full;
    const before = this.#loaded();
    this.#noteFiles();
    this.#full = new FullEngine(this.#kept.contents(), gpu);
    // It answers everything that the smaller one does.
    this.#take(this.#full.engine as FullModuleEngine & Engine, instance);
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

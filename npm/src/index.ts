/**
 * Cross-lingual search by smooth cosine similarity, in the browser and in Node.
 *
 * ```js
 * import { SmoothClir } from "smooth-clir";
 *
 * const engine = await SmoothClir.load({ model: "query.safetensors", documents: "documents.safetensors" });
 * const hits = await engine.search("rain over the mountains", { limit: 3 });
 * console.log(hits[0].language, hits[0].title, hits[0].score);
 * engine.close();
 * ```
 *
 * @packageDocumentation
 */
import { SmoothClirError } from "./errors.js";
import { readAll, readSome, together, type LoadingOptions, type ReadSource, type Source } from "./fetch.js";
import { addressOf, isNode } from "./node.js";
import type { Facts, Origin } from "./host.js";
import type {
  Device,
  DeviceWish,
  Exported,
  IndexedText,
  Learned,
  LearnProgress,
  Reencoded,
  Text,
  TextsAdded,
  TextsProgress,
} from "./learning.js";
import { abortable, open, type Link } from "./link.js";
import type { RankingDevice } from "./ranking.js";

export type * from "./learning.js";
export type { RankingDevice } from "./ranking.js";
export { SmoothClirError, type CoreErrorCode, type ErrorCode, type HostErrorCode } from "./errors.js";
export type { LoadingOptions, Progress, Source } from "./fetch.js";
export type { Manifest, ManifestEntry } from "./manifest.js";

/** A document that was found. */
export interface Hit {
  /** Its identifier in the index. */
  id: string;
  /** Its language, as a BCP 47 tag such as `fr`. */
  language: string;
  title: string;
  text: string;
  /** What it was ranked by: the similarity or, of a model with translations, that and the lexical score by their weights. */
  score: number;
  /** Smooth cosine similarity, `q.d / ((|q|+eps)(|d|+eps))` (paper 1, eq. 1). */
  similarity: number;
  /**
   * BM25 over the counts that the query's words are expected to have in translation, from 0 to 1; undefined where the
   * model has no translations of the document's language, and where all is dense.
   */
  lexical: number | undefined;
  /** The dot product `q.d`. */
  dot: number;
  /** The length `|d|` of the document's vector. */
  documentNorm: number;
  /** The values of its fields, such as `{ topic: ["sea", "weather"], year: ["2024"] }`; none where it has none. */
  fields: Record<string, string[]>;
}

/** A word of a query, as the model reads it. */
export interface Token {
  token: string;
  /** Whether the model knows it; words that it does not know are left out. */
  known: boolean;
  /** The known word that it is taken for, where it is misspelt. */
  meant?: string;
}

/** What a model file says of itself. */
export interface ModelDescription {
  /** Encoder, dimension, epsilon, thresholds, text rule, languages. */
  config?: Record<string, unknown>;
  /** Seed, options, digest of the data, sources and licences, test metrics. */
  provenance?: Record<string, unknown>;
  /** The name of the training: files of one, and only they, have the same. What is learned here leaves it as it is. */
  space?: string;
}

/** Where the engine runs. */
export interface StartOptions {
  /**
   * `"auto"`: in a worker where one can start, else here. `true`: in a worker or not at all. `false`: here. An address:
   * in a worker of that file or not at all, a copy of the package's `worker.js` with the files beside it, or what a
   * bundler made of `smooth-clir/worker` as an entry (a file that does no more than import it is emptied, since imports
   * of this package have no side effects); on the page's own origin.
   */
  worker?: "auto" | boolean | URL | undefined;
  /** Ends the start; its promise rejects with the signal's reason, and no worker is left behind. */
  signal?: AbortSignal | undefined;
}

/** Documents that could not be loaded. */
export interface Missing {
  /** The address or path as it was given; for bytes, the word "bytes". */
  file: string;
  /** Why. */
  error: Error;
}

/** What loading documents takes beside their source. */
export interface DocumentsOptions extends LoadingOptions {
  /**
   * Called for each file of documents that cannot be loaded, and the others are searched. Where it is not given, or none
   * can be loaded, the promise rejects.
   */
  onMissing?: ((missing: Missing) => void) | undefined;
}

/** What {@link SmoothClir.load} takes. */
export interface LoadOptions extends StartOptions, DocumentsOptions {
  /** One whole model file, or the query side of a split one with any document sides. */
  model: Source | readonly Source[];
  /**
   * One index file or several, or the `segments.json` of an index in segments, which stands for all of them; they can
   * also be added later.
   */
  documents?: Source | readonly Source[] | undefined;
}

/** Names of fields, each with a value or several. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** What a search takes beside its query. */
export interface SearchOptions {
  /** From 0 (cosine) upwards (towards the dot product); the model's own where left out. */
  epsilon?: number | undefined;
  /** How many hits at most: 1 or more, 10 where left out. */
  limit?: number | undefined;
  /** Only documents of this language. */
  language?: string | undefined;
  /**
   * What similarity weighs beside the lexical score, from 0 to 1; the model's own where left out. Without translations
   * similarity is all there is.
   */
  dense?: number | undefined;
  /**
   * Only documents that have, in each of these fields, one of its values: `{ topic: ["sea", "weather"], year: "2024" }`.
   * Which there are,
   * {@link SmoothClir.fields} says; an empty list asks for nothing.
   */
  filters?: Fields | undefined;
  /**
   * The best documents, `limit` at most, in the order of a field's values instead of their scores: `"year"` from the
   * lowest, `"-year"` from the highest, numbers as numbers. Documents without it come last.
   */
  sort?: string | undefined;
  /** Gives the search up; its promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** What a search result is explained by. */
export interface ExplainOptions {
  /** The document's `id`; of several with the same one the first. */
  document: string;
  /** Its language, where ids of several languages are the same. */
  language?: string | undefined;
  /** As in a search. */
  epsilon?: number | undefined;
  /** As in a search. */
  dense?: number | undefined;
}

/** What a word adds to a similarity: that similarity less the one without the word. Undefined for a word that is not known. */
export interface WordShare {
  token: string;
  /** The known word that it is taken for, where it is misspelt. */
  meant?: string | undefined;
  adds: number | undefined;
}

/** A word of the query that was found in a document, in translation; or the stem of one, as `rain-` or `-enda`. */
export interface Taken {
  token: string;
  /** The words it was taken for that the document has: the share of each in all it is taken for, and how often it is there. */
  terms: { token: string; share: number; count: number }[];
  /** Its part of the score: these add up to what the lexical score adds. */
  adds: number;
}

/** What a score is made of: `weights[0] * similarity + weights[1] * lexical`. */
export interface Explanation {
  /** The query's words, and what each adds to the similarity: exact, but no sum. */
  query: WordShare[];
  /** The document's words; none where its text or its side of the model is not loaded. */
  document: WordShare[];
  queryNorm: number;
  documentNorm: number;
  dot: number;
  similarity: number;
  /** Undefined where the model has no translations of the document's language. */
  lexical: number | undefined;
  /** What similarity and the lexical score weigh. */
  weights: [dense: number, lexical: number];
  score: number;
  /** The query's words that were found in the document, and what they were taken for. */
  taken: Taken[];
  /** The language of documents that the query is in; undefined for the queries' own. */
  queryLanguage: string | undefined;
}

/** All documents of an engine. */
export interface Documents {
  ids: string[];
  languages: string[];
  norms: Float32Array;
}

/** What a person says of a document that was found. */
export interface Mark {
  query: string;
  /** The document's `id`; of several with the same one the first. */
  document: string;
  /** The document's language, where ids of several languages are the same. */
  language?: string | undefined;
  /** 0 for not relevant, 1 for partly, 2 for relevant: up to the number of the model's thresholds. */
  grade: number;
}

/** How to learn from marks. */
export interface LearnOptions {
  /** Steps at most, 1 or more; 30 where left out. */
  steps?: number | undefined;
  /** Adam's step size; 0.01 where left out. */
  learningRate?: number | undefined;
  /** The longest gradient that is taken as it is. */
  clip?: number | undefined;
  /** How strongly words are pulled back to the loaded model's rows; 0 where left out. */
  pull?: number | undefined;
  /** Where to take the steps: `"auto"`, which is the usual, is the graphics card where there is one. */
  device?: DeviceWish | undefined;
  /** Called for each step. */
  onProgress?: ((progress: LearnProgress) => void) | undefined;
  /** Gives the lesson up: nothing of it is taken over, and its promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** What to train on: texts by name, and which document has which grade for which query. */
export interface TrainingTexts {
  queries: readonly { id: string; text: string }[];
  documents: readonly { id: string; text: string }[];
  /** Grades above 0; what is not judged is irrelevant. */
  judged: readonly { query: string; document: string; grade: number }[];
}

/** How to train. */
export interface TrainingOptions {
  /** The documents' language: it names the stream of their rows' random numbers. "fr" where left out. */
  language?: string | undefined;
  /** 64 where left out. */
  dimension?: number | undefined;
  /** 0.5 where left out. */
  epsilon?: number | undefined;
  /** 0.2 and 0.7 where left out. */
  thresholds?: readonly number[] | undefined;
  /** 0.01 where left out. */
  learningRate?: number | undefined;
  /** Irrelevant documents drawn for each query; 40 where left out. */
  negatives?: number | undefined;
  /** From 0 to 4,294,967,295; 1 where left out. In WebAssembly the same seed gives the same bits everywhere. */
  seed?: number | undefined;
  /** Where to take the steps: `"auto"`, which is the usual, is the graphics card where there is one. */
  device?: DeviceWish | undefined;
}

/** How a training ranks some queries. */
export interface Look {
  /** The means of the metrics, by name. */
  metrics: Record<string, number>;
  /** The score of each document of each of these queries. */
  scores: Float32Array;
  /** Its grade. */
  grades: Uint8Array;
}

/**
 * A training from scratch, a step at a time: in WebAssembly with the trainer's own steps and bits, on the graphics card
 * with the same steps but for rounding.
 */
export interface Training {
  /** Steps in an epoch. */
  readonly stepsInEpoch: number;
  /** Where the next step is taken, and why there. A graphics card that fails takes no step with it. */
  readonly device: Device;
  /** Takes so many steps, 1 where left out: the mean loss before each, and the epoch of the last, from 1. */
  step(count?: number): Promise<{ losses: Float64Array; epoch: number }>;
  /** How queries rank now: those that it is not trained on or, where `seen`, as many of those that it is. */
  look(options?: { seen?: boolean | undefined }): Promise<Look>;
  /** Gives its memory back. */
  end(): Promise<void>;
}

/** What encoding texts takes beside them. */
export interface TextsOptions {
  /** The language of all of them, one of the model's. */
  language: string;
  /** Called for each piece of them. */
  onProgress?: ((progress: TextsProgress) => void) | undefined;
  /** Gives them up: none is added, and the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Which map of the gradient to make. */
export interface GradientMapOptions {
  /** Points along each side, 1 to 2048; an odd number puts the origin on a point. */
  size: number;
  /** The plane reaches from `-extent` to `+extent` on both axes. */
  extent: number;
  epsilon: number;
}

/** A search engine: a model, the documents it has encoded, and where it runs. */
export class SmoothClir {
  readonly #link: Link;
  #device: Device | undefined;
  #facts: Facts = { epsilon: 1, dimension: 0, documentCount: 0, languages: [], description: {} };

  private constructor(link: Link) {
    this.#link = link;
  }

  /**
   * Starts an engine and loads a model, with documents where they are given.
   *
   * @throws {SmoothClirError} with a `code`, see {@link ErrorCode}; or the signal's reason.
   */
  static async load(options: LoadOptions): Promise<SmoothClir> {
    if (options?.model === undefined) throw new SmoothClirError("invalid-argument", "`model` is missing");
    // Files come while the engine starts.
    return together(options.signal, async (signal) => {
      const both = { ...options, signal };
      const starting = SmoothClir.start(both);
      try {
        const [engine, files] = await Promise.all([starting, fetchFiles(options.model, options.documents, both)]);
        await engine.#take(files, both);
        return engine;
      } catch (error) {
        starting.then((engine) => engine.close()).catch(() => {});
        throw error;
      }
    });
  }

  /** Starts an engine without a model: {@link gradientMap} works at once, the rest after {@link loadModel}. */
  static async start({ worker = "auto", signal }: StartOptions = {}): Promise<SmoothClir> {
    const known = worker === "auto" || typeof worker === "boolean" || worker instanceof URL;
    check(known, '`worker` is "auto", true, false or a URL');
    return new SmoothClir(await open(worker, signal));
  }

  /** Loads a model in the place of the one before, whose documents go with it. */
  async loadModel(
    model: Source | readonly Source[],
    documents?: Source | readonly Source[],
    options: DocumentsOptions = {},
  ): Promise<void> {
    await this.#take(await fetchFiles(model, documents, options), options);
  }

  async #take({ sides, indexes }: Files, options: DocumentsOptions): Promise<void> {
    options.signal?.throwIfAborted();
    // An abort leaves what is loaded loaded: the facts are those of the engine.
    const loading = this.#link.call("loadModel", sides).then(({ model, facts }) => {
      this.#facts = facts;
      return model;
    });
    await this.#add(indexes, options, await abortable(loading, options.signal));
  }

  /** Adds the documents of one index file or several, or of a `segments.json`. */
  async addDocuments(source: Source | readonly Source[], options: DocumentsOptions = {}): Promise<void> {
    await this.#add(await fetchIndexes([source].flat() as Source[], options), options);
  }

  /** To a model, or else to the one that is loaded. */
  async #add(indexes: readonly IndexFile[], { onMissing, signal }: DocumentsOptions, model?: number): Promise<void> {
    const failures: Error[] = [];
    for (const { file, bytes, origin } of indexes) {
      try {
        if (bytes instanceof Error) throw bytes;
        signal?.throwIfAborted();
        const adding = this.#link.call("addDocuments", bytes, origin, model).then((facts) => {
          this.#facts = facts;
        });
        await abortable(adding, signal);
      } catch (error) {
        // Not of an engine that stopped.
        const isOfFile = error instanceof SmoothClirError && !STOPPED.includes(error.code);
        if (!onMissing || signal?.aborted || !isOfFile) throw error;
        failures.push(error);
        onMissing({ file, error });
      }
    }
    if (failures.length > 0 && failures.length === indexes.length) throw failures[0];
  }

  /**
   * Takes away the documents of a language, also those of {@link addTexts}, with the document side of the model that is
   * in a file of its own. What they took of the memory is used for what is loaded next.
   *
   * @throws {SmoothClirError} with the code `missing-part` where nothing of the language is loaded, or where its documents
   * share an index file with others: make an index for each language where one is to go.
   */
  async removeLanguage(language: string): Promise<void> {
    check(typeof language === "string", "`language` is a string");
    this.#facts = await this.#link.call("removeLanguage", language);
  }

  /** The documents that are most like the query, best first; none where no word of it is known. */
  async search(query: string, options: SearchOptions = {}): Promise<Hit[]> {
    const { epsilon, limit = 10, language, dense, filters = {}, sort, signal } = options ?? {};
    signal?.throwIfAborted();
    check(typeof query === "string", "a query is a string");
    checkNumbers({ epsilon, dense });
    check(Number.isInteger(limit) && limit >= 1 && limit <= 0xffff_ffff, "`limit` is a whole number of 1 or more");
    check(language === undefined || typeof language === "string", "`language` is a string");
    const chosen = pairs(filters, "`filters`");
    check(sort === undefined || typeof sort === "string", "`sort` is a string");
    const hits = await abortable(this.#link.call("search", query, epsilon, limit, language, dense, chosen), signal);
    return sort === undefined ? hits : sorted(hits, sort);
  }

  /** Of each field that documents have, its values, sorted, and how many documents have each. */
  async fields(): Promise<Record<string, [value: string, count: number][]>> {
    return this.#link.call("fields");
  }

  /** Fetches all texts of an index in a folder that have not been shown yet: what needs no network later has them here. */
  async fetchTexts({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    signal?.throwIfAborted();
    await abortable(this.#link.call("fetchTexts"), signal);
  }

  /**
   * Measures whether the graphics card ranks these documents faster than WebAssembly, and has it do so if it does: for
   * indexes of some 100,000 documents and more. It finds the same documents: what it proposes is scored again. Searches
   * in one language, and all with a model that has translations, stay in WebAssembly. The part that does this is fetched on the first use. With `force` the card ranks
   * even where it is slower.
   */
  async rankOnGpu({ force = false }: { force?: boolean } = {}): Promise<RankingDevice> {
    check(typeof force === "boolean", "`force` is true or false");
    return this.#link.call("rankOnGpu", force);
  }

  /** The words of a query, in order, and which of them the model knows. */
  async tokens(query: string, { signal }: { signal?: AbortSignal } = {}): Promise<Token[]> {
    signal?.throwIfAborted();
    check(typeof query === "string", "a query is a string");
    return abortable(this.#link.call("tokens", query), signal);
  }

  /**
   * What the score of a document is made of: what each word of the query adds to its similarity and, where the document's
   * side of the model is loaded, each word of the document; and which words were taken for others. Undefined where there
   * is no such document.
   */
  async explain(
    query: string,
    options: ExplainOptions,
  ): Promise<Explanation | undefined> {
    const { document, language, epsilon, dense } = options ?? {};
    check(typeof query === "string" && typeof document === "string", "a query and a document are strings");
    check(language === undefined || typeof language === "string", "`language` is a string");
    checkNumbers({ epsilon, dense });
    return this.#link.call("explain", query, document, language, epsilon, dense);
  }

  /** A query's norm and its dot products with all documents, in the order of {@link documents}. */
  async dots(query: string): Promise<{ queryNorm: number; dots: Float32Array }> {
    check(typeof query === "string", "a query is a string");
    const numbers = await this.#link.call("dots", query);
    return { queryNorm: numbers[0]!, dots: numbers.subarray(1) };
  }

  /** All documents, in the order in which they were added; an id is empty where its text has not come yet. */
  async documents(): Promise<Documents> {
    const { norms, names } = await this.#link.call("documents");
    const every = (first: number) => names.filter((_, at) => at % 2 === first);
    return { norms, ids: every(0), languages: every(1) };
  }

  /**
   * The partial derivative in x1 of the smooth cosine similarity of (x1, x2) with (1, 1), on a
   * plane (paper 1, Figure 1): `size * size` numbers, row by row from x2 = `extent` down, in each
   * x1 from `-extent` up. NaN where it is undefined: at the origin for epsilon 0.
   */
  async gradientMap({ size, extent, epsilon }: GradientMapOptions): Promise<Float32Array> {
    check(Number.isInteger(size) && size >= 1 && size <= 2048, "`size` is a whole number from 1 to 2048");
    check(Number.isFinite(extent) && extent > 0, "`extent` is a finite number above 0");
    check(typeof epsilon === "number", "`epsilon` is a number");
    return this.#link.call("gradientMap", size, extent, epsilon);
  }

  /**
   * Learns from marks: the training's own steps, on the rows of the marked texts' words. Documents with a word that
   * moved are encoded again, and the next search ranks by them. The same marks and settings again go on where they were.
   *
   * The part that learns is fetched on the first use. It needs the document side of each marked document's language:
   * load it with the model, or add it with {@link addModel}.
   */
  async learn(marks: readonly Mark[], options: LearnOptions = {}): Promise<Learned> {
    const { steps, learningRate, clip, pull, device = "auto", onProgress, signal } = options;
    signal?.throwIfAborted();
    const number = (value: unknown) => value === undefined || typeof value === "number";
    check(Array.isArray(marks) && marks.length > 0, "`marks` is a list of one mark or more");
    for (const mark of marks) {
      check(typeof mark?.query === "string" && typeof mark.document === "string", "a mark has a query and a document");
      check(mark.language === undefined || typeof mark.language === "string", "a mark's `language` is a string");
      check(Number.isInteger(mark.grade) && mark.grade >= 0 && mark.grade <= 255, "a mark's `grade` is a whole number");
    }
    check(steps === undefined || (Number.isInteger(steps) && steps >= 1), "`steps` is a whole number of 1 or more");
    check([learningRate, clip, pull].every(number), "`learningRate`, `clip` and `pull` are numbers");
    checkDevice(device);
    const given = marks.map(({ query, document, language, grade }) => ({ query, document, language, grade }));
    const settings = { steps, learningRate, clip, pull, device };
    const learned = await this.#link.longCall({ onProgress, signal }, "learn", given, settings);
    this.#device = learned.device;
    return learned;
  }

  /**
   * Adds further sides of the model that is loaded: the document side of a language brings its translations, and is
   * needed for lessons and for texts of one's own.
   */
  async addModel(source: Source | readonly Source[], options: LoadingOptions = {}): Promise<void> {
    await abortable(this.#link.call("addSides", await readAll(source, options)), options.signal);
  }

  /**
   * Encodes documents from their texts and adds them: nothing is sent anywhere. Either all are added or none. It needs
   * the document side of their language: load it with the model, or add it with {@link addModel}.
   */
  async addTexts(texts: readonly Text[], options: TextsOptions): Promise<TextsAdded> {
    const { language, onProgress, signal } = options ?? {};
    signal?.throwIfAborted();
    check(typeof language === "string", "`language` is a string");
    check(Array.isArray(texts), "`texts` is a list of documents");
    const given = texts.map((text) => {
      const { id, title = "" } = text ?? {};
      const right = typeof id === "string" && typeof title === "string" && typeof text.text === "string";
      check(right, "a document has an id, a text and, where wanted, a title: strings");
      return { id, title, text: text.text, fields: pairs(text.fields ?? {}, "a document's `fields`") };
    });
    const { added, facts } = await this.#link.longCall({ onProgress, signal }, "addTexts", given, language);
    this.#facts = facts;
    return added;
  }

  /** Takes away all that {@link addTexts} added. */
  async removeTexts(): Promise<void> {
    this.#facts = await this.#link.call("removeTexts");
  }

  /**
   * All that {@link addTexts} added, as one index file, which {@link addDocuments} and every program for such files read;
   * undefined where there is nothing. Its vectors are those of the model as it was loaded, whatever it learned since.
   */
  async texts(): Promise<Uint8Array | undefined> {
    return this.#link.call("texts");
  }

  /** The documents of an index file that has its texts in it, by any model: to be encoded anew with {@link addTexts}. */
  async textsOf(index: Uint8Array): Promise<IndexedText[]> {
    check(index instanceof Uint8Array, "an index is a Uint8Array");
    return this.#link.call("textsOf", new Uint8Array(index));
  }

  /** Takes back the last change that learning, {@link reset} or {@link remember} made; undefined if there is none. */
  async undo(): Promise<Reencoded | undefined> {
    return this.#link.call("undo");
  }

  /** Goes back to the model as it was loaded; {@link undo} takes that back. */
  async reset(): Promise<Reencoded | undefined> {
    return this.#link.call("reset");
  }

  /** What was learned, as bytes to be kept for {@link remember} on another visit; undefined where nothing was. */
  async learned(): Promise<Uint8Array | undefined> {
    return this.#link.call("learned");
  }

  /** Takes what {@link learned} gave for the same model in place of what is learned now. */
  async remember(learned: Uint8Array): Promise<Reencoded> {
    check(learned instanceof Uint8Array, "what was learned is a Uint8Array");
    return this.#link.call("remember", new Uint8Array(learned));
  }

  /** The model with all that it learned, as a file that every program for such models reads. */
  async export(): Promise<Exported> {
    return this.#link.call("export");
  }

  /** Where the last lesson took its steps, and why there; undefined before the first. */
  get device(): Device | undefined {
    return this.#device;
  }

  /**
   * Begins a training from scratch, in the place of one that was begun before. Of the queries three in five are trained
   * on and one in five is for {@link Training.look}. The part that learns is fetched on the first use.
   */
  async startTraining(texts: TrainingTexts, options: TrainingOptions = {}): Promise<Training> {
    const {
      language = "fr",
      dimension = 64,
      epsilon = 0.5,
      thresholds = [0.2, 0.7],
      learningRate = 0.01,
      negatives = 40,
      seed = 1,
      device = "auto",
    } = options ?? {};
    const all = { language, dimension, epsilon, thresholds, learningRate, negatives, seed, device };
    checkTexts(texts);
    checkDevice(device);
    check(typeof language === "string", "`language` is a string");
    checkNumbers({ epsilon, learningRate });
    check(Array.isArray(thresholds) && thresholds.every((one) => typeof one === "number"), "`thresholds` are numbers");
    check(Number.isInteger(all.dimension) && all.dimension >= 1 && all.dimension <= 4096, "`dimension` is from 1 to 4096");
    check(Number.isInteger(all.negatives) && all.negatives >= 0, "`negatives` is a whole number of 0 or more");
    check(Number.isInteger(all.seed) && all.seed >= 0 && all.seed <= 0xffff_ffff, "`seed` is a whole number of 32 bits");
    return new BegunTraining(this.#link, await this.#link.call("startTraining", texts, all));
  }

  /** The model's own epsilon. */
  get epsilon(): number {
    return this.#facts.epsilon;
  }

  /** How many numbers a vector has; 0 before a model is loaded. */
  get dimension(): number {
    return this.#facts.dimension;
  }

  /** How many documents are loaded. */
  get documentCount(): number {
    return this.#facts.documentCount;
  }

  /** The languages of the documents that are loaded. */
  get languages(): readonly string[] {
    return this.#facts.languages;
  }

  /** What the model's file says of itself. */
  get description(): ModelDescription {
    return this.#facts.description;
  }

  /** Ends the worker and gives the memory back; what is pending rejects with the code `closed`. */
  close(): void {
    this.#link.close();
  }
}

/** A training on the other side of a link. */
class BegunTraining implements Training {
  readonly #link: Link;
  #device: Device;
  readonly stepsInEpoch: number;

  constructor(link: Link, { stepsInEpoch, device }: { stepsInEpoch: number; device: Device }) {
    this.#link = link;
    this.#device = device;
    this.stepsInEpoch = stepsInEpoch;
  }

  get device(): Device {
    return this.#device;
  }

  async step(count = 1): Promise<{ losses: Float64Array; epoch: number }> {
    check(Number.isInteger(count) && count >= 1 && count <= MOST_STEPS, `\`count\` is a whole number from 1 to ${MOST_STEPS}`);
    const { device, ...taken } = await this.#link.call("trainingSteps", count);
    this.#device = device;
    return taken;
  }

  async look({ seen = false }: { seen?: boolean | undefined } = {}): Promise<Look> {
    const { device, look } = await this.#link.call("lookAtTraining", seen);
    this.#device = device;
    return look;
  }

  async end(): Promise<void> {
    await this.#link.call("endTraining");
  }
}

/** As many steps a call may take. */
const MOST_STEPS = 1_000_000;

/** Codes after which an engine does nothing more. */
const STOPPED: readonly string[] = ["closed", "worker-failed", "wasm-failed"];

/** The bytes of a model and of its documents. */
interface Files {
  sides: Uint8Array[];
  indexes: IndexFile[];
}

/** What came of a file of documents. */
interface IndexFile {
  file: string;
  /** Or why they did not come. */
  bytes: Uint8Array | Error;
  origin: Origin | undefined;
}

async function fetchFiles(
  model: Source | readonly Source[],
  documents: Source | readonly Source[] | undefined,
  options: DocumentsOptions,
): Promise<Files> {
  const models = [model].flat() as Source[];
  const indexes = documents === undefined ? [] : ([documents].flat() as Source[]);
  if (models.length === 0) throw new SmoothClirError("invalid-argument", "no model file is given");
  const all = [...models, ...indexes];
  const files = await readSome(all, options.onMissing ? models.length : all.length, options);
  const sides = files.slice(0, models.length).map(({ bytes }) => bytes as Uint8Array);
  return { sides, indexes: indexFiles(files.slice(models.length), options) };
}

async function fetchIndexes(sources: readonly Source[], options: DocumentsOptions): Promise<IndexFile[]> {
  return indexFiles(await readSome(sources, options.onMissing ? 0 : sources.length, options), options);
}

function indexFiles(files: readonly ReadSource[], { manifest, retries, cache }: LoadingOptions): IndexFile[] {
  const origin = (source: Source) =>
    source instanceof Uint8Array
      ? undefined
      : { place: placeOf(source), manifest: manifest && placeOf(manifest), retries, cache };
  return files.map(({ source, bytes }) => ({
    file: source instanceof Uint8Array ? "bytes" : String(source),
    bytes,
    origin: origin(source),
  }));
}

/** The address or path of a file, for a worker too: its own addresses begin elsewhere. */
function placeOf(source: string | URL): string {
  const place = String(source);
  return isNode ? place : addressOf(place).href;
}

function checkTexts(texts: TrainingTexts): void {
  const { queries, documents, judged } = texts ?? {};
  const isText = (one: unknown) => {
    const { id, text } = (one ?? {}) as { id?: unknown; text?: unknown };
    return typeof id === "string" && typeof text === "string";
  };
  for (const [name, list] of Object.entries({ queries, documents })) {
    check(Array.isArray(list) && list.every(isText), `\`${name}\` are a list, each with an id and a text`);
  }
  const isGrade = (one: unknown) => {
    const { query, document, grade } = (one ?? {}) as Record<string, unknown>;
    return typeof query === "string" && typeof document === "string" && Number.isInteger(grade) && (grade as number) >= 0;
  };
  check(Array.isArray(judged) && judged.every(isGrade), "`judged` is a list, each with a query, a document and a grade");
}

function checkDevice(device: DeviceWish): void {
  check(["auto", "webgpu", "wasm"].includes(device), '`device` is "auto", "webgpu" or "wasm"');
}

/** By the first value of a field. */
function sorted(hits: readonly Hit[], by: string): Hit[] {
  const [name, sign] = by.startsWith("-") ? [by.slice(1), -1] : [by, 1];
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return [...hits].sort((one, other) => {
    const [a, b] = [one.fields[name]?.[0], other.fields[name]?.[0]];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    const [x, y] = [Number(a), Number(b)];
    return sign * (Number.isNaN(x) || Number.isNaN(y) ? compare(a, b) : x - y);
  });
}

/** The names and values of fields, one after the other. */
function pairs(fields: Fields, what: string): string[] {
  const expected = `${what} are names, each with a string or a list of strings`;
  check(typeof fields === "object" && fields !== null && !Array.isArray(fields), expected);
  return Object.entries(fields).flatMap(([name, given]) => {
    const values = [given].flat() as unknown[];
    check(values.every((value) => typeof value === "string"), expected);
    return values.flatMap((value) => [name, value as string]);
  });
}

/** Their ranges are the core's to check. */
function checkNumbers(options: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(options)) {
    check(value === undefined || typeof value === "number", `\`${name}\` is a number`);
  }
}

function check(right: boolean, expected: string): void {
  if (!right) throw new SmoothClirError("invalid-argument", expected);
}

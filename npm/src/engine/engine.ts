import { abortable, throwIfAborted, together } from "../abort.js";
import {
  checkArray,
  checkBoolean,
  checkBytes,
  checkDevice,
  checkFields,
  checkGiven,
  checkInteger,
  checkNoOthers,
  checkNumber,
  checkObject,
  checkPositive,
  checkSources,
  checkString,
  checkWord,
  U32_MAX,
} from "../arguments.js";
import { SmoothClirError } from "../errors.js";
import { MAP_POINTS } from "../limits.js";
import { readAll, type WholeSource } from "../loading/sources.js";
import type { EngineState, ModelNumber } from "../protocol.js";
import type {
  AddedDocuments,
  Device,
  DocumentName,
  Documents,
  DocumentsOptions,
  EncodingOptions,
  ExplainOptions,
  Explanation,
  Exported,
  FieldCounts,
  Gloss,
  GradientMapOptions,
  Hit,
  IndexedDocument,
  Judgement,
  LearnOptions,
  LearnResult,
  LexicalMatch,
  LoadingOptions,
  LoadOptions,
  ModelDescription,
  QueryDots,
  QueryOptions,
  RankingDevice,
  Reencoded,
  SearchOptions,
  Source,
  StartOptions,
  Token,
  Training,
  TrainingCollection,
  TrainingOptions,
  UserDocument,
} from "../types.js";
import { type Files, type IndexFile, readFiles, readIndexes } from "./files.js";
import type { Link } from "./link.js";
import { open } from "./open.js";
import { sorted } from "./sort.js";
import { startTraining } from "./training.js";

/** Errors of an engine, and not of a file. */
const STOPPED: readonly string[] = ["closed", "worker-failed", "wasm-failed"];

/** A search engine: a model and the documents it has encoded, in a worker or on the calling thread. */
export class SmoothClir {
  readonly #link: Link;
  #device: Device | undefined;
  #state: EngineState = { epsilon: 1, dimension: 0, documentCount: 0, languages: [], description: {} };

  private constructor(link: Link) {
    this.#link = link;
  }

  /**
   * Starts an engine and loads a model, and documents if they are given. With `engine`, the promise of {@link start}, that one
   * is loaded: a page can start it before it knows which model is wanted.
   *
   * @throws {SmoothClirError} with a `code`, see {@link ErrorCode}; or the signal's reason. The engine is closed then.
   */
  static async load(options: LoadOptions, engine?: Promise<SmoothClir>): Promise<SmoothClir> {
    const { model, documents, worker, signal: wanted, ...files } = options ?? {};
    checkDocumentsOptions(files);
    const [models, indexes] = sources(model, documents);
    // Files are fetched while the engine starts.
    return together(wanted, async (signal) => {
      const loading = { ...files, signal };
      const starting = engine ?? SmoothClir.start({ worker, signal });
      try {
        const [started, read] = await Promise.all([abortable(starting, signal), readFiles(models, indexes, loading)]);
        await started.#load(read, loading);
        return started;
      } catch (error) {
        starting.then((started) => started.close()).catch(() => {});
        throw error;
      }
    });
  }

  /** Starts an engine without a model: {@link gradientMap} works at once, everything else after {@link loadModel}. */
  static async start(options: StartOptions = {}): Promise<SmoothClir> {
    const { worker = "auto", signal, ...others } = options ?? {};
    checkNoOthers(others);
    if (typeof worker !== "boolean" && !(worker instanceof URL)) checkWord("worker", worker, ["auto"], "a boolean", "a URL");
    return new SmoothClir(await open(worker, signal));
  }

  /** Replaces the model, and with it all documents. */
  async loadModel(
    model: Source | readonly Source[],
    documents?: Source | readonly Source[],
    options: DocumentsOptions = {},
  ): Promise<void> {
    const given = checkDocumentsOptions(options);
    await this.#load(await readFiles(...sources(model, documents), given), given);
  }

  async #load({ models, indexes }: Files, options: DocumentsOptions): Promise<void> {
    throwIfAborted(options.signal);
    // An abort does not unload what is loaded: the state is the engine's.
    const loading = this.#link.call("loadModel", ...contentsOf(models)).then(({ model, state }) => {
      this.#state = state;
      return model;
    });
    await this.#add(indexes, options, await abortable(loading, options.signal));
  }

  /** Adds the documents of one or more index files, or of a `segments.json`. */
  async addDocuments(source: Source | readonly Source[], options: DocumentsOptions = {}): Promise<void> {
    const given = checkDocumentsOptions(options);
    await this.#add(await readIndexes(checkSources("source", source, "index files"), given), given);
  }

  /** Adds documents to a model; without `model`, to the loaded one. */
  async #add(indexes: readonly IndexFile[], { onMissing, signal }: DocumentsOptions, model?: ModelNumber): Promise<void> {
    const failures: Error[] = [];
    for (const { file, bytes, digest, origin } of indexes) {
      try {
        if (bytes instanceof Error) throw bytes;
        throwIfAborted(signal);
        const adding = this.#link.call("addDocuments", bytes, digest, origin, model).then((state) => {
          this.#state = state;
        });
        await abortable(adding, signal);
      } catch (error) {
        const isOfFile = error instanceof SmoothClirError && !STOPPED.includes(error.code);
        if (!onMissing || signal?.aborted || !isOfFile) throw error;
        failures.push(error);
        onMissing({ file, error });
      }
    }
    if (failures.length > 0 && failures.length === indexes.length) throw failures[0];
  }

  /**
   * Removes the documents of a language, also those of {@link addUserDocuments}, and its document encoder if it is in a
   * file of its own. The next files that are loaded use their memory.
   *
   * @throws {SmoothClirError} with the code `unknown-language` if nothing of the language is loaded, and `shared-index` if its
   * documents share an index file with other languages: make an index for each language that is to be removed.
   */
  async removeLanguage(language: string): Promise<void> {
    checkString("language", language);
    this.#state = await this.#link.call("removeLanguage", language);
  }

  /** The documents that match the query best, best first; none if no word of it is known. */
  async search(query: string, options: SearchOptions = {}): Promise<Hit[]> {
    const { queryLanguage, epsilon, limit = 10, language, dense, filters = {}, sort, signal, ...others } = options ?? {};
    throwIfAborted(signal);
    checkNoOthers(others);
    checkString("query", query);
    checkGiven(checkNumber, { epsilon, dense });
    checkInteger("limit", limit, 1, U32_MAX);
    checkGiven(checkString, { queryLanguage, language, sort });
    const call = { queryLanguage, epsilon, limit, language, dense, filters: checkFields("filters", filters) };
    const hits = await abortable(this.#link.call("search", query, call), signal);
    return sort === undefined ? hits : sorted(hits, sort);
  }

  /** The fields of all documents, with their values and counts. */
  async fields(): Promise<FieldCounts> {
    return this.#link.call("fields");
  }

  /** Fetches all texts of an index in a folder that have not been shown yet, so that they need no network later. */
  async fetchTexts(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    const { signal, ...others } = options ?? {};
    throwIfAborted(signal);
    checkNoOthers(others);
    await abortable(this.#link.call("fetchTexts"), signal);
  }

  /**
   * Measures whether the GPU ranks these documents faster than WebAssembly, and uses it if it does, or if `force`. The GPU
   * proposes documents and the core scores these again, so the hits are the same. It can pay off from 100,000 documents.
   * Searches in one language or with filters, and those of a model with translations, stay in WebAssembly. The first call
   * fetches the full module.
   */
  async rankOnGpu(options: { force?: boolean } = {}): Promise<RankingDevice> {
    const { force = false, ...others } = options ?? {};
    checkNoOthers(others);
    checkBoolean("force", force);
    return this.#link.call("rankOnGpu", force);
  }

  /**
   * The language that a query is taken for where none is chosen: `en`, unless it is far more likely in another one whose model
   * file is loaded.
   */
  async languageOf(query: string): Promise<string> {
    checkString("query", query);
    return this.#link.call("languageOf", query);
  }

  /** The words of a query, in order, and whether the model knows them. */
  async tokens(query: string, options: QueryOptions & { signal?: AbortSignal } = {}): Promise<Token[]> {
    const { queryLanguage, signal, ...others } = options ?? {};
    throwIfAborted(signal);
    checkNoOthers(others);
    checkString("query", query);
    checkGiven(checkString, { queryLanguage });
    return abortable(this.#link.call("tokens", query, queryLanguage), signal);
  }

  /**
   * The gloss of each of some words of documents in a language: the English word that it most likely stands for, by the
   * model's translations. Undefined where it knows none. It is a guess word by word, not a translation.
   */
  async gloss(words: readonly string[], options: { language: string }): Promise<Gloss[]> {
    checkObject("options", options);
    const { language, ...others } = options;
    checkNoOthers(others);
    checkArray("words", words);
    words.forEach((word, place) => checkString(`words[${place}]`, word));
    checkString("language", language);
    return this.#link.call("gloss", words, language);
  }

  /**
   * For each of some documents, the words of the query whose translations it contains, as {@link explain} has them with the
   * model's own weights: for the excerpts of a list of results, at a fraction of an explanation's time. Empty for a
   * document that is not here.
   */
  async matches(query: string, documents: readonly DocumentName[], options: QueryOptions = {}): Promise<LexicalMatch[][]> {
    const { queryLanguage, ...others } = options ?? {};
    checkNoOthers(others);
    checkString("query", query);
    checkGiven(checkString, { queryLanguage });
    checkArray("documents", documents);
    const names = documents.map(({ document, language } = {} as DocumentName, place) => {
      checkString(`documents[${place}].document`, document);
      checkGiven(checkString, { [`documents[${place}].language`]: language });
      return { document, language };
    });
    return this.#link.call("matches", query, names, queryLanguage);
  }

  /**
   * Explains the score of a document: the contribution of each word of the query to the similarity and, if the document
   * encoder is loaded, of each word of the document; and the translations of the query's words in the document. Undefined
   * if there is no such document.
   */
  async explain(query: string, options: ExplainOptions): Promise<Explanation | undefined> {
    const { document, language, queryLanguage, epsilon, dense, ...others } = options ?? {};
    checkNoOthers(others);
    checkString("query", query);
    checkString("document", document);
    checkGiven(checkString, { language, queryLanguage });
    checkGiven(checkNumber, { epsilon, dense });
    return this.#link.call("explain", query, { document, language, queryLanguage, epsilon, dense });
  }

  /** A query's norm and its dot products with all documents, in the order of {@link documents}. */
  async dots(query: string, options: QueryOptions = {}): Promise<QueryDots> {
    const { queryLanguage, ...others } = options ?? {};
    checkNoOthers(others);
    checkString("query", query);
    checkGiven(checkString, { queryLanguage });
    return this.#link.call("dots", query, queryLanguage);
  }

  /** All documents, in the order in which they were added. */
  async documents(): Promise<Documents> {
    return this.#link.call("documents");
  }

  /**
   * The partial derivative along x1 of the smooth cosine similarity of (x1, x2) with (1, 1), on a plane (paper 1,
   * Figure 1): `size * size` values, row by row from x2 = `extent` down, each row from x1 = `-extent` up. NaN where it is
   * undefined: at the origin for epsilon 0.
   */
  async gradientMap(options: GradientMapOptions): Promise<Float32Array> {
    const { size, extent, epsilon, ...others } = options ?? {};
    checkNoOthers(others);
    checkInteger("size", size, 1, MAP_POINTS);
    checkPositive("extent", extent);
    checkNumber("epsilon", epsilon);
    return this.#link.call("gradientMap", { size, extent, epsilon });
  }

  /**
   * Fine-tunes the model from relevance judgements: the training's own steps, on the rows of the words in the judged
   * texts. Documents with a word whose row changed are encoded again, and the next search ranks by them. The same
   * judgements with the same options continue the steps.
   *
   * The first call fetches the full module. The document encoder of each judged document's language must be loaded: with
   * the model, or by {@link addModel}.
   */
  async learn(judgements: readonly Judgement[], options: LearnOptions = {}): Promise<LearnResult> {
    const { steps, learningRate, clip, pull, device = "auto", onProgress, signal, ...others } = options ?? {};
    throwIfAborted(signal);
    checkNoOthers(others);
    checkArray("judgements", judgements);
    if (judgements.length === 0) throw new SmoothClirError("invalid-argument", "`judgements` must not be empty");
    const given = judgements.map((judgement, at) => {
      checkObject(`judgements[${at}]`, judgement);
      const { query, document, language, grade } = judgement;
      checkString(`judgements[${at}].query`, query);
      checkString(`judgements[${at}].document`, document);
      checkGiven(checkString, { [`judgements[${at}].language`]: language });
      checkInteger(`judgements[${at}].grade`, grade, 0, 255);
      return { query, document, language, grade };
    });
    if (steps !== undefined) checkInteger("steps", steps, 1);
    checkGiven(checkNumber, { learningRate, clip, pull });
    checkDevice(device);
    const call = { steps, learningRate, clip, pull, device };
    const learned = await this.#link.longCall({ onProgress, signal }, "learn", given, call);
    this.#device = learned.device;
    return learned;
  }

  /**
   * Adds further files of the loaded model: document encoders. A language's document encoder brings its translations, and
   * is needed for fine-tuning and for user documents.
   */
  async addModel(source: Source | readonly Source[], options: LoadingOptions = {}): Promise<void> {
    const given = checkLoadingOptions(options);
    const files = await readAll(checkSources("source", source, "model files"), given);
    await abortable(this.#link.call("addEncoders", ...contentsOf(files)), given.signal);
  }

  /**
   * Encodes documents from their texts, here, and adds all of them or none. The document encoder of their language must be
   * loaded: with the model, or by {@link addModel}. The query encoder encodes documents in English, and their lexical
   * score is of the query's own words.
   */
  async addUserDocuments(documents: readonly UserDocument[], options: EncodingOptions): Promise<AddedDocuments> {
    const { language, onProgress, signal, ...others } = options ?? {};
    throwIfAborted(signal);
    checkNoOthers(others);
    checkString("language", language);
    checkArray("documents", documents);
    const given = documents.map((document, at) => {
      checkObject(`documents[${at}]`, document);
      const { id, title = "", section = "", text, fields = {} } = document as unknown as UserDocument;
      checkString(`documents[${at}].id`, id);
      checkString(`documents[${at}].title`, title);
      checkString(`documents[${at}].section`, section);
      checkString(`documents[${at}].text`, text);
      return { id, title, section, text, fields: checkFields(`documents[${at}].fields`, fields) };
    });
    const { added, state } = await this.#link.longCall({ onProgress, signal }, "addUserDocuments", given, language);
    this.#state = state;
    return added;
  }

  /** Removes all documents of {@link addUserDocuments}. */
  async removeUserDocuments(): Promise<void> {
    this.#state = await this.#link.call("removeUserDocuments");
  }

  /**
   * All documents of {@link addUserDocuments} as one index file, which {@link addDocuments} and every program for such
   * files read; undefined if there are none. Its vectors are those of the loaded model, without fine-tuning.
   */
  async exportUserDocuments(): Promise<Uint8Array | undefined> {
    return this.#link.call("exportUserDocuments");
  }

  /** The documents of an index file with its texts, of any model: to be encoded anew by {@link addUserDocuments}. */
  async documentsOf(index: Uint8Array): Promise<IndexedDocument[]> {
    checkBytes("index", index);
    return this.#link.call("documentsOf", new Uint8Array(index));
  }

  /** Takes back the last change by {@link learn}, {@link reset} or {@link remember}; undefined if there is none. */
  async undo(): Promise<Reencoded | undefined> {
    return this.#link.call("undo");
  }

  /** Restores the model as it was loaded; {@link undo} takes that back. */
  async reset(): Promise<Reencoded | undefined> {
    return this.#link.call("reset");
  }

  /** The changes of fine-tuning, as bytes for {@link remember} on another visit; undefined if there are none. */
  async learned(): Promise<Uint8Array | undefined> {
    return this.#link.call("learned");
  }

  /** Replaces the changes of fine-tuning by those that {@link learned} returned for the same model. */
  async remember(learned: Uint8Array): Promise<Reencoded> {
    checkBytes("learned", learned);
    return this.#link.call("remember", new Uint8Array(learned));
  }

  /** The fine-tuned model, as a file that every program for such models reads. */
  async export(): Promise<Exported> {
    return this.#link.call("export");
  }

  /** Where fine-tuning last took its steps, and why there; undefined before the first. */
  get device(): Device | undefined {
    return this.#device;
  }

  /**
   * Starts a training from scratch. Up to 8 go side by side: a further one takes the place of the oldest. Three in five queries are the training set, and one in
   * five is the validation set of {@link Training.evaluate}. The first call fetches the full module.
   */
  async startTraining(collection: TrainingCollection, options: TrainingOptions = {}): Promise<Training> {
    return startTraining(this.#link, collection, options);
  }

  /** The model's own epsilon. */
  get epsilon(): number {
    return this.#state.epsilon;
  }

  /** The dimension of the vectors; 0 before a model is loaded. */
  get dimension(): number {
    return this.#state.dimension;
  }

  /** The number of loaded documents. */
  get documentCount(): number {
    return this.#state.documentCount;
  }

  /** The languages of the loaded documents. */
  get languages(): readonly string[] {
    return this.#state.languages;
  }

  /** The metadata of the model file. */
  get description(): ModelDescription {
    return this.#state.description;
  }

  /** Ends the worker and frees the memory; pending calls reject with the code `closed`. */
  close(): void {
    this.#link.close();
  }
}

/** The options of loading; refuses others. */
function checkLoadingOptions(options: LoadingOptions | null): LoadingOptions {
  const { onProgress, retries, maxBytes, manifest, integrity, cache, signal, ...others } = options ?? {};
  checkNoOthers(others);
  return { onProgress, retries, maxBytes, manifest, integrity, cache, signal };
}

/** The same of documents. */
function checkDocumentsOptions(options: DocumentsOptions | null): DocumentsOptions {
  const { onMissing, ...files } = options ?? {};
  return { ...checkLoadingOptions(files), onMissing };
}

/** The files of a model, and of its documents. */
function sources(
  model: Source | readonly Source[],
  documents: Source | readonly Source[] | undefined,
): [models: Source[], indexes: Source[]] {
  const models = checkSources("model", model, "model files");
  const isNone = documents === undefined || (Array.isArray(documents) && documents.length === 0);
  return [models, isNone ? [] : checkSources("documents", documents, "index files")];
}

/** The bytes of files, and their digests, one after the other. */
function contentsOf(files: readonly WholeSource[]): [Uint8Array[], Uint8Array] {
  return [files.map(({ bytes }) => bytes), Uint8Array.from(files.flatMap(({ digest }) => [...digest]))];
}

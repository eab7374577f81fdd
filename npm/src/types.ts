// The public types of the package. Nothing here runs.

/**
 * Where bytes come from: a URL, the bytes themselves or, in Node, a path. A file whose name ends with `.gz` is decompressed, unless
 * its host has already done so.
 */
export type Source = string | URL | Uint8Array;

/** The progress of a file's download. */
export interface Progress {
  /** The URL or path as it was given; for bytes, the word "bytes". */
  file: string;
  /** Bytes so far. */
  loaded: number;
  /** Bytes in all; undefined where the server does not say. */
  total: number | undefined;
}

/** Options of every call that loads files. */
export interface LoadingOptions {
  /** Called for each piece that arrives. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * How often a temporary failure (no connection, a connection that broke, an answer like 503) is retried, with longer and
   * longer waits between: 3 by default. A broken download resumes where it stopped if the server supports that.
   */
  retries?: number | undefined;
  /**
   * The largest file that is loaded, in bytes: 2 GiB by default. A longer one is refused as soon as its length is known; of a
   * file whose name ends with `.gz`, neither the file nor its content may be longer.
   */
  maxBytes?: number | undefined;
  /**
   * The URL or path of a manifest: lengths and SHA-256 of the files, as `npx smooth-clir index` and the native
   * `smooth-clir manifest FOLDER` write them. Each
   * file is then checked before it is used, and kept in the browser's Cache API, so that the next visit fetches only
   * files that have changed. Every file that is given by URL or path must be in the manifest.
   */
  manifest?: string | URL | undefined;
  /**
   * The SHA-256 of the manifest, as in `integrity` of a `<script>`: "sha256-" and base64. Any other manifest is refused, so that
   * whoever can change the files of a host, and its manifest, can still change none that is used.
   */
  integrity?: string | undefined;
  /** Whether the browser keeps the files of a manifest: true by default. */
  cache?: boolean | undefined;
  /** Cancels loading; the promise rejects with the signal's reason, an `AbortError`. */
  signal?: AbortSignal | undefined;
}

/**
 * The lengths and SHA-256 of files, as `npx smooth-clir index` and the native `smooth-clir manifest FOLDER` write
 * them. A file whose name ends with `.gz` is listed as
 * it is stored. Some hosts send such a file decompressed: it is then checked by the entry of the name without `.gz`, which a
 * manifest can have whether or not that file is in the folder.
 */
export interface Manifest {
  format: "smooth-clir-manifest";
  version: 1;
  /** By path, relative to the manifest. */
  files: Record<string, ManifestEntry>;
}

/** A file of a {@link Manifest}. */
export interface ManifestEntry {
  /** Its length. */
  bytes: number;
  /** In lower-case hexadecimal. */
  sha256: string;
}

/** Where the engine runs. */
export interface StartOptions {
  /**
   * `"auto"`, the default: in a worker where one can start, else on the calling thread. `true`: in a worker, or reject.
   * `false`: on the calling thread. A URL: in a worker of that file, or reject. The file is a copy of the package's
   * `worker.js` with the files beside it, or what a bundler made of `smooth-clir/worker` as an entry (a file that only
   * imports it would be emptied, since imports of this package have no side effects); it must be of the page's own
   * origin.
   */
  worker?: "auto" | boolean | URL | undefined;
  /** Cancels the start; the promise rejects with the signal's reason, and no worker is left behind. */
  signal?: AbortSignal | undefined;
}

/** A file of documents that could not be loaded. */
export interface MissingDocuments {
  /** The URL or path as it was given; for bytes, the word "bytes". */
  file: string;
  /** Why. */
  error: Error;
}

/** Options of loading documents. */
export interface DocumentsOptions extends LoadingOptions {
  /**
   * Called for each file of documents that cannot be loaded; the other files are searched. Without it, or if no file can
   * be loaded, the promise rejects.
   */
  onMissing?: ((missing: MissingDocuments) => void) | undefined;
}

/** Options of {@link SmoothClir.load}. */
export interface LoadOptions extends StartOptions, DocumentsOptions {
  /** A whole model file, or the query encoder of a split model with any of its document encoders. */
  model: Source | readonly Source[];
  /**
   * One or more index files, or the `segments.json` of an index in segments, which stands for all of them. Documents can
   * also be added later.
   */
  documents?: Source | readonly Source[] | undefined;
}

/** The metadata of a model file. */
export interface ModelDescription {
  /** Encoder, dimension, epsilon, thresholds, text rule, languages. */
  config?: Record<string, unknown>;
  /** Seed, options, digest of the data, sources and licences, test metrics. */
  provenance?: Record<string, unknown>;
  /** The name of the training: files belong together if it is the same. Fine-tuning keeps it. */
  space?: string;
}

/** Names of fields, each with a value or several. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** How a query is read. */
export interface QueryOptions {
  /**
   * The language that the query is in: `en`, or one whose model file is loaded. By default it is detected, see
   * {@link SmoothClir.languageOf}.
   */
  queryLanguage?: string | undefined;
}

/** Options of {@link SmoothClir.search}. */
export interface SearchOptions extends QueryOptions {
  /** From 0 (cosine) upwards (towards the dot product); the model's own by default. */
  epsilon?: number | undefined;
  /** The largest number of hits: 1 or more, 10 by default. */
  limit?: number | undefined;
  /** Only documents of this language. */
  language?: string | undefined;
  /**
   * The weight of the dense score against the lexical score, from 0 to 1; the model's own by default. A model without
   * translations has the dense score only.
   */
  dense?: number | undefined;
  /**
   * Only documents that have, in each of these fields, one of the given values:
   * `{ topic: ["sea", "weather"], year: "2024" }`. {@link SmoothClir.fields} lists fields and values. An empty list
   * selects every document.
   */
  filters?: Fields | undefined;
  /**
   * Orders the hits, `limit` at most, by a field's values instead of their scores: `"year"` ascending, `"-year"`
   * descending, numbers as numbers. Documents without the field come last.
   */
  sort?: string | undefined;
  /** Cancels the search; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A document that was found. */
export interface Hit {
  /** Its identifier in the index. */
  id: string;
  /** Its language, as a BCP 47 tag such as `fr`. */
  language: string;
  title: string;
  /** The heading that its text stands under; empty where there is none. */
  section: string;
  text: string;
  /** The ranking's score: the similarity or, of a model with translations, its weighted sum with the lexical score. */
  score: number;
  /**
   * How likely this document is an answer, if it is the best of its language: from its score and the number of documents,
   * taking it that one query in two has an answer here. Undefined where the model was not fitted for it (`train
   * --teacher` does), the document has no lexical score, or `dense` is given.
   */
  probability: number | undefined;
  /** Whether the probability is 0.12 or more, or undefined. Where no hit fits, say so to the person who searches. */
  fits: boolean;
  /** The dense score: smooth cosine similarity, `q.d / ((|q|+eps)(|d|+eps))` (paper 1, eq. 1). */
  similarity: number;
  /**
   * The lexical score, from 0 to 1: BM25 over the expected counts of the query's words in translation. Undefined where
   * the model has no translations of the document's language, and where `dense` is 1.
   */
  lexical: number | undefined;
  /** The dot product `q.d`. */
  dot: number;
  /** The length `|d|` of the document's vector. */
  documentNorm: number;
  /** The values of its fields, such as `{ topic: ["sea", "weather"], year: ["2024"] }`. */
  fields: Record<string, string[]>;
}

/** For each field, its values, sorted, and the number of documents that have each. */
export type FieldCounts = Record<string, [value: string, count: number][]>;

/** A word of a query, as the model reads it. */
export interface Token {
  token: string;
  /** Whether the model knows it; unknown words are left out. */
  known: boolean;
  /** The nearest known spelling, where the word is misspelt. */
  interpreted?: string;
  /**
   * Its weight in the mean of the query's embeddings, from 0 to 1: the commoner the word, the less. Left out where the model weighs all
   * words alike, or has no embedding of it.
   */
  weight?: number;
}

/** What a word of a document most likely stands for in English; undefined where the model knows no translation of it. */
export type Gloss = string | undefined;

/** Which document: see {@link SmoothClir.matches}. */
export interface DocumentName {
  /** Its `id`; the first of several documents with the same one. */
  document: string;
  /** Its language, where ids of several languages are the same. */
  language?: string | undefined;
}

/** Options of {@link SmoothClir.explain}. */
export interface ExplainOptions extends DocumentName, QueryOptions {
  /** As in a search. */
  epsilon?: number | undefined;
  /** As in a search. */
  dense?: number | undefined;
}

/** A word's contribution to a similarity: the similarity less the one without the word. */
export interface WordContribution {
  token: string;
  /** The nearest known spelling, where the word is misspelt. */
  interpreted?: string | undefined;
  /** Undefined for an unknown word. */
  contribution: number | undefined;
}

/** A word of the query, or the stem of one such as `rain-` or `-enda`, whose translations the document contains. */
export interface LexicalMatch {
  token: string;
  /**
   * Its translations in the document: the probability of each among all translations of the word, and its number of
   * occurrences.
   */
  terms: { token: string; probability: number; count: number }[];
  /** Its contribution to the score: these add up to `weights[1] * lexical`. */
  contribution: number;
}

/** The parts of a score: `weights[0] * similarity + weights[1] * lexical`. */
export interface Explanation {
  /** The query's words and their contributions to the similarity: exact, but they do not add up to it. */
  query: WordContribution[];
  /** The document's words; none where its text or the document encoder is not loaded. */
  document: WordContribution[];
  queryNorm: number;
  documentNorm: number;
  dot: number;
  similarity: number;
  /** Undefined where the model has no translations of the document's language. */
  lexical: number | undefined;
  /** The weights of the dense and the lexical score. */
  weights: [dense: number, lexical: number];
  score: number;
  /** The query's words whose translations the document contains. */
  matches: LexicalMatch[];
  /** The document language that the query is written in; undefined for the query language. */
  queryLanguage: string | undefined;
}

/** All documents of an engine, in the order in which they were added. */
export interface Documents {
  /** Empty where a document's text has not been fetched yet. */
  ids: string[];
  languages: string[];
  norms: Float32Array;
}

/** A query's norm and its dot products with all documents. */
export interface QueryDots {
  queryNorm: number;
  /** In the order of {@link Documents}. */
  dots: Float32Array;
}

/** Options of {@link SmoothClir.gradientMap}. */
export interface GradientMapOptions {
  /** Points along each side, 1 to 2048; an odd number puts the origin on a point. */
  size: number;
  /** The plane reaches from `-extent` to `+extent` on both axes. */
  extent: number;
  epsilon: number;
}

/** Where to compute: `"auto"` is the GPU where there is one, else WebAssembly. */
export type DevicePreference = "auto" | "webgpu" | "wasm";

/** Where steps are computed. */
export interface Device {
  kind: "webgpu" | "wasm";
  /** The GPU as its driver names it, or "WebAssembly". */
  name: string;
  /** Why here, for people. */
  reason: string;
}

/** Where searches rank documents, and the times that were measured. */
export interface RankingDevice extends Device {
  /** The median time of 7 searches in WebAssembly, in milliseconds. */
  wasmMs: number | undefined;
  /** The median time of the same searches on the GPU. */
  webgpuMs: number | undefined;
}

/** A person's judgement of a document that was found. */
export interface Judgement {
  /** The query's text. */
  query: string;
  /** The document's `id`; the first of several documents with the same one. */
  document: string;
  /** The document's language, where ids of several languages are the same. */
  language?: string | undefined;
  /** 0 for not relevant, 1 for partly, 2 for relevant: up to the number of the model's thresholds. */
  grade: number;
}

/** Options of {@link SmoothClir.learn}. */
export interface LearnOptions {
  /** The largest number of steps, 1 or more; 30 by default. */
  steps?: number | undefined;
  /** Adam's step size; 0.01 by default. */
  learningRate?: number | undefined;
  /** The largest gradient norm: longer gradients are scaled down to it. */
  clip?: number | undefined;
  /** The strength of the pull of words back to the loaded model's rows; 0 by default. */
  pull?: number | undefined;
  /** Where to take the steps; `"auto"` by default. */
  device?: DevicePreference | undefined;
  /** Called for each step. */
  onProgress?: ((progress: LearnProgress) => void) | undefined;
  /** Cancels fine-tuning: the model stays as it was, and the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A step of fine-tuning. */
export interface LearnProgress {
  /** The step that was taken, from 1. */
  step: number;
  /** The largest number of steps. */
  steps: number;
  /** The judgements' mean loss before it (paper 1, eq. 2). */
  loss: number;
}

/** The effect of a change of the model on the documents. */
export interface Reencoded {
  /** Documents that were encoded again: those with a word that changed. */
  documents: number;
  /** Documents whose texts are not loaded: they keep their vectors until they are shown. */
  pending: number;
}

/** The result of fine-tuning. */
export interface LearnResult extends Reencoded {
  /** Where the steps were taken. */
  device: Device;
  /** The number of judgements used; of several on the same query and document the last one counts. */
  judgements: number;
  /** The number of rows that changed. */
  rows: number;
  /** The judgements' mean loss before each step. The steps end early once it is 0. */
  losses: number[];
}

/** A fine-tuned model, as a file. */
export interface Exported {
  /** A whole model file, in the precision of the loaded one; index documents with it anew. */
  bytes: Uint8Array;
  /** The largest difference between a fine-tuned parameter and the file's: 0 for 32-bit files. */
  largestError: number;
  /** The root mean square of these differences. */
  meanError: number;
}

/** A user document, to be encoded here. */
export interface UserDocument {
  /** Unique among the documents of its language. */
  id: string;
  /** Shown, not encoded; empty by default. */
  title?: string | undefined;
  /** The heading that its text stands under: shown, not encoded; empty by default. */
  section?: string | undefined;
  text: string;
  /** Values to filter and sort by. */
  fields?: Fields | undefined;
}

/** A document of an index file. */
export interface IndexedDocument extends UserDocument {
  title: string;
  section: string;
  language: string;
  fields: Record<string, string[]>;
}

/** Options of {@link SmoothClir.addUserDocuments}. */
export interface EncodingOptions {
  /** The language of all the documents, one of the model's. */
  language: string;
  /** Called after each batch of documents. */
  onProgress?: ((progress: EncodingProgress) => void) | undefined;
  /** Cancels encoding: no document is added, and the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** The progress of encoding. */
export interface EncodingProgress {
  /** Documents so far. */
  done: number;
  /** Documents in all. */
  documents: number;
}

/** The result of encoding documents. */
export interface AddedDocuments {
  documents: number;
  /** Documents without a known word: no search finds them. */
  unknown: number;
  /** The number of known words of each document. */
  knownWords: Uint32Array;
  /** The number of words of each document. */
  words: Uint32Array;
}

/** A collection to train on. */
export interface TrainingCollection {
  queries: readonly { id: string; text: string }[];
  documents: readonly { id: string; text: string }[];
  /** Relevance judgements by ids, with grades above 0; any other document is not relevant. */
  qrels: readonly { query: string; document: string; grade: number }[];
}

/** Options of {@link SmoothClir.startTraining}. */
export interface TrainingOptions {
  /** The documents' language: it names the stream of random numbers for their rows. "fr" by default. */
  language?: string | undefined;
  /** 64 by default. */
  dimension?: number | undefined;
  /** 0.5 by default. */
  epsilon?: number | undefined;
  /** 0.2 and 0.7 by default. */
  thresholds?: readonly number[] | undefined;
  /** `"sosl"` by default. `"three-part"` takes two or three thresholds. */
  loss?: "sosl" | "three-part" | "mse" | "proportional-odds-paper" | "proportional-odds" | undefined;
  /** The scale of proportional odds; 10 by default. */
  scale?: number | undefined;
  /**
   * Whether there is one more grade than thresholds, whatever the judgements have: a document that answers the query has the
   * highest grade, one of grade 1 the next, and each link between documents further away costs a grade. Two documents are
   * linked if a query that the one answers has the other at grade 1. The judgements have grades 1 and 2. False by default.
   */
  gradesByLinks?: boolean | undefined;
  /** 0.01 by default. */
  learningRate?: number | undefined;
  /** The largest norm of a step's gradient over all rows: a longer one is scaled down. No limit by default. */
  clip?: number | undefined;
  /** Plain gradient descent instead of Adam, in WebAssembly: step t has the size `descent / t`. */
  descent?: number | undefined;
  /**
   * A step of the first epoch, from 1: a pair of a validation query with another grade takes the place of the first pair of
   * this step. For a comparison of two trainings by {@link Training.distance}.
   */
  replaced?: number | undefined;
  /** The standard deviation of the initial rows; 0.2 by default. */
  standardDeviation?: number | undefined;
  /** Pairs in a step; 128 by default. */
  batchSize?: number | undefined;
  /** Sampled negatives for each query; 40 by default. */
  negatives?: number | undefined;
  /** From 0 to 4,294,967,295; 1 by default. In WebAssembly the same seed gives the same bits everywhere. */
  seed?: number | undefined;
  /** Where to take the steps; `"auto"` by default. */
  device?: DevicePreference | undefined;
}

/** The rankings of some queries, evaluated. */
export interface TrainingEvaluation {
  /** The means of the metrics, by name. */
  metrics: Record<string, number>;
  /** The score of each document of each of these queries. */
  scores: Float32Array;
  /** The grade of each document of each of these queries. */
  grades: Uint8Array;
}

/** The result of some steps of training. */
export interface TrainingSteps {
  /** The mean loss before each step. */
  losses: Float64Array;
  /** The epoch of the last step, from 1. */
  epoch: number;
  /**
   * The length of the longest gradient of the score in each step, over the pairs whose loss has a slope, in the query's or
   * the document's vector: at most 1/epsilon. 0 where there is none; NaN for steps on the GPU.
   */
  longestGradients: Float32Array;
  /** Their median length. */
  medianGradients: Float32Array;
  /** Steps whose gradient over all rows was scaled down to the option `clip`. */
  clipped: number;
}

/** How far two trainings are apart. */
export interface TrainingDistance {
  /** The Euclidean distance of their weights. */
  weights: number;
  /** The largest difference of the losses of a pair that {@link Training.evaluate} ranks. */
  loss: number;
}

/**
 * A training from scratch, a step at a time: in WebAssembly with the native trainer's steps and bits, on the GPU with the
 * same steps up to rounding.
 */
export interface Training {
  /** Steps in an epoch. */
  readonly stepsInEpoch: number;
  /** Where the next step is taken, and why there. If the GPU fails, the steps continue in WebAssembly. */
  readonly device: Device;
  /** Takes `count` steps, 1 by default. */
  step(count?: number): Promise<TrainingSteps>;
  /** Ranks the validation queries with the current model or, if `seen`, as many of the training queries. */
  evaluate(options?: { seen?: boolean | undefined }): Promise<TrainingEvaluation>;
  /** How far it is from another training of this engine, of the same collection and dimension. */
  distance(other: Training): Promise<TrainingDistance>;
  /** Frees its memory. */
  end(): Promise<void>;
}

// The calls from the page to the host, which holds the WebAssembly engine: in a worker, or on the calling thread.
// `Calls` names each call once, with its arguments and its answer: the host implements it, a link sends it.
import { causedBy, messageOf, SmoothClirError } from "./errors.js";
import type {
  AddedDocuments,
  Device,
  DevicePreference,
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
  ModelDescription,
  QueryDots,
  RankingDevice,
  Reencoded,
  Token,
  TrainingCollection,
  TrainingDistance,
  TrainingEvaluation,
  TrainingOptions,
  TrainingSteps,
} from "./types.js";

/** Every call: its arguments, its progress if it takes a {@link Task}, and its answer. @internal */
export interface Calls {
  /** Loads the WebAssembly module that searches. */
  start(): void;
  /** Replaces the model, and with it all documents; with the {@link ownDigest} of each file, one after the other. */
  loadModel(files: Uint8Array[], digests: Uint8Array): { model: ModelNumber; state: EngineState };
  /** Adds further files of the loaded model. */
  addEncoders(files: Uint8Array[], digests: Uint8Array): void;
  /**
   * Adds the documents of an index file, which was given as bytes if it has no `origin`. With `model` it is for that model
   * and no later one.
   */
  addDocuments(index: Uint8Array, digest: Uint8Array, origin: Origin | undefined, model: ModelNumber | undefined): EngineState;
  /** Removes the documents of a language and its document encoder. */
  removeLanguage(language: string): EngineState;
  search(query: string, options: SearchCall): Hit[];
  /** Fetches all texts of documents that have not been fetched yet. */
  fetchTexts(): void;
  fields(): FieldCounts;
  languageOf(query: string): string;
  tokens(query: string, queryLanguage: string | undefined): Token[];
  gloss(words: readonly string[], language: string): Gloss[];
  matches(query: string, documents: readonly DocumentName[], queryLanguage: string | undefined): LexicalMatch[][];
  explain(query: string, options: ExplainCall): Explanation | undefined;
  dots(query: string, queryLanguage: string | undefined): QueryDots;
  documents(): Documents;
  gradientMap(options: GradientMapOptions): Float32Array;
  /** Measures whether the GPU ranks faster, and uses it if it does, or if `force`. */
  rankOnGpu(force: boolean): RankingDevice;
  /** Fine-tunes the model. */
  learn(judgements: readonly Judgement[], options: LearnCall, task: Task<LearnProgress>): LearnResult;
  /** Encodes and adds documents. */
  addUserDocuments(
    documents: readonly CheckedDocument[],
    language: string,
    task: Task<EncodingProgress>,
  ): { added: AddedDocuments; state: EngineState };
  /** Removes the documents that were encoded here. */
  removeUserDocuments(): EngineState;
  /** The documents that were encoded here, as an index file. */
  exportUserDocuments(): Uint8Array | undefined;
  /** The documents of an index file, which is not added. */
  documentsOf(index: Uint8Array): IndexedDocument[];
  undo(): Reencoded | undefined;
  reset(): Reencoded | undefined;
  /** The changes of fine-tuning, to be kept for another visit. */
  learned(): Uint8Array | undefined;
  /** Replaces the changes of fine-tuning by those of an earlier visit. */
  remember(learned: Uint8Array): Reencoded;
  export(): Exported;
  /** Starts a training from scratch; the number names it. */
  startTraining(collection: TrainingCollection, options: TrainingCall): { training: number; stepsInEpoch: number; device: Device };
  trainingSteps(training: number, count: number): { steps: TrainingSteps; device: Device };
  evaluateTraining(training: number, seen: boolean): { evaluation: TrainingEvaluation; device: Device };
  trainingDistance(training: number, other: number): TrainingDistance;
  endTraining(training: number): void;
}

/** Long work as the host sees it. @internal */
export interface Task<Progress> {
  /** Tells the caller how far the work is. */
  report(progress: Progress): void;
  /** Whether the caller has cancelled it. */
  isCancelled(): boolean;
}

/** @internal */
export type Method = keyof Calls;

type ArgumentsOf<M extends Method> = Parameters<Calls[M]>;

/** A method's arguments as they are sent: without its task. @internal */
export type Sent<M extends Method> = ArgumentsOf<M> extends [...infer Rest, Task<never>] ? Rest : ArgumentsOf<M>;

/** A method's progress reports. @internal */
export type ProgressOf<M extends Method> = ArgumentsOf<M> extends [...unknown[], Task<infer Progress>] ? Progress : never;

/** @internal */
export type Answer<M extends Method> = ReturnType<Calls[M]>;

/** The calls as the host implements them: it may take its time. @internal */
export type Handlers = { [M in Method]: (...args: ArgumentsOf<M>) => Answer<M> | Promise<Answer<M>> };

/** Counts the models that an engine has loaded. @internal */
export type ModelNumber = number;

/** The properties of the engine that the page reads without a call. @internal */
export interface EngineState {
  epsilon: number;
  dimension: number;
  documentCount: number;
  languages: string[];
  description: ModelDescription;
}

/** Where an index was loaded from, and how: its texts are fetched from beside it. @internal */
export interface Origin {
  /** Its URL or path. */
  place: string;
  /** The URL or path of its manifest. */
  manifest: string | undefined;
  retries: number | undefined;
  integrity: string | undefined;
  maxBytes: number | undefined;
  cache: boolean | undefined;
}

/** Options of a search, checked. @internal */
export interface SearchCall {
  queryLanguage: string | undefined;
  epsilon: number | undefined;
  limit: number;
  language: string | undefined;
  dense: number | undefined;
  filters: Record<string, string[]>;
}

/** Options of an explanation, checked. @internal */
export interface ExplainCall {
  document: string;
  language: string | undefined;
  queryLanguage: string | undefined;
  epsilon: number | undefined;
  dense: number | undefined;
}

/** Options of fine-tuning, checked. @internal */
export interface LearnCall {
  steps: number | undefined;
  learningRate: number | undefined;
  clip: number | undefined;
  pull: number | undefined;
  device: DevicePreference;
}

/** A document to encode, checked. @internal */
export interface CheckedDocument {
  id: string;
  title: string;
  section: string;
  text: string;
  fields: Record<string, string[]>;
}

/** Options of a training, with the device to take the steps on. @internal */
export type TrainingCall = TrainingOptions & { device: DevicePreference };

/** Page to worker: a call, or the cancellation of one. @internal */
export type Request = { id: number; method: Method; args: unknown[] } | { abort: number };

/** Worker to page; first of all that its script runs. @internal */
export type Response =
  | { here: true }
  | { id: number; value: unknown }
  | { id: number; progress: unknown }
  | { id: number; error: PlainError };

/** An error as it crosses from the worker. @internal */
export interface PlainError {
  code: string;
  message: string;
}

/** Keeps the code of the package's and the core's errors; any other error means that the module stopped. @internal */
export function toPlain(error: unknown): PlainError {
  const message = messageOf(error);
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string"
    ? { code, message }
    : { code: "wasm-failed", message: `the WebAssembly module stopped: ${message}` };
}

/** @internal */
export function fromPlain({ code, message }: PlainError, cause?: unknown): SmoothClirError {
  return new SmoothClirError(code, message, causedBy(cause));
}

/**
 * The buffers of typed arrays in a message, down to the properties of its parts: they are transferred, not copied.
 * @internal
 */
export function buffersIn(value: unknown, depth = 2): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const visit = (value: unknown, depth: number) => {
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer as ArrayBuffer);
    else if (depth > 0 && typeof value === "object" && value !== null) {
      for (const part of Object.values(value)) visit(part, depth - 1);
    }
  };
  visit(value, depth);
  return [...buffers];
}

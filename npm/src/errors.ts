/**
 * The codes that this package itself gives to refusals:
 *
 * | code | what happened |
 * |---|---|
 * | `network` | no answer, or the connection broke |
 * | `http-status` | the server answered with an error; the message names address and status |
 * | `not-binary` | the server answered with a text, most often a page that says "not found" |
 * | `incomplete` | fewer bytes came than the server announced |
 * | `manifest` | no manifest, or one that does not tell of a file |
 * | `unreadable` | in Node, a file that is missing or cannot be read |
 * | `wasm-failed` | the WebAssembly module could not be loaded, or stopped |
 * | `part-failed` | a part that is fetched on its first use, such as the one that learns, did not come; all else goes on |
 * | `worker-failed` | the worker could not start, or crashed |
 * | `no-model` | a search before a model was loaded |
 * | `closed` | the engine was closed |
 * | `aborted` | a lesson, or the encoding of documents, was given up |
 * | `invalid-argument` | an argument of a wrong type or outside its range |
 */
export type HostErrorCode =
  | "network"
  | "http-status"
  | "not-binary"
  | "incomplete"
  | "manifest"
  | "unreadable"
  | "wasm-failed"
  | "part-failed"
  | "worker-failed"
  | "no-model"
  | "closed"
  | "aborted"
  | "invalid-argument";

/**
 * The codes that the core gives to files and queries that it refuses:
 *
 * | code | what is wrong |
 * |---|---|
 * | `not-safetensors` | no safetensors file, or only a part of one |
 * | `metadata` | safetensors, but not what this library reads |
 * | `newer-version` | made by a later version of the format |
 * | `digest` | damaged or edited: the bytes are not those the file's digest was taken of |
 * | `missing-tensor`, `unknown-tensor` | a part is missing, or is not known |
 * | `tensor-type`, `tensor-shape`, `tensor-value`, `tensor-text` | a part has a wrong form |
 * | `vocabulary` | its tokens are not sorted, unique and non-empty |
 * | `mismatch` | files of different trainings, or an index of another model |
 * | `missing-part`, `twice` | a side of the model, or the texts of documents, are missing; or a side, or a document, is given twice |
 * | `epsilon` | not a finite number of 0 or more |
 * | `dense` | not a number from 0 to 1 |
 * | `thresholds`, `threshold-out-of-reach` | the model's thresholds make no sense |
 * | `query-too-long` | longer than is searched for |
 * | `mark` | a mark that nothing can be learned from |
 * | `learning-option` | a number of a lesson's settings is out of its range |
 * | `too-large` | more than the format can count |
 * | `no-gpu` | there is no GPU that can be used |
 * | `gpu-failed` | the GPU was lost, ran out of memory or refused its work |
 * | `not-for-gpu` | the GPU was asked for what it does not do here |
 */
export type CoreErrorCode =
  | "not-safetensors"
  | "metadata"
  | "newer-version"
  | "digest"
  | "missing-tensor"
  | "unknown-tensor"
  | "tensor-type"
  | "tensor-shape"
  | "tensor-value"
  | "tensor-text"
  | "vocabulary"
  | "mismatch"
  | "missing-part"
  | "twice"
  | "epsilon"
  | "dense"
  | "thresholds"
  | "threshold-out-of-reach"
  | "query-too-long"
  | "mark"
  | "learning-option"
  | "too-large"
  | "no-gpu"
  | "gpu-failed"
  | "not-for-gpu";

/** Every stable code; a later version of the core may add some. */
export type ErrorCode = HostErrorCode | CoreErrorCode | (string & {});

/** A refusal: `message` is for people, `code` for programs. */
export class SmoothClirError extends Error {
  override readonly name = "SmoothClirError";
  /** What kind of refusal this is; stable between versions. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An error as it crosses from the worker. @internal */
export interface PlainError {
  code: string;
  message: string;
}

/** Gives every error a code: the core's own pass through, any other is a stop of the module. @internal */
export function toPlain(error: unknown): PlainError {
  const message = error instanceof Error ? error.message : String(error);
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string"
    ? { code, message }
    : { code: "wasm-failed", message: `the WebAssembly module stopped: ${message}` };
}

/** @internal */
export function fromPlain({ code, message }: PlainError, cause?: unknown): SmoothClirError {
  return new SmoothClirError(code, message, cause === undefined ? undefined : { cause });
}

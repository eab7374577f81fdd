/**
 * The codes of refusals by this package itself:
 *
 * | code | cause |
 * |---|---|
 * | `network` | no answer, or the connection broke |
 * | `http-status` | the server answered with an error; the message has the address and the status |
 * | `not-binary` | the server answered with a text, most often a page that says "not found" |
 * | `incomplete` | fewer bytes arrived than the server announced |
 * | `too-many-bytes` | a file is longer than `maxBytes`, or a manifest or a list of segments than 16 MiB |
 * | `gzip` | a file whose name ends with `.gz` is cut or damaged, or cannot be decompressed here |
 * | `manifest` | the manifest is invalid, or does not list a file |
 * | `unreadable` | in Node, a file is missing or cannot be read |
 * | `wasm-failed` | the WebAssembly module could not be loaded, or stopped, most often for a lack of memory; the next call loads the engine into a new instance |
 * | `part-failed` | a part that is fetched on its first use, such as the fine-tuning module, could not be loaded; everything else continues to work |
 * | `worker-failed` | the worker could not start, or crashed |
 * | `no-model` | a call that needs a model, before one was loaded |
 * | `closed` | the engine was closed, another model was loaded during the call, or the engine could not be loaded again after its module stopped |
 * | `aborted` | fine-tuning, or the encoding of documents, was cancelled |
 * | `unknown-document` | a relevance judgement names a query or a document that is not there, or whose text is not loaded yet |
 * | `invalid-argument` | an argument of the wrong type or outside its range |
 */
export type HostErrorCode =
  | "network"
  | "http-status"
  | "not-binary"
  | "incomplete"
  | "too-many-bytes"
  | "gzip"
  | "manifest"
  | "unreadable"
  | "wasm-failed"
  | "part-failed"
  | "worker-failed"
  | "no-model"
  | "closed"
  | "aborted"
  | "unknown-document"
  | "invalid-argument";

/**
 * The codes of refusals by the core:
 *
 * | code | cause |
 * |---|---|
 * | `not-safetensors` | not a whole safetensors file |
 * | `metadata` | a safetensors file, or a list of segments, of another kind than expected |
 * | `newer-version` | made by a later version of the format |
 * | `digest` | damaged or edited: the bytes do not match the file's digest or the manifest's |
 * | `missing-tensor`, `unknown-tensor` | a tensor is missing, or is not part of the format |
 * | `tensor-type`, `tensor-shape`, `tensor-value`, `tensor-text` | a tensor has a wrong type, shape or value, or is not UTF-8 |
 * | `vocabulary` | tokens are not sorted, unique and non-empty |
 * | `mismatch` | files of different trainings, or an index of another model |
 * | `no-files` | a model of no files |
 * | `missing-encoder` | the query encoder or a language's document encoder is not loaded |
 * | `unknown-language`, `unknown-field` | no index has documents of the language, or with the field |
 * | `shared-index` | documents of a language share their index file with those of others |
 * | `no-such-index`, `wrong-block` | texts of no index here, or of another one |
 * | `missing-texts` | the texts of documents are not loaded |
 * | `too-few-queries`, `too-few-documents` | too few to train on, to validate with or to sample from |
 * | `twice` | an encoder or a document is given twice |
 * | `epsilon` | not a finite number of 0 or more |
 * | `dense` | not a number from 0 to 1 |
 * | `scale` | the scale of proportional odds is not a finite number above 0 |
 * | `thresholds`, `threshold-out-of-reach` | thresholds do not rise between -1 and 1, or no score can reach the highest |
 * | `query-too-long` | the query is longer than the limit |
 * | `judgement` | a relevance judgement that cannot be used |
 * | `learning-option` | an option of fine-tuning is out of its range |
 * | `too-large` | more than the format can count |
 * | `no-gpu` | no GPU can be used |
 * | `gpu-failed` | the GPU was lost, ran out of memory or refused its work |
 * | `not-for-gpu` | the GPU does not support the request |
 * | `no-image-data` | there is no `ImageData` to paint a map into: it is in pages and workers of browsers |
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
  | "no-files"
  | "missing-encoder"
  | "unknown-language"
  | "unknown-field"
  | "shared-index"
  | "no-such-index"
  | "wrong-block"
  | "missing-texts"
  | "too-few-queries"
  | "too-few-documents"
  | "twice"
  | "epsilon"
  | "dense"
  | "scale"
  | "thresholds"
  | "threshold-out-of-reach"
  | "query-too-long"
  | "judgement"
  | "learning-option"
  | "too-large"
  | "no-gpu"
  | "gpu-failed"
  | "not-for-gpu"
  | "no-image-data";

/** Every stable code; a later version of the core may add some. */
export type ErrorCode = HostErrorCode | CoreErrorCode | (string & {});

/** A refusal: `message` is for people, `code` for programs. */
export class SmoothClirError extends Error {
  override readonly name = "SmoothClirError";
  /** The kind of refusal; stable between versions. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The message of anything that was thrown. @internal */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The options of an error with this cause, if there is one. @internal */
export const causedBy = (cause: unknown): ErrorOptions | undefined => (cause === undefined ? undefined : { cause });

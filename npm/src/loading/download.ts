import { checkInteger } from "../arguments.js";
import { causedBy, messageOf, SmoothClirError } from "../errors.js";
import { FILE_BYTES, LIST_BYTES, WAIT_MS } from "../limits.js";
import type { LoadingOptions } from "../types.js";
import { Arriving } from "./arriving.js";

/** Milliseconds before each retry, plus up to half at random. */
const WAITS = [250, 750, 2000];
/** The statuses of temporary failures. */
const TEMPORARY = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The most bytes that are read at once. */
const PIECE_BYTES = 1 << 18;

/** Options of a download. @internal */
export interface DownloadOptions extends LoadingOptions {
  /** The file's length, if it is known beforehand. */
  expected?: number | undefined;
  /** Accepts a text of any type except a page. */
  isText?: boolean | undefined;
  /** Bypasses every cache on the way. */
  reload?: boolean | undefined;
}

/** The most bytes that a file may have. @internal */
export function mostBytes({ maxBytes = FILE_BYTES, isText = false }: { maxBytes?: number | undefined; isText?: boolean | undefined }): number {
  checkInteger("maxBytes", maxBytes, 1);
  return isText ? Math.min(maxBytes, LIST_BYTES) : maxBytes;
}

/** Refuses a file of so many bytes, if these are more than it may have. @internal */
export function checkBytes(file: string, bytes: number, most: number): void {
  if (bytes > most) throw new SmoothClirError("too-many-bytes", `${file} has more than ${most} bytes`);
}

/** A failure after which the same request may succeed. */
class TemporaryFailure {
  constructor(
    readonly error: SmoothClirError,
    /** The wait that the server asks for, in milliseconds. */
    readonly after?: number,
  ) {}
}

/**
 * Downloads a file. Temporary failures are retried; a retry requests only the rest of the file if the server supports
 * that.
 * @internal
 */
export async function download(source: string | URL, file: string, options: DownloadOptions): Promise<Uint8Array> {
  const { signal } = options;
  const retries = options.retries ?? WAITS.length;
  checkInteger("retries", retries, 0);
  const attempts = new Attempts(source, file, options);
  for (let attempt = 0; ; attempt++) {
    try {
      return await attempts.next();
    } catch (failure) {
      signal?.throwIfAborted();
      if (!(failure instanceof TemporaryFailure)) throw failure;
      const wait = failure.after ?? WAITS[Math.min(attempt, WAITS.length - 1)]! * (1 + Math.random() / 2);
      if (attempt >= retries || wait > WAIT_MS || isOffline()) throw failure.error;
      await pause(wait, signal);
    }
  }
}

/** A download, with the bytes that earlier attempts received. */
class Attempts {
  #bytes = new Arriving();
  #total: number | undefined;
  /** Identifies the version of the file, if its rest can be requested. */
  #version: string | undefined;
  readonly #most: number;

  constructor(
    readonly source: string | URL,
    readonly file: string,
    readonly options: DownloadOptions,
  ) {
    // What a manifest says of a file is all that is wanted of it.
    this.#most = options.expected ?? mostBytes(options);
  }

  /** Requests the missing bytes. Throws a `TemporaryFailure` if a retry may succeed. */
  async next(): Promise<Uint8Array> {
    const response = await this.#request();
    try {
      this.#begin(response);
      if (this.#bytes.length === 0) this.#bytes = new Arriving(this.#total);
    } catch (failure) {
      void response.body?.cancel().catch(() => {});
      throw failure;
    }
    this.#tell();
    if (response.body) await this.#receive(readerOf(response.body));
    if (this.#isShort()) throw this.#brokeOff();
    return this.#bytes.bytes();
  }

  async #receive(reader: Reader): Promise<void> {
    try {
      for (;;) {
        const piece = await reader.read().catch((cause: unknown) => {
          throw this.#brokeOff(cause);
        });
        if (piece === undefined) return;
        checkBytes(this.file, this.#bytes.length + piece.length, this.#most);
        this.#bytes.push(piece);
        this.#tell();
      }
    } catch (failure) {
      void reader.cancel().catch(() => {});
      throw failure;
    }
  }

  async #request(): Promise<Response> {
    const request: RequestInit = this.options.reload ? { cache: "reload" } : {};
    if (this.options.signal) request.signal = this.options.signal;
    if (this.#version === undefined) this.#forget();
    else request.headers = { Range: `bytes=${this.#bytes.length}-`, "If-Range": this.#version };
    try {
      return await fetch(this.source, request);
    } catch (cause) {
      const message = `${this.file} could not be fetched: ${messageOf(cause)}`;
      throw new TemporaryFailure(new SmoothClirError("network", message, { cause }));
    }
  }

  /** Checks the headers of an answer: either its body continues the bytes so far, or they are dropped. */
  #begin(response: Response): void {
    const { file } = this;
    const header = (name: string) => response.headers.get(name) ?? "";
    const isRest = response.status === 206;
    if (isRest || response.status === 416) {
      const expected = `bytes ${this.#bytes.length}-${this.#total! - 1}/${this.#total}`;
      if (isRest && this.#version !== undefined && header("content-range") === expected) return;
      this.#forget();
      const message = `${file}: the server answered ${response.status}, which does not continue the earlier bytes`;
      throw new TemporaryFailure(new SmoothClirError("http-status", message));
    }
    if (!response.ok) {
      const words = [response.status, response.statusText].join(" ").trim();
      const error = new SmoothClirError("http-status", `${file}: the server answered ${words}`);
      if (!TEMPORARY.has(response.status)) throw error;
      const seconds = header("retry-after");
      throw /^\d+$/.test(seconds) ? new TemporaryFailure(error, 1000 * Number(seconds)) : new TemporaryFailure(error);
    }
    const refused = this.options.isText ? /^(text\/html|application\/xhtml)/i : /^(text\/|application\/xhtml)/i;
    if (refused.test(header("content-type"))) {
      throw notBinary(file, `the server sent ${header("content-type")}`);
    }
    this.#forget();
    this.#total = this.options.expected;
    // Content-Length counts the bytes of the body only if they are not compressed. Another origin's Content-Encoding is
    // hidden, so its length says nothing.
    if ((header("content-encoding") || "identity") !== "identity" || response.type === "cors") return;
    const length = Number(header("content-length"));
    if (!Number.isSafeInteger(length) || length <= 0) return;
    checkBytes(file, length, this.#most);
    this.#total = length;
    const tag = header("etag");
    const version = tag.startsWith('"') ? tag : header("last-modified");
    if (header("accept-ranges") === "bytes" && version !== "") this.#version = version;
  }

  #forget(): void {
    this.#bytes = new Arriving();
    this.#total = undefined;
    this.#version = undefined;
  }

  #tell(): void {
    this.options.onProgress?.({ file: this.file, loaded: this.#bytes.length, total: this.#total });
  }

  #isShort(): boolean {
    return this.#total !== undefined && this.#bytes.length < this.#total;
  }

  /** If the connection ends before the announced length, a browser rejects the body; other hosts end it. */
  #brokeOff(cause?: unknown): TemporaryFailure {
    const { file } = this;
    if (this.#isShort()) {
      const message = `${file} is incomplete: ${this.#bytes.length} of ${this.#total} bytes arrived`;
      return new TemporaryFailure(new SmoothClirError("incomplete", message, causedBy(cause)));
    }
    const message = `${file} broke off after ${this.#bytes.length} bytes: ${messageOf(cause)}`;
    return new TemporaryFailure(new SmoothClirError("network", message, causedBy(cause)));
  }
}

/** Reads a body; a piece is to be copied before the next is read. */
interface Reader {
  /** Undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
  cancel(): Promise<void>;
}

/**
 * A reader that fills one buffer again and again, where the body allows it: with a buffer for each piece, a browser keeps
 * as many bytes as the file has until it next collects garbage.
 */
function readerOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): Reader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: "byob" });
  } catch {
    const reader = body.getReader();
    return { read: async () => (await reader.read()).value, cancel: () => reader.cancel() };
  }
  let buffer = new ArrayBuffer(PIECE_BYTES);
  return {
    async read() {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) return undefined;
      buffer = value.buffer;
      return value;
    },
    cancel: () => reader.cancel(),
  };
}

/** The refusal of a text in the place of a model or an index. @internal */
export function notBinary(file: string, reason: string): SmoothClirError {
  return new SmoothClirError("not-binary", `${file}: expected a model or an index, but ${reason}`);
}

function isOffline(): boolean {
  return typeof navigator === "object" && navigator.onLine === false;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

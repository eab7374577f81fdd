import { SmoothClirError } from "./errors.js";
import type { LoadingOptions } from "./fetch.js";

/** Milliseconds before each further attempt, up to half as long again. */
const WAITS = [250, 750, 2000];
/** A server that asks for a longer wait is not waited for. */
const LONGEST_WAIT = 10_000;
/** Answers after which the same request may do better. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** What a download takes beside its address. @internal */
export interface DownloadOptions extends LoadingOptions {
  /** The file's length, where it is known beforehand. */
  expected?: number | undefined;
  /** A text, whatever kind of it the server says it is; pages are refused all the same. */
  isText?: boolean | undefined;
  /** Past every cache on the way. */
  reload?: boolean | undefined;
}

/** A failure that may pass. */
class Passing {
  constructor(
    readonly error: SmoothClirError,
    /** When the server wants to be asked again, in milliseconds. */
    readonly after?: number,
  ) {}
}

/**
 * The bytes at an address. A failure that may pass is tried again, and what has come is kept where the
 * server sends the rest of the same file.
 * @internal
 */
export async function download(source: string | URL, file: string, options: DownloadOptions): Promise<Uint8Array> {
  const { signal } = options;
  const retries = options.retries ?? WAITS.length;
  if (!Number.isSafeInteger(retries) || retries < 0) {
    throw new SmoothClirError("invalid-argument", `retries is ${retries}, expected a whole number of 0 or more`);
  }
  const attempts = new Attempts(source, file, options);
  for (let attempt = 0; ; attempt++) {
    try {
      return await attempts.next();
    } catch (failure) {
      signal?.throwIfAborted();
      if (!(failure instanceof Passing)) throw failure;
      const wait = failure.after ?? WAITS[Math.min(attempt, WAITS.length - 1)]! * (1 + Math.random() / 2);
      if (attempt >= retries || wait > LONGEST_WAIT || isOffline()) throw failure.error;
      await pause(wait, signal);
    }
  }
}

/** A file on its way, and what earlier attempts got of it. */
class Attempts {
  #chunks: Uint8Array[] = [];
  #loaded = 0;
  #total: number | undefined;
  /** Says which version of the file the bytes are of, where more of the same can be asked for. */
  #version: string | undefined;

  constructor(
    readonly source: string | URL,
    readonly file: string,
    readonly options: DownloadOptions,
  ) {}

  /** Asks for what is missing. Throws a `Passing` where it may be asked for again. */
  async next(): Promise<Uint8Array> {
    const response = await this.#ask();
    try {
      this.#begin(response);
    } catch (failure) {
      void response.body?.cancel().catch(() => {});
      throw failure;
    }
    this.#tell();
    const reader = response.body?.getReader();
    let isOver = false;
    try {
      for (;;) {
        const piece = await reader?.read().catch((cause: unknown) => {
          throw this.#brokeOff(cause);
        });
        isOver = piece?.done ?? true;
        if (isOver) break;
        this.#chunks.push(piece!.value!);
        this.#loaded += piece!.value!.length;
        this.#tell();
      }
    } finally {
      if (!isOver) void reader?.cancel().catch(() => {});
    }
    if (this.#isShort()) throw this.#brokeOff();
    return this.#joined();
  }

  async #ask(): Promise<Response> {
    const request: RequestInit = this.options.reload ? { cache: "reload" } : {};
    if (this.options.signal) request.signal = this.options.signal;
    if (this.#version === undefined) this.#forget();
    else request.headers = { Range: `bytes=${this.#loaded}-`, "If-Range": this.#version };
    try {
      return await fetch(this.source, request);
    } catch (cause) {
      const message = `${this.file} could not be fetched: ${reason(cause)}`;
      throw new Passing(new SmoothClirError("network", message, { cause }));
    }
  }

  /** Checks an answer, and where its bytes belong. */
  #begin(response: Response): void {
    const { file } = this;
    const header = (name: string) => response.headers.get(name) ?? "";
    const isRest = response.status === 206;
    if (isRest || response.status === 416) {
      const expected = `bytes ${this.#loaded}-${this.#total! - 1}/${this.#total}`;
      if (isRest && this.#version !== undefined && header("content-range") === expected) return;
      this.#forget();
      const message = `${file}: the server answered ${response.status}, which is not the rest of what came before`;
      throw new Passing(new SmoothClirError("http-status", message));
    }
    if (!response.ok) {
      const words = [response.status, response.statusText].join(" ").trim();
      const error = new SmoothClirError("http-status", `${file}: the server answered ${words}`);
      if (!PASSING.has(response.status)) throw error;
      const seconds = header("retry-after");
      throw /^\d+$/.test(seconds) ? new Passing(error, 1000 * Number(seconds)) : new Passing(error);
    }
    const refused = this.options.isText ? /^(text\/html|application\/xhtml)/i : /^(text\/|application\/xhtml)/i;
    if (refused.test(header("content-type"))) {
      throw notBinary(file, `the server sent ${header("content-type")}`);
    }
    this.#forget();
    this.#total = this.options.expected;
    // The header speaks of the same bytes as the body that is read. Another origin's
    // content-encoding is hidden, so nothing follows from its length.
    if ((header("content-encoding") || "identity") !== "identity" || response.type === "cors") return;
    const length = Number(header("content-length"));
    if (!Number.isSafeInteger(length) || length <= 0) return;
    this.#total = length;
    const tag = header("etag");
    const version = tag.startsWith('"') ? tag : header("last-modified");
    if (header("accept-ranges") === "bytes" && version !== "") this.#version = version;
  }

  #forget(): void {
    this.#chunks = [];
    this.#loaded = 0;
    this.#total = undefined;
    this.#version = undefined;
  }

  #tell(): void {
    this.options.onProgress?.({ file: this.file, loaded: this.#loaded, total: this.#total });
  }

  #isShort(): boolean {
    return this.#total !== undefined && this.#loaded < this.#total;
  }

  /** A browser rejects the body where the connection ends before the announced length; others end it. */
  #brokeOff(cause?: unknown): Passing {
    const options = cause === undefined ? undefined : { cause };
    const { file } = this;
    if (this.#isShort()) {
      const message = `${file} is not whole: ${this.#loaded} of ${this.#total} bytes came`;
      return new Passing(new SmoothClirError("incomplete", message, options));
    }
    const message = `${file} broke off after ${this.#loaded} bytes: ${reason(cause)}`;
    return new Passing(new SmoothClirError("network", message, options));
  }

  #joined(): Uint8Array {
    const bytes = new Uint8Array(this.#loaded);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }
}

/** A text where a model or an index should be. @internal */
export function notBinary(file: string, reason: string): SmoothClirError {
  return new SmoothClirError("not-binary", `${file} is a text or a web page, not a model or an index: ${reason}`);
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

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

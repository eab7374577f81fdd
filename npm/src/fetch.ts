import { SmoothClirError } from "./errors.js";

/** Where bytes come from: an address, the bytes themselves, or a path in Node. */
export type Source = string | URL | Uint8Array;

/** How much of a file has come. */
export interface Progress {
  /** The address or path as it was given; for bytes, the word "bytes". */
  file: string;
  /** Bytes so far. */
  loaded: number;
  /** Bytes in all; undefined where the server does not say. */
  total: number | undefined;
}

/** What loading takes beside its source. */
export interface LoadingOptions {
  /** Called for each piece that arrives. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Ends the loading; its promise rejects with the signal's reason, an `AbortError`. */
  signal?: AbortSignal | undefined;
}

/** @internal */
export const isNode =
  typeof process === "object" && typeof process.versions?.node === "string" && typeof window === "undefined";

/** All bytes of all sources, in their order, fetched side by side. @internal */
export async function readAll(source: Source | readonly Source[], options: LoadingOptions): Promise<Uint8Array[]> {
  const sources = Array.isArray(source) ? (source as readonly Source[]) : [source as Source];
  if (sources.length === 0) throw new SmoothClirError("invalid-argument", "no file is given");
  return together(options.signal, (signal) => Promise.all(sources.map((one) => read(one, { ...options, signal }))));
}

/** Work in several parts under one signal: the caller's abort ends all, and so does the first failure. @internal */
export async function together<T>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const group = new AbortController();
  const abort = () => group.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  try {
    return await work(group.signal);
  } catch (error) {
    group.abort();
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

async function read(source: Source, options: LoadingOptions): Promise<Uint8Array> {
  options.signal?.throwIfAborted();
  if (source instanceof Uint8Array) {
    // A copy: the bytes move on into the worker, and the caller keeps what is the caller's.
    const bytes = new Uint8Array(source);
    options.onProgress?.({ file: "bytes", loaded: bytes.length, total: bytes.length });
    return refuseText(bytes, "the given bytes");
  }
  if (!(source instanceof URL) && typeof source !== "string") {
    throw new SmoothClirError("invalid-argument", "a source is an address, a Uint8Array or, in Node, a path");
  }
  const file = String(source);
  if (isNode && !/^https?:/i.test(file)) {
    const path = /^file:/i.test(file) ? new URL(file) : file;
    const bytes = await readPath(path, options.signal);
    options.onProgress?.({ file, loaded: bytes.length, total: bytes.length });
    return refuseText(bytes, file);
  }
  return download(source, file, options);
}

/** A file's bytes, in Node. @internal */
export async function readPath(path: string | URL, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  // The name is not a literal, so that no bundler for browsers looks for the module.
  const name = "node:fs/promises";
  const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
    readFile(path: string | URL, options: { signal?: AbortSignal | undefined }): Promise<Uint8Array>;
  };
  try {
    return new Uint8Array(await readFile(path, { signal }));
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SmoothClirError("unreadable", `${path} cannot be read: ${reason}`, { cause });
  }
}

async function download(source: string | URL, file: string, options: LoadingOptions): Promise<Uint8Array> {
  const { onProgress, signal } = options;
  let response: Response;
  try {
    response = await fetch(source, signal ? { signal } : {});
  } catch (cause) {
    signal?.throwIfAborted();
    throw new SmoothClirError("network", `${file} could not be fetched: ${reason(cause)}`, { cause });
  }
  if (!response.ok) {
    void response.body?.cancel().catch(() => {});
    const words = [response.status, response.statusText].join(" ").trim();
    throw new SmoothClirError("http-status", `${file}: the server answered ${words}`);
  }
  if (/^(text\/|application\/xhtml)/i.test(response.headers.get("content-type") ?? "")) {
    void response.body?.cancel().catch(() => {});
    throw notBinary(file, `the server sent ${response.headers.get("content-type")}`);
  }
  const announced = announcedLength(response);
  const chunks: Uint8Array[] = [];
  let loaded = 0;
  onProgress?.({ file, loaded, total: announced });
  try {
    const reader = response.body?.getReader();
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
      chunks.push(step.value);
      loaded += step.value.length;
      onProgress?.({ file, loaded, total: announced });
    }
  } catch (cause) {
    signal?.throwIfAborted();
    // A browser rejects the body where the connection ends before the announced length.
    if (announced !== undefined && loaded < announced) throw incomplete(file, loaded, announced, cause);
    throw new SmoothClirError("network", `${file} broke off after ${loaded} bytes: ${reason(cause)}`, { cause });
  }
  if (announced !== undefined && loaded < announced) throw incomplete(file, loaded, announced);
  return refuseText(joined(chunks, loaded), file);
}

/** The length to expect, where the header speaks of the same bytes as the body that is read. */
function announcedLength(response: Response): number | undefined {
  const encoding = response.headers.get("content-encoding") ?? "identity";
  // Another origin's content-encoding is hidden, so nothing follows from its length.
  if (encoding !== "identity" || response.type === "cors") return undefined;
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  return Number.isSafeInteger(length) && length > 0 ? length : undefined;
}

function joined(chunks: Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Refuses a text that begins with `<`: a page. The length that begins a true file has zeros. */
function refuseText(bytes: Uint8Array, file: string): Uint8Array {
  if (bytes[0] === 0x3c && !bytes.subarray(0, 8).includes(0)) throw notBinary(file, "it begins with `<`");
  return bytes;
}

function notBinary(file: string, reason: string): SmoothClirError {
  return new SmoothClirError("not-binary", `${file} is a text or a web page, not a model or an index: ${reason}`);
}

function incomplete(file: string, loaded: number, total: number, cause?: unknown): SmoothClirError {
  const message = `${file} is not whole: ${loaded} of ${total} bytes came`;
  return new SmoothClirError("incomplete", message, cause === undefined ? undefined : { cause });
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

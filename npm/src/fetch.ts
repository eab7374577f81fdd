import { download, notBinary } from "./download.js";
import { SmoothClirError } from "./errors.js";
import { KnownFiles } from "./manifest.js";
import { addressOf, isNode, readPath } from "./node.js";
import { isSegments, segmentFiles } from "./segments.js";

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
  /**
   * How often a failure that may pass (no connection, one that broke, an answer like 503) is tried again, with
   * longer and longer waits between: 3 if not given. A file goes on where it broke off if the server can do that.
   */
  retries?: number | undefined;
  /**
   * Where a manifest lies: lengths and SHA-256 of the files, as `smooth-clir manifest FOLDER` writes them. Files are
   * then checked before they are used, and kept in the browser's Cache API, so that next time none of them is
   * fetched that has not changed. All files that are given by address or path must be in it.
   */
  manifest?: string | URL | undefined;
  /** Whether files of a manifest are kept by the browser: true if not given. */
  cache?: boolean | undefined;
  /** Ends the loading; its promise rejects with the signal's reason, an `AbortError`. */
  signal?: AbortSignal | undefined;
}

/** All bytes of all sources, in their order, fetched side by side. @internal */
export async function readAll(source: Source | readonly Source[], options: LoadingOptions): Promise<Uint8Array[]> {
  const sources = [source].flat() as Source[];
  const read = await readSome(sources, sources.length, options);
  return read.map(({ bytes }) => bytes as Uint8Array);
}

/** What came of a source. @internal */
export interface ReadSource {
  source: Source;
  /** Or why they did not come. */
  bytes: Uint8Array | Error;
}

/**
 * The same; of those after the first `needed` a failure stands in the place of the bytes. In the place of a list of
 * segments stand their index files. @internal
 */
export async function readSome(
  sources: readonly Source[],
  needed: number,
  options: LoadingOptions,
): Promise<ReadSource[]> {
  if (sources.length === 0) throw new SmoothClirError("invalid-argument", "no file is given");
  return together(options.signal, async (signal) => {
    const { manifest } = options;
    const known = manifest === undefined ? undefined : await KnownFiles.read(manifest, { ...options, signal });
    const readOne = async (source: Source, isNeeded: boolean): Promise<ReadSource[]> => {
      try {
        const bytes = await read(source, { ...options, signal }, known);
        if (!isSegments(source)) return [{ source, bytes }];
        const files = segmentFiles(source, bytes).map((file) => readOne(file, isNeeded));
        return (await Promise.all(files)).flat();
      } catch (error) {
        if (signal.aborted || isNeeded || !(error instanceof SmoothClirError)) throw error;
        return [{ source, bytes: error }];
      }
    };
    return (await Promise.all(sources.map((source, position) => readOne(source, position < needed)))).flat();
  });
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

/** The bytes of a source; of a manifest's file, those that it tells of. @internal */
export async function read(source: Source, options: LoadingOptions, known?: KnownFiles): Promise<Uint8Array> {
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
  if (known) return known.fetch(source, options);
  if (isNode && !/^https?:/i.test(file)) {
    const path = /^file:/i.test(file) ? new URL(file) : file;
    const bytes = await readPath(path, options.signal);
    options.onProgress?.({ file, loaded: bytes.length, total: bytes.length });
    return refuseText(bytes, file);
  }
  return refuseText(await download(addressOf(file), file, { ...options, isText: isSegments(source) }), file);
}

/** Refuses a text that begins with `<`: a page. The length that begins a true file has zeros. */
function refuseText(bytes: Uint8Array, file: string): Uint8Array {
  if (bytes[0] === 0x3c && !bytes.subarray(0, 8).includes(0)) throw notBinary(file, "it begins with `<`");
  return bytes;
}

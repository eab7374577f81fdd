import { together } from "../abort.js";
import { SmoothClirError } from "../errors.js";
import type { LoadingOptions, Source } from "../types.js";
import { addressOf, isNode, readPath } from "./address.js";
import { checkBytes, download, mostBytes, notBinary } from "./download.js";
import { isGzip, unpack } from "./gzip.js";
import { Lanes } from "./lanes.js";
import { KnownFiles } from "./manifest.js";
import { ownDigest } from "./own-digest.js";
import { isSegments, segmentFiles } from "./segments.js";

/** Reads all sources, a few side by side, in their order. @internal */
export async function readAll(sources: readonly Source[], options: LoadingOptions): Promise<WholeSource[]> {
  return (await readSome(sources, sources.length, options)) as WholeSource[];
}

/** A source that was read. @internal */
export interface ReadSource {
  source: Source;
  /** Or why it could not be read. */
  bytes: Uint8Array | Error;
  /** See {@link ownDigest}. */
  digest: Uint8Array;
}

/** A source that could be read. @internal */
export interface WholeSource extends ReadSource {
  bytes: Uint8Array;
}

/**
 * Reads all sources, a few side by side. The first `needed` must succeed; the failure of any other takes the place of its bytes.
 * The index files of a list of segments take the list's place. @internal
 */
export async function readSome(
  sources: readonly Source[],
  needed: number,
  options: LoadingOptions,
): Promise<ReadSource[]> {
  return together(options.signal, async (signal) => {
    const { manifest, integrity } = options;
    if (integrity !== undefined && (manifest === undefined || !/^sha256-[A-Za-z0-9+/]{43}=$/.test(integrity))) {
      const expected = manifest === undefined ? "goes with `manifest`" : `must be "sha256-" and base64, got ${integrity}`;
      throw new SmoothClirError("invalid-argument", `\`integrity\` ${expected}`);
    }
    const known = manifest === undefined ? undefined : await KnownFiles.read(manifest, { ...options, signal });
    const lanes = new Lanes();
    const readOne = async (source: Source, isNeeded: boolean): Promise<ReadSource[]> => {
      try {
        const bytes = await lanes.run(() => read(source, { ...options, signal }, known));
        if (!isSegments(source)) return [{ source, bytes, digest: await ownDigest(bytes) }];
        const files = segmentFiles(source, bytes).map((file) => readOne(file, isNeeded));
        return (await Promise.all(files)).flat();
      } catch (error) {
        if (signal.aborted || isNeeded || !(error instanceof SmoothClirError)) throw error;
        return [{ source, bytes: error, digest: new Uint8Array(0) }];
      }
    };
    return (await Promise.all(sources.map((source, position) => readOne(source, position < needed)))).flat();
  });
}

/** Reads a source; `known` are the files of a manifest, one of which it must then be. @internal */
export async function read(source: Source, options: LoadingOptions, known?: KnownFiles): Promise<Uint8Array> {
  options.signal?.throwIfAborted();
  if (source instanceof Uint8Array) {
    // A copy: the bytes are transferred to the worker, and the caller keeps the original.
    const bytes = new Uint8Array(source);
    options.onProgress?.({ file: "bytes", loaded: bytes.length, total: bytes.length });
    return refuseText(bytes, "the given bytes");
  }
  const file = String(source);
  const bytes = await (known ? known.fetch(source, options) : readStored(source, file, options));
  return refuseText(isGzip(source) ? await unpack(bytes, file, options) : bytes, file);
}

/** The bytes of a file, as they are stored or sent. */
async function readStored(source: string | URL, file: string, options: LoadingOptions): Promise<Uint8Array> {
  const wanted = { ...options, isText: isSegments(source) };
  if (isNode && !/^https?:/i.test(file)) {
    const path = /^file:/i.test(file) ? new URL(file) : file;
    const most = mostBytes(wanted);
    const bytes = await readPath(path, options.signal, (bytes) => checkBytes(file, bytes, most));
    options.onProgress?.({ file, loaded: bytes.length, total: bytes.length });
    return bytes;
  }
  return download(addressOf(file), file, wanted);
}

/** Refuses a page: a text that begins with `<`. The 8-byte length at the head of a safetensors file contains zeros. */
function refuseText(bytes: Uint8Array, file: string): Uint8Array {
  if (bytes[0] === 0x3c && !bytes.subarray(0, 8).includes(0)) throw notBinary(file, "its first byte is `<`");
  return bytes;
}

import { addressOf, isNode } from "../loading/address.js";
import { readSome, type ReadSource, type WholeSource } from "../loading/sources.js";
import type { Origin } from "../protocol.js";
import type { DocumentsOptions, LoadingOptions, Source } from "../types.js";

/** The bytes of a model and of its documents. */
export interface Files {
  models: WholeSource[];
  indexes: IndexFile[];
}

/** An index file that was read. */
export interface IndexFile {
  /** As it was given. */
  file: string;
  /** Or why it could not be read. */
  bytes: Uint8Array | Error;
  digest: Uint8Array;
  origin: Origin | undefined;
}

/** Reads the files of a model and of its documents, side by side. */
export async function readFiles(
  models: readonly Source[],
  indexes: readonly Source[],
  options: DocumentsOptions,
): Promise<Files> {
  const all = [...models, ...indexes];
  const files = await readSome(all, options.onMissing ? models.length : all.length, options);
  const modelFiles = files.slice(0, models.length);
  return { models: modelFiles as WholeSource[], indexes: indexFiles(files.slice(models.length), options) };
}

/** Reads index files side by side. */
export async function readIndexes(sources: readonly Source[], options: DocumentsOptions): Promise<IndexFile[]> {
  return indexFiles(await readSome(sources, options.onMissing ? 0 : sources.length, options), options);
}

function indexFiles(files: readonly ReadSource[], { manifest, integrity, retries, maxBytes, cache }: LoadingOptions): IndexFile[] {
  const originOf = (source: Source): Origin | undefined =>
    source instanceof Uint8Array
      ? undefined
      : { place: placeOf(source), manifest: manifest && placeOf(manifest), integrity, retries, maxBytes, cache };
  return files.map(({ source, bytes, digest }) => ({
    file: source instanceof Uint8Array ? "bytes" : String(source),
    bytes,
    digest,
    origin: originOf(source),
  }));
}

/** The absolute URL or path of a file: in a worker, relative URLs have another base. */
function placeOf(source: string | URL): string {
  const place = String(source);
  return isNode ? place : addressOf(place).href;
}

import { causedBy, SmoothClirError } from "../errors.js";
import type { LoadingOptions, Manifest, ManifestEntry } from "../types.js";
import { addressOf, readPath } from "./address.js";
import { asResponse, difference, openCache, openStore } from "./cache.js";
import { checkBytes, download, mostBytes } from "./download.js";
import { contentName, isGzip } from "./gzip.js";
import { parseJson } from "./json.js";
import { isSegments } from "./segments.js";
import { sha256 } from "./sha256.js";

/** The files of a manifest, by URL. @internal */
export class KnownFiles {
  readonly #entries: ReadonlyMap<string, ManifestEntry>;

  private constructor(
    readonly name: string,
    readonly base: URL,
    entries: ReadonlyMap<string, ManifestEntry>,
  ) {
    this.#entries = entries;
  }

  /** Reads and checks a manifest. */
  static async read(source: string | URL, options: LoadingOptions): Promise<KnownFiles> {
    const name = String(source);
    const address = addressOf(name);
    const isFile = address.protocol === "file:";
    const check = (bytes: number) => checkBytes(name, bytes, mostBytes({ ...options, isText: true }));
    const bytes = isFile
      ? await checked(await readPath(address, options.signal, check), name, options)
      : await fetched(address, name, { ...options, onProgress: undefined });
    return KnownFiles.parse(bytes, name, address);
  }

  /** Checks a manifest's bytes; its paths are relative to `base`. */
  static parse(bytes: Uint8Array, name: string, base: URL): KnownFiles {
    const wrong = (problem: string, cause?: unknown) =>
      new SmoothClirError("manifest", `${name}: ${problem}`, causedBy(cause));
    const manifest = (parseJson(bytes, wrong) ?? {}) as Partial<Manifest>;
    if (manifest.format !== "smooth-clir-manifest") throw wrong("not a manifest of smooth-clir");
    if (manifest.version !== 1) throw wrong(`version ${String(manifest.version)} is not supported, expected 1`);
    if (typeof manifest.files !== "object" || manifest.files === null) throw wrong("`files` is missing");
    const entries = new Map<string, ManifestEntry>();
    for (const [place, entry] of Object.entries(manifest.files)) {
      if (!URL.canParse(place, base.href)) throw wrong(`invalid URL: \`${place}\``);
      const isLength = Number.isSafeInteger(entry?.bytes) && entry.bytes >= 0;
      if (!isLength || !/^[0-9a-f]{64}$/.test(entry.sha256)) throw wrong(`${place} has no valid \`bytes\` and \`sha256\``);
      entries.set(new URL(place, base).href, entry);
    }
    return new KnownFiles(name, base, entries);
  }

  /** Whether the manifest lists a file. */
  has(source: string | URL): boolean {
    return this.#entries.has(addressOf(String(source)).href);
  }

  /**
   * The bytes of a file, checked against the manifest: from the browser's store, or else fetched. A compressed file is
   * listed as it is stored. Where a host sends its content, this is checked by the entry of the content's name.
   */
  async fetch(source: string | URL, options: LoadingOptions): Promise<Uint8Array> {
    const file = String(source);
    const address = addressOf(file);
    const entry = this.#entries.get(address.href);
    if (!entry) throw new SmoothClirError("manifest", `${this.name} does not list ${file}`);
    options.signal?.throwIfAborted();
    const content = isGzip(file) ? this.#entries.get(addressOf(contentName(file)).href) : undefined;
    const entries = content ? [content, entry] : [entry];
    const largest = Math.max(...entries.map(({ bytes }) => bytes));
    const isText = isSegments(file);
    checkBytes(file, largest, mostBytes({ ...options, isText }));
    // The length of what is sent is known only where there is one way to send it.
    const wanted = { ...options, isText, maxBytes: largest, expected: content ? undefined : entry.bytes };
    const store = options.cache === false ? undefined : await openStore();
    for (const entry of entries) {
      const kept = await store?.get(address, entry);
      if (!kept) continue;
      options.onProgress?.({ file, loaded: kept.length, total: kept.length });
      return kept;
    }
    if (address.protocol === "file:") {
      const bytes = await readPath(address, options.signal, (bytes) => {
        if (bytes !== entry.bytes) throw this.#refusal(file, `${bytes} bytes, expected ${entry.bytes}`);
      });
      options.onProgress?.({ file, loaded: bytes.length, total: bytes.length });
      const problem = await difference(bytes, entry);
      if (problem !== undefined) throw this.#refusal(file, problem);
      return bytes;
    }
    let problem: string | undefined;
    // A cache between here and the server may have an older file: the second download bypasses it.
    for (const reload of [false, true]) {
      const bytes = await download(address, file, { ...wanted, reload }).catch((error: unknown) => {
        if (!(error instanceof SmoothClirError && error.code === "too-many-bytes")) throw error;
        const hint = `; if the server sends it decompressed, list ${contentName(file)} too`;
        problem = `more than ${largest} bytes${isGzip(file) && !content ? hint : ""}`;
      });
      options.signal?.throwIfAborted();
      if (!bytes) continue;
      for (const entry of entries) {
        problem = await difference(bytes, entry);
        if (problem !== undefined) continue;
        await store?.put(address, entry, bytes);
        return bytes;
      }
    }
    throw this.#refusal(file, problem!);
  }

  #refusal(file: string, problem: string): SmoothClirError {
    return new SmoothClirError("digest", `${file} does not match ${this.name}: ${problem}`);
  }
}

/** The bytes of a manifest. Refuses others than the caller asked for, and those of which that cannot be told. */
async function checked(bytes: Uint8Array, name: string, { integrity }: LoadingOptions): Promise<Uint8Array> {
  if (integrity === undefined) return bytes;
  const digest = await sha256(bytes);
  if (!digest) throw new SmoothClirError("digest", `${name} cannot be checked: a page loaded by plain http has no digests`);
  const found = `sha256-${btoa(String.fromCharCode(...digest))}`;
  if (found !== integrity) throw new SmoothClirError("digest", `${name} is ${found}, expected ${integrity}`);
  return bytes;
}

/** A manifest from the server or, without a connection, as it was on the last visit. */
async function fetched(address: URL, name: string, options: LoadingOptions): Promise<Uint8Array> {
  const cache = options.cache === false ? undefined : await openCache();
  try {
    // The kept one stays where this is another.
    const bytes = await checked(await download(address, name, { ...options, isText: true }), name, options);
    await cache?.put(address, asResponse(bytes)).catch(() => {});
    return bytes;
  } catch (error) {
    const isOffline = error instanceof SmoothClirError && error.code === "network";
    const kept = isOffline ? await cache?.match(address).catch(() => undefined) : undefined;
    if (!kept) throw error;
    return checked(new Uint8Array(await kept.arrayBuffer()), name, options);
  }
}

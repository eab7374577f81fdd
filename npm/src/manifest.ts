import { download } from "./download.js";
import { SmoothClirError } from "./errors.js";
import type { LoadingOptions } from "./fetch.js";
import { parseJson } from "./json.js";
import { addressOf, readPath } from "./node.js";
import { isSegments } from "./segments.js";

/** What files are to be: their lengths and SHA-256, as `smooth-clir manifest FOLDER` writes it. */
export interface Manifest {
  format: "smooth-clir-manifest";
  version: 1;
  /** By their place, seen from the manifest. */
  files: Record<string, ManifestEntry>;
}

export interface ManifestEntry {
  bytes: number;
  /** In lower-case hexadecimal. */
  sha256: string;
}

/** The browser's store for files that were found right. */
const CACHE = "smooth-clir-files-1";

/** The files of a manifest, by their addresses. @internal */
export class KnownFiles {
  readonly #entries: ReadonlyMap<string, ManifestEntry>;

  private constructor(
    readonly name: string,
    readonly base: URL,
    entries: ReadonlyMap<string, ManifestEntry>,
  ) {
    this.#entries = entries;
  }

  /** Reads a manifest, and checks all of it. */
  static async read(source: string | URL, options: LoadingOptions): Promise<KnownFiles> {
    const name = String(source);
    const address = addressOf(name);
    const isFile = address.protocol === "file:";
    const bytes = await (isFile ? readPath(address, options.signal) : fetched(address, name, { ...options, onProgress: undefined }));
    return KnownFiles.parse(bytes, name, address);
  }

  /** Checks a manifest's bytes; its places are seen from `base`. */
  static parse(bytes: Uint8Array, name: string, base: URL): KnownFiles {
    const wrong = (problem: string, cause?: unknown) =>
      new SmoothClirError("manifest", `${name}: ${problem}`, cause === undefined ? undefined : { cause });
    const manifest = (parseJson(bytes, wrong) ?? {}) as Partial<Manifest>;
    if (manifest.format !== "smooth-clir-manifest") throw wrong("not a manifest of smooth-clir");
    if (manifest.version !== 1) throw wrong(`version ${String(manifest.version)}, and this program reads 1`);
    if (typeof manifest.files !== "object" || manifest.files === null) throw wrong("`files` is missing");
    const entries = new Map<string, ManifestEntry>();
    for (const [place, entry] of Object.entries(manifest.files)) {
      if (!URL.canParse(place, base.href)) throw wrong(`${place} is no address`);
      const isLength = Number.isSafeInteger(entry?.bytes) && entry.bytes >= 0;
      if (!isLength || !/^[0-9a-f]{64}$/.test(entry.sha256)) throw wrong(`${place} has no right \`bytes\` and \`sha256\``);
      entries.set(new URL(place, base).href, entry);
    }
    return new KnownFiles(name, base, entries);
  }

  /** Whether the manifest tells of a file. */
  has(source: string | URL): boolean {
    return this.#entries.has(addressOf(String(source)).href);
  }

  /** The bytes of a file, which are those that the manifest tells of. */
  async fetch(source: string | URL, options: LoadingOptions): Promise<Uint8Array> {
    const file = String(source);
    const address = addressOf(file);
    const entry = this.#entries.get(address.href);
    if (!entry) throw new SmoothClirError("manifest", `${file} is not among the files of ${this.name}`);
    options.signal?.throwIfAborted();
    const store = options.cache === false ? undefined : await openStore();
    const kept = await store?.get(address, entry);
    if (kept) {
      options.onProgress?.({ file, loaded: kept.length, total: kept.length });
      return kept;
    }
    if (address.protocol === "file:") {
      const bytes = await readPath(address, options.signal);
      options.onProgress?.({ file, loaded: bytes.length, total: bytes.length });
      const problem = await difference(bytes, entry);
      if (problem !== undefined) throw this.#refusal(file, problem);
      return bytes;
    }
    let problem: string | undefined;
    // What a cache between here and the server has kept may be an older file: past it, the second time.
    for (const reload of [false, true]) {
      const bytes = await download(address, file, { ...options, expected: entry.bytes, isText: isSegments(file), reload });
      options.signal?.throwIfAborted();
      problem = await difference(bytes, entry);
      if (problem === undefined) {
        await store?.put(address, entry, bytes);
        return bytes;
      }
    }
    throw this.#refusal(file, problem!);
  }

  #refusal(file: string, problem: string): SmoothClirError {
    return new SmoothClirError("digest", `${file} is not the file that ${this.name} tells of: ${problem}`);
  }
}

/** A manifest from the server, or as it was last time where there is no connection. */
async function fetched(address: URL, name: string, options: LoadingOptions): Promise<Uint8Array> {
  const cache = options.cache === false ? undefined : await openCache();
  try {
    const bytes = await download(address, name, { ...options, isText: true });
    await cache?.put(address, asResponse(bytes)).catch(() => {});
    return bytes;
  } catch (error) {
    const isAway = error instanceof SmoothClirError && error.code === "network";
    const kept = isAway ? await cache?.match(address).catch(() => undefined) : undefined;
    if (!kept) throw error;
    return new Uint8Array(await kept.arrayBuffer());
  }
}

/** How bytes differ from what they are to be. Where the browser has no digests (http), only lengths are compared. */
async function difference(bytes: Uint8Array, entry: ManifestEntry): Promise<string | undefined> {
  if (bytes.length !== entry.bytes) return `${bytes.length} bytes, expected ${entry.bytes}`;
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return undefined;
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return found === entry.sha256 ? undefined : `its SHA-256 is ${found}, expected ${entry.sha256}`;
}

/** What of the browser's store is needed here. A store that fails is as good as none. */
interface Store {
  /** A file's bytes, if they are there and right; wrong ones are dropped. */
  get(address: URL, entry: ManifestEntry): Promise<Uint8Array | undefined>;
  /** Keeps a file, and drops other versions of it. */
  put(address: URL, entry: ManifestEntry, bytes: Uint8Array): Promise<void>;
}

/** There is none on a page that came by http, in Node, and where the browser forbids it. */
async function openCache(): Promise<Cache | undefined> {
  if (!globalThis.caches || !globalThis.crypto?.subtle) return undefined;
  return caches.open(CACHE).catch(() => undefined);
}

function asResponse(bytes: Uint8Array): Response {
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": "application/octet-stream" } });
}

async function openStore(): Promise<Store | undefined> {
  const cache = await openCache();
  if (!cache) return undefined;
  const withoutDigest = (href: string) => {
    const url = new URL(href);
    const isKept = url.searchParams.has("sha256");
    url.searchParams.delete("sha256");
    // The manifest's own answer is no version of a file.
    return isKept ? url.href : undefined;
  };
  const key = (address: URL, { sha256 }: ManifestEntry) => {
    const url = new URL(address);
    url.searchParams.set("sha256", sha256);
    return url.href;
  };
  return {
    async get(address, entry) {
      try {
        const kept = await cache.match(key(address, entry));
        if (!kept) return undefined;
        const bytes = new Uint8Array(await kept.arrayBuffer());
        if ((await difference(bytes, entry)) === undefined) return bytes;
        await cache.delete(key(address, entry));
      } catch {
        // As if it were not there.
      }
      return undefined;
    },
    async put(address, entry, bytes) {
      try {
        const own = key(address, entry);
        await cache.put(own, asResponse(bytes));
        // Other versions of this file: a site may tell files apart by what follows the path.
        const isOlder = ({ url }: globalThis.Request) => url !== own && withoutDigest(url) === withoutDigest(own);
        const others = (await cache.keys(address.href, { ignoreSearch: true })).filter(isOlder);
        await Promise.all(others.map((other) => cache.delete(other)));
      } catch {
        // No room, or forbidden: it is fetched again next time.
      }
    },
  };
}

// The browser's store of files that match a manifest. A store that fails counts as none.
import type { ManifestEntry } from "../types.js";
import { sha256 } from "./sha256.js";

const CACHE = "smooth-clir-files-1";

/**
 * Describes how bytes differ from a manifest's entry; undefined if they match. Where the browser has no digests, on a page
 * that came by http, only lengths are compared. @internal
 */
export async function difference(bytes: Uint8Array, entry: ManifestEntry): Promise<string | undefined> {
  if (bytes.length !== entry.bytes) return `${bytes.length} bytes, expected ${entry.bytes}`;
  const digest = await sha256(bytes);
  if (!digest) return undefined;
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return found === entry.sha256 ? undefined : `its SHA-256 is ${found}, expected ${entry.sha256}`;
}

/** Files by URL and digest. @internal */
export interface Store {
  /** A file's bytes, if they are kept and match; bytes that do not match are dropped. */
  get(address: URL, entry: ManifestEntry): Promise<Uint8Array | undefined>;
  /** Keeps a file, and drops its other versions. */
  put(address: URL, entry: ManifestEntry, bytes: Uint8Array): Promise<void>;
}

/** The Cache API's cache; undefined on a page that came by http, in Node, and where the browser forbids it. @internal */
export async function openCache(): Promise<Cache | undefined> {
  if (!globalThis.caches || !globalThis.crypto?.subtle) return undefined;
  return caches.open(CACHE).catch(() => undefined);
}

/** Bytes as an entry of a cache. @internal */
export function asResponse(bytes: Uint8Array): Response {
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": "application/octet-stream" } });
}

/** @internal */
export async function openStore(): Promise<Store | undefined> {
  const cache = await openCache();
  if (!cache) return undefined;
  const withoutDigest = (href: string) => {
    const url = new URL(href);
    const isKept = url.searchParams.has("sha256");
    url.searchParams.delete("sha256");
    // The manifest's own answer has no digest: it is not a version of a file.
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
        // Counts as not kept.
      }
      return undefined;
    },
    async put(address, entry, bytes) {
      try {
        const current = key(address, entry);
        await cache.put(current, asResponse(bytes));
        // Only versions of the same URL: a site may distinguish files by the query.
        const isOlder = ({ url }: Request) => url !== current && withoutDigest(url) === withoutDigest(current);
        const others = (await cache.keys(address.href, { ignoreSearch: true })).filter(isOlder);
        await Promise.all(others.map((other) => cache.delete(other)));
      } catch {
        // No room, or forbidden: the next visit fetches it again.
      }
    },
  };
}

import { SmoothClirError } from "./errors.js";

/** Whether this is Node, where a source may be a path. @internal */
export const isNode =
  typeof process === "object" && typeof process.versions?.node === "string" && typeof window === "undefined";

/** Whether a place begins with a scheme; `C:` is none. @internal */
export const isAddress = (place: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(place);

/** An absolute address; in Node a path is one of a file. @internal */
export function addressOf(place: string): URL {
  try {
    if (isNode && !isAddress(place)) return fileAddress(place);
    return new URL(place, isNode ? undefined : typeof document === "undefined" ? location.href : document.baseURI);
  } catch (cause) {
    throw new SmoothClirError("invalid-argument", `${place} is no address`, { cause });
  }
}

function fileAddress(path: string): URL {
  const isWindows = process.platform === "win32";
  const encoded = (path: string) =>
    encodeURI(isWindows ? path.replaceAll("\\", "/") : path).replace(/[?#]/g, encodeURIComponent);
  const root = isWindows ? "/" : "";
  const isFull = isWindows && /^[a-z]:/i.test(path);
  return new URL((isFull ? root : "") + encoded(path), `file://${root}${encoded(process.cwd())}/`);
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

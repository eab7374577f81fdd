import { messageOf, SmoothClirError } from "../errors.js";

/** Whether this is Node (or Deno or Bun), where a source may be a path. @internal */
export const isNode =
  typeof process === "object" && typeof process.versions?.node === "string" && typeof window === "undefined";

/** Whether a source begins with a scheme; `C:` is a drive. @internal */
export const isAddress = (place: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(place);

/** The absolute URL of a URL or, in Node, of a path. @internal */
export function addressOf(place: string): URL {
  try {
    if (isNode && !isAddress(place)) return fileAddress(place);
    return new URL(place, isNode ? undefined : typeof document === "undefined" ? location.href : document.baseURI);
  } catch (cause) {
    throw new SmoothClirError("invalid-argument", `invalid URL: \`${place}\``, { cause });
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

/** What is read of a file, in Node. */
interface OpenFile {
  stat(): Promise<{ size: number }>;
  readFile(options: { signal?: AbortSignal | undefined }): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Reads a file, in Node, after a look at its length. @internal */
export async function readPath(
  path: string | URL,
  signal?: AbortSignal,
  check: (bytes: number) => void = () => {},
): Promise<Uint8Array<ArrayBuffer>> {
  // Not a literal in the import, so that no bundler for browsers looks for the module.
  const name = "node:fs/promises";
  const { open } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
    open(path: string | URL): Promise<OpenFile>;
  };
  let file: OpenFile | undefined;
  try {
    signal?.throwIfAborted();
    file = await open(path);
    check((await file.stat()).size);
    return new Uint8Array(await file.readFile({ signal }));
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof SmoothClirError) throw cause;
    throw new SmoothClirError("unreadable", `${path} cannot be read: ${messageOf(cause)}`, { cause });
  } finally {
    await file?.close();
  }
}

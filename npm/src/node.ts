import { SmoothClirError } from "./errors.js";

/** Whether this is Node, where a source may be a path. @internal */
export const isNode =
  typeof process === "object" && typeof process.versions?.node === "string" && typeof window === "undefined";

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

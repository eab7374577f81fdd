import { SmoothClirError, type HostErrorCode } from "./errors.js";
import { isNode, readPath } from "./node.js";

/** Loads a WebAssembly module; `code` is that of a failure. @internal */
export async function startModule<T>(
  url: URL,
  init: (source: { module_or_path: Uint8Array | URL }) => Promise<T>,
  code: HostErrorCode = "wasm-failed",
): Promise<T> {
  try {
    // Node's fetch does not read files.
    const source = isNode && url.protocol === "file:" ? await readPath(url) : url;
    return await init({ module_or_path: source });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SmoothClirError(code, `the WebAssembly module could not be loaded: ${reason}`, { cause });
  }
}

/** Loads a script of the package that is fetched on its first use. @internal */
export async function part<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SmoothClirError("part-failed", `a part of the engine could not be loaded: ${reason}`, { cause });
  }
}

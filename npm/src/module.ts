import { SmoothClirError } from "./errors.js";
import { isNode, readPath } from "./node.js";

/** Loads a WebAssembly module. @internal */
export async function startModule<T>(
  url: URL,
  init: (source: { module_or_path: Uint8Array | URL }) => Promise<T>,
): Promise<T> {
  try {
    // Node's fetch does not read files.
    const source = isNode && url.protocol === "file:" ? await readPath(url) : url;
    return await init({ module_or_path: source });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SmoothClirError("wasm-failed", `the WebAssembly module could not be loaded: ${reason}`, { cause });
  }
}

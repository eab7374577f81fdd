import { SmoothClirError, type HostErrorCode } from "./errors.js";
import { isNode, readPath } from "./node.js";

/** What loads a module from its bytes or address. */
type Init<T> = (source: { module_or_path: Uint8Array | URL }) => Promise<T>;

/** Modules that are loaded or on their way: bytes are read once, and who asked first goes on first. */
const modules = new Map<Init<unknown>, Promise<unknown>>();

/** Loads a WebAssembly module, once; `code` is that of a failure. @internal */
export function startModule<T>(url: URL, init: Init<T>, code: HostErrorCode = "wasm-failed"): Promise<T> {
  const known = modules.get(init) as Promise<T> | undefined;
  if (known) return known;
  const starting = load(url, init, code);
  modules.set(init, starting);
  // What failed may be tried again.
  starting.catch(() => modules.delete(init));
  return starting;
}

async function load<T>(url: URL, init: Init<T>, code: HostErrorCode): Promise<T> {
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

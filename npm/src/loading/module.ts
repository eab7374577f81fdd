import { type HostErrorCode, messageOf, SmoothClirError } from "../errors.js";
import { isNode, readPath } from "./address.js";

/** wasm-bindgen's function that loads a module from its bytes or URL. */
type Init<T> = (source: { module_or_path: Uint8Array | URL }) => Promise<T>;

/** Modules that are loaded or loading: each is read once. */
const modules = new Map<Init<unknown>, Promise<unknown>>();

/** Loads a WebAssembly module, once; a failure has this `code`. @internal */
export function startModule<T>(url: URL, init: Init<T>, code: HostErrorCode = "wasm-failed"): Promise<T> {
  const known = modules.get(init) as Promise<T> | undefined;
  if (known) return known;
  const starting = load(url, init, code);
  modules.set(init, starting);
  // A failed load can be retried.
  starting.catch(() => modules.delete(init));
  return starting;
}

async function load<T>(url: URL, init: Init<T>, code: HostErrorCode): Promise<T> {
  try {
    // Node's fetch does not read files.
    const source = isNode && url.protocol === "file:" ? await readPath(url) : url;
    return await init({ module_or_path: source });
  } catch (cause) {
    throw new SmoothClirError(code, `the WebAssembly module could not be loaded: ${messageOf(cause)}`, { cause });
  }
}

/** Imports a script of the package that is fetched on its first use. @internal */
export async function part<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new SmoothClirError("part-failed", `a part of the engine could not be loaded: ${messageOf(cause)}`, { cause });
  }
}

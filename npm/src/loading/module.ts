import { type HostErrorCode, messageOf, SmoothClirError } from "../errors.js";
import { isNode, readPath } from "./address.js";

interface Exports {
  readonly memory: WebAssembly.Memory;
}

/**
 * Makes a function that starts a further instance of a module, to which the exports of its script then belong: see
 * `pkg-scripts/renewable.mjs`. `adopt` returns the exports to call.
 */
type Renew<T extends Exports> = (adopt: (exports: T) => T) => (source: { module_or_path: Uint8Array | URL }) => Promise<T>;

/** Exports that free what Rust holds. After a trap there is nothing to free. */
const FREES = /(_free|destroy_closure)$/;
/** Exports that promises and finalizers call: an exception in one of them has no caller. */
const CALLBACKS = /^wasm_bindgen__convert__closures|(_free|destroy_closure)$/;
/** The result of a callback of no result and no error. */
const NO_ERROR = [0, 0];
/** wasm-bindgen's refusals of an object that was freed or is in use, which come before any of Rust has run. */
const REFUSALS = /^(null pointer passed to rust|recursive use of an object|attempted to take ownership of Rust value)/;

/**
 * An instance of a WebAssembly module. A trap, or any other exception that leaves an export, leaves Rust in the middle of its
 * work: the state of the instance is undefined from then on, and none of its exports is called any more.
 */
export class Instance {
  /** Called once, after a trap. @internal */
  readonly listeners = new Set<(instance: Instance) => void>();
  #exports: Exports | undefined;
  #trap: SmoothClirError | undefined;
  /** Calls from JavaScript that have not returned. */
  #depth = 0;

  get memory(): WebAssembly.Memory {
    return this.#exports!.memory;
  }

  /** The error of every call after a trap. */
  get trap(): SmoothClirError | undefined {
    return this.#trap;
  }

  /** The exports, of which none is called after a trap. */
  adopt<T extends Exports>(exports: T): T {
    this.#exports = exports;
    const guarded = Object.entries(exports).map(([name, value]) => [name, typeof value === "function" ? this.#guarded(name, value) : value]);
    return Object.fromEntries(guarded);
  }

  #guarded(name: string, call: (...values: unknown[]) => unknown) {
    const [isFree, isCallback] = [FREES.test(name), CALLBACKS.test(name)];
    return (...values: unknown[]): unknown => {
      const isAlone = isCallback && this.#depth === 0;
      if (this.#trap && (isAlone || isFree)) return NO_ERROR;
      if (this.#trap) throw this.#trap;
      this.#depth += 1;
      try {
        return call(...values);
      } catch (error) {
        if (!this.#trap && !REFUSALS.test(messageOf(error))) this.#end(error);
        // The listeners know.
        if (this.#trap && isAlone) return NO_ERROR;
        throw this.#trap ?? error;
      } finally {
        this.#depth -= 1;
      }
    };
  }

  #end(cause: unknown): void {
    const held = Math.round(this.memory.buffer.byteLength / 2 ** 20);
    const message = `the WebAssembly module stopped, with ${held} MiB of memory: ${messageOf(cause)}`;
    this.#trap = new SmoothClirError("wasm-failed", message, { cause });
    for (const listener of this.listeners) listener(this);
    this.listeners.clear();
  }
}

/** A WebAssembly module, with one instance at a time: after a trap the next start makes another. */
export class Module<T extends Exports> {
  readonly #url: URL;
  readonly #renew: Renew<T>;
  readonly #code: HostErrorCode;
  #instance: Instance | undefined;
  #starting: Promise<Instance> | undefined;
  /** Whether an instance has started: later ones need no file. */
  #isLoaded = false;

  /** A failure to load has this `code`. */
  constructor(url: URL, renew: Renew<T>, code: HostErrorCode = "wasm-failed") {
    this.#url = url;
    this.#renew = renew;
    this.#code = code;
  }

  /** Loads the module, once, and resolves with its instance. */
  start(): Promise<Instance> {
    if (this.#starting && !this.#instance?.trap) return this.#starting;
    const starting = this.#load((this.#instance = new Instance()));
    this.#starting = starting;
    // A failed load can be retried.
    starting.catch(() => {
      if (this.#starting === starting) this.#starting = undefined;
    });
    return starting;
  }

  async #load(instance: Instance): Promise<Instance> {
    const url = this.#url;
    try {
      const init = this.#renew((exports) => instance.adopt(exports));
      // Node's fetch does not read files.
      const source = isNode && url.protocol === "file:" && !this.#isLoaded ? await readPath(url) : url;
      await init({ module_or_path: source });
      this.#isLoaded = true;
      return instance;
    } catch (cause) {
      throw new SmoothClirError(this.#code, `the WebAssembly module could not be loaded: ${messageOf(cause)}`, { cause });
    }
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

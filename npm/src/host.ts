import init, { Engine, gradientMap } from "./wasm/smooth_clir.js";
import { SmoothClirError } from "./errors.js";
import { isNode, readPath } from "./fetch.js";
import type { Hit, ModelDescription, Token } from "./index.js";

/** What the page's side knows of the engine without asking. */
export interface Facts {
  epsilon: number;
  dimension: number;
  documentCount: number;
  languages: string[];
  description: ModelDescription;
}

/** Holds the WebAssembly engine: in the worker, or directly where there is none. */
export class Host {
  #engine: Engine | undefined;

  /** Loads the WebAssembly module. */
  async start(): Promise<void> {
    const url = new URL("./wasm/smooth_clir_bg.wasm", import.meta.url);
    try {
      // Node's fetch does not read files.
      const source = isNode && url.protocol === "file:" ? await readPath(url) : url;
      await init({ module_or_path: source });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new SmoothClirError("wasm-failed", `the WebAssembly module could not be loaded: ${reason}`, { cause });
    }
  }

  /** Replaces the model, and with it all documents. */
  loadModel(files: Uint8Array[]): Facts {
    const engine = new Engine(files);
    this.#engine?.free();
    this.#engine = engine;
    return this.#facts(engine);
  }

  addDocuments(index: Uint8Array): Facts {
    const engine = this.#loaded();
    engine.addDocuments(index);
    return this.#facts(engine);
  }

  search(query: string, epsilon: number | undefined, limit: number, language: string | undefined): Hit[] {
    return this.#loaded().search(query, epsilon, limit, language);
  }

  tokens(query: string): Token[] {
    return this.#loaded().tokens(query);
  }

  gradientMap(size: number, extent: number, epsilon: number): Float32Array {
    return gradientMap(size, extent, epsilon);
  }

  /** Gives the engine's memory back to the module. */
  free(): void {
    this.#engine?.free();
    this.#engine = undefined;
  }

  #loaded(): Engine {
    if (!this.#engine) throw new SmoothClirError("no-model", "no model is loaded yet");
    return this.#engine;
  }

  #facts(engine: Engine): Facts {
    const { epsilon, dimension, documentCount, languages } = engine;
    return { epsilon, dimension, documentCount, languages, description: JSON.parse(engine.description) };
  }
}

/** The methods that can be called from the other side of a worker. */
export type Method = "start" | "loadModel" | "addDocuments" | "search" | "tokens" | "gradientMap" | "free";
export type Args<M extends Method> = Parameters<Host[M]>;
export type Answer<M extends Method> = Awaited<ReturnType<Host[M]>>;

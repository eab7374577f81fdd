import init, { Engine, gradientMap } from "./wasm/smooth_clir.js";
import { SmoothClirError } from "./errors.js";
import { isNode, readAll, readPath } from "./fetch.js";
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
  /** Where each index lies: the files of its texts lie beside it. */
  #places: (string | undefined)[] = [];
  /** Files of texts on their way or here, by index and block. */
  #texts = new Map<string, Promise<void>>();

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
    this.free();
    this.#engine = engine;
    return this.#facts(engine);
  }

  /** `place` is the address or path of the index, where it has one. */
  addDocuments(index: Uint8Array, place: string | undefined): Facts {
    const engine = this.#loaded();
    engine.addDocuments(index);
    this.#places.push(place);
    return this.#facts(engine);
  }

  async search(
    query: string,
    epsilon: number | undefined,
    limit: number,
    language: string | undefined,
  ): Promise<Hit[]> {
    const engine = this.#loaded();
    const missing = engine.missing(query, epsilon, limit, language);
    if (missing.length > 0) {
      const fetched: Promise<void>[] = [];
      for (let at = 0; at < missing.length; at += 2) fetched.push(this.#fetchTexts(engine, missing[at]!, missing[at + 1]!));
      await Promise.all(fetched);
      if (engine !== this.#engine) throw new SmoothClirError("closed", "another model was loaded meanwhile");
    }
    return engine.search(query, epsilon, limit, language);
  }

  #fetchTexts(engine: Engine, index: number, block: number): Promise<void> {
    const key = `${index}/${block}`;
    const known = this.#texts.get(key);
    if (known) return known;
    const fetching = (async () => {
      const place = this.#places[index];
      if (place === undefined) {
        const reason = "their index was given as bytes, so nobody knows where they lie";
        throw new SmoothClirError("missing-part", `the texts of the documents cannot be fetched: ${reason}`);
      }
      const [bytes] = await readAll(place.replace(/[^/\\]*$/, `texts.${block}.safetensors`), {});
      if (engine === this.#engine) engine.addTexts(index, bytes!);
    })();
    this.#texts.set(key, fetching);
    // What failed may be asked for again.
    fetching.catch(() => this.#texts.delete(key));
    return fetching;
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
    this.#places = [];
    this.#texts.clear();
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

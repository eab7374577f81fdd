import { SmoothClir } from "smooth-clir";
import type { MethodName } from "./methods";

/** Engines of methods, each fetched on its first use; the two used last are kept. */
export class MethodEngines {
  readonly #kept = new Map<string, Promise<SmoothClir>>();

  get(method: MethodName, language: string): Promise<SmoothClir> {
    const key = `${language}/${method}`;
    const address = (file: string) => new URL(`./generated/methods/${key}${file}`, document.baseURI);
    const engine = this.#kept.get(key) ?? SmoothClir.load({ model: address(".safetensors"), documents: address(".documents.safetensors") });
    this.#kept.delete(key);
    this.#kept.set(key, engine);
    engine.catch(() => this.#kept.delete(key));
    for (const [old, other] of this.#kept) {
      if (this.#kept.size <= 2) break;
      this.#kept.delete(old);
      void other.then((one) => one.close(), () => {});
    }
    return engine;
  }
}

import type { Hit, SearchOptions, SmoothClir } from "smooth-clir";
import { isBroken } from "../ui/failure";

/** The model as it was loaded, in an engine of its own: what is compared with. Started on its first use. */
export class OriginalModel {
  readonly #load: () => Promise<SmoothClir>;
  #engine: Promise<SmoothClir> | undefined;

  constructor(load: () => Promise<SmoothClir>) {
    this.#load = load;
  }

  /** The next search loads it anew. */
  forget(): void {
    this.#engine?.then((engine) => engine.close()).catch(() => {});
    this.#engine = undefined;
  }

  async search(query: string, options: SearchOptions): Promise<Hit[]> {
    const starting = (this.#engine ??= this.#load());
    let engine: SmoothClir | undefined;
    try {
      engine = await starting;
      return await engine.search(query, options);
    } catch (error) {
      // The next search starts another.
      if (this.#engine === starting && (!engine || isBroken(error))) {
        this.#engine = undefined;
        engine?.close();
      }
      throw error;
    }
  }
}

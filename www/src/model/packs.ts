import type { SmoothClir } from "smooth-clir";
import { keep, recall } from "../ui/kept";
import { DocumentEncoders } from "./document-encoders";
import { encoderBytes, encoderOf, packLanguages } from "./models";

const KEPT = "languages";

/** How far a pack has come. */
export type PackState =
  | { kind: "absent" | "here" }
  /** `loaded` bytes; it waits for the full model where there is none yet. */
  | { kind: "coming"; loaded: number }
  | { kind: "failed"; error: unknown };

/** The packs of the full model: loaded as they are chosen, and remembered for the next visit. */
export class Packs {
  /** Their languages. */
  readonly languages: readonly string[] = packLanguages();
  readonly #onChange: () => void;
  /** Those that were chosen, now or in an earlier visit. */
  readonly #chosen: Set<string>;
  readonly #coming = new Map<string, { controller: AbortController; loaded: number }>();
  readonly #failed = new Map<string, unknown>();
  #engine: SmoothClir | undefined;

  /** `onChange` is told when a state changes. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#chosen = new Set((recall(KEPT) ?? "").split(" ").filter((language) => this.languages.includes(language)));
    // A person's own documents bring theirs, too.
    DocumentEncoders.listeners.add((engine, language) => {
      if (engine !== this.#engine || !this.languages.includes(language)) return;
      this.#choose(language, this.#isHere(language));
      onChange();
    });
  }

  bytesOf(language: string): number {
    return encoderBytes("full", language);
  }

  stateOf(language: string): PackState {
    if (this.#isHere(language)) return { kind: "here" };
    if (this.#failed.has(language)) return { kind: "failed", error: this.#failed.get(language) };
    const coming = this.#coming.get(language);
    if (coming) return { kind: "coming", loaded: coming.loaded };
    return this.#chosen.has(language) ? { kind: "coming", loaded: 0 } : { kind: "absent" };
  }

  /** Whether documents of a language are here, which its pack is kept for. */
  isInUse(language: string): boolean {
    return this.#engine?.languages.includes(language) ?? false;
  }

  /** Loads the chosen packs into an engine of the full model from now on; undefined where there is none. */
  attach(engine: SmoothClir | undefined): void {
    if (engine === this.#engine) return;
    for (const { controller } of this.#coming.values()) controller.abort();
    this.#coming.clear();
    this.#engine = engine;
    for (const language of this.#chosen) void this.load(language);
    this.#onChange();
  }

  /** Loads a pack, as soon as there is an engine. */
  async load(language: string): Promise<void> {
    const engine = this.#engine;
    this.#failed.delete(language);
    this.#choose(language, true);
    if (!engine || this.#isHere(language) || this.#coming.has(language)) return this.#onChange();
    const coming = { controller: new AbortController(), loaded: 0 };
    this.#coming.set(language, coming);
    this.#onChange();
    const onProgress = ({ loaded }: { loaded: number }) => {
      coming.loaded = loaded;
      this.#onChange();
    };
    try {
      await DocumentEncoders.of(engine).add(language, { signal: coming.controller.signal, onProgress });
    } catch (error) {
      // Another visit may have more luck with what failed: it stays chosen.
      if (!coming.controller.signal.aborted) this.#failed.set(language, error);
    } finally {
      if (this.#coming.get(language) === coming) this.#coming.delete(language);
      this.#onChange();
    }
  }

  /** Gives up a pack that is on its way. */
  cancel(language: string): void {
    this.#choose(language, false);
    this.#coming.get(language)?.controller.abort();
    this.#coming.delete(language);
    this.#onChange();
  }

  /** Removes a pack from the engine and from what the browser keeps. */
  async remove(language: string): Promise<void> {
    const engine = this.#engine;
    if (!engine || this.isInUse(language)) return;
    await DocumentEncoders.of(engine).remove(language);
    try {
      const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      await Promise.all(stores.map((store) => store.delete(encoderOf("full", language), { ignoreSearch: true })));
    } catch {
      // A browser that keeps nothing has nothing to remove.
    }
  }

  #isHere(language: string): boolean {
    return this.#engine !== undefined && DocumentEncoders.of(this.#engine).languages.includes(language);
  }

  #choose(language: string, chosen: boolean): void {
    if (chosen) this.#chosen.add(language);
    else this.#chosen.delete(language);
    keep(KEPT, this.#chosen.size === 0 ? undefined : [...this.#chosen].join(" "));
  }
}

import { messageOf, nameOf, type Card } from "./card.js";
import type { Engine, Ranker } from "./full/smooth_clir.js";
import type { Hit, ModelDescription } from "./index.js";
import type { Device } from "./learning.js";

/** Where searches rank documents, and how long it took there and elsewhere. */
export interface RankingDevice extends Device {
  /** The median of some searches in WebAssembly, in milliseconds. */
  wasmMs: number | undefined;
  /** The median of the same searches on the graphics card. */
  webgpuMs: number | undefined;
}

const ROUNDS = 7;
const LIMIT = 10;

/** Ranks on the graphics card, which proposes, and the core scores again; while that is faster. */
export class Ranking {
  readonly #engine: Engine;
  readonly #card: Card;
  /** Undefined where the documents have changed since they were put there. */
  #ranker: Ranker | undefined;
  #atWork = 0;
  /** Counts the changes of the documents. */
  #changes = 0;
  device: RankingDevice;

  private constructor(engine: Engine, card: Card, device: RankingDevice) {
    this.#engine = engine;
    this.#card = card;
    this.device = device;
  }

  /** Puts the documents on the card, sees that it finds what the core finds, and measures both in turns. */
  static async measured(engine: Engine, card: Card, force: boolean): Promise<Ranking> {
    const wasm = (reason: string) => ({ kind: "wasm" as const, name: "WebAssembly", reason, wasmMs: undefined, webgpuMs: undefined });
    const { config } = JSON.parse(engine.description) as ModelDescription;
    if (config?.["calibration"]) return new Ranking(engine, card, wasm("this model ranks by words too, which is done there"));
    const gpu = await card.get();
    if (typeof gpu === "string") return new Ranking(engine, card, wasm(gpu));
    const name = await nameOf(gpu);
    const ranking = new Ranking(engine, card, wasm(""));
    try {
      const [here, there]: [number[], number[]] = [[], []];
      // The first round is to warm up.
      for (let round = 0; round <= ROUNDS; round++) {
        const query = engine.sample(round);
        const start = performance.now();
        const expected = engine.bestPlaces(query, engine.epsilon, LIMIT);
        const between = performance.now();
        const { places } = await ranking.#rank(query, engine.epsilon, LIMIT);
        const end = performance.now();
        if (places.join() !== expected.join()) {
          ranking.device = wasm(`${name} found other documents than the processor`);
          ranking.stale();
          return ranking;
        }
        if (round > 0) here.push(between - start);
        if (round > 0) there.push(end - between);
      }
      const [wasmMs, webgpuMs] = [median(here), median(there)];
      const times = `a search takes ${format(webgpuMs)} ms on ${name} and ${format(wasmMs)} ms in WebAssembly`;
      const chosen = force || webgpuMs < wasmMs;
      ranking.device = chosen
        ? { kind: "webgpu", name, reason: times, wasmMs, webgpuMs }
        : { kind: "wasm", name: "WebAssembly", reason: times, wasmMs, webgpuMs };
      if (!chosen) ranking.stale();
    } catch (error) {
      await ranking.#failed(error);
    }
    return ranking;
  }

  /** The best documents; undefined where the core is to find them. */
  async search(
    query: string,
    epsilon: number | undefined,
    limit: number,
    fetchTexts: (missing: Uint32Array) => Promise<void>,
  ): Promise<Hit[] | undefined> {
    while (this.device.kind !== "wasm") {
      const changes = this.#changes;
      let ranked: Ranked;
      try {
        ranked = await this.#rank(query, epsilon ?? this.#engine.epsilon, limit, true);
      } catch (error) {
        if ((error as { code?: string }).code !== "gpu-failed") throw error;
        await this.#failed(error);
        return undefined;
      }
      const { question, missing } = ranked;
      try {
        // Places are those of the documents as they were.
        if (changes === this.#changes && missing.length > 0) await fetchTexts(missing);
        if (changes === this.#changes) return this.#engine.hits(question!) as Hit[];
      } finally {
        question!.free();
      }
    }
    return undefined;
  }

  /** The documents have changed: they are put on the card anew when they are needed. */
  stale(): void {
    this.#changes += 1;
    // One that is at work is left to the collector.
    if (this.#atWork === 0) this.#ranker?.free();
    this.#ranker = undefined;
  }

  async #rank(query: string, epsilon: number, limit: number, keep = false): Promise<Ranked> {
    const gpu = await this.#card.get();
    if (typeof gpu === "string") throw Object.assign(new Error(gpu), { code: "gpu-failed" });
    const ranker = (this.#ranker ??= this.#engine.ranker(gpu));
    const question = this.#engine.ask(query);
    let kept = false;
    this.#atWork += 1;
    try {
      const proposed = await ranker.propose(question, epsilon, limit);
      const missing = this.#engine.rankAmong(question, epsilon, limit, proposed);
      kept = keep;
      return { question: kept ? question : undefined, missing, places: question.places() };
    } finally {
      this.#atWork -= 1;
      if (!kept) question.free();
    }
  }

  async #failed(error: unknown): Promise<void> {
    this.stale();
    await this.#card.forget();
    const reason = `the graphics card failed: ${messageOf(error)}`;
    this.device = { ...this.device, kind: "wasm", name: "WebAssembly", reason };
  }
}

interface Ranked {
  question: ReturnType<Engine["ask"]> | undefined;
  missing: Uint32Array;
  places: Uint32Array;
}

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
const format = (ms: number) => ms.toPrecision(2);

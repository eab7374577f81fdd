import { messageOf, SmoothClirError } from "../errors.js";
import type { EncodedQuery, Engine, Ranker } from "../full-module.js";
import type { TextBlock } from "../search-module.js";
import type { Hit, RankingDevice } from "../types.js";
import { nameOf, type SharedGpu } from "./gpu.js";
import type { TextFiles } from "./text-files.js";

/** Searches that are timed, and the hits of each. */
const ROUNDS = 7;
const LIMIT = 10;

/** Ranks on the GPU, if that is faster: the GPU proposes documents, and the core scores these again. */
export class GpuRanking {
  readonly #engine: Engine;
  readonly #gpu: SharedGpu;
  /** The model's own. */
  readonly #epsilon: number;
  /** Undefined if the documents have changed since they were copied to the GPU. */
  #ranker: Ranker | undefined;
  /** Rankings that are under way. */
  #running = 0;
  device: RankingDevice;

  private constructor(engine: Engine, gpu: SharedGpu, device: RankingDevice) {
    this.#engine = engine;
    this.#gpu = gpu;
    this.#epsilon = engine.state().epsilon;
    this.device = device;
  }

  /** Copies the documents to the GPU, checks that it finds what the core finds, and times both in interleaved rounds. */
  static async measured(engine: Engine, shared: SharedGpu, force: boolean): Promise<GpuRanking> {
    const wasm = (reason: string) => ({ kind: "wasm" as const, name: "WebAssembly", reason, wasmMs: undefined, webgpuMs: undefined });
    const { epsilon, description } = engine.state();
    if (description.config?.["calibration"]) return new GpuRanking(engine, shared, wasm("this model has a lexical score, which is computed there"));
    const gpu = await shared.get();
    if (typeof gpu === "string") return new GpuRanking(engine, shared, wasm(gpu));
    const name = await nameOf(gpu);
    const ranking = new GpuRanking(engine, shared, wasm(""));
    try {
      const [here, there]: [number[], number[]] = [[], []];
      // The first round warms up.
      for (let round = 0; round <= ROUNDS; round++) {
        const query = engine.sample(round);
        const start = performance.now();
        const expected = engine.encode(query);
        engine.rank(expected, { epsilon, limit: LIMIT, dense: 1 });
        const between = performance.now();
        const { query: ranked } = await ranking.#rank(query, undefined, epsilon, LIMIT);
        const end = performance.now();
        const isSame = ranked.places().join() === expected.places().join();
        expected.free();
        ranked.free();
        if (!isSame) {
          ranking.device = wasm(`${name} found other documents than WebAssembly`);
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

  /** The top `limit` documents; undefined if WebAssembly is to find them. */
  async search(
    query: string,
    language: string | undefined,
    epsilon: number | undefined,
    limit: number,
    texts: Pick<TextFiles, "fetch" | "show">,
  ): Promise<Hit[] | undefined> {
    while (this.device.kind !== "wasm") {
      let ranked: Ranked;
      try {
        ranked = await this.#rank(query, language, epsilon ?? this.#epsilon, limit);
      } catch (error) {
        if ((error as { code?: string }).code !== "gpu-failed") throw error;
        await this.#failed(error);
        return undefined;
      }
      const { query: encoded, missing } = ranked;
      try {
        if (missing.length > 0) await texts.fetch(missing);
        // None if the documents have changed since.
        const hits = this.#engine.hits(encoded);
        if (!hits) continue;
        texts.show(hits, this.#engine.blocksOf(encoded));
        return hits;
      } finally {
        encoded.free();
      }
    }
    return undefined;
  }

  /** The documents have changed: the next search copies them to the GPU again. */
  stale(): void {
    // One that is in use is left to the garbage collector.
    if (this.#running === 0) this.#ranker?.free();
    this.#ranker = undefined;
  }

  /** Encodes and ranks a query, which is then the caller's to free. */
  async #rank(query: string, language: string | undefined, epsilon: number, limit: number): Promise<Ranked> {
    const gpu = await this.#gpu.get();
    if (typeof gpu === "string") throw new SmoothClirError("gpu-failed", gpu);
    const ranker = (this.#ranker ??= this.#engine.ranker(gpu));
    const encoded = this.#engine.encode(query, language);
    this.#running += 1;
    try {
      const proposed = await ranker.propose(encoded, epsilon, limit);
      const missing = this.#engine.rankAmong(encoded, epsilon, limit, proposed);
      return { query: encoded, missing };
    } catch (error) {
      encoded.free();
      throw error;
    } finally {
      this.#running -= 1;
    }
  }

  async #failed(error: unknown): Promise<void> {
    this.stale();
    await this.#gpu.forget();
    const reason = `the graphics card failed: ${messageOf(error)}`;
    this.device = { ...this.device, kind: "wasm", name: "WebAssembly", reason };
  }
}

interface Ranked {
  query: EncodedQuery;
  /** The texts to fetch for its hits. */
  missing: TextBlock[];
}

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
const format = (ms: number) => ms.toPrecision(2);

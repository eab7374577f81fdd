import type { SmoothClir } from "smooth-clir";
import { QUERY_LANGUAGE } from "../state/documents";

/** Words of the built-in corpus. Each pair of them is a query. */
const WORDS = ["rain", "mountain", "river", "sea", "fish", "bird", "tree", "fruit", "bread", "water", "stone", "fire", "animal", "house", "music"];
/** How often all are asked without a pause: the median counts. */
const ROUNDS = 5;
/** Documents of a ranking. */
const LIMIT = 10;

/** How fast an engine answers on the reader's machine. */
export interface Speed {
  documents: number;
  queries: number;
  /** Milliseconds from a query to its ranking, when each waits for the one before: the median, and below which 95 % are. */
  median: number;
  most: number;
  /** Documents scored a second, when queries follow without a pause. */
  rate: number;
}

/** Measures the searches of an engine. */
export async function measureSpeed(engine: SmoothClir): Promise<Speed> {
  const pairs = WORDS.flatMap((one, at) => WORDS.slice(at + 1).map((other) => `${one} ${other}`));
  const ask = (query: string) => engine.search(query, { limit: LIMIT, queryLanguage: QUERY_LANGUAGE });
  // Not measured: it fetches the texts of the hits, and the browser compiles what runs often.
  for (const query of pairs) await ask(query);
  const times: number[] = [];
  for (const query of pairs) {
    const start = performance.now();
    await ask(query);
    times.push(performance.now() - start);
  }
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await Promise.all(pairs.map(ask));
    seconds.push((performance.now() - start) / 1000);
  }
  const [documents, queries] = [engine.documentCount, pairs.length];
  return { documents, queries, median: below(0.5, times), most: below(0.95, times), rate: (documents * queries) / below(0.5, seconds) };
}

/** The number below which a share of them is. */
const below = (share: number, numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(share * (numbers.length - 1))]!;

// Which words of a query count: function words are neither highlighted nor looked for on the page that a result opens.
import { answered } from "../snippet.js";
import type { Token } from "../types.js";

/** A word of less than this part of the largest weight in a query is a function word. */
const LEAST_WEIGHT = 0.6;

/** The words of a query. */
export interface QueryWords {
  /** As the model reads them. */
  all: string[];
  /** Whether a match, which names a word or the stem of one, is of a word that counts. */
  counts: (token: string) => boolean;
}

/** The words of a query by its tokens. Where a model weighs all words alike, all count. */
export function queryWords(tokens: readonly Token[]): QueryWords {
  const weights = new Map<string, number>();
  for (const { token, known, interpreted = token, weight = Infinity } of tokens) {
    if (known) weights.set(interpreted.toLowerCase(), weight);
  }
  const all = [...weights.keys()];
  const least = LEAST_WEIGHT * Math.max(0, ...[...weights.values()].filter(Number.isFinite));
  return {
    all,
    counts: (token) => {
      const named = answered(token, all);
      return named.length === 0 || named.some((word) => (weights.get(word) ?? Infinity) >= least);
    },
  };
}

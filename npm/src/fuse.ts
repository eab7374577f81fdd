/** A document of a fused ranking. */
export interface Fused {
  id: string;
  /** The sum of `1 / (k + rank)` over the rankings that contain it, ranks from 1. */
  score: number;
}

/**
 * Merges rankings by reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): for a site's own keyword search
 * beside this one, whose scores are not comparable. Each ranking is a list of ids, best first; of an id that occurs twice
 * the first occurrence counts. Ties keep the order of the first ranking that contains them.
 *
 * ```js
 * const [hits, found] = await Promise.all([engine.search(query), pagefind.search(query)]);
 * const merged = fuse([hits.map((hit) => hit.id), found.results.map((result) => result.id)]);
 * ```
 */
export function fuse(rankings: readonly (readonly string[])[], { k = 60 }: { k?: number } = {}): Fused[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [place, id] of [...new Set(ranking)].entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (k + place + 1));
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
}

import type { Hit } from "smooth-clir";

/** The length of a ranking, so that the pinned document is found in it; a ranking that is one longer goes on. */
export const RANKED = 5000;

/** The result of a search. */
export interface Found {
  query: string;
  epsilon: number;
  /** Whether the ranking is hybrid: scores have a lexical part. */
  hybrid: boolean;
  /** The hits that the list shows, best first. */
  hits: readonly Hit[];
  /** The ranking as far as ranks are looked for; it begins with `hits`. */
  ranking: readonly Hit[];
}

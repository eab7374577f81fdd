import type { Hit } from "smooth-clir";

/** A document as the list shows it: for which query, at which epsilon. */
export interface ShownHit {
  query: string;
  epsilon: number;
  /** Whether the ranking is hybrid: scores have a lexical part. */
  hybrid: boolean;
  hit: Hit;
}

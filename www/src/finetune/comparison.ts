import type { Hit } from "smooth-clir";
import { keyOf } from "../model/document-key";

/** A document in one of two rankings, and its rank in the other, from 1; undefined where it is not there. */
export interface Ranked {
  hit: Hit;
  rank: number;
  other: number | undefined;
}

/** The part of one search's ranking that fine-tuning left in place. */
export interface Retained {
  /** The count of first documents that are still among the first. */
  stayed: number;
  /** The count of first documents before. */
  of: number;
  firstStayed: boolean;
}

/** The first `most` of a ranking, each with its rank in the other. */
export function rankIn(hits: readonly Hit[], other: readonly Hit[], most: number): Ranked[] {
  const ranks = new Map(other.map((hit, place) => [keyOf(hit), place + 1]));
  return hits.slice(0, most).map((hit, place) => ({ hit, rank: place + 1, other: ranks.get(keyOf(hit)) }));
}

export function countRetained(before: readonly Hit[], now: readonly Hit[]): Retained {
  const keys = new Set(now.map(keyOf));
  const stayed = before.filter((hit) => keys.has(keyOf(hit))).length;
  const [first, firstNow] = [before[0], now[0]];
  return { stayed, of: before.length, firstStayed: first && firstNow ? keyOf(first) === keyOf(firstNow) : true };
}

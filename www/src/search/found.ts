import type { Hit, LexicalMatch, Token } from "smooth-clir";
import type { Entry } from "./entries";

/** The length of a ranking, so that the pinned document is found in it; a ranking that is one longer goes on. */
export const RANKED = 5000;

/** The result of a search. */
export interface Found {
  query: string;
  /** The language that it was taken for. */
  language: string;
  /** The same where a person chose it; undefined where its words told it. */
  chosen: string | undefined;
  epsilon: number;
  /** Whether the ranking is hybrid: scores have a lexical part. */
  hybrid: boolean;
  /** The query's words. */
  tokens: readonly Token[];
  /** The documents of the list, best first. */
  hits: readonly Hit[];
  /** The cards of the list: one for each of `hits`, or one for several of the same entry. */
  entries: readonly Entry[];
  /** The words of each of `hits` that answer the query, where they are known already. */
  matches?: readonly (readonly LexicalMatch[])[];
  /** The ranking as far as ranks are looked for; it begins with `hits`. */
  ranking: readonly Hit[];
}

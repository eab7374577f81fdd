import type { Hit, LexicalMatch, Token } from "smooth-clir";
import computed from "./example.json";

/** A query with its answers, which the page shows before its model is here. */
interface Example {
  query: string;
  tokens: readonly Token[];
  hits: readonly Hit[];
  /** The words of each of `hits` that answer the query. */
  matches: readonly (readonly LexicalMatch[])[];
  /** The English titles of the hits' entries. */
  english: Record<string, string>;
}

/** Computed when the page is built, with the model that the page searches with: see `pkg-scripts/example.mjs`. */
export const example = computed as unknown as Example;

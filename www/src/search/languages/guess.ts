import { languageOfScript } from "smooth-clir";
import type { Found } from "../found";

/** Letters by which a language in Latin letters is told. */
const LATIN = /\p{Script=Latin}/gu;

/**
 * The language that a query is probably in, if it is one of `others`, which are not read yet: by its script or, in Latin
 * letters, by its letters, where some of its words are known in none of the languages `read`; of the demo model, which
 * knows few words, where all are unknown.
 */
export async function guess(found: Found, read: readonly string[], others: readonly string[]): Promise<string | undefined> {
  const { query, tokens, hybrid } = found;
  const language = languageOfScript(query);
  if (language !== undefined) return others.includes(language) ? language : undefined;
  const letters = query.match(/\p{L}/gu)?.length ?? 0;
  if (2 * (query.match(LATIN)?.length ?? 0) < letters) return undefined;
  const unknown = tokens.filter(({ known, interpreted }) => !known || interpreted !== undefined).length;
  if (others.length === 0 || unknown === 0 || (!hybrid && unknown < tokens.length)) return undefined;
  const { guessOf } = await import("../../model/later-languages");
  const guessed = guessOf(query, [...read, ...others]);
  return guessed !== undefined && others.includes(guessed) ? guessed : undefined;
}

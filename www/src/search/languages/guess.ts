import type { Found } from "../found";

/** The scripts of languages that are told by their script. */
const SCRIPTS: readonly (readonly [language: string, letters: RegExp])[] = [
  ["ru", /\p{Script=Cyrillic}/gu],
  ["zh", /\p{Script=Han}/gu],
  ["ar", /\p{Script=Arabic}/gu],
  ["hi", /\p{Script=Devanagari}/gu],
];
/** Letters of other languages in these scripts: Ukrainian, Serbian, Japanese, Persian, Urdu. */
const OTHERS = /[іїєґўјљњћђџқғәүұһө\p{Script=Hiragana}\p{Script=Katakana}پچژگکیٹڈڑںے]/iu;

/**
 * The language that a query is probably in, if it is one of `others`, which are not read yet: by its script or, in Latin
 * letters, by its letters, where some of its words are known in none of the languages `read`; of the demo model, which
 * knows few words, where all are unknown.
 */
export async function guess(found: Found, read: readonly string[], others: readonly string[]): Promise<string | undefined> {
  const { query, tokens, hybrid } = found;
  const letters = query.match(/\p{L}/gu)?.length ?? 0;
  const [language] = SCRIPTS.find(([, script]) => 2 * (query.match(script)?.length ?? 0) > letters) ?? [];
  if (language !== undefined) return others.includes(language) && !OTHERS.test(query) ? language : undefined;
  const unknown = tokens.filter(({ known, interpreted }) => !known || interpreted !== undefined).length;
  if (others.length === 0 || unknown === 0 || (!hybrid && unknown < tokens.length)) return undefined;
  const { guessOf } = await import("../../model/later-languages");
  const guessed = guessOf(query, [...read, ...others]);
  return guessed !== undefined && others.includes(guessed) ? guessed : undefined;
}

import { franc, francAll } from "franc-min";

/** The codes of the library for languages that models know. */
const CODES: Readonly<Record<string, string>> = { en: "eng", fr: "fra", it: "ita", sw: "swh", tl: "tgl", es: "spa", de: "deu", pt: "por", ru: "rus", id: "ind" };

/** Characters from which on a text tells that it is in none of the languages. */
const SURE_CHARACTERS = 200;
/**
 * A text is in none of the languages if the best of them scores less than this share of the best of all. On 9 languages of
 * `shared/data/dev`, 200 characters each: all texts of the models' five languages are kept, 98.0 to 100% of the others refused.
 */
const OWN_SHARE = 0.97;

/** The language of a text among these; `other` names another one that it is far more likely in. */
export function languageOf(text: string, languages: readonly string[]): { language: string; other?: string } {
  const codes = languages.flatMap((language) => CODES[language] ?? []);
  const found = franc(text, { only: codes, minLength: 1 });
  const language = languages.find((language) => CODES[language] === found) ?? languages[0]!;
  if (text.length < SURE_CHARACTERS) return { language };
  const all = francAll(text, { minLength: 1 });
  const [best] = all[0]!;
  const share = all.find(([code]) => codes.includes(code))?.[1] ?? 0;
  return share < OWN_SHARE && best !== "und" ? { language, other: shortCode(best) } : { language };
}

/** The two letters of a language where it has them, as the browser knows it. */
const shortCode = (code: string): string => new Intl.Locale(code).language;

/** Languages that their script tells. */
const SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  ["ru", /\p{Script=Cyrillic}/u],
  ["zh", /\p{Script=Han}/u],
  ["ar", /\p{Script=Arabic}/u],
  ["hi", /\p{Script=Devanagari}/u],
];
/** Letters that these languages do not have: they tell Ukrainian, Serbian, Kazakh, Japanese, Persian or Urdu, for example. */
const OTHERS = /[іїєґўјљњћђџқғәүұһө\p{Script=Hiragana}\p{Script=Katakana}پچژگکیٹڈڑںے]/iu;

/**
 * The language of models that the script of most of a text's letters tells: `ru`, `zh`, `ar` or `hi`. Undefined for other scripts, and where letters
 * are of another language in the same script. A page can fetch the language's pack then, without which no word of the text is known.
 */
export function languageOfScript(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu) ?? [];
  const [language] = SCRIPTS.find(([, script]) => 2 * letters.filter((letter) => script.test(letter)).length > letters.length) ?? [];
  return OTHERS.test(text) ? undefined : language;
}

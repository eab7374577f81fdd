/**
 * Words, also those with an apostrophe inside: Swahili ng'ombe is one, French l'eau are two for the core, and has a gloss
 * of as many.
 */
export const WORDS = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;
/** A script that puts no spaces between words. */
const UNSPACED = /\p{Script=Han}/u;

/** The words of a text, with their places, in order. Where a script has no spaces the browser's dictionary tells them. */
function* placedWords(text: string): Generator<{ word: string; index: number }> {
  for (const { 0: run, index } of text.matchAll(WORDS)) {
    if (!UNSPACED.test(run) || !("Segmenter" in Intl)) {
      yield { word: run, index };
      continue;
    }
    const segments = new Intl.Segmenter("zh", { granularity: "word" }).segment(run);
    for (const { segment, index: at } of segments) yield { word: segment, index: index + at };
  }
}

/** The words of a text, in order. */
export const wordsOf = (text: string): string[] => Array.from(placedWords(text), ({ word }) => word);

/** The parts of a text, in order: its words, with their glosses, and what stands between them. */
export function* glossedParts(
  text: string,
  glosses: readonly (string | undefined)[],
): Generator<{ text: string; gloss?: string | undefined }> {
  let end = 0;
  let place = 0;
  for (const { word, index } of placedWords(text)) {
    if (index > end) yield { text: text.slice(end, index) };
    yield { text: word, gloss: glosses[place++] };
    end = index + word.length;
  }
  if (end < text.length) yield { text: text.slice(end) };
}

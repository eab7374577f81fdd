/**
 * Words, also those with an apostrophe inside: Swahili ng'ombe is one, French l'eau are two for the core, and has a gloss
 * of as many.
 */
export const WORDS = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;

/** The words of a text, in order. */
export const wordsOf = (text: string): string[] => text.match(WORDS) ?? [];

/** The parts of a text, in order: its words, with their glosses, and what stands between them. */
export function* glossedParts(
  text: string,
  glosses: readonly (string | undefined)[],
): Generator<{ text: string; gloss?: string | undefined }> {
  let end = 0;
  let place = 0;
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (index > end) yield { text: text.slice(end, index) };
    yield { text: word, gloss: glosses[place++] };
    end = index + word.length;
  }
  if (end < text.length) yield { text: text.slice(end) };
}

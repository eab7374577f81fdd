import type { WordContribution } from "smooth-clir";
import { make } from "../../ui/dom";
import { WORDS } from "../gloss/words";

/** Words that change the score by less than this part of what the strongest does are left alone. */
const LEAST = 0.25;
const PARTS = /[\p{L}\p{M}\p{N}]+/gu;

/** The engine's form of a word. */
const tokenOf = (word: string) => word.normalize("NFKC").toLowerCase();

/** Highlights the words of a text that changed the score: how much, and in which direction. */
export function highlightedText(text: string, words: readonly WordContribution[]): (Node | string)[] {
  const most = Math.max(...words.map(({ contribution }) => Math.abs(contribution ?? 0)));
  const strengths = new Map<string, number>();
  for (const { token, contribution = 0 } of words) {
    if (contribution !== 0 && Math.abs(contribution) >= LEAST * most) strengths.set(token, contribution / most);
  }
  const pieces: (Node | string)[] = [];
  let done = 0;
  const highlight = (from: number, word: string) => {
    const strength = strengths.get(tokenOf(word));
    if (strength === undefined) return false;
    const element = make("mark", strength > 0 ? "positive" : "negative", word);
    element.style.setProperty("--strength", Math.abs(strength).toFixed(2));
    pieces.push(text.slice(done, from), element);
    done = from + word.length;
    return true;
  };
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (highlight(index, word)) continue;
    for (const part of word.matchAll(PARTS)) highlight(index + part.index, part[0]);
  }
  pieces.push(text.slice(done));
  return pieces;
}

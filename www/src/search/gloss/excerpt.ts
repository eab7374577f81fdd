import type { Hit, LexicalMatch } from "smooth-clir";
import { answered, snippet } from "smooth-clir/snippet";
import { make } from "../../ui/dom";
import { strings } from "../../i18n/strings";

/** About two lines, and three of a phone. */
const WORDS = matchMedia("(max-width: 40rem)").matches ? 15 : 22;

/** The lines of a document's text that answer a query best: each word that does, with the query's word that it answers. */
export class Excerpt {
  readonly element = make("p", "excerpt");
  readonly #text: string;

  /** `text` is the text as the card shows it. */
  constructor({ language }: Hit, text: string) {
    this.#text = text;
    this.element.lang = language;
    this.element.dir = "auto";
    this.show([], [], language);
  }

  /** `words` are the query's, of this language. */
  show(matches: readonly LexicalMatch[], words: readonly string[], language: string): void {
    const { text, ranges, answers } = snippet(this.#text, matches, { words: WORDS });
    const pieces: (Node | string)[] = [];
    let end = 0;
    ranges.forEach(([from, to], place) => {
      const answer = text.slice(from, to);
      const [word] = answered(answers[place]!, words);
      pieces.push(text.slice(end, from), word === undefined ? answer : answering(answer, word, language));
      end = to;
    });
    this.element.replaceChildren(...pieces, text.slice(end));
  }
}

/** A word of a text that answers one of a query: where it begins, and the query's word. */
export type Answer = readonly [from: number, word: string];

/** The words of a whole text that answer words of a query, in order. */
export function answersIn(text: string, matches: readonly LexicalMatch[], words: readonly string[]): Answer[] {
  const { ranges, answers } = snippet(text, matches, { words: text.length + 1 });
  return ranges.map(([from], place) => [from, answered(answers[place]!, words)[0] ?? answers[place]!]);
}

/** A word of a document that answers one of the query, of a language. */
export function answering(text: string, word: string, language: string): HTMLElement {
  const mark = make("mark", "answer", text);
  mark.dataset["word"] = word;
  if (text.toLowerCase() === word) return mark;
  const asked = make("bdi", "answer-word", strings.gloss.answers(word));
  asked.lang = language;
  mark.append(" ", asked);
  return mark;
}

import type { Hit, Token } from "smooth-clir";
import { byId } from "../ui/dom";
import * as format from "../ui/format";
import { languageName, strings } from "../i18n/strings";

/** Screen readers are told once the typing rests. */
const ANNOUNCE_AFTER_MS = 700;
const WORDS_SHOWN = 6;
const WORD_LENGTH_SHOWN = 30;

/** The lines that say what a search did: how much, how fast, which words, and why nothing. */
export class StatusView {
  readonly #count = byId("count-status", HTMLParagraphElement);
  readonly #words = byId("word-status", HTMLParagraphElement);
  readonly #empty = byId("empty", HTMLParagraphElement);
  readonly #announcer = byId("announcer", HTMLParagraphElement);
  #timer = 0;

  /** There is nothing to list; the message says why. */
  showReason(message: string): void {
    this.#set("", "", message);
    this.#announce(message);
  }

  /** `more` is said aloud only. */
  showHits(hits: readonly Hit[], tokens: readonly Token[], documents: number, more: string): void {
    const fit = hits.some(({ fits }) => fits) ? "" : `${strings.nothingFits} `;
    const words = fit + describeWords(tokens);
    const first = hits[0];
    if (!first) {
      const reason = whyNothing(tokens, documents);
      this.#set("", "", reason);
      this.#announce(reason);
      return;
    }
    this.#set(this.#count.textContent, words, "");
    this.#announce(`${strings.announce(hits.length, first.title, languageName(first.language))} ${words} ${more}`.trimEnd());
  }

  showCount(hits: number, documents: number, ms: number): void {
    this.#count.textContent = strings.count(format.count(hits), format.count(documents), format.milliseconds(ms));
  }

  /** Says something aloud, but not each of many quick changes. */
  #announce(message: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#announcer.textContent !== message) this.#announcer.textContent = message;
    }, ANNOUNCE_AFTER_MS);
  }

  #set(count: string, words: string, empty: string): void {
    this.#count.textContent = count;
    this.#words.textContent = words;
    this.#empty.textContent = empty;
    this.#empty.hidden = empty === "";
  }
}

function whyNothing(tokens: readonly Token[], documents: number): string {
  if (documents === 0) return strings.noDocument;
  if (tokens.length === 0) return strings.noWord;
  return strings.noWordKnown(list(tokens.map(({ token }) => token)));
}

function describeWords(tokens: readonly Token[]): string {
  const unknown = tokens.filter(({ known }) => !known).map(({ token }) => token);
  const interpreted = tokens.flatMap(({ token, interpreted }) => (interpreted === undefined ? [] : [`${token} → ${interpreted}`]));
  const known =
    unknown.length === 0
      ? strings.allWordsKnown(tokens.length)
      : strings.someWordsKnown(tokens.length - unknown.length, tokens.length, list(unknown));
  return interpreted.length === 0 ? known : `${known}. ${strings.interpretedAs(list(interpreted))}`;
}

/** Each word once, and only so many, and only so much of each. */
function list(words: string[]): string {
  const distinct = [...new Set(words)];
  const shown = distinct.slice(0, WORDS_SHOWN).map((word) => {
    const letters = [...word.slice(0, 2 * WORD_LENGTH_SHOWN)];
    return letters.length > WORD_LENGTH_SHOWN ? `${letters.slice(0, WORD_LENGTH_SHOWN).join("")}…` : word;
  });
  const rest = distinct.length - shown.length;
  return [strings.words(shown), ...(rest > 0 ? [strings.more(format.count(rest))] : [])].join(" ");
}

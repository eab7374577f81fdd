import type { Token } from "smooth-clir";
import { snippet } from "smooth-clir/snippet";
import { byId, make } from "../ui/dom";
import * as format from "../ui/format";
import type { Found } from "./found";
import { LINK_QUERY_MOST } from "../state/state";
import { languageName, strings } from "../i18n/strings";

/** Screen readers are told once the typing rests. */
const ANNOUNCE_AFTER_MS = 700;
const WORDS_SHOWN = 12;
const WORD_LENGTH_SHOWN = 30;

/** The lines that say what a search did: how much, how fast, with which words, and why nothing. */
export class StatusView {
  readonly #heading = byId("results-heading", HTMLHeadingElement);
  readonly #count = byId("count-status", HTMLParagraphElement);
  readonly #words = byId("query-words", HTMLDivElement);
  readonly #notes = byId("word-status", HTMLDivElement);
  readonly #empty = byId("empty", HTMLParagraphElement);
  readonly #announcer = byId("announcer", HTMLParagraphElement);
  readonly #onSpelling: (asTyped: boolean) => void;
  #timer = 0;

  /** `onSpelling` is told to search for misspelt words as they were typed, or as they were corrected. */
  constructor(onSpelling: (asTyped: boolean) => void) {
    this.#onSpelling = onSpelling;
    this.#words.dir = "auto";
  }

  /** There is nothing to list; the message says why. */
  showReason(message: string): void {
    this.#set(strings.results, "", [], [], message);
    this.#announce(message);
  }

  /** `more` is said aloud only. */
  showHits(found: Found, asTyped: boolean, documents: number, more: string): void {
    const { hits } = found;
    const tokens = asTypedIn(found);
    this.#words.lang = found.language;
    const first = hits[0];
    const said = sentences(tokens, asTyped);
    if (!first) {
      const reason = whyNothing(tokens, documents, asTyped);
      this.#set(strings.results, "", [], this.#correction(tokens, asTyped), reason);
      this.#announce(reason);
      return;
    }
    const fits = hits.some(({ fits }) => fits);
    if (!fits) said.unshift(strings.nothingFits);
    if (found.query.length > LINK_QUERY_MOST) said.push(strings.notInLink(format.count(LINK_QUERY_MOST)));
    const lines = said.map((line) => make("p", "", line));
    const notes = [...lines, ...this.#correction(tokens, asTyped)];
    this.#set(strings.results, this.#count.textContent, wordsOf(tokens, asTyped), notes, "");
    this.#announce([strings.announce(hits.length, first.title, languageName(first.language)), ...said, more].join(" ").trimEnd());
  }

  /** The list is what the page's example finds. */
  showExample(found: Found): void {
    this.#words.lang = found.language;
    this.#set(strings.example, "", wordsOf(asTypedIn(found), false), [], "");
  }

  showCount(hits: number | undefined, documents: number, ms: number): void {
    const [all, time] = [format.count(documents), format.milliseconds(ms)];
    this.#count.textContent = hits === undefined ? strings.searched(all, time) : strings.count(format.count(hits), all, time);
  }

  /** Offers the other reading of misspelt words. */
  #correction(tokens: readonly Typed[], asTyped: boolean): HTMLElement[] {
    const corrected = tokens.filter(({ interpreted }) => interpreted !== undefined);
    if (corrected.length === 0) return [];
    const button = make("button", "link", asTyped ? strings.spelling.correct : strings.spelling.asTyped(list(corrected.map(({ typed }) => typed))));
    button.type = "button";
    button.addEventListener("click", () => this.#onSpelling(!asTyped));
    return [button];
  }

  /** Says something aloud, but not each of many quick changes. */
  #announce(message: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#announcer.textContent !== message) this.#announcer.textContent = message;
    }, ANNOUNCE_AFTER_MS);
  }

  #set(heading: string, count: string, words: readonly HTMLElement[], notes: readonly HTMLElement[], empty: string): void {
    this.#heading.textContent = heading;
    this.#count.textContent = count;
    // A word that is kept lit stays so.
    const kept = this.#words.querySelector<HTMLElement>('[aria-pressed="true"]')?.dataset["word"];
    const pressed = words.find((word) => kept !== undefined && word.dataset["word"] === kept);
    if (pressed) pressed.ariaPressed = "true";
    pressed?.classList.add("is-lit");
    this.#words.replaceChildren(...words);
    const hadFocus = this.#notes.contains(document.activeElement);
    this.#notes.replaceChildren(...notes);
    // The other spelling is offered now.
    if (hadFocus) (this.#notes.querySelector("button") ?? byId("query", HTMLInputElement)).focus({ preventScroll: true });
    this.#empty.textContent = empty;
    this.#empty.hidden = empty === "";
  }
}

/** A word of a query as it is shown. The text rule drops signs and unites letters of Arabic and Hindi, which are other words to readers. */
interface Typed extends Token {
  typed: string;
}

function asTypedIn({ query, tokens }: Found): Typed[] {
  const lower = query.toLowerCase();
  const typed = (token: string) => {
    // Of a very long query few words are shown, and looking for each would take time in proportion to its square.
    if (query.length > LINK_QUERY_MOST || lower.includes(token)) return token;
    const { text, ranges } = snippet(query, [{ token, terms: [{ token, probability: 1, count: 1 }], contribution: 1 }]);
    return ranges[0] === undefined ? token : text.slice(...ranges[0]);
  };
  return tokens.map((token) => ({ ...token, typed: typed(token.token) }));
}

/** The query's words, which light what answers them; those that are left out are struck. */
function wordsOf(tokens: readonly Typed[], asTyped: boolean): HTMLElement[] {
  const words: HTMLElement[] = [];
  const seen = new Set<string>();
  for (const { token, typed, known, interpreted } of tokens) {
    const word = interpreted ?? token;
    if (seen.has(word) || seen.size === WORDS_SHOWN) continue;
    seen.add(word);
    if (!known || (asTyped && interpreted !== undefined)) {
      words.push(make("s", "query-word", cut(typed)));
      continue;
    }
    const button = make("button", "query-word", cut(interpreted ?? typed));
    button.type = "button";
    button.ariaPressed = "false";
    button.dataset["word"] = word;
    words.push(button);
  }
  return words;
}

function whyNothing(tokens: readonly Typed[], documents: number, asTyped: boolean): string {
  if (documents === 0) return strings.noDocument;
  if (tokens.length === 0) return strings.noWord;
  const words = tokens.map(({ typed }) => typed);
  const known = tokens.some(({ known, interpreted }) => known && !(asTyped && interpreted !== undefined));
  if (known) return strings.nothingFound;
  return strings.noWordKnown(list(words));
}

/** What is to be known of a query's words. */
function sentences(tokens: readonly Typed[], asTyped: boolean): string[] {
  const corrected = tokens.filter(({ interpreted }) => interpreted !== undefined);
  const left = tokens.filter(({ known, interpreted }) => !known || (asTyped && interpreted !== undefined));
  const said: string[] = [];
  if (corrected.length > 0 && !asTyped) {
    said.push(strings.spelling.corrected(list(corrected.map(({ typed, interpreted }) => `${cut(typed)} → ${interpreted}`), 2 * WORD_LENGTH_SHOWN)));
  }
  if (left.length > 0) said.push(strings.unknown(list(left.map(({ typed }) => typed)), new Set(left.map(({ token }) => token)).size));
  return said;
}

/** Each word once, and only so many, and only so much of each. */
function list(words: string[], length = WORD_LENGTH_SHOWN): string {
  const distinct = [...new Set(words)];
  const shown = distinct.slice(0, WORDS_SHOWN / 2).map((word) => cut(word, length));
  const rest = distinct.length - shown.length;
  return [strings.words(shown), ...(rest > 0 ? [strings.more(format.count(rest))] : [])].join(" ");
}

function cut(word: string, length = WORD_LENGTH_SHOWN): string {
  const letters = [...word.slice(0, 2 * length)];
  return letters.length > length ? `${letters.slice(0, length).join("")}…` : word;
}

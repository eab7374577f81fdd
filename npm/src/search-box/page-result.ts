// One page in the list of results: its title, and its sections that answer the query.
import { answered, snippet, type Snippet } from "../snippet.js";
import type { Hit, LexicalMatch } from "../types.js";
import { addressOf, directionOf, element, fragments, linkOf, pageOf } from "./markup.js";
import type { SearchBoxStrings } from "./strings.js";
import type { QueryWords } from "./query-words.js";

/** Words of an excerpt. */
const WORDS = 28;
/** Sections of a page that are shown at once. */
const SECTIONS = 3;
/** Letters that a word and its gloss begin with, if the gloss says nothing new. */
const SAME_LETTERS = 4;

/** A hit with what answers the query in it. */
export interface Found {
  hit: Hit & { section?: string };
  /** Of the words that count. */
  matches: LexicalMatch[];
}

/** How results are shown. */
export interface Showing {
  strings: SearchBoxStrings;
  /** The language of these words. */
  tag: string;
  words: QueryWords;
  /** The URL of the pages; without it, results are not links. */
  base: string | undefined;
  /** The level of the headings. */
  level: number;
  /** The name of a language, if it must be said. */
  nameOf: (language: string) => string | undefined;
}

/**
 * The key of a hit's page. Where results are links, a page is what its address leads to, also if passages of it are in two languages; else the
 * same id in two languages is two documents.
 */
export const pageKey = ({ hit }: Found, base: string | undefined): string =>
  base === undefined ? `${hit.language} ${pageOf(hit.id)}` : pageOf(hit.id);

/** A page in the list of results. */
export class PageResult {
  readonly element: HTMLElement;
  readonly #showing: Showing;
  readonly #title: string;
  readonly #sections = element("ul", "sections");
  readonly #more: HTMLButtonElement;
  /** The sections that are shown. */
  readonly #shown = new Set<string>();
  #hidden: HTMLElement[] = [];
  #isUnfolded = false;
  /** Whether the entry can still grow: once it is read, further sections are folded away. */
  #isOpen = true;

  /** `found` is the page's best passage. */
  constructor(found: Found, showing: Showing) {
    const { hit } = found;
    this.#showing = showing;
    this.#title = hit.title || pageOf(hit.id);
    this.#more = element("button", "button more-sections", { type: "button", lang: showing.tag, dir: "auto" });
    this.element = element("li", "result", { lang: hit.language, dir: directionOf(hit.language) });
    const heading = element("div", "heading", { role: "heading", "aria-level": String(showing.level) });
    const isOwn = this.#isOwn(found);
    heading.append(this.#linked("title", this.#title, isOwn ? hit.id : pageOf(hit.id), found, isOwn ? this.#excerpt(found) : undefined));
    const language = showing.nameOf(hit.language);
    if (language !== undefined) heading.append(" ", element("small", "language", { lang: this.#showing.tag, dir: "auto" }, language));
    this.element.append(heading, this.#sections);
    this.#sections.hidden = true;
    this.#more.addEventListener("click", () => this.#unfold());
    this.add(found);
  }

  /** The entry is read from now on. */
  close(): void {
    this.#isOpen = false;
  }

  /** Adds a further passage of the page: the best of each section is shown. */
  add(found: Found): void {
    const { hit } = found;
    const isOwn = this.#isOwn(found);
    // Headings without an anchor have that of the heading above.
    const section = isOwn ? "" : `${addressOf(hit.id)} ${hit.section}`;
    if (this.#shown.has(section) || (isOwn && !this.#isOpen)) return;
    this.#shown.add(section);
    const excerpt = this.#excerpt(found);
    const text = this.#text(excerpt);
    if (hit.language !== this.element.lang) Object.assign(text, { lang: hit.language, dir: directionOf(hit.language) });
    if (isOwn) return this.#sections.before(text);
    const item = element("li", "section");
    item.append(this.#linked("section-title", hit.section!, hit.id, found, excerpt), text);
    const isFolded = !this.#isOpen || this.#sections.childElementCount >= SECTIONS;
    this.#sections.append(item);
    this.#sections.hidden = false;
    if (!isFolded || this.#isUnfolded) return;
    item.hidden = true;
    this.#hidden.push(item);
    this.#more.textContent = this.#showing.strings.sections(this.#hidden.length);
    this.element.append(this.#more);
  }

  /** Whether a passage stands under no heading but the page's title. */
  #isOwn({ hit }: Found): boolean {
    return !hit.section || hit.section === hit.title;
  }

  #unfold(): void {
    for (const section of this.#hidden) section.hidden = false;
    this.#isUnfolded = true;
    const first = this.#hidden[0]!;
    this.#hidden = [];
    // The focus stays where the reader is.
    focusOn(first);
    this.#more.remove();
  }

  #excerpt({ hit, matches }: Found): Snippet {
    // A passage begins with its headings, which stand above it here.
    let { text } = hit;
    for (let end = text.indexOf("\n"); end >= 0 && [hit.title, hit.section].includes(text.slice(0, end)); end = text.indexOf("\n")) {
      text = text.slice(end + 1);
    }
    return snippet(text, matches, { words: WORDS });
  }

  /** A title or a heading, with the words that answer the query marked, as a link where there is a base. */
  #linked(part: string, text: string, id: string, { matches }: Found, excerpt: Snippet | undefined): HTMLElement {
    const { base } = this.#showing;
    const texts = excerpt ? fragments(excerpt.text, excerpt.ranges, id.includes("#")) : [];
    const made =
      base === undefined ? element("strong", part) : element("a", part, { href: linkOf(id, base, texts) });
    made.append(...marked(snippet(text, matches, { words: text.length + 1 })));
    return made;
  }

  #text(excerpt: Snippet): HTMLElement {
    const shown = element("p", "text");
    const glossed = new Set<string>();
    const gloss = (word: string, token: string) => {
      const [answer] = answered(token, this.#showing.words.all);
      const isSame = answer === undefined || answer.slice(0, SAME_LETTERS) === word.toLowerCase().slice(0, SAME_LETTERS);
      if (isSame || glossed.has(answer)) return undefined;
      glossed.add(answer);
      return answer;
    };
    shown.append(...marked(excerpt, gloss));
    return shown;
  }
}

/** Moves the focus to the link of a result or, where results are not links, to the result. */
export function focusOn(result: HTMLElement): void {
  const link = result.querySelector("a");
  if (!link) result.tabIndex = -1;
  (link ?? result).focus();
}

/** A snippet's text and marks; `gloss` says which word of the query a marked word answers, where that is shown. */
function marked({ text, ranges, answers }: Snippet, gloss?: (word: string, token: string) => string | undefined): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let at = 0;
  ranges.forEach(([from, to], number) => {
    const word = text.slice(from, to);
    const answered = gloss?.(word, answers[number]!);
    nodes.push(text.slice(at, from), element("mark", "mark", {}, word));
    // The query's language has no name here.
    if (answered !== undefined) nodes.push(" ", element("span", "gloss", { lang: "", dir: "auto" }, `(${answered})`));
    at = to;
  });
  return [...nodes, text.slice(at)];
}

import type { LexicalMatch } from "smooth-clir";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { strings } from "../../i18n/strings";
import { answered } from "smooth-clir/snippet";

/** The most that are listed; of the others only the count. */
const TERMS_SHOWN = 5;
const text = strings.why.translations;

/** The matches of a query's words, each word once: a word and its stem are matched apart. */
function mergeStems(matches: readonly LexicalMatch[], words: readonly string[]): LexicalMatch[] {
  const merged = new Map<string, LexicalMatch>();
  for (const match of matches) {
    const { token, terms, contribution } = match;
    const word = answered(token, words)[0] ?? token;
    const before = merged.get(word);
    const others = terms.filter((term) => before?.terms.every(({ token }) => token !== term.token) ?? true);
    merged.set(word, {
      token: word,
      terms: [...(before?.terms ?? []), ...others],
      contribution: (before?.contribution ?? 0) + contribution,
    });
  }
  return [...merged.values()];
}

/** The query's words that the document has in translation: the translations of each, and its contribution to the score. */
export class TranslationTable {
  readonly element = make("div", "translations");
  readonly #table = make("table", "translation-table");
  readonly #none = make("p", "why-note", text.none);
  readonly #rows = make("tbody");

  constructor() {
    const top = make("tr");
    for (const name of text.columns) {
      const cell = make("th", "", name);
      cell.scope = "col";
      top.append(cell);
    }
    const head = make("thead");
    head.append(top);
    this.#table.append(make("caption", "", text.caption), head, this.#rows);
    this.element.append(this.#table, this.#none);
  }

  /** Shows them; undefined where the score is dense. */
  show(translated: readonly LexicalMatch[] | undefined, ofQuery: readonly string[]): void {
    this.element.hidden = translated === undefined;
    const words = mergeStems(translated ?? [], ofQuery);
    this.#table.hidden = words.length === 0;
    this.#none.hidden = words.length > 0;
    const rows = words.map(({ token, terms, contribution }) => {
      const row = make("tr");
      const name = make("th", "", token);
      name.scope = "row";
      const sorted = [...terms].sort((a, b) => b.probability * b.count - a.probability * a.count);
      const shown = sorted.slice(0, TERMS_SHOWN);
      const said = shown.map(({ token, probability, count }) => text.term(token, format.percent(probability), count));
      if (sorted.length > shown.length) said.push(strings.more(format.count(sorted.length - shown.length)));
      row.append(name, make("td", "", strings.parts(said)), make("td", "", format.signed(contribution)));
      return row;
    });
    this.#rows.replaceChildren(...rows);
  }
}

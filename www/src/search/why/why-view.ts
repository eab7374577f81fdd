import type { Explanation, WordContribution } from "smooth-clir";
import { make } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import { languageName, strings } from "../../i18n/strings";
import { highlightedText } from "./highlighted-text";
import { TranslationTable } from "./translation-table";
import type { ShownHit } from "../shown-hit";

const WORDS_SHOWN = 40;
const text = strings.why;

type Five = [string, string, string, string, string];
type Fetch = (onProgress: (loaded: number, total: number | undefined) => void) => Promise<void>;

/** Explains a score. */
export class WhyView {
  readonly element = make("div", "why-parts");
  readonly #introduction = make("p", "why-note");
  readonly #formula = make("p");
  readonly #arithmetic = make("p", "arithmetic-now");
  readonly #fusion = make("p", "fusion-now");
  readonly #translations = new TranslationTable();
  readonly #query = new WordTable(text.queryCaption);
  readonly #sum = make("p", "why-note");
  readonly #document = new WordTable(text.documentCaption);
  readonly #highlights = make("div", "why-highlights");
  readonly #fetching = make("div", "why-fetch");
  readonly #text: HTMLElement;
  readonly #plain: string;
  #explained: { query: string; explanation: Explanation } | undefined;

  /** `element` shows the document's text, `plain`. */
  constructor(element: HTMLElement, plain: string, fetch: Fetch) {
    this.#text = element;
    this.#plain = plain;
    const arithmetic = make("div", "arithmetic");
    arithmetic.append(this.#formula, this.#arithmetic, this.#fusion);
    const words = make("details");
    words.append(make("summary", "", text.documentNumbers), this.#document.element);
    this.#highlights.append(make("p", "why-note", text.legend), words);
    this.#fetching.append(...this.#fetchButton(fetch));
    this.element.append(
      this.#introduction,
      arithmetic,
      this.#translations.element,
      this.#query.element,
      this.#sum,
      this.#fetching,
      this.#highlights,
    );
  }

  /** Shows the contribution of each word, and the query's norm. */
  show(query: string, explanation: Explanation): void {
    this.#explained = { query, explanation };
    const { weights, similarity, lexical, score } = explanation;
    // A dense score alone is the smooth cosine similarity itself.
    const hybrid = lexical !== undefined || weights[0] !== 1;
    const language = explanation.queryLanguage;
    const read = language === undefined ? "" : ` ${text.readAs(languageName(language))}`;
    this.#introduction.textContent = (hybrid ? text.hybrid : text.dense) + read;
    this.#formula.textContent = hybrid ? text.similarityFormula : text.formula;
    const parts = [weights[0], similarity, weights[1], lexical ?? 0, score].map(format.score) as Five;
    this.#fusion.textContent = hybrid ? text.fusion(...parts) : "";
    const words = explanation.query.map(({ token, interpreted }) => interpreted ?? token);
    this.#translations.show(hybrid ? explanation.matches : undefined, words);
    this.#query.show(explanation.query, hybrid ? text.similarityCaption : text.queryCaption);
    const sum = explanation.query.reduce((sum, { contribution = 0 }) => sum + contribution, 0);
    const say = hybrid ? text.similaritySum : text.sum;
    this.#sum.textContent = say(format.score(sum), format.score(similarity));
    const found = explanation.document.length > 0;
    this.#fetching.hidden = found;
    this.#highlights.hidden = !found;
    if (!found) return;
    this.#text.replaceChildren(...highlightedText(this.#plain, explanation.document));
    const strongest = (word: WordContribution) => Math.abs(word.contribution ?? 0);
    this.#document.show([...explanation.document].sort((a, b) => strongest(b) - strongest(a)));
  }

  /** The score of now: of an explanation it needs the query's norm only, which no epsilon changes. */
  follow({ query, hit, epsilon }: ShownHit): void {
    if (this.#explained?.query !== query) return;
    const { queryNorm } = this.#explained.explanation;
    const [dot, q, d, similarity] = [hit.dot, queryNorm, hit.documentNorm, hit.similarity].map(format.score);
    this.#arithmetic.textContent = text.arithmetic(dot!, q!, d!, format.typed(epsilon), similarity!);
  }

  #fetchButton(fetch: Fetch): HTMLElement[] {
    const button = make("button", "tool", text.showWords);
    button.type = "button";
    const message = make("p", "why-note");
    message.role = "status";
    button.addEventListener("click", async () => {
      if (button.ariaDisabled === "true") return;
      button.ariaDisabled = "true";
      try {
        await fetch((loaded, total) => {
          const all = total === undefined ? undefined : format.megabytes(total);
          message.textContent = strings.finetune.fetchingEncoders(format.megabytes(loaded), all);
        });
      } catch (error) {
        const { code, message: reason } = toFailure(error);
        message.textContent = text.failed(reason, code);
      }
      button.ariaDisabled = "false";
    });
    return [button, message];
  }
}

/** Words, the contribution of each, and a bar of it from a common zero. */
class WordTable {
  readonly element = make("table", "word-table");
  readonly #caption: HTMLElement;
  readonly #rows = make("tbody");

  constructor(caption: string) {
    const head = make("tr");
    for (const name of text.columns) {
      const cell = make("th", "", name);
      cell.scope = "col";
      head.append(cell);
    }
    head.append(make("td"));
    const top = make("thead");
    top.append(head);
    this.#caption = make("caption", "", caption);
    this.element.append(this.#caption, top, this.#rows);
  }

  show(words: readonly WordContribution[], caption?: string): void {
    if (caption !== undefined) this.#caption.textContent = caption;
    const shown = words.slice(0, WORDS_SHOWN);
    const contributions = shown.map((word) => word.contribution ?? 0);
    const [least, most] = [Math.min(0, ...contributions), Math.max(0, ...contributions)];
    const span = most - least || 1;
    const rows = shown.map(({ token, interpreted, contribution }) => {
      const row = make("tr");
      const name = make("th");
      name.scope = "row";
      const bar = make("td", "contribution");
      bar.style.setProperty("--zero", (-least / span).toFixed(4));
      if (contribution === undefined) {
        name.append(make("s", "", token));
        row.append(name, make("td", "unknown", text.unknown), bar);
        return row;
      }
      name.textContent = interpreted === undefined ? token : text.interpreted(token, interpreted);
      const fill = make("span", contribution < 0 ? "negative" : "positive");
      fill.style.setProperty("--from", ((Math.min(contribution, 0) - least) / span).toFixed(4));
      fill.style.setProperty("--size", (Math.abs(contribution) / span).toFixed(4));
      bar.append(fill);
      row.append(name, make("td", "", format.signed(contribution)), bar);
      return row;
    });
    if (words.length > shown.length) {
      const row = make("tr");
      const more = make("td", "more", strings.more(format.count(words.length - shown.length)));
      more.colSpan = 3;
      row.append(more);
      rows.push(row);
    }
    this.#rows.replaceChildren(...rows);
  }
}

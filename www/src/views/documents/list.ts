import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { languageName } from "../../i18n/strings";
import { languagesOf, sizeOf, type Source, type WordCounts } from "./source";
import { text } from "./strings";

/** The most files that are listed; the rest is counted. */
const SHOWN = 200;

interface Handlers {
  setLanguage(source: Source, language: string): void;
  remove(source: Source): void;
}

/** The files that are here: their documents, their known words, their language. */
export class List {
  readonly element = make("div", "documents-list");
  readonly #box = make("div", "table-box documents-table");
  readonly #body = make("tbody");
  readonly #more = make("p", "documents-note");
  readonly #handlers: Handlers;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
    const table = make("table");
    const head = make("tr");
    for (const column of Object.values(text.columns)) {
      const cell = make("th", "", column);
      cell.scope = "col";
      head.append(cell);
    }
    const top = make("thead");
    top.append(head);
    table.append(make("caption", "", text.caption), top, this.#body);
    this.#box.append(table);
    this.#box.tabIndex = 0;
    this.#box.role = "region";
    this.#box.ariaLabel = text.caption;
    this.element.append(this.#box, this.#more);
  }

  show(sources: readonly Source[], countsOf: (source: Source) => WordCounts | undefined, languages: readonly string[]): void {
    this.element.hidden = sources.length === 0;
    this.#body.replaceChildren(...sources.slice(0, SHOWN).map((source) => this.#row(source, countsOf(source), languages)));
    const rest = sources.length - SHOWN;
    this.#more.textContent = rest > 0 ? text.more(rest, format.count(rest)) : "";
    this.#more.hidden = rest <= 0;
  }

  #row(source: Source, counts: WordCounts | undefined, languages: readonly string[]): HTMLTableRowElement {
    const element = make("tr");
    const name = make("th", "", source.path);
    name.scope = "row";
    name.dir = "auto";
    const known = counts === undefined ? "…" : counts.words === 0 ? "0" : format.percent(counts.known / counts.words);
    const cells = [format.count(source.documents.length), known, sizeOf(source.bytes)];
    const remove = make("button", "", text.removeOne);
    remove.type = "button";
    remove.ariaLabel = text.removeFile(source.path);
    remove.addEventListener("click", () => this.#handlers.remove(source));
    const [language, last] = [make("td"), make("td")];
    language.append(this.#languageOf(source, languages));
    last.append(remove);
    const labels = [text.columns.documents, text.columns.known, text.columns.bytes];
    const numbers = cells.map((cell, at) => {
      const element = make("td", "", cell);
      element.dataset["label"] = labels[at];
      return element;
    });
    element.append(name, ...numbers, language, last);
    if (counts && counts.known === 0) element.className = "documents-unknown";
    return element;
  }

  #languageOf(source: Source, languages: readonly string[]): HTMLSelectElement {
    const select = make("select");
    select.ariaLabel = text.languageOf(source.path);
    const found = languagesOf(source);
    if (found.length > 1) {
      const several = make("option", "", format.list(found.map(languageName)));
      several.value = "";
      several.disabled = true;
      select.append(several);
    }
    for (const language of new Set([...languages, ...found])) {
      const option = make("option", "", languageName(language));
      option.value = language;
      select.append(option);
    }
    select.value = found.length > 1 ? "" : (found[0] ?? "");
    select.addEventListener("change", () => this.#handlers.setLanguage(source, select.value));
    return select;
  }
}

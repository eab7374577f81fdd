import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { languageName } from "../../i18n/strings";
import type { Entry } from "./adding";
import { text } from "./strings";

/** The most that are listed; the rest is counted. */
const SHOWN = 200;

/** The added documents, and the number of their known words. */
export class List {
  readonly element = make("div", "documents-list");
  readonly #box = make("div", "table-box documents-table");
  readonly #body = make("tbody");
  readonly #more = make("p", "documents-note");

  constructor() {
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

  show(entries: readonly Entry[]): void {
    this.element.hidden = entries.length === 0;
    this.#body.replaceChildren(...entries.slice(0, SHOWN).map(row));
    const rest = entries.length - SHOWN;
    this.#more.textContent = rest > 0 ? text.more(format.count(rest)) : "";
    this.#more.hidden = rest <= 0;
  }
}

function row({ title, language, known, words }: Entry): HTMLTableRowElement {
  const element = make("tr");
  const name = make("th", "", title);
  name.scope = "row";
  name.lang = language;
  name.dir = "auto";
  const cells = [format.count(known), format.count(words - known), languageName(language)];
  element.append(name, ...cells.map((cell) => make("td", "", cell)));
  if (known === 0) element.className = "documents-unknown";
  return element;
}

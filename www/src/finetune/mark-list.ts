import { byId, make } from "../ui/dom";
import * as format from "../ui/format";
import { languageName, strings } from "../i18n/strings";
import type { Marked, Marks } from "./marks";

/** The marks of all queries, each with a way to take it back. */
export class MarkList {
  readonly #list = byId("teach-marks", HTMLUListElement);
  readonly #section = byId("teach", HTMLElement);
  readonly #marks: Marks;

  constructor(marks: Marks) {
    this.#marks = marks;
    marks.subscribe(() => this.#show());
    byId("teach-forget", HTMLButtonElement).addEventListener("click", () => {
      marks.clear();
      this.#section.focus();
    });
  }

  #show(): void {
    this.#list.replaceChildren(...this.#marks.list.map((mark) => this.#item(mark)));
  }

  #item(mark: Marked): HTMLLIElement {
    const item = make("li");
    const query = make("span", "marked-query", format.short(mark.query));
    query.lang = "en";
    const title = make("span", "marked-title", mark.title);
    title.lang = mark.language;
    for (const element of [query, title]) element.dir = "auto";
    const what = make("p");
    const grade = make("span", "marked-grade", strings.teach.grades[mark.grade]);
    what.append(query, " → ", title, ` (${languageName(mark.language)}): `, grade);
    const remove = make("button", "", strings.teach.remove);
    remove.type = "button";
    remove.ariaLabel = strings.teach.removeLabel(mark.title, format.short(mark.query));
    remove.addEventListener("click", () => this.#remove(mark, item));
    item.append(what, remove);
    return item;
  }

  /** The focus goes to what stands in the place of the mark. */
  #remove(mark: Marked, item: HTMLLIElement): void {
    const place = [...this.#list.children].indexOf(item);
    this.#marks.remove(mark);
    const next = this.#list.children[Math.min(place, this.#list.children.length - 1)];
    (next?.querySelector("button") ?? this.#section).focus();
  }
}

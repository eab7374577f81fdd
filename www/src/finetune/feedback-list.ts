import { byId, make } from "../ui/dom";
import * as format from "../ui/format";
import { languageName, strings } from "../i18n/strings";
import type { Judgement, Feedback } from "./feedback";

/** Lists the judgements of all queries, each with a button that removes it. */
export class FeedbackList {
  readonly #list = byId("feedback", HTMLUListElement);
  readonly #section = byId("finetune", HTMLElement);
  readonly #feedback: Feedback;

  constructor(feedback: Feedback) {
    this.#feedback = feedback;
    feedback.subscribe(() => this.#show());
    byId("feedback-clear", HTMLButtonElement).addEventListener("click", () => {
      feedback.clear();
      this.#section.focus();
    });
  }

  #show(): void {
    this.#list.replaceChildren(...this.#feedback.list.map((judgement) => this.#item(judgement)));
  }

  #item(judgement: Judgement): HTMLLIElement {
    const item = make("li");
    const query = make("span", "judged-query", format.short(judgement.query));
    query.lang = "en";
    const title = make("span", "judged-title", judgement.title);
    title.lang = judgement.language;
    for (const element of [query, title]) element.dir = "auto";
    const what = make("p");
    const grade = make("span", "judged-grade", strings.finetune.grades[judgement.grade]);
    what.append(query, " → ", title, ` (${languageName(judgement.language)}): `, grade);
    const remove = make("button", "", strings.finetune.remove);
    remove.type = "button";
    remove.ariaLabel = strings.finetune.removeLabel(judgement.title, format.short(judgement.query));
    remove.addEventListener("click", () => this.#remove(judgement, item));
    item.append(what, remove);
    return item;
  }

  /** The focus goes to what stands in the place of the judgement. */
  #remove(judgement: Judgement, item: HTMLLIElement): void {
    const place = [...this.#list.children].indexOf(item);
    this.#feedback.remove(judgement);
    const next = this.#list.children[Math.min(place, this.#list.children.length - 1)];
    (next?.querySelector("button") ?? this.#section).focus();
  }
}

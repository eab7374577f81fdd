import type { Hit } from "smooth-clir";
import { make } from "../ui/dom";
import { strings } from "../i18n/strings";
import { GRADES, type Grade } from "./marks";

/** Three toggles on one result. */
export class MarkButtons {
  readonly element = make("div", "marks");
  readonly #buttons = new Map<Grade, HTMLButtonElement>();

  constructor({ title, language }: Hit, onPress: (grade: Grade) => void) {
    this.element.role = "group";
    this.element.ariaLabel = strings.teach.markGroup;
    for (const grade of GRADES) {
      const button = make("button", "mark", strings.teach.grades[grade]);
      button.type = "button";
      const of = make("span", "visually-hidden", title);
      of.lang = language;
      button.append(" ", of);
      button.addEventListener("click", () => onPress(grade));
      this.#buttons.set(grade, button);
    }
    this.element.append(...this.#buttons.values());
    this.show(undefined);
  }

  show(grade: Grade | undefined): void {
    for (const [own, button] of this.#buttons) button.ariaPressed = String(own === grade);
  }
}

import type { Hit } from "smooth-clir";
import { make } from "../ui/dom";
import { strings } from "../i18n/strings";
import { GRADES, type Grade } from "./feedback";

/** Three toggles on one result: relevant, partly, not relevant. */
export class FeedbackButtons {
  readonly element = make("div", "feedback-buttons");
  readonly #buttons = new Map<Grade, HTMLButtonElement>();

  constructor({ title, language }: Hit, onPress: (grade: Grade) => void) {
    this.element.role = "group";
    this.element.ariaLabel = strings.finetune.feedbackGroup;
    for (const grade of GRADES) {
      const button = make("button", "feedback-button", strings.finetune.grades[grade]);
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

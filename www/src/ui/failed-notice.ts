import { hide, make } from "./dom";
import { toFailure } from "./failure";
import { strings } from "../i18n/strings";

/** Says that a part of the page could not be fetched, and offers to try again. */
export class FailedNotice {
  readonly element = make("div", "notice failed-notice");
  readonly #message = make("p");
  readonly #say: (message: string, code: string) => string;

  constructor(say: (message: string, code: string) => string, retry: () => void) {
    this.#say = say;
    const button = make("button", "", strings.retry);
    button.type = "button";
    button.addEventListener("click", retry);
    this.element.role = "alert";
    this.element.hidden = true;
    this.element.append(this.#message, button);
  }

  show(error: unknown): void {
    const { code, message } = toFailure(error);
    const said = this.#say(message, code);
    if (this.#message.textContent !== said) this.#message.textContent = said;
    this.element.hidden = false;
  }

  hide(): void {
    hide(this.element, this.element.closest<HTMLElement>('[tabindex="-1"]'));
  }
}

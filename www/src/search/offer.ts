import { byId, hide } from "../ui/dom";
import { strings } from "../i18n/strings";

/** Offers a better model to a person who reads the results of another. */
export class Offer {
  readonly #root = byId("offer", HTMLDivElement);
  readonly #text = byId("offer-text", HTMLParagraphElement);
  readonly #results = byId("results", HTMLElement);
  #isOpen = false;

  constructor(onAccept: () => void) {
    byId("offer-accept", HTMLButtonElement).addEventListener("click", onAccept);
    byId("offer-decline", HTMLButtonElement).addEventListener("click", () => hide(this.#root, this.#results));
  }

  /** Whether it stands, also where it was put aside: the next search takes it. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  make(): void {
    this.#isOpen = true;
    this.#root.hidden = false;
    this.#text.textContent = strings.models.offer;
  }

  withdraw(): void {
    this.#isOpen = false;
    hide(this.#root, this.#results);
    this.#text.textContent = "";
  }
}

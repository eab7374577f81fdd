import { byId } from "../ui/dom";
import { strings } from "../i18n/strings";

/** Offers a better model to a person who reads the results of another. */
export class Offer {
  readonly #root = byId("offer", HTMLDivElement);
  readonly #text = byId("offer-text", HTMLParagraphElement);
  #isOpen = false;

  constructor(onAccept: () => void) {
    byId("offer-accept", HTMLButtonElement).addEventListener("click", onAccept);
    byId("offer-decline", HTMLButtonElement).addEventListener("click", () => {
      this.#root.hidden = true;
    });
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
    this.#root.hidden = true;
    this.#text.textContent = "";
  }
}

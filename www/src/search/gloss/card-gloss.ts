import type { Gloss, Hit } from "smooth-clir";
import { make } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import { strings } from "../../i18n/strings";
import { wordsOf } from "./words";

/** Glosses words of documents: see `SmoothClir.gloss`. */
export type Glosser = (words: readonly string[], language: string) => Promise<Gloss[]>;

let count = 0;

/** What a card says in English: its title, and at a press its text word by word. */
export class CardGloss {
  /** The gloss of the title; hidden where there is none. */
  readonly title = make("p", "gloss");
  /** Shows and hides the text. */
  readonly button: HTMLButtonElement;
  readonly text = make("div");
  readonly #plain: HTMLElement;
  readonly #hit: Hit;
  readonly #glosser: Glosser;

  /** `plain` shows the text as it is, unless it is shown word by word. */
  constructor(hit: Hit, plain: HTMLElement, button: HTMLButtonElement, glosser: Glosser) {
    this.#hit = hit;
    this.#plain = plain;
    this.#glosser = glosser;
    this.button = button;
    this.title.hidden = true;
    // Until it is known that the model has translations.
    button.hidden = true;
    button.ariaExpanded = "false";
    this.text.id = `gloss-${++count}`;
    this.text.hidden = true;
    this.text.role = "group";
    this.text.ariaLabel = strings.gloss.of(hit.title);
    button.setAttribute("aria-controls", this.text.id);
  }

  /** Whether the model has glosses of the card's language, and those of the title's words. */
  show(isKnown: boolean, ofTitle: readonly Gloss[]): void {
    const words = wordsOf(this.#hit.title);
    const line = words.map((word, place) => ofTitle[place] ?? word).join(" ");
    const says = ofTitle.some((gloss, place) => gloss !== undefined && gloss !== words[place]?.toLowerCase());
    this.title.replaceChildren();
    this.title.hidden = !says;
    if (says) {
      const english = make("span", "", line);
      english.lang = "en";
      this.title.append(`${strings.gloss.title} `, english);
    }
    this.button.hidden = !isKnown;
    if (!isKnown) this.#open(false);
  }

  /** Shows the text word by word, or hides it. */
  toggle(): void {
    const opens = this.text.hidden !== false;
    this.#open(opens);
    if (opens && !this.text.hasChildNodes()) void this.#fill();
  }

  #open(isOpen: boolean): void {
    this.text.hidden = !isOpen;
    this.#plain.hidden = isOpen;
    this.button.ariaExpanded = String(isOpen);
  }

  async #fill(): Promise<void> {
    const { language } = this.#hit;
    const text = this.#plain.textContent ?? "";
    try {
      const [{ interlinear }, glosses] = await Promise.all([import("./interlinear"), this.#glosser(wordsOf(text), language)]);
      this.text.replaceChildren(interlinear(text, language, glosses));
    } catch (cause) {
      const { message, code } = toFailure(cause);
      this.text.replaceChildren(make("p", "gloss-note", strings.gloss.failed(message, code)));
    }
  }
}

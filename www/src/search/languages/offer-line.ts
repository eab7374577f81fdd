import { make, makeButton } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import type { Packs } from "../../model/packs";
import { languageName, strings } from "../../i18n/strings";
import { text } from "./strings";

/** The line that offers the language which a query is probably in, and tells how far it has come. */
export class OfferLine {
  readonly element = make("div", "language-offer");
  readonly #words = make("span");
  readonly #button = makeButton("", () => this.#press(), "link");
  readonly #packs: Packs;
  readonly #onLoad: (language: string) => void;
  #press = () => {};
  #language: string | undefined;
  readonly #modelBytes: () => number;
  /** Whether its load was asked for here. */
  #isTaken = false;

  /** `modelBytes` tells those of the full model that are not here yet. */
  constructor(packs: Packs, modelBytes: () => number, onLoad: (language: string) => void) {
    this.#packs = packs;
    this.#modelBytes = modelBytes;
    this.#onLoad = onLoad;
    this.element.role = "status";
    this.element.hidden = true;
    this.element.append(this.#words, " ", this.#button);
  }

  /** Offers a language; undefined withdraws the offer. */
  offer(language: string | undefined): void {
    if (language !== this.#language) this.#isTaken = false;
    this.#language = language;
    this.show();
  }

  /** Brings it up to date. */
  show(): void {
    const language = this.#language;
    this.element.hidden = language === undefined;
    if (language === undefined) return;
    const name = languageName(language);
    const isPack = this.#packs.languages.includes(language);
    const state = this.#packs.stateOf(language);
    const load = () => {
      this.#isTaken = true;
      this.#onLoad(language);
    };
    if (isPack && state.kind === "coming") {
      const all = format.megabytes(this.#packs.bytesOf(language));
      this.#say(text.offerComing(name, format.megabytes(state.loaded), all), text.cancel, () => this.#packs.cancel(language));
    } else if (isPack && state.kind === "failed" && this.#isTaken) {
      const { message, code } = toFailure(state.error);
      this.#say(text.offerFailed(name, strings.failures[code] ?? message, code), text.retry, load);
    } else {
      const bytes = this.#modelBytes() + (isPack ? this.#packs.bytesOf(language) : 0);
      this.#say(text.offer(name), bytes === 0 ? text.offerFull : text.offerLoad(format.megabytes(bytes)), load);
    }
  }

  #say(words: string, button: string, press: () => void): void {
    if (this.#words.textContent !== words) this.#words.textContent = words;
    if (this.#button.textContent !== button) this.#button.textContent = button;
    this.#press = press;
  }
}

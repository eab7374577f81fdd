import { byId, make } from "../ui/dom";
import * as format from "../ui/format";
import { EPSILON_MOST, toEpsilon, type Store } from "../state/state";
import { strings } from "../i18n/strings";

// The slider's leftmost place is 0; the others are logarithmic, 200 to a decade, so that round
// numbers have places of their own.
const LEAST = 0.001;
const PLACES_PER_DECADE = 200;
const LAST_PLACE = 1 + PLACES_PER_DECADE * Math.log10(EPSILON_MOST / LEAST);
/** Both ends, and the range that paper 1 tried. */
const PRESETS = [0, 0.25, 0.5, 1, EPSILON_MOST];

function toPlace(epsilon: number): number {
  if (epsilon <= 0) return 0;
  const place = 1 + Math.round(PLACES_PER_DECADE * Math.log10(epsilon / LEAST));
  return Math.min(Math.max(place, 1), LAST_PLACE);
}

/** The place of an epsilon along the slider, from 0 to 1. */
export const toShare = (epsilon: number): number => toPlace(epsilon) / LAST_PLACE;

function fromPlace(place: number): number {
  if (place <= 0) return 0;
  return Number((LEAST * 10 ** ((place - 1) / PLACES_PER_DECADE)).toPrecision(3));
}

/** The slider, the number beside it and the way back to the model's own epsilon. */
export class EpsilonView {
  readonly #slider = byId("epsilon-slider", HTMLInputElement);
  readonly #number = byId("epsilon-number", HTMLInputElement);
  readonly #reset = byId("epsilon-reset", HTMLButtonElement);
  readonly #presets = new Map<number, HTMLButtonElement>();
  readonly #store: Store;
  #own: number;

  constructor(store: Store, own: number, onInput: (timeStamp: number) => void) {
    this.#store = store;
    this.#own = own;
    this.#slider.min = "0";
    this.#slider.max = String(LAST_PLACE);
    this.#slider.step = "1";
    this.#slider.addEventListener("input", (event) => {
      onInput(event.timeStamp);
      store.set({ epsilon: fromPlace(this.#slider.valueAsNumber) });
    });
    this.#number.addEventListener("input", (event) => {
      const epsilon = toEpsilon(this.#number.value);
      this.#number.ariaInvalid = String(epsilon === undefined);
      if (epsilon === undefined) return;
      onInput(event.timeStamp);
      store.set({ epsilon });
    });
    // The typed text is replaced by the number in use.
    this.#number.addEventListener("change", () => this.#show());
    this.#reset.addEventListener("click", (event) => {
      onInput(event.timeStamp);
      store.set({ epsilon: undefined });
    });
    for (const epsilon of PRESETS) {
      const button = make("button", "preset", format.plain(epsilon));
      button.type = "button";
      button.addEventListener("click", (event) => {
        onInput(event.timeStamp);
        store.set({ epsilon });
      });
      this.#presets.set(epsilon, button);
    }
    byId("presets", HTMLDivElement).append(...this.#presets.values());
    store.subscribe((_, changed) => {
      if (changed.has("epsilon")) this.#show();
    });
    this.#show();
  }

  /** The epsilon in use. */
  get value(): number {
    return this.#store.state.epsilon ?? this.#own;
  }

  /** The model's own. */
  get own(): number {
    return this.#own;
  }

  /** Sets the model's own epsilon. */
  setOwn(own: number): void {
    this.#own = Number(own.toPrecision(6));
    this.#show();
  }

  #show(): void {
    const { value } = this;
    const text = format.plain(value);
    this.#slider.value = String(toPlace(value));
    this.#slider.ariaValueText =
      value === 0 ? strings.epsilonZero : value >= EPSILON_MOST ? strings.epsilonMost(text) : strings.epsilonText(text);
    // A number that someone is typing is left alone while it means the same.
    if (document.activeElement !== this.#number || toEpsilon(this.#number.value) !== value) {
      this.#number.value = String(value);
    }
    if (this.#number.value !== "") this.#number.ariaInvalid = "false";
    this.#reset.textContent = strings.epsilonReset(format.plain(this.#own));
    this.#reset.disabled = value === this.#own;
    for (const [epsilon, button] of this.#presets) button.ariaPressed = String(epsilon === value);
  }
}

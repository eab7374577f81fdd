import { make } from "../../ui/dom";
import { Slider, type Course } from "../../ui/slider";
import { text } from "./strings";

/** What a reader expects before the answer is shown. */
export interface Prediction {
  readonly element: HTMLElement;
  /** Whether the reader has chosen something. */
  readonly made: boolean;
  reset(): void;
}

/** A number, chosen by a slider or by dragging a point of the chart. */
export class NumberPrediction implements Prediction {
  readonly element: HTMLElement;
  readonly #slider: Slider;
  readonly #start: number;
  readonly #format: (value: number) => string;
  readonly #onChange: () => void;
  readonly #course: Course;
  #value: number;
  #made = false;

  constructor(
    name: string,
    { start, course, format }: { start: number; course: Course; format: (value: number) => string },
    onChange: () => void,
  ) {
    this.#start = this.#value = start;
    this.#format = format;
    this.#course = course;
    this.#onChange = onChange;
    this.#slider = new Slider(name, course, (value) => this.choose(value));
    this.element = this.#slider.element;
    this.element.classList.add("prediction");
    this.#show();
  }

  get value(): number {
    return this.#value;
  }

  get made(): boolean {
    return this.#made;
  }

  choose(value: number): void {
    const { least, most } = this.#course;
    this.#value = Math.min(Math.max(value, least), most);
    this.#made = true;
    this.#show();
    this.#onChange();
  }

  reset(): void {
    this.#value = this.#start;
    this.#made = false;
    this.#show();
  }

  #show(): void {
    this.#slider.show(this.#value, this.#format(this.#value));
  }
}

/** One of several, each with a key. */
export class ChoicePrediction implements Prediction {
  readonly element = make("fieldset", "prediction chip-group");
  readonly #chips = make("div", "chips");
  readonly #name: string;
  readonly #onChange: () => void;
  #value: string | undefined;

  constructor(name: string, onChange: () => void) {
    this.#name = name;
    this.#onChange = onChange;
    this.element.append(make("legend", "", text.yourPrediction), this.#chips);
  }

  get value(): string | undefined {
    return this.#value;
  }

  get made(): boolean {
    return this.#value !== undefined;
  }

  /** Other choices take the place of these, and nothing is chosen. */
  offer(choices: readonly { key: string; label: string; language?: string }[]): void {
    this.#value = undefined;
    const chips = choices.map(({ key, label, language }) => {
      const chip = make("label", "chip");
      const radio = make("input");
      radio.type = "radio";
      radio.name = `predicted-${this.#name}`;
      radio.addEventListener("change", () => {
        this.#value = key;
        this.#onChange();
      });
      const shown = make("span", "", label);
      if (language !== undefined) shown.lang = language;
      chip.append(radio, shown);
      return chip;
    });
    this.#chips.replaceChildren(...chips);
  }

  reset(): void {
    this.#value = undefined;
    for (const radio of this.#chips.querySelectorAll("input")) radio.checked = false;
  }
}

/** The distance between a prediction and the truth in words: a factor where sizes count, a difference where scores do. */
export function compare(prediction: NumberPrediction, truth: number, by: "factor" | "difference", format: (value: number) => string): string {
  const it = format(truth);
  if (!prediction.made) return text.compared.only(it);
  const { value } = prediction;
  const said = format(value);
  const low = value < truth;
  if (by === "factor") {
    const factor = low ? truth / value : value / truth;
    return factor < CLOSE.factor ? text.compared.close(said, it) : text.compared.factor(said, it, text.times(factor), low);
  }
  const difference = Math.abs(truth - value);
  return difference < CLOSE.difference ? text.compared.close(said, it) : text.compared.difference(said, it, format(difference), low);
}

const CLOSE = { factor: 1.1, difference: 0.025 };

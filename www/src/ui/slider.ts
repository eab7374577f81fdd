import { make } from "./dom";

/** The range of a slider: in equal steps, or logarithmic in steps to a decade. */
export interface Course {
  least: number;
  most: number;
  step?: number;
  perDecade?: number;
}

/** A slider with its name before it and its value in words behind. */
export class Slider {
  readonly element = make("label", "slider-field");
  readonly input = make("input");
  readonly #value = make("span", "slider-value");
  readonly #course: Course;

  constructor(name: string, course: Course, onInput: (value: number) => void) {
    this.#course = course;
    this.input.type = "range";
    this.input.min = String(this.#place(course.least));
    this.input.max = String(this.#place(course.most));
    this.input.step = course.perDecade === undefined ? String(course.step ?? 1) : "1";
    this.input.addEventListener("input", () => onInput(this.#read()));
    // The slider itself tells it.
    this.#value.ariaHidden = "true";
    this.element.append(make("span", "", name), this.#value, this.input);
  }

  show(value: number, text: string): void {
    this.input.value = String(this.#place(value));
    this.input.ariaValueText = text;
    this.#value.textContent = text;
  }

  #place(value: number): number {
    const { perDecade } = this.#course;
    return perDecade === undefined ? value : Math.round(perDecade * Math.log10(value));
  }

  #read(): number {
    const { perDecade, least, most } = this.#course;
    const place = this.input.valueAsNumber;
    if (perDecade === undefined) return place;
    return Math.min(Math.max(Number((10 ** (place / perDecade)).toPrecision(2)), least), most);
  }
}

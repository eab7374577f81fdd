import { make } from "./dom";

/** A choice of one: radio buttons that look like a row of chips. */
export class Chips {
  readonly #root: HTMLElement;
  readonly #name: string;
  /** What is offered. */
  #offered = "";

  /** `onChoose` gets a person's choice, and the time of its event. */
  constructor(root: HTMLElement, name: string, onChoose: (value: string, timeStamp: number) => void) {
    this.#root = root;
    this.#name = name;
    root.addEventListener("change", ({ target, timeStamp }) => onChoose((target as HTMLInputElement).value, timeStamp));
  }

  /** Offers choices; the focus stays on the same one. */
  offer(choices: readonly (readonly [value: string, label: string])[]): void {
    const offered = JSON.stringify(choices);
    if (offered === this.#offered) return;
    this.#offered = offered;
    const focused = [...this.#root.querySelectorAll("input")].find((radio) => radio === document.activeElement)?.value;
    const chips = choices.map(([value, text]) => {
      const label = make("label", "chip");
      const radio = make("input");
      radio.type = "radio";
      radio.name = this.#name;
      radio.value = value;
      label.append(radio, make("span", "", text));
      return label;
    });
    this.#root.replaceChildren(...chips);
    if (focused !== undefined) [...this.#root.querySelectorAll("input")].find(({ value }) => value === focused)?.focus({ preventScroll: true });
  }

  check(value: string): void {
    for (const radio of this.#root.querySelectorAll("input")) radio.checked = radio.value === value;
  }
}

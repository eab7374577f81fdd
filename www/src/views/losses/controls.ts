import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import type { Store } from "../../state/state";
import { Slider } from "../../ui/slider";
import { LOSSES, MODELS, moved, CURVES, THRESHOLD_MOST, THRESHOLD_STEP, type LossesState, type Thresholds } from "../../state/losses";
import { text } from "./strings";

const THRESHOLD_COURSE = { least: -THRESHOLD_MOST, most: THRESHOLD_MOST, step: THRESHOLD_STEP };

/** The settings of the view. */
export class Controls {
  readonly element = make("section", "control-stack");
  /** Whose scores are shown: it stands beside them. */
  readonly model: HTMLElement;
  readonly #store: Store;
  readonly #own: () => Thresholds;
  readonly #sliders: readonly Slider[];
  readonly #score: Slider;
  readonly #reset = make("button", "quiet");
  readonly #boxes = new Map<string, HTMLInputElement>();

  constructor(store: Store, own: () => Thresholds) {
    this.#store = store;
    this.#own = own;
    const threshold = (which: 0 | 1, name: string) =>
      new Slider(name, THRESHOLD_COURSE, (to) => {
        const thresholds = moved(store.state.losses.thresholds ?? own(), which, to);
        this.#set({ thresholds });
        // One that ran into the other stays where it stopped.
        this.show(store.state.losses, thresholds);
      });
    this.#sliders = [threshold(0, text.lower), threshold(1, text.upper)];
    this.#score = new Slider(text.score, { least: -1, most: 1, step: THRESHOLD_STEP }, (score) => this.#set({ score }));
    this.#reset.type = "button";
    this.#reset.addEventListener("click", () => this.#set({ thresholds: undefined }));
    const sliders = make("div", "slider-fields");
    sliders.append(...[...this.#sliders, this.#score].map(({ element }) => element));
    const shown = this.#chips("checkbox", text.shown, LOSSES, text.names, (name, on) => {
      const { shown } = store.state.losses;
      this.#set({ shown: LOSSES.filter((one) => (one === name ? on : shown.includes(one))) });
    });
    const curve = this.#chips("radio", text.curve, CURVES, text.curves, (curve) => this.#set({ curve }));
    this.model = this.#chips("radio", text.model, MODELS, text.models, (model) => this.#set({ model }));
    this.element.ariaLabel = text.title;
    const reset = make("div", "button-row");
    reset.append(this.#reset);
    this.element.append(shown, curve, sliders, reset);
  }

  show({ shown, curve, score, model, thresholds: set }: LossesState, thresholds: Thresholds): void {
    for (const [at, slider] of this.#sliders.entries()) slider.show(thresholds[at]!, format.plain(thresholds[at]!));
    this.#score.show(score, format.plain(score));
    const own = this.#own().map(format.plain) as [string, string];
    this.#reset.textContent = text.reset(...own);
    this.#reset.ariaDisabled = String(set === undefined);
    const checked: readonly string[] = [...shown, curve, model];
    for (const [name, box] of this.#boxes) box.checked = checked.includes(name);
  }

  /** Chips of one kind, in a group with a name. */
  #chips<T extends string>(
    type: "checkbox" | "radio",
    name: string,
    values: readonly T[],
    names: Record<T, string>,
    onChange: (value: T, on: boolean) => void,
  ): HTMLElement {
    const group = make("fieldset", "chip-group");
    const chips = make("div", "chips");
    for (const value of values) {
      const chip = make("label", "chip");
      const box = make("input");
      box.type = type;
      if (type === "radio") box.name = name;
      box.addEventListener("change", () => onChange(value, box.checked));
      this.#boxes.set(value, box);
      chip.append(box, make("span", "", names[value]));
      chips.append(chip);
    }
    group.append(make("legend", "", name), chips);
    return group;
  }

  #set(patch: Partial<LossesState>): void {
    this.#store.set({ losses: { ...this.#store.state.losses, ...patch } });
  }
}

import { make, makeButton } from "../../ui/dom";
import * as format from "../../ui/format";
import type { Store } from "../../state/state";
import { Slider } from "../../ui/slider";
import { ANGLE, CLIP, descent, NORM, RATE, STEPS, type DescentState } from "../../state/descent";
import { text } from "./strings";

/** The time for which a step is shown while it plays. */
const STEP_MS = 150;

/** Starts to try. */
const SITUATIONS = [
  [text.usual, {}],
  [text.askew, { angle: 30 }],
  [text.far, { norm: 1 }],
] as const;

/** The settings of the view, and the playing of its steps. */
export class Controls {
  readonly element = make("section", "control-stack");
  readonly #store: Store;
  readonly #back = makeButton(text.back, () => this.#go(-1));
  readonly #play = makeButton(text.play, () => (this.#timer === undefined ? this.play() : this.pause()));
  readonly #forth = makeButton(text.forth, () => this.#go(1));
  readonly #step: Slider;
  readonly #sliders: Record<"rate" | "norm" | "angle" | "clip", Slider>;
  readonly #situations: HTMLButtonElement[];
  readonly #status = make("p", "visually-hidden");
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.#step = new Slider(text.step, { least: 0, most: STEPS }, (step) => this.#by({ step }));
    const setting = (key: "rate" | "norm" | "clip" | "angle") => (value: number) => this.#by({ [key]: value });
    this.#sliders = {
      rate: new Slider(text.rate, { ...RATE, perDecade: 10 }, setting("rate")),
      norm: new Slider(text.norm, { ...NORM, perDecade: 10 }, setting("norm")),
      angle: new Slider(text.angle, { ...ANGLE, step: 5 }, setting("angle")),
      clip: new Slider(text.clip, { ...CLIP, perDecade: 10 }, setting("clip")),
    };
    this.#situations = SITUATIONS.map(([name, start]) =>
      makeButton(name, () => {
        this.#by({ ...descent.usual, ...start });
        this.play();
      }),
    );
    this.#status.role = "status";
    this.#play.classList.add("primary");
    const situations = group("button-row", text.situations, this.#situations);
    const buttons = group("button-row", text.controls, [this.#back, this.#play, this.#forth]);
    const sliders = make("div", "slider-fields");
    sliders.append(...Object.values(this.#sliders).map(({ element }) => element));
    this.element.ariaLabel = text.controls;
    this.element.append(situations, sliders, this.#step.element, buttons, this.#status);
  }

  show(state: DescentState): void {
    const { rate, norm, angle, clip, step } = state;
    this.#sliders.rate.show(rate, format.plain(rate));
    this.#sliders.norm.show(norm, format.plain(norm));
    this.#sliders.angle.show(angle, text.angleValue(format.plain(angle)));
    this.#sliders.clip.show(clip, format.plain(clip));
    this.#step.show(step, text.stepValue(step, STEPS));
    for (const [at, [, start]] of SITUATIONS.entries()) {
      const situation = { ...descent.usual, ...start, step };
      const same = Object.entries(situation).every(([key, value]) => state[key as keyof DescentState] === value);
      this.#situations[at]!.ariaPressed = String(same);
    }
    // Disabled for good they would lose the focus.
    this.#back.ariaDisabled = String(step === 0);
    this.#forth.ariaDisabled = String(step === STEPS);
    this.#play.textContent = this.#timer === undefined ? text.play : text.pause;
    if (this.#timer === undefined) this.#status.textContent = text.stepValue(step, STEPS);
  }

  /** Takes the steps one after the other, from the first where all are shown; at once where motion is unwelcome. */
  play(): void {
    this.pause();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#set({ step: STEPS });
      return;
    }
    if (this.#store.state.descent.step >= STEPS) this.#set({ step: 0 });
    this.#timer = setInterval(() => {
      const step = this.#store.state.descent.step + 1;
      if (step >= STEPS) this.pause();
      this.#set({ step: Math.min(step, STEPS) });
    }, STEP_MS);
    this.show(this.#store.state.descent);
  }

  pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.show(this.#store.state.descent);
  }

  /** Sets a step by hand; this stops the playing. */
  #by(patch: Partial<DescentState>): void {
    if ("step" in patch) this.pause();
    this.#set(patch);
  }

  #go(by: 1 | -1): void {
    const step = this.#store.state.descent.step + by;
    this.#by({ step: Math.min(Math.max(step, 0), STEPS) });
  }

  #set(patch: Partial<DescentState>): void {
    this.#store.set({ descent: { ...this.#store.state.descent, ...patch } });
  }
}

function group(className: string, name: string, children: readonly HTMLElement[]): HTMLElement {
  const element = make("div", className);
  element.role = "group";
  element.ariaLabel = name;
  element.append(...children);
  return element;
}

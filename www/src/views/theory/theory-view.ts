import "./theory.css";
import type { Theory } from "smooth-clir/lab";
import { lineFigure } from "../../ui/charts/line-figure";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { Slider } from "../../ui/slider";
import { DELTA, PAIRS, REPLACED, STEP_CONSTANT, STEPS, type TheoryState } from "../../state/theory";
import type { Context, Mount, View } from "../view";
import { Live } from "./live";
import { large, powers } from "./numbers";
import { text } from "./strings";

/** Those of paper 1, until a model says its own. */
const THRESHOLDS = [0.2, 0.7];
/** The epsilons of the border. */
const EPSILONS = Array.from({ length: 81 }, (_, at) => 10 ** (at / 20 - 2));
const PER_DECADE = 10;
/** The largest bound drawn, in units of the largest loss. */
const MOST_DRAWN = 1e9;
const LEAST_DRAWN = 1e-6;
/** Beyond it the border is not drawn. */
const MOST_PAIRS = 1e30;
const BORDER_SERIES = 2;

type SliderName = keyof TheoryState;

/** Theorem 3 of paper 1: what it says of how a model does on pairs that it was not trained on, and where it says nothing. */
class TheoryView implements View {
  readonly #context: Context;
  readonly #sliders: Record<SliderName, Slider>;
  readonly #constants = make("p");
  readonly #product = make("p");
  readonly #byPairs = lineFigure(text.byPairs, "theory-pairs");
  readonly #border = lineFigure(text.border, "theory-border");
  readonly #live: Live;

  constructor(root: HTMLElement, context: Context) {
    this.#context = context;
    const { store } = context;
    const slider = (name: SliderName, course: { least: number; most: number }) =>
      new Slider(text.sliders[name], { ...course, perDecade: 10 }, (value) =>
        store.set({ theory: { ...store.state.theory, [name]: value } }),
      );
    this.#sliders = {
      stepConstant: slider("stepConstant", STEP_CONSTANT),
      pairs: slider("pairs", PAIRS),
      steps: slider("steps", STEPS),
      delta: slider("delta", DELTA),
      replaced: slider("replaced", REPLACED),
    };
    const { replaced, ...ofBound } = this.#sliders;
    this.#live = new Live(context, () => this.#loss(), replaced.element);
    const sliders = make("div", "slider-fields");
    sliders.append(...Object.values(ofBound).map(({ element }) => element));
    const controls = make("section", "control-stack");
    controls.ariaLabel = text.title;
    controls.append(sliders);
    const figures = make("div", "figures");
    figures.append(this.#byPairs.figure.element, this.#border.figure.element);
    root.append(
      make("h2", "", text.title),
      make("p", "", text.lead),
      make("p", "theory-formula", text.formula),
      controls,
      this.#constants,
      this.#product,
      figures,
      ...text.notes.map((note) => make("p", "", note)),
      this.#live.element,
    );
  }

  update(): void {
    const state = this.#context.store.state.theory;
    for (const [name, slider] of Object.entries(this.#sliders) as [SliderName, Slider][]) {
      slider.show(state[name], large(state[name]));
    }
    const epsilon = this.#context.epsilon();
    this.#tell(state, epsilon);
    this.#drawByPairs(state, epsilon);
    this.#drawBorder(state, epsilon);
    this.#live.update();
  }

  engineChanged(): void {
    this.#live.engineChanged();
  }

  leave(): void {
    this.#live.leave();
  }

  #loss(): Pick<Theory, "loss" | "thresholds"> {
    const own = this.#context.engine()?.description.config?.["thresholds"] as readonly number[] | undefined;
    return { loss: "sosl", thresholds: own?.length === 2 ? own : THRESHOLDS };
  }

  #bound({ replaced: _, ...state }: TheoryState, epsilon: number) {
    return this.#context.lab.theory({ ...this.#loss(), ...state, epsilon });
  }

  #tell(state: TheoryState, epsilon: number): void {
    const { largest, lipschitz, smoothness } = this.#bound(state, epsilon);
    const { thresholds } = this.#loss();
    if (epsilon === 0) {
      this.#constants.textContent = text.noConstants;
      this.#product.textContent = "";
      return;
    }
    const product = smoothness * state.stepConstant;
    this.#constants.textContent = text.constants(
      { epsilon: format.plain(epsilon), thresholds: thresholds.map(format.plain).join(", ") },
      { largest: large(largest), lipschitz: large(lipschitz), smoothness: large(smoothness) },
    );
    this.#product.textContent = text.product(large(product), product < 1, large(1 / smoothness));
  }

  #drawByPairs(state: TheoryState, epsilon: number): void {
    const { figure, chart } = this.#byPairs;
    const decades = Math.log10(PAIRS.most / PAIRS.least);
    const pairs = Array.from({ length: decades * PER_DECADE + 1 }, (_, at) => PAIRS.least * 10 ** (at / PER_DECADE));
    const share = (pairs: number) => {
      const { gap, largest } = this.#bound({ ...state, pairs }, epsilon);
      return gap / largest;
    };
    const shares = epsilon > 0 ? pairs.map(share) : [];
    const drawn = shares.map((share) => Math.min(Math.max(share, LEAST_DRAWN), MOST_DRAWN));
    const least = Math.min(...drawn, 0.1);
    const most = Math.max(...drawn, 10);
    const domain = [10 ** Math.floor(Math.log10(least)), 10 ** Math.ceil(Math.log10(most))] as const;
    const across = [PAIRS.least, PAIRS.most] as const;
    const { gap, largest, leastPairs } = this.#bound(state, epsilon);
    chart.draw({
      x: { label: text.pairsAxis, domain: across, log: true, ticks: powers(...across), format: format.power },
      y: { label: text.shareAxis, domain, log: true, ticks: powers(...domain), format: format.power },
      areas: [{ series: BORDER_SERIES, points: [[across[0], 1], [across[1], 1], [across[1], domain[1]], [across[0], domain[1]]] }],
      lines: [
        { name: text.bound, series: 1, points: pairs.map((x, at) => [x, drawn[at] ?? Number.NaN] as const) },
        { name: text.vacuous, series: BORDER_SERIES, points: across.map((x) => [x, 1] as const) },
      ],
      rules: [{ at: state.pairs, name: text.here(large(state.pairs)), label: "n" }],
      dots: epsilon > 0 ? [{ at: [state.pairs, Math.min(gap / largest, MOST_DRAWN)], series: 1, name: text.here(large(state.pairs)) }] : [],
    });
    figure.summary =
      epsilon === 0
        ? text.noConstants
        : text.boundSummary(
            { pairs: large(state.pairs), steps: large(state.steps), delta: large(state.delta), share: large(gap / largest), gap: large(gap) },
            gap < largest,
            leastPairs === undefined ? undefined : large(leastPairs),
          );
    figure.table = {
      caption: text.byPairs,
      columns: [text.pairsAxis, text.bound],
      rows: shares.map((share, at) => [pairs[at]!, share]),
      format: large,
    };
  }

  #drawBorder(state: TheoryState, epsilon: number): void {
    const { figure, chart } = this.#border;
    const border = EPSILONS.map((epsilon) => this.#bound(state, epsilon).leastPairs);
    const domain = [EPSILONS[0]!, EPSILONS.at(-1)!] as const;
    const known = border.filter((pairs) => pairs !== undefined);
    const top = 10 ** Math.ceil(Math.log10(Math.min(Math.max(...known, state.pairs) * 10, MOST_PAIRS)));
    const down = [1, top] as const;
    const heights = border.map((pairs) => Math.min(pairs ?? top, top));
    chart.draw({
      x: { label: text.epsilonAxis, domain, log: true, ticks: powers(...domain), format: format.plain },
      y: { label: text.pairsAxis, domain: down, log: true, ticks: powers(...down), format: format.power },
      areas: [
        {
          series: BORDER_SERIES,
          points: [[domain[0], 1], ...EPSILONS.map((x, at) => [x, heights[at]!] as const), [domain[1], 1]],
        },
      ],
      lines: [
        {
          name: text.borderLine,
          series: BORDER_SERIES,
          points: EPSILONS.map((x, at) => [x, border[at] ?? Number.NaN] as const),
        },
      ],
      dots: epsilon > 0 ? [{ at: [epsilon, state.pairs], series: 1, name: text.here(large(state.pairs)) }] : [],
    });
    const least = this.#bound(state, epsilon).leastPairs;
    // At the right end of the axis the least pairs are needed.
    const [end, fewest] = [EPSILONS.at(-1)!, border.at(-1)];
    figure.summary = text.borderSummary(
      format.plain(epsilon),
      least === undefined ? undefined : large(least),
      fewest === undefined ? undefined : { epsilon: format.plain(end), pairs: large(fewest) },
    );
    figure.table = {
      caption: text.border,
      columns: [text.epsilonAxis, text.borderLine],
      rows: EPSILONS.map((epsilon, at) => [epsilon, border[at] ?? Number.POSITIVE_INFINITY]),
      format: large,
    };
  }
}

export const mount: Mount = (root, context) => new TheoryView(root, context);

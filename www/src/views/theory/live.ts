import type { Theory } from "smooth-clir/lab";
import { lineFigure } from "../../ui/charts/line-figure";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { StepPlayer } from "../../model/step-player";
import type { Context } from "../view";
import { large, powers, wholePowers } from "./numbers";
import { text as texts } from "./strings";
import { Twins, type Settings } from "./twins";

const text = texts.live;
/** Steps between two pictures. */
const STEPS_AT_A_TIME = 50;
/** The shortest distance that has a place on a logarithmic axis. */
const SHORTEST = 1e-12;

/** Two trainings with one pair replaced, live, beside what the theory allows them. */
export class Live {
  readonly element = make("section", "theory-live");
  readonly #context: Context;
  /** The loss and its thresholds. */
  readonly #loss: () => Pick<Theory, "loss" | "thresholds">;
  readonly #player: StepPlayer<Settings, Twins>;
  readonly #weights = lineFigure(text.weights, "stability-weights");
  readonly #losses = lineFigure(text.losses, "stability-losses");

  constructor(context: Context, loss: () => Pick<Theory, "loss" | "thresholds">, slider: HTMLElement) {
    this.#context = context;
    this.#loss = loss;
    this.#player = new StepPlayer({
      text,
      engine: () => context.engine(),
      settings: () => this.#settings(),
      begin: (engine, settings) => Twins.begin(engine, settings, this.#loss().thresholds),
      // So many that the first steps are seen one by one, on a logarithmic axis.
      stride: ({ steps }) => Math.min(STEPS_AT_A_TIME, Math.max(Math.round(steps / 4), 1)),
      draw: (twins) => this.#draw(twins),
    });
    const sliders = make("div", "slider-fields");
    sliders.append(slider);
    const controls = make("div", "control-stack");
    controls.append(sliders, this.#player.buttons);
    const figures = make("div", "figures");
    figures.append(this.#weights.figure.element, this.#losses.figure.element);
    this.element.append(
      make("h3", "", text.title),
      make("p", "", text.lead),
      controls,
      this.#player.status,
      figures,
      ...text.notes.map((note) => make("p", "", note)),
    );
  }

  update(): void {
    this.#player.update();
  }

  leave(): void {
    this.#player.pause();
  }

  engineChanged(): void {
    this.#player.forget();
  }

  #settings(): Settings {
    const { theory, training } = this.#context.store.state;
    const { language, seed } = training;
    return { language, seed, epsilon: this.#context.epsilon(), stepConstant: theory.stepConstant, replaced: theory.replaced };
  }

  #draw(twins: Twins | undefined): void {
    const apart = twins?.apart ?? [];
    const steps = apart.map(({ steps }) => steps);
    const { epsilon, stepConstant, replaced } = twins?.settings ?? this.#settings();
    const { lab } = this.#context;
    const theory = { ...this.#loss(), epsilon, stepConstant, pairs: twins?.pairs ?? 2, steps: 1, delta: 0.5 };
    const { lipschitz } = lab.theory(theory);
    const growth = epsilon > 0 ? [...lab.weightGrowth(theory, replaced, steps)] : [];
    const stability = epsilon > 0 ? steps.map((steps) => lab.theory({ ...theory, steps }).stability) : [];
    const reach = growth.map((distance) => lipschitz * distance);
    const last = apart.at(-1);
    const figures = [
      {
        ...this.#weights,
        label: text.weightsLabel,
        lines: [
          { name: text.seen, values: apart.map(({ weights }) => weights) },
          { name: text.growth, values: growth },
        ],
        summary: last && text.weightsSummary(format.count(last.steps), large(last.weights), growth.length > 0 ? large(growth.at(-1)!) : undefined),
      },
      {
        ...this.#losses,
        label: text.lossesLabel,
        lines: [
          { name: text.seen, values: apart.map(({ loss }) => loss) },
          { name: text.reach, values: reach },
          { name: text.stability, values: stability },
        ],
        summary:
          last &&
          text.lossesSummary(
            large(last.loss),
            reach.length > 0 ? { reach: large(reach.at(-1)!), stability: large(stability.at(-1)!), times: last.loss > 0 ? large(stability.at(-1)! / last.loss) : undefined } : undefined,
          ),
      },
    ];
    for (const { figure, chart, label, lines, summary } of figures) {
      const seen = lines.flatMap(({ values }) => values).filter((value) => value >= SHORTEST && Number.isFinite(value));
      const domain = wholePowers(Math.min(...seen, 0.1), Math.max(...seen, 1));
      const across = Math.max(steps.at(-1) ?? 0, 10);
      chart.draw({
        x: { label: text.axis, domain: [1, across], log: true, ticks: powers(1, across).filter((tick) => tick <= across), format: format.power },
        y: { label, domain, log: true, ticks: powers(...domain), format: format.power },
        lines: lines.map(({ name, values }, at) => ({
          name,
          series: at + 1,
          points: values.map((value, place) => [steps[place]!, value >= SHORTEST ? value : Number.NaN] as const),
        })),
        rules: [{ at: replaced, name: text.replacedAt(format.count(replaced)) }],
      });
      figure.summary = summary ?? text.nothing;
      figure.table = {
        caption: label,
        columns: [text.axis, ...lines.map(({ name }) => name)],
        rows: steps.map((step, place) => [step, ...lines.map(({ values }) => values[place] ?? Number.NaN)]),
        format: (value) => (Number.isNaN(value) ? "–" : large(value)),
      };
    }
  }
}

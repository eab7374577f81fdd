import type { Theory } from "smooth-clir/lab";
import { Figure } from "../../ui/charts/figure";
import { LineChart } from "../../ui/charts/line-chart";
import { make } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
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
  readonly #play = button(text.play, () => this.#toggle());
  readonly #one = button(text.step, () => void this.#work(1));
  readonly #again = button(text.again, () => this.#restart());
  readonly #status = make("p");
  readonly #weights = chart(text.weights, "stability-weights");
  readonly #losses = chart(text.losses, "stability-losses");
  #twins: Twins | undefined;
  #playing = false;
  #failed = "";
  #last = Promise.resolve();

  constructor(context: Context, loss: () => Pick<Theory, "loss" | "thresholds">, slider: HTMLElement) {
    this.#context = context;
    this.#loss = loss;
    this.#play.classList.add("primary");
    this.#status.role = "status";
    const buttons = make("div", "button-row");
    buttons.role = "group";
    buttons.ariaLabel = text.title;
    buttons.append(this.#play, this.#one, this.#again);
    const sliders = make("div", "slider-fields");
    sliders.append(slider);
    const controls = make("div", "control-stack");
    controls.append(sliders, buttons);
    const figures = make("div", "figures");
    figures.append(this.#weights.figure.element, this.#losses.figure.element);
    this.element.append(
      make("h3", "", text.title),
      make("p", "", text.lead),
      controls,
      this.#status,
      figures,
      ...text.notes.map((note) => make("p", "", note)),
    );
  }

  update(): void {
    // Other settings are another pair of trainings: where one was going, the other goes on.
    if (this.#twins && keyOf(this.#twins.settings) !== keyOf(this.#settings())) this.#forget();
    this.#show();
  }

  leave(): void {
    this.#playing = false;
  }

  engineChanged(): void {
    this.#forget();
  }

  #settings(): Settings {
    const { theory, training } = this.#context.store.state;
    const { language, seed } = training;
    return { language, seed, epsilon: this.#context.epsilon(), stepConstant: theory.stepConstant, replaced: theory.replaced };
  }

  #forget(): void {
    this.#twins?.end();
    this.#twins = undefined;
  }

  #restart(): void {
    this.#forget();
    this.#playing = false;
    this.#failed = "";
    this.#show();
  }

  #toggle(): void {
    this.#playing = !this.#playing;
    this.#show();
    if (this.#playing) void this.#go();
  }

  async #go(): Promise<void> {
    while (this.#playing) {
      await this.#work(STEPS_AT_A_TIME);
      if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    this.#show();
  }

  #work(count: number): Promise<void> {
    this.#last = this.#last.then(() => this.#step(count));
    return this.#last;
  }

  async #step(count: number): Promise<void> {
    const engine = this.#context.engine();
    if (!engine) {
      this.#playing = false;
      return;
    }
    try {
      this.#failed = "";
      if (!this.#twins) {
        this.#status.textContent = text.fetching;
        const settings = this.#settings();
        const begun = await Twins.begin(engine, settings, this.#loss().thresholds);
        if (keyOf(settings) !== keyOf(this.#settings()) || engine !== this.#context.engine()) {
          begun.end();
          return;
        }
        this.#twins = begun;
      }
      const twins = this.#twins;
      // So many that the first steps are seen one by one, on a logarithmic axis.
      await twins.step(Math.min(count, Math.max(Math.round(twins.steps / 4), 1)));
      if (twins.steps >= twins.pairs) this.#playing = false;
    } catch (error) {
      this.#forget();
      this.#playing = false;
      const { code, message } = toFailure(error);
      this.#failed = text.failed(message, code);
    }
    this.#show();
  }

  #show(): void {
    const engine = this.#context.engine();
    const twins = this.#twins;
    const done = twins !== undefined && twins.steps >= twins.pairs;
    this.#play.textContent = this.#playing ? text.pause : text.play;
    this.#play.ariaDisabled = this.#one.ariaDisabled = String(done);
    for (const one of [this.#play, this.#one, this.#again]) one.disabled = !engine;
    const said = this.#failed || (twins ? text.at(format.count(twins.steps), format.count(twins.pairs)) : text.ready);
    if (this.#status.textContent !== said) this.#status.textContent = said;
    this.#draw(twins);
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

const keyOf = (settings: Settings): string => Object.values(settings).join(" ");

function button(name: string, press: () => void): HTMLButtonElement {
  const element = make("button", "", name);
  element.type = "button";
  element.addEventListener("click", press);
  return element;
}

function chart(title: string, name: string): { figure: Figure; chart: LineChart } {
  const figure = new Figure(title, name);
  const chart = new LineChart();
  figure.plot.append(chart.element);
  return { figure, chart };
}

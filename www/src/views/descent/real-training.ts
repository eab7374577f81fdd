import { lineFigure } from "../../ui/charts/line-figure";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { Slider } from "../../ui/slider";
import { strings } from "../../i18n/strings";
import { StepPlayer } from "../../model/step-player";
import { DEVIATION, STEP_CLIP } from "../../state/descent";
import type { Context } from "../view";
import { RealRun, type Course, type Settings } from "./real-run";
import { text as texts } from "./strings";

const text = texts.real;
/** Steps between two pictures. */
const STRIDE = 2;
/** The shortest length that has a place on the logarithmic axis. */
const SHORTEST = 1e-6;
const MOST_TICKS = 7;
const LIMIT_SERIES = 6;

/** Gradients in real trainings of the model: four ways, from words' vectors as short as one wishes. */
export class RealTraining {
  readonly element = make("section", "descent-real");
  readonly #context: Context;
  readonly #deviation: Slider;
  readonly #clip: Slider;
  readonly #player: StepPlayer<Settings, RealRun>;
  readonly #lengths = lineFigure(text.lengths, "training-gradients");
  readonly #losses = lineFigure(text.losses, "training-gradients-loss");

  constructor(context: Context) {
    this.#context = context;
    const setting = (key: "deviation" | "clip") => (value: number) => {
      context.store.set({ realTraining: { ...context.store.state.realTraining, [key]: value } });
    };
    this.#deviation = new Slider(text.deviation, { ...DEVIATION, perDecade: 10 }, setting("deviation"));
    this.#clip = new Slider(text.clip, { ...STEP_CLIP, perDecade: 10 }, setting("clip"));
    this.#player = new StepPlayer({
      text,
      engine: () => context.engine(),
      settings: () => this.#settings(),
      begin: RealRun.begin,
      stride: () => STRIDE,
      draw: (run) => this.#draw(run),
    });
    const sliders = make("div", "slider-fields");
    sliders.append(this.#deviation.element, this.#clip.element);
    const controls = make("div", "control-stack");
    controls.append(sliders, this.#player.buttons);
    const figures = make("div", "figures");
    figures.append(this.#lengths.figure.element, this.#losses.figure.element);
    const notes = text.notes.map((note) => make("p", "", note));
    this.element.append(make("h3", "", text.title), make("p", "", text.lead), controls, this.#player.status, figures, ...notes);
  }

  update(): void {
    const { deviation, clip } = this.#context.store.state.realTraining;
    this.#deviation.show(deviation, format.plain(deviation));
    this.#clip.show(clip, format.plain(clip));
    this.#player.update();
  }

  leave(): void {
    this.#player.pause();
  }

  engineChanged(): void {
    this.#player.forget();
  }

  #settings(): Settings {
    const { realTraining, training } = this.#context.store.state;
    const { language, seed } = training;
    return { language, seed, epsilon: this.#context.epsilon(), ...realTraining };
  }

  #draw(run: RealRun | undefined): void {
    const { epsilon, deviation } = run?.settings ?? this.#settings();
    const courses = run?.courses ?? [];
    const steps = run?.steps ?? 0;
    this.#drawLengths(courses, steps, epsilon, deviation);
    this.#drawLosses(courses, steps);
  }

  #drawLengths(courses: readonly Course[], steps: number, epsilon: number, deviation: number): void {
    const { figure, chart } = this.#lengths;
    const limit = epsilon > 0 ? 1 / epsilon : undefined;
    const seen = courses.flatMap(({ longest }) => longest).filter((length) => length >= SHORTEST);
    const powers = decades([...seen, limit ?? 1]);
    const across: [number, number] = [1, Math.max(steps, 20)];
    chart.draw({
      x: { label: texts.stepLabel, domain: across },
      y: {
        label: text.lengthsLabel,
        domain: [10 ** powers[0]!, 10 ** powers.at(-1)!],
        log: true,
        ticks: powers.filter((power) => power % Math.ceil(powers.length / MOST_TICKS) === 0).map((power) => 10 ** power),
        format: format.power,
      },
      lines: [
        ...courses.map(({ way, longest }, at) => ({
          name: text.ways[way],
          series: at + 1,
          points: longest.map((length, step) => [step + 1, length] as const),
        })),
        ...(limit === undefined
          ? []
          : [{ name: text.limit(format.plain(limit)), series: LIMIT_SERIES, points: across.map((x) => [x, limit] as const) }]),
      ],
    });
    figure.summary = steps === 0 ? text.nothing : tell(courses, limit, { epsilon, deviation, steps });
    figure.table = {
      caption: text.lengths,
      columns: [texts.columns.step, ...courses.flatMap(({ way }) => [text.longestOf(text.ways[way]), text.medianOf(text.ways[way])])],
      rows: Array.from({ length: steps }, (_, at) => [at + 1, ...courses.flatMap(({ longest, medians }) => [longest[at]!, medians[at]!])]),
      format: format.plain,
    };
  }

  #drawLosses(courses: readonly Course[], steps: number): void {
    const { figure, chart } = this.#losses;
    const most = Math.max(...courses.flatMap(({ losses }) => losses), 0.01);
    chart.draw({
      x: { label: texts.stepLabel, domain: [1, Math.max(steps, 20)] },
      y: { label: text.lossLabel, domain: [0, most * 1.05] },
      lines: courses.map(({ way, losses }, at) => ({
        name: text.ways[way],
        series: at + 1,
        points: losses.map((loss, step) => [step + 1, loss] as const),
      })),
    });
    const last = (losses: readonly number[]) => format.loss(losses.at(-1)!);
    figure.summary =
      steps === 0
        ? text.nothing
        : text.lossSummary(format.count(steps), strings.parts(courses.map(({ way, losses }) => texts.ofRun(text.ways[way], last(losses)))));
    figure.table = {
      caption: text.losses,
      columns: [texts.columns.step, ...courses.map(({ way }) => text.ways[way])],
      rows: Array.from({ length: steps }, (_, at) => [at + 1, ...courses.map(({ losses }) => losses[at]!)]),
      format: (value) => (Number.isInteger(value) ? format.count(value) : format.measured(value)),
    };
  }
}

/** What was seen: the longest gradient of each way, and how many steps had one above the limit. */
function tell(
  courses: readonly Course[],
  limit: number | undefined,
  { epsilon, deviation, steps }: { epsilon: number; deviation: number; steps: number },
): string {
  const parts = courses.map(({ way, longest, clipped }) => {
    const most = Math.max(...longest);
    // A gradient on the limit is above it by rounding only.
    const above = limit === undefined ? undefined : longest.filter((length) => length > limit * (1 + 1e-5)).length;
    return text.seen(text.ways[way], format.plain(most), format.count(longest.indexOf(most) + 1), above, way.endsWith("Clipped") ? clipped : undefined);
  });
  const start = text.told(format.plain(deviation), steps, strings.parts(parts));
  return limit === undefined ? `${start} ${text.noLimit}` : `${start} ${text.limitSaid(format.plain(epsilon), format.plain(limit))}`;
}

/** The powers of ten from below some lengths to above them. */
function decades(lengths: readonly number[]): number[] {
  const least = Math.floor(Math.log10(Math.min(...lengths)));
  const most = Math.max(Math.ceil(Math.log10(Math.max(...lengths))), least + 1);
  return Array.from({ length: most - least + 1 }, (_, at) => least + at);
}

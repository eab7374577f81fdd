import { Figure } from "../../ui/charts/figure";
import { LineChart } from "../../ui/charts/line-chart";
import { make } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import { Slider } from "../../ui/slider";
import { strings } from "../../i18n/strings";
import { DEVIATION, STEP_CLIP } from "../../state/descent";
import type { Context } from "../view";
import { RealRun, type Course, type Settings } from "./real-run";
import { text as texts } from "./strings";

const text = texts.real;
/** The most steps: about two epochs. */
const MOST_STEPS = 250;
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
  readonly #play = button(text.play, () => this.#toggle());
  readonly #one = button(text.step, () => void this.#work(1));
  readonly #again = button(text.again, () => this.#restart());
  readonly #status = make("p");
  readonly #lengths = chart(text.lengths, "training-gradients");
  readonly #losses = chart(text.losses, "training-gradients-loss");
  #run: RealRun | undefined;
  #playing = false;
  /** Settles once all requested steps are done. */
  #last = Promise.resolve();
  #failed = "";

  constructor(context: Context) {
    this.#context = context;
    const setting = (key: "deviation" | "clip") => (value: number) => {
      context.store.set({ realTraining: { ...context.store.state.realTraining, [key]: value } });
    };
    this.#deviation = new Slider(text.deviation, { ...DEVIATION, perDecade: 10 }, setting("deviation"));
    this.#clip = new Slider(text.clip, { ...STEP_CLIP, perDecade: 10 }, setting("clip"));
    this.#play.classList.add("primary");
    this.#status.role = "status";
    const buttons = make("div", "button-row");
    buttons.role = "group";
    buttons.ariaLabel = text.title;
    buttons.append(this.#play, this.#one, this.#again);
    const sliders = make("div", "slider-fields");
    sliders.append(this.#deviation.element, this.#clip.element);
    const controls = make("div", "control-stack");
    controls.append(sliders, buttons);
    const figures = make("div", "figures");
    figures.append(this.#lengths.figure.element, this.#losses.figure.element);
    const notes = text.notes.map((note) => make("p", "", note));
    this.element.append(make("h3", "", text.title), make("p", "", text.lead), controls, this.#status, figures, ...notes);
  }

  update(): void {
    const { deviation, clip } = this.#context.store.state.realTraining;
    this.#deviation.show(deviation, format.plain(deviation));
    this.#clip.show(clip, format.plain(clip));
    // Other settings are another training: where one was going, the other goes on.
    if (this.#run && keyOf(this.#run.settings) !== keyOf(this.#settings())) this.#forget();
    this.#show();
  }

  leave(): void {
    this.#playing = false;
  }

  engineChanged(): void {
    this.#forget();
  }

  #settings(): Settings {
    const { realTraining, training } = this.#context.store.state;
    const { language, seed } = training;
    return { language, seed, epsilon: this.#context.epsilon(), ...realTraining };
  }

  #forget(): void {
    this.#run?.end();
    this.#run = undefined;
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
      await this.#work(2);
      if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    this.#show();
  }

  /** Takes steps, of a run that is begun where there is none. */
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
      if (!this.#run) {
        this.#status.textContent = text.fetching;
        const settings = this.#settings();
        const begun = await RealRun.begin(engine, settings);
        if (keyOf(settings) !== keyOf(this.#settings()) || engine !== this.#context.engine()) {
          begun.end();
          return;
        }
        this.#run = begun;
      }
      const run = this.#run;
      const left = MOST_STEPS - run.steps;
      if (left > 0) await run.step(Math.min(count, left));
      if (run.steps >= MOST_STEPS) this.#playing = false;
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
    const done = (this.#run?.steps ?? 0) >= MOST_STEPS;
    this.#play.textContent = this.#playing ? text.pause : text.play;
    this.#play.ariaDisabled = this.#one.ariaDisabled = String(done);
    for (const one of [this.#play, this.#one, this.#again]) one.disabled = !engine;
    const steps = this.#run?.steps ?? 0;
    const { epsilon, deviation } = this.#run?.settings ?? this.#settings();
    const said = this.#failed || (steps === 0 ? text.ready : text.at(format.count(steps), format.count(MOST_STEPS)));
    if (this.#status.textContent !== said) this.#status.textContent = said;
    this.#drawLengths(this.#run?.courses ?? [], steps, epsilon, deviation);
    this.#drawLosses(this.#run?.courses ?? [], steps);
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

/** The powers of ten from below some lengths to above them. */
function decades(lengths: readonly number[]): number[] {
  const least = Math.floor(Math.log10(Math.min(...lengths)));
  const most = Math.max(Math.ceil(Math.log10(Math.max(...lengths))), least + 1);
  return Array.from({ length: most - least + 1 }, (_, at) => least + at);
}

import type { SmoothClir, TrainingEvaluation } from "smooth-clir";
import { LineChart } from "../../ui/charts/line-chart";
import { toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import { Slider } from "../../ui/slider";
import { Run, thresholdsOf, type Progress } from "../../model/training-run";
import type { Context } from "../view";
import { dragHeight } from "./drag";
import { compare, NumberPrediction } from "./prediction";
import type { Drawn, Subject } from "./section";
import { text } from "./strings";

const said = text.training;
const LANGUAGE = "fr";
const SEED = 1;
const STEPS = 400;
/** Steps between two points of the lines. */
const EVERY = 20;
/** The lines of not relevant, partly relevant and relevant documents. */
const SERIES = [6, 3, 1];
const UNSEEN_SERIES = 4;
const USUAL_THRESHOLDS = [0.2, 0.7];
const SCORES = { least: -0.2, most: 1 };

/** The mean score of each grade after some steps. */
interface Means {
  steps: number;
  /** For queries that the model is trained on. */
  means: readonly number[];
  /** Of relevant documents, for queries that it is not trained on. */
  unseen: number;
}

/** A training from random vectors, in this tab: the mean score of each grade as it goes. */
export class TrainingSubject implements Subject {
  readonly name = "training";
  readonly file = "learn-training";
  readonly prose = said.prose;
  readonly prediction: NumberPrediction;
  readonly controls: readonly HTMLElement[];
  readonly plot: readonly Element[];
  readonly #context: Context;
  readonly #redraw: () => void;
  readonly #chart = new LineChart();
  readonly #shown: Slider;
  #step = STEPS;
  #course: readonly Means[] = [];
  #running = false;
  #stopped = false;
  #status = "";
  /** Gives an engine to whoever waits for one. */
  #arrived: (engine: SmoothClir) => void = () => {};

  constructor(context: Context, redraw: () => void) {
    this.#context = context;
    this.#redraw = redraw;
    this.plot = [this.#chart.element];
    const course = { ...SCORES, step: 0.01 };
    this.prediction = new NumberPrediction(said.label, { start: 0, course, format: format.hundredths }, redraw);
    this.#shown = new Slider(said.steps, { least: 0, most: STEPS, step: EVERY }, (step) => {
      this.#step = step;
      redraw();
    });
    this.controls = [this.#shown.element];
    dragHeight(this.#chart, () => !this.#running && !this.#told, (to) => this.prediction.choose(Number(to.toFixed(2))));
  }

  get status(): string {
    return this.#status;
  }

  get #told(): boolean {
    return this.#context.store.state.learn.told.includes(this.name);
  }

  get #done(): boolean {
    return this.#course.at(-1)?.steps === STEPS;
  }

  engineChanged(): void {
    const engine = this.#context.engine();
    if (engine) this.#arrived(engine);
  }

  leave(): void {
    this.#stopped = true;
  }

  inputs() {
    return [this.#context.engine()];
  }

  draw(told: boolean): Drawn {
    const thresholds = this.#thresholds;
    // A link that shows the answer finds nothing trained yet.
    if (told && !this.#done && !this.#running && this.#status === "" && this.#context.engine()) void this.find();
    this.#shown.show(this.#step, format.count(this.#step));
    const known = this.#running || told ? this.#course.filter(({ steps }) => this.#running || steps <= this.#step) : [];
    const upper = thresholds.at(-1)!;
    const predicted = { at: [STEPS, this.prediction.value] as const, series: 2, name: text.predicted, label: text.predicted, movable: !told };
    const last = known.at(-1);
    const unseen = { name: said.unseen, series: UNSEEN_SERIES, points: known.map(({ steps, unseen }) => [steps, unseen] as const) };
    const dots = last ? last.means.map((mean, grade) => ({ at: [last.steps, mean] as const, series: SERIES[grade]!, name: said.grades[grade]! })) : [];
    this.#chart.draw({
      x: { label: said.x, domain: [0, STEPS] },
      y: { label: said.y, domain: [SCORES.least, 1.02], ticks: [-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1] },
      lines: [
        ...said.grades.map((name, grade) => ({
          name,
          series: SERIES[grade]!,
          points: known.map(({ steps, means }) => [steps, means[grade]!] as const),
        })),
        unseen,
        { name: said.threshold(format.plain(upper)), series: 5, points: [[0, upper], [STEPS, upper]] },
      ],
      dots: [...dots, ...(told && !this.prediction.made ? [] : [predicted])],
    });
    return {
      title: said.title,
      question: said.question(format.count(STEPS), format.plain(upper)),
      sentence: last ? said.sentence(format.count(last.steps), last.means.map(format.hundredths), format.hundredths(last.unseen)) : said.before,
      table: {
        caption: said.title,
        columns: [said.x, ...said.grades, said.unseen],
        rows: known.map(({ steps, means, unseen }) => [steps, ...means, unseen]),
        format: (value, column) => (column === 0 ? format.count(value) : format.score(value)),
      },
    };
  }

  outcome(): string {
    const last = this.#course.at(-1);
    return last && this.#done ? compare(this.prediction, last.means.at(-1)!, "difference", format.hundredths) : "";
  }

  /** Trains, once. */
  async find(): Promise<boolean> {
    if (this.#done) return true;
    if (this.#running) return false;
    this.#running = true;
    this.#stopped = false;
    this.#course = [];
    this.#step = STEPS;
    try {
      const engine = this.#context.engine() ?? (await this.#comingEngine());
      this.#say(said.fetching);
      const options = { language: LANGUAGE, seed: SEED, epsilon: this.#context.ownEpsilon(), thresholds: thresholdsOf(engine) };
      const run = await Run.begin(engine, { ...options, losses: ["sosl"], device: "wasm", every: EVERY });
      this.#course = [meansOf(run.progress)];
      for (let step = EVERY; step <= STEPS && !this.#stopped; step += EVERY) {
        await run.step(EVERY);
        this.#course = [...this.#course, meansOf(run.progress)];
        this.#say(said.running(format.count(step), format.count(STEPS)));
        // The page draws before the next steps.
        if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      run.end();
      this.#status = "";
      return this.#done;
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#course = [];
      this.#status = said.failed(message, code);
      return false;
    } finally {
      this.#running = false;
      this.#redraw();
    }
  }

  lab() {
    return { view: "training" } as const;
  }

  get #thresholds(): readonly number[] {
    return (this.#context.engine()?.description.config?.["thresholds"] as readonly number[] | undefined) ?? USUAL_THRESHOLDS;
  }

  #comingEngine(): Promise<SmoothClir> {
    this.#say(said.waiting);
    return new Promise((resolve) => (this.#arrived = resolve));
  }

  #say(status: string): void {
    this.#status = status;
    this.#redraw();
  }
}

function meansOf({ steps, lanes: [lane] }: Progress): Means {
  const { train, validation } = lane!;
  const mean = ({ scores, grades }: TrainingEvaluation, grade: number) => {
    const own = scores.filter((_, at) => grades[at] === grade);
    return own.reduce((sum, score) => sum + score, 0) / Math.max(own.length, 1);
  };
  const relevant = said.grades.length - 1;
  return { steps, means: said.grades.map((_, grade) => mean(train, grade)), unseen: mean(validation, relevant) };
}

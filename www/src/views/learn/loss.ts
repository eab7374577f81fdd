import type { Lab, LossName } from "smooth-clir/lab";
import { LineChart } from "../../ui/charts/line-chart";
import * as format from "../../ui/format";
import { Slider } from "../../ui/slider";
import { learn, SCORE } from "../../state/learn";
import type { Context } from "../view";
import { dragHeight } from "./drag";
import { compare, NumberPrediction } from "./prediction";
import type { Drawn, Subject } from "./section";
import { text } from "./strings";

const said = text.loss;
/** Paper 1's. */
const THRESHOLDS = [0.2, 0.7] as const;
const RELEVANT = 2;
const RATE = 0.1;
const STEPS = 30;

/** A relevant document's score, moved by gradient descent on two losses. */
export class Loss implements Subject {
  readonly name = "loss";
  readonly file = "learn-loss";
  readonly prose = said.prose;
  readonly prediction: NumberPrediction;
  readonly controls: readonly HTMLElement[];
  readonly plot: readonly Element[];
  readonly #lab: Lab;
  readonly #store: Context["store"];
  readonly #chart = new LineChart();
  readonly #score: Slider;

  constructor({ lab, store }: Context, redraw: () => void) {
    this.#lab = lab;
    this.#store = store;
    this.plot = [this.#chart.element];
    const course = { least: 0, most: 1, step: 0.01 };
    this.prediction = new NumberPrediction(said.label, { start: learn.usual.score, course, format: format.hundredths }, redraw);
    this.#score = new Slider(said.score, { ...SCORE, step: 0.05 }, (score) =>
      store.set({ learn: { ...store.state.learn, score: Number(score.toFixed(2)) } }),
    );
    this.controls = [this.#score.element];
    dragHeight(this.#chart, () => !store.state.learn.told.includes(this.name), (to) => this.prediction.choose(Number(to.toFixed(2))));
  }

  inputs() {
    return [this.#store.state.learn.score];
  }

  draw(told: boolean): Drawn {
    const asked = learn.usual.score;
    const { score } = this.#store.state.learn;
    this.#score.show(score, format.hundredths(score));
    const [, upper] = THRESHOLDS;
    const start = told ? score : asked;
    const [sosl, mse] = [this.#course("sosl", start), this.#course("mse", start)];
    const points = (values: readonly number[]) => values.map((value, step) => [step, value] as const);
    const lines = [
      { name: said.sosl, series: 1, points: points(told ? sosl : sosl.slice(0, 1)) },
      { name: said.mse, series: 2, points: points(told ? mse : mse.slice(0, 1)) },
      { name: said.threshold(format.plain(upper)), series: 6, points: [[0, upper], [STEPS, upper]] as const },
    ];
    const predicted = { at: [STEPS, this.prediction.value] as const, series: 2, name: text.predicted, label: text.predicted, movable: !told };
    const ends = [
      { at: [STEPS, sosl.at(-1)!] as const, series: 1, name: said.sosl },
      { at: [STEPS, mse.at(-1)!] as const, series: 2, name: said.mse },
    ];
    const begin = { at: [0, start] as const, series: 6, name: said.score };
    this.#chart.draw({
      x: { label: said.x, domain: [0, STEPS] },
      y: { label: said.y, domain: [SCORE.least, 1.02], ticks: [-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1] },
      lines,
      dots: told ? ends : [begin, predicted],
    });
    const shown = [sosl.at(-1)!, mse.at(-1)!].map(format.hundredths) as [string, string];
    const explained =
      start > upper
        ? said.above(format.hundredths(start), shown[1], format.plain(upper))
        : said.below(shown[0], shown[1], format.plain(upper));
    return {
      title: said.title,
      question: said.question(format.plain(asked), format.plain(upper), format.count(STEPS)),
      sentence: told ? explained : said.before(format.plain(asked), format.count(STEPS)),
      table: {
        caption: said.title,
        columns: [said.x, said.sosl, said.mse],
        rows: told ? sosl.map((value, step) => [step, value, mse[step]!]) : [[0, start, start]],
        format: (value, column) => (column === 0 ? format.count(value) : format.score(value)),
      },
    };
  }

  outcome(): string {
    return compare(this.prediction, this.#course("mse", learn.usual.score).at(-1)!, "difference", format.hundredths);
  }

  lab() {
    return { view: "losses" } as const;
  }

  /** The score at the start and after each step. */
  #course(name: LossName, start: number): number[] {
    const scores = [start];
    for (let step = 0; step < STEPS; step++) {
      const score = scores.at(-1)!;
      const [slope = 0] = this.#lab.loss(name, RELEVANT, [score], { thresholds: THRESHOLDS }).slopes;
      scores.push(score - RATE * slope);
    }
    return scores;
  }
}

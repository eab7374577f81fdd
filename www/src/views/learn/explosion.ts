import type { Lab, Point } from "smooth-clir/lab";
import { LineChart } from "../../ui/charts/line-chart";
import * as format from "../../ui/format";
import { Slider } from "../../ui/slider";
import { learn, NORM } from "../../state/learn";
import { descent } from "../../state/descent";
import type { Context } from "../view";
import { dragHeight } from "./drag";
import { compare, NumberPrediction } from "./prediction";
import type { Drawn, Subject } from "./section";
import { text } from "./strings";

const said = text.explosion;
const DOCUMENT: Point = [0, 1];
const RATE = 0.1;
/** Where the line is known before the answer. */
const KNOWN_FROM = 0.1;
const NORMS = Array.from({ length: 41 }, (_, at) => Number((10 ** (-4 + at / 10)).toPrecision(6)));
const STEPS = { least: 0.01, most: 10_000 };

/** The length of cosine's gradient against the length of the query vector, at right angles to the document. */
export class Explosion implements Subject {
  readonly name = "explosion";
  readonly file = "learn-explosion";
  readonly prose = said.prose;
  readonly prediction: NumberPrediction;
  readonly controls: readonly HTMLElement[];
  readonly plot: readonly Element[];
  readonly #lab: Lab;
  readonly #store: Context["store"];
  readonly #chart = new LineChart();
  readonly #norm: Slider;

  constructor({ lab, store }: Context, redraw: () => void) {
    this.#lab = lab;
    this.#store = store;
    this.plot = [this.#chart.element];
    const course = { ...STEPS, perDecade: 10 };
    this.prediction = new NumberPrediction(said.label, { start: 1, course, format: format.plain }, redraw);
    this.#norm = new Slider(said.norm, { ...NORM, perDecade: 10 }, (norm) => store.set({ learn: { ...store.state.learn, norm } }));
    this.controls = [this.#norm.element];
    dragHeight(this.#chart, () => !this.#told, (to) => this.prediction.choose(Number(to.toPrecision(2))));
  }

  get #told(): boolean {
    return this.#store.state.learn.told.includes(this.name);
  }

  inputs() {
    return [this.#store.state.learn.norm];
  }

  draw(told: boolean): Drawn {
    const asked = learn.usual.norm;
    const { norm } = this.#store.state.learn;
    this.#norm.show(norm, format.plain(norm));
    const shown = told ? NORMS : NORMS.filter((one) => one >= KNOWN_FROM);
    const predicted = { at: [asked, this.prediction.value] as const, series: 2, name: text.predicted, label: text.predicted, movable: !told };
    const answer = { at: [norm, this.#step(norm)] as const, series: 1, name: text.truth };
    const dots = told ? [answer, ...(this.prediction.made ? [predicted] : [])] : [predicted];
    this.#chart.draw({
      x: { label: said.x, domain: [NORM.least, NORM.most], log: true, ticks: [0.0001, 0.001, 0.01, 0.1, 1] },
      y: { label: said.y, domain: [STEPS.least, STEPS.most], log: true, ticks: [0.01, 0.1, 1, 10, 100, 1000, 10_000] },
      lines: [{ name: said.line, series: 1, points: shown.map((one) => [one, this.#step(one)]) }],
      rules: [{ at: told ? norm : asked, name: `|q| = ${format.plain(told ? norm : asked)}`, label: `|q| = ${format.plain(told ? norm : asked)}` }],
      dots,
    });
    const sentence = told
      ? said.sentence(format.plain(norm), format.plain(this.#gradient(norm)), format.plain(this.#step(norm)))
      : said.before(format.plain(KNOWN_FROM), format.plain(asked));
    return {
      title: said.title,
      question: said.question(format.plain(asked), format.plain(RATE)),
      sentence,
      table: {
        caption: said.title,
        columns: [said.x, said.gradient, said.y],
        rows: shown.map((one) => [one, this.#gradient(one), this.#step(one)]),
        format: format.plain,
      },
    };
  }

  outcome(): string {
    return compare(this.prediction, this.#step(learn.usual.norm), "factor", format.plain);
  }

  lab() {
    return { view: "descent", settings: { descent: { ...descent.usual, norm: this.#store.state.learn.norm, rate: RATE } } } as const;
  }

  #gradient(norm: number): number {
    return this.#lab.reading([norm, 0], DOCUMENT, 0).length;
  }

  #step(norm: number): number {
    return RATE * this.#gradient(norm);
  }
}

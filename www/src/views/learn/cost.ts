import type { Lab } from "smooth-clir/lab";
import { LineChart } from "../../ui/charts/line-chart";
import * as format from "../../ui/format";
import { Slider } from "../../ui/slider";
import { COST, learn, LENGTH } from "../../state/learn";
import { maps } from "../../state/maps";
import type { Context } from "../view";
import { dragHeight } from "./drag";
import { compare, NumberPrediction } from "./prediction";
import type { Drawn, Subject } from "./section";
import { text } from "./strings";

const said = text.cost;
const QUERY_NORM = 1;
const EPSILONS = Array.from({ length: 81 }, (_, at) => (COST.most * at) / 80);
const ROW_EVERY = 5;

/** The score of a document that points where the query does, against epsilon. */
export class Cost implements Subject {
  readonly name = "cost";
  readonly file = "learn-cost";
  readonly prose = said.prose;
  readonly prediction: NumberPrediction;
  readonly controls: readonly HTMLElement[];
  readonly plot: readonly Element[];
  readonly #lab: Lab;
  readonly #store: Context["store"];
  readonly #chart = new LineChart();
  readonly #epsilon: Slider;
  readonly #length: Slider;

  constructor({ lab, store }: Context, redraw: () => void) {
    this.#lab = lab;
    this.#store = store;
    this.plot = [this.#chart.element];
    const course = { least: 0, most: 1, step: 0.01 };
    this.prediction = new NumberPrediction(said.label, { start: 1, course, format: format.hundredths }, redraw);
    this.#epsilon = new Slider(text.epsilon, { ...COST, step: 0.05 }, (cost) => store.set({ learn: { ...store.state.learn, cost } }));
    this.#length = new Slider(said.length, { ...LENGTH, step: 0.1 }, (length) => store.set({ learn: { ...store.state.learn, length } }));
    this.controls = [this.#epsilon.element, this.#length.element];
    dragHeight(this.#chart, () => !store.state.learn.told.includes(this.name), (to) => this.prediction.choose(Number(to.toFixed(2))));
  }

  inputs() {
    return [this.#store.state.learn.cost, this.#store.state.learn.length];
  }

  draw(told: boolean): Drawn {
    const asked = learn.usual.cost;
    const { cost, length } = this.#store.state.learn;
    this.#epsilon.show(cost, format.plain(cost));
    this.#length.show(length, format.plain(length));
    const at = told ? cost : asked;
    const line = (norm: number, series: number) => {
      const scores = this.#scores(norm, EPSILONS);
      return { name: said.line(format.plain(norm)), series, points: EPSILONS.map((epsilon, place) => [epsilon, scores[place]!] as const) };
    };
    const lines = told ? [line(1, 1), line(length, 3)] : [{ ...line(1, 1), points: line(1, 1).points.slice(0, 2) }];
    const predicted = { at: [asked, this.prediction.value] as const, series: 2, name: text.predicted, label: text.predicted, movable: !told };
    const [one, other] = [this.#scores(1, [at])[0]!, this.#scores(length, [at])[0]!];
    const answers = [
      { at: [at, one] as const, series: 1, name: said.line(format.plain(1)) },
      { at: [at, other] as const, series: 3, name: said.line(format.plain(length)) },
    ];
    this.#chart.draw({
      x: { label: said.x, domain: [COST.least, COST.most] },
      y: { label: said.y, domain: [0, 1.2], ticks: [0, 0.25, 0.5, 0.75, 1] },
      lines,
      rules: [{ at, name: `ε = ${format.plain(at)}`, label: `ε = ${format.plain(at)}` }],
      dots: told ? [...answers, ...(this.prediction.made ? [predicted] : [])] : [predicted],
    });
    return {
      title: said.title,
      question: said.question(format.plain(asked)),
      sentence: told
        ? said.sentence(format.plain(at), format.hundredths(one), format.plain(length), format.hundredths(other))
        : said.before(format.plain(asked)),
      table: {
        caption: said.title,
        columns: [said.x, ...lines.map(({ name }) => name)],
        rows: lines[0]!.points.flatMap(([epsilon], place) =>
          place % ROW_EVERY === 0 ? [[epsilon, ...lines.map(({ points }) => points[place]![1])]] : [],
        ),
        format: format.plain,
      },
    };
  }

  outcome(): string {
    return compare(this.prediction, this.#scores(1, [learn.usual.cost])[0]!, "difference", format.hundredths);
  }

  lab() {
    return { view: "maps", settings: { epsilon: this.#store.state.learn.cost, maps: { ...maps.usual, quantity: "score" } } } as const;
  }

  /** Scores of a document of this length whose cosine is 1. */
  #scores(norm: number, epsilons: readonly number[]): Float32Array {
    return this.#lab.scores(QUERY_NORM * norm, QUERY_NORM, norm, epsilons);
  }
}

import { Figure } from "../../ui/charts/figure";
import { LineChart, type Line } from "../../ui/charts/line-chart";
import * as format from "../../ui/format";
import { EPSILONS, type Rankings } from "./curves";
import { labelOf, type MetricName } from "../../state/metrics";
import { text } from "./strings";

/** One of the models whose rankings are drawn. */
export interface Model {
  /** In a legend, and in a table. */
  name: string;
  short: string;
  series: number;
  rankings: Rankings;
}

/** The place of 0 on the logarithmic axis: a decade left of the rest. */
const ZERO = 1e-4;
const LEAST = 1e-3;
const MOST = 100;

const place = (epsilon: number) => (epsilon === 0 ? ZERO : Math.max(epsilon, LEAST));

const placeName = (at: number) => (at === ZERO ? "0" : format.plain(at));

/** A metric against epsilon at test time. */
export class EpsilonFigure {
  readonly #figure = new Figure("", "metric-against-epsilon");
  readonly #chart = new LineChart();

  constructor() {
    this.#figure.plot.append(this.#chart.element);
  }

  get element(): HTMLElement {
    return this.#figure.element;
  }

  draw(models: readonly Model[], metric: MetricName, epsilon: number, queries: number): void {
    this.#figure.title = text.epsilonTitle(labelOf(metric));
    const values = models.map(({ rankings }) => rankings.curve.map((metrics) => metrics[metric]!));
    const now = models.map(({ rankings }) => rankings.at(epsilon)[metric]!);
    const shown = format.plain(epsilon);
    const dot = (name: string, at: number, of: (model: number) => number) =>
      models.map(({ series }, model) => ({ at: [place(at), of(model)] as const, series, name }));
    this.#chart.draw({
      x: {
        label: text.epsilonAxis,
        domain: [ZERO, MOST],
        log: true,
        ticks: [ZERO, LEAST, 0.01, 0.1, 1, 10, MOST],
        format: placeName,
      },
      y: { label: labelOf(metric), domain: [0, 1] },
      lines: models.map(({ name, series }, model) => ({
        name,
        series,
        points: EPSILONS.map((epsilon, at) => [epsilon, values[model]![at]!] as const).slice(1),
      })),
      rules: [{ at: place(epsilon), name: text.atSlider(shown) }],
      dots: [
        ...dot(text.atZero, 0, (model) => values[model]![0]!),
        ...dot(text.atSlider(shown), epsilon, (model) => now[model]!),
      ],
    });
    const said = models.map(({ short }, model) => {
      const most = Math.max(...values[model]!);
      const at = EPSILONS[values[model]!.indexOf(most)]!;
      const [value, best] = [format.metric(now[model]!), format.metric(most)];
      return text.epsilonSummary(short, labelOf(metric), shown, value, best, format.plain(at));
    });
    this.#figure.summary = said.join(" ");
    this.#figure.table = {
      caption: text.epsilonCaption(labelOf(metric), queries),
      columns: [text.epsilonAxis, ...models.map(({ short }) => short)],
      rows: EPSILONS.map((epsilon, at) => [epsilon, ...values.map((of) => of[at]!)]),
      format: (value, column) => (column === 0 ? format.plain(value) : format.metric(value)),
    };
  }
}

/** A metric against the number of sampled negatives that a query ranks. */
export class NegativesFigure {
  readonly #figure = new Figure("", "metric-against-negatives");
  readonly #chart = new LineChart();

  constructor() {
    this.#figure.plot.append(this.#chart.element);
  }

  get element(): HTMLElement {
    return this.#figure.element;
  }

  draw(models: readonly Model[], metric: MetricName, epsilon: number): void {
    this.#figure.title = text.negativesTitle(labelOf(metric));
    const lines = models.map(({ name, series, rankings }): Line => {
      const points = rankings.fewer(epsilon).map(({ count, metrics }) => [count, metrics[metric]!] as const);
      return { name, series, points };
    });
    const counts = lines[0]!.points.map(([count]) => count);
    this.#chart.draw({
      x: { label: text.negativesAxis, domain: [0, counts.at(-1)!] },
      y: { label: labelOf(metric), domain: [0, 1] },
      lines,
      dots: lines.flatMap(({ points, series }) =>
        points.map((at) => ({ at, series, name: text.ofCount(format.count(at[0]), format.metric(at[1])) })),
      ),
    });
    const said = lines.map(({ points }, model) => {
      const [few, first] = points[0]!;
      const [many, last] = points.at(-1)!;
      return text.negativesSummary(models[model]!.short, labelOf(metric), few, format.metric(first), many, format.metric(last));
    });
    this.#figure.summary = said.join(" ");
    this.#figure.table = {
      caption: text.negativesCaption(labelOf(metric), format.plain(epsilon)),
      columns: [text.negativesAxis, ...models.map(({ short }) => short)],
      rows: counts.map((count, at) => [count, ...lines.map(({ points }) => points[at]![1])]),
      format: (value, column) => (column === 0 ? format.count(value) : format.metric(value)),
    };
  }
}

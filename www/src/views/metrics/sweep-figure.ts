import { Figure } from "../../ui/charts/figure";
import { LineChart, type Line } from "../../ui/charts/line-chart";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { labelOf, type MetricName } from "../../state/metrics";
import { text } from "./strings";
import type { Sweep, SweepPoint } from "./sweep";

export interface SweepTexts {
  name: string;
  title: (metric: string) => string;
  note: string;
  axis: string;
  /** A value of the setting, in a sentence. */
  at: (value: string) => string;
  sampled: string;
  all: string;
}

/** A metric of models that were trained anew for each value of a setting. */
export class SweepFigure {
  readonly #figure: Figure;
  readonly #chart = new LineChart();
  readonly #sweep: Sweep;
  readonly #texts: SweepTexts;

  constructor(sweep: Sweep, texts: SweepTexts) {
    this.#sweep = sweep;
    this.#texts = texts;
    this.#figure = new Figure("", texts.name);
    this.#figure.plot.append(this.#chart.element);
    this.#figure.plot.before(make("p", "figure-note", texts.note));
  }

  get element(): HTMLElement {
    return this.#figure.element;
  }

  draw(metric: MetricName, x?: { rule: number; name: string }): void {
    const { title, axis, at, sampled, all } = this.#texts;
    const rows = this.#sweep.sampled[metric]!;
    const others = this.#sweep.all[metric]!;
    const settings = rows.map(({ setting }) => setting);
    this.#figure.title = title(labelOf(metric));
    this.#chart.draw({
      x: { label: axis, domain: [Math.min(...settings), Math.max(...settings)] },
      y: { label: labelOf(metric), domain: [0, 1] },
      lines: [...withBars(rows, 3, sampled), ...withBars(others, 4, all)],
      rules: x ? [{ at: x.rule, name: x.name }] : [],
    });
    const [best, bestOfAll] = [highest(rows), highest(others)];
    const said = (point: SweepPoint) => [format.metric(point.mean), at(format.plain(point.setting))] as const;
    this.#figure.summary = text.sweepSummary(labelOf(metric), ...said(best), ...said(bestOfAll));
    this.#figure.table = {
      caption: text.sweepCaption(labelOf(metric), format.count(this.#sweep.seeds)),
      columns: text.sweepColumns(axis),
      rows: rows.map(({ setting, mean, low, high }, row) => {
        const other = others[row]!;
        return [setting, mean, low, high, other.mean, other.low, other.high];
      }),
      format: format.plain,
    };
  }
}

/** The means, and the interval of each as a bar. */
function withBars(points: readonly SweepPoint[], series: number, name: string): Line[] {
  const bar = ({ setting, low, high }: SweepPoint) => [
    [setting, low] as const,
    [setting, high] as const,
    [setting, Number.NaN] as const,
  ];
  return [
    { name, series, points: points.map(({ setting, mean }) => [setting, mean]) },
    { name: "", series, points: points.flatMap(bar) },
  ];
}

const highest = (points: readonly SweepPoint[]) => points.reduce((best, point) => (point.mean > best.mean ? point : best));

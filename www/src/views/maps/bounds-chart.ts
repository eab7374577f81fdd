import type { Lab, Point } from "smooth-clir/lab";
import { Figure } from "../../ui/charts/figure";
import { LineChart } from "../../ui/charts/line-chart";
import * as format from "../../ui/format";
import { changed } from "../../ui/changed";
import { text } from "./strings";

const EPSILONS = Array.from({ length: 61 }, (_, at) => 10 ** (-2 + at / 20));
const SIZE = 41;

/** The bounds of the gradient's length against epsilon, and the longest gradient of the map. */
export class BoundsChart {
  readonly #figure = new Figure(text.bounds.title, "gradient-bounds");
  readonly element = this.#figure.element;
  readonly #chart = new LineChart();
  readonly #lab: Lab;
  readonly #changed = changed();

  constructor(lab: Lab) {
    this.#lab = lab;
    this.#figure.plot.append(this.#chart.element);
  }

  update(document: Point, reach: number, epsilon: number): void {
    if (!this.#changed(document, reach, epsilon)) return;
    const rows = EPSILONS.map((at) => ({ at, ...this.#lab.bounds(document, at) }));
    const lengths = this.#lab.planeMap("length", document, SIZE, reach, epsilon);
    const longest = lengths.reduce((most, length) => (length > most ? length : most), 0);
    const line = (bound: "printed" | "tight" | "exact", series: number) => ({
      name: text.bounds[bound],
      series,
      points: rows.map((row) => [row.at, row[bound]] as const),
    });
    this.#chart.draw({
      x: { label: text.bounds.epsilon, domain: [0.01, 10], log: true, ticks: [0.01, 0.1, 1, 10] },
      y: { label: text.bounds.length, domain: [0.005, 300], log: true, ticks: [0.01, 0.1, 1, 10, 100] },
      lines: [line("printed", 2), line("tight", 3), line("exact", 1)],
      rules: [{ at: epsilon, name: text.bounds.rule(format.plain(epsilon)) }],
      dots: [{ at: [epsilon, longest], series: 1, name: text.bounds.longest(format.measured(longest)) }],
    });
    const { printed, tight, exact } = this.#lab.bounds(document, epsilon);
    const [p, t, e, l] = [printed, tight, exact, longest].map(format.measured) as [string, string, string, string];
    this.#figure.summary = epsilon > 0 ? text.bounds.summary(format.plain(epsilon), p, t, e, l) : text.bounds.none(l);
    this.#figure.table = {
      caption: text.bounds.caption,
      columns: [text.bounds.epsilon, text.bounds.printed, text.bounds.tight, text.bounds.exact],
      rows: rows.filter((_, at) => at % 5 === 0).map((row) => [row.at, row.printed, row.tight, row.exact]),
      format: format.plain,
    };
  }
}

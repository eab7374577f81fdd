import { Figure } from "./figure";
import { LineChart } from "./line-chart";

/** A figure of a line chart; `name` is that of saved files, without an ending. */
export function lineFigure(title: string, name: string): { figure: Figure; chart: LineChart } {
  const figure = new Figure(title, name);
  const chart = new LineChart();
  figure.plot.append(chart.element);
  return { figure, chart };
}

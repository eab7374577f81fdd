import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from "d3-scale";
import { select } from "d3-selection";
import { line } from "d3-shape";
import { make } from "../dom";
import * as format from "../format";

/** An axis and what it spans. */
export interface Axis {
  label: string;
  domain: readonly [number, number];
  /** Logarithmic: the domain is above 0. */
  log?: boolean;
  ticks?: readonly number[];
  /** What a tick says; as short as it goes where left out. */
  format?: (value: number) => string;
}

/** A line; where a coordinate is no finite number it has a gap. */
export interface Line {
  /** What it is called below; empty where another line says it. */
  name: string;
  /** 1 to 6: see `--series-1`. Each has its own dashes too. */
  series: number;
  points: readonly (readonly [number, number])[];
}

/** An upright line at a place of interest. */
export interface Rule {
  at: number;
  name: string;
}

export interface Drawing {
  x: Axis;
  y: Axis;
  lines: readonly Line[];
  rules?: readonly Rule[];
  /** Points of interest. */
  dots?: readonly { at: readonly [number, number]; series: number; name: string }[];
}

const MARGIN = { top: 12, right: 14, bottom: 42, left: 56 };
const LEAST_WIDTH = 240;
const SHAPE = 0.6;
const HEIGHTS = { least: 190, most: 340 };

type Scale = ScaleContinuousNumeric<number, number>;

/** Lines over two axes, as wide as there is room for, and what they are called below. */
export class LineChart {
  readonly element = make("div", "line-chart");
  readonly svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  readonly #legend = make("ul", "chart-legend");
  #drawing: Drawing | undefined;
  #width = 0;
  #x: Scale = scaleLinear();
  #y: Scale = scaleLinear();

  constructor() {
    this.svg.setAttribute("class", "chart");
    this.#legend.setAttribute("role", "list");
    this.element.append(this.svg, this.#legend);
    new ResizeObserver(([entry]) => {
      const width = Math.max(Math.round(entry?.contentRect.width ?? 0), LEAST_WIDTH);
      if (width === this.#width) return;
      this.#width = width;
      if (this.#drawing) this.#draw(this.#drawing);
    }).observe(this.element);
  }

  draw(drawing: Drawing): void {
    this.#drawing = drawing;
    if (this.#width > 0) this.#draw(drawing);
  }

  /** The numbers at a place on the page: for pointers. */
  at(event: { clientX: number; clientY: number }): [number, number] {
    const { left, top } = this.svg.getBoundingClientRect();
    return [this.#x.invert(event.clientX - left), this.#y.invert(event.clientY - top)];
  }

  #draw({ x, y, lines, rules = [], dots = [] }: Drawing): void {
    const width = this.#width;
    const height = Math.min(Math.max(Math.round(width * SHAPE), HEIGHTS.least), HEIGHTS.most);
    const { top, right, bottom, left } = MARGIN;
    this.#x = (x.log ? scaleLog() : scaleLinear()).domain(x.domain).range([left, width - right]);
    this.#y = (y.log ? scaleLog() : scaleLinear()).domain(y.domain).range([height - bottom, top]);
    const svg = select(this.svg).attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
    svg.selectAll("*").remove();

    const across = axisBottom(this.#x).tickSizeOuter(0);
    const up = axisLeft(this.#y).tickSizeOuter(0);
    if (x.ticks) across.tickValues([...x.ticks]);
    else across.ticks(x.log ? 4 : Math.max(Math.round(width / 90), 3), x.log ? "~g" : undefined);
    if (y.ticks) up.tickValues([...y.ticks]);
    else up.ticks(y.log ? 4 : 5);
    for (const [axis, { format: say = format.plain }] of [[across, x], [up, y]] as const) {
      axis.tickFormat((value) => say(value.valueOf()));
    }
    const axes = svg.append("g").attr("class", "axes");
    axes.append("g").attr("transform", `translate(0,${height - bottom})`).call(across);
    axes.append("g").attr("transform", `translate(${left},0)`).call(up);
    axes
      .append("text")
      .attr("class", "axis-label")
      .attr("x", (left + width - right) / 2)
      .attr("y", height - 6)
      .attr("text-anchor", "middle")
      .text(x.label);
    axes
      .append("text")
      .attr("class", "axis-label")
      .attr("transform", `translate(13,${(top + height - bottom) / 2}) rotate(-90)`)
      .attr("text-anchor", "middle")
      .text(y.label);

    const inside = (value: number, scale: Scale) => {
      const [from = 0, to = 0] = scale.domain();
      return value >= from && value <= to;
    };
    for (const { at, name } of rules) {
      if (!inside(at, this.#x)) continue;
      const rule = svg.append("g").attr("class", "rule").attr("transform", `translate(${this.#x(at)},0)`);
      rule.append("line").attr("y1", top).attr("y2", height - bottom);
      rule.append("title").text(name);
    }
    const path = line<readonly [number, number]>()
      .defined(([x, y]) => Number.isFinite(this.#x(x)) && Number.isFinite(this.#y(y)))
      .x(([x]) => this.#x(x))
      .y(([, y]) => this.#y(y));
    const frame = svg.append("svg").attr("x", 0).attr("y", top).attr("width", width - right).attr("height", height - bottom - top);
    frame.attr("viewBox", `0 ${top} ${width - right} ${height - bottom - top}`).attr("overflow", "hidden");
    for (const { series, points } of lines) {
      frame.append("path").attr("class", `line series-${series}`).attr("d", path(points));
    }
    for (const { at: [dotX, dotY], series, name } of dots) {
      if (!inside(dotX, this.#x) || !inside(dotY, this.#y)) continue;
      const dot = svg.append("circle").attr("class", `dot series-${series}`).attr("r", 4.5);
      dot.attr("cx", this.#x(dotX)).attr("cy", this.#y(dotY)).append("title").text(name);
    }
    this.#name(lines);
  }

  #name(lines: readonly Line[]): void {
    const named = lines.filter(({ name }) => name !== "");
    const items = named.map(({ name, series }) => {
      const item = make("li");
      const sample = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      sample.setAttribute("viewBox", "0 0 28 8");
      sample.setAttribute("aria-hidden", "true");
      select(sample).append("path").attr("class", `line series-${series}`).attr("d", "M0 4H28");
      item.append(sample, name);
      return item;
    });
    this.#legend.replaceChildren(...items);
    this.#legend.hidden = named.length < 2;
  }
}

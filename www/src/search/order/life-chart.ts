import { axisBottom } from "d3-axis";
import { scaleLog } from "d3-scale";
import { select } from "d3-selection";
import * as format from "../../ui/format";
import { make, onWidth } from "../../ui/dom";

/** The left edge of the axis stands for 0. */
const LEAST = 0.001;
const TICKS = [0.001, 0.01, 0.1, 1, 10, 100];
const MARGIN = { top: 20, right: 14, bottom: 42, left: 14 };
const ROW = 40;
const BAR = { top: 20, height: 11 };
const LEAST_WIDTH = 240;

/** A document and the ranges of epsilon in which it stays. */
export interface Row {
  name: string;
  ranges: readonly { from: number; to: number; name: string }[];
}

export interface LifeDrawing {
  rows: readonly Row[];
  axis: string;
  most: number;
  now: { at: number; name: string };
}

/** Bars over a logarithmic axis of epsilon, a row for each document. */
export class LifeChart {
  readonly element = make("div", "life-chart");
  readonly svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  #drawing: LifeDrawing | undefined;
  #width = 0;

  constructor() {
    this.svg.setAttribute("class", "chart");
    this.element.append(this.svg);
    onWidth(this.element, (available) => {
      const width = Math.max(Math.round(available), LEAST_WIDTH);
      if (width === this.#width) return;
      this.#width = width;
      if (this.#drawing) this.#draw(this.#drawing);
    });
  }

  draw(drawing: LifeDrawing): void {
    this.#drawing = drawing;
    if (this.#width > 0) this.#draw(drawing);
  }

  #draw({ rows, axis, most, now }: LifeDrawing): void {
    const width = this.#width;
    const bottom = MARGIN.top + rows.length * ROW;
    const height = bottom + MARGIN.bottom;
    const scale = scaleLog().domain([LEAST, most]).range([MARGIN.left, width - MARGIN.right]);
    const x = (epsilon: number) => scale(Math.min(Math.max(epsilon, LEAST), most));
    const svg = select(this.svg);
    svg.attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
    svg.selectAll("*").remove();
    const axes = svg.append("g").attr("class", "axes");
    const below = axisBottom(scale).tickValues(TICKS.filter((tick) => tick <= most)).tickSizeOuter(0);
    below.tickFormat((value) => (value.valueOf() === LEAST ? format.plain(0) : format.plain(value.valueOf())));
    axes.append("g").attr("transform", `translate(0,${bottom})`).call(below);
    axes
      .append("text")
      .attr("class", "axis-label")
      .attr("x", width / 2)
      .attr("y", height - 6)
      .attr("text-anchor", "middle")
      .text(axis);
    const groups = svg.append("g").selectAll("g").data(rows).join("g");
    groups.attr("transform", (_, at) => `translate(0,${MARGIN.top + at * ROW})`);
    groups
      .append("line")
      .attr("class", "life-track")
      .attr("x1", MARGIN.left)
      .attr("x2", width - MARGIN.right)
      .attr("y1", BAR.top + BAR.height / 2)
      .attr("y2", BAR.top + BAR.height / 2);
    groups.append("text").attr("class", "life-name").attr("x", MARGIN.left).attr("y", BAR.top - 6).text(({ name }) => name);
    groups
      .selectAll("rect")
      .data(({ ranges }) => ranges)
      .join("rect")
      .attr("class", "life-bar")
      .attr("x", ({ from }) => x(from))
      // A range that is shorter than a pixel is still seen.
      .attr("width", ({ from, to }) => Math.max(x(to) - x(from), 1.5))
      .attr("y", BAR.top)
      .attr("height", BAR.height)
      .append("title")
      .text(({ name }) => name);
    const rule = svg.append("g").attr("class", "rule").attr("transform", `translate(${x(now.at)},0)`);
    rule.append("line").attr("y1", MARGIN.top - 4).attr("y2", bottom);
    const end = x(now.at) > width / 2;
    rule.append("text").attr("x", end ? -4 : 4).attr("y", 12).attr("text-anchor", end ? "end" : "start").text(now.name);
  }
}

import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from "d3-scale";
import { select } from "d3-selection";
import { line } from "d3-shape";
import { changed } from "../changed";
import { make, onWidth } from "../dom";
import * as format from "../format";

/** An axis and what it spans. */
export interface Axis {
  label: string;
  domain: readonly [number, number];
  /** Logarithmic: the domain is above 0. */
  log?: boolean;
  ticks?: readonly number[];
  /** The text of a tick; the shortest form of the number where left out. */
  format?: (value: number) => string;
}

/** A line; where a coordinate is no finite number it has a gap. */
export interface Line {
  /** Its name in the legend; empty where another line has it. */
  name: string;
  /** 1 to 6: see `--series-1`. Each has its own dashes too. */
  series: number;
  points: readonly (readonly [number, number])[];
}

/** An upright line at a place of interest. */
export interface Rule {
  at: number;
  name: string;
  /** Written beside its upper end. */
  label?: string;
}

/** A shaded region: its corners, one after the other. */
export interface Area {
  series: number;
  points: readonly (readonly [number, number])[];
}

export interface Drawing {
  x: Axis;
  y: Axis;
  /** Regions below the lines. */
  areas?: readonly Area[];
  lines: readonly Line[];
  rules?: readonly Rule[];
  /** Points of interest. */
  dots?: readonly Dot[];
}

interface Dot {
  at: readonly [number, number];
  series: number;
  name: string;
  /** Written beside it. */
  label?: string;
  /** Whether a finger may drag it: there is room for one around it. */
  movable?: boolean;
}

/** In pixels where letters have their usual size; larger letters need as much more room. */
const MARGIN = { top: 26, right: 14, bottom: 42, left: 46 };
const LEAST_WIDTH = 240;
const SHAPE = 0.6;
const HEIGHTS = { least: 190, most: 340 };
const USUAL_FONT_SIZE = 12;
/** Half of the room that a finger needs. */
const FINGER = 22;

type Scale = ScaleContinuousNumeric<number, number>;

/** Lines over two axes, as wide as there is room for, and what they are called below. */
export class LineChart {
  readonly element = make("div", "line-chart");
  readonly svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  readonly #legend = make("ul", "chart-legend");
  readonly #axes = select(this.svg).append("g").attr("class", "axes");
  readonly #rules = select(this.svg).append("g");
  readonly #frame = select(this.svg).append("svg").attr("x", 0).attr("overflow", "hidden");
  readonly #dots = select(this.svg).append("g");
  readonly #isOther = changed();
  readonly #isNamedOtherwise = changed();
  #drawing: Drawing | undefined;
  #width = 0;
  #scale = 1;
  #x: Scale = scaleLinear();
  #y: Scale = scaleLinear();

  constructor() {
    this.svg.setAttribute("class", "chart");
    this.#legend.setAttribute("role", "list");
    this.element.append(this.svg, this.#legend);
    onWidth(this.element, (available) => {
      const width = Math.max(Math.round(available), LEAST_WIDTH);
      if (width === this.#width) return;
      this.#width = width;
      if (this.#drawing) this.#draw(this.#drawing);
    });
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

  /** Touches what is other than before only: each change is laid out anew. */
  #draw({ x, y, lines, areas = [], rules = [], dots = [] }: Drawing): void {
    const width = this.#width;
    const scale = Number.parseFloat(getComputedStyle(this.svg).fontSize) / USUAL_FONT_SIZE || 1;
    this.#scale = scale;
    const height = Math.min(Math.max(Math.round(width * SHAPE), HEIGHTS.least), Math.round(HEIGHTS.most * scale));
    const { top, bottom } = this.#margin;
    if (this.#isOther(width, scale, ...partsOf(x), ...partsOf(y))) this.#drawAxes(x, y, width, height);

    const inside = (value: number, scale: Scale) => {
      const [from = 0, to = 0] = scale.domain();
      return value >= from && value <= to;
    };
    const upright = this.#rules.selectAll<SVGGElement, Rule>("g").data(rules.filter(({ at }) => inside(at, this.#x)));
    const each = upright.join((enter) => {
      const group = enter.append("g").attr("class", "rule");
      group.append("line");
      group.append("title");
      group.append("text").attr("x", 4);
      return group;
    });
    const scaleX = this.#x;
    each.each(function ({ at, name, label = "" }) {
      const [line, title, text] = [...this.children] as [Element, Element, Element];
      put(this, { transform: `translate(${scaleX(at)},0)` });
      put(line, { y1: top, y2: height - bottom });
      put(text, { y: top + 10 * scale });
      say(title, name);
      say(text, label);
    });

    const path = line<readonly [number, number]>()
      .defined(([x, y]) => Number.isFinite(this.#x(x)) && Number.isFinite(this.#y(y)))
      .x(([x]) => this.#x(x))
      .y(([, y]) => this.#y(y));
    const regions = this.#frame.selectAll<SVGPolygonElement, Area>("polygon").data(areas).join((enter) => enter.insert("polygon", "path"));
    const corners = (points: Area["points"]) => points.map(([x, y]) => `${this.#x(x)},${this.#y(y)}`).join(" ");
    regions.each(function ({ series, points }) {
      put(this, { class: `area series-${series}`, points: corners(points) });
    });
    const paths = this.#frame.selectAll<SVGPathElement, Line>("path").data(lines).join("path");
    paths.each(function ({ series, points }) {
      put(this, { class: `line series-${series}`, d: path(points) ?? "" });
    });

    const seen = dots.filter(({ at: [x, y] }) => inside(x, this.#x) && inside(y, this.#y));
    const handles = this.#dots.selectAll<SVGCircleElement, Dot>(".dot-handle").data(seen.filter(({ movable }) => movable));
    const grips = handles.join((enter) => enter.insert("circle", ":first-child").attr("class", "dot-handle").attr("r", FINGER));
    grips.attr("cx", ({ at: [x] }) => this.#x(x)).attr("cy", ({ at: [, y] }) => this.#y(y));
    const circles = this.#dots.selectAll<SVGCircleElement, Dot>(".dot").data(seen).join((enter) => {
      const circle = enter.append("circle").attr("class", "dot").attr("r", 4.5);
      circle.append("title");
      return circle;
    });
    const scaleY = this.#y;
    circles.each(function ({ at: [x, y], series, name }) {
      put(this, { class: `dot series-${series}`, cx: scaleX(x), cy: scaleY(y) });
      say(this.firstElementChild!, name);
    });
    const labels = this.#dots.selectAll<SVGTextElement, Dot>("text").data(seen.filter(({ label }) => label !== undefined)).join("text");
    labels.each(function ({ at: [x, y], label = "" }) {
      const onRight = scaleX(x) > width / 2;
      const anchor = onRight ? "end" : "start";
      put(this, { x: scaleX(x) + (onRight ? -10 : 10) * scale, y: scaleY(y) + 4 * scale, "text-anchor": anchor });
      say(this, label);
    });
    if (this.#isNamedOtherwise(...lines.flatMap(({ name, series }) => [name, series]))) this.#name(lines);
  }

  #drawAxes(x: Axis, y: Axis, width: number, height: number): void {
    const { top, right, bottom, left } = this.#margin;
    this.#x = (x.log ? scaleLog() : scaleLinear()).domain(x.domain).range([left, width - right]);
    this.#y = (y.log ? scaleLog() : scaleLinear()).domain(y.domain).range([height - bottom, top]);
    put(this.svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    const [across, down] = [width - right, height - bottom - top];
    this.#frame.attr("y", top).attr("width", across).attr("height", down).attr("viewBox", `0 ${top} ${across} ${down}`);

    const [below, beside] = [axisBottom(this.#x), axisLeft(this.#y)];
    if (x.ticks) below.tickValues([...x.ticks]);
    else below.ticks(x.log ? 4 : Math.max(Math.round(width / (90 * this.#scale)), 3));
    if (y.ticks) beside.tickValues([...y.ticks]);
    else beside.ticks(y.log ? 4 : 5);
    for (const [axis, { format: say = format.plain }] of [[below, x], [beside, y]] as const) {
      axis.tickSizeOuter(0).tickFormat((value) => say(value.valueOf()));
    }
    const axes = this.#axes;
    axes.selectAll("*").remove();
    axes.append("g").attr("transform", `translate(0,${height - bottom})`).call(below);
    axes.append("g").attr("transform", `translate(${left},0)`).call(beside);
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
      .attr("x", 2)
      .attr("y", 11 * this.#scale)
      .text(y.label);
  }

  get #margin(): typeof MARGIN {
    const { top, right, bottom, left } = MARGIN;
    const scale = this.#scale;
    return { top: top * scale, right: right * scale, bottom: bottom * scale, left: left * scale };
  }

  #name(lines: readonly Line[]): void {
    const all = lines.filter(({ name }) => name !== "");
    // A single line is named by its axis.
    const named = all.length < 2 ? [] : all;
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
    this.#legend.hidden = named.length === 0;
  }
}

/** The values that an axis is drawn from. */
const partsOf = ({ label, domain, log, ticks, format }: Axis): unknown[] => [label, ...domain, log, ticks?.join(), format];

function put(element: Element, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
}

function say(element: Element, words: string): void {
  if (element.textContent !== words) element.textContent = words;
}

import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import type { PaintedMap, Point } from "smooth-clir/lab";
import { paint } from "../../ui/colours";
import { make, onWidth } from "../../ui/dom";
import * as format from "../../ui/format";
import { contourLabels, contourLines } from "./contour-lines";
import type { Look } from "./looks";

/** A quantity over the square plane from `-reach` to `reach`. */
export interface Field {
  map: PaintedMap;
  reach: number;
  look: Look;
  contours: boolean;
  /** Gradients at some points; `share` is how far along the scale of slopes the gradient's length is, from 0 to 1. */
  arrows?: readonly { at: Point; gradient: Point; length: number; share: number }[];
  /** Lines of text below a small map. */
  caption?: readonly string[];
}

/** The vectors, dots and cross that a plane shows. */
export interface Marks {
  vectors: readonly { name: string; at: Point }[];
  dots?: readonly { at: Point; name: string }[];
  cross?: { at: Point; text: string } | undefined;
}

const MARGINS = {
  axes: { top: 12, right: 12, bottom: 36, left: 40 },
  small: { top: 2, right: 2, bottom: 44, left: 2 },
};
const MOST = { axes: 560, small: 240 };
const LABEL_ROOM_PX = 34;
const LINE_PX = 17;

/** A map of the plane: a canvas of colours below an SVG of lines, as wide as there is room for. */
export class Plane {
  readonly element = make("div", "plane-map");
  readonly canvas = make("canvas");
  readonly #svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  readonly #kind: keyof typeof MARGINS;
  readonly #onResize: () => void;
  #field: Field | undefined;
  #marks: Marks = { vectors: [] };
  #width = 0;
  #x = scaleLinear();
  #y = scaleLinear();

  constructor(kind: keyof typeof MARGINS, onResize: () => void = () => {}) {
    this.#kind = kind;
    this.#onResize = onResize;
    this.element.classList.add(`plane-${kind}`);
    this.#svg.setAttribute("class", "chart");
    this.#svg.setAttribute("aria-hidden", "true");
    this.canvas.ariaHidden = "true";
    const layers = select(this.#svg);
    layers.append("g").attr("class", "field");
    layers.append("g").attr("class", "marks");
    this.element.append(this.canvas, this.#svg);
    onWidth(this.element, (available) => {
      const width = Math.min(Math.floor(available), MOST[kind]);
      if (width === this.#width) return;
      this.#width = width;
      this.#layOut();
      this.#drawField();
      this.#drawMarks();
      this.#onResize();
    });
  }

  set field(field: Field) {
    this.#field = field;
    paint(this.canvas, field.map.image);
    this.#layOut();
    this.#drawField();
  }

  set marks(marks: Marks) {
    this.#marks = marks;
    this.#drawMarks();
  }

  /** The place of a point in the element, in CSS pixels; a point beyond the plane is at its edge. */
  toPixels([x1, x2]: Point): [number, number] {
    return [this.#x(x1), this.#y(x2)];
  }

  /** The point at a place on the page. */
  at(event: { clientX: number; clientY: number }): Point {
    const { left, top } = this.#svg.getBoundingClientRect();
    return [this.#x.invert(event.clientX - left), this.#y.invert(event.clientY - top)];
  }

  #layOut(): void {
    if (!this.#field || this.#width === 0) return;
    const { map, reach } = this.#field;
    const { top, right, bottom, left } = MARGINS[this.#kind];
    const side = Math.max(this.#width - left - right, 1);
    const height = top + side + bottom;
    // The outermost points are the middles of the outermost pixels.
    const inset = side / map.image.width / 2;
    this.#x = scaleLinear([-reach, reach], [left + inset, left + side - inset]).clamp(true);
    this.#y = scaleLinear([-reach, reach], [top + side - inset, top + inset]).clamp(true);
    select(this.#svg)
      .attr("viewBox", `0 0 ${this.#width} ${height}`)
      .attr("width", this.#width)
      .attr("height", height);
    for (const [name, value] of Object.entries({ left, top, width: side, height: side })) {
      this.canvas.style.setProperty(name, `${value}px`);
    }
  }

  #drawField(): void {
    if (!this.#field || this.#width === 0) return;
    const { map, look, contours, arrows = [], caption = [] } = this.#field;
    const { top, right, left } = MARGINS[this.#kind];
    const side = this.#width - left - right;
    const group = select(this.#svg).select<SVGGElement>(".field");
    group.selectAll("*").remove();

    const plane = group.append("svg").attr("x", left).attr("y", top).attr("width", side).attr("height", side);
    plane.attr("viewBox", `0 0 ${side} ${side}`).attr("overflow", "hidden");
    const toSide = side / map.image.width;
    if (contours) {
      for (const { level, rings } of contourLines(map, look.levels)) {
        const ring = (points: (typeof rings)[number]) =>
          points.map((point) => point.map((x) => (x * toSide).toFixed(1)).join(" ")).join("L");
        const path = rings.map((points) => `M${ring(points)}Z`).join("");
        plane.append("path").attr("class", level === 0 ? "contour contour-zero" : "contour").attr("d", path);
      }
    }
    const longest = 0.8 * (side / Math.sqrt(arrows.length));
    const tips = arrows.map(({ at, gradient, length, share }) =>
      length > 0 ? this.#arrow(at, [gradient[0] / length, gradient[1] / length], longest * share) : "",
    );
    plane.append("path").attr("class", "arrows").attr("transform", `translate(${-left},${-top})`).attr("d", tips.join(""));
    if (this.#kind === "axes") {
      const labels = contours ? contourLabels(map, look.levels, LABEL_ROOM_PX / toSide) : [];
      for (const { level, at: [x, y] } of labels) {
        const label = plane.append("text").attr("class", "contour-label").attr("x", x * toSide).attr("y", y * toSide);
        label.attr("dy", "0.35em").text(format.plain(level));
      }
      const [across, up] = [axisBottom(this.#x), axisLeft(this.#y)];
      for (const axis of [across, up]) axis.ticks(5).tickFormat((value) => format.plain(value.valueOf())).tickSizeOuter(0);
      const axes = group.append("g").attr("class", "axes");
      axes.append("g").attr("transform", `translate(0,${top + side})`).call(across);
      axes.append("g").attr("transform", `translate(${left},0)`).call(up);
      const name = (x: number, y: number, index: string) => {
        const text = axes.append("text").attr("class", "axis-label").attr("x", x).attr("y", y).attr("text-anchor", "middle");
        text.text("x").append("tspan").attr("dy", "0.3em").attr("font-size", "0.75em").text(index);
      };
      name(left + side / 2 + side / 8, top + side + 28, "1");
      name(left - 26, top + side / 2 - side / 8, "2");
    }
    for (const [at, line] of caption.entries()) {
      const text = group.append("text").attr("x", left + side / 2).attr("y", top + side + LINE_PX * (at + 1));
      text.attr("class", at === 0 ? "caption caption-first" : "caption").attr("text-anchor", "middle").text(line);
    }
  }

  /** An arrow in a direction, its middle at a point, its length in pixels. */
  #arrow(at: Point, direction: Point, length: number): string {
    const [x, y] = this.toPixels(at);
    const [right, down] = [direction[0] * length, -direction[1] * length];
    const tip = [x + right / 2, y + down / 2] as const;
    const barb = (turn: number) =>
      `${(tip[0] - 0.3 * right + turn * 0.18 * down).toFixed(1)} ${(tip[1] - 0.3 * down - turn * 0.18 * right).toFixed(1)}`;
    const end = `${tip[0].toFixed(1)} ${tip[1].toFixed(1)}`;
    return `M${(x - right / 2).toFixed(1)} ${(y - down / 2).toFixed(1)}L${end}M${barb(1)}L${end}L${barb(-1)}`;
  }

  #drawMarks(): void {
    if (!this.#field || this.#width === 0) return;
    const { vectors, dots = [], cross } = this.#marks;
    const { reach, map } = this.#field;
    const { top, right, left } = MARGINS[this.#kind];
    const side = this.#width - left - right;
    const group = select(this.#svg).select<SVGGElement>(".marks");
    group.selectAll("*").remove();
    const [originX, originY] = this.toPixels([0, 0]);
    for (const { at, name } of dots) {
      if (at.some((x) => Math.abs(x) > reach)) continue;
      const [x, y] = this.toPixels(at);
      group.append("circle").attr("class", "document-dot").attr("cx", x).attr("cy", y).attr("r", 5).append("title").text(name);
    }
    for (const { name, at } of vectors) {
      const [x, y] = this.toPixels(at);
      const radius = this.#kind === "axes" ? 6 : 3;
      const vector = group.append("g").attr("class", `vector vector-${name}`);
      vector.append("line").attr("x1", originX).attr("y1", originY).attr("x2", x).attr("y2", y);
      vector.append("circle").attr("cx", x).attr("cy", y).attr("r", radius);
      if (this.#kind === "axes") vector.append("text").attr("x", x + 10).attr("y", y - 8).text(name);
    }
    if (!Number.isFinite(map.origin)) {
      group.append("circle").attr("class", "no-value").attr("cx", originX).attr("cy", originY).attr("r", 4);
    }
    if (cross) {
      const [x, y] = this.toPixels(cross.at);
      const lines = group.append("g").attr("class", "cross");
      lines.append("path").attr("d", `M${left} ${y}H${left + side}M${x} ${top}V${top + side}`);
      const onRight = x > left + side / 2;
      const label = lines.append("text").attr("x", x + (onRight ? -8 : 8)).attr("y", y + (y < top + 30 ? 20 : -10));
      label.attr("text-anchor", onRight ? "end" : "start").text(cross.text);
    }
  }
}

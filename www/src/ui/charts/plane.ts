import { select, type Selection } from "d3-selection";
import { line } from "d3-shape";
import type { Point } from "smooth-clir/lab";
import { paint } from "../colours";
import { make } from "../dom";

/** The side of the drawing, in its own unit. */
const SIDE = 300;
/** The distance from the edge of an arrow that points out of the plane. */
const INSET = 16;

export interface PlaneDrawing {
  /** The gradient's length at each point, as a colour. */
  map: ImageData;
  /** The plane reaches from `-extent` to `extent`. */
  extent: number;
  document: Point;
  /** The start and where each step led. */
  path: readonly Point[];
  /** The text beside a path that has left the plane. */
  outside(norm: number): string;
  label(value: number): string;
}

/** Query vectors of two dimensions: the gradient's length as a colour, and a path. */
export class Plane {
  readonly element = make("div", "path-plane");
  readonly #canvas = make("canvas");
  readonly #svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  #painted: ImageData | undefined;

  constructor() {
    this.#svg.setAttribute("viewBox", `0 0 ${SIDE} ${SIDE}`);
    this.element.append(this.#canvas, this.#svg);
  }

  draw({ map, extent, document, path, outside, label }: PlaneDrawing): void {
    if (this.#painted !== map) {
      paint(this.#canvas, map);
      this.#painted = map;
    }
    const place = ([x1, x2]: Point): [number, number] => [
      (SIDE / 2) * (1 + x1 / extent),
      (SIDE / 2) * (1 - x2 / extent),
    ];
    const svg = select(this.#svg);
    svg.selectAll("*").remove();
    svg.append("path").attr("class", "plane-cross").attr("d", `M0 ${SIDE / 2}H${SIDE}M${SIDE / 2} 0V${SIDE}`);
    const text = (x: number, y: number, words: string, anchor = "start") =>
      svg.append("text").attr("x", x).attr("y", y).attr("text-anchor", anchor).text(words);
    text(SIDE - 6, SIDE / 2 + 18, `x₁ = ${label(extent)}`, "end");
    text(SIDE / 2 - 7, 17, `x₂ = ${label(extent)}`, "end");

    const [documentX, documentY] = place(document);
    svg.append("path").attr("class", "plane-document").attr("d", star(documentX, documentY));
    text(documentX - 12, documentY + 5, "d", "end");

    const places = path.map(place);
    const trace = line()(places) ?? "";
    for (const name of ["plane-path-ground", "plane-path"]) svg.append("path").attr("class", name).attr("d", trace);
    const [x, y] = places.at(-1)!;
    if (Math.max(Math.abs(x - SIDE / 2), Math.abs(y - SIDE / 2)) > SIDE / 2) {
      this.#pointOut(svg, path.at(-1)!, outside);
      return;
    }
    for (const [x, y] of places.slice(0, -1)) svg.append("circle").attr("class", "plane-stop").attr("cx", x).attr("cy", y).attr("r", 2.5);
    svg.append("circle").attr("class", "plane-here").attr("cx", x).attr("cy", y).attr("r", 6);
  }

  /** An arrow at the edge, towards a point outside. */
  #pointOut(svg: Selection<SVGSVGElement, unknown, null, undefined>, [x1, x2]: Point, outside: (norm: number) => string): void {
    const reach = (SIDE / 2 - INSET) / Math.max(Math.abs(x1), Math.abs(x2));
    const [x, y] = [SIDE / 2 + reach * x1, SIDE / 2 - reach * x2];
    const turn = (Math.atan2(-x2, x1) * 180) / Math.PI;
    svg.append("path").attr("class", "plane-arrow").attr("d", "M13 0L-7 9V-9Z").attr("transform", `translate(${x},${y}) rotate(${turn})`);
    // Beside an arrow that goes up or down, above or below one that goes aside: not on the path.
    const steep = Math.abs(x2) > Math.abs(x1);
    const up = x2 > 0 ? -1 : 1;
    const onRight = x > SIDE / 2 + 1;
    svg
      .append("text")
      .attr("class", "plane-outside")
      .attr("x", steep ? x + (onRight ? -16 : 16) : x + (onRight ? 10 : -10))
      .attr("y", steep ? y + 5 : Math.min(Math.max(y + 5 + 22 * up, 15), SIDE - 6))
      .attr("text-anchor", onRight ? "end" : "start")
      .text(outside(Math.hypot(x1, x2)));
  }
}

/** A cross that stands on its corners. */
function star(x: number, y: number): string {
  return `M${x - 7} ${y}L${x} ${y - 7}L${x + 7} ${y}L${x} ${y + 7}Z`;
}

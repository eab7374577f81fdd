import type { PaintedMap, Point, Quantity } from "smooth-clir/lab";
import { Figure } from "../../ui/charts/figure";
import { LIMIT, palette } from "../../ui/colours";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import type { Context } from "../view";
import { changed } from "../../ui/changed";
import { Handle } from "./handle";
import { Legend } from "./legend";
import { LOOKS, scaleOf } from "./looks";
import { Plane, type Marks } from "./plane";
import type { MapsState } from "../../state/maps";
import { text } from "./strings";
import { largestOf, shown, shownPoint, toPlane } from "./values";

// Odd, so that the origin is a point; 40 steps to a unit where the plane reaches to 2.
const SIZE = 161;
/** Arrows to a side, and points of the table: odd as well. */
const ARROWS = 11;
const SAMPLES = 9;

/** The map at the epsilon in use, with both vectors to be moved. */
export class MainMap {
  readonly #figure = new Figure("", "gradient-map");
  readonly element = this.#figure.element;
  readonly #context: Context;
  readonly #plane = new Plane("axes", () => this.#place());
  readonly #legend: Legend;
  readonly #scale = make("p", "maps-scale");
  readonly #handles: Record<"query" | "document", Handle>;
  readonly #changed = changed();
  #dots: Marks["dots"] = [];
  #hover: Point | undefined;

  constructor(context: Context) {
    this.#context = context;
    const { store, lab } = context;
    this.#legend = new Legend(lab);
    const move = (which: "query" | "document") => (to: Point) =>
      store.set({ maps: { ...store.state.maps, [which]: to } });
    this.#handles = {
      query: new Handle(this.#plane, text.vectors.q, move("query")),
      document: new Handle(this.#plane, text.vectors.d, move("document")),
    };
    this.#plane.element.append(this.#handles.document.element, this.#handles.query.element);
    const { plot } = this.#figure;
    this.#figure.element.append(this.#scale);
    // It holds more than a picture.
    plot.role = "group";
    plot.append(this.#plane.element);
    plot.after(this.#legend.element);
    const { canvas } = this.#plane;
    canvas.addEventListener("click", (event) => move("query")(this.#plane.at(event).map(toHundredths) as [number, number]));
    for (const type of ["pointermove", "pointerleave"] as const) {
      canvas.addEventListener(type, (event) => {
        this.#hover = type === "pointermove" && event.pointerType !== "touch" ? this.#plane.at(event) : undefined;
        this.#mark();
      });
    }
  }

  /** The documents that lie on it. */
  set dots(dots: Marks["dots"]) {
    this.#dots = dots;
    this.#mark();
  }

  update(): void {
    const { quantity, document, reach: reachName, layers } = this.#state;
    const epsilon = this.#context.epsilon();
    const reach = Number(reachName);
    if (this.#changed(quantity, document, reach, layers, epsilon, palette())) {
      const { lab } = this.#context;
      const look = LOOKS[quantity];
      const map = lab.paintMap(quantity, document, { size: SIZE, extent: reach, epsilon, scale: scaleOf(look) });
      const points = grid(ARROWS).map(([x1, x2]): Point => [x1 * reach, x2 * reach]);
      const arrows = layers.includes("arrows")
        ? points.map((at) => {
            const { gradient, length } = lab.reading(at, document, epsilon);
            return { at, gradient, length, share: lab.placeOnScale(length, LIMIT) };
          })
        : [];
      this.#plane.field = { map, reach, look, contours: layers.includes("contours"), arrows };
      this.#legend.look = look;
      this.#describe(quantity, document, epsilon, map, look.limit);
      this.#tabulate(quantity, map.values, reach, epsilon);
    }
    this.#place();
    this.#mark();
  }

  get #state(): MapsState {
    return this.#context.store.state.maps;
  }

  #valueAt(point: Point): string {
    const { quantity, document } = this.#state;
    const reading = this.#context.lab.reading(point, document, this.#context.epsilon());
    const [x1, x2] = reading.gradient;
    return shown({ ...reading, x1, x2 }[quantity]);
  }

  #place(): void {
    const { query, document, reach, quantity } = this.#state;
    const value = this.#valueAt(query);
    for (const [which, at] of [["query", query], ["document", document]] as const) {
      this.#handles[which].place(at, Number(reach), text.handleValue(shownPoint(at), quantity, value));
    }
  }

  #mark(): void {
    const { query, document } = this.#state;
    const at = this.#hover;
    this.#plane.marks = {
      vectors: [
        { name: "d", at: document },
        { name: "q", at: query },
      ],
      dots: this.#dots ?? [],
      cross: at && { at, text: text.valueAt(shownPoint(at), this.#valueAt(at)) },
    };
  }

  #describe(quantity: Quantity, document: Point, epsilon: number, map: PaintedMap, limit: number): void {
    const centre = shown(map.origin);
    const { value, at } = largestOf(map);
    const where = !Number.isFinite(map.origin)
      ? text.noCentre(centre, shown(value))
      : at.every((x) => x === 0)
        ? text.atCentreLargest(centre)
        : text.largestAt(centre, shown(value), shownPoint(at));
    const shownEpsilon = format.plain(epsilon);
    this.#figure.title = text.mapTitle(quantity, shownEpsilon);
    this.#figure.summary = text.mapSummary(quantity, shownPoint(document), shownEpsilon, where);
    this.#scale.textContent = `${text.scale(format.plain(limit), quantity)} ${text.symmetric}`;
  }

  #tabulate(quantity: Quantity, values: Float32Array, reach: number, epsilon: number): void {
    const places = Array.from({ length: SAMPLES }, (_, at) => (at * (SIZE - 1)) / (SAMPLES - 1));
    this.#figure.table = {
      caption: text.mapCaption(quantity, format.plain(epsilon)),
      columns: [text.corner, ...places.map((place) => toPlane(place, SIZE, reach))],
      rows: places.map((row) => [
        -toPlane(row, SIZE, reach) || 0,
        ...places.map((column) => values[row * SIZE + column]!),
      ]),
      format: (value, column) => (column === 0 ? format.plain(value) : shown(value)),
    };
  }
}

const toHundredths = (x: number) => Math.round(100 * x) / 100 || 0;

/** `count` points along a side of the square from -1 to 1, none on its edge; the middle one is the origin. */
function grid(size: number): Point[] {
  const middle = (size - 1) / 2;
  const at = (index: number) => (2 * (index - middle)) / size;
  return Array.from({ length: size * size }, (_, place) => [at(place % size), at(Math.floor(place / size))] as const);
}

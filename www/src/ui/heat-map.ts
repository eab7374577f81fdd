import type { Lab, PaintedMap } from "smooth-clir/lab";
import { LIMIT, onNewColours, paint, palette } from "./colours";
import { byId, make } from "./dom";
import { toFailure } from "./failure";
import * as format from "./format";
import { drawLegend } from "./legend";
import { strings } from "../i18n/strings";

// Odd, so that the origin is a point; 40 steps to a unit, so that whole numbers are points too.
const SIZE = 161;
const EXTENT = 2;
/** Shades on each side of 0. */
const STEPS = 127;
const LEGEND_TICKS = [-10, -1, -0.1, 0, 0.1, 1, 10];
const SAMPLES = [-2, -1, 0, 1, 2];

/** Figure 1 of the paper at any epsilon. Its colours come from the engine; here they get axes and words. */
export class HeatMapView {
  readonly #canvas = byId("map", HTMLCanvasElement);
  readonly #legend = { canvas: byId("legend", HTMLCanvasElement), ticks: byId("legend-ticks", HTMLDivElement) };
  readonly #largest = byId("map-largest", HTMLParagraphElement);
  readonly #reading = byId("map-reading", HTMLParagraphElement);
  readonly #epsilon: () => number;
  #lab: Lab | undefined;
  #map: PaintedMap | undefined;

  constructor(epsilon: () => number) {
    this.#epsilon = epsilon;
    this.#reading.textContent = strings.scale(format.plain(LIMIT));
    onNewColours(() => this.#draw());
    for (const type of ["pointermove", "pointerdown"] as const) {
      this.#canvas.addEventListener(type, (event) => this.#read(event));
    }
    this.#canvas.addEventListener("pointerleave", () => {
      this.#reading.textContent = strings.scale(format.plain(LIMIT));
    });
    // Most visits search: what the map needs is fetched when the map comes into sight.
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      void this.#load();
    });
    observer.observe(this.#canvas);
  }

  /** Fetches what makes the map. */
  async #load(): Promise<void> {
    try {
      const { Lab } = await import("smooth-clir/lab");
      this.#lab = await Lab.load();
      this.#draw();
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#largest.textContent = strings.mapFailed(message, code);
    }
  }

  /** Draws the map anew, for the epsilon of now. */
  update(): void {
    const lab = this.#lab;
    if (!lab) return;
    const epsilon = this.#epsilon();
    const map = lab.paintMap("x1", [1, 1], { size: SIZE, extent: EXTENT, epsilon, scale: scale() });
    this.#map = map;
    paint(this.#canvas, map.image);
    this.#describe(map, epsilon);
    this.#tabulate(map.values, epsilon);
  }

  /** Draws the map and its legend, in the colours of now. */
  #draw(): void {
    if (!this.#lab) return;
    drawLegend(this.#legend, this.#lab, scale(), LEGEND_TICKS);
    this.update();
  }

  #describe({ origin, largest }: PaintedMap, epsilon: number): void {
    const { value, at } = largest ?? { value: Number.NaN, at: [Number.NaN, Number.NaN] };
    const shown = format.measured(value);
    if (!Number.isFinite(origin)) this.#largest.textContent = strings.unbounded(shown);
    else if (at.every((x) => x === 0)) this.#largest.textContent = strings.largest(shown, format.plain(epsilon));
    else {
      const [x1 = "", x2 = ""] = at.map(format.measured);
      this.#largest.textContent = strings.largestElsewhere(shown, x1, x2, format.plain(epsilon));
    }
  }

  #tabulate(values: Float32Array, epsilon: number): void {
    byId("map-table-caption", HTMLTableCaptionElement).textContent = strings.tableCaption(format.plain(epsilon));
    const header = (text: string, scope: string) => {
      const cell = make("th", "", text);
      cell.scope = scope;
      return cell;
    };
    const head = make("tr");
    head.append(make("td", "", strings.tableCorner), ...SAMPLES.map((x1) => header(format.plain(x1), "col")));
    byId("map-table-head", HTMLTableSectionElement).replaceChildren(head);
    const rows = SAMPLES.toReversed().map((x2) => {
      const row = make("tr");
      const cells = SAMPLES.map((x1) => make("td", "", describe(values[toIndex(-x2) * SIZE + toIndex(x1)])));
      row.append(header(format.plain(x2), "row"), ...cells);
      return row;
    });
    byId("map-table-body", HTMLTableSectionElement).replaceChildren(...rows);
  }

  #read(event: PointerEvent): void {
    const { width, height } = this.#canvas.getBoundingClientRect();
    const clamp = (share: number) => Math.min(Math.max(Math.round(share * (SIZE - 1)), 0), SIZE - 1);
    const column = clamp(event.offsetX / width);
    const row = clamp(event.offsetY / height);
    const [x1, x2] = [toPlane(column), -toPlane(row)].map((value) => format.measured(value || 0));
    this.#reading.textContent = strings.reading(x1 ?? "", x2 ?? "", describe(this.#map?.values[row * SIZE + column]));
  }
}

const scale = () => ({ ...palette(), limit: LIMIT, steps: STEPS });
const toPlane = (index: number) => (index / (SIZE - 1)) * 2 * EXTENT - EXTENT;
const toIndex = (x: number) => Math.round(((x + EXTENT) / (2 * EXTENT)) * (SIZE - 1));

function describe(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? strings.undefinedValue : format.measured(value);
}

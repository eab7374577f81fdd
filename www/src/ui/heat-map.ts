import type { Lab } from "smooth-clir/lab";
import { cssColour, fill, LIMIT, ramp, toScale, type Colour } from "./colours";
import { byId, make } from "./dom";
import { toFailure } from "./failure";
import * as format from "./format";
import { strings } from "../i18n/strings";

// Odd, so that the origin is a point; 40 steps to a unit, so that whole numbers are points too.
const SIZE = 161;
const EXTENT = 2;
const CENTRE = (SIZE * SIZE - 1) / 2;
const SHADES = 255;
const LEGEND_TICKS = [-10, -1, -0.1, 0, 0.1, 1, 10];
const SAMPLES = [-2, -1, 0, 1, 2];

/** Figure 1 of the paper at any epsilon. Its numbers come from the engine; here they become colours and words. */
export class HeatMapView {
  readonly #canvas = byId("map", HTMLCanvasElement);
  readonly #legend = byId("legend", HTMLCanvasElement);
  readonly #largest = byId("map-largest", HTMLParagraphElement);
  readonly #reading = byId("map-reading", HTMLParagraphElement);
  readonly #epsilon: () => number;
  #lab: Lab | undefined;
  #values: Float32Array | undefined;
  #shades: Colour[] = [];

  constructor(epsilon: () => number) {
    this.#epsilon = epsilon;
    this.#canvas.width = SIZE;
    this.#canvas.height = SIZE;
    this.#legend.width = SHADES;
    const ticks = LEGEND_TICKS.map((value) => {
      const tick = make("span", "", format.plain(value));
      tick.style.setProperty("--at", String((toScale(value) + 1) / 2));
      return tick;
    });
    byId("legend-ticks", HTMLDivElement).replaceChildren(...ticks);
    this.#reading.textContent = strings.scale(format.plain(LIMIT));
    this.#takeColours();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.#takeColours();
      this.#paint();
    });
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

  /** Fetches what makes the numbers. */
  async #load(): Promise<void> {
    try {
      const { Lab } = await import("smooth-clir/lab");
      this.#lab = await Lab.load();
      this.update();
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#largest.textContent = strings.mapFailed(message, code);
    }
  }

  /** Draws the map anew, for the epsilon of now. */
  update(): void {
    const epsilon = this.#epsilon();
    const values = this.#lab?.planeMap("x1", [1, 1], SIZE, EXTENT, epsilon);
    if (!values) return;
    this.#values = values;
    this.#paint();
    this.#describe(values, epsilon);
    this.#tabulate(values, epsilon);
  }

  #takeColours(): void {
    this.#shades = ramp(cssColour("--map-low"), cssColour("--map-middle"), cssColour("--map-high"), SHADES);
    fill(this.#legend, SHADES, 1, (place) => this.#shades[place]);
  }

  #paint(): void {
    const values = this.#values;
    if (!values) return;
    const half = (SHADES - 1) / 2;
    fill(this.#canvas, SIZE, SIZE, (place) => {
      const value = values[place] ?? Number.NaN;
      return Number.isNaN(value) ? undefined : this.#shades[Math.round(half + half * toScale(value))];
    });
  }

  #describe(values: Float32Array, epsilon: number): void {
    let place = Number.isNaN(values[CENTRE]) ? -1 : CENTRE;
    let largest = values[CENTRE] ?? Number.NaN;
    values.forEach((value, at) => {
      if (value > largest || (Number.isNaN(largest) && !Number.isNaN(value))) {
        largest = value;
        place = at;
      }
    });
    const shown = format.measured(largest);
    if (Number.isNaN(values[CENTRE])) this.#largest.textContent = strings.unbounded(shown);
    else if (place === CENTRE) this.#largest.textContent = strings.largest(shown, format.plain(epsilon));
    else {
      const x1 = format.measured(toPlane(place % SIZE));
      const x2 = format.measured(-toPlane(Math.floor(place / SIZE)));
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
    this.#reading.textContent = strings.reading(x1 ?? "", x2 ?? "", describe(this.#values?.[row * SIZE + column]));
  }
}

const toPlane = (index: number) => (index / (SIZE - 1)) * 2 * EXTENT - EXTENT;
const toIndex = (x: number) => Math.round(((x + EXTENT) / (2 * EXTENT)) * (SIZE - 1));

function describe(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? strings.undefinedValue : format.measured(value);
}

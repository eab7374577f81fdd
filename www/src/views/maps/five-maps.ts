import type { Extreme, Lab } from "smooth-clir/lab";
import { Figure } from "../../ui/charts/figure";
import { palette } from "../../ui/colours";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import type { Context } from "../view";
import { changed } from "../../ui/changed";
import { LOOKS, scaleOf } from "./looks";
import { Plane } from "./plane";
import type { MapsState } from "../../state/maps";
import { text } from "./strings";
import { largestOf, shown } from "./values";

/** Odd, so that the origin is a point. */
const SIZE = 81;
/** Cosine, and those of Figure 1. */
const FIXED = [0, 0.05, 0.2, 0.5];

type Kind = Parameters<typeof text.small.name>[1];

/** Cosine, Figure 1's three and the slider's epsilon, on one colour scale. */
export class FiveMaps {
  readonly #figure = new Figure(text.small.title, "gradient-maps");
  readonly element = this.#figure.element;
  readonly #context: Context;
  readonly #maps = Array.from({ length: FIXED.length + 1 }, () => new SmallMap());

  constructor(context: Context) {
    this.#context = context;
    const box = make("div", "maps-smalls");
    box.append(...this.#maps.map((map) => map.plane.element));
    this.#figure.plot.append(box);
  }

  update(): void {
    const { lab, store } = this.#context;
    const { quantity, document } = store.state.maps;
    const epsilons = [...FIXED, this.#context.epsilon()];
    const drawn = this.#maps.map((map, at) => {
      const kind = at === 0 ? "cosine" : at < FIXED.length ? "figure" : "slider";
      return map.update(lab, store.state.maps, epsilons[at]!, kind);
    });
    if (!drawn.includes(true)) return;
    const found = this.#maps.map(({ centre, largest }, at) => ({ epsilon: epsilons[at]!, centre, largest }));
    const centres = found.map(({ epsilon, centre }) => text.small.each(shown(centre), format.plain(epsilon)));
    const figure1 = quantity === "x1" && document.every((x) => x === 1);
    this.#figure.summary = text.small.summary(quantity, format.list(centres), figure1);
    this.#figure.table = {
      caption: text.small.caption(quantity),
      columns: text.small.columns,
      rows: found.map(({ epsilon, centre, largest }) => [epsilon, centre, largest.value, ...largest.at]),
      format: (value, column) => (column === 0 ? format.plain(value) : shown(value)),
    };
  }
}

class SmallMap {
  readonly plane = new Plane("small");
  readonly #changed = changed();
  centre = 0;
  largest: Extreme = { value: 0, at: [0, 0] };

  /** Whether there was anything to draw. */
  update(lab: Lab, { quantity, document, reach: reachName, layers }: MapsState, epsilon: number, kind: Kind): boolean {
    if (!this.#changed(quantity, document, reachName, layers, epsilon, palette())) return false;
    const reach = Number(reachName);
    const look = LOOKS[quantity];
    const map = lab.paintMap(quantity, document, { size: SIZE, extent: reach, epsilon, scale: scaleOf(look) });
    this.centre = map.origin;
    this.largest = largestOf(map);
    const caption = [text.small.name(format.plain(epsilon), kind), text.small.centre(shown(this.centre))];
    this.plane.field = { map, reach, look, contours: layers.includes("contours"), caption };
    this.plane.marks = { vectors: [{ name: "d", at: document }] };
    return true;
  }
}

import type { Lab } from "smooth-clir/lab";
import { Figure } from "../../ui/charts/figure";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import type { Context } from "../view";
import { changed } from "../../ui/changed";
import { LOOKS } from "./looks";
import { Plane } from "./plane";
import type { MapsState } from "../../state/maps";
import { text } from "./strings";
import { extremes, shown, type Extremes } from "./values";

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
    const found = this.#maps.map((map, at) => ({ epsilon: epsilons[at]!, ...map.extremes }));
    const centres = found.map(({ epsilon, centre }) => text.small.each(shown(centre), format.plain(epsilon)));
    const figure1 = quantity === "x1" && document.every((x) => x === 1);
    this.#figure.summary = text.small.summary(quantity, new Intl.ListFormat(text.locale).format(centres), figure1);
    this.#figure.table = {
      caption: text.small.caption(quantity),
      columns: text.small.columns,
      rows: found.map(({ epsilon, centre, largest, at }) => [epsilon, centre, largest, ...at]),
      format: (value, column) => (column === 0 ? format.plain(value) : shown(value)),
    };
  }

  /** Takes the colours of now. */
  paint(): void {
    for (const { plane } of this.#maps) plane.paint();
  }
}

class SmallMap {
  readonly plane = new Plane("small");
  readonly #changed = changed();
  extremes: Extremes = { centre: 0, largest: 0, at: [0, 0], central: true };

  /** Whether there was anything to draw. */
  update(lab: Lab, { quantity, document, reach: reachName, layers }: MapsState, epsilon: number, kind: Kind): boolean {
    if (!this.#changed(quantity, document, reachName, layers, epsilon)) return false;
    const reach = Number(reachName);
    const values = lab.planeMap(quantity, document, SIZE, reach, epsilon);
    this.extremes = extremes(values, SIZE, reach);
    const caption = [text.small.name(format.plain(epsilon), kind), text.small.centre(shown(this.extremes.centre))];
    const contours = layers.includes("contours");
    this.plane.field = { values, size: SIZE, reach, look: LOOKS[quantity], contours, caption };
    this.plane.marks = { vectors: [{ name: "d", at: document }] };
    return true;
  }
}

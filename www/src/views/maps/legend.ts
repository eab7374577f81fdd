import { fill, toScale } from "../../ui/colours";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import type { Look } from "./looks";
import { shades } from "./shades";

/** The colour scale of a map. */
export class Legend {
  readonly element = make("div", "legend maps-legend");
  readonly #canvas = make("canvas");
  readonly #ticks = make("div", "legend-ticks");
  #look: Look | undefined;

  constructor() {
    this.element.ariaHidden = "true";
    this.element.append(this.#canvas, this.#ticks);
    this.paint();
  }

  set look(look: Look) {
    if (look === this.#look) return;
    this.#look = look;
    const ticks = look.ticks.map((value) => {
      const tick = make("span", "", format.plain(value));
      tick.style.setProperty("--at", String((toScale(value, look.limit) + 1) / 2));
      return tick;
    });
    this.#ticks.replaceChildren(...ticks);
  }

  paint(): void {
    const colours = shades();
    this.#canvas.width = colours.length;
    this.#canvas.height = 1;
    fill(this.#canvas, colours.length, 1, (place) => colours[place]);
  }
}

import { cssColour, fill, ramp, toScale } from "../../colours";
import { make } from "../../dom";
import * as format from "../../format";
import type { Look } from "./looks";

const SHADES = 255;

/** The colour scale of a map. */
export class Legend {
  readonly element = make("div", "legend maps-legend");
  readonly #canvas = make("canvas");
  readonly #ticks = make("div", "legend-ticks");
  #look: Look | undefined;

  constructor() {
    this.element.ariaHidden = "true";
    this.#canvas.width = SHADES;
    this.#canvas.height = 1;
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
    const shades = ramp(cssColour("--map-low"), cssColour("--map-middle"), cssColour("--map-high"), SHADES);
    fill(this.#canvas, SHADES, 1, (place) => shades[place]);
  }
}

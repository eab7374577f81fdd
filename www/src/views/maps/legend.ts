import type { Lab } from "smooth-clir/lab";
import { changed } from "../../ui/changed";
import { palette } from "../../ui/colours";
import { make } from "../../ui/dom";
import { drawLegend } from "../../ui/legend";
import { scaleOf, type Look } from "./looks";

/** The colour scale of a map. */
export class Legend {
  readonly element = make("div", "legend maps-legend");
  readonly #lab: Lab;
  readonly #canvas = make("canvas");
  readonly #ticks = make("div", "legend-ticks");
  readonly #changed = changed();

  constructor(lab: Lab) {
    this.#lab = lab;
    this.element.ariaHidden = "true";
    this.element.append(this.#canvas, this.#ticks);
  }

  set look(look: Look) {
    if (!this.#changed(look, palette())) return;
    drawLegend({ canvas: this.#canvas, ticks: this.#ticks }, this.#lab, scaleOf(look), look.ticks);
  }
}

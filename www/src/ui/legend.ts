import type { ColourScale, Lab } from "smooth-clir/lab";
import { make } from "./dom";
import * as format from "./format";

/** The elements of a legend. */
export interface LegendElements {
  /** For the scale's colours. */
  canvas: HTMLCanvasElement;
  /** For the values below them. */
  ticks: HTMLElement;
}

/** Draws a colour scale and some of its values, of the whole scale or of its half above 0. */
export function drawLegend(
  { canvas, ticks }: LegendElements,
  lab: Lab,
  scale: ColourScale,
  values: readonly number[],
  part: "whole" | "above-zero" = "whole",
): void {
  const image = lab.paintScale(scale);
  const first = part === "whole" ? 0 : scale.steps;
  canvas.width = image.width - first;
  canvas.height = 1;
  canvas.getContext("2d")?.putImageData(image, -first, 0);
  ticks.replaceChildren(
    ...values.map((value) => {
      const place = lab.placeOnScale(value, scale.limit);
      const tick = make("span", "", format.plain(value));
      tick.style.setProperty("--at", String(part === "whole" ? (place + 1) / 2 : place));
      return tick;
    }),
  );
}

import { cssColour, ramp, type Colour } from "../../ui/colours";

const SIZE = 255;
let taken: Colour[] | undefined;

/** The colours of the scale. Reading them from the style sheet takes longer than drawing a map. */
export const shades = (): readonly Colour[] =>
  (taken ??= ramp(cssColour("--map-low"), cssColour("--map-middle"), cssColour("--map-high"), SIZE));

/** Reads them anew when they are next asked for. */
export function forgetShades(): void {
  taken = undefined;
}

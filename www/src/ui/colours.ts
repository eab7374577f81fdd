/** A colour of the map: red, green, blue, 0 to 255. */
export type Colour = [number, number, number];

/** The colour scale of the map: symmetric about 0, logarithmic beyond `LINEAR`, the same for every epsilon. */
export const LIMIT = 10;
const LINEAR = 0.01;

/** The place of a value on the scale, from -1 to 1. */
export function toScale(value: number, limit = LIMIT): number {
  const place = Math.log1p(Math.abs(value) / LINEAR) / Math.log1p(limit / LINEAR);
  return Math.sign(value) * Math.min(place, 1);
}

/** The colours from -1 to 1: `size` of them, an odd number, with `middle` in the middle. */
export function ramp(low: Colour, middle: Colour, high: Colour, size: number): Colour[] {
  const half = (size - 1) / 2;
  return Array.from({ length: size }, (_, place) => {
    const end = place < half ? low : high;
    const share = Math.abs(place - half) / half;
    return middle.map((channel, at) => Math.round(channel + ((end[at] ?? 0) - channel) * share)) as Colour;
  });
}

/** Reads a custom property of the style sheet, `#rrggbb`. */
export function cssColour(name: string): Colour {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const digits = /^#([0-9a-f]{6})$/i.exec(text)?.[1] ?? "808080";
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as Colour;
}

/** Paints a canvas point by point; what has no colour stays clear. */
export function fill(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  at: (place: number) => Colour | undefined,
): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const image = context.createImageData(width, height);
  for (let place = 0; place < width * height; place++) {
    const colour = at(place);
    if (!colour) continue;
    const [red, green, blue] = colour;
    image.data[4 * place] = red;
    image.data[4 * place + 1] = green;
    image.data[4 * place + 2] = blue;
    image.data[4 * place + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}

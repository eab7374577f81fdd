import type { Colour, ColourScale } from "smooth-clir/lab";

/** The end of the colour scale of slopes, the same for every epsilon. */
export const LIMIT = 10;

type Palette = Pick<ColourScale, "low" | "middle" | "high">;

let taken: Palette | undefined;

/** The style sheet's colours of maps, one object until they change. Reading them takes longer than drawing a map. */
export const palette = (): Palette =>
  (taken ??= { low: cssColour("--map-low"), middle: cssColour("--map-middle"), high: cssColour("--map-high") });

/** Calls `tell` when the style sheet's colours have changed. */
export function onNewColours(tell: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    taken = undefined;
    tell();
  });
}

/** Makes a canvas show an image, pixel for pixel. */
export function paint(canvas: HTMLCanvasElement, image: ImageData): void {
  if (canvas.width !== image.width) canvas.width = image.width;
  if (canvas.height !== image.height) canvas.height = image.height;
  canvas.getContext("2d")?.putImageData(image, 0, 0);
}

/** Reads a custom property of the style sheet, `#rrggbb`. */
function cssColour(name: string): Colour {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const digits = /^#([0-9a-f]{6})$/i.exec(text)?.[1] ?? "808080";
  const channel = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16);
  return [channel(0), channel(2), channel(4)];
}

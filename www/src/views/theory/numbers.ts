import * as format from "../../ui/format";

const PLAIN = { least: 1e-4, most: 1e7 };

/** A number of any size: plainly, or as a multiple of a power of ten. */
export function large(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return "∞";
  if (size === 0 || (size >= PLAIN.least && size < PLAIN.most)) return format.plain(value);
  const power = Math.floor(Math.log10(size));
  return `${format.plain(value / 10 ** power)} × ${format.power(10 ** power)}`;
}

/** The powers of ten from at or below one number to at or above another, at most so many apart that they are readable. */
export function powers(least: number, most: number, ticks = 7): number[] {
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  const apart = Math.max(Math.ceil((to - from) / ticks), 1);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
    .filter((power) => power % apart === 0)
    .map((power) => 10 ** power);
}

/** The powers of ten at or below one number and at or above another. */
export const wholePowers = (least: number, most: number): [number, number] => [
  10 ** Math.floor(Math.log10(least)),
  10 ** Math.ceil(Math.log10(most)),
];

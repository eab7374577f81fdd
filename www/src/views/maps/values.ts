import type { Point } from "smooth-clir/lab";
import * as format from "../../ui/format";
import { text } from "./strings";

/** A value of a map as text. */
export function shown(value: number): string {
  if (Number.isNaN(value)) return text.undefinedValue;
  if (!Number.isFinite(value)) return text.unbounded;
  return Math.abs(value) >= 1000 ? format.plain(value) : format.measured(value);
}

export const shownPoint = ([x1, x2]: Point): string =>
  Number.isNaN(x1) ? text.undefinedValue : text.point(shown(x1), shown(x2));

/** A square map of values, in numbers. */
export interface Extremes {
  centre: number;
  largest: number;
  /** The place of the largest. */
  at: Point;
  /** Whether that is the centre. */
  central: boolean;
}

/** The value at the centre of a map and the largest finite one of it. */
export function extremes(values: Float32Array, size: number, reach: number): Extremes {
  const middle = (values.length - 1) / 2;
  const centre = values[middle] ?? Number.NaN;
  let place = Number.isFinite(centre) ? middle : -1;
  let largest = place < 0 ? Number.NEGATIVE_INFINITY : centre;
  values.forEach((value, at) => {
    if (Number.isFinite(value) && value > largest) [largest, place] = [value, at];
  });
  const at = [toPlane(place % size, size, reach), -toPlane(Math.floor(place / size), size, reach) || 0] as const;
  return { centre, largest, at, central: place === middle };
}

/** The coordinate of a column of a map. */
export const toPlane = (index: number, size: number, reach: number): number => ((2 * index) / (size - 1) - 1) * reach;

import type { Extreme, PaintedMap, Point } from "smooth-clir/lab";
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

/** The largest finite value of a map, undefined in numbers where there is none. */
export const largestOf = ({ largest }: PaintedMap): Extreme =>
  largest ?? { value: Number.NaN, at: [Number.NaN, Number.NaN] };

/** The coordinate of a column of a map. */
export const toPlane = (index: number, size: number, reach: number): number => ((2 * index) / (size - 1) - 1) * reach;

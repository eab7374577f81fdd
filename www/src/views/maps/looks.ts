import type { ColourScale, Quantity } from "smooth-clir/lab";
import { LIMIT, palette } from "../../ui/colours";

/** Shades on each side of 0. */
const STEPS = 127;

/** The scale and contours of a quantity, the same at every epsilon. */
export interface Look {
  /** The value of the colour scale's end. */
  limit: number;
  /** The values that have a contour. */
  levels: readonly number[];
  /** The values below the colour scale. */
  ticks: readonly number[];
}

const mirrored = (values: readonly number[]) => [...values.map((value) => -value), 0, ...values].sort((a, b) => a - b);

const slope: Look = {
  limit: LIMIT,
  levels: mirrored([0.03, 0.1, 0.3, 1, 3, 10]),
  ticks: mirrored([0.1, 1, 10]),
};

export const LOOKS: Record<Quantity, Look> = {
  x1: slope,
  x2: slope,
  length: slope,
  radial: slope,
  score: { limit: 1, levels: mirrored([0.1, 0.25, 0.5, 0.75, 0.9]), ticks: mirrored([0.1, 1]) },
  curvature: { limit: 1000, levels: [0.1, 0.3, 1, 3, 10, 30, 100, 300], ticks: mirrored([0.1, 10, 1000]) },
};

/** The colour scale of a look, in the colours of now. */
export const scaleOf = ({ limit }: Look): ColourScale => ({ ...palette(), limit, steps: STEPS });

import type { Point, Quantity } from "smooth-clir/lab";
import { choice, choices, codec, numbers, type Field } from "./codec";

/** In the order of their buttons. The part that computes them is fetched later, and not for this list. */
export const QUANTITIES = ["x1", "x2", "length", "radial", "score", "curvature"] as const satisfies readonly Quantity[];
/** The reach of the plane on each side of the origin. */
export const REACHES = ["2", "4", "8"] as const;
export const LAYERS = ["contours", "arrows", "documents"] as const;
export type Layer = (typeof LAYERS)[number];

/** The settings of this view. */
export interface MapsState {
  quantity: Quantity;
  query: Point;
  document: Point;
  reach: (typeof REACHES)[number];
  layers: readonly Layer[];
}

const MOST = Number(REACHES.at(-1));
const point = (name: string, usual: Point) => numbers(name, usual, -MOST, MOST) as Field<Point>;

export const maps = codec<MapsState>({
  quantity: choice("mx", "x1", QUANTITIES),
  query: point("mq", [-0.5, 1]),
  // Figure 1's.
  document: point("md", [1, 1]),
  reach: choice("mr", "2", REACHES),
  layers: choices("ml", ["contours", "arrows"], LAYERS),
});

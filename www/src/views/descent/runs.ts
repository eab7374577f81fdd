import type { Descent, Lab, Point, Step } from "smooth-clir/lab";
import { STEPS, type DescentState } from "../../state/descent";

/** The document that every run moves towards. */
export const DOCUMENT: Point = [0, 1];

/** The four variants of gradient descent. */
export const RUNS = ["cosine", "clipped", "smooth", "adam"] as const;
export type RunName = (typeof RUNS)[number];

const WAYS: Record<RunName, Descent["way"]> = { cosine: "plain", clipped: "clipped", smooth: "plain", adam: "adam" };

/** A run after some steps. */
export interface Place {
  point: Point;
  /** The vector's length. */
  norm: number;
  /** Its score, at the epsilon of the run. */
  score: number;
  /** Its cosine with the document: the score where only the angle counts. */
  cosine: number;
  /** The gradient's length there. */
  gradient: number;
}

export interface Run {
  name: RunName;
  epsilon: number;
  steps: Step[];
  /** One more than there are steps: the first is the start. */
  places: Place[];
}

/** All four, from the same start. Only `smooth` takes epsilon; the others are at 0. */
export function runAll(lab: Lab, { rate, norm, angle, clip }: DescentState, epsilon: number): Run[] {
  const start = at(norm, angle);
  return RUNS.map((name) => {
    const own = name === "smooth" ? epsilon : 0;
    const steps = lab.descend({ way: WAYS[name], clip, start, document: DOCUMENT, epsilon: own, rate, steps: STEPS });
    const places = [start, ...steps.map(({ point }) => point)].map((point) => {
      const { score, length } = lab.reading(point, DOCUMENT, own);
      const cosine = lab.reading(point, DOCUMENT, 0).score;
      return { point, norm: Math.hypot(...point), score, cosine, gradient: length };
    });
    return { name, epsilon: own, steps, places };
  });
}

/** The point of a length whose angle with the document is so many degrees, on its right. */
function at(norm: number, angle: number): Point {
  const turn = (angle * Math.PI) / 180;
  // At right angles exactly, not but for the last digit of pi.
  const exact = (x: number) => Math.round(x * 1e12) / 1e12;
  return [norm * exact(Math.sin(turn)), norm * exact(Math.cos(turn))];
}

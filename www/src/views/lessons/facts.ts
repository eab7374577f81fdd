import type { Lab, Point } from "smooth-clir/lab";
import * as format from "../../ui/format";
import { descent } from "../../state/descent";
import type { LessonName } from "../../state/lessons";
import { fromHash } from "../../state/state";
import { STEPS } from "./steps";

/** The document of Figure 1, and the one of the descents. */
const DOCUMENT: Point = [1, 1];
const DESCENT_DOCUMENT: Point = [0, 1];
const ORIGIN: Point = [0, 0];
/** Two documents of a question: their dot products with a query, and their norms. */
const TWO = { dots: [2, 2.5], norms: [1, 2] } as const;
/** A document of a question that points where the query does: both vectors have this length. */
const TWIN_NORM = 1;
const TWIN_EPSILON = 1;

/** The numbers that lessons speak of and ask for, as the lab computes them. */
export class Facts {
  readonly #lab: Lab;

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  /** The score of a document whose cosine is 1. */
  get twin() {
    const [score = 0] = this.#lab.scores(TWIN_NORM ** 2, TWIN_NORM, TWIN_NORM, [TWIN_EPSILON]);
    return { norm: TWIN_NORM, epsilon: TWIN_EPSILON, score };
  }

  /** Two documents, and the epsilon at which they have the same score. */
  get two() {
    const [swap] = this.#lab.swapPoints(TWO.dots, TWO.norms);
    return { ...TWO, epsilon: swap!.epsilon };
  }

  /** The greatest slope of Figure 1's map at the epsilon of a step, and the bounds of the gradient there. */
  slope(step: number) {
    const epsilon = fromHash(STEPS.slope[step]!)?.epsilon ?? 0;
    return { epsilon, steepest: this.#lab.reading(ORIGIN, DOCUMENT, epsilon).gradient[0], ...this.#lab.bounds(DOCUMENT, epsilon) };
  }

  /** The descents from near zero: plain cosine's first step, smooth cosine's first three, and what bounds these. */
  get descent() {
    const { rate, norm } = descent.usual;
    const epsilon = fromHash(STEPS.explosion[0]!)?.epsilon ?? 0;
    const start: Point = [norm, 0];
    const steps = (epsilon: number, count: number) =>
      this.#lab.descend({ way: "plain", start, document: DESCENT_DOCUMENT, epsilon, rate, steps: count });
    const [jump, after] = steps(0, 2);
    const smooth = steps(epsilon, 3).map(({ length }) => length);
    return { rate, norm, epsilon, jump: jump!, after: after!, smooth, bound: rate / epsilon };
  }
}

/** A question that is checked. */
export type Quiz =
  /** `right`: the place of the right one among the options. */
  | { kind: "choice"; right: number }
  /** `tolerance`: the largest relative error that is still right. */
  | { kind: "number"; expected: number; tolerance: number };

const choice = (right: number): Quiz => ({ kind: "choice", right });
const number = (expected: number, tolerance = 0.02): Quiz => ({ kind: "number", expected, tolerance });

/** The quiz of each step. */
export function quizzes(facts: Facts): Record<LessonName, readonly Quiz[]> {
  const { twin, two, descent } = facts;
  return {
    angle: [choice(2), choice(0), number(twin.score)],
    swap: [number(two.epsilon), choice(0)],
    slope: [choice(0), number(facts.slope(1).exact), choice(1)],
    explosion: [number(descent.jump.length, 0.05), number(descent.bound), choice(1)],
    losses: [choice(1), choice(1), choice(2)],
  };
}

/** A number as a person typed it; undefined where it is none. */
export function toNumber(typed: string): number | undefined {
  const text = typed.trim().replace(/[\s\u00a0\u202f]/g, "").replace("−", "-");
  // 1,000 has a comma between thousands, 0,25 one before decimals.
  const plain = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(text) && format.typed(0.5).includes(".") ? text.replaceAll(",", "") : text.replace(",", ".");
  const value = plain === "" ? Number.NaN : Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

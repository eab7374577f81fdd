import * as raw from "./lab/smooth_clir.js";
import { Module } from "./loading/module.js";

/** A vector of two dimensions. */
export type Point = readonly [number, number];

/** The quantities of a map of the plane, in the core's order. */
export const QUANTITIES = ["score", "x1", "x2", "length", "radial", "curvature"] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** Red, green and blue, each an integer from 0 to 255. */
export type Colour = readonly [number, number, number];

/** The colours of values, on a scale that is symmetric about 0 and logarithmic on both sides of it. */
export interface ColourScale {
  /** The colour of `-limit`, and of values below it. */
  low: Colour;
  /** The colour of 0. */
  middle: Colour;
  /** The colour of `limit`, and of values above it. */
  high: Colour;
  limit: number;
  /** The number of shades on each side of the middle one. */
  steps: number;
}

/** A finite value of a map, and the query vector that has it. */
export interface Extreme {
  value: number;
  at: [number, number];
}

/** A map of the plane in colours. */
export interface PaintedMap {
  /** A pixel for each value, clear where it is undefined. */
  image: ImageData;
  /** As `planeMap` gives them. */
  values: Float32Array;
  /** The value at the zero vector: NaN where it is undefined, infinite where it is unbounded. */
  origin: number;
  /** The smallest finite value; undefined if there is none. Of equal values the zero vector's, else the first. */
  smallest: Extreme | undefined;
  /** The largest finite value, likewise. */
  largest: Extreme | undefined;
}

/** The score of a query vector and its derivatives; NaN where there is no gradient: at the origin for epsilon 0. */
export interface Reading {
  score: number;
  /** The gradient of the score with respect to the query. */
  gradient: [number, number];
  /** The gradient's norm. */
  length: number;
  /** The gradient's component away from the origin. */
  radial: number;
  /** The spectral norm of the Hessian; at the origin its largest limit. */
  curvature: number;
}

/** Upper bounds of the gradient's norm. */
export interface GradientBounds {
  /** As paper 1 prints it: 2/eps. */
  printed: number;
  /** Over all documents: 1/eps. */
  tight: number;
  /** For this document, reached at the origin: |d| / ((|d|+eps) eps). */
  exact: number;
}

/** The epsilon at which two documents of a ranking swap, by their places: below it `first` is ahead. */
export interface SwapPoint {
  epsilon: number;
  first: number;
  second: number;
}

/** A range of epsilon in which a document is among the first ones. */
export interface Lifetime {
  /** The document's place in the list. */
  document: number;
  /** The lower end: 0 or a swap point. */
  from: number;
  /** The upper end: a swap point, or the end of the range asked for. */
  to: number;
}

/** How far the query vector may move before the rank of a document can change. */
export interface Certified {
  /** The document's place in the list. */
  document: number;
  /** It keeps its rank while the query vector moves by less than this, in any direction; infinite without another document. */
  radius: number;
  /** The same distance by the Lipschitz constant of the score alone, which is smaller. */
  lipschitz: number;
  /** The place of the document that `radius` keeps it apart from. */
  rival: number | undefined;
}

/** A loss of the average encoder, and plain SGD with steps of `stepConstant / t`, one pair each. */
export interface Theory {
  loss: LossName;
  thresholds: readonly number[];
  /** Of proportional odds; 1 by default. */
  scale?: number;
  epsilon: number;
  /** c of the step sizes c/t. */
  stepConstant: number;
  /** n, the number of pairs. */
  pairs: number;
  /** T, the number of steps. */
  steps: number;
  /** The probability that the bound may fail. */
  delta: number;
}

/** What paper 1's theory says: its constants in the weights, and the bounds of Theorem 3. */
export interface TheoryBound {
  /** M, the largest value of the loss. */
  largest: number;
  /** L: the loss is Lipschitz in all weights with this constant; infinite at epsilon 0. */
  lipschitz: number;
  /** gamma: its gradient is Lipschitz with this constant. */
  smoothness: number;
  /** How much the loss of any pair can change, on average over the order, if one pair is replaced. */
  stability: number;
  /** How far the mean loss of all pairs can exceed that of the training pairs. */
  gap: number;
  /** The number of pairs from which on `gap` is below `largest`; undefined where that takes more than 1e30. */
  leastPairs: number | undefined;
}

/** A step of a descent. */
export interface Step {
  /** The point after the step. */
  point: [number, number];
  /** The step's length. */
  length: number;
  /** The gradient's norm before it. */
  gradient: number;
  /** The score after it. */
  score: number;
}

/** Gradient descent of one query vector towards a document. */
export interface Descent {
  way: "plain" | "clipped" | "adam";
  /** The largest gradient norm, if `way` is "clipped": longer gradients are scaled down to it. */
  clip?: number;
  start: Point;
  document: Point;
  epsilon: number;
  rate: number;
  steps: number;
}

export type LossName = "sosl" | "three-part" | "mse" | "proportional-odds-paper" | "proportional-odds";

/** The metrics of paper 1, by name, in its order. */
export type Metrics = Record<string, number>;

/**
 * Judged documents of some queries, ranked by their scores at any epsilon. It holds memory of the module until `free` is
 * called.
 */
export class Judged {
  readonly #judged = new raw.Judged();

  /** Adds a query, with the dot product, norm and grade of each of its documents. Ties keep their order. */
  add(queryNorm: number, dots: Float32Array, norms: Float32Array, grades: Uint8Array): void {
    this.#judged.add(queryNorm, dots, norms, grades);
  }

  /** The scores of all documents, query by query. */
  scores(epsilon: number): Float32Array {
    return this.#judged.scores(epsilon);
  }

  /** The grades of all documents, query by query. */
  grades(): Uint8Array {
    return this.#judged.grades();
  }

  /** The means of the metrics over the queries that have a relevant document. */
  mean(epsilon: number): Metrics {
    return this.#judged.mean(epsilon);
  }

  /** The metrics of each query; undefined for a query without a relevant document. */
  each(epsilon: number): (Metrics | undefined)[] {
    return this.#judged.each(epsilon);
  }

  /** The confusion matrix: documents by their grade (rows) and by the grade that the thresholds predict (columns). */
  confusion(epsilon: number, thresholds: readonly number[]): number[][] {
    return this.#judged.confusion(epsilon, Float32Array.from(thresholds));
  }

  free(): void {
    this.#judged.free();
  }
}

/**
 * The mathematics of smooth cosine similarity as the engine computes it, for figures. Calls are synchronous. After a trap,
 * such as a lack of memory, they throw with the code `wasm-failed` until another `load` resolves, and {@link Judged} is lost.
 */
export class Lab {
  private constructor() {}

  /** Loads the module, once. */
  static async load(): Promise<Lab> {
    (await labModule.start()).listeners.add(restart);
    return (lab ??= new Lab());
  }

  /**
   * A quantity over the query vectors of the square from `-extent` to `extent`: `size * size` values, row by row from the
   * greatest x2 down, each row from the least x1 up. NaN where it is undefined.
   */
  planeMap(quantity: Quantity, document: Point, size: number, extent: number, epsilon: number): Float32Array {
    return raw.planeMap({ quantity, document, size, extent, epsilon });
  }

  /**
   * A map as `planeMap` computes it, with a colour for each value and its extremes. A page and a worker of a browser have
   * `ImageData`.
   *
   * @throws where there is no `ImageData`, as in Node, with the code `no-image-data`.
   */
  paintMap(
    quantity: Quantity,
    document: Point,
    { size, extent, epsilon, scale }: { size: number; extent: number; epsilon: number; scale: ColourScale },
  ): PaintedMap {
    return raw.paintMap({ quantity, document, size, extent, epsilon }, scale);
  }

  /**
   * The shades of a colour scale from `-limit` to `limit`, one row of `2 * steps + 1` pixels.
   *
   * @throws where there is no `ImageData`, as in Node, with the code `no-image-data`.
   */
  paintScale(scale: ColourScale): ImageData {
    return raw.paintScale(scale);
  }

  /** The place of a value on a colour scale of this limit, from -1 to 1. */
  placeOnScale(value: number, limit: number): number {
    return raw.placeOnScale(value, limit);
  }

  /** The score of a query vector and its derivatives. */
  reading(query: Point, document: Point, epsilon: number): Reading {
    return raw.planeReading(...query, ...document, epsilon);
  }

  /** Upper bounds of the gradient's norm for a document. */
  bounds(document: Point, epsilon: number): GradientBounds {
    return raw.planeBounds(...document, epsilon);
  }

  /** All swap points of documents, by ascending epsilon, from their dot products with a query and their norms. */
  swapPoints(dots: readonly number[], norms: readonly number[]): SwapPoint[] {
    return raw.swaps(Float32Array.from(dots), Float32Array.from(norms));
  }

  /**
   * The ranges of epsilon from 0 to `most` in which each document is among the first `count`, by document. The ends are
   * swap points, so they are exact. A document can leave and come back.
   */
  lifetimes(dots: readonly number[], norms: readonly number[], { count, most }: { count: number; most: number }): Lifetime[] {
    return raw.lifetimes(Float32Array.from(dots), Float32Array.from(norms), count, most);
  }

  /** How far the query vector may move before the ranks of the first `count` documents can change, best first. */
  certified(
    dots: readonly number[],
    norms: readonly number[],
    { queryNorm, epsilon, count }: { queryNorm: number; epsilon: number; count: number },
  ): Certified[] {
    return raw.certified(Float32Array.from(dots), Float32Array.from(norms), queryNorm, epsilon, count);
  }

  /**
   * The constants of a loss and the bounds that follow.
   *
   * @throws if the thresholds do not rise between -1 and 1; the error has a `code`.
   */
  theory(theory: Theory): TheoryBound {
    return raw.theoryBound({ scale: 1, ...theory });
  }

  /**
   * How far apart the weights of two runs of SGD can be after each of some ascending numbers of steps, if the pair of the
   * step `replaced`, from 1, is another one.
   */
  weightGrowth(theory: Theory, replaced: number, at: readonly number[]): Float64Array {
    return raw.weightGrowth({ scale: 1, ...theory }, replaced, Uint32Array.from(at));
  }

  /** A document's score at each epsilon. */
  scores(dot: number, queryNorm: number, documentNorm: number, epsilons: readonly number[]): Float32Array {
    return raw.scoreCurve(dot, queryNorm, documentNorm, Float32Array.from(epsilons));
  }

  /** The steps of a descent. It ends early where there is no gradient. */
  descend(descent: Descent): Step[] {
    return raw.descend(descent);
  }

  /**
   * A loss and its slope at each score, for a grade from 0.
   *
   * @throws if the thresholds do not rise between -1 and 1; the error has a `code`.
   */
  loss(
    name: LossName,
    grade: number,
    scores: readonly number[],
    { thresholds, scale = 1 }: { thresholds: readonly number[]; scale?: number },
  ): { values: Float32Array; slopes: Float32Array } {
    return raw.lossCurve(name, Float32Array.from(thresholds), scale, grade, Float32Array.from(scores));
  }

  /** The density of scores at ascending points, by a Gaussian kernel. */
  density(scores: Float32Array, bandwidth: number, at: readonly number[]): Float32Array {
    return raw.density(scores, bandwidth, Float32Array.from(at));
  }

  /** Judged documents, none at first. */
  judged(): Judged {
    return new Judged();
  }

  /** The metrics of a ranking, from its grades in order and the grades of all judged documents in any order. */
  metrics(ranked: readonly number[], judged: readonly number[]): Metrics | undefined {
    return raw.metricsOf(Uint8Array.from(ranked), Uint8Array.from(judged));
  }

  /** The means of the metrics of several rankings; zeros if there are none. */
  mean(all: readonly Metrics[]): Metrics {
    return raw.meanOfMetrics(all);
  }
}

const labModule = new Module(new URL("./lab/smooth_clir_bg.wasm", import.meta.url), raw.renew);
let lab: Lab | undefined;
/** Starts another instance after a trap, such as a lack of memory. */
const restart = (): void => void Lab.load().catch(() => {});

import { choice, choices, codec, number, whole } from "./codec";

/** The figures of the argument, in its order. */
export const FIGURES = ["explosion", "bound", "cost", "order", "loss", "training"] as const;
export type FigureName = (typeof FIGURES)[number];

/** The length of the query vector in the first figure. */
export const NORM = { least: 1e-4, most: 1 };
/** Epsilon where it bounds the gradient. */
export const BOUND = { least: 0.01, most: 1 };
/** Epsilon, and the length of the second document, where scores shrink. */
export const COST = { least: 0, most: 4 };
export const LENGTH = { least: 0.1, most: 4 };
/** Epsilon where documents change rank. */
export const ORDER = { least: 0.001, most: 100 };
/** The score that two losses move. */
export const SCORE = { least: -0.2, most: 1 };

/** The settings of this view. What a reader predicts is no part of it. */
export interface LearnState {
  /** The figure of the link: the page scrolls to it, or shows it alone where it is embedded. */
  figure: FigureName | "";
  /** The figure that is presented, from 1; 0 is none. */
  present: number;
  /** The figures that show their answer. */
  told: readonly FigureName[];
  /** The length of the query vector. */
  norm: number;
  /** An epsilon for each figure that has one: what happens in one figure leaves the others as they are. */
  bound: number;
  cost: number;
  order: number;
  /** The length of the second document. */
  length: number;
  score: number;
}

export const learn = codec<LearnState>({
  figure: choice<FigureName | "">("figure", "", FIGURES),
  present: whole("present", 0, 0, FIGURES.length),
  told: choices("told", [], FIGURES),
  norm: number("kn", 0.001, NORM.least, NORM.most),
  bound: number("kb", 0.05, BOUND.least, BOUND.most),
  cost: number("kc", 1, COST.least, COST.most),
  order: number("ko", 10, ORDER.least, ORDER.most),
  length: number("kd", 3, LENGTH.least, LENGTH.most),
  score: number("ks", 0.95, SCORE.least, SCORE.most),
});

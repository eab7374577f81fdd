import { codec, number, whole } from "./codec";

export const STEP_CONSTANT = { least: 1e-7, most: 10 };
export const PAIRS = { least: 10, most: 1e12 };
export const STEPS = { least: 1, most: 1e9 };
export const DELTA = { least: 1e-6, most: 0.5 };
export const REPLACED = { least: 1, most: 1000 };

/** The settings of this view; epsilon is that of the page. */
export interface TheoryState {
  /** c of the step sizes c/t. */
  stepConstant: number;
  /** n and T of the bound. */
  pairs: number;
  steps: number;
  /** The probability that the bound may fail. */
  delta: number;
  /** The step whose pair is another one in the second training. */
  replaced: number;
}

export const theory = codec<TheoryState>({
  stepConstant: number("yc", 0.01, STEP_CONSTANT.least, STEP_CONSTANT.most),
  pairs: whole("yn", 20_000, PAIRS.least, PAIRS.most),
  steps: whole("yt", 20_000, STEPS.least, STEPS.most),
  delta: number("yd", 0.05, DELTA.least, DELTA.most),
  replaced: whole("yr", 1, REPLACED.least, REPLACED.most),
});

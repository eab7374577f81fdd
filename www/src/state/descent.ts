import { codec, number, whole } from "./codec";

/** The most steps that a run takes. */
export const STEPS = 30;

export const RATE = { least: 0.001, most: 10 };
export const NORM = { least: 1e-6, most: 1 };
export const ANGLE = { least: 5, most: 175 };
export const CLIP = { least: 0.01, most: 1000 };

/** The settings of this view. */
export interface DescentState {
  rate: number;
  /** The length of the query vector before the first step. */
  norm: number;
  /** Degrees between it and the document. */
  angle: number;
  /** The longest gradient that the clipped run takes as it is. */
  clip: number;
  /** The number of steps shown. */
  step: number;
}

export const descent = codec<DescentState>({
  rate: number("xr", 0.1, RATE.least, RATE.most),
  norm: number("xn", 1e-3, NORM.least, NORM.most),
  angle: whole("xa", 90, ANGLE.least, ANGLE.most),
  clip: number("xc", 5, CLIP.least, CLIP.most),
  step: whole("xs", STEPS, 0, STEPS),
});

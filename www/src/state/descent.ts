import { codec, number, whole } from "./codec";

/** The most steps that a run takes. */
export const STEPS = 30;

export const RATE = { least: 0.001, most: 10 };
export const NORM = { least: 1e-6, most: 1 };
export const ANGLE = { least: 5, most: 175 };
export const CLIP = { least: 0.01, most: 1000 };

/** The standard deviation of the words' vectors before a real training. */
export const DEVIATION = { least: 1e-4, most: 0.2 };

/** The longest gradient of a whole step that the clipped real trainings take as it is. */
export const STEP_CLIP = { least: 0.001, most: 10 };

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

/** The settings of its real training. */
export const realTraining = codec<{ deviation: number; clip: number }>({
  deviation: number("xd", 1e-3, DEVIATION.least, DEVIATION.most),
  clip: number("xg", 0.3, STEP_CLIP.least, STEP_CLIP.most),
});

import { choice, codec, whole } from "./codec";

/** The languages of the built-in corpus. */
export const LANGUAGES = ["fr", "it", "sw", "tl"] as const;
/** Steps between two pictures. */
export const SPEEDS = ["1", "4", "16"] as const;

/** The settings of this view. A link does not hold the progress of a training. */
export interface TrainingState {
  /** The language of the documents. */
  language: (typeof LANGUAGES)[number];
  seed: number;
  speed: (typeof SPEEDS)[number];
}

export const training = codec<TrainingState>({
  language: choice("tl", "fr", LANGUAGES),
  seed: whole("ts", 1, 0, 999_999),
  speed: choice("tv", "1", SPEEDS),
});

import { choice, codec, whole } from "./codec";

/** The languages of the built-in corpus. */
export const LANGUAGES = ["fr", "it", "sw", "tl"] as const;
/** Steps between two pictures. */
export const SPEEDS = ["1", "4", "16"] as const;

/** What a person can set in this view. How far a training is stands in no link. */
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

import type { LossName } from "smooth-clir/lab";
import { choice, codec, whole } from "./codec";

/** The languages of the built-in corpus. */
export const LANGUAGES = ["fr", "it", "sw", "tl"] as const;
/** Steps between two pictures. */
export const SPEEDS = ["1", "4", "16"] as const;
/** The losses that SOSL is trained beside. */
export const OTHERS = ["none", "mse", "three-part", "proportional-odds", "proportional-odds-paper"] as const satisfies readonly (LossName | "none")[];
/** The numbers of grades. */
export const GRADES = [2, 3, 4, 5, 6, 7] as const;
/** The grades that the corpus is judged in, and the only ones that three-part L2 has. */
export const OWN_GRADES = 3;

/** The settings of this view. A link does not hold the progress of a training. */
export interface TrainingState {
  /** The language of the documents. */
  language: (typeof LANGUAGES)[number];
  seed: number;
  speed: (typeof SPEEDS)[number];
  /** The loss of the second training. */
  other: (typeof OTHERS)[number];
  grades: number;
}

export const training = codec<TrainingState>({
  language: choice("tl", "fr", LANGUAGES),
  seed: whole("ts", 1, 0, 999_999),
  speed: choice("tv", "1", SPEEDS),
  other: choice("to", "mse", OTHERS),
  grades: whole("tg", OWN_GRADES, GRADES[0], GRADES.at(-1)!),
});

/** The losses that are trained: SOSL first. */
export function lossesOf({ other, grades }: TrainingState): LossName[] {
  return other === "none" || !allows(other, grades) ? ["sosl"] : ["sosl", other];
}

/** Whether a loss can tell so many grades apart. */
export const allows = (loss: TrainingState["other"], grades: number): boolean => loss !== "three-part" || grades === OWN_GRADES;

/** The thresholds between so many grades, at equal distances from the lowest to the highest of a model's own. */
export function spread(own: readonly number[], grades: number): number[] {
  const [low, high] = [own[0]!, own.at(-1)!];
  if (grades === own.length + 1) return [...own];
  if (grades === 2) return [(low + high) / 2];
  return Array.from({ length: grades - 1 }, (_, at) => low + ((high - low) * at) / (grades - 2));
}

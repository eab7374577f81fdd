import type { LessonName } from "../../state/lessons";

/** The minutes that a lesson takes in a class, with its discussion. */
export const MINUTES: Record<LessonName, number> = { angle: 20, swap: 20, slope: 25, explosion: 25, losses: 30 };

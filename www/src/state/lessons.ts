import { choice, codec, whole } from "./codec";

/** The guided lessons, in their order. */
export const LESSONS = ["angle", "swap", "slope", "explosion", "losses"] as const;
export type LessonName = (typeof LESSONS)[number];
/** No lesson has more steps. */
const STEPS_MOST = 9;

/** The place in a lesson. */
export interface LessonsState {
  /** Empty: in none. */
  lesson: LessonName | "";
  /** From 0. */
  step: number;
}

export const lessons = codec<LessonsState>({
  lesson: choice<LessonName | "">("lesson", "", LESSONS),
  step: whole("at", 0, 0, STEPS_MOST),
});

import { fromHash, type Store } from "../../state/state";
import type { LessonName } from "../../state/lessons";
import { STEPS } from "./steps";

/** Sets the page up for a step of a lesson; what a person chose for the page as a whole stays. */
export function goTo(store: Store, lesson: LessonName, step: number): void {
  const wanted = fromHash(STEPS[lesson][step] ?? "");
  if (!wanted) return;
  const { hide, embed, language, model } = store.state;
  store.set({ ...wanted, hide, embed, language, model, lessons: { lesson, step } });
}

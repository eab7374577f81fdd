import { fromHash, type Store } from "../../state";
import type { LessonName } from "./state";
import { text } from "./strings";

/** Sets the page up for a step of a lesson; what a person chose for the page as a whole stays. */
export function goTo(store: Store, lesson: LessonName, step: number): void {
  const wanted = fromHash(text.lessons[lesson].steps[step]?.link ?? "");
  if (!wanted) return;
  const { hide, embed, language } = store.state;
  store.set({ ...wanted, hide, embed, language, lessons: { lesson, step } });
}

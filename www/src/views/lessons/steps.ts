import type { LessonName } from "../../state/lessons";

/** The state of the page at each step of a lesson, in the form of a link. */
export const STEPS: Record<LessonName, readonly string[]> = {
  angle: [
    "q=rain over the mountains&eps=0",
    "q=rain over the mountains&eps=100",
    "q=rain over the mountains&eps=0.5",
  ],
  swap: [
    "q=sweet fruit&eps=0.01",
    "q=sweet fruit&eps=2",
  ],
  slope: [
    "view=maps&eps=0.05",
    "view=maps&eps=0.5",
    "view=maps&eps=0",
  ],
  explosion: [
    "view=descent&eps=0.5&xs=0",
    "view=descent&eps=0.5&xs=5",
    "view=descent&eps=0.5&xs=12",
  ],
  losses: [
    "view=losses",
    "view=metrics",
    "view=training",
  ],
};

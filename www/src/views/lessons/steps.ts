import type { LessonName } from "../../state/lessons";

/** The state of the page at each step of a lesson, in the form of a link. */
export const STEPS: Record<LessonName, readonly string[]> = {
  angle: [
    "q=snow on the mountain&eps=0&hood=open",
    "q=snow on the mountain&eps=100&hood=open",
    "q=snow on the mountain&eps=0.5&hood=open",
  ],
  swap: [
    "q=sweet fruit&eps=0.01&hood=open",
    "q=sweet fruit&eps=2&hood=open",
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

const PLAY = ".view-descent .control-stack > .slider-field";

/** What a step is about: its controls, with their figure below. The element of each step that comes to the top. */
export const LOOK_AT: Record<LessonName, readonly string[]> = {
  angle: ["#results", "#results", "#results"],
  swap: ["#results", "#results"],
  slope: [".view-maps .maps-main", ".view-maps .figures", ".view-maps .maps-controls"],
  explosion: [PLAY, PLAY, ".view-descent .line-chart"],
  losses: [".view-losses .slider-fields", ".view-metrics .metric-tests .figures", ".view-training .controls"],
};

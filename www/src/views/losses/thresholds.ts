import type { LineChart } from "../../ui/charts/line-chart";
import type { Thresholds } from "../../state/losses";

/** The distance in pixels within which a press takes hold of a threshold. */
const GRASP = 24;

/** Lets the thresholds of a chart over scores be dragged. By keyboard there are sliders. */
export function makeDraggable(chart: LineChart, thresholds: () => Thresholds | undefined, move: (which: 0 | 1, to: number) => void): void {
  const { svg } = chart;
  let dragged: 0 | 1 | undefined;
  const near = (event: PointerEvent): 0 | 1 | undefined => {
    const now = thresholds();
    if (!now) return undefined;
    const [score] = chart.at(event);
    const [right] = chart.at({ clientX: event.clientX + GRASP, clientY: event.clientY });
    const [lower, upper] = now.map((threshold) => Math.abs(threshold - score)) as [number, number];
    if (Math.min(lower, upper) > right - score) return undefined;
    // Where both thresholds are one line, the pointer's side picks one.
    return lower < upper || (lower === upper && score < now[0]) ? 0 : 1;
  };
  svg.addEventListener("pointerdown", (event) => {
    dragged = event.isPrimary && event.button === 0 ? near(event) : undefined;
    if (dragged !== undefined) svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (dragged !== undefined) move(dragged, chart.at(event)[0]);
    else svg.style.setProperty("cursor", near(event) === undefined ? "auto" : "ew-resize");
  });
  for (const end of ["pointerup", "pointercancel"] as const) {
    svg.addEventListener(end, () => {
      dragged = undefined;
    });
  }
}

import type { LineChart } from "../../ui/charts/line-chart";

/**
 * Lets a chart's movable point be moved up and down: by mouse from anywhere in the chart, by finger only at the point, so that
 * the page scrolls under a finger elsewhere. By keyboard there is a slider.
 */
export function dragHeight(chart: LineChart, active: () => boolean, move: (to: number) => void): void {
  const { svg } = chart;
  let dragging = false;
  const follow = (event: PointerEvent) => move(chart.at(event)[1]);
  svg.addEventListener("pointerdown", (event) => {
    if (!active() || !event.isPrimary || event.button !== 0) return;
    if (event.pointerType === "touch" && !(event.target instanceof Element && event.target.matches(".dot-handle"))) return;
    dragging = true;
    svg.setPointerCapture(event.pointerId);
    follow(event);
  });
  svg.addEventListener("pointermove", (event) => {
    svg.style.setProperty("cursor", active() ? "ns-resize" : "auto");
    if (dragging && active()) follow(event);
  });
  for (const end of ["pointerup", "pointercancel"] as const) svg.addEventListener(end, () => (dragging = false));
}

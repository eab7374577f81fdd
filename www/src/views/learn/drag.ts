import type { LineChart } from "../../ui/charts/line-chart";

/** Lets a chart's point be moved up and down by pointer. By keyboard there is a slider. */
export function dragHeight(chart: LineChart, active: () => boolean, move: (to: number) => void): void {
  const { svg } = chart;
  let dragging = false;
  const follow = (event: PointerEvent) => move(chart.at(event)[1]);
  svg.addEventListener("pointerdown", (event) => {
    if (!active() || !event.isPrimary || event.button !== 0) return;
    dragging = true;
    svg.setPointerCapture(event.pointerId);
    follow(event);
  });
  svg.addEventListener("pointermove", (event) => {
    svg.style.setProperty("cursor", active() ? "ns-resize" : "auto");
    svg.style.setProperty("touch-action", active() ? "pan-x" : "auto");
    if (dragging && active()) follow(event);
  });
  for (const end of ["pointerup", "pointercancel"] as const) svg.addEventListener(end, () => (dragging = false));
}

import { contours } from "d3-contour";
import type { PaintedMap } from "smooth-clir/lab";

/** A contour in the coordinates of its grid, a point's pixel being 1 wide: rings of corners. */
export interface Contour {
  level: number;
  rings: readonly (readonly (readonly number[])[])[];
}

/** The place of a contour's number, in the grid's coordinates. */
export interface Label {
  level: number;
  at: readonly [number, number];
}

export function contourLines({ values, image, smallest, largest }: PaintedMap, levels: readonly number[]): Contour[] {
  const size = image.width;
  const [least, most] = [smallest?.value ?? 0, largest?.value ?? 0];
  const reached = levels.filter((level) => level > least && level <= most);
  const found = contours().size([size, size]).thresholds(reached)(values as unknown as number[]);
  return found.map(({ value, coordinates }) => ({ level: value, rings: coordinates.flat() }));
}

const RAYS = Array.from({ length: 8 }, (_, at) => {
  const angle = 0.35 + (at * Math.PI) / 4;
  return [Math.cos(angle), Math.sin(angle)] as const;
});

/** Numbers for the contours, each where a ray from the centre meets it, `room` apart. */
export function contourLabels({ values, image }: PaintedMap, levels: readonly number[], room: number): Label[] {
  const size = image.width;
  const centre = size / 2;
  const labels: Label[] = [];
  const taken: (readonly [number, number])[] = [[centre, centre]];
  for (const [across, down] of RAYS) {
    let before = Number.NaN;
    for (let far = room; far < centre; far++) {
      const at = [centre + far * across, centre + far * down] as const;
      const value = values[Math.floor(at[1]) * size + Math.floor(at[0])] ?? Number.NaN;
      const level = levels.find((level) => value < level !== before < level && !Number.isNaN(before));
      before = value;
      if (level === undefined || labels.some((label) => label.level === level)) continue;
      if (at.some((x) => x < room / 2 || x > size - room / 2)) continue;
      if (taken.some(([x, y]) => Math.hypot(x - at[0], y - at[1]) < room)) continue;
      taken.push(at);
      labels.push({ level, at });
    }
  }
  return labels;
}

import type { Point } from "smooth-clir/lab";
import { make } from "../../ui/dom";
import type { Plane } from "./plane";

const STEP = 0.05;
const LEAP = 0.5;
/** A hundredth: as fine as a hand can be. */
const FINEST = 100;

const DIRECTIONS: Record<string, Point> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** A vector of a plane to be dragged by pointer or moved by arrow keys; Home brings it to the origin. */
export class Handle {
  readonly element = make("div", "vector-handle");
  readonly #plane: Plane;
  #at: Point = [0, 0];
  #reach = 0;

  constructor(plane: Plane, label: string, move: (to: Point) => void) {
    this.#plane = plane;
    const { element } = this;
    element.tabIndex = 0;
    element.role = "slider";
    element.ariaLabel = label;
    const moveWithin = (to: Point) => move(to.map((x) => tidy(Math.min(Math.max(x, -this.#reach), this.#reach))) as [number, number]);
    element.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const direction = DIRECTIONS[event.key];
      if (!direction && event.key !== "Home") return;
      event.preventDefault();
      const by = event.shiftKey ? LEAP : STEP;
      moveWithin(direction ? [this.#at[0] + by * direction[0], this.#at[1] + by * direction[1]] : [0, 0]);
    });
    // From where it was taken hold of to its point.
    let hold: Point | undefined;
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      const [x1, x2] = plane.at(event);
      hold = [this.#at[0] - x1, this.#at[1] - x2];
    });
    element.addEventListener("pointermove", (event) => {
      if (!hold) return;
      const [x1, x2] = plane.at(event);
      moveWithin([x1 + hold[0], x2 + hold[1]]);
    });
    element.addEventListener("lostpointercapture", () => (hold = undefined));
  }

  /** Stands at a point of a plane that reaches so far. */
  place(at: Point, reach: number, text: string): void {
    this.#at = at;
    this.#reach = reach;
    const [x, y] = this.#plane.toPixels(at);
    this.element.style.setProperty("left", `${x}px`);
    this.element.style.setProperty("top", `${y}px`);
    this.element.ariaValueMin = String(-reach);
    this.element.ariaValueMax = String(reach);
    this.element.ariaValueNow = String(at[0]);
    this.element.ariaValueText = text;
  }
}

const tidy = (x: number) => Math.round(x * FINEST) / FINEST || 0;

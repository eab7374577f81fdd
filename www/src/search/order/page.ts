import type { SmoothClir } from "smooth-clir";
import type { Store } from "../../state/state";

/** The parts of the page that swap points and the story use. */
export interface Page {
  store: Store;
  /** The epsilon in use. */
  epsilon(): number;
  /** The engine with its model and documents; undefined while there is none. */
  engine(): SmoothClir | undefined;
}

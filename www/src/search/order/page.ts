import type { SmoothClir } from "smooth-clir";
import type { Store } from "../../state/state";

/** What the pictures of the order need of the page. */
export interface Page {
  store: Store;
  /** The epsilon in use. */
  epsilon(): number;
  /** The engine with its model and documents; undefined while there is none. */
  engine(): SmoothClir | undefined;
}

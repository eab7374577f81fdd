import type { SmoothClir } from "smooth-clir";
import type { Found } from "../results";
import type { Store } from "../state";
import type { OrderView } from "./order-view";

/** What the pictures of the order need of the page. */
export interface Page {
  store: Store;
  /** The epsilon in use. */
  epsilon(): number;
  /** The engine with its model and documents; undefined while there is none. */
  engine(): SmoothClir | undefined;
}

/** Where documents swap, and the story of two that do: fetched when there are results and the browser rests. */
export class Order {
  readonly #page: Page;
  #view: OrderView | undefined;
  #found: Found | undefined;
  #fetching = false;

  constructor(page: Page) {
    this.#page = page;
  }

  show(found: Found): void {
    this.#found = found;
    if (this.#view) this.#view.show(found);
    else if (found.hits.length > 0 && !this.#fetching) void this.#fetch();
  }

  async #fetch(): Promise<void> {
    this.#fetching = true;
    try {
      await rest();
      const loadLab = async () => (await import("smooth-clir/lab")).Lab.load();
      const [{ OrderView }, lab] = await Promise.all([import("./order-view"), loadLab()]);
      this.#view = new OrderView(this.#page, lab);
      if (this.#found) this.#view.show(this.#found);
    } catch {
      // The search goes on without it; the next result tries again.
    } finally {
      this.#fetching = false;
    }
  }
}

/** Resolves when the browser has nothing else to do. */
function rest(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 200);
  });
}

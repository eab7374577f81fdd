import { byId } from "../../ui/dom";
import { FailedNotice } from "../../ui/failed-notice";
import { rest } from "../../ui/rest";
import type { Found } from "../found";
import { strings } from "../../i18n/strings";
import type { OrderView } from "./order-view";
import type { Page } from "./page";

/** The swap points, and the story of two documents: fetched when there are results and the browser is idle. */
export class Order {
  readonly #page: Page;
  readonly #failed = new FailedNotice(strings.rankChanges.ticksFailed, () => void this.#fetch());
  readonly #note = byId("order-note", HTMLParagraphElement);
  #view: OrderView | undefined;
  #found: Found | undefined;
  #fetching = false;
  /** Whether it was requested while it was being fetched: if that fails, it is tried once more. */
  #requested = false;

  constructor(page: Page) {
    this.#page = page;
    byId("rank-change", HTMLElement).before(this.#failed.element);
  }

  show(found: Found): void {
    this.#found = found;
    this.#note.hidden = !found.hybrid;
    if (this.#view) this.#view.show(found);
    else if (found.hits.length > 0 && !found.hybrid) void this.#fetch();
  }

  async #fetch(): Promise<void> {
    this.#requested = true;
    if (this.#fetching) return;
    this.#fetching = true;
    try {
      await rest();
      this.#requested = false;
      const loadLab = async () => (await import("smooth-clir/lab")).Lab.load();
      const [{ OrderView }, lab] = await Promise.all([import("./order-view"), loadLab()]);
      this.#failed.hide();
      this.#view = new OrderView(this.#page, lab);
      if (this.#found) this.#view.show(this.#found);
    } catch (error) {
      // The search goes on without it; the next result tries again as well.
      this.#failed.show(error);
    } finally {
      this.#fetching = false;
    }
    if (!this.#view && this.#requested) void this.#fetch();
  }
}

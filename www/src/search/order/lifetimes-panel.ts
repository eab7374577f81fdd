import type { Lab } from "smooth-clir/lab";
import { make } from "../../ui/dom";
import { FailedNotice } from "../../ui/failed-notice";
import type { Found } from "../found";
import { text } from "./lifetimes-text";
import type { LifetimesView } from "./lifetimes-view";
import type { Page } from "./page";

/**
 * For each result, the range of epsilon in which it stays, and how far the query may move. It comes with a library, so it
 * is fetched and computed when it is first opened.
 */
export class LifetimesPanel {
  readonly element = make("details", "lifetimes");
  readonly #page: Page;
  readonly #lab: Lab;
  readonly #failed = new FailedNotice(text.failed, () => void this.#open());
  #view: LifetimesView | undefined;
  #found: Found | undefined;

  constructor(page: Page, lab: Lab) {
    this.#page = page;
    this.#lab = lab;
    this.element.append(make("summary", "", text.heading), this.#failed.element);
    this.element.hidden = true;
    this.element.addEventListener("toggle", () => void this.#open());
  }

  /** Follows a ranking; hidden where its order does not depend on epsilon alone. */
  show(found: Found): void {
    this.#found = found;
    this.element.hidden = found.hybrid || found.hits.length === 0;
    void this.#open();
  }

  async #open(): Promise<void> {
    if (!this.element.open || this.element.hidden || !this.#found) return;
    try {
      if (!this.#view) {
        const { LifetimesView } = await import("./lifetimes-view");
        if (!this.#view) {
          this.#view = new LifetimesView(this.#page, this.#lab);
          this.element.append(this.#view.element);
        }
      }
      this.#failed.hide();
      await this.#view.show(this.#found);
    } catch (error) {
      this.#failed.show(error);
    }
  }
}

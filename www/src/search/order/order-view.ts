import type { Lab } from "smooth-clir/lab";
import { byId } from "../../ui/dom";
import { toShare } from "../epsilon-view";
import { FailedNotice } from "../../ui/failed-notice";
import { keyOf } from "../../model/document-key";
import type { Found } from "../found";
import { EPSILON_MOST } from "../../state/state";
import { strings } from "../../i18n/strings";
import { LifetimesPanel } from "./lifetimes-panel";
import type { CrossingView } from "./crossing-view";
import type { Page } from "./page";
import { Story } from "./story";
import { Ticks, type Pair } from "./ticks";

/** The swap points below the slider, the chosen rank change, and the story. */
export class OrderView {
  readonly #page: Page;
  readonly #lab: Lab;
  readonly #ticks: Ticks;
  readonly #story: Story;
  readonly #lifetimes: LifetimesPanel;
  readonly #failed = new FailedNotice(strings.rankChanges.curvesFailed, () => void this.#showCrossing());
  #crossing: CrossingView | undefined;
  #found: Found | undefined;

  constructor(page: Page, lab: Lab) {
    const { store } = page;
    this.#page = page;
    this.#lab = lab;
    this.#ticks = new Ticks((pair) => store.set({ pair }));
    this.#story = new Story(page, lab);
    byId("rank-change", HTMLElement).before(this.#failed.element);
    this.#lifetimes = new LifetimesPanel(page, lab);
    byId("rank-change", HTMLElement).after(this.#lifetimes.element);
    store.subscribe((_, changed) => {
      if (changed.has("pair")) {
        this.#ticks.choose(store.state.pair);
        void this.#showCrossing();
      }
      if (changed.has("epsilon")) this.#story.update();
    });
    void this.#showCrossing();
  }

  show(found: Found): void {
    this.#found = found;
    this.#lifetimes.show(found);
    // The order of a hybrid ranking does not depend on epsilon alone.
    this.#ticks.show(found.hybrid ? [] : this.#pairs(found), this.#page.store.state.pair);
    if (found.hybrid) this.#story.hide();
    else this.#story.tell(found);
    void this.#showCrossing();
  }

  /** Every rank change of two shown documents, the pinned one among them, within the slider's range. */
  #pairs({ hits, ranking }: Found): Pair[] {
    const { pin } = this.#page.store.state;
    const pinned = ranking.slice(hits.length).filter((hit) => keyOf(hit) === pin);
    const shown = [...hits, ...pinned];
    const changes = this.#lab.swapPoints(
      shown.map(({ dot }) => dot),
      shown.map(({ documentNorm }) => documentNorm),
    );
    return changes
      .filter(({ epsilon }) => epsilon <= EPSILON_MOST)
      .map(({ epsilon, first, second }) => ({
        epsilon,
        share: toShare(epsilon),
        first: shown[first]!,
        second: shown[second]!,
      }));
  }

  /** The curves come with a library, so they are fetched on their first use. */
  async #showCrossing(): Promise<void> {
    if (!this.#crossing) {
      this.#failed.hide();
      if (!this.#page.store.state.pair || this.#found?.hybrid) return;
      try {
        const { CrossingView } = await import("./crossing-view");
        this.#crossing ??= new CrossingView(this.#page, this.#lab);
      } catch (error) {
        this.#failed.show(error);
        return;
      }
    }
    if (this.#found) void this.#crossing.show(this.#found);
  }
}

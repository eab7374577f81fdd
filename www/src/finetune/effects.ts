import type { Hit, SearchOptions } from "smooth-clir";
import { byId } from "../ui/dom";
import { toFailure } from "../ui/failure";
import { latest } from "../ui/latest";
import type { State } from "../state/state";
import { strings } from "../i18n/strings";
import { BeforeAfter, RANKED } from "./before-after";
import { countRetained } from "./comparison";
import { Forgetting } from "./forgetting";
import { OTHER_QUERIES } from "./other-queries";

const FIRST = 10;

/** Searches with one model: the fine-tuned one, or the one as it was loaded. */
export type Search = (query: string, options: SearchOptions) => Promise<Hit[]>;

/** Shows the effect of fine-tuning on the search at hand and on others. */
export class Effects {
  /** Compares for the state of now. */
  readonly update = latest(() => this.#compare());

  readonly #box = byId("finetune-effects", HTMLDivElement);
  readonly #failure = byId("effects-failure", HTMLParagraphElement);
  readonly #beforeAfter = new BeforeAfter();
  readonly #forgetting = new Forgetting();
  readonly #state: () => Readonly<State>;
  readonly #before: Search;
  readonly #now: Search;
  readonly #tuned: () => boolean;

  constructor(state: () => Readonly<State>, tuned: () => boolean, before: Search, now: Search) {
    this.#state = state;
    this.#tuned = tuned;
    this.#before = before;
    this.#now = now;
  }

  async #compare(): Promise<void> {
    this.#box.hidden = !this.#tuned();
    if (this.#box.hidden) return;
    const { query, epsilon, language } = this.#state();
    const both = (query: string, options: SearchOptions) =>
      Promise.all([this.#before(query, options), this.#now(query, options)]);
    try {
      const [[before, now], ...others] = await Promise.all([
        query.trim() === "" ? [[], []] : both(query, { epsilon, language, limit: RANKED }),
        ...OTHER_QUERIES.map((other) => both(other, { epsilon, limit: FIRST })),
      ]);
      this.#beforeAfter.show(query.trim(), before, now);
      this.#forgetting.show(OTHER_QUERIES, others.map(([before, now]) => countRetained(before, now)));
      this.#failure.hidden = true;
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#failure.textContent = strings.finetune.comparisonFailed(message, code);
      this.#failure.hidden = false;
    }
  }
}

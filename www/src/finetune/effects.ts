import type { Hit, SearchOptions } from "smooth-clir";
import { byId } from "../ui/dom";
import { toFailure } from "../ui/failure";
import { latest } from "../ui/latest";
import type { State } from "../state/state";
import { strings } from "../i18n/strings";
import { BeforeAfter, RANKED } from "./before-after";
import { countKept } from "./comparison";
import { Forgetting } from "./forgetting";
import { OTHER_QUERIES } from "./other-queries";

const FIRST = 10;

/** Answers searches: the model that learns, or the one that did not. */
export type Search = (query: string, options: SearchOptions) => Promise<Hit[]>;

/** Shows what learning did to the search at hand and to others. */
export class Effects {
  /** Compares for the state of now. */
  readonly update = latest(() => this.#compare());

  readonly #box = byId("teach-effects", HTMLDivElement);
  readonly #failure = byId("effects-failure", HTMLParagraphElement);
  readonly #beforeAfter = new BeforeAfter();
  readonly #forgetting = new Forgetting();
  readonly #state: () => Readonly<State>;
  readonly #before: Search;
  readonly #now: Search;
  readonly #taught: () => boolean;

  constructor(state: () => Readonly<State>, taught: () => boolean, before: Search, now: Search) {
    this.#state = state;
    this.#taught = taught;
    this.#before = before;
    this.#now = now;
  }

  async #compare(): Promise<void> {
    this.#box.hidden = !this.#taught();
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
      this.#forgetting.show(OTHER_QUERIES, others.map(([before, now]) => countKept(before, now)));
      this.#failure.hidden = true;
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#failure.textContent = strings.teach.comparisonFailed(message, code);
      this.#failure.hidden = false;
    }
  }
}

import type { SmoothClir, Token } from "smooth-clir";
import { isBroken, toFailure } from "../ui/failure";
import { latest } from "../ui/latest";
import { isHybrid } from "../model/models";
import { RANKED, type Found } from "./found";
import { DENSE_WEIGHT, type State } from "../state/state";
import type { MineOnly } from "./mine-only";
import type { StatusView } from "./status";
import { strings } from "../i18n/strings";

const LIMIT = 10;

/** Shows the result of a search. */
export interface Results {
  /** With `move`, what was shown before for the same query moves to its new place. */
  show(found: Found, move: boolean): void;
  /** The rank of the pinned document, for screen readers. */
  readonly pinnedInWords: string;
}

/** Searches for the current state on request, and shows the result. */
export class Searcher {
  /** Brings the list up to date; however often it is called, one search runs at a time. */
  readonly update = latest(() => this.#search());
  /** When the event happened that the list is to answer. */
  since: number | undefined;

  readonly #state: () => Readonly<State>;
  readonly #results: Results;
  readonly #status: StatusView;
  readonly #onBroken: (error: unknown) => void;
  readonly #mineOnly: MineOnly;
  #engine: SmoothClir | undefined;
  /** Why nothing can be searched, while that is so. */
  #reason = strings.stillLoading;
  #shownQuery = "";
  #words: { query: string; tokens: Token[] } = { query: "", tokens: [] };

  /** `onBroken` gets the error of an engine that does not answer any more. */
  constructor(
    state: () => Readonly<State>,
    results: Results,
    status: StatusView,
    onBroken: (error: unknown) => void,
    mineOnly: MineOnly,
  ) {
    this.#mineOnly = mineOnly;
    this.#state = state;
    this.#results = results;
    this.#status = status;
    this.#onBroken = onBroken;
  }

  /** Takes an engine that has its model. */
  attach(engine: SmoothClir): Promise<void> {
    this.#engine = engine;
    this.#words = { query: "", tokens: [] };
    return this.update();
  }

  /** Has nothing to search in, for this reason. */
  detach(reason: string): void {
    this.#engine = undefined;
    this.#reason = reason;
    void this.update();
  }

  async #search(): Promise<void> {
    const { query, epsilon, language, pin, by } = this.#state();
    const engine = this.#engine;
    const since = this.since ?? performance.now();
    this.since = undefined;
    if (query.trim() === "" || !engine) {
      this.#showNothing(query);
      this.#status.showReason(query.trim() === "" ? strings.invitation : this.#reason);
      return;
    }
    try {
      // The tokens do not depend on epsilon: a moving slider asks once.
      const known = this.#words.query === query;
      const limit = pin === undefined ? LIMIT : Math.max(LIMIT, Math.min(engine.documentCount, RANKED + 1));
      const { filters } = this.#mineOnly;
      const [tokens, ranking] = await Promise.all([
        known ? this.#words.tokens : engine.tokens(query),
        engine.search(query, { epsilon, limit, language, dense: DENSE_WEIGHT[by], filters }),
      ]);
      this.#words = { query, tokens };
      // Of few documents a ranking has all, also those without a known word.
      const hits = ranking.slice(0, LIMIT).filter(({ documentNorm, lexical = 0 }) => documentNorm > 0 || lexical > 0);
      const found = { query, epsilon: epsilon ?? engine.epsilon, hybrid: isHybrid(engine), hits, ranking };
      this.#results.show(found, query === this.#shownQuery);
      this.#shownQuery = query;
      const searched = this.#mineOnly.searched(engine.documentCount);
      this.#status.showHits(hits, tokens, searched, this.#results.pinnedInWords);
      const measure = measureSince(since);
      if (hits.length > 0) this.#status.showCount(hits.length, searched, measure);
    } catch (error) {
      if (engine !== this.#engine) return;
      const { code, message } = toFailure(error);
      this.#showNothing(query);
      this.#status.showReason(strings.searchFailed(message, code));
      if (isBroken(error)) this.#onBroken(error);
    }
  }

  #showNothing(query: string): void {
    this.#results.show({ query, epsilon: 0, hybrid: false, hits: [], ranking: [] }, false);
  }
}

/** Records the time from the event to the list, for the page and for whoever opens the browser's tools. */
function measureSince(start: number): number {
  performance.clearMeasures("key-to-list");
  return performance.measure("key-to-list", { start, end: performance.now() }).duration;
}

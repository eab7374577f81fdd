import type { Hit, SmoothClir, Token } from "smooth-clir";
import { isBroken, toFailure } from "../ui/failure";
import * as format from "../ui/format";
import { latest } from "../ui/latest";
import { isHybrid } from "../model/models";
import { type Entry, toEntries } from "./entries";
import { example } from "./example";
import { RANKED, type Found } from "./found";
import { QUERY_LANGUAGE } from "../state/documents";
import { DENSE_WEIGHT, type State } from "../state/state";
import type { MineOnly } from "./mine-only";
import { readable } from "./readable";
import type { StatusView } from "./status";
import { strings } from "../i18n/strings";

/** Documents in a list of documents. */
const LIMIT = 10;
/** Documents whose entries are listed at first, and at each press of *Show more*. */
const LIMIT_OF_ENTRIES = 16;

const NO_WORDS = { query: "", chosen: undefined, tokens: [] };
const NOTHING: Found = { query: "", language: QUERY_LANGUAGE, chosen: undefined, epsilon: 0, hybrid: false, tokens: [], hits: [], entries: [], ranking: [] };

/** Shows the result of a search. */
export interface Results {
  /** With `move`, what was shown before for the same query moves to its new place. */
  show(found: Found, move: boolean): void;
  /** Whether there is more to show. */
  canShowMore(more: boolean): void;
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
  readonly #listsEntries: () => boolean;
  readonly #results: Results;
  readonly #status: StatusView;
  readonly #onBroken: (error: unknown) => void;
  readonly #mineOnly: MineOnly;
  #engine: SmoothClir | undefined;
  /** Why nothing can be searched, while that is so. */
  #reason = strings.stillLoading;
  #shownQuery = "";
  #hasHits = false;
  #limit = LIMIT_OF_ENTRIES;
  #words: { query: string; chosen: string | undefined; tokens: Token[] } = NO_WORDS;

  /**
   * With `listsEntries` the list is of entries, whose documents in several languages share a card; without, of documents.
   * `onBroken` gets the error of an engine that does not answer any more.
   */
  constructor(
    state: () => Readonly<State>,
    listsEntries: () => boolean,
    results: Results,
    status: StatusView,
    onBroken: (error: unknown) => void,
    mineOnly: MineOnly,
  ) {
    this.#mineOnly = mineOnly;
    this.#state = state;
    this.#listsEntries = listsEntries;
    this.#results = results;
    this.#status = status;
    this.#onBroken = onBroken;
  }

  /** Whether the list shows what was found, not the example. */
  get hasFound(): boolean {
    return this.#shownQuery !== "" && this.#hasHits;
  }

  /** Takes an engine that has its model. */
  attach(engine: SmoothClir): Promise<void> {
    this.#engine = engine;
    return this.again();
  }

  /** Searches once more: the engine has learnt or lost a language. */
  again(): Promise<void> {
    this.#words = NO_WORDS;
    return this.update();
  }

  /** Has nothing to search in, for this reason. */
  detach(reason: string): void {
    this.#engine = undefined;
    this.#reason = reason;
    void this.update();
  }

  /** Lists more entries. */
  showMore(): void {
    this.#limit += LIMIT_OF_ENTRIES;
    void this.update();
  }

  async #search(): Promise<void> {
    const { query, epsilon, language, asked, pin, by, asTyped } = this.#state();
    const engine = this.#engine;
    const listsEntries = this.#listsEntries();
    const since = this.since ?? performance.now();
    this.since = undefined;
    if (query !== this.#shownQuery) this.#limit = LIMIT_OF_ENTRIES;
    if (query.trim() === "" && this.#mineOnly.count > 0) {
      this.#showNothing(query);
      this.#status.showReason(strings.mineInvitation(format.count(this.#mineOnly.count)));
      return;
    }
    if (query.trim() === "" && listsEntries) {
      this.#showExample(language);
      return;
    }
    if (query.trim() === "" || !engine) {
      this.#showNothing(query);
      this.#status.showReason(query.trim() === "" ? strings.invitation : this.#reason);
      return;
    }
    try {
      // The tokens do not depend on epsilon: a moving slider asks once.
      const chosen = readable(engine, asked);
      const known = this.#words.query === query && this.#words.chosen === chosen;
      const shown = listsEntries ? this.#limit : LIMIT;
      const limit = pin === undefined ? shown : Math.max(shown, Math.min(engine.documentCount, RANKED + 1));
      const tokensOfQuery = known ? this.#words.tokens : engine.tokens(query, { queryLanguage: chosen });
      // A word that no document has and no encoder knows counts for nothing as it was typed.
      const searched = asTyped ? asTypedOnly(await tokensOfQuery) : query;
      const options = { epsilon, limit, language, queryLanguage: chosen, dense: DENSE_WEIGHT[by], filters: this.#mineOnly.filters };
      const [tokens, ranking, told] = await Promise.all([
        tokensOfQuery,
        engine.search(searched, options),
        // The demo model reads English only.
        chosen ?? (isHybrid(engine) ? engine.languageOf(searched) : QUERY_LANGUAGE),
      ]);
      this.#words = { query, chosen, tokens };
      // Of few documents a ranking has all, also those without a known word.
      const isOwnEpsilon = epsilon === undefined || Math.abs(epsilon - engine.epsilon) < 1e-6;
      const hits = ranking.slice(0, shown).map((hit) => (isOwnEpsilon ? hit : uncalibrated(hit))).filter(({ documentNorm, lexical = 0 }) => documentNorm > 0 || lexical > 0);
      const entries = listsEntries ? toEntries(hits) : hits.map((hit): Entry => [hit]);
      const hybrid = isHybrid(engine);
      const found = { query, language: told, chosen, epsilon: epsilon ?? engine.epsilon, hybrid, tokens, hits, entries, ranking };
      this.#results.show(found, query === this.#shownQuery);
      this.#results.canShowMore(listsEntries && hits.length === shown && shown < engine.documentCount);
      this.#shownQuery = query;
      this.#hasHits = hits.length > 0;
      const among = this.#mineOnly.searched(engine.documentCount);
      this.#status.showHits(found, asTyped, among, this.#results.pinnedInWords);
      const measure = measureSince(since, hybrid);
      if (hits.length > 0) this.#status.showCount(listsEntries ? undefined : hits.length, among, measure);
    } catch (error) {
      if (engine !== this.#engine) return;
      const { code, message } = toFailure(error);
      this.#showNothing(query);
      this.#status.showReason(strings.searchFailed(message, code));
      if (isBroken(error)) this.#onBroken(error);
    }
  }

  /** The example is not searched for: it is known, and stands there before the model does. */
  #showExample(language: string | undefined): void {
    const { query, tokens } = example;
    const kept = [...example.hits.keys()].filter((place) => language === undefined || example.hits[place]!.language === language);
    const hits: Hit[] = kept.map((place) => example.hits[place]!);
    const matches = kept.map((place) => example.matches[place]!);
    const found = { ...NOTHING, query, tokens, hits, entries: toEntries(hits), matches, ranking: hits };
    this.#shownQuery = "";
    this.#results.show(found, false);
    this.#results.canShowMore(false);
    this.#status.showExample(found);
  }

  #showNothing(query: string): void {
    this.#shownQuery = "";
    this.#results.show({ ...NOTHING, query }, false);
    this.#results.canShowMore(false);
  }
}

/** A hit without a probability: those are fitted to scores at the model's own epsilon. */
const uncalibrated = (hit: Hit): Hit => ({ ...hit, probability: undefined, fits: true });

/** The words of a query that were not corrected. */
function asTypedOnly(tokens: readonly Token[]): string {
  return tokens.flatMap(({ token, interpreted }) => (interpreted === undefined ? [token] : [])).join(" ");
}

/** Records the time from the event to the list, and its kind of ranking, for the page and for whoever opens the browser's tools. */
function measureSince(start: number, isHybrid: boolean): number {
  performance.clearMeasures("key-to-list");
  return performance.measure("key-to-list", { start, end: performance.now(), detail: { isHybrid } }).duration;
}

import type { SmoothClir } from "smooth-clir";
import { Card, type Actions } from "./card";
import { englishTitles } from "./english-titles";
import { entryOf } from "./entries";
import { lightAnswers } from "./gloss/lights";
import { wordsOf } from "./gloss/words";
import { byId, hide } from "../ui/dom";
import { save, toCsv } from "../ui/file";
import { latest } from "../ui/latest";
import { rest } from "../ui/rest";
import { keyOf } from "../model/document-key";
import { PinnedView } from "./pinned";
import { DENSE_WEIGHT, WHY_MOST, type Store } from "../state/state";
import { DocumentEncoders } from "../model/document-encoders";
import type { FeedbackHandler } from "../finetune/feedback";
import type { Found } from "./found";
import { strings } from "../i18n/strings";

const MOVE_MS = 260;
/** A list that stands for so long is not typed over: glosses take the engine longer than a search. */
const GLOSS_AFTER_MS = 300;

/** The list of hits, and above it the document that is pinned. */
export class ResultsView {
  readonly #list = byId("hits", HTMLOListElement);
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  readonly #store: Store;
  readonly #feedback: FeedbackHandler;
  readonly #actions: Actions;
  readonly #pinned: PinnedView;
  readonly #save = byId("save-list", HTMLButtonElement);
  readonly #section = byId("results", HTMLElement);
  readonly #more = byId("more", HTMLButtonElement);
  readonly #guesses = byId("guesses", HTMLButtonElement);
  readonly #hood: { readonly open: boolean };
  /** The query whose guesses a person unfolded, though none fits. */
  #unfolded: string | undefined;
  /** Is told to list more. */
  onMore = () => {};
  readonly #engine: () => SmoothClir | undefined;
  readonly #nameInEnglish = latest(() => this.#fetchEnglishTitles());
  readonly #glossTitles = latest(() => this.#fetchGlosses());
  readonly #excerpt = latest(() => this.#fetchMatches());
  /** The language of each entry that a person chose, for the query shown. */
  readonly #chosen = new Map<string, string>();
  /** The engine that each card has its glosses of. */
  readonly #glossed = new WeakMap<Card, SmoothClir>();
  #cards = new Map<string, Card>();
  #query = "";
  #found: Found | undefined;

  /** Excerpts, and what fits badly folded away, are for lists of entries: with a closed `hood`. */
  constructor(store: Store, hood: { readonly open: boolean }, feedback: FeedbackHandler, engine: () => SmoothClir | undefined) {
    this.#store = store;
    this.#hood = hood;
    this.#feedback = feedback;
    this.#engine = engine;
    this.#actions = {
      judge: (hit, grade) => feedback.press(this.#query, hit, grade),
      pin: (hit) => store.set({ pin: store.state.pin === keyOf(hit) ? undefined : keyOf(hit) }),
      why: (hit) => {
        const others = store.state.why.filter((key) => key !== keyOf(hit));
        const closes = others.length < store.state.why.length;
        store.set({ why: closes ? others : [...others, keyOf(hit)].slice(-WHY_MOST) });
      },
      choose: (hit) => {
        this.#chosen.set(entryOf(hit), hit.language);
        if (this.#found) this.show(this.#found, false);
        this.#cards.get(keyOf(hit))?.focusLanguage();
      },
      explain: async (query, { id, language }, epsilon) =>
        engine()?.explain(query, { document: id, language, epsilon, dense: DENSE_WEIGHT[store.state.by], queryLanguage: this.#found?.chosen }),
      gloss: async (words, language) => (await engine()?.gloss(words, { language })) ?? [],
      fetchWords: async (language, onProgress) => {
        const here = engine();
        if (!here) return;
        await DocumentEncoders.of(here).fetch([language], { onProgress });
        for (const card of this.#all()) card.explainAgain();
      },
    };
    this.#pinned = new PinnedView(store, this.#actions);
    lightAnswers(this.#section);
    this.#more.addEventListener("click", () => this.onMore());
    this.#guesses.addEventListener("click", () => {
      this.#unfolded = this.#unfolded === this.#query ? undefined : this.#query;
      this.#fold();
    });
    this.#save.addEventListener("click", () => this.#found && save("ranking.csv", asCsv(this.#found)));
    store.subscribe((_, changed) => {
      if (changed.has("pin") || changed.has("why")) this.#showChoices();
    });
  }

  /** The rank of the pinned document in words, where there is one. */
  get pinnedInWords(): string {
    return this.#pinned.words;
  }

  /** Shows the current feedback on each card. */
  showFeedback(): void {
    for (const card of this.#all()) card.showFeedback((hit) => this.#feedback.gradeOf(this.#query, hit));
  }

  /** Shows what was found; with `move`, cards that stay glide to their new places. */
  show(found: Found, move: boolean): void {
    const { query, epsilon, hybrid, hits, entries } = found;
    if (query !== this.#query) this.#chosen.clear();
    this.#query = query;
    this.#found = found;
    this.#save.hidden = hits.length === 0;
    const best = hits[0]?.score ?? 0;
    const cards = new Map<string, Card>();
    for (const entry of entries) {
      const [first] = entry;
      const language = this.#chosen.get(entryOf(first));
      const hit = entry.find((hit) => hit.language === language) ?? first;
      const key = keyOf(hit);
      const card = this.#cards.get(key) ?? new Card("li", hit, this.#actions);
      card.update({ query, epsilon, hybrid, hit }, best);
      card.showLanguages(entry);
      card.gloss.readIn(found.language);
      cards.set(key, card);
    }
    this.#fold();
    const before = [...this.#cards.keys()];
    const after = [...cards.keys()];
    const staying = after.filter((key) => this.#cards.has(key));
    const same = before.length === after.length && before.every((key, place) => key === after[place]);
    const glide = move && !this.#calm.matches && !same;
    const tops = glide ? new Map(staying.map((key) => [key, top(cards.get(key))])) : undefined;
    this.#cards = cards;
    this.#pinned.show(found);
    this.#showChoices();
    this.showFeedback();
    void this.#excerpt();
    void this.#nameInEnglish();
    void this.#glossTitles();
    if (same) return;
    arrange(this.#list, [...cards.values()].map((card) => card.element));
    if (!tops) return;
    // Read every new place before the first animation begins, so that there is one layout only.
    const moves = staying.map((key) => [cards.get(key), (tops.get(key) ?? 0) - top(cards.get(key))] as const);
    for (const [card, distance] of moves) {
      if (card && Math.abs(distance) >= 1) glideFrom(card.element, distance);
    }
  }

  canShowMore(more: boolean): void {
    if (more && !this.#list.hidden) this.#more.hidden = false;
    else hide(this.#more, this.#section);
  }

  /** Scrolls the results into view, where they begin below the upper half of the screen or above it. */
  bringIntoView(): void {
    const { top } = this.#section.getBoundingClientRect();
    if (top > 0 && top < innerHeight / 2) return;
    this.#section.scrollIntoView({ block: "start", behavior: this.#calm.matches ? "auto" : "smooth" });
  }

  /** Folds a list away of which nothing fits. */
  #fold(): void {
    const { query = "", hits = [] } = this.#found ?? {};
    const isFolded = !this.#hood.open && hits.length > 0 && !hits.some(({ fits }) => fits);
    const isOpen = this.#unfolded === query;
    this.#list.hidden = isFolded && !isOpen;
    this.#guesses.hidden = !isFolded;
    this.#guesses.textContent = isOpen ? strings.hideGuesses : strings.showGuesses(this.#found?.entries.length ?? 0);
    this.#guesses.ariaExpanded = String(isOpen);
  }

  /** Shows what is pinned and what is explained. */
  #showChoices(): void {
    const { pin, why } = this.#store.state;
    for (const [key, card] of this.#cards) {
      card.pinned = key === pin;
      card.explained = why.includes(key);
    }
    this.#pinned.showChoices();
  }

  /** Shows the lines of each text that answer the query best, where the model has translations. */
  async #fetchMatches(): Promise<void> {
    const found = this.#found;
    if (!found || this.#hood.open) return;
    const cards = [...this.#cards.values()];
    const words = found.tokens.map(({ token, interpreted }) => interpreted ?? token);
    const known = new Map(found.matches?.map((matches, place) => [keyOf(found.hits[place]!), matches]));
    if (found.matches) {
      for (const card of cards) card.showExcerpt(known.get(keyOf(card.hit)) ?? [], words, found.language);
      return;
    }
    // Of what is hardly an answer no word answers the query.
    const some = cards.filter(({ hit }) => hit.lexical !== undefined && hit.fits);
    for (const card of cards) if (!some.includes(card)) card.showExcerpt([], words, found.language);
    const names = some.map(({ hit: { id, language } }) => ({ document: id, language }));
    if (names.length === 0) return;
    try {
      const all = await this.#engine()?.matches(found.query, names, { queryLanguage: found.chosen });
      if (this.#found === found) some.forEach((card, place) => card.showExcerpt(all?.[place] ?? [], words, found.language));
    } catch {
      // The search says what is wrong with the engine.
    }
  }

  /** Shows the English titles that are known, once the page has nothing more urgent to do. */
  async #fetchEnglishTitles(): Promise<void> {
    await rest();
    const titles = this.#found?.hits.length === 0 ? {} : await englishTitles();
    for (const card of this.#all()) {
      const title = titles[entryOf(card.hit)];
      if (title !== undefined) card.gloss.showEnglish(title);
    }
  }

  /** Glosses the titles, a language at a time, once the list has stood for a while. */
  async #fetchGlosses(): Promise<void> {
    const found = this.#found;
    await new Promise((resolve) => setTimeout(resolve, GLOSS_AFTER_MS));
    await rest();
    const engine = this.#engine();
    if (!engine) return;
    const all = this.#all().filter((card) => this.#glossed.get(card) !== engine);
    // Without translations there is nothing to ask for.
    const [cards, others] = [all.filter(({ hit }) => hit.lexical !== undefined), all.filter(({ hit }) => hit.lexical === undefined)];
    for (const card of others) card.gloss.show(false, []);
    for (const language of new Set(cards.map(({ hit }) => hit.language))) {
      // The list that took its place is glossed next.
      if (this.#found !== found) return;
      const some = cards.filter(({ hit }) => hit.language === language);
      const words = some.map(({ hit }) => wordsOf(hit.title));
      // Titles may be names only: the beginnings of texts tell whether the model has translations.
      const beginnings = some.flatMap(({ hit }) => wordsOf(hit.text.slice(0, 200)));
      try {
        const glosses = await engine.gloss([...words.flat(), ...beginnings], { language });
        const isKnown = glosses.some((gloss) => gloss !== undefined);
        let end = 0;
        for (const [place, card] of some.entries()) {
          card.gloss.show(isKnown, glosses.slice(end, (end += words[place]?.length ?? 0)));
          this.#glossed.set(card, engine);
        }
      } catch {
        // The search says what is wrong with the engine.
        return;
      }
    }
  }

  #all(): Card[] {
    const { card } = this.#pinned;
    return [...this.#cards.values(), ...(card ? [card] : [])];
  }
}

/** A list with what its scores are made of. */
function asCsv({ query, epsilon, hits }: Found): Blob {
  const columns = ["query", "epsilon", "rank", "language", "id", "title", "score", "similarity", "lexical", "dot", "document norm"];
  const rows = hits.map(({ language, id, title, score, similarity, lexical = "", dot, documentNorm }, place) =>
    [query, epsilon, place + 1, language, id, title, score, similarity, lexical, dot, documentNorm]);
  return new Blob([toCsv([columns, ...rows])], { type: "text/csv" });
}

/** Brings a list to these elements in this order. Those that keep their neighbours stay untouched: they need no layout. */
function arrange(list: Element, elements: readonly Element[]): void {
  const kept = new Set(elements);
  for (const element of [...list.children]) if (!kept.has(element)) element.remove();
  let next = list.firstElementChild;
  for (const element of elements) {
    // The element after `next` is right, so `next` itself has moved: its turn comes.
    if (next !== element && next?.nextElementSibling === element) next = element;
    if (next === element) next = element.nextElementSibling;
    else list.insertBefore(element, next);
  }
}

const top = (card: Card | undefined) => card?.element.getBoundingClientRect().top ?? 0;

function glideFrom(element: HTMLElement, distance: number): void {
  for (const animation of element.getAnimations()) animation.cancel();
  element.animate([{ transform: `translateY(${distance}px)` }, { transform: "none" }], {
    duration: MOVE_MS,
    easing: "cubic-bezier(0.2, 0, 0, 1)",
  });
}

import { Card, type Actions } from "./card";
import { byId, make } from "../ui/dom";
import * as format from "../ui/format";
import { keyOf } from "../model/document-key";
import { RANKED, type Found } from "./found";
import type { Store } from "../state/state";
import { languageName, strings } from "../i18n/strings";

/** Changes that follow each other faster are one move. */
const MOVE_ENDS_AFTER_MS = 1000;

/** The document that is watched: on top of the list, wherever it ranks. */
export class PinnedView {
  readonly #root = byId("pinned", HTMLElement);
  readonly #rank = make("p", "rank");
  readonly #unpin = make("button", "tool", strings.pin.unpin);
  readonly #store: Store;
  readonly #actions: Actions;
  #key: string | undefined;
  #card: Card | undefined;
  /** Its rank now, before this move, and when that was last seen. */
  #now: number | undefined;
  #from: number | undefined;
  #seen = 0;

  constructor(store: Store, actions: Actions) {
    this.#store = store;
    this.#actions = actions;
    this.#unpin.type = "button";
    this.#unpin.addEventListener("click", () => store.set({ pin: undefined }));
    this.#root.append(this.#rank, this.#unpin);
  }

  get card(): Card | undefined {
    return this.#card;
  }

  /** The rank in words, for screen readers; empty where nothing is pinned. */
  get words(): string {
    return this.#root.hidden ? "" : strings.pin.announce(this.#rank.textContent);
  }

  show(found: Found): void {
    const { pin, language } = this.#store.state;
    if (pin !== this.#key) {
      this.#key = pin;
      this.#card?.element.remove();
      this.#card = undefined;
      this.#now = this.#from = undefined;
    }
    const [best] = found.ranking;
    this.#root.hidden = pin === undefined || !best;
    if (pin === undefined || !best) return;
    const ranking = found.ranking.slice(0, RANKED);
    const place = ranking.findIndex((hit) => keyOf(hit) === pin);
    const hit = ranking[place];
    this.#unpin.hidden = hit !== undefined;
    if (this.#card) this.#card.element.hidden = hit === undefined;
    if (!hit) {
      const away = language !== undefined && !pin.startsWith(`${language} `);
      this.#say("none", away ? strings.pin.otherLanguage(languageName(language)) : strings.pin.notRanked);
      return;
    }
    if (!this.#card) {
      this.#card = new Card("div", hit, this.#actions);
      this.#root.append(this.#card.element);
    }
    this.#card.update({ ...found, hit }, best.score);
    this.#card.gloss.readIn(found.language);
    const more = found.ranking.length > ranking.length;
    this.#move(place + 1, `${format.count(ranking.length)}${more ? "+" : ""}`);
  }

  /** Shows whether it is explained, and at once that it is pinned no more. */
  showChoices(): void {
    const { pin, why } = this.#store.state;
    if (pin === undefined) this.#root.hidden = true;
    if (!this.#card || this.#key === undefined) return;
    this.#card.pinned = this.#key === pin;
    this.#card.explained = why.includes(this.#key);
  }

  #move(rank: number, of: string): void {
    const time = performance.now();
    if (time - this.#seen > MOVE_ENDS_AFTER_MS) this.#from = this.#now;
    this.#seen = time;
    this.#now = rank;
    const from = this.#from ?? rank;
    const way = from === rank ? "none" : from > rank ? "up" : "down";
    this.#say(way, strings.pin.rank(rank, of, way, from));
  }

  #say(way: "up" | "down" | "none", words: string): void {
    this.#rank.className = `rank move-${way}`;
    if (this.#rank.textContent !== words) this.#rank.textContent = words;
  }
}

import type { Hit } from "smooth-clir";
import { byId, make } from "./dom";
import * as format from "./format";
import { languageName, strings } from "./strings";
import { MarkButtons } from "./teach/mark-buttons";
import type { Grade } from "./teach/marks";

const MOVE_MS = 260;

/** Where the marks on results are kept. */
export interface Marking {
  /** A mark's button was pressed on a result of this query. */
  press(query: string, hit: Hit, grade: Grade): void;
  gradeOf(query: string, hit: Hit): Grade | undefined;
}

/** One document in the list; made once, its numbers change with epsilon. */
class Card {
  readonly element = make("li", "card");
  readonly #score = make("span", "score-value");
  readonly #bar = make("div", "bar");
  readonly #dot = make("span");
  readonly #norm = make("span");
  readonly #hit: Hit;
  readonly #marks: MarkButtons;

  constructor(hit: Hit, onMark: (grade: Grade) => void) {
    this.#hit = hit;
    this.#marks = new MarkButtons(hit, onMark);
    const title = make("h3", "", hit.title);
    const language = make("p", "language", languageName(hit.language));
    const text = make("p", "text", withoutTitle(hit.text, hit.title));
    for (const element of [title, text]) {
      element.lang = hit.language;
      element.dir = "auto";
    }
    const score = make("p", "score");
    score.append(make("span", "score-name", strings.score), " ", this.#score);
    const head = make("div", "card-head");
    head.append(title, language, score);
    this.#bar.ariaHidden = "true";
    const numbers = make("p", "numbers");
    numbers.append(this.#dot, " ", this.#norm);
    const foot = make("div", "card-foot");
    foot.append(numbers, this.#marks.element);
    this.element.append(head, this.#bar, text, foot);
  }

  mark(gradeOf: (hit: Hit) => Grade | undefined): void {
    this.#marks.show(gradeOf(this.#hit));
  }

  update(hit: Hit, best: number): void {
    this.#score.textContent = format.score(hit.score);
    this.#dot.textContent = strings.dot(format.measured(hit.dot));
    this.#norm.textContent = strings.norm(format.measured(hit.documentNorm));
    const share = best > 0 ? Math.max(hit.score / best, 0) : 0;
    this.#bar.style.setProperty("--share", share.toFixed(4));
  }
}

/** The list of hits. */
export class ResultsView {
  readonly #list = byId("hits", HTMLOListElement);
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  readonly #marking: Marking;
  #cards = new Map<string, Card>();
  #query = "";

  constructor(marking: Marking) {
    this.#marking = marking;
  }

  /** Shows the marks of now. */
  showMarks(): void {
    for (const card of this.#cards.values()) card.mark((hit) => this.#marking.gradeOf(this.#query, hit));
  }

  /** Shows the hits of a query, best first; with `move`, cards that stay glide to their new places. */
  show(query: string, hits: readonly Hit[], move: boolean): void {
    this.#query = query;
    const best = hits[0]?.score ?? 0;
    const cards = new Map<string, Card>();
    for (const hit of hits) {
      // Indexes of two languages may use the same ids.
      const key = `${hit.language} ${hit.id}`;
      const onMark = (grade: Grade) => this.#marking.press(this.#query, hit, grade);
      const card = this.#cards.get(key) ?? new Card(hit, onMark);
      card.update(hit, best);
      cards.set(key, card);
    }
    const before = [...this.#cards.keys()];
    const after = [...cards.keys()];
    const staying = after.filter((key) => this.#cards.has(key));
    const same = before.length === after.length && before.every((key, place) => key === after[place]);
    this.#cards = cards;
    this.showMarks();
    if (same) return;
    const glide = move && !this.#calm.matches;
    const tops = glide ? new Map(staying.map((key) => [key, top(cards.get(key))])) : undefined;
    this.#list.replaceChildren(...[...cards.values()].map((card) => card.element));
    if (!tops) return;
    // Read every new place before the first animation begins, so that there is one layout only.
    const moves = staying.map((key) => [cards.get(key), (tops.get(key) ?? 0) - top(cards.get(key))] as const);
    for (const [card, distance] of moves) {
      if (card && Math.abs(distance) >= 1) glideFrom(card.element, distance);
    }
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

/** An encyclopaedia's text often begins with its title, which already stands above it. */
function withoutTitle(text: string, title: string): string {
  if (title === "" || !text.startsWith(title)) return text;
  const rest = text.slice(title.length).replace(/^\s*[.:,;–—-]?\s+/, "");
  return /^\p{L}/u.test(rest) && text.length - title.length !== rest.length ? rest : text;
}

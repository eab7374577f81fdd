import type { Hit } from "smooth-clir";
import type { Lab } from "smooth-clir/lab";
import { byId, make } from "../../ui/dom";
import * as format from "../../ui/format";
import { keyOf } from "../../model/document-key";
import { latest } from "../../ui/latest";
import { languageName, strings } from "../../i18n/strings";
import type { Page } from "./page";

/** A query whose two first documents change rank with the demo model: see the tests. */
const QUERY = "sweet fruit";
/** The range of epsilon in which a swap point is easy to see on the slider. */
const RANGE = [0.05, 5] as const;
const LARGE = 10;
const text = strings.story;

/** A document with a short vector and one with a long one, whose order epsilon turns around. */
export class Story {
  readonly #page: Page;
  readonly #lab: Lab;
  readonly #root = byId("story", HTMLElement);
  readonly #now = make("p", "story-now");
  /** Tells it, once for each state of the model. */
  readonly tell = latest(() => this.#tell());
  #told = false;
  #two: { short: Hit; long: Hit; queryNorm: number } | undefined;

  constructor(page: Page, lab: Lab) {
    this.#page = page;
    this.#lab = lab;
  }

  /** The model was fine-tuned, or there are other documents: the next search tells the story anew. */
  changed(): void {
    this.#told = false;
  }

  /** It is not told of the model at work. */
  hide(): void {
    this.#told = false;
    this.#root.hidden = true;
  }

  async #tell(): Promise<void> {
    const engine = this.#page.engine();
    if (this.#told || !engine) return;
    this.#told = true;
    try {
      const [[a, b], { queryNorm }] = await Promise.all([engine.search(QUERY, { limit: 2 }), engine.dots(QUERY)]);
      const [change] = a && b ? this.#lab.swapPoints([a.dot, b.dot], [a.documentNorm, b.documentNorm]) : [];
      if (!a || !b || !change || change.epsilon < RANGE[0] || change.epsilon > RANGE[1]) {
        this.#two = undefined;
        this.#root.hidden = true;
        return;
      }
      const [short, long] = change.first === 0 ? [a, b] : [b, a];
      this.#two = { short, long, queryNorm };
      this.#build(short, long, change.epsilon);
    } catch {
      // The page does without.
      this.#told = false;
    }
  }

  /** Follows epsilon. */
  update(): void {
    if (!this.#two) return;
    const { short, long, queryNorm } = this.#two;
    const epsilon = this.#page.epsilon();
    const [a, b] = [short, long].map(
      ({ dot, documentNorm }) => this.#lab.scores(dot, queryNorm, documentNorm, [epsilon])[0]!,
    ) as [number, number];
    this.#now.textContent = text.now(
      format.plain(epsilon),
      [short.title, format.score(a)],
      [long.title, format.score(b)],
      a > b ? short.title : long.title,
    );
  }

  #build(short: Hit, long: Hit, at: number): void {
    const { store } = this.#page;
    const heading = make("h2", "", text.heading);
    heading.id = "story-heading";
    const who = ({ title, language, documentNorm, dot }: Hit) =>
      [title, languageName(language), format.measured(documentNorm), format.measured(dot)] as const;
    const pair = [keyOf(short), keyOf(long)] as const;
    const [words, wordsOfLong] = [short, long].map(({ text }) => format.count(text.match(/\p{L}+/gu)?.length ?? 0));
    const stops = [
      [text.cosine(short.title), 0],
      [text.swapPoint(format.plain(at)), Number(at.toPrecision(6))],
      [text.large(long.title), LARGE],
    ] as const;
    const buttons = stops.map(([name, epsilon]) => {
      const button = make("button", "tool", name);
      button.type = "button";
      button.addEventListener("click", () => store.set({ query: QUERY, language: undefined, epsilon, pair }));
      return button;
    });
    const row = make("div", "story-buttons");
    row.append(...buttons);
    this.#root.replaceChildren(
      heading,
      make("p", "", text.first(QUERY, who(short), who(long))),
      make("p", "", text.length(words!, wordsOfLong!)),
      make("p", "", text.turn(format.plain(at))),
      row,
      this.#now,
    );
    this.#root.hidden = false;
    this.update();
  }
}

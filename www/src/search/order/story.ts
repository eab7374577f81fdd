import type { Hit } from "smooth-clir";
import type { Lab } from "smooth-clir/lab";
import { byId, make } from "../../ui/dom";
import * as format from "../../ui/format";
import { keyOf } from "../../model/document-key";
import { languageName, strings } from "../../i18n/strings";
import type { Found } from "../found";
import type { Page } from "./page";

/** The range of epsilon in which a swap point is easy to see on the slider. */
const RANGE = [0.05, 5] as const;
/** The documents among which two are looked for whose order is told. */
const FIRST = 5;
const LARGE = 10;
const text = strings.story;

/** Two of a query's first documents, one with a short vector and one with a long one, whose order epsilon turns around. */
export class Story {
  readonly #page: Page;
  readonly #lab: Lab;
  readonly #root = byId("story", HTMLElement);
  readonly #now = make("p", "story-now");
  #shown = "";
  #two: { short: Hit; long: Hit; queryNorm: number } | undefined;

  constructor(page: Page, lab: Lab) {
    this.#page = page;
    this.#lab = lab;
  }

  /** There is nothing to tell. */
  hide(): void {
    this.#two = undefined;
    this.#shown = "";
    this.#root.hidden = true;
  }

  /** Tells of the two highest documents of a list that change rank, where there are two such. */
  tell({ query, epsilon, hits }: Found): void {
    const first = hits.slice(0, FIRST);
    const changes = this.#lab.swapPoints(
      first.map(({ dot }) => dot),
      first.map(({ documentNorm }) => documentNorm),
    );
    const [change] = changes
      .filter(({ epsilon }) => epsilon >= RANGE[0] && epsilon <= RANGE[1])
      .sort((a, b) => a.first + a.second - (b.first + b.second));
    if (!change) return this.hide();
    const [short, long] = [first[change.first]!, first[change.second]!];
    const { similarity, dot, documentNorm } = short;
    // From the formula of the similarity: the list does not have it.
    const queryNorm = dot / (similarity * (documentNorm + epsilon)) - epsilon;
    this.#two = { short, long, queryNorm };
    const shown = [query, keyOf(short), keyOf(long), change.epsilon].join("\n");
    if (shown !== this.#shown) this.#build(query, short, long, change.epsilon);
    this.#shown = shown;
    this.update();
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

  #build(query: string, short: Hit, long: Hit, at: number): void {
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
      [text.large(format.plain(LARGE), long.title), LARGE],
    ] as const;
    const buttons = stops.map(([name, epsilon]) => {
      const button = make("button", "tool", name);
      button.type = "button";
      button.addEventListener("click", () => store.set({ epsilon, pair }));
      return button;
    });
    const row = make("div", "story-buttons");
    row.append(...buttons);
    this.#root.replaceChildren(
      heading,
      make("p", "", text.first(query, who(short), who(long))),
      make("p", "", text.length(words!, wordsOfLong!)),
      make("p", "", text.turn(format.plain(at))),
      row,
      this.#now,
    );
    this.#root.hidden = false;
  }
}

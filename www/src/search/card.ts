import type { Hit, LexicalMatch } from "smooth-clir";
import { isRightToLeft, make } from "../ui/dom";
import * as format from "../ui/format";
import { languageName, strings } from "../i18n/strings";
import { FeedbackButtons } from "../finetune/feedback-buttons";
import type { Grade } from "../finetune/feedback";
import type { ShownHit } from "./shown-hit";
import { CardGloss, type Glosser } from "./gloss/card-gloss";
import { Excerpt } from "./gloss/excerpt";
import { keyOf } from "../model/document-key";
import { Why, type Explainer } from "./why/why";

/** The actions of a card's buttons. */
export interface Actions extends Explainer {
  gloss: Glosser;
  judge(hit: Hit, grade: Grade): void;
  pin(hit: Hit): void;
  why(hit: Hit): void;
  /** Shows this document of an entry instead of another. */
  choose(hit: Hit): void;
}

/** From these probabilities on a document is a very likely, a likely and a possible answer: the last as `fits` has it. */
const LIKELY = [0.6, 0.3, 0.12] as const;

/** One document; made once, its numbers change with epsilon. */
export class Card {
  readonly element: HTMLElement;
  readonly #score = make("span", "score-value");
  readonly #bar = make("div", "bar");
  readonly #confidence = make("p", "confidence");
  readonly #similarity = make("span");
  readonly #lexical = make("span");
  readonly #dot = make("span");
  readonly #norm = make("span");
  /** As it was found last: another model may have found it before. */
  hit: Hit;
  readonly #feedback: FeedbackButtons;
  readonly #pin: HTMLButtonElement;
  readonly #why: Why;
  readonly #languages = make("div", "pills");
  readonly #excerpt: Excerpt;
  readonly #choose: (hit: Hit) => void;
  readonly gloss: CardGloss;

  constructor(tag: "li" | "div", hit: Hit, actions: Actions) {
    this.element = make(tag, "card");
    this.hit = hit;
    this.#feedback = new FeedbackButtons(hit, (grade) => actions.judge(hit, grade));
    this.#choose = actions.choose;
    const title = make("h3", "", hit.title);
    this.#languages.role = "group";
    this.#languages.ariaLabel = strings.languagesOf(hit.title);
    const text = make("p", "text", withoutTitle(hit.text, hit.title));
    this.#excerpt = new Excerpt(hit, text.textContent);
    for (const element of [title, text]) {
      element.lang = hit.language;
      element.dir = "auto";
    }
    const read = toolButton(strings.gloss.whole, hit, () => this.gloss.toggle());
    read.classList.add("opener", "read");
    this.gloss = new CardGloss(this.element, hit, text, read, actions.gloss);
    const score = make("p", "score");
    score.append(make("span", "score-name", strings.score), " ", this.#score);
    const head = make("div", "card-head");
    head.append(title, this.gloss.title, this.#languages, this.#confidence, score);
    this.#bar.ariaHidden = "true";
    const numbers = make("p", "numbers");
    numbers.append(this.#similarity, this.#lexical, this.#dot, " ", this.#norm);
    this.#why = new Why(hit, text, actions);
    this.#pin = toolButton(strings.pin.button, hit, () => actions.pin(hit));
    const why = toolButton(strings.why.button, hit, () => actions.why(hit));
    why.classList.add("opener");
    this.#why.control(why);
    const tools = make("div", "card-tools");
    tools.append(read, why, this.#pin);
    const foot = make("div", "card-foot");
    foot.append(numbers, tools, this.#feedback.element);
    // What is written from right to left begins at the right; the card's own words do not.
    if (isRightToLeft(hit.language)) this.element.dir = "rtl";
    foot.dir = this.#why.element.dir = this.gloss.title.dir = "ltr";
    this.element.append(head, this.#bar, this.#excerpt.element, text, this.gloss.text, foot, this.#why.element);
    this.showLanguages([hit]);
  }

  /** Shows the languages of an entry's documents; a press on one shows that document. */
  showLanguages(entry: readonly Hit[]): void {
    const key = entry.map(keyOf).join();
    if (this.#languages.dataset["of"] === key) return;
    this.#languages.dataset["of"] = key;
    if (entry.length === 1) {
      this.#languages.replaceChildren(make("span", "language", languageName(this.hit.language)));
      return;
    }
    const pills = entry.map((hit) => {
      const pill = make("button", "pill", languageName(hit.language));
      pill.type = "button";
      pill.ariaPressed = String(keyOf(hit) === keyOf(this.hit));
      pill.addEventListener("click", () => this.#choose(hit));
      return pill;
    });
    this.#languages.replaceChildren(...pills);
  }

  /** Focuses the language of the document that it shows. */
  focusLanguage(): void {
    this.#languages.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
  }

  /** Shows the lines of the text that answer a query's words best. */
  showExcerpt(matches: readonly LexicalMatch[], words: readonly string[], language: string): void {
    this.#excerpt.show(matches, words, language);
    this.gloss.showAnswers(matches, words);
  }

  showFeedback(gradeOf: (hit: Hit) => Grade | undefined): void {
    this.#feedback.show(gradeOf(this.hit));
  }

  update(shown: ShownHit, best: number): void {
    const { hit, hybrid } = shown;
    this.hit = hit;
    this.#similarity.textContent = hybrid ? strings.rankings.dense(format.measured(hit.similarity)) : "";
    this.#lexical.textContent = hybrid && hit.lexical !== undefined ? strings.rankings.lexical(format.measured(hit.lexical)) : "";
    this.#score.textContent = format.score(hit.score);
    this.#dot.textContent = strings.dot(format.measured(hit.dot));
    this.#norm.textContent = strings.norm(format.measured(hit.documentNorm));
    const { probability } = hit;
    const level = LIKELY.findIndex((least) => probability !== undefined && probability >= least);
    this.#confidence.textContent = probability === undefined ? "" : strings.confidence.at(level)!;
    const ofBest = best > 0 ? Math.max(hit.score / best, 0) : 0;
    const share = probability ?? ofBest;
    this.#bar.style.setProperty("--share", share.toFixed(4));
    this.#why.update(shown);
  }

  set pinned(pinned: boolean) {
    this.#pin.ariaPressed = String(pinned);
    this.element.classList.toggle("is-pinned", pinned);
  }

  set explained(explained: boolean) {
    this.#why.open = explained;
    this.element.classList.toggle("is-explained", explained);
  }

  /** Explains again: more words can be explained than before. */
  explainAgain(): void {
    this.#why.again();
  }
}

/** A button that says of which document it is. */
function toolButton(name: string, { title, language }: Hit, onPress: () => void): HTMLButtonElement {
  const button = make("button", "tool", name);
  button.type = "button";
  const of = make("span", "visually-hidden", title);
  of.lang = language;
  button.append(" ", of);
  button.addEventListener("click", onPress);
  return button;
}

/** An encyclopaedia's text often begins with its title, which already stands above it. */
function withoutTitle(text: string, title: string): string {
  if (title === "" || !text.startsWith(title)) return text;
  const rest = text.slice(title.length).replace(/^\s*[.:,;–—-]?\s+/, "");
  return /^\p{L}/u.test(rest) && text.length - title.length !== rest.length ? rest : text;
}

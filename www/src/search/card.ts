import type { Hit } from "smooth-clir";
import { make } from "../ui/dom";
import * as format from "../ui/format";
import { languageName, strings } from "../i18n/strings";
import { FeedbackButtons } from "../finetune/feedback-buttons";
import type { Grade } from "../finetune/feedback";
import type { ShownHit } from "./shown-hit";
import { CardGloss, type Glosser } from "./gloss/card-gloss";
import { Why, type Explainer } from "./why/why";

/** The actions of a card's buttons. */
export interface Actions extends Explainer {
  gloss: Glosser;
  judge(hit: Hit, grade: Grade): void;
  pin(hit: Hit): void;
  why(hit: Hit): void;
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
  readonly gloss: CardGloss;

  constructor(tag: "li" | "div", hit: Hit, actions: Actions) {
    this.element = make(tag, "card");
    this.hit = hit;
    this.#feedback = new FeedbackButtons(hit, (grade) => actions.judge(hit, grade));
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
    head.append(title, language, this.#confidence, score);
    this.#bar.ariaHidden = "true";
    const numbers = make("p", "numbers");
    numbers.append(this.#similarity, this.#lexical, this.#dot, " ", this.#norm);
    this.#why = new Why(hit, text, actions);
    this.#pin = toolButton(strings.pin.button, hit, () => actions.pin(hit));
    const why = toolButton(strings.why.button, hit, () => actions.why(hit));
    why.classList.add("opener");
    this.#why.control(why);
    const glosses = toolButton(strings.gloss.button, hit, () => this.gloss.toggle());
    glosses.classList.add("opener");
    this.gloss = new CardGloss(hit, text, glosses, actions.gloss);
    const tools = make("div", "card-tools");
    tools.append(glosses, why, this.#pin);
    const foot = make("div", "card-foot");
    foot.append(numbers, tools, this.#feedback.element);
    this.element.append(head, this.gloss.title, this.#bar, text, this.gloss.text, foot, this.#why.element);
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

import { Alone } from "../../ui/alone";
import { onNewColours } from "../../ui/colours";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { withTerms } from "../../ui/glossary/glossary";
import { FIGURES } from "../../state/learn";
import type { Context, Mount, View } from "../view";
import { Bound } from "./bound";
import { Cost } from "./cost";
import { Explosion } from "./explosion";
import { Loss } from "./loss";
import { Order } from "./order";
import { Presenter } from "./presenter";
import { Section, type Subject } from "./section";
import { text } from "./strings";
import { TrainingSubject } from "./training";
import "./learn.css";

type Make = new (context: Context, redraw: () => void) => Subject;

/** In the order of `FIGURES`. */
const SUBJECTS: readonly Make[] = [Explosion, Bound, Cost, Order, Loss, TrainingSubject];

/** The argument for smooth cosine similarity in six figures, each of which asks before it shows. */
class LearnView implements View {
  readonly #context: Context;
  readonly #sections: readonly Section[];
  readonly #presenter: Presenter;
  readonly #alone = new Alone();
  #scrolled = "";

  constructor(root: HTMLElement, context: Context) {
    const { store } = context;
    this.#context = context;
    this.#sections = SUBJECTS.map((Subject, at) => {
      const present = (from: HTMLElement) => this.#presenter.begin(at + 1, from);
      const section: Section = new Section(context, new Subject(context, () => section.redraw()), present);
      return section;
    });
    this.#presenter = new Presenter(store, this.#sections);

    const heading = make("h2", "", text.title);
    const lead = make("p", "learn-lead");
    lead.append(...withTerms(text.lead(format.count(FIGURES.length))));
    const forClass = make("div", "learn-class");
    const present = make("button", "", text.present);
    present.type = "button";
    present.addEventListener("click", () => this.#presenter.begin(1, present));
    forClass.append(present, make("p", "", text.classText));

    const lessons = make("section", "learn-lessons");
    const link = make("a", "", text.lessonsLink);
    link.href = "#view=lessons";
    lessons.append(make("h3", "", text.lessonsHeading), make("p", "", text.lessonsText), link);
    root.append(heading, lead, forClass, ...this.#sections.map(({ element }) => element), lessons);
    onNewColours(() => {
      for (const section of this.#sections) section.redraw();
    });
  }

  update(): void {
    const { learn, embed } = this.#context.store.state;
    const presented = this.#presenter.section;
    this.#presenter.update();
    const embedded = embed ? this.#sections.find(({ name }) => name === learn.figure) : undefined;
    const alone = this.#presenter.section ?? embedded;
    this.#alone.show(alone?.element);
    document.documentElement.classList.toggle("figure-alone", alone !== undefined);
    for (const section of this.#sections) {
      section.alone = section === alone;
      section.update();
    }
    // A link may begin a presentation.
    if (!presented && this.#presenter.section) this.#presenter.focus();
    if (presented && !this.#presenter.section) this.#presenter.returnFocus();
    this.#scroll();
  }

  engineChanged(): void {
    for (const section of this.#sections) section.engineChanged();
  }

  leave(): void {
    this.#presenter.leave();
    this.#alone.show(undefined);
    document.documentElement.classList.remove("figure-alone", "presenting");
    for (const section of this.#sections) section.leave();
  }

  /** Brings the figure of the link into view, once. */
  #scroll(): void {
    const { figure, present } = this.#context.store.state.learn;
    if (figure === this.#scrolled) return;
    this.#scrolled = figure;
    const section = this.#sections.find(({ name }) => name === figure);
    if (section && present === 0) requestAnimationFrame(() => section.element.scrollIntoView());
  }
}

export const mount: Mount = (root, context) => new LearnView(root, context);

import { changed } from "../../ui/changed";
import { Figure, type Table } from "../../ui/charts/figure";
import { make } from "../../ui/dom";
import { withTerms } from "../../ui/glossary/glossary";
import { strings } from "../../i18n/strings";
import type { FigureName, LearnState } from "../../state/learn";
import { fromHash, toHash, type State, type ViewName } from "../../state/state";
import type { Context } from "../view";
import type { Prediction } from "./prediction";
import { Sharing } from "./sharing";
import { text } from "./strings";

/** What a figure shows now. */
export interface Drawn {
  title: string;
  question: string;
  /** One sentence of explanation. */
  sentence: string;
  table: Table;
}

/** A figure of the argument: a picture, a question about it, and controls for whoever has seen the answer. */
export interface Subject {
  readonly name: FigureName;
  readonly prose: readonly string[];
  /** The name of saved files. */
  readonly file: string;
  readonly plot: readonly Element[];
  readonly prediction: Prediction;
  readonly controls: readonly HTMLElement[];
  /** What the picture is drawn from, besides what makes the subject ask for it itself. */
  inputs(): readonly unknown[];
  /** Draws the picture, with the answer or without it; undefined while there is nothing to ask about. */
  draw(told: boolean): Drawn | undefined;
  /** The answer, and how far the prediction is from it. */
  outcome(): string;
  /** Computes the answer, where that takes time; resolves to whether there is one. */
  find?(): Promise<boolean>;
  /** Why there is no answer yet, or no question. */
  readonly status?: string;
  /** The view of the lab with more of this, and its settings. */
  lab(): { view: ViewName; settings?: Partial<State> };
  engineChanged?(): void;
  leave?(): void;
}

/** A section of the argument: its heading and text, the prediction, the figure, and where it leads. */
export class Section {
  readonly element = make("section", "learn-section");
  readonly name: FigureName;
  readonly #context: Context;
  readonly #subject: Subject;
  readonly #figure: Figure;
  readonly #ask = make("div", "learn-ask");
  /** Takes the focus while there is no button to press. */
  readonly heading: HTMLHeadingElement;
  readonly #question = make("p", "learn-question");
  readonly #button = make("button", "primary");
  readonly #status = make("p", "learn-status");
  readonly #outcome = make("p", "learn-outcome");
  readonly #controls = make("div", "learn-controls");
  readonly #lab = make("a");
  readonly #sharing: Sharing;
  readonly #isOther = changed();
  #drawn: Drawn | undefined;

  /** `present` shows the figure alone, and gets the button that was pressed. */
  constructor(context: Context, subject: Subject, present: (from: HTMLElement) => void) {
    this.#context = context;
    this.#subject = subject;
    const name = (this.name = subject.name);
    const heading = (this.heading = make("h3", "learn-heading", text.headings[name]));
    heading.id = `learn-${name}`;
    heading.tabIndex = -1;
    this.element.setAttribute("aria-labelledby", heading.id);
    const prose = make("div", "learn-prose");
    for (const one of subject.prose) {
      const paragraph = make("p");
      paragraph.append(...withTerms(unbroken(one)));
      prose.append(paragraph);
    }

    this.#figure = new Figure(text.headings[name], subject.file);
    this.#figure.plot.append(...subject.plot);
    this.#controls.append(...subject.controls);
    this.#figure.plot.after(this.#controls);

    this.#button.type = "button";
    this.#button.addEventListener("click", () => void this.#press());
    // Read out when it changes.
    const said = make("div", "learn-said");
    said.role = "status";
    said.append(this.#status, this.#outcome);
    this.#ask.append(this.#question, subject.prediction.element, this.#button, said);
    const work = make("div", "learn-work");
    work.append(this.#ask, this.#figure.element);

    this.#sharing = new Sharing(text.headings[name], () => this.#address(), present);
    const more = make("div", "learn-more");
    more.append(...this.#figure.extras, this.#sharing.element);
    const onward = make("p", "learn-onward");
    onward.append(this.#lab);
    this.element.append(heading, prose, work, more, onward);
  }

  /** The button that shows the answer. */
  get button(): HTMLButtonElement {
    return this.#button;
  }

  /** Whether nothing else is shown: its headings are then the page's first. */
  set alone(alone: boolean) {
    const all = this.element.querySelectorAll<HTMLHeadingElement>("h3");
    for (const heading of all) heading.ariaLevel = alone ? (heading === this.heading ? "1" : "2") : null;
  }

  /** Draws the picture again, whether or not what it is drawn from has changed. */
  redraw(): void {
    this.#isOther();
    this.update();
  }

  update(): void {
    const told = this.#isTold();
    const { prediction } = this.#subject;
    if (this.#isOther(told, ...this.#subject.inputs())) this.#drawn = this.#subject.draw(told);
    const drawn = this.#drawn;
    const { status = "" } = this.#subject;
    this.#ask.hidden = !drawn && status === "";
    this.#question.hidden = this.#button.hidden = this.#figure.element.hidden = !drawn;
    prediction.element.hidden = told || !drawn;
    this.#controls.hidden = !told;
    if (drawn && document.activeElement === this.heading) this.#button.focus({ preventScroll: true });
    this.#button.textContent = told ? text.again : text.show;
    this.#button.classList.toggle("primary", !told);
    say(this.#status, status);
    say(this.#outcome, told && drawn ? this.#subject.outcome() : "");
    this.#sharing.update();
    const { view, settings } = this.#subject.lab();
    const { embed } = this.#context.store.state;
    this.#lab.textContent = embed ? text.source : view === "search" ? text.inSearch : text.inLab(strings.views[view]);
    this.#lab.href = embed ? toHash(this.#state({ figure: this.name })) : toHash({ ...(fromHash("") as State), view, ...settings });
    // From a page that embeds the figure the lab opens beside it.
    this.#lab.target = embed ? "_blank" : "";
    if (!drawn) return;
    this.#figure.title = drawn.title;
    this.#figure.summary = unbroken(drawn.sentence);
    this.#figure.table = drawn.table;
    say(this.#question, unbroken(drawn.question));
  }

  engineChanged(): void {
    this.#subject.engineChanged?.();
  }

  leave(): void {
    this.#subject.leave?.();
  }

  #isTold(): boolean {
    return this.#context.store.state.learn.told.includes(this.name);
  }

  async #press(): Promise<void> {
    if (this.#isTold()) {
      this.#subject.prediction.reset();
      this.#setTold(false);
      return;
    }
    const found = this.#subject.find ? await this.#subject.find() : true;
    if (found) this.#setTold(true);
  }

  #setTold(told: boolean): void {
    const { store } = this.#context;
    const others = store.state.learn.told.filter((name) => name !== this.name);
    store.set({ learn: { ...store.state.learn, told: told ? [...others, this.name] : others } });
  }

  /** The page as it is, with this figure. */
  #state(patch: Partial<LearnState>): State {
    const { learn, query } = this.#context.store.state;
    const told = learn.told.filter((name) => name === this.name);
    return { ...(fromHash("") as State), view: "learn", query, learn: { ...learn, present: 0, told, ...patch } };
  }

  #address(): { link: string; embed: string } {
    const state = this.#state({ figure: this.name });
    const address = (state: State) => {
      const url = new URL(location.href);
      url.hash = toHash(state);
      return url.href;
    };
    return { link: address(state), embed: address({ ...state, embed: true }) };
  }
}

/** An equation stays on its line. */
const unbroken = (words: string) => words.replace(/(?<=[ε|]) = /g, "\u00a0=\u00a0").replaceAll("1/ε", "1/\u2060ε");

function say(element: HTMLElement, words: string): void {
  if (element.textContent !== words) element.textContent = words;
  element.hidden = words === "";
}

import { Lab } from "smooth-clir/lab";
import { byId, make } from "../../ui/dom";
import * as format from "../../ui/format";
import { fromHash, type State, type Store } from "../../state/state";
import { bring } from "./bring";
import { Facts, quizzes } from "./facts";
import { goTo } from "./go";
import { quizView } from "./quiz-view";
import { LOOK_AT, STEPS } from "./steps";
import { text } from "./strings";

/** Leads through a lesson, above whatever view a step shows. */
export class LessonPanel {
  readonly #root = byId("lesson", HTMLElement);
  readonly #store: Store;
  readonly #facts: Facts;
  #shown = "";
  #isFolded = false;
  /** Stops the search for the element that the last step is about. */
  #stop = () => {};

  private constructor(store: Store, lab: Lab) {
    this.#store = store;
    this.#facts = new Facts(lab);
    this.#root.ariaLabel = text.panel;
    // What is scrolled to or has the focus stands below it.
    new ResizeObserver(() => {
      document.documentElement.style.setProperty("--lesson-height", `${this.#root.offsetHeight}px`);
    }).observe(this.#root);
    store.subscribe((state, changed) => {
      if (this.#isLeft(state, changed)) store.set({ lessons: { lesson: "", step: 0 } });
      this.update();
    });
    this.update();
  }

  /** Fetches what computes the numbers of lessons. */
  static async open(store: Store): Promise<LessonPanel> {
    return new LessonPanel(store, await Lab.load());
  }

  update(): void {
    const { lesson, step } = this.#store.state.lessons;
    this.#root.hidden = lesson === "";
    const key = `${lesson} ${step}`;
    if (lesson === "" || key === this.#shown) {
      this.#shown = lesson === "" ? "" : key;
      if (lesson === "") this.#stop();
      return;
    }
    const first = this.#shown === "";
    this.#shown = key;
    const { title, steps: makeSteps } = text.lessons[lesson];
    const steps = makeSteps(this.#facts);
    const place = Math.min(step, steps.length - 1);
    const { text: says, question, options, answer } = steps[place]!;
    const heading = make("h2", "", title);
    heading.tabIndex = -1;
    const button = (name: string, action: () => void, className = "") => {
      const element = make("button", className, name);
      element.type = "button";
      element.addEventListener("click", action);
      return element;
    };
    const buttons = make("div", "controls");
    if (place > 0) buttons.append(button(text.back, () => goTo(this.#store, lesson, place - 1)));
    if (place + 1 < steps.length) buttons.append(button(text.next, () => goTo(this.#store, lesson, place + 1), "primary"));
    buttons.append(
      button(text.again, () => this.#again(place)),
      button(text.end, () => this.#store.set({ lessons: { lesson: "", step: 0 } })),
    );
    const where = make("p", "lesson-place", text.place(format.count(place + 1), format.count(steps.length)));
    const said = make("div", "lesson-said");
    const fold = button(text.fold, () => this.#fold(fold, !this.#isFolded), "lesson-fold");
    said.append(heading, where, fold, make("p", "", says));
    if (place + 1 === steps.length) said.append(make("p", "lesson-place", text.last));
    said.append(buttons);
    const asked = make("div", "lesson-asked");
    const quiz = quizzes(this.#facts)[lesson][place]!;
    asked.append(make("p", "lesson-question", question), quizView(quiz, options, answer));
    this.#root.replaceChildren(said, asked);
    this.#fold(fold, false);
    this.#root.scrollTop = 0;
    // Opening a link to a lesson leaves the focus alone; a press moves it to the new step.
    if (!first || navigator.userActivation?.hasBeenActive) heading.focus({ preventScroll: true });
    this.#look(place);
  }

  /** Folds the lesson to its name, so that a small screen has room for what it is about. */
  #fold(button: HTMLButtonElement, isFolded: boolean): void {
    this.#isFolded = isFolded;
    this.#root.classList.toggle("is-folded", isFolded);
    button.textContent = isFolded ? text.unfold : text.fold;
    button.ariaExpanded = String(!isFolded);
  }

  #again(place: number): void {
    const { lesson } = this.#store.state.lessons;
    if (lesson === "") return;
    goTo(this.#store, lesson, place);
    this.#look(place);
  }

  /** Brings the step's controls and their figure into view. */
  #look(place: number): void {
    this.#stop();
    const { lesson } = this.#store.state.lessons;
    if (lesson !== "") this.#stop = bring(LOOK_AT[lesson][place]!);
  }

  /** Whether somebody went to a view that the step does not show. Going to a step sets both at once. */
  #isLeft({ lessons: { lesson, step }, view }: Readonly<State>, changed: ReadonlySet<keyof State>): boolean {
    if (lesson === "" || !changed.has("view") || changed.has("lessons")) return false;
    return view !== fromHash(STEPS[lesson][Math.min(step, STEPS[lesson].length - 1)]!)?.view;
  }
}

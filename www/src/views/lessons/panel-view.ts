import { byId, make } from "../../ui/dom";
import * as format from "../../ui/format";
import type { Store } from "../../state/state";
import { goTo } from "./go";
import { text } from "./strings";

/** Leads through a lesson, above whatever view a step shows. */
export class LessonPanel {
  readonly #root = byId("lesson", HTMLElement);
  readonly #store: Store;
  #shown = "";

  constructor(store: Store) {
    this.#store = store;
    this.#root.ariaLabel = text.panel;
    store.subscribe(() => this.update());
    this.update();
  }

  update(): void {
    const { lesson, step } = this.#store.state.lessons;
    this.#root.hidden = lesson === "";
    const key = `${lesson} ${step}`;
    if (lesson === "" || key === this.#shown) {
      this.#shown = key;
      return;
    }
    const first = this.#shown === "";
    this.#shown = key;
    const { title, steps } = text.lessons[lesson];
    const place = Math.min(step, steps.length - 1);
    const { text: says, question, answer } = steps[place]!;
    const heading = make("h2", "", title);
    heading.tabIndex = -1;
    const details = make("details", "lesson-answer");
    details.append(make("summary", "", text.answer), make("p", "", answer));
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
      button(text.again, () => goTo(this.#store, lesson, place)),
      button(text.end, () => this.#store.set({ lessons: { lesson: "", step: 0 } })),
    );
    const where = make("p", "lesson-place", text.place(format.count(place + 1), format.count(steps.length)));
    this.#root.replaceChildren(heading, where, make("p", "", says), make("p", "lesson-question", question), details, buttons);
    if (place + 1 === steps.length) this.#root.append(make("p", "lesson-place", text.last));
    // Opening a link to a lesson leaves the focus alone; going on moves it to the new step.
    if (!first) heading.focus();
  }
}

import { make, makeButton } from "../../ui/dom";
import * as format from "../../ui/format";
import type { Store } from "../../state/state";
import type { Section } from "./section";
import { text } from "./strings";

/** The least way of a finger across the screen that changes the figure, in pixels. */
const SWIPE = 60;
const said = text.presenter;

/** Shows one figure a screen, and goes from one to the next by keys, buttons or a swipe. */
export class Presenter {
  readonly #store: Store;
  readonly #sections: readonly Section[];
  readonly #bar = make("nav", "presenter-bar");
  readonly #place = make("p", "presenter-place");
  readonly #back = makeButton(said.back, () => this.#go(-1));
  readonly #next = makeButton(said.next, () => this.#go(1));
  #shown = 0;
  /** Has the focus again when the presentation ends. */
  #from: HTMLElement | undefined;

  constructor(store: Store, sections: readonly Section[]) {
    this.#store = store;
    this.#sections = sections;
    this.#bar.ariaLabel = said.name;
    this.#bar.append(this.#back, this.#place, this.#next, makeButton(said.leave, () => this.leave()));
    const shown = () => this.#shown > 0;
    addEventListener("keydown", (event) => {
      if (shown()) this.#press(event);
    });
    document.addEventListener("fullscreenchange", () => {
      // The browser takes Escape for itself.
      if (shown() && !document.fullscreenElement) this.leave();
    });
    let from: Touch | undefined;
    addEventListener("touchstart", (event) => {
      const { target } = event;
      const free = event.touches.length === 1 && target instanceof Element && !target.closest("input, textarea, svg, .table-box");
      from = shown() && free ? event.touches[0] : undefined;
    }, { passive: true });
    addEventListener("touchend", ({ changedTouches: [to] }) => {
      if (!from || !to || !shown()) return;
      const [across, down] = [to.clientX - from.clientX, to.clientY - from.clientY];
      if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) this.#go(across < 0 ? 1 : -1);
    }, { passive: true });
  }

  /** The section that stands alone; undefined while nothing is presented. */
  get section(): Section | undefined {
    return this.#sections[this.#shown - 1];
  }

  /** Presents from a figure on, on the whole screen where the browser lets it. */
  begin(figure: number, from: HTMLElement): void {
    this.#from = from;
    this.#set(figure);
    void document.documentElement.requestFullscreen?.().catch(() => {});
  }

  update(): void {
    const { present } = this.#store.state.learn;
    document.documentElement.classList.toggle("presenting", present > 0);
    if (present === this.#shown) return;
    this.#shown = present;
    const { section } = this;
    if (!section) {
      this.#bar.remove();
      return;
    }
    section.element.append(this.#bar);
    this.#place.textContent = said.place(format.count(present), format.count(this.#sections.length));
    // Disabled for good they would lose the focus.
    this.#back.ariaDisabled = String(present === 1);
    this.#next.ariaDisabled = String(present === this.#sections.length);
  }

  /** Enter and space show the answer from here. */
  focus(): void {
    scrollTo(0, 0);
    const { section } = this;
    if (!section) return;
    (section.button.hidden ? section.heading : section.button).focus({ preventScroll: true });
  }

  /** Gives the focus back to the button that began the presentation. */
  returnFocus(): void {
    this.#from?.focus();
    this.#from = undefined;
  }

  leave(): void {
    if (this.#shown === 0) return;
    this.#set(0);
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
  }

  #go(by: 1 | -1): void {
    const to = this.#shown + by;
    if (to >= 1 && to <= this.#sections.length) this.#set(to);
  }

  #set(present: number): void {
    this.#store.set({ learn: { ...this.#store.state.learn, present } });
    this.focus();
  }

  #press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape") {
      // It closes an open explanation first.
      if (!document.querySelector(".term-explanation:popover-open")) this.leave();
      return;
    }
    // Arrow keys move a slider that has the focus, and choose among its group's chips.
    if (event.target instanceof Element && event.target.closest("input, textarea, select, .table-box")) return;
    const by = ({ ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 } as const)[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.#go(by);
  }
}

import { Chips } from "../ui/chips";
import { byId, make } from "../ui/dom";
import type { Store } from "../state/state";
import { example } from "./example";
import { languageName, strings } from "../i18n/strings";

/** The search box, its examples and the choice of a language. */
export class SearchView {
  readonly #input = byId("query", HTMLInputElement);
  readonly #languages = byId("languages", HTMLFieldSetElement);
  readonly #chips: Chips;
  readonly #store: Store;

  /**
   * `onInput` gets the time of the event, before the state changes. `onEnter` is told when a query is complete: it was
   * entered, or chosen.
   */
  constructor(store: Store, onInput: (timeStamp: number) => void, onEnter: () => void) {
    this.#store = store;
    this.#input.placeholder = example.query;
    const set = (query: string, event: Event) => {
      onInput(event.timeStamp);
      store.set({ query, asTyped: false });
    };
    this.#input.value = store.state.query;
    this.#input.addEventListener("input", (event) => set(this.#input.value, event));
    this.#input.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.isComposing) {
        event.preventDefault();
        set("", event);
      }
    });
    byId("search-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      // A keyboard on the screen would cover the results.
      if (matchMedia("(pointer: coarse)").matches) this.#input.blur();
      onEnter();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isField(event.target)) {
        event.preventDefault();
        this.focus();
      }
    });
    const examples = strings.examples.map((text) => {
      const button = make("button", "example", text);
      button.type = "button";
      button.addEventListener("click", (event) => {
        set(text, event);
        onEnter();
      });
      return button;
    });
    byId("examples", HTMLSpanElement).replaceChildren(...examples);
    this.#chips = new Chips(byId("language-chips", HTMLDivElement), "language", (value, timeStamp) => {
      onInput(timeStamp);
      store.set({ language: value === "" ? undefined : value });
    });
    this.setLanguages([]);
    store.subscribe((state, changed) => {
      if (changed.has("query") && this.#input.value !== state.query) this.#input.value = state.query;
      if (changed.has("language")) this.#chips.check(state.language ?? "");
    });
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  /** Shows the languages that there are; a choice that is not among them becomes "all". */
  setLanguages(tags: readonly string[]): void {
    this.#chips.offer([["", strings.allLanguages], ...tags.map((tag) => [tag, languageName(tag)] as const)]);
    this.#languages.disabled = tags.length === 0;
    const { language } = this.#store.state;
    if (tags.length > 0 && language !== undefined && !tags.includes(language)) this.#store.set({ language: undefined });
    this.#chips.check(this.#store.state.language ?? "");
  }
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=radio], [type=range]), textarea, select");
}

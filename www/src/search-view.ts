import { byId, make } from "./dom";
import type { Store } from "./state";
import { languageName, strings } from "./strings";

/** The search box, its examples and the choice of a language. */
export class SearchView {
  readonly #input = byId("query", HTMLInputElement);
  readonly #languages = byId("languages", HTMLFieldSetElement);
  readonly #chips = byId("language-chips", HTMLDivElement);
  readonly #store: Store;

  /** `onInput` learns when the event happened, before the state changes. */
  constructor(store: Store, onInput: (timeStamp: number) => void) {
    this.#store = store;
    const set = (query: string, event: Event) => {
      onInput(event.timeStamp);
      store.set({ query });
    };
    this.#input.value = store.state.query;
    this.#input.addEventListener("input", (event) => set(this.#input.value, event));
    this.#input.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.isComposing) {
        event.preventDefault();
        set("", event);
      }
    });
    byId("search-form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isField(event.target)) {
        event.preventDefault();
        this.focus();
      }
    });
    const examples = strings.examples.map((text) => {
      const button = make("button", "example", text);
      button.type = "button";
      button.addEventListener("click", (event) => set(text, event));
      return button;
    });
    byId("examples", HTMLSpanElement).replaceChildren(...examples);
    this.#chips.addEventListener("change", (event) => {
      onInput(event.timeStamp);
      const { value } = event.target as HTMLInputElement;
      store.set({ language: value === "" ? undefined : value });
    });
    this.setLanguages([]);
    store.subscribe((state, changed) => {
      if (changed.has("query") && this.#input.value !== state.query) this.#input.value = state.query;
      if (changed.has("language")) this.#check(state.language);
    });
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  /** Shows the languages that there are; a choice that is not among them becomes "all". */
  setLanguages(tags: readonly string[]): void {
    const chip = (value: string, name: string) => {
      const label = make("label", "chip");
      const radio = make("input");
      radio.type = "radio";
      radio.name = "language";
      radio.value = value;
      label.append(radio, make("span", "", name));
      return label;
    };
    this.#chips.replaceChildren(chip("", strings.allLanguages), ...tags.map((tag) => chip(tag, languageName(tag))));
    this.#languages.disabled = tags.length === 0;
    const { language } = this.#store.state;
    if (tags.length > 0 && language !== undefined && !tags.includes(language)) this.#store.set({ language: undefined });
    this.#check(this.#store.state.language);
  }

  #check(language: string | undefined): void {
    for (const radio of this.#chips.querySelectorAll("input")) radio.checked = radio.value === (language ?? "");
  }
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=radio], [type=range]), textarea, select");
}

import { byId } from "../ui/dom";
import { keep, recall } from "../ui/kept";
import type { State, Store } from "../state/state";
import { strings } from "../i18n/strings";

const KEPT = "hood";
/** The terms that the drawer uses. */
const TERMS = ["epsilon", "cosine", "dot", "norm", "scs", "embedding"] as const;

/** Whether the drawer *Under the hood* is open: as it was set or left, and for links that set what only it shows. */
export class Hood {
  readonly #main = byId("main", HTMLElement);
  readonly #panel = byId("hood", HTMLElement);
  readonly #terms = byId("terms", HTMLParagraphElement);
  readonly #toggle = byId("hood-toggle", HTMLButtonElement);
  #open: boolean;

  /** `onChange` is told when it opens or closes. */
  constructor(store: Store, onChange: () => void) {
    this.#open = isOpen(store.state);
    this.#show();
    this.#toggle.addEventListener("click", () => {
      const opens = !this.#open;
      keep(KEPT, opens ? "open" : "closed");
      store.set({ hood: opens ? "open" : "closed" });
      if (opens) this.#panel.focus({ preventScroll: true });
    });
    store.subscribe((state) => {
      if (isOpen(state) === this.#open) return;
      this.#open = !this.#open;
      this.#show();
      onChange();
    });
  }

  get open(): boolean {
    return this.#open;
  }

  #show(): void {
    this.#main.dataset["hood"] = this.#open ? "open" : "closed";
    this.#panel.hidden = !this.#open;
    this.#toggle.ariaExpanded = String(this.#open);
    if (this.#open) void this.#explainTerms();
  }

  /** Explains the terms that the drawer uses; what does is fetched when it is first opened. */
  async #explainTerms(): Promise<void> {
    if (this.#terms.hasChildNodes()) return;
    const { termOf } = await import("../ui/glossary/glossary");
    if (this.#terms.hasChildNodes()) return;
    this.#terms.append(strings.terms, ...TERMS.flatMap((term) => [" ", termOf(term)]));
    this.#terms.hidden = false;
  }
}

function isOpen(state: Readonly<State>): boolean {
  if (state.hood !== "usual") return state.hood === "open";
  const { epsilon, by, compare, pin, why, pair, lessons } = state;
  const isSet = epsilon !== undefined || by !== "hybrid" || compare || pin !== undefined || why.length > 0 || pair !== undefined;
  return isSet || lessons.lesson !== "" || recall(KEPT) === "open";
}

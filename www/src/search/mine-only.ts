import type { SearchOptions, SmoothClir } from "smooth-clir";
import * as format from "../ui/format";
import { make } from "../ui/dom";
import { OWN_FIELD, OWN_VALUE } from "../state/documents";
import type { Store } from "../state/state";
import { strings } from "../i18n/strings";

/** The choice to search only one's own documents, shown while there are some. */
export class MineOnly {
  readonly element = make("label", "chip mine-only");
  readonly #store: Store;
  readonly #box = make("input");
  readonly #name = make("span");
  /** The person's own documents in the engine. */
  #count = 0;

  constructor(store: Store, onInput: (timeStamp: number) => void) {
    this.#store = store;
    this.#box.type = "checkbox";
    this.#box.checked = store.state.mine;
    this.#box.addEventListener("change", (event) => {
      onInput(event.timeStamp);
      store.set({ mine: this.#box.checked });
    });
    store.subscribe(({ mine }) => (this.#box.checked = mine));
    this.element.append(this.#box, this.#name);
    this.element.hidden = true;
  }

  /** The person's documents, where only those are searched; else 0. */
  get count(): number {
    return this.#isOn ? this.#count : 0;
  }

  /** The filters of a search. */
  get filters(): NonNullable<SearchOptions["filters"]> {
    return this.#isOn ? { [OWN_FIELD]: OWN_VALUE } : {};
  }

  /** The number of documents that a search looks through, of an engine with `all`. */
  searched(all: number): number {
    return this.#isOn ? this.#count : all;
  }

  /** Counts the person's documents in an engine anew. */
  async update(engine: SmoothClir): Promise<void> {
    const counts = (await engine.fields())[OWN_FIELD] ?? [];
    this.#show(counts.find(([value]) => value === OWN_VALUE)?.[1] ?? 0);
  }

  /** The engine has none of the person's documents. */
  clear(): void {
    this.#show(0);
  }

  #show(count: number): void {
    this.#count = count;
    this.element.hidden = count === 0;
    this.#name.textContent = strings.mineOnly(format.count(count));
  }

  get #isOn(): boolean {
    return this.#store.state.mine && this.#count > 0;
  }
}

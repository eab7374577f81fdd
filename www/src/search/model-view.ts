import type { Progress } from "smooth-clir";
import { Chips } from "../ui/chips";
import { byId } from "../ui/dom";
import { FailedNotice } from "../ui/failed-notice";
import * as format from "../ui/format";
import { keepChoice, MODELS, sumOf, type Lengths, type ModelName } from "../model/models";
import { RANKINGS, type Ranking, type Store } from "../state/state";
import { strings } from "../i18n/strings";

/** The choice of a model, how far it has come, and by which score it ranks. */
export class ModelView {
  readonly #panel = byId("model", HTMLDivElement);
  readonly #loading = byId("model-loading", HTMLDivElement);
  readonly #message = byId("model-message", HTMLParagraphElement);
  readonly #progress = byId("model-progress", HTMLProgressElement);
  readonly #by = byId("ranked-by", HTMLFieldSetElement);
  readonly #compare = byId("compare", HTMLInputElement);
  readonly #models: Chips;
  readonly #failed: FailedNotice;
  #lengths: Lengths = new Map();
  /** How many bytes of each file are here. */
  readonly #files = new Map<string, number>();

  /** `onInput` gets the time of the event, before the state changes. */
  constructor(store: Store, onInput: (timeStamp: number) => void, onRetry: () => void) {
    const { rankings, models } = strings;
    this.#failed = new FailedNotice(models.failed, onRetry);
    this.#loading.after(this.#failed.element);
    this.#models = new Chips(byId("model-chips", HTMLDivElement), "model", (value, timeStamp) => {
      onInput(timeStamp);
      keepChoice(value as ModelName);
      store.set({ model: value as ModelName });
    });
    this.#models.offer(MODELS.map((name) => [name, models.names[name]]));
    const by = new Chips(byId("ranked-by-chips", HTMLDivElement), "ranked-by", (value, timeStamp) => {
      onInput(timeStamp);
      store.set({ by: value as Ranking });
    });
    by.offer(RANKINGS.map((name) => [name, rankings.choices[name]]));
    by.check(store.state.by);
    this.#compare.checked = store.state.compare;
    this.#compare.addEventListener("change", () => store.set({ compare: this.#compare.checked }));
    store.subscribe((state, changed) => {
      if (changed.has("by")) by.check(state.by);
      if (changed.has("compare")) this.#compare.checked = state.compare;
    });
    this.#panel.hidden = false;
  }

  /** Shows which model is chosen, and whether the ranking of the one at work is hybrid. */
  show(chosen: ModelName, hybrid: boolean): void {
    this.#models.check(chosen);
    this.#by.hidden = !hybrid;
  }

  loading(lengths: Lengths): void {
    this.#lengths = lengths;
    this.#failed.hide();
    this.#files.clear();
    this.#loading.hidden = false;
    this.#progress.hidden = false;
    this.#progress.max = sumOf(lengths);
    this.#showBytes();
  }

  progress({ file, loaded }: Progress): void {
    // Some hosts say that they compressed a `.gz` file, and the browser counts what comes of it.
    this.#files.set(file, Math.min(loaded, this.#lengths.get(file) ?? 0));
    this.#showBytes();
  }

  /** Nothing is on its way any more. `message` says what else is to be known. */
  settled(message = ""): void {
    this.#failed.hide();
    this.#loading.hidden = message === "";
    this.#progress.hidden = true;
    this.#message.textContent = message;
  }

  failed(error: unknown): void {
    this.settled();
    this.#failed.show(error);
  }

  #showBytes(): void {
    const loaded = sumOf(this.#files);
    this.#progress.value = loaded;
    const all = this.#progress.max;
    this.#message.textContent =
      loaded >= all ? strings.models.preparing : strings.models.loading(format.megabytes(loaded), format.megabytes(all));
  }
}

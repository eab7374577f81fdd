import type { Progress } from "smooth-clir";
import { byId } from "../ui/dom";
import { toFailure } from "../ui/failure";
import * as format from "../ui/format";
import { strings } from "../i18n/strings";

/** Shows loading: the bytes so far and Cancel; after a failure its reason and Retry. */
export class LoadingView {
  readonly #panel = byId("loading", HTMLDivElement);
  readonly #message = byId("loading-message", HTMLParagraphElement);
  readonly #progress = byId("loading-progress", HTMLProgressElement);
  readonly #cancel = byId("loading-cancel", HTMLButtonElement);
  readonly #retry = byId("loading-retry", HTMLButtonElement);
  readonly #files = new Map<string, Progress>();

  constructor(onCancel: () => void, onRetry: () => void) {
    this.#cancel.addEventListener("click", onCancel);
    this.#retry.addEventListener("click", onRetry);
  }

  starting(): void {
    this.#files.clear();
    this.#show(strings.starting, "working");
    this.#progress.removeAttribute("value");
  }

  /** Shows the bytes of all files together, and returns whether all have arrived. */
  progress(one: Progress, files: number): boolean {
    this.#files.set(one.file, one);
    const all = [...this.#files.values()];
    const loaded = all.reduce((sum, file) => sum + file.loaded, 0);
    const totals = all.flatMap(({ total }) => (total === undefined ? [] : [total]));
    const total = totals.length === files ? totals.reduce((sum, bytes) => sum + bytes, 0) : undefined;
    if (total === undefined) this.#progress.removeAttribute("value");
    else {
      this.#progress.max = total;
      this.#progress.value = loaded;
    }
    const whole = total === undefined ? undefined : format.megabytes(total);
    const done = total !== undefined && loaded >= total;
    this.#message.textContent = done ? strings.preparing : strings.loading(format.megabytes(loaded), whole);
    return done;
  }

  cancelled(): void {
    this.#show(strings.cancelled, "stopped");
  }

  failed(error: unknown): void {
    const { code, message } = toFailure(error);
    this.#show(strings.failed(strings.failures[code] ?? strings.failure, message, code), "failed");
  }

  /** Says why this browser cannot run the page. */
  impossible(message: string): void {
    this.#show(message, "failed");
    this.#retry.hidden = true;
  }

  /** Returns whether one of the buttons that go away had the focus. */
  ready(): boolean {
    const focused = this.#panel.contains(document.activeElement);
    this.#panel.hidden = true;
    return focused;
  }

  #show(message: string, phase: "working" | "stopped" | "failed"): void {
    const working = phase === "working";
    const focused = this.#panel.contains(document.activeElement);
    this.#panel.hidden = false;
    this.#panel.dataset.phase = phase;
    this.#message.textContent = message;
    // A failure is said aloud at once; bytes are not.
    this.#message.role = working ? null : "alert";
    this.#progress.hidden = !working;
    this.#cancel.hidden = !working;
    this.#retry.hidden = working;
    if (focused) (working ? this.#cancel : this.#retry).focus();
  }
}

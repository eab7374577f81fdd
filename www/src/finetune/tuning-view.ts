import { byId } from "../ui/dom";
import * as format from "../ui/format";
import { strings } from "../i18n/strings";
import { saidOf } from "../model/device-choice";
import type { Feedback } from "./feedback";
import type { Tuning, Tuner } from "./tuner";

/** The bytes of the fine-tuning module, known when the page is built. */
declare const FINETUNE_MODULE_BYTES: number;

/** The buttons of fine-tuning, its progress and its outcome. */
export class TuningView {
  readonly #invitation = byId("finetune-invitation", HTMLParagraphElement);
  readonly #desk = byId("finetune-desk", HTMLDivElement);
  readonly #work = byId("finetune-work", HTMLParagraphElement);
  readonly #progress = byId("finetune-progress", HTMLProgressElement);
  readonly #announcer = byId("finetune-announcer", HTMLParagraphElement);
  readonly #device = byId("finetune-device", HTMLParagraphElement);
  readonly #step = byId("finetune-step", HTMLButtonElement);
  readonly #run = byId("finetune-run", HTMLButtonElement);
  readonly #stop = byId("finetune-stop", HTMLButtonElement);
  readonly #undo = byId("finetune-undo", HTMLButtonElement);
  readonly #reset = byId("finetune-reset", HTMLButtonElement);
  readonly #save = byId("finetune-save", HTMLButtonElement);
  readonly #given = byId("feedback-given", HTMLDivElement);

  constructor(tuner: Tuner, onSave: () => void) {
    const press = (button: HTMLButtonElement, action: () => unknown) =>
      button.addEventListener("click", () => {
        if (button.ariaDisabled !== "true") action();
      });
    press(this.#step, () => tuner.step());
    press(this.#run, () => tuner.run());
    press(this.#stop, () => tuner.stop());
    press(this.#undo, () => tuner.undo());
    press(this.#reset, () => tuner.reset());
    press(this.#save, onSave);
  }

  show(tuning: Tuning, feedback: Feedback): void {
    const { ready, work, losses, tuned, undoable, device } = tuning;
    const given = feedback.list.length > 0;
    const free = ready && work === undefined;
    this.#desk.hidden = !given && !tuned && !undoable && work === undefined && tuning.message === "";
    this.#invitation.hidden = given;
    this.#given.hidden = !given;
    enable(this.#step, free && given);
    enable(this.#run, free && given);
    enable(this.#stop, work === "fetching" || work === "tuning");
    enable(this.#undo, free && undoable);
    enable(this.#reset, free && tuned);
    enable(this.#save, free && tuned);
    this.#say(tuning);
    this.#device.hidden = !device || losses.length === 0;
    if (device) this.#device.textContent = saidOf(device);
  }

  #say({ work, message, failed, fetched }: Tuning): void {
    this.#work.textContent = fetched ? describe(fetched) : message;
    this.#work.role = failed ? "alert" : null;
    this.#progress.hidden = !fetched;
    if (fetched?.total === undefined) this.#progress.removeAttribute("value");
    else {
      this.#progress.max = fetched.total;
      this.#progress.value = fetched.loaded;
    }
    // Only outcomes are said aloud; a failure is an alert already.
    const outcome = work === undefined && !failed ? message : "";
    if (this.#announcer.textContent !== outcome) this.#announcer.textContent = outcome;
  }
}

function describe({ loaded, total, first }: NonNullable<Tuning["fetched"]>): string {
  if (first && total !== undefined && loaded >= total) return strings.finetune.fetchingModule(format.megabytes(FINETUNE_MODULE_BYTES));
  return strings.finetune.fetchingEncoders(format.megabytes(loaded), total === undefined ? undefined : format.megabytes(total));
}

/** A button that makes no sense now keeps the focus, so that the keyboard is never lost. */
function enable(button: HTMLButtonElement, enabled: boolean): void {
  button.ariaDisabled = String(!enabled);
}

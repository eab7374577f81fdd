import { byId } from "../ui/dom";
import * as format from "../ui/format";
import { strings } from "../i18n/strings";
import { saidOf } from "../model/device-choice";
import type { Feedback } from "./feedback";
import type { Lesson, Teacher } from "./teacher";

/** The bytes of the module that learns, known when the page is built. */
declare const LEARNING_PART_BYTES: number;

/** The buttons of a lesson, and what it says while it works and after. */
export class LessonView {
  readonly #invitation = byId("teach-invitation", HTMLParagraphElement);
  readonly #desk = byId("teach-desk", HTMLDivElement);
  readonly #work = byId("teach-work", HTMLParagraphElement);
  readonly #progress = byId("teach-progress", HTMLProgressElement);
  readonly #announcer = byId("teach-announcer", HTMLParagraphElement);
  readonly #device = byId("teach-device", HTMLParagraphElement);
  readonly #step = byId("teach-step", HTMLButtonElement);
  readonly #run = byId("teach-run", HTMLButtonElement);
  readonly #stop = byId("teach-stop", HTMLButtonElement);
  readonly #undo = byId("teach-undo", HTMLButtonElement);
  readonly #reset = byId("teach-reset", HTMLButtonElement);
  readonly #save = byId("teach-save", HTMLButtonElement);
  readonly #given = byId("feedback-given", HTMLDivElement);

  constructor(teacher: Teacher, onSave: () => void) {
    const press = (button: HTMLButtonElement, action: () => unknown) =>
      button.addEventListener("click", () => {
        if (button.ariaDisabled !== "true") action();
      });
    press(this.#step, () => teacher.step());
    press(this.#run, () => teacher.run());
    press(this.#stop, () => teacher.stop());
    press(this.#undo, () => teacher.undo());
    press(this.#reset, () => teacher.reset());
    press(this.#save, onSave);
  }

  show(lesson: Lesson, feedback: Feedback): void {
    const { ready, work, losses, taught, undoable, device } = lesson;
    const given = feedback.list.length > 0;
    const free = ready && work === undefined;
    this.#desk.hidden = !given && !taught && !undoable && work === undefined && lesson.message === "";
    this.#invitation.hidden = given;
    this.#given.hidden = !given;
    enable(this.#step, free && given);
    enable(this.#run, free && given);
    enable(this.#stop, work === "fetching" || work === "learning");
    enable(this.#undo, free && undoable);
    enable(this.#reset, free && taught);
    enable(this.#save, free && taught);
    this.#say(lesson);
    this.#device.hidden = !device || losses.length === 0;
    if (device) this.#device.textContent = saidOf(device);
  }

  #say({ work, message, failed, fetched }: Lesson): void {
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

function describe({ loaded, total, first }: NonNullable<Lesson["fetched"]>): string {
  if (first && total !== undefined && loaded >= total) return strings.teach.fetchingPart(format.megabytes(LEARNING_PART_BYTES));
  return strings.teach.fetchingSides(format.megabytes(loaded), total === undefined ? undefined : format.megabytes(total));
}

/** A button that makes no sense now keeps the focus, so that the keyboard is never lost. */
function enable(button: HTMLButtonElement, enabled: boolean): void {
  button.ariaDisabled = String(!enabled);
}

import type { SmoothClir } from "smooth-clir";
import { byId } from "../ui/dom";
import { toFailure } from "../ui/failure";
import * as format from "../ui/format";
import { strings } from "../i18n/strings";

/** Measures how fast the reader's machine searches, when the button is pressed. */
export class SpeedView {
  readonly #button = byId("speed-measure", HTMLButtonElement);
  readonly #line = byId("speed", HTMLParagraphElement);
  readonly #engine: () => SmoothClir | undefined;
  #isMeasuring = false;

  constructor(engine: () => SmoothClir | undefined) {
    this.#engine = engine;
    this.#button.addEventListener("click", () => void this.#measure());
  }

  async #measure(): Promise<void> {
    if (this.#isMeasuring) return;
    const engine = this.#engine();
    if (!engine) return void (this.#line.textContent = strings.speed.noModel);
    this.#isMeasuring = true;
    // Not `disabled`: the focus would be lost.
    this.#button.ariaDisabled = "true";
    this.#line.textContent = strings.speed.measuring;
    try {
      const { measureSpeed } = await import("./speed");
      const { documents, queries, median, most, rate } = await measureSpeed(engine);
      const [middle, slow] = [median, most].map(format.hundredths);
      this.#line.textContent = strings.speed.measured(format.count(documents), format.count(queries), middle!, slow!, format.millions(rate));
    } catch (error) {
      const { message, code } = toFailure(error);
      this.#line.textContent = strings.speed.failed(message, code);
    }
    this.#button.textContent = strings.speed.again;
    this.#button.ariaDisabled = "false";
    this.#isMeasuring = false;
  }
}

import { byId, make } from "../ui/dom";
import * as format from "../ui/format";
import { strings } from "../i18n/strings";

const WIDTH = 300;
const HEIGHT = 100;

/** The loss before each step: as a line, in words, and as numbers. */
export class LossChart {
  readonly #box = byId("finetune-losses", HTMLElement);
  readonly #line = this.#box.querySelector("path.loss-line");
  readonly #summary = byId("loss-summary", HTMLParagraphElement);
  readonly #most = byId("loss-most", HTMLSpanElement);
  readonly #last = byId("loss-last", HTMLSpanElement);
  readonly #rows = byId("loss-rows", HTMLTableSectionElement);
  #shown: readonly number[] = [];

  show(losses: readonly number[]): void {
    if (losses === this.#shown) return;
    this.#shown = losses;
    this.#box.hidden = losses.length === 0;
    const [first, last] = [losses[0], losses.at(-1)];
    if (first === undefined || last === undefined) return;
    const most = losses.reduce((most, loss) => Math.max(most, loss), 0);
    const [steps, from, to] = [format.count(losses.length), format.loss(first), format.loss(last)];
    this.#line?.setAttribute("d", toPath(losses, most));
    this.#most.textContent = format.loss(most);
    this.#last.textContent = strings.finetune.lossSteps(steps);
    this.#summary.textContent = strings.finetune.lossSummary(steps, from, to);
    this.#rows.replaceChildren(...losses.map(toRow));
  }
}

function toPath(losses: readonly number[], most: number): string {
  const across = WIDTH / Math.max(losses.length - 1, 1);
  const points = losses.map((loss, step) => {
    const height = most > 0 ? loss / most : 0;
    return `${(step * across).toFixed(2)} ${((1 - height) * HEIGHT).toFixed(2)}`;
  });
  // One point alone becomes a dot.
  return `M${points.join("L")}${points.length === 1 ? "h0" : ""}`;
}

function toRow(loss: number, place: number): HTMLTableRowElement {
  const row = make("tr");
  const step = make("th", "", format.count(place + 1));
  step.scope = "row";
  row.append(step, make("td", "", format.loss(loss)));
  return row;
}

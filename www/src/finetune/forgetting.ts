import { byId, make } from "../ui/dom";
import { strings } from "../i18n/strings";
import type { Retained } from "./comparison";

/** Shows the effect of fine-tuning on searches without feedback. */
export class Forgetting {
  readonly #summary = byId("others-summary", HTMLParagraphElement);
  readonly #rows = byId("others-rows", HTMLTableSectionElement);

  show(queries: readonly string[], kept: readonly Retained[]): void {
    const sum = (count: (one: Retained) => number) => kept.reduce((whole, one) => whole + count(one), 0);
    const [stayed, of, first] = [sum((one) => one.stayed), sum((one) => one.of), sum((one) => Number(one.firstStayed))];
    this.#summary.textContent =
      stayed === of && first === kept.length
        ? strings.finetune.othersKept(kept.length)
        : strings.finetune.othersChanged(kept.length, first, stayed, of);
    this.#rows.replaceChildren(...queries.map((query, place) => toRow(query, kept[place])));
  }
}

function toRow(query: string, kept: Retained | undefined): HTMLTableRowElement {
  const row = make("tr");
  const head = make("th", "", query);
  head.scope = "row";
  head.lang = "en";
  row.append(head);
  if (kept) {
    row.append(
      make("td", "", strings.finetune.stayed(kept.stayed, kept.of)),
      make("td", "", kept.firstStayed ? strings.finetune.yes : strings.finetune.no),
    );
  }
  return row;
}

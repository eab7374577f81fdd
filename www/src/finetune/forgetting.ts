import { byId, make } from "../ui/dom";
import { strings } from "../i18n/strings";
import type { Kept } from "./comparison";

/** What a lesson did to searches that it was not about. */
export class Forgetting {
  readonly #summary = byId("others-summary", HTMLParagraphElement);
  readonly #rows = byId("others-rows", HTMLTableSectionElement);

  show(queries: readonly string[], kept: readonly Kept[]): void {
    const sum = (count: (one: Kept) => number) => kept.reduce((whole, one) => whole + count(one), 0);
    const [stayed, of, first] = [sum((one) => one.stayed), sum((one) => one.of), sum((one) => Number(one.firstStayed))];
    this.#summary.textContent =
      stayed === of && first === kept.length
        ? strings.teach.othersKept(kept.length)
        : strings.teach.othersChanged(kept.length, first, stayed, of);
    this.#rows.replaceChildren(...queries.map((query, place) => toRow(query, kept[place])));
  }
}

function toRow(query: string, kept: Kept | undefined): HTMLTableRowElement {
  const row = make("tr");
  const head = make("th", "", query);
  head.scope = "row";
  head.lang = "en";
  row.append(head);
  if (kept) {
    row.append(
      make("td", "", strings.teach.stayed(kept.stayed, kept.of)),
      make("td", "", kept.firstStayed ? strings.teach.yes : strings.teach.no),
    );
  }
  return row;
}

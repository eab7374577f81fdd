import type { Lab, Point } from "smooth-clir/lab";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { text } from "./strings";
import { shown, shownPoint } from "./values";

/** The values at the query's point, and the bounds of the gradient. */
export class ReadingPanel {
  readonly element = make("section", "maps-reading");
  readonly #lab: Lab;
  readonly #title = make("h3");
  readonly #beyond = make("p", "", text.reading.beyond);
  readonly #body = make("tbody");
  readonly #sentence = make("p");

  constructor(lab: Lab) {
    this.#lab = lab;
    const table = make("table");
    table.append(this.#body);
    this.element.append(this.#title, this.#beyond, table, this.#sentence);
  }

  update(query: Point, document: Point, reach: number, epsilon: number): void {
    const { score, gradient, length, radial, curvature } = this.#lab.reading(query, document, epsilon);
    const { printed, tight, exact } = this.#lab.bounds(document, epsilon);
    const words = text.reading;
    this.#title.textContent = words.title(shownPoint(query));
    this.#beyond.hidden = query.every((x) => Math.abs(x) <= reach);
    const group = make("tr", "group");
    const heading = make("th", "", words.bounds);
    heading.scope = "rowgroup";
    heading.colSpan = 2;
    group.append(heading);
    const bounds = [
      group,
      row(words.printed, shown(printed)),
      row(words.tight, shown(tight)),
      row(words.exact, shown(exact)),
    ];
    this.#body.replaceChildren(
      row(words.score, shown(score)),
      row(words.gradient, shownPoint(gradient)),
      row(words.length, shown(length)),
      row(words.radial, shown(radial)),
      row(words.curvature, shown(curvature)),
      ...(epsilon > 0 ? bounds : []),
    );
    const share = exact > 0 ? format.percent(length / exact) : "";
    this.#sentence.textContent = epsilon > 0 ? (share && words.sentence(share)) : words.noBound;
  }
}

function row(name: string, value: string): HTMLTableRowElement {
  const element = make("tr");
  const head = make("th", "", name);
  head.scope = "row";
  element.append(head, make("td", "", value));
  return element;
}

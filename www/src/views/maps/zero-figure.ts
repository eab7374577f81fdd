import type { Point } from "smooth-clir/lab";
import { Figure } from "../../ui/charts/figure";
import { palette } from "../../ui/colours";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import type { Context } from "../view";
import { changed } from "../../ui/changed";
import { withNorm } from "./found-documents";
import { LOOKS, scaleOf } from "./looks";
import { Plane } from "./plane";
import { text } from "./strings";
import { shown } from "./values";

const SIZE = 81;
/** Close enough to zero for every epsilon of the slider. */
const NEAR = 1e-7;

/** The second map: the curvature, and what it and the gradient tend to at zero. */
export class ZeroFigure {
  readonly #figure = new Figure(text.zero.title, "curvature-map");
  readonly element = this.#figure.element;
  readonly #context: Context;
  readonly #plane = new Plane("small");
  readonly #body = make("tbody");
  readonly #changed = changed();

  constructor(context: Context) {
    this.#context = context;
    this.#figure.plot.append(this.#plane.element);
    const head = make("tr");
    for (const name of text.zero.columns) {
      const cell = make("th", "", name);
      cell.scope = "col";
      head.append(cell);
    }
    const top = make("thead");
    top.append(head);
    const table = make("table");
    table.append(make("caption", "", text.zero.caption), top, this.#body);
    const box = make("div", "maps-zero");
    this.#figure.plot.replaceWith(box);
    box.append(this.#figure.plot, table);
  }

  update(): void {
    const { lab, store } = this.#context;
    const { document, reach: reachName } = store.state.maps;
    const reach = Number(reachName);
    const epsilon = this.#context.epsilon();
    if (!this.#changed(document, reach, epsilon, palette())) return;
    const caption = [text.quantities.curvature, text.epsilon(format.plain(epsilon))];
    const look = LOOKS.curvature;
    const map = lab.paintMap("curvature", document, { size: SIZE, extent: reach, epsilon, scale: scaleOf(look) });
    this.#plane.field = { map, reach, look, contours: true, caption };
    this.#plane.marks = { vectors: [{ name: "d", at: document }] };

    const along = withNorm(document, NEAR);
    const ways: [string, Point][] = [
      [text.zero.along, along],
      [text.zero.across, [-along[1], along[0]]],
      [text.zero.against, [-along[0], -along[1]]],
    ];
    const found = ways.map(([name, point]) => ({ name, ...lab.reading(point, document, epsilon) }));
    const rows = found.map(({ name, length, curvature }) => {
      const row = make("tr");
      const head = make("th", "", name);
      head.scope = "row";
      row.append(head, make("td", "", shown(length)), make("td", "", shown(curvature)));
      return row;
    });
    this.#body.replaceChildren(...rows);
    const [first, second] = found.map(({ curvature }) => shown(curvature)) as [string, string];
    this.#figure.summary = epsilon > 0 ? text.zero.explanation(first, second) : text.zero.cosine;
    this.#figure.table = {
      caption: text.zero.caption,
      columns: text.zero.columns,
      rows: found.map(({ name, length, curvature }) => [name, length, curvature]),
      format: shown,
    };
  }
}

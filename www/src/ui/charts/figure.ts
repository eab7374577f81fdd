import { make } from "../dom";
import { strings } from "../../i18n/strings";
import { save, toCsv } from "../file";
import { toPng, toSvg } from "./save";
import { makeTable } from "./table";

/** The numbers of a picture. */
export interface Table {
  caption: string;
  columns: readonly (string | number)[];
  /** Numbers are shown by `format`, which is told the column, and saved as they are. */
  rows: readonly (readonly (string | number)[])[];
  format: (value: number, column: number) => string;
}

let count = 0;

/** A picture with a title, a summary in words, its numbers in a table, and ways to save it. */
export class Figure {
  readonly element = make("figure", "figure");
  /** Holds the picture: an SVG, a canvas, or an SVG above a canvas. */
  readonly plot = make("div", "figure-plot");
  readonly #title: HTMLHeadingElement;
  /** Its numbers, and the ways to save it: below the picture, or where a view puts them. */
  readonly extras: readonly HTMLElement[];
  readonly #summary = make("p", "figure-summary");
  readonly #details = make("details");
  readonly #saving = make("div", "figure-save");
  readonly #box = make("div", "table-box");
  readonly #name: string;
  #table: Table | undefined;

  /** `name` is that of saved files, without an ending. */
  constructor(title: string, name: string) {
    this.#name = name;
    const id = `figure-${++count}`;
    this.#title = make("h3", "figure-title", title);
    this.#title.id = `${id}-title`;
    this.#summary.id = `${id}-summary`;
    this.plot.role = "img";
    this.plot.setAttribute("aria-labelledby", this.#title.id);
    this.plot.setAttribute("aria-describedby", this.#summary.id);
    const saving = this.#saving;
    saving.role = "group";
    saving.ariaLabel = strings.charts.save(title);
    for (const [kind, give] of Object.entries({
      SVG: () => this.#saveSvg(),
      PNG: () => this.#savePng(),
      CSV: () => this.#saveCsv(),
    })) {
      const button = make("button", "quiet", kind);
      button.type = "button";
      button.addEventListener("click", () => void give());
      saving.append(button);
    }
    this.#box.tabIndex = 0;
    this.#box.role = "region";
    this.#details.append(make("summary", "", strings.charts.numbers), this.#box);
    // Built when it is looked at: it may change with every frame.
    this.#details.addEventListener("toggle", () => this.#fill());
    this.extras = [this.#details, saving];
    this.element.append(this.#title, this.plot, this.#summary, ...this.extras);
  }

  set title(title: string) {
    this.#title.textContent = title;
    this.#saving.ariaLabel = strings.charts.save(title);
  }

  /** Describes the picture in words. */
  set summary(text: string) {
    if (this.#summary.textContent !== text) this.#summary.textContent = text;
  }

  set table(table: Table) {
    this.#table = table;
    this.#fill();
  }

  #fill(): void {
    const table = this.#table;
    if (!table || !this.#details.open) return;
    const { caption, columns, rows, format } = table;
    this.#box.ariaLabel = caption;
    const shown = (value: string | number, column: number) => (typeof value === "number" ? format(value, column) : value);
    this.#box.replaceChildren(makeTable(caption, columns.map(shown), rows.map((row) => row.map(shown))));
  }

  #svg(): string | undefined {
    return toSvg(this.plot, { title: this.#title.textContent, summary: this.#summary.textContent });
  }

  #saveSvg(): void {
    const svg = this.#svg();
    if (svg !== undefined) save(`${this.#name}.svg`, new Blob([svg], { type: "image/svg+xml" }));
  }

  async #savePng(): Promise<void> {
    const svg = this.#svg();
    if (svg !== undefined) save(`${this.#name}.png`, await toPng(svg));
  }

  #saveCsv(): void {
    if (!this.#table) return;
    const { columns, rows } = this.#table;
    save(`${this.#name}.csv`, new Blob([toCsv([columns, ...rows])], { type: "text/csv" }));
  }
}

import { select } from "d3-selection";
import { text } from "./strings";

const WIDTH = 300;
const LEFT = 56;
const TOP = 40;
const CELL = { width: (WIDTH - LEFT) / 3, height: 46 };
const HEIGHT = TOP + 3 * CELL.height;

/** A cell of the confusion table: how many pairs, and the share of its row that they are. */
export interface Cell {
  count: string;
  percent: string;
  share: number;
}

/** Judged grades in rows, given grades in columns; the more of a row a cell holds, the stronger its colour. */
export class ConfusionPicture {
  readonly svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");

  constructor() {
    this.svg.setAttribute("class", "chart confusion");
    this.svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  }

  draw(rows: readonly (readonly Cell[])[]): void {
    const svg = select(this.svg);
    svg.selectAll("*").remove();
    const write = (words: string, x: number, y: number, anchor = "middle") =>
      svg.append("text").attr("x", x).attr("y", y).attr("text-anchor", anchor).text(words);
    const across = (column: number) => LEFT + (column + 0.5) * CELL.width;
    const down = (row: number) => TOP + (row + 0.5) * CELL.height;
    write(text.columns, across(1), 12);
    write(text.rows, LEFT - 8, 31, "end");
    for (const [at, { short }] of text.grades.entries()) {
      write(short, across(at), 31);
      write(short, LEFT - 8, down(at) + 5, "end");
    }
    for (const [row, cells] of rows.entries()) {
      for (const [column, { count, percent, share }] of cells.entries()) {
        svg
          .append("rect")
          .attr("class", row === column ? "cell cell-right" : "cell")
          .attr("x", across(column) - CELL.width / 2 + 1)
          .attr("y", down(row) - CELL.height / 2 + 1)
          .attr("width", CELL.width - 2)
          .attr("height", CELL.height - 2)
          .attr("fill-opacity", 0.4 * share);
        write(count, across(column), down(row) - 3);
        write(percent, across(column), down(row) + 14);
      }
    }
  }
}

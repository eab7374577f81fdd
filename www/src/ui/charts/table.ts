import { make } from "../dom";

type Cell = string | Node;

/** A table of texts; the first of each row names it. */
export function makeTable(caption: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): HTMLTableElement {
  const table = make("table");
  const head = make("tr");
  for (const column of columns) {
    const cell = make("th", "", column);
    cell.scope = "col";
    head.append(cell);
  }
  const body = make("tbody");
  for (const [first = "", ...values] of rows) {
    const name = make("th");
    name.scope = "row";
    name.append(first);
    const row = make("tr");
    row.append(name, ...values.map((value) => {
      const cell = make("td");
      cell.append(value);
      return cell;
    }));
    body.append(row);
  }
  const top = make("thead");
  top.append(head);
  table.append(make("caption", "", caption), top, body);
  return table;
}

/** A table in a box that scrolls where there is no room. */
export function tableBox(caption: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): HTMLElement {
  const box = make("div", "table-box");
  box.tabIndex = 0;
  box.role = "region";
  box.ariaLabel = caption;
  box.append(makeTable(caption, columns, rows));
  return box;
}

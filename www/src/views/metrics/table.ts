import { make } from "../../dom";

/** A table of texts, in a box that scrolls where there is no room; the first of each row names it. */
export function tableBox(caption: string, columns: readonly string[], rows: readonly (readonly (string | Node)[])[]): HTMLElement {
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
  const box = make("div", "table-box");
  box.tabIndex = 0;
  box.role = "region";
  box.ariaLabel = caption;
  box.append(table);
  return box;
}

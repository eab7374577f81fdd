import type { Hit } from "smooth-clir";
import { byId, make } from "../dom";
import { languageName, strings } from "../strings";
import { rankIn, type Ranked } from "./comparison";

const SHOWN = 10;
/** How far down a rank is looked for. */
export const RANKED = 100;

/** The first documents of one search before the first lesson and now, side by side. */
export class BeforeAfter {
  readonly #note = byId("before-after-note", HTMLParagraphElement);
  readonly #table = byId("before-after", HTMLTableElement);
  readonly #rows = byId("before-after-rows", HTMLTableSectionElement);

  show(query: string, before: readonly Hit[], now: readonly Hit[]): void {
    const [left, right] = [rankIn(before, now, SHOWN), rankIn(now, before, SHOWN)];
    const empty = left.length === 0 && right.length === 0;
    this.#note.textContent = empty ? strings.teach.nothingToCompare : strings.teach.compared(query);
    this.#table.hidden = empty;
    const places = Array.from({ length: Math.max(left.length, right.length) });
    this.#rows.replaceChildren(...places.map((_, place) => toRow(place + 1, left[place], right[place])));
  }
}

function toRow(rank: number, before: Ranked | undefined, now: Ranked | undefined): HTMLTableRowElement {
  const row = make("tr");
  const head = make("th", "", String(rank));
  head.scope = "row";
  const cells = [
    toCell(before, before && before.other !== undefined && before.other <= SHOWN ? undefined : before?.other, true),
    toCell(now, now?.other, false),
  ];
  row.append(head, ...cells);
  return row;
}

/** A document, and where it came from or went: of those before, only what left the first ones says so. */
function toCell(ranked: Ranked | undefined, other: number | undefined, left: boolean): HTMLTableCellElement {
  const cell = make("td");
  if (!ranked) return cell;
  const title = make("span", "ranked-title", ranked.hit.title);
  title.lang = ranked.hit.language;
  title.dir = "auto";
  cell.append(title, make("span", "language", languageName(ranked.hit.language)));
  const gone = left && (ranked.other === undefined || ranked.other > SHOWN);
  if (!left || gone) cell.append(toMove(ranked.rank, other, left));
  return cell;
}

function toMove(rank: number, other: number | undefined, left: boolean): HTMLSpanElement {
  const { teach } = strings;
  const far = String(RANKED);
  const up = !left && (other === undefined || other > rank);
  const same = other === rank;
  const words = left
    ? other === undefined
      ? teach.nowBeyond(far)
      : teach.nowAt(String(other))
    : same
      ? teach.samePlace
      : other === undefined
        ? teach.fromBeyond(far)
        : teach.from(up, String(Math.abs(other - rank)), String(other));
  const move = make("span", `move ${same ? "move-none" : up ? "move-up" : "move-down"}`);
  const arrow = make("span", "", same ? "=" : up ? "▲" : "▼");
  arrow.ariaHidden = "true";
  move.append(arrow, " ", words);
  return move;
}

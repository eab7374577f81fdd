import type { Hit } from "smooth-clir";
import { byId, make } from "../ui/dom";
import * as format from "../ui/format";
import { languageName, strings } from "../i18n/strings";
import { rankIn, type Ranked } from "./comparison";

const SHOWN = 10;
/** The length of the rankings that are compared. */
export const RANKED = 100;

/** The first documents of one search before fine-tuning and now, side by side. */
export class BeforeAfter {
  readonly #note = byId("before-after-note", HTMLParagraphElement);
  readonly #table = byId("before-after", HTMLTableElement);
  readonly #rows = byId("before-after-rows", HTMLTableSectionElement);

  show(query: string, before: readonly Hit[], now: readonly Hit[]): void {
    const [left, right] = [rankIn(before, now, SHOWN), rankIn(now, before, SHOWN)];
    const empty = left.length === 0 && right.length === 0;
    this.#note.textContent = empty ? strings.finetune.nothingToCompare : strings.finetune.compared(format.short(query));
    this.#table.hidden = empty;
    const places = Array.from({ length: Math.max(left.length, right.length) });
    this.#rows.replaceChildren(...places.map((_, place) => toRow(place + 1, left[place], right[place])));
  }
}

function toRow(rank: number, before: Ranked | undefined, now: Ranked | undefined): HTMLTableRowElement {
  const row = make("tr");
  const head = make("th", "", String(rank));
  head.scope = "row";
  row.append(head, toCell(before, toLeaving), toCell(now, toArrival));
  return row;
}

function toCell(ranked: Ranked | undefined, toMove: (ranked: Ranked) => HTMLElement | undefined): HTMLTableCellElement {
  const cell = make("td");
  if (!ranked) return cell;
  const title = make("span", "ranked-title", ranked.hit.title);
  title.lang = ranked.hit.language;
  title.dir = "auto";
  cell.append(title, make("span", "language", languageName(ranked.hit.language)));
  const move = toMove(ranked);
  if (move) cell.append(move);
  return cell;
}

/** The rank from which a document came. */
function toArrival({ rank, other }: Ranked): HTMLElement {
  if (other === undefined) return arrow("up", strings.finetune.fromBeyond(String(RANKED)));
  if (other === rank) return arrow("none", strings.finetune.samePlace);
  const way = other > rank ? "up" : "down";
  return arrow(way, strings.finetune.from(way, String(Math.abs(other - rank)), String(other)));
}

/** The rank to which a document fell that is no longer among the first. */
function toLeaving({ other }: Ranked): HTMLElement | undefined {
  if (other === undefined) return arrow("down", strings.finetune.nowBeyond(String(RANKED)));
  return other > SHOWN ? arrow("down", strings.finetune.nowAt(String(other))) : undefined;
}

const ARROWS = { up: "▲", down: "▼", none: "=" };

function arrow(way: keyof typeof ARROWS, words: string): HTMLElement {
  const move = make("span", `move-${way}`);
  const sign = make("span", "", ARROWS[way]);
  sign.ariaHidden = "true";
  move.append(sign, " ", words);
  return move;
}

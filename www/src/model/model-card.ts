import { make } from "../ui/dom";
import * as format from "../ui/format";
import { languagesOf, MODEL_CARD } from "./models";
import { languageName, strings } from "../i18n/strings";

/** The card of the full model: figures, sources, limits. */
interface ModelCard {
  name: string;
  /** The bytes of each file. */
  bytes: Readonly<Record<string, number>>;
  /** A language, a tuning set, a ranking, and metrics by name. */
  figures: readonly ({ language: string; set: string } & Readonly<Record<string, string | number>>)[];
  /** Success@3 of typed queries, by kind of query and language. */
  typed?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** What was trained on what. */
  training?: readonly string[];
  sources: readonly { name: string; licence: string; attribution: string; url?: string }[];
  limits: readonly string[];
  biases: readonly string[];
}

const text = strings.card;

/** Fetches the card and fills an element with it. */
export async function showModelCard(root: HTMLElement): Promise<void> {
  const answer = await fetch(MODEL_CARD);
  if (!answer.ok) throw new Error(String(answer.status));
  const card = (await answer.json()) as ModelCard;
  const sizes = Object.values(card.bytes);
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const name = make("p");
  name.append(make("strong", "", card.name));
  if (sizes.length > 0) name.append(" ", text.size(format.count(sizes.length), format.megabytes(size)));
  root.replaceChildren(name);
  if (card.figures.length > 0) root.append(make("h3", "", text.figures), tableOf(card.figures, text.figures));
  const typed = Object.entries(card.typed ?? {}).map(([kind, row]) => ({ kind, ...row }));
  if (typed.length > 0) root.append(make("h3", "", text.typed), tableOf(typed, text.typed));
  if (card.training) root.append(make("h3", "", text.training), listOf(card.training.map((one) => [one])));
  root.append(make("h3", "", text.sources), listOf(card.sources.map(sourceOf)));
  for (const part of ["limits", "biases"] as const) {
    if (card[part].length > 0) root.append(make("h3", "", text[part]), listOf(card[part].map((one) => [one])));
  }
  // The card is written in English.
  for (const element of root.querySelectorAll<HTMLElement>("li, strong")) element.lang = "en";
}

function sourceOf({ name, licence, attribution, url }: ModelCard["sources"][number]): (Node | string)[] {
  const title = make(url === undefined ? "span" : "a", "", name);
  if (title instanceof HTMLAnchorElement) title.href = url!;
  return [title, ` (${licence}): ${attribution}`];
}

/** A cell as it is shown. */
function shown(column: string, value: string | number): string {
  if (typeof value === "number") return format.metric(value);
  if (column === "language") return languageName(value);
  if (column === "kind") return text.kinds[value] ?? value;
  return column === "ranking" ? (text.rankings[value] ?? value) : value;
}

function listOf(items: readonly (Node | string)[][]): HTMLUListElement {
  const list = make("ul");
  list.append(...items.map((parts) => {
    const item = make("li");
    item.append(...parts);
    return item;
  }));
  return list;
}

function tableOf(rows: readonly Readonly<Record<string, string | number>>[], name: string): HTMLElement {
  const languages = new Set(languagesOf("full"));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const table = make("table");
  const head = table.createTHead().insertRow();
  for (const column of columns) {
    const cell = make("th", "", text.columns[column] ?? (languages.has(column) ? languageName(column) : column));
    cell.scope = "col";
    head.append(cell);
  }
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    for (const column of columns) {
      line.append(make("td", "", shown(column, row[column] ?? "")));
    }
  }
  const box = make("div", "table-box");
  box.tabIndex = 0;
  box.role = "region";
  box.ariaLabel = name;
  box.append(table);
  return box;
}

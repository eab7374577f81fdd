import { make } from "../../ui/dom";
import { isBroken, toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import { latest } from "../../ui/latest";
import type { Context } from "../view";
import { find, placeBeside, withNorm, type Found, type FoundDocument } from "./found-documents";
import type { Marks } from "./plane";
import { REACHES } from "../../state/maps";
import { text } from "./strings";

/** The documents of the search at hand: dots for the map, and a list to choose from. */
export class DocumentsSection {
  readonly element = make("section", "maps-found");
  readonly #context: Context;
  readonly #onFound: () => void;
  readonly #note = make("p");
  readonly #table = make("table");
  readonly #body = make("tbody");
  readonly #search = latest(() => this.#find());
  #wanted = "";
  #found: Found | undefined;
  #failure: string | undefined;

  /** `onFound` is called when documents have come. */
  constructor(context: Context, onFound: () => void) {
    this.#context = context;
    this.#onFound = onFound;
    const head = make("tr");
    for (const name of text.documents.columns) {
      const cell = make("th", "", name);
      cell.scope = "col";
      head.append(cell);
    }
    const top = make("thead");
    top.append(head);
    this.#table.append(make("caption", "", text.documents.caption), top, this.#body);
    const box = make("div", "table-box");
    box.append(this.#table);
    this.element.append(make("h3", "", text.documents.title), this.#note, box);
  }

  /** The documents' points on the map. */
  get dots(): NonNullable<Marks["dots"]> {
    const { query, document, layers } = this.#context.store.state.maps;
    if (!layers.includes("documents")) return [];
    return (this.#found?.documents ?? []).map((one) => ({
      at: placeBeside(one, query, document),
      name: one.hit.title,
    }));
  }

  update(): void {
    const { store } = this.#context;
    const { query, language, maps } = store.state;
    this.element.hidden = !maps.layers.includes("documents");
    if (this.element.hidden) {
      this.#wanted = "";
      return;
    }
    const engine = this.#context.engine();
    const wanted = JSON.stringify([query, language, this.#context.epsilon(), engine?.description.space]);
    if (wanted !== this.#wanted) {
      this.#wanted = wanted;
      void this.#search();
    }
    this.#describe();
  }

  /** Searches again when it is shown again: the model may have been fine-tuned meanwhile. */
  leave(): void {
    this.#wanted = "";
  }

  async #find(): Promise<void> {
    const { query, language } = this.#context.store.state;
    const engine = this.#context.engine();
    this.#failure = undefined;
    try {
      const asked = engine && query.trim() !== "";
      this.#found = asked ? await find(engine, query, { epsilon: this.#context.epsilon(), language }) : undefined;
    } catch (error) {
      if (engine !== this.#context.engine() || isBroken(error)) return;
      const { message, code } = toFailure(error);
      this.#found = undefined;
      this.#failure = text.documents.failed(message, code);
    }
    this.#list();
    this.#describe();
    this.#onFound();
  }

  #describe(): void {
    const { query, maps } = this.#context.store.state;
    const engine = this.#context.engine();
    const documents = this.#found?.documents ?? [];
    const reach = Number(maps.reach);
    const onMap = this.dots.filter(({ at }) => at.every((x) => Math.abs(x) <= reach)).length;
    const note =
      this.#failure ??
      (query.trim() === ""
        ? text.documents.noQuery
        : !engine
          ? text.documents.noEngine
          : documents.length === 0
            ? text.documents.noneFound(query)
            : text.documents.explanation(query, onMap, documents.length, format.count(engine.dimension)));
    if (this.#note.textContent !== note) this.#note.textContent = note;
    this.#table.hidden = documents.length === 0;
  }

  #list(): void {
    const rows = (this.#found?.documents ?? []).map((one) => {
      const { hit, angle } = one;
      const row = make("tr");
      const button = make("button", "", hit.title);
      button.type = "button";
      button.lang = hit.language;
      button.addEventListener("click", () => this.#take(one));
      const head = make("th");
      head.scope = "row";
      head.append(button);
      const degrees = text.documents.degrees(format.measured((angle * 180) / Math.PI));
      const cells = [format.measured(hit.documentNorm), degrees, format.score(hit.similarity)];
      row.append(head, ...cells.map((cell) => make("td", "", cell)));
      return row;
    });
    this.#body.replaceChildren(...rows);
  }

  /** Gives q and d the lengths and the angle of the query and this document. */
  #take(one: FoundDocument): void {
    const { store } = this.#context;
    const { maps } = store.state;
    const query = withNorm(maps.query, this.#found?.queryNorm ?? 0);
    const document = placeBeside(one, query, maps.document);
    const most = Math.max(...query.map(Math.abs), ...document.map(Math.abs));
    const fits = (reach: (typeof REACHES)[number]) => Number(reach) >= Math.max(most, Number(maps.reach));
    store.set({ maps: { ...maps, query, document, reach: REACHES.find(fits) ?? "8" } });
  }
}

import type { Hit, SmoothClir } from "smooth-clir";
import { byId, make } from "./dom";
import { toFailure } from "./failure";
import * as format from "./format";
import { keyOf } from "./key";
import { latest } from "./latest";
import { MODELS, type ModelName } from "./models";
import { DENSE, type Store } from "./state";
import { languageName, strings } from "./strings";

const LIMIT = 10;
const text = strings.compare;

/** The engines of both models, as far as they are here. */
export type Engines = Readonly<Record<ModelName, SmoothClir | undefined>>;

/** The same search by both models, side by side in place of the list. */
export class CompareView {
  /** Brings it up to date. */
  readonly update = latest(() => this.#compare());

  readonly #store: Store;
  readonly #engines: () => Engines;
  readonly #results = byId("results", HTMLElement);
  readonly #root = byId("comparison", HTMLElement);
  readonly #note = make("p", "compare-note");
  readonly #lists: Record<ModelName, HTMLOListElement>;

  constructor(store: Store, engines: () => Engines) {
    this.#store = store;
    this.#engines = engines;
    const heading = make("h3", "", text.heading);
    heading.id = "comparison-heading";
    this.#note.role = "status";
    const columns = make("div", "compare-columns");
    const column = (name: ModelName) => {
      const list = make("ol", "compare-list");
      const title = make("h4", "", strings.models.names[name]);
      title.id = `compare-${name}`;
      list.setAttribute("aria-labelledby", title.id);
      const box = make("div");
      box.append(title, list);
      columns.append(box);
      return list;
    };
    this.#lists = { paper: column("paper"), shipped: column("shipped") };
    this.#root.append(heading, this.#note, columns);
  }

  async #compare(): Promise<void> {
    const { compare, query, epsilon, language, by } = this.#store.state;
    const { paper, shipped } = this.#engines();
    const shows = compare && query.trim() !== "" && paper !== undefined;
    this.#root.hidden = !shows;
    this.#results.classList.toggle("is-comparing", shows);
    if (!shows) return;
    try {
      const [ofPaper, ofShipped] = await Promise.all([
        paper.search(query, { epsilon, language, limit: LIMIT }),
        shipped?.search(query, { epsilon, language, limit: LIMIT, dense: DENSE[by] }),
      ]);
      const hits = { paper: ofPaper, shipped: ofShipped ?? [] };
      for (const name of MODELS) {
        const other = MODELS.find((one) => one !== name)!;
        const ranks = ofShipped && new Map(hits[other].map((hit, place) => [keyOf(hit), place + 1]));
        this.#lists[name].replaceChildren(...hits[name].map((hit) => entry(hit, other, ranks)));
      }
      const keys = new Set(hits.paper.map(keyOf));
      const shared = hits.shipped.filter((hit) => keys.has(keyOf(hit))).length;
      const none = hits.paper.length === 0 && hits.shipped.length === 0;
      this.#note.textContent = !ofShipped ? text.waiting : none ? text.nothing : text.shared(shared);
    } catch (error) {
      const now = this.#engines();
      // Another engine has taken its place: it is asked next.
      if (now.paper !== paper || now.shipped !== shipped) return;
      const { code, message } = toFailure(error);
      this.#note.textContent = text.failed(message, code);
    }
  }
}

/** A document, and which rank the other model gives it; `ranks` is undefined while that is not here. */
function entry(hit: Hit, other: ModelName, ranks: ReadonlyMap<string, number> | undefined): HTMLLIElement {
  const item = make("li");
  const title = make("span", "compare-title", hit.title);
  title.lang = hit.language;
  title.dir = "auto";
  const rank = ranks?.get(keyOf(hit));
  const there = rank === undefined ? text.notThere[other] : text.there[other](format.count(rank));
  const numbers = make("span", "compare-numbers", `${strings.score} ${format.score(hit.score)}`);
  item.append(title, " ", make("span", "language", languageName(hit.language)), " ", numbers);
  if (ranks) item.append(make("span", "compare-there", there));
  return item;
}

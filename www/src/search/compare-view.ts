import type { Hit, SmoothClir } from "smooth-clir";
import { byId, make } from "../ui/dom";
import { toFailure } from "../ui/failure";
import * as format from "../ui/format";
import { keyOf } from "../model/document-key";
import { latest } from "../ui/latest";
import { MethodEngines } from "../model/method-engines";
import { bytesOf, hasMethods, isMethod, RANKERS, type RankerName } from "../model/methods";
import { languagesOf, MODELS, type ModelName } from "../model/models";
import { readable } from "./readable";
import { DENSE_WEIGHT, type Store } from "../state/state";
import { languageName, strings } from "../i18n/strings";

const LIMIT = 10;
const SIDES = ["left", "right"] as const;
type Side = (typeof SIDES)[number];
const text = strings.compare;

/** The engines of both models, as far as they are here. */
export type Engines = Readonly<Record<ModelName, SmoothClir | undefined>>;

/** The hits of one column, or the reason why it shows none. */
type Found = { hits: Hit[] } | { message: string };

/** The same search by two models or methods, side by side in place of the list. */
export class CompareView {
  /** Brings it up to date. */
  readonly update = latest(() => this.#compare());

  readonly #store: Store;
  readonly #engines: () => Engines;
  readonly #methods = new MethodEngines();
  readonly #results = byId("results", HTMLElement);
  readonly #root = byId("comparison", HTMLElement);
  readonly #note = make("p", "compare-note");
  readonly #columns: Record<Side, { choice: HTMLSelectElement; message: HTMLParagraphElement; list: HTMLOListElement }>;

  constructor(store: Store, engines: () => Engines) {
    this.#store = store;
    this.#engines = engines;
    const heading = make("h3", "", text.heading);
    heading.id = "comparison-heading";
    this.#note.role = "status";
    const columns = make("div", "compare-columns");
    const offered = hasMethods ? RANKERS : MODELS;
    const column = (side: Side) => {
      const choice = make("select");
      choice.append(...offered.map((name) => new Option(text.names[name], name)));
      choice.addEventListener("change", () => store.set({ [side]: choice.value as RankerName }));
      const label = make("label", "compare-choice", text.sides[side]);
      label.append(choice);
      const message = make("p", "compare-note");
      const list = make("ol", "compare-list");
      const box = make("div");
      box.append(label, message, list);
      columns.append(box);
      return { choice, message, list };
    };
    this.#columns = { left: column("left"), right: column("right") };
    this.#root.append(heading, this.#note, columns);
  }

  async #compare(): Promise<void> {
    const { compare, query, left, right } = this.#store.state;
    const shows = compare && query.trim() !== "" && this.#engines().demo !== undefined;
    this.#root.hidden = !shows;
    this.#results.classList.toggle("is-comparing", shows);
    if (!shows) return;
    const names = { left, right };
    const language = this.#store.state.language ?? onlyLanguage(left, right);
    for (const side of SIDES) this.#columns[side].choice.value = names[side];
    const [ofLeft, ofRight] = await Promise.all([this.#find("left", left, language), this.#find("right", right, language)]);
    // Another engine has taken its place: it is searched next.
    if (!ofLeft || !ofRight) return;
    const found = { left: ofLeft, right: ofRight };
    const both = "hits" in ofLeft && "hits" in ofRight;
    for (const side of SIDES) {
      const { message, list } = this.#columns[side];
      const [own, other] = [found[side], found[side === "left" ? "right" : "left"]];
      message.textContent = "message" in own ? own.message : "";
      message.hidden = !("message" in own);
      list.setAttribute("aria-label", text.names[names[side]]);
      const ranks = both && "hits" in other ? new Map(other.hits.map((hit, place) => [keyOf(hit), place + 1])) : undefined;
      list.replaceChildren(...("hits" in own ? own.hits : []).map((hit) => entry(hit, ranks)));
    }
    const isNarrowed = language !== undefined && this.#store.state.language === undefined;
    const notes = isNarrowed ? [text.oneLanguage(languageName(language))] : [];
    if (!both) {
      this.#note.textContent = notes.join(" ");
      return;
    }
    const keys = new Set(ofLeft.hits.map(keyOf));
    const shared = ofRight.hits.filter((hit) => keys.has(keyOf(hit))).length;
    notes.push(ofLeft.hits.length + ofRight.hits.length === 0 ? text.nothing : text.shared(shared));
    this.#note.textContent = notes.join(" ");
  }

  /** Searches for one column; undefined where its engine was replaced meanwhile. */
  async #find(side: Side, name: RankerName, language: string | undefined): Promise<Found | undefined> {
    const { query, epsilon, asked, by } = this.#store.state;
    if (isMethod(name)) {
      const bytes = language === undefined ? undefined : bytesOf(name, language);
      if (language === undefined || bytes === undefined) return { message: text.notOfLanguage };
      const { message, list } = this.#columns[side];
      message.textContent = text.fetching(format.megabytes(bytes));
      message.hidden = list.childElementCount > 0;
      try {
        const engine = await this.#methods.get(name, language);
        // Cosine: what epsilon does is shown of the models that were trained with it.
        return { hits: await engine.search(query, { limit: LIMIT }) };
      } catch (error) {
        return failed(error);
      }
    }
    const engine = this.#engines()[name];
    if (!engine) return { message: text.waiting };
    try {
      const dense = name === "full" ? DENSE_WEIGHT[by] : undefined;
      return { hits: await engine.search(query, { epsilon, language, queryLanguage: readable(engine, asked), limit: LIMIT, dense }) };
    } catch (error) {
      return this.#engines()[name] === engine ? failed(error) : undefined;
    }
  }
}

/** Methods are trained for one language of documents: where all are searched, both lists are of the first that they have. */
function onlyLanguage(...names: RankerName[]): string | undefined {
  const methods = names.filter(isMethod);
  if (methods.length === 0) return undefined;
  return languagesOf("demo").find((language) => methods.every((method) => bytesOf(method, language) !== undefined));
}

function failed(error: unknown): Found {
  const { code, message } = toFailure(error);
  return { message: text.failed(message, code) };
}

/** A document, and which rank the other side gives it; `ranks` is undefined while that is not known. */
function entry(hit: Hit, ranks: ReadonlyMap<string, number> | undefined): HTMLLIElement {
  const item = make("li");
  const title = make("span", "compare-title", hit.title);
  title.lang = hit.language;
  title.dir = "auto";
  const numbers = make("span", "compare-numbers", `${strings.score} ${format.score(hit.score)}`);
  item.append(title, " ", make("span", "language", languageName(hit.language)), " ", numbers);
  if (!ranks) return item;
  const rank = ranks.get(keyOf(hit));
  const there = rank === undefined ? text.notThere : text.there(format.count(rank));
  item.append(make("span", "compare-there", there));
  return item;
}

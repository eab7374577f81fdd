import { choice, choices, codec, flag, type Codec } from "./codec";
import { toKey } from "../model/document-key";
import { RANKERS, type RankerName } from "../model/methods";
import { MODELS, type ModelName } from "../model/models";
import { descent, realTraining } from "./descent";
import { documents } from "./documents";
import { learn } from "./learn";
import { lessons } from "./lessons";
import { losses } from "./losses";
import { maps } from "./maps";
import { metrics } from "./metrics";
import { theory } from "./theory";
import { training } from "./training";

/** The views of the page, by the entry of its menu that leads to them, each in order. */
export const MENU = {
  search: ["search"],
  learn: ["learn", "lessons"],
  documents: ["documents"],
  lab: ["maps", "descent", "losses", "metrics", "training", "theory"],
} as const;
export type MenuEntry = keyof typeof MENU;
export const VIEWS = Object.values(MENU).flat();
export type ViewName = (typeof MENU)[MenuEntry][number];

export const EPSILON_MOST = 100;
/** A link with more is not passed on by every program. */
export const LINK_QUERY_MOST = 1000;
/** The most explanations: as many as there are results in a list. */
export const WHY_MOST = 10;

/** An epsilon in its range, or undefined where it is no number. */
export function toEpsilon(text: string): number | undefined {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isNaN(value)) return undefined;
  return Math.min(Math.max(value, 0), EPSILON_MOST);
}

/** A language's tag, or undefined where it is none. */
const toTag = (text: string): string | undefined => (/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(text) ? text : undefined);

/** The score that ranks documents, where the model has two. */
export const RANKINGS = ["hybrid", "dense", "lexical"] as const;
export type Ranking = (typeof RANKINGS)[number];
/** The weight of the dense score in each ranking; undefined is the model's own. */
export const DENSE_WEIGHT: Record<Ranking, number | undefined> = { hybrid: undefined, dense: 1, lexical: 0 };

/** The query and the settings of the search. */
const search = codec<{
  query: string;
  /** From 0 to 100; undefined is the model's own. */
  epsilon: number | undefined;
  /** One language only; undefined is all. */
  language: string | undefined;
  /** The language that the query is taken for; undefined leaves it to its words. */
  asked: string | undefined;
  /** Only the documents that the person added, where there are some. */
  mine: boolean;
  /** The model to search with; undefined leaves it to the page. */
  model: ModelName | undefined;
  by: Ranking;
  /** Whether the results of two models or methods stand side by side. */
  compare: boolean;
  /** Which these are. */
  left: RankerName;
  right: RankerName;
  /** The document that is watched, by its key. */
  pin: string | undefined;
  /** The documents whose scores are explained. */
  why: readonly string[];
  /** Whether the drawer *Under the hood* is open; "usual" leaves it to the page. */
  hood: "usual" | "open" | "closed";
  /** Whether misspelt words are left as they were typed. */
  asTyped: boolean;
  /** Two documents whose rank change is shown: the one that is ahead at a small epsilon first. */
  pair: readonly [string, string] | undefined;
}>({
  query: {
    name: "q",
    usual: "",
    parse: (text) => text.slice(0, LINK_QUERY_MOST),
    // A query too long for a link is left out.
    format: (query) => (query.length <= LINK_QUERY_MOST ? query : ""),
  },
  epsilon: { name: "eps", usual: undefined, parse: toEpsilon },
  language: { name: "lang", usual: undefined, parse: toTag },
  asked: { name: "ql", usual: undefined, parse: toTag },
  mine: flag("mine"),
  model: { name: "model", usual: undefined, parse: (text) => MODELS.find((name) => name === text) },
  by: choice("by", "hybrid", RANKINGS),
  compare: flag("compare"),
  left: choice("left", "demo", RANKERS),
  right: choice("right", "full", RANKERS),
  pin: { name: "pin", usual: undefined, parse: toKey },
  why: { name: "why", usual: [], parse: (text) => toKeys(text).slice(-WHY_MOST), format: (keys) => keys.join() },
  hood: choice("hood", "usual", ["usual", "open", "closed"]),
  asTyped: flag("typed"),
  pair: {
    name: "swap",
    usual: undefined,
    parse: (text) => {
      const [first, second, ...others] = toKeys(text);
      return first !== undefined && second !== undefined && others.length === 0 ? [first, second] : undefined;
    },
    format: (pair) => pair?.join() ?? "",
  },
});

function toKeys(text: string): string[] {
  return text.split(",").filter((key) => toKey(key) !== undefined);
}

/** The shown part of the page. */
const page = codec<{
  view: ViewName;
  /** Views that are left out of the menu. */
  hide: readonly ViewName[];
  /** Without the page's head and foot, to stand in another page. */
  embed: boolean;
}>({
  view: choice("view", "search", VIEWS),
  hide: choices("hide", [], VIEWS),
  embed: flag("embed"),
});

const CODECS = [search, page] as const;
const VIEW_CODECS = { maps, descent, realTraining, losses, metrics, training, theory, documents, learn, lessons };
type ViewStates = { [V in keyof typeof VIEW_CODECS]: (typeof VIEW_CODECS)[V]["usual"] };

/** Every setting of the page; a link holds all of them. */
export type State = typeof search.usual & typeof page.usual & ViewStates;

const viewCodecs = Object.entries(VIEW_CODECS) as [keyof ViewStates, Codec<object>][];

/** The state of a link; undefined for a hash that is none, such as a plain anchor. */
export function fromHash(hash: string): State | undefined {
  const text = hash.replace(/^#/, "");
  if (text !== "" && !text.includes("=")) return undefined;
  const fields = new URLSearchParams(text);
  const views = viewCodecs.map(([name, codec]) => [name, codec.read(fields)]);
  return Object.assign({}, ...CODECS.map((codec) => codec.read(fields)), Object.fromEntries(views)) as State;
}

/** The hash of a state. */
export function toHash(state: State): string {
  const fields = new URLSearchParams();
  for (const codec of CODECS as readonly Codec<unknown>[]) codec.write(state, fields);
  for (const [name, codec] of viewCodecs) codec.write(state[name], fields);
  const text = fields.toString();
  return text === "" ? "" : `#${text}`;
}

type Listener = (state: Readonly<State>, changed: ReadonlySet<keyof State>) => void;

/** Holds the one state, and tells its listeners what changed. */
export class Store {
  #state: State;
  readonly #listeners: Listener[] = [];

  constructor(state: State) {
    this.#state = state;
  }

  get state(): Readonly<State> {
    return this.#state;
  }

  set(patch: Partial<State>): void {
    const next = { ...this.#state, ...patch };
    const keys = Object.keys(next) as (keyof State)[];
    const changed = new Set(keys.filter((key) => next[key] !== this.#state[key]));
    if (changed.size === 0) return;
    this.#state = next;
    for (const listener of this.#listeners) listener(next, changed);
  }

  subscribe(listener: Listener): void {
    this.#listeners.push(listener);
  }
}

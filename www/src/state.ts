/** All that a person can set, and all that a link to the page holds. */
export interface State {
  query: string;
  /** From 0 to 100; undefined is the model's own. */
  epsilon: number | undefined;
  /** One language only; undefined is all. */
  language: string | undefined;
}

export const EPSILON_MOST = 100;
/** A link with more is not passed on by every program. */
const LINK_QUERY_MOST = 1000;

/** An epsilon in its range, or undefined where it is no number. */
export function toEpsilon(text: string): number | undefined {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isNaN(value)) return undefined;
  return Math.min(Math.max(value, 0), EPSILON_MOST);
}

/** The state of a link; undefined for a hash that is none, such as a plain anchor. */
export function fromHash(hash: string): State | undefined {
  const text = hash.replace(/^#/, "");
  if (text !== "" && !text.includes("=")) return undefined;
  const fields = new URLSearchParams(text);
  const language = fields.get("lang") ?? "";
  return {
    query: (fields.get("q") ?? "").slice(0, LINK_QUERY_MOST),
    epsilon: toEpsilon(fields.get("eps") ?? ""),
    language: /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(language) ? language : undefined,
  };
}

/** The hash of a state; a query too long for a link is left out. */
export function toHash({ query, epsilon, language }: State): string {
  const fields = new URLSearchParams();
  if (query !== "" && query.length <= LINK_QUERY_MOST) fields.set("q", query);
  if (epsilon !== undefined) fields.set("eps", String(epsilon));
  if (language !== undefined) fields.set("lang", language);
  const text = fields.toString();
  return text === "" ? "" : `#${text}`;
}

type Listener = (state: Readonly<State>, changed: ReadonlySet<keyof State>) => void;

/** Holds the one state and tells who listens what changed. */
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

import { SmoothClir, SmoothClirError, type Hit, type Taken } from "./index.js";
import { snippet } from "./snippet.js";

/** What a search box says. */
export interface SearchBoxStrings {
  /** The input's name. */
  label: string;
  loading: string;
  none: string;
  /** How many documents were found. */
  found: (count: number) => string;
  failed: (reason: string) => string;
  /** Over the fields that documents can be chosen by. */
  filters: string;
}

const ENGLISH: SearchBoxStrings = {
  label: "Search",
  loading: "Loading the search…",
  none: "Nothing found.",
  found: (count) => (count === 1 ? "1 result" : `${count} results`),
  failed: (reason) => `The search failed: ${reason}`,
  filters: "Only with",
};

/** A query is asked for once nobody has typed for so long. */
const PAUSE_MS = 120;

const STYLE = `
  :host {
    display: block;
    font: inherit;
    --box-ink: var(--smooth-clir-ink, light-dark(#1d2429, #ebe7df));
    --box-soft: var(--smooth-clir-ink-soft, light-dark(#545c61, #aab0b3));
    --box-surface: var(--smooth-clir-surface, light-dark(#fffdf9, #1d2227));
    --box-line: var(--smooth-clir-line, light-dark(#8b8578, #79828a));
    --box-accent: var(--smooth-clir-accent, light-dark(#17527a, #86c3ea));
    --box-mark: var(--smooth-clir-mark, light-dark(#f6dfb0, #5a4519));
    color: var(--box-ink);
  }
  :host([hidden]) { display: none; }
  label { display: block; margin-block-end: 0.25em; color: var(--box-soft); }
  input {
    box-sizing: border-box; inline-size: 100%; min-block-size: 2.75em; padding: 0.5em 0.75em; font: inherit; font-size: max(1em, 16px);
    color: inherit; background: var(--box-surface); border: 1px solid var(--box-line); border-radius: 0.5em;
  }
  :is(input, a):focus-visible { outline: 3px solid var(--box-accent); outline-offset: 2px; }
  details { margin-block-start: 0.35em; }
  summary { padding-block: 0.5em; cursor: pointer; color: var(--box-soft); }
  fieldset { max-block-size: 14em; margin: 0 0 0.5em; padding: 0.25em 0.75em; overflow-y: auto; border: 1px solid var(--box-line); border-radius: 0.5em; }
  fieldset label { display: flex; gap: 0.5em; align-items: center; margin: 0; min-block-size: 2em; color: inherit; overflow-wrap: anywhere; }
  fieldset input { inline-size: 1.25em; min-block-size: 1.25em; flex: none; margin: 0; padding: 0; accent-color: var(--box-accent); }
  :is(summary, fieldset input):focus-visible { outline: 3px solid var(--box-accent); outline-offset: 2px; }
  [role="status"] { min-block-size: 1.5em; margin-block: 0.35em; color: var(--box-soft); }
  ol { margin: 0; padding: 0; list-style: none; }
  li { padding-block: 0.6em; border-block-start: 1px solid color-mix(in srgb, var(--box-line) 40%, transparent); overflow-wrap: anywhere; }
  a, strong { display: inline-block; padding-block: 0.3em; font-weight: 600; color: var(--box-accent); }
  strong { color: inherit; }
  p { margin: 0; }
  small { color: var(--box-soft); }
  mark { color: inherit; background: var(--box-mark); border-radius: 0.2em; padding-inline: 0.1em; }
`;

// Where a server renders pages there are no elements; nor are they made there.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * A search box with its results, `<smooth-clir-search>` once {@link defineSearchBox} was called.
 *
 * | attribute | |
 * |---|---|
 * | `model`, `documents` | the addresses of model and index; several with spaces between them. What was found is marked where the model has the documents' side, with its translations |
 * | `manifest` | the address of a manifest, against which all files are checked |
 * | `language` | one language of documents only |
 * | `limit` | how many documents are shown at most; 10 |
 * | `filters` | fields that documents can be chosen by, with spaces between them: their values are shown with the number of documents |
 * | `sort` | the best documents in the order of a field's values, `year` or, from the highest, `-year` |
 * | `base` | where the pages are that `index` read: results are links to them, which mark what was found there; without it, results are no links |
 *
 * Files are fetched when somebody turns to the box. `engine`, set before that, takes their place; `strings` says what the
 * box says. Its parts `label`, `input`, `filters`, `filter`, `status`, `results`, `result`, `title`, `language`, `text` and `mark` can be styled,
 * and its colours, which follow the page's `color-scheme`, by the properties `--smooth-clir-ink`, `-ink-soft`, `-surface`, `-line`, `-accent` and `-mark`.
 *
 * An event `smooth-clir-results` tells of each ranking: `{ query, hits }`.
 */
export class SmoothClirSearch extends Base {
  // Both only declared: what was set before the element was defined stays.
  /** What the box says, where it is not English. */
  declare strings: Partial<SearchBoxStrings> | undefined;
  /** Who ranks; where it is not set, an engine is loaded by the attributes. */
  declare engine: SmoothClir | Promise<SmoothClir> | undefined;

  #own: SmoothClir | undefined;
  #input!: HTMLInputElement;
  #status!: HTMLElement;
  #results!: HTMLOListElement;
  #filters!: HTMLDetailsElement;
  #asking = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  connectedCallback(): void {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    // A policy may forbid styles in the markup; these it does not.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const form = element("form", "form", { role: "search" });
    this.#input = element("input", "input", { id: "query", type: "search", autocomplete: "off", enterkeyhint: "search" });
    this.#status = element("p", "status", { role: "status" });
    this.#results = element("ol", "results");
    this.#filters = element("details", "filters", { hidden: "" });
    form.append(element("label", "label", { for: "query" }, this.#says("label")), this.#input, this.#filters);
    this.#filters.addEventListener("change", () => void this.search(this.#input.value));
    root.append(form, this.#status, this.#results);

    this.#input.addEventListener("focus", () => void this.#ready().catch((error) => this.#fail(error)), { once: true });
    this.#input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.search(this.#input.value), PAUSE_MS);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(this.#timer);
      void this.search(this.#input.value);
    });
    root.addEventListener("keydown", (event) => this.#move(event as KeyboardEvent));
  }

  /** Gives the memory of an engine of its own back, once the box is gone for good. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      clearTimeout(this.#timer);
      this.#asking.abort();
      if (!this.#own) return;
      this.#own.close();
      this.#own = this.engine = undefined;
    });
  }

  /** Shows what there is for a query, as if it had been typed; the box must be in a page. */
  async search(query: string): Promise<void> {
    if (!this.shadowRoot) throw new SmoothClirError("invalid-argument", "the search box is not in a page yet");
    if (this.#input.value !== query) this.#input.value = query;
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    if (query.trim() === "") return this.#show("", []);
    try {
      const engine = await this.#ready();
      if (signal.aborted) return;
      const language = this.getAttribute("language") ?? undefined;
      const limit = Number(this.getAttribute("limit") ?? 10);
      const sort = this.getAttribute("sort") ?? undefined;
      const hits = await engine.search(query, { language, limit, filters: this.#chosen(), sort, signal });
      const taken = await Promise.all(
        hits.map((hit) => engine.explain(query, { document: hit.id, language: hit.language }).then((why) => why?.taken ?? [])),
      );
      if (signal.aborted) return;
      this.#show(
        hits.length === 0 ? this.#says("none") : this.#says("found")(hits.length),
        hits.map((hit, number) => this.#result(hit, taken[number]!)),
      );
      this.dispatchEvent(new CustomEvent("smooth-clir-results", { detail: { query, hits }, bubbles: true, composed: true }));
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  #says<K extends keyof SearchBoxStrings>(key: K): SearchBoxStrings[K] {
    return this.strings?.[key] ?? ENGLISH[key];
  }

  /** The engine, loaded on the first call. */
  async #ready(): Promise<SmoothClir> {
    if (!this.engine) {
      this.#status.textContent = this.#says("loading");
      const loading = SmoothClir.load({
        model: this.#list("model"),
        documents: this.#list("documents"),
        manifest: this.getAttribute("manifest") ?? undefined,
      });
      this.engine = loading;
      try {
        this.#own = await loading;
        if (!this.isConnected) this.disconnectedCallback();
      } catch (error) {
        // The next query may find the network again.
        this.engine = undefined;
        throw error;
      }
      if (this.#status.textContent === this.#says("loading")) this.#status.textContent = "";
    }
    await this.#offer(await this.engine);
    return this.engine;
  }

  /** Shows the fields that documents can be chosen by, once they are known. */
  async #offer(engine: SmoothClir): Promise<void> {
    const names = this.#list("filters");
    if (names.length === 0 || this.#filters.childElementCount > 0) return;
    const fields = await engine.fields();
    const known = names.filter((name) => Object.hasOwn(fields, name));
    if (known.length === 0 || this.#filters.childElementCount > 0) return;
    const box = ([value, count]: [string, number], name: string) => {
      const label = element("label", "filter");
      label.append(element("input", "filter-box", { type: "checkbox", name, value }), ` ${value} (${count})`);
      return label;
    };
    const group = (name: string) => {
      const set = element("fieldset", "filter-group");
      set.append(element("legend", "filter-name", {}, name), ...fields[name]!.map((value) => box(value, name)));
      return set;
    };
    this.#filters.append(element("summary", "filters-label", {}, this.#says("filters")), ...known.map(group));
    this.#filters.hidden = false;
  }

  /** What was ticked, by field. */
  #chosen(): Record<string, string[]> {
    const chosen = new Map<string, string[]>();
    for (const { name, value } of this.#filters.querySelectorAll<HTMLInputElement>("input:checked")) {
      chosen.set(name, [...(chosen.get(name) ?? []), value]);
    }
    return Object.fromEntries(chosen);
  }

  #list(name: string): string[] {
    return (this.getAttribute(name) ?? "").split(/\s+/).filter(Boolean);
  }

  #fail(error: unknown): void {
    this.#show(this.#says("failed")(error instanceof Error ? error.message : String(error)), []);
  }

  #show(status: string, results: HTMLElement[]): void {
    this.#status.textContent = status;
    this.#results.replaceChildren(...results);
  }

  #result(hit: Hit, taken: readonly Taken[]): HTMLElement {
    const { text, ranges } = snippet(hit.text, taken);
    const result = element("li", "result", { lang: hit.language });
    const base = this.getAttribute("base");
    const title =
      base === null
        ? element("strong", "title", {}, hit.title || hit.id)
        : element("a", "title", { href: addressOf(hit.id, base, ranges.map(([from, to]) => text.slice(from, to))) }, hit.title || hit.id);
    const shown = element("p", "text");
    let at = 0;
    for (const [from, to] of ranges) {
      shown.append(text.slice(at, from), element("mark", "mark", {}, text.slice(from, to)));
      at = to;
    }
    shown.append(text.slice(at));
    result.append(title, " ", element("small", "language", { lang: "" }, hit.language), shown);
    return result;
  }

  /** Arrows go through the results, Escape back to the box. */
  #move(event: KeyboardEvent): void {
    if ((event.target as Element).closest("details")) return;
    const links = [this.#input, ...this.#results.querySelectorAll("a")];
    const at = links.indexOf(this.shadowRoot!.activeElement as HTMLInputElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && at > 0) this.#input.focus();
    else if (step !== undefined && links[at + step]) links[at + step]!.focus();
    else return;
    event.preventDefault();
  }
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  part: string,
  attributes: Record<string, string> = {},
  text = "",
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.setAttribute("part", part);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(text);
  return made;
}

/** The page of a document, told which words to mark; an id that leads elsewhere leads nowhere. */
function addressOf(id: string, base: string, found: readonly string[]): string {
  if (!URL.canParse(base, document.baseURI)) return document.baseURI;
  const folder = new URL(base, document.baseURI);
  if (!URL.canParse(id, folder.href)) return folder.href;
  const page = new URL(id, folder);
  if (page.origin !== folder.origin || !/^https?:|^file:/.test(page.protocol)) return folder.href;
  const words = [...new Set(found)].slice(0, 4).map((word) => `text=${encodeURIComponent(word).replaceAll("-", "%2D")}`);
  if (words.length > 0) page.hash = `${page.hash}:~:${words.join("&")}`;
  return page.href;
}

declare global {
  interface HTMLElementTagNameMap {
    "smooth-clir-search": SmoothClirSearch;
  }
}

/** Makes the element known to the page, once; under another name if one is given. Where there are no elements it does nothing. */
export function defineSearchBox(name = "smooth-clir-search"): void {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, SmoothClirSearch);
}

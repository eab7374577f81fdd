import { SmoothClir } from "../engine/engine.js";
import { messageOf, SmoothClirError } from "../errors.js";
import { snippet } from "../snippet.js";
import type { Hit, LexicalMatch } from "../types.js";
import { element, pageOf } from "./markup.js";
import { ENGLISH, type SearchBoxStrings } from "./strings.js";
import { STYLE } from "./style.js";

/** Milliseconds without typing after which the query is searched. */
const PAUSE_MS = 120;

// On a server that renders pages there are no elements, and none is created.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * A search box with its results, `<smooth-clir-search>` once {@link defineSearchBox} was called.
 *
 * | attribute | |
 * |---|---|
 * | `model`, `documents` | the URLs of model and index, separated by spaces. Words are highlighted in the results if the model has the document encoder, with its translations |
 * | `manifest` | the URL of a manifest, against which all files are checked |
 * | `integrity` | its SHA-256, as of a `<script>`: any other manifest is refused |
 * | `language` | only documents of this language |
 * | `limit` | the largest number of results; 10 by default |
 * | `filters` | fields to filter by, separated by spaces: their values are shown with the number of documents |
 * | `sort` | the field to sort the results by, `year` or, descending, `-year` |
 * | `base` | the URL of the pages that `index` read: results link to them and highlight words there; without it, results are not links |
 *
 * Files are fetched when the box is first focused. `engine`, set before that, takes their place; `strings` replaces its
 * words. Its parts `label`, `input`, `filters`, `filter`, `status`, `results`, `result`, `title`, `language`, `text` and
 * `mark` can be styled, and its colours, which follow the page's `color-scheme`, by the properties `--smooth-clir-ink`,
 * `-ink-soft`, `-surface`, `-line`, `-accent` and `-mark`.
 *
 * Each ranking dispatches an event `smooth-clir-results` with the detail `{ query, hits }`.
 */
export class SmoothClirSearch extends Base {
  // Both only declared: values that were set before the element was defined are kept.
  /** Replaces the English words. */
  declare strings: Partial<SearchBoxStrings> | undefined;
  /** The engine that ranks; if it is not set, one is loaded by the attributes. */
  declare engine: SmoothClir | Promise<SmoothClir> | undefined;

  #loaded: SmoothClir | undefined;
  #input!: HTMLInputElement;
  #status!: HTMLElement;
  #results!: HTMLOListElement;
  #filters!: HTMLDetailsElement;
  #pending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  connectedCallback(): void {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    // A Content Security Policy may forbid styles in the markup, but not constructed ones.
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

  /** Closes the engine that the box loaded, once the box is removed for good. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      clearTimeout(this.#timer);
      this.#pending.abort();
      if (!this.#loaded) return;
      this.#loaded.close();
      this.#loaded = this.engine = undefined;
    });
  }

  /** Searches for a query, as if it had been typed; the box must be in a page. */
  async search(query: string): Promise<void> {
    if (!this.shadowRoot) throw new SmoothClirError("invalid-argument", "the search box is not in a page yet");
    if (this.#input.value !== query) this.#input.value = query;
    this.#pending.abort();
    const { signal } = (this.#pending = new AbortController());
    if (query.trim() === "") return this.#show("", []);
    try {
      const engine = await this.#ready();
      if (signal.aborted) return;
      const language = this.getAttribute("language") ?? undefined;
      const limit = Number(this.getAttribute("limit") ?? 10);
      const sort = this.getAttribute("sort") ?? undefined;
      const hits = await engine.search(query, { language, limit, filters: this.#chosen(), sort, signal });
      const matches = await engine.matches(query, hits.map(({ id, language }) => ({ document: id, language })));
      if (signal.aborted) return;
      this.#show(
        hits.length === 0 ? this.#says("none") : this.#says("found")(hits.length),
        hits.map((hit, number) => this.#result(hit, matches[number]!)),
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
        integrity: this.getAttribute("integrity") ?? undefined,
      });
      this.engine = loading;
      try {
        this.#loaded = await loading;
        if (!this.isConnected) this.disconnectedCallback();
      } catch (error) {
        // The next query retries.
        this.engine = undefined;
        throw error;
      }
      if (this.#status.textContent === this.#says("loading")) this.#status.textContent = "";
    }
    await this.#offer(await this.engine);
    return this.engine;
  }

  /** Shows the fields to filter by, once they are known. */
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

  /** The selected values, by field. */
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
    this.#show(this.#says("failed")(messageOf(error)), []);
  }

  #show(status: string, results: HTMLElement[]): void {
    this.#status.textContent = status;
    this.#results.replaceChildren(...results);
  }

  #result(hit: Hit, matches: readonly LexicalMatch[]): HTMLElement {
    const { text, ranges } = snippet(hit.text, matches);
    const result = element("li", "result", { lang: hit.language });
    const base = this.getAttribute("base");
    const title =
      base === null
        ? element("strong", "title", {}, hit.title || hit.id)
        : element("a", "title", { href: pageOf(hit.id, base, ranges.map(([from, to]) => text.slice(from, to))) }, hit.title || hit.id);
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

  /** Arrow keys move through the results, Escape back to the input. */
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

declare global {
  interface HTMLElementTagNameMap {
    "smooth-clir-search": SmoothClirSearch;
  }
}

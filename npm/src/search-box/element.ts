import type { SmoothClir } from "../engine/engine.js";
import { messageOf, SmoothClirError } from "../errors.js";
import { languageOfScript } from "../script.js";
import type { Hit, Progress } from "../types.js";
import { element, glass, isolated } from "./markup.js";
import { focusOn, type Found, pageKey, PageResult, type Showing } from "./page-result.js";
import { languageOf, type Locale, localeOf, namesOf, type SearchBoxStrings } from "./strings.js";
import { queryWords } from "./query-words.js";
import { STYLE } from "./style.js";

/** Milliseconds without typing after which the query is searched. */
const PAUSE_MS = 120;
/** Milliseconds after which a search is said to take its time. */
const SLOW_MS = 400;
/** Passages that are searched at a time. */
const LIMIT = 10;
/** The language of a document encoder, by its address. */
const ENCODER = /(?:^|\/)document\.([A-Za-z0-9-]+)\.safetensors(?:\.gz)?(?:[?#]|$)/;
/** The language that the query encoder reads. */
const ENGLISH = "en";
/** The language of a document encoder; undefined for other files. */
const encoderOf = (url: string): string | undefined => ENCODER.exec(url)?.[1];
/** If they are of fewer pages than this part of them, as many again are searched before any is shown. */
const PAGES = 0.5;

/** What a box searches and links to where its element has no such attribute. */
export interface SearchBoxDefaults {
  /** URLs of the model's files. */
  model?: readonly string[] | undefined;
  /** URLs of language packs that queries alone need. */
  packs?: readonly string[] | undefined;
  /** URLs of index files. */
  documents?: readonly string[] | undefined;
  /** The URL of a manifest of these files. It is not used for an element that names a model or documents of its own. */
  manifest?: string | undefined;
  /** The URL of the pages. */
  base?: string | undefined;
  /** Only documents of this language. */
  language?: string | undefined;
  /** The language of all queries. */
  "query-language"?: string | undefined;
}

/** The results of a query as they are shown. */
interface Shown {
  query: string;
  /** The language that was chosen for it. */
  queryLanguage: string | undefined;
  /** Aborted once another query is typed. */
  signal: AbortSignal;
  showing: Showing;
  counts: (token: string) => boolean;
  /** The passages that were searched for. */
  limit: number;
  hits: Hit[];
  pages: Map<string, PageResult>;
  /** Found, and not shown unless the reader asks: they do not fit. */
  held: Found[];
  /** Whether a search for more passages can find some that fit. */
  isOpen: boolean;
}

// On a server that renders pages there are no elements, and none is created.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * A search box with its results, `<smooth-clir-search>` once {@link defineSearchBox} was called.
 *
 * | attribute | |
 * |---|---|
 * | `model`, `documents` | the URLs of model and index, separated by spaces. Words are highlighted in the results if the model has the document encoder, with its translations |
 * | `packs` | the URLs of language packs for queries alone: each is fetched once the reader chooses its language or writes in its script, or if the box's own words or the browser are in it |
 * | `manifest` | the URL of a manifest, against which all files are checked |
 * | `integrity` | its SHA-256, as of a `<script>`: any other manifest is refused |
 * | `language` | only documents of this language; the document encoders of other languages are not fetched |
 * | `query-language` | the language of all queries; by default, or for `auto`, that of each by its words |
 * | `limit` | the number of passages that are searched at a time; 10 by default |
 * | `filters` | fields to filter by, separated by spaces: their values are shown with the number of documents |
 * | `sort` | the field to sort the results by, `year` or, descending, `-year` |
 * | `base` | the URL of the pages that `index` read: results link to them and highlight words there; without it, results are not links |
 * | `heading-level` | the level of the results' headings, from 1 to 6; 2 by default |
 * | `lang` | the language of the box's own words; that of the page by default, and English where the box does not know it |
 *
 * Results are grouped by page: the title, an excerpt, and the best sections, each with a link to its anchor. Where a model tells
 * whether a document fits (`fits` of a hit), documents that do not are shown only if the reader asks for them.
 *
 * It is a list of links below an input, and no combobox: a list keeps headings, excerpts and several links for each page, which
 * the options of a combobox would flatten to one text. The arrow keys move between the input and the links, Escape leads back
 * to the input, and the number of results is announced.
 *
 * Where a query is in another language than the box's own words, or there are packs for queries, a list says which it was taken for, and lets the reader
 * choose another, which stays until the input is cleared.
 *
 * Files are fetched when the box is first focused. `engine`, set before that, takes their place; `strings` replaces its
 * words. Its parts can be styled: `label`, `field`, `icon`, `input`, `filters`, `filter`, `status`, `query-language`, `reason`, `results`, `result`,
 * `heading`, `title`, `language`, `text`, `sections`, `section`, `section-title`, `mark`, `gloss`, `button`, `more` and `more-sections`. So can
 * its colours, which follow the page's `color-scheme`, by the properties `--smooth-clir-ink`, `-ink-soft`, `-surface`, `-line`,
 * `-accent` and `-mark`, and its corners by `--smooth-clir-radius`.
 *
 * Each ranking dispatches an event `smooth-clir-results` with the detail `{ query, hits }`, and each failure `smooth-clir-failed` with
 * `{ query, error }`.
 */
export class SmoothClirSearch extends Base {
  /** What is used where an attribute is missing. */
  static defaults: SearchBoxDefaults = {};

  // Both only declared: values that were set before the element was defined are kept.
  /** Replaces words of the table. */
  declare strings: Partial<SearchBoxStrings> | undefined;
  /** The engine that ranks; if it is not set, one is loaded by the attributes. */
  declare engine: SmoothClir | Promise<SmoothClir> | undefined;

  #loaded: SmoothClir | undefined;
  /** The files of the model that were fetched. */
  #fetched = new Set<string>();
  /** Their fetching: a later query waits for it too. */
  #adding: Promise<void> = Promise.resolve();
  /** The language of queries that the reader chose. */
  #chosenLanguage: string | undefined;
  #locale: Locale = localeOf("en");
  #input!: HTMLInputElement;
  #status!: HTMLElement;
  #progress!: HTMLElement;
  /** Why a search failed. */
  #reason!: HTMLElement;
  #results!: HTMLOListElement;
  /** Shows more or, after a failure, searches again. */
  #more!: HTMLButtonElement;
  #filters!: HTMLDetailsElement;
  #queryIn!: HTMLLabelElement;
  #languages!: HTMLSelectElement;
  #shown: Shown | undefined;
  #pending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  connectedCallback(): void {
    if (this.shadowRoot) return;
    // Without `delegatesFocus`, by which a press on an excerpt would focus the input and open a phone's keyboard.
    const root = this.attachShadow({ mode: "open" });
    // A Content Security Policy may forbid styles in the markup, but not constructed ones.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const page = this.closest<HTMLElement>("[lang]")?.lang || document.documentElement.lang;
    this.#locale = localeOf(page);
    const own = { lang: this.#locale.tag, dir: "auto" };
    const form = element("form", "form", { role: "search" });
    const label = this.#says("label");
    this.#input = element("input", "input", {
      ...{ id: "query", type: "search", placeholder: label },
      ...{ autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search" },
    });
    this.#status = element("p", "status", { role: "status", ...own });
    // Beside the status, so that only its sentence is announced, and not each per cent.
    this.#progress = element("span", "progress", { "aria-hidden": "true" });
    // Beside the status too: it is in English, for whoever made the page.
    this.#reason = element("p", "reason", { lang: ENGLISH, dir: "ltr" });
    this.#results = element("ol", "results");
    this.#more = element("button", "button more", { type: "button", hidden: "", ...own });
    this.#filters = element("details", "filters", { hidden: "" });
    const field = element("div", "field");
    field.append(glass(), this.#input);
    form.append(element("label", "label", { for: "query", ...own }, label), field, this.#filters);
    this.#filters.addEventListener("change", () => void this.search(this.#input.value));
    const line = element("div", "line");
    this.#languages = element("select", "query-languages");
    this.#queryIn = element("label", "query-language", { hidden: "", ...own }, `${this.#says("queryIn")} `);
    this.#queryIn.append(this.#languages);
    this.#languages.addEventListener("change", () => {
      this.#chosenLanguage = this.#languages.value;
      void this.search(this.#input.value);
    });
    line.append(this.#status, this.#progress, this.#queryIn);
    root.append(form, line, this.#reason, this.#results, this.#more);

    this.#input.addEventListener("focus", () => void this.#prepare(), { once: true });
    const typed = () => {
      this.#direct();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.search(this.#input.value), PAUSE_MS);
    };
    // Letters that an input method is still composing are no query yet.
    this.#input.addEventListener("input", (event) => (event as InputEvent).isComposing || typed());
    this.#input.addEventListener("compositionend", typed);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(this.#timer);
      void this.search(this.#input.value);
    });
    this.#more.addEventListener("click", () => void (this.#shown ? this.#showMore() : this.#retry()));
    root.addEventListener("keydown", (event) => this.#move(event as KeyboardEvent));
  }

  /** Focuses the input. */
  override focus(options?: FocusOptions): void {
    this.#input?.focus(options);
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
    this.#direct();
    this.#pending.abort();
    const { signal } = (this.#pending = new AbortController());
    if (query.trim() === "") {
      this.#chosenLanguage = undefined;
      return this.#clear(this.#progress.textContent === "" ? "" : this.#says("loading"));
    }
    try {
      const engine = await this.#ready();
      if (signal.aborted) return;
      const limit = Number(this.getAttribute("limit") ?? LIMIT);
      const queryLanguage = this.#queryLanguage();
      const asked = { query, queryLanguage };
      const answers = [this.#find(engine, asked, limit, signal), engine.tokens(query, { queryLanguage }), queryLanguage ?? engine.languageOf(query)] as const;
      const [hits, tokens, taken] = await this.#slowly(Promise.all(answers), signal);
      const words = queryWords(tokens);
      const showing = this.#showing(engine, words);
      const shown: Shown = { ...asked, signal, showing, counts: words.counts, limit, hits: [], pages: new Map(), held: [], isOpen: false };
      const found = await this.#matched(engine, shown, hits);
      if (hits.length >= limit && hits.every(({ fits }) => fits !== false) && new Set(found.map((one) => pageKey(one, showing.base))).size < PAGES * limit) {
        shown.hits = hits;
        shown.limit += limit;
        const more = await this.#slowly(this.#find(engine, asked, shown.limit, signal), signal);
        found.push(...(await this.#matched(engine, shown, more)));
        shown.hits = [];
      }
      if (signal.aborted) return;
      this.#shown = shown;
      this.#results.replaceChildren();
      this.#tellLanguage(engine, taken);
      this.#take(shown, found, engine);
    } catch (error) {
      if (!signal.aborted) this.#fail(error, query);
    }
  }

  /** A query is read in its own direction. Without one, the label in the input is read in the page's. */
  #direct(): void {
    this.#input.dir = this.#input.value === "" ? "" : "auto";
  }

  /** The language of queries that is chosen; undefined where the words of each tell it. */
  #queryLanguage(): string | undefined {
    const fixed = this.#setting("query-language");
    return this.#chosenLanguage ?? (fixed === "auto" ? undefined : fixed);
  }

  /** Says which language a query was taken for, if it is not that of the box or others can be chosen whose packs are not there yet. */
  #tellLanguage(engine: SmoothClir, taken: string): void {
    this.#queryIn.hidden = taken === this.#locale.language && this.#chosenLanguage === undefined && this.#packs.length === 0;
    const encoders = [...this.#model, ...this.#packs].flatMap((url) => encoderOf(url) ?? []);
    const languages = [...new Set([ENGLISH, ...(encoders.length > 0 ? encoders : engine.languages), taken])];
    const options = languages.map((language) => {
      const option = new Option(namesOf([language], this.#locale), language);
      option.selected = language === taken;
      return option;
    });
    this.#languages.replaceChildren(...options);
  }

  #find(engine: SmoothClir, { query, queryLanguage }: Pick<Shown, "query" | "queryLanguage">, limit: number, signal: AbortSignal): Promise<Hit[]> {
    const language = this.#setting("language");
    const sort = this.getAttribute("sort") ?? undefined;
    return engine.search(query, { queryLanguage, language, limit, filters: this.#chosen(), sort, signal });
  }

  /** The hits that are not there yet, with what answers the query in them. */
  async #matched(engine: SmoothClir, { query, queryLanguage, signal, hits: old, counts }: Shown, hits: Hit[]): Promise<Found[]> {
    const keyOf = ({ id, language }: Hit) => `${language} ${id}`;
    const known = new Set(old.map(keyOf));
    const fresh = hits.filter((hit) => !known.has(keyOf(hit)));
    signal.throwIfAborted();
    const matches = await engine.matches(query, fresh.map(({ id, language }) => ({ document: id, language })), { queryLanguage });
    return fresh.map((hit, number) => ({ hit, matches: matches[number]!.filter(({ token }) => counts(token)) }));
  }

  /** Shows what was found: first what fits, and the rest if the reader asks for it. */
  #take(shown: Shown, found: Found[], engine: SmoothClir): void {
    const fitting = found.filter(({ hit }) => hit.fits !== false);
    shown.hits.push(...found.map(({ hit }) => hit));
    shown.held = found.filter(({ hit }) => hit.fits === false);
    shown.isOpen = shown.held.length === 0 && found.length > 0 && shown.hits.length >= shown.limit && !(shown.hits.length >= engine.documentCount);
    this.#append(shown, fitting);
    const { query, hits } = shown;
    this.dispatchEvent(new CustomEvent("smooth-clir-results", { detail: { query, hits: [...hits] }, bubbles: true, composed: true }));
  }

  /** Adds passages below what is there, and says how many pages there are. Returns the first page that is new. */
  #append(shown: Shown, found: Found[]): PageResult | undefined {
    let first: PageResult | undefined;
    for (const one of found) {
      const key = pageKey(one, shown.showing.base);
      const page = shown.pages.get(key);
      if (page) {
        page.add(one);
        continue;
      }
      const made = new PageResult(one, shown.showing);
      first ??= made;
      shown.pages.set(key, made);
      this.#results.append(made.element);
    }
    // What is read does not move any more.
    for (const page of shown.pages.values()) page.close();
    const isUnsure = shown.hits.length > 0 && shown.hits.every(({ fits }) => fits === false);
    this.#say(shown.hits.length === 0 ? this.#says("none") : isUnsure ? this.#says("unsure") : this.#found(shown));
    this.#more.textContent = this.#says(isUnsure ? "nearest" : "more");
    this.#more.hidden = shown.held.length === 0 && !shown.isOpen;
    return first;
  }

  #found({ pages, hits }: Shown): string {
    const languages = [...new Set(hits.filter(({ fits }) => fits !== false).map(({ language }) => language))];
    const count = this.#says("found")(pages.size);
    const isPages = languages.length === 1 && languages[0] === this.#locale.language;
    return isPages ? count : `${count} ${this.#says("inLanguages")(namesOf(languages, this.#locale))}`;
  }

  /** Shows the next results: those that are held, or those of a search for more. */
  async #showMore(): Promise<void> {
    const shown = this.#shown;
    if (!shown || shown.signal.aborted) return;
    const { signal, limit } = shown;
    try {
      let first: PageResult | undefined;
      if (shown.held.length > 0) {
        const { held } = shown;
        shown.held = [];
        first = this.#append(shown, held);
      } else if (shown.isOpen) {
        shown.isOpen = false;
        const before = shown.pages.size;
        const engine = await this.#ready();
        shown.limit += Number(this.getAttribute("limit") ?? LIMIT);
        const hits = await this.#slowly(this.#find(engine, shown, shown.limit, signal), signal);
        const found = await this.#matched(engine, shown, hits);
        if (signal.aborted) return;
        this.#take(shown, found, engine);
        // Nobody asks for more and gets nothing.
        if (shown.pages.size === before && shown.held.length > 0) return this.#showMore();
        first = [...shown.pages.values()][before];
      }
      if (first) focusOn(first.element);
    } catch (error) {
      if (signal.aborted) return;
      // What is shown stays, and the next press tries again.
      Object.assign(shown, { limit, isOpen: true });
      this.#explain(error, shown.query);
    }
  }

  #showing(engine: SmoothClir, words: Showing["words"]): Showing {
    const own = this.#locale.language;
    const isOne = this.#setting("language") !== undefined || engine.languages.length === 1;
    return {
      strings: { ...this.#locale.strings, ...this.strings },
      tag: this.#locale.tag,
      words,
      base: this.#setting("base"),
      level: Number(this.getAttribute("heading-level")) || 2,
      nameOf: (language) => (isOne || language === own ? undefined : namesOf([language], this.#locale)),
    };
  }

  #says<K extends keyof SearchBoxStrings>(key: K): SearchBoxStrings[K] {
    return this.strings?.[key] ?? this.#locale.strings[key];
  }

  #say(status: string): void {
    this.#reason.textContent = "";
    if (this.#status.textContent !== status) this.#status.textContent = status;
  }

  /** Says that a search takes its time, if it does. */
  async #slowly<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    const timer = setTimeout(() => signal.aborted || this.#say(this.#says("searching")), SLOW_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The engine, loaded on the first call. */
  async #ready(): Promise<SmoothClir> {
    if (!this.engine) {
      this.#say(this.#says("loading"));
      const loading = this.#load();
      this.engine = loading;
      try {
        this.#loaded = await loading;
        if (!this.isConnected) this.disconnectedCallback();
      } catch (error) {
        // The next query retries.
        this.engine = undefined;
        throw error;
      } finally {
        this.#progress.textContent = "";
      }
      if (this.#status.textContent === this.#says("loading")) this.#say("");
    }
    const engine = await this.engine;
    await this.#add(engine);
    await this.#offer(engine);
    return engine;
  }

  /** The URLs of the model's files. */
  get #model(): readonly string[] {
    return this.#list("model") ?? (this.constructor as typeof SmoothClirSearch).defaults.model ?? [];
  }

  /** The URLs of language packs that queries alone need. */
  get #packs(): readonly string[] {
    return this.#list("packs") ?? (this.constructor as typeof SmoothClirSearch).defaults.packs ?? [];
  }

  /** The files that are needed: the model's, of one language where one is chosen, and the packs of languages in which the reader may ask. */
  #needed(): string[] {
    const language = this.#setting("language");
    const written = this.#queryLanguage() ?? languageOfScript(this.#input.value);
    const isNeeded = (url: string) => language === undefined || [undefined, language, written].includes(encoderOf(url));
    const asked = [written, this.#locale.language, ...navigator.languages.map(languageOf)];
    return [...this.#model.filter(isNeeded), ...this.#packs.filter((url) => asked.includes(encoderOf(url)))];
  }

  #checks(): { manifest: string | undefined; integrity: string | undefined } {
    const { defaults } = this.constructor as typeof SmoothClirSearch;
    const isOwn = ["model", "packs", "documents"].some((name) => this.hasAttribute(name));
    return { manifest: this.getAttribute("manifest") ?? (isOwn ? undefined : defaults.manifest), integrity: this.getAttribute("integrity") ?? undefined };
  }

  /** Adds document encoders that are needed by now, one call after another. The next query retries those that fail. */
  #add(engine: SmoothClir): Promise<void> {
    const adding = this.#adding.then(async () => {
      const missing = engine === this.#loaded ? this.#needed().filter((url) => !this.#fetched.has(url)) : [];
      if (missing.length === 0) return;
      this.#say(this.#says("loading"));
      await engine.addModel(missing, this.#checks());
      missing.forEach((url) => this.#fetched.add(url));
    });
    this.#adding = adding.catch(() => {});
    return adding;
  }

  async #load(): Promise<SmoothClir> {
    const model = this.#needed();
    this.#fetched = new Set(model);
    const documents = this.#list("documents") ?? (this.constructor as typeof SmoothClirSearch).defaults.documents ?? [];
    // The engine is fetched with its files: a page that nobody searches loads only the box.
    const { SmoothClir } = await import("../engine/engine.js").catch((cause: unknown) => {
      throw new SmoothClirError("part-failed", `the engine could not be loaded: ${messageOf(cause)}`, { cause });
    });
    const files = new Map<string, Progress>();
    const onProgress = (progress: Progress) => {
      files.set(progress.file, progress);
      this.#progress.textContent = this.#progressOf([...files.values()], model.length + documents.length);
    };
    return SmoothClir.load({ model, documents, ...this.#checks(), onProgress });
  }

  /** How far files are: in per cent or, where a length is unknown, in megabytes. */
  #progressOf(files: Progress[], count: number): string {
    const sum = (of: (file: Progress) => number) => files.reduce((sum, file) => sum + of(file), 0);
    const loaded = sum(({ loaded }) => loaded);
    const isKnown = files.length >= count && files.every(({ total }) => total !== undefined);
    const { tag } = this.#locale;
    if (isKnown) return new Intl.NumberFormat(tag, { style: "percent" }).format(loaded / sum(({ total }) => total!));
    return new Intl.NumberFormat(tag, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }).format(loaded / 1e6);
  }

  /** Shows the fields to filter by, once they are known. */
  async #offer(engine: SmoothClir): Promise<void> {
    const names = this.#list("filters") ?? [];
    if (names.length === 0 || this.#filters.childElementCount > 0) return;
    const fields = await engine.fields();
    const known = names.filter((name) => Object.hasOwn(fields, name));
    if (known.length === 0 || this.#filters.childElementCount > 0) return;
    const box = ([value, count]: [string, number], name: string) => {
      const label = element("label", "filter");
      label.append(element("input", "filter-box", { type: "checkbox", name, value }), " ", isolated(value), ` (${count})`);
      return label;
    };
    const group = (name: string) => {
      const set = element("fieldset", "filter-group");
      set.append(element("legend", "filter-name", {}, name), ...fields[name]!.map((value) => box(value, name)));
      return set;
    };
    this.#filters.append(element("summary", "filters-label", { lang: this.#locale.tag }, this.#says("filters")), ...known.map(group));
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

  #setting(name: "base" | "language" | "query-language"): string | undefined {
    return this.getAttribute(name) ?? (this.constructor as typeof SmoothClirSearch).defaults[name];
  }

  #list(name: string): string[] | undefined {
    return this.getAttribute(name)?.split(/\s+/).filter(Boolean);
  }

  /** Loads what the first query needs. Once there is one, its search says what fails. */
  async #prepare(): Promise<void> {
    try {
      await this.#ready();
    } catch (error) {
      if (this.isConnected && this.#input.value.trim() === "") this.#fail(error, "");
    }
  }

  /** After a failure. */
  async #retry(): Promise<void> {
    const query = this.#input.value;
    this.#clear("");
    this.#input.focus();
    await (query.trim() === "" ? this.#prepare() : this.search(query));
  }

  #fail(error: unknown, query: string): void {
    // It answers nothing any more: the next query loads another.
    if (error instanceof SmoothClirError && error.code === "worker-failed" && this.#loaded) {
      this.#loaded.close();
      this.#loaded = this.engine = undefined;
    }
    this.#clear("");
    this.#explain(error, query);
    this.#more.textContent = this.#says("retry");
    this.#more.hidden = false;
  }

  #explain(error: unknown, query: string): void {
    this.#say(this.#says("failed"));
    this.#reason.textContent = messageOf(error);
    this.dispatchEvent(new CustomEvent("smooth-clir-failed", { detail: { query, error }, bubbles: true, composed: true }));
  }

  #clear(status: string): void {
    this.#shown = undefined;
    this.#say(status);
    this.#results.replaceChildren();
    this.#more.hidden = true;
    this.#queryIn.hidden = true;
  }

  /** Arrow keys move through the input, the links and the buttons; Escape leads back to the input. */
  #move(event: KeyboardEvent): void {
    const isOther = event.isComposing || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
    const here = this.shadowRoot!.activeElement;
    if (isOther || !here || (event.target as Element).closest("details, select")) return;
    const stops = [...this.shadowRoot!.querySelectorAll<HTMLElement>("#query, a, button")].filter((stop) => stop.checkVisibility?.() ?? true);
    // A result without a link has the focus, too, where further ones were shown.
    const isAfter = (stop: HTMLElement) => (here.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    const next = { ArrowDown: stops.find(isAfter), ArrowUp: stops.filter((stop) => stop !== here && !isAfter(stop)).at(-1) }[event.key];
    if (event.key === "Escape" && here !== this.#input) this.#input.focus();
    else if (next) next.focus();
    else return;
    event.preventDefault();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "smooth-clir-search": SmoothClirSearch;
  }
}

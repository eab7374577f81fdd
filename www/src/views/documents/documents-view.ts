import type { SmoothClir } from "smooth-clir";
import { save, toCsv } from "../../ui/file";
import { make } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import { languageName, strings } from "../../i18n/strings";
import type { Context, Mount, View } from "../view";
import { add, languagesOf, type Entry, type Given } from "./adding";
import "./documents.css";
import { Desk } from "./desk";
import { List } from "./list";
import { text } from "./strings";

const INDEX_NAME = "my-documents.safetensors";
const LIST_NAME = "my-documents.csv";
/** Files whose refusal is told one by one. */
const REFUSED_SHOWN = 10;

export const mount: Mount = (root, context) => new DocumentsView(root, context);

class DocumentsView implements View {
  readonly #context: Context;
  readonly #desk: Desk;
  readonly #list = new List();
  readonly #summary = make("p", "documents-summary");
  readonly #actions = make("div", "documents-actions");
  readonly #search = make("button", "primary", text.search);
  #entries: Entry[] = [];
  /** The engine that has them. */
  #engine: SmoothClir | undefined;
  #stopping: AbortController | undefined;

  constructor(root: HTMLElement, context: Context) {
    this.#context = context;
    this.#desk = new Desk(context.store, {
      add: (given) => void this.#add(given),
      stop: () => this.#stopping?.abort(),
    });
    const introduction = make("p", "", text.introduction);
    const privacy = make("p", "documents-privacy");
    privacy.append(make("strong", "", text.privacy), ` ${text.proof}`);
    const here = make("section", "documents-panel");
    const heading = make("h3", "", text.here);
    heading.id = "documents-here";
    here.setAttribute("aria-labelledby", heading.id);
    const buttons: [HTMLButtonElement, () => void][] = [
      [this.#search, () => this.#searchThem()],
      [make("button", "", text.save), () => void this.#save()],
      [make("button", "", text.list), () => this.#saveList()],
      [make("button", "", text.remove), () => void this.#remove()],
    ];
    for (const [button, press] of buttons) {
      button.type = "button";
      button.addEventListener("click", press);
      this.#actions.append(button);
    }
    here.append(heading, this.#summary, this.#list.element, this.#actions, make("p", "documents-note", text.training), make("p", "documents-note", text.link));
    root.append(make("h2", "", text.title), introduction, privacy, this.#desk.element, here);
    this.#desk.acceptDrops(root);
    this.#showEntries();
  }

  update(): void {
    this.engineChanged();
    this.#desk.update(this.#engine ? languagesOf(this.#engine) : []);
  }

  engineChanged(): void {
    const engine = this.#context.engine();
    const before = this.#engine;
    if (engine === before) return;
    this.#stopping?.abort();
    this.#engine = engine;
    if (this.#entries.length > 0) void this.#bring(before);
    this.#entries = [];
    this.#showEntries();
  }

  /** Brings the documents along from the engine of before, if it still answers. */
  async #bring(before: SmoothClir | undefined): Promise<void> {
    try {
      const index = await before?.exportUserDocuments();
      await before?.removeUserDocuments();
      if (!index || !this.#engine || this.#stopping) throw new Error(text.lost);
      await this.#add({ files: [{ path: INDEX_NAME, file: new File([index as BlobPart], INDEX_NAME) }] });
    } catch {
      this.#desk.fail(text.lost);
    }
  }

  async #add(given: Given): Promise<void> {
    const engine = this.#engine;
    if (!engine) return this.#desk.fail(text.noEngine);
    if (this.#stopping) return;
    const { signal } = (this.#stopping = new AbortController());
    this.#desk.begin();
    try {
      const say = (message: string, done?: number, all?: number) => {
        // A worker that has not heard of the stop yet goes on telling.
        if (!signal.aborted) this.#desk.progress(message, done, all);
      };
      const { entries, refused } = await add(engine, given, this.#desk.language, { signal, say });
      this.#entries = this.#entries.concat(entries);
      this.#desk.end(entries.length > 0 ? describe(entries) : "", refusals(refused));
      if ("pasted" in given) this.#desk.clear();
      if (entries.length > 0) this.#changed();
    } catch (error) {
      const { code, message } = toFailure(error);
      if (signal.aborted) this.#desk.end(text.stopped, []);
      else this.#desk.end("", [code === "unknown" ? message : text.failed(message, code)]);
    } finally {
      this.#stopping = undefined;
    }
  }

  async #remove(): Promise<void> {
    await this.#work(async (engine) => {
      await engine.removeUserDocuments();
      this.#entries = [];
      this.#changed();
      this.#desk.end(text.removed, []);
      this.#desk.focus();
    });
  }

  async #save(): Promise<void> {
    await this.#work(async (engine) => {
      const index = await engine.exportUserDocuments();
      if (!index) return;
      save(INDEX_NAME, new Blob([index as BlobPart], { type: "application/octet-stream" }));
      this.#desk.end(text.saved(format.megabytes(index.length)), []);
    });
  }

  /** Something that is done at once, unless documents are being added. */
  async #work(work: (engine: SmoothClir) => Promise<void>): Promise<void> {
    if (!this.#engine || this.#stopping) return;
    try {
      await work(this.#engine);
    } catch (error) {
      this.#desk.fail(toFailure(error).message);
    }
  }

  #saveList(): void {
    const rows = this.#entries.map(({ title, known, words, language }) => [title, known, words - known, language]);
    save(LIST_NAME, new Blob([toCsv([Object.values(text.columns), ...rows])], { type: "text/csv" }));
  }

  #searchThem(): void {
    const languages = new Set(this.#entries.map(({ language }) => language));
    const [language] = languages;
    this.#context.store.set({ view: "search", language: languages.size === 1 ? language : undefined });
    document.getElementById("query")?.focus();
  }

  #changed(): void {
    this.#showEntries();
    this.#context.documentsChanged();
  }

  #showEntries(): void {
    const entries = this.#entries;
    const unknown = entries.filter(({ known }) => known === 0).length;
    const sentences = [text.summary(entries.length, format.count(entries.length), languages(entries))];
    if (unknown > 0) sentences.push(text.unknown(unknown, format.count(unknown)));
    this.#summary.textContent = entries.length === 0 ? text.none : sentences.join(" ");
    this.#actions.hidden = entries.length === 0;
    this.#list.show(entries);
  }
}

const languages = (entries: readonly Entry[]) =>
  new Intl.ListFormat(strings.locale).format([...new Set(entries.map(({ language }) => languageName(language)))]);

function describe(entries: readonly Entry[]): string {
  const sum = (field: "known" | "words") => format.count(entries.reduce((sum, entry) => sum + entry[field], 0));
  return text.added(entries.length, format.count(entries.length), languages(entries), sum("known"), sum("words"));
}

function refusals(refused: readonly string[]): string[] {
  if (refused.length === 0) return [];
  const rest = refused.length - REFUSED_SHOWN;
  const shown = [text.refused(refused.length), ...refused.slice(0, REFUSED_SHOWN)];
  return rest > 0 ? [...shown, text.refusedMore(format.count(rest))] : shown;
}

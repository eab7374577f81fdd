import type { SmoothClir } from "smooth-clir";
import { save, toCsv } from "../../ui/file";
import { make } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import { languageName } from "../../i18n/strings";
import { hasKeptDocuments } from "../../state/documents";
import type { Context, Mount, View } from "../view";
import { Collection, languagesOfModel, type Talk } from "./collection";
import "./documents.css";
import { Desk, type Pasted } from "./desk";
import type { Found } from "./files";
import type { Kind } from "./kinds";
import { List } from "./list";
import { readFiles, type Refusal } from "./reading";
import { inLanguage, languagesOf, sizeOf, type Source } from "./source";
import { sentenceOf } from "./sentences";
import { text } from "./strings";

const INDEX_NAME = "my-documents.safetensors";
const LIST_NAME = "my-documents.csv";
/** Files whose refusal is told one by one. */
const REFUSED_SHOWN = 20;
/** Endings of files that are passed over. */
const ENDINGS_SHOWN = 8;

export const mount: Mount = (root, context) => new DocumentsView(root, context);

class DocumentsView implements View {
  readonly #context: Context;
  readonly #desk: Desk;
  readonly #list: List;
  readonly #collection = new Collection();
  readonly #summary = make("p", "documents-summary");
  readonly #keeping = make("p", "documents-note");
  readonly #actions = make("div", "documents-actions");
  #engine: SmoothClir | undefined;
  /** Ends the work under way. */
  #stopping: AbortController | undefined;
  /** All work so far: each begins when the one before has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #restoring: Promise<void> | undefined;

  constructor(root: HTMLElement, context: Context) {
    this.#context = context;
    this.#desk = new Desk(context.store, {
      add: (files) => void this.#add(files),
      paste: (pasted) => void this.#paste(pasted),
      stop: () => this.#stopping?.abort(),
    });
    this.#list = new List({
      setLanguage: (source, language) => void this.#setLanguage(source, language),
      remove: (source) => void this.#remove(source),
    });
    const introduction = make("p", "", text.introduction);
    const privacy = make("p", "documents-privacy");
    privacy.append(make("strong", "", text.privacy), ` ${text.proof}`);
    const here = make("section", "documents-panel");
    const heading = make("h3", "", text.here);
    heading.id = "documents-here";
    here.setAttribute("aria-labelledby", heading.id);
    const buttons: [HTMLButtonElement, () => void][] = [
      [make("button", "primary", text.search), () => this.#searchThem()],
      [make("button", "", text.save), () => void this.#save()],
      [make("button", "", text.list), () => this.#saveList()],
      [make("button", "documents-delete", text.removeAll), () => void this.#clear()],
    ];
    for (const [button, press] of buttons) {
      button.type = "button";
      button.addEventListener("click", press);
      this.#actions.append(button);
    }
    here.append(heading, this.#summary, this.#keeping, this.#actions, this.#list.element, make("p", "documents-note", text.training));
    root.append(make("h2", "", text.title), introduction, privacy, this.#desk.element, here);
    this.#desk.acceptDrops(root);
    if (hasKeptDocuments()) this.#restoring = this.#collection.restore();
    this.#show();
  }

  update(): void {
    this.engineChanged();
    this.#desk.update(this.#engine ? languagesOfModel(this.#engine) : []);
  }

  engineChanged(): void {
    const engine = this.#context.engine();
    if (engine === this.#engine) return;
    // What is being read goes on, and is encoded for the engine that came.
    this.#engine = engine;
    this.#collection.attach(engine);
    this.#show();
    if (engine) void this.#bring();
  }

  /** Encodes the documents of before, or of an earlier visit, for the engine that came. */
  async #bring(): Promise<void> {
    await this.#restoring;
    this.#show();
    await this.#work(async (talk) => {
      if (!this.#collection.isBehind) return undefined;
      await this.#collection.encode(talk);
      return { message: text.broughtBack(this.#counted(this.#collection.sources)) };
    });
  }

  async #add(files: readonly Found[], kind?: Kind): Promise<void> {
    await this.#restoring;
    await this.#work(async (talk, engine) => {
      const { sources, refused } = await readFiles(engine, files, {
        languages: languagesOfModel(engine),
        language: this.#desk.language,
        ...(kind === undefined ? {} : { kind }),
        signal: talk.signal,
        onFile: (number) => talk.say(text.reading(format.count(number), format.count(files.length))),
        onProgress: (number, { done, all, unit }) => {
          const say = unit === "pages" ? text.readingPages : text.readingBytes;
          const shown = unit === "pages" ? format.count : format.megabytes;
          const place = files.length === 1 ? "" : ` (${format.count(number)}/${format.count(files.length)})`;
          talk.say(say(files[number - 1]!.path + place, shown(done), shown(all)), done, all);
        },
      });
      // A folder has files of other types too.
      const isOther = ({ path, problem }: Refusal) => problem.code === "wrong-type" && path.includes("/");
      const passedOver = otherTypes(refused.filter(isOther));
      const sentences = refused.filter((one) => !isOther(one)).map(sentenceOf);
      if (sources.length === 0) return { message: passedOver, problems: sentences };
      await this.#collection.add(sources, talk);
      this.#context.store.set({ mine: true });
      return { message: `${this.#describe(sources)} ${passedOver}`.trim(), problems: sentences };
    });
  }

  async #paste({ name, text: pasted, format }: Pasted): Promise<void> {
    const before = this.#collection.sources;
    await this.#add([{ path: name, file: new File([pasted], name) }], format);
    if (this.#collection.sources !== before) this.#desk.clear();
  }

  async #setLanguage(source: Source, language: string): Promise<void> {
    await this.#work(async (talk) => {
      await this.#collection.replace(source, inLanguage(source, language), talk);
      return { message: text.nowIn(source.path, languageName(language)) };
    });
    this.#show();
  }

  async #remove(source: Source): Promise<void> {
    // What is deleted need not be encoded first.
    this.#stopping?.abort();
    const done = await this.#work(async (talk) => {
      await this.#collection.remove(source, talk);
      return { message: text.removedFile(source.path) };
    });
    if (done) this.#desk.offerUndo(() => void this.#undo());
  }

  async #clear(): Promise<void> {
    this.#stopping?.abort();
    const done = await this.#work(async () => {
      const gone = this.#counted(this.#collection.sources);
      await this.#collection.clear();
      return { message: text.removed(gone) };
    });
    if (done) this.#desk.offerUndo(() => void this.#undo());
  }

  async #undo(): Promise<void> {
    const sources = this.#collection.takeRemoved();
    await this.#work(async (talk) => {
      await this.#collection.add(sources, talk);
      return { message: text.broughtBack(this.#counted(sources)) };
    });
    this.#desk.focus();
  }

  async #save(): Promise<void> {
    await this.#work(async (_, engine) => {
      const index = await engine.exportUserDocuments();
      if (!index) return { message: "" };
      save(INDEX_NAME, new Blob([index as BlobPart], { type: "application/octet-stream" }));
      return { message: text.saved(format.megabytes(index.length)) };
    });
  }

  /** Works on the documents when the work before has ended. Resolves with whether it is done. */
  #work(work: Work): Promise<boolean> {
    const working = this.#last.then(() => this.#workNow(work));
    this.#last = working;
    return working;
  }

  /** Works with progress and Cancel, and tells the outcome in sentences. */
  async #workNow(work: Work): Promise<boolean> {
    const engine = this.#engine;
    if (!engine) {
      this.#desk.fail(text.noEngine);
      return false;
    }
    const stopping = (this.#stopping = new AbortController());
    const { signal } = stopping;
    this.#desk.begin();
    const before = this.#collection.sources;
    try {
      const say = (message: string, done?: number, all?: number) => {
        // A worker that has not heard of the stop yet goes on telling.
        if (!signal.aborted) this.#desk.progress(message, done, all);
      };
      const outcome = await work({ signal, say }, engine);
      if (outcome) this.#desk.end(outcome.message, refusals(outcome.problems ?? []));
      else this.#desk.rest();
      return true;
    } catch (error) {
      const { code, message } = toFailure(error);
      const isUnchanged = before === this.#collection.sources;
      if (signal.aborted || code === "aborted") this.#desk.end(isUnchanged ? text.stopped : text.stoppedEncoding, []);
      else this.#desk.end("", [isUnchanged ? text.failed(message, code) : text.failedEncoding(message, code)]);
      return false;
    } finally {
      this.#stopping = undefined;
      this.#show();
      if (engine === this.#engine) this.#context.documentsChanged();
    }
  }

  #saveList(): void {
    const rows = this.#collection.sources.map((source) => {
      const { known = 0, words = 0 } = this.#collection.countsOf(source) ?? {};
      const share = words === 0 ? 0 : known / words;
      return [source.path, source.documents.length, share, source.bytes, languagesOf(source).join(" ")];
    });
    const columns = [text.columns.file, text.columns.documents, text.columns.known, text.columns.bytes, text.columns.language];
    save(LIST_NAME, new Blob([toCsv([columns, ...rows])], { type: "text/csv" }));
  }

  #searchThem(): void {
    this.#context.store.set({ view: "search", language: undefined, mine: true });
    document.getElementById("query")?.focus();
  }

  #show(): void {
    const sources = this.#collection.sources;
    const sentences = [text.summary(this.#counted(sources), languageNames(sources))];
    const unknown = sources.reduce((sum, source) => sum + (this.#collection.countsOf(source)?.unknownDocuments ?? 0), 0);
    if (unknown > 0) sentences.push(text.unknown(unknown, format.count(unknown)));
    this.#summary.textContent = sources.length === 0 ? text.none : sentences.join(" ");
    const size = sizeOf(sources.reduce((sum, source) => sum + source.bytes, 0));
    this.#keeping.textContent = sources.length === 0 ? "" : this.#collection.isKept ? text.kept(size) : text.notKept;
    this.#keeping.classList.toggle("documents-not-kept", !this.#collection.isKept);
    this.#actions.hidden = sources.length === 0;
    this.#list.show(sources, (source) => this.#collection.countsOf(source), this.#engine ? languagesOfModel(this.#engine) : []);
  }

  #counted(sources: readonly Source[]): string {
    const documents = sources.reduce((sum, source) => sum + source.documents.length, 0);
    return text.counted(documents, format.count(documents), sources.length, format.count(sources.length));
  }

  /** What was added, in sentences. */
  #describe(sources: readonly Source[]): string {
    const counts = sources.map((source) => this.#collection.countsOf(source));
    const sum = (of: (at: number) => number) => sources.reduce((sum, _, at) => sum + of(at), 0);
    const [known, words] = [sum((at) => counts[at]?.known ?? 0), sum((at) => counts[at]?.words ?? 0)];
    const sentences = [text.added(this.#counted(sources), languageNames(sources), format.count(known), format.count(words))];
    const records = sum((at) => sources[at]!.withoutText);
    const pages = sum((at) => sources[at]!.pagesWithoutText);
    if (records > 0) sentences.push(text.withoutText(records, format.count(records)));
    if (pages > 0) sentences.push(text.pagesWithoutText(pages, format.count(pages)));
    return sentences.join(" ");
  }
}

/** Returns its outcome in sentences; undefined if there was nothing to do. */
type Work = (talk: Talk, engine: SmoothClir) => Promise<{ message: string; problems?: string[] } | undefined>;

const languageNames = (sources: readonly Source[]) =>
  format.list([...new Set(sources.flatMap(languagesOf))].map(languageName));

/** Says which types of files were passed over; nothing where there were none. */
function otherTypes(refused: readonly Refusal[]): string {
  if (refused.length === 0) return "";
  const endings = new Set(refused.map(({ path }) => /[^/.](\.[^./]{1,10})$/.exec(path)?.[1]?.toLowerCase() ?? text.noEnding));
  const shown = [...endings].sort().slice(0, ENDINGS_SHOWN);
  if (endings.size > shown.length) shown.push("…");
  return text.otherTypes(refused.length, format.count(refused.length), shown.join(", "));
}

function refusals(refused: readonly string[]): string[] {
  if (refused.length === 0) return [];
  const rest = refused.length - REFUSED_SHOWN;
  const shown = [text.refused(refused.length, format.count(refused.length)), ...refused.slice(0, REFUSED_SHOWN)];
  return rest > 0 ? [...shown, text.refusedMore(rest, format.count(rest))] : shown;
}

import { make, makeButton } from "../../ui/dom";
import * as format from "../../ui/format";
import { languageName, strings } from "../../i18n/strings";
import type { Store } from "../../state/state";
import { FORMATS, type DocumentsState, type Format } from "../../state/documents";
import { dropped, filesOf, type Found } from "./files";
import { ACCEPTED } from "./kinds";
import { text } from "./strings";

/** A text that was pasted. */
export interface Pasted {
  name: string;
  text: string;
  format: Format;
}

interface Handlers {
  add(files: readonly Found[]): void;
  paste(pasted: Pasted): void;
  stop(): void;
}

/** The form that adds documents (files, a folder, a pasted text), and its outcome. */
export class Desk {
  readonly element = make("section", "documents-panel");
  readonly #store: Store;
  readonly #handlers: Handlers;
  readonly #language = make("select");
  readonly #languageNote = make("p", "documents-note");
  readonly #drop = make("div", "documents-drop");
  readonly #files = makeButton(text.chooseFiles);
  readonly #pasted = make("textarea");
  readonly #format = make("select");
  readonly #add = makeButton(text.addPasted);
  readonly #stop = makeButton(text.stop);
  readonly #progress = make("progress");
  readonly #message = make("p", "documents-message");
  readonly #undo = makeButton(text.undo);
  readonly #problems = make("div", "documents-problems");
  #onUndo: (() => void) | undefined;
  #languages: readonly string[] = [];
  /** Pasted texts are numbered, so that their documents have names of their own. */
  #pastes = 0;

  constructor(store: Store, handlers: Handlers) {
    this.#store = store;
    this.#handlers = handlers;
    const heading = make("h3", "", text.add);
    heading.id = "documents-add";
    this.element.setAttribute("aria-labelledby", heading.id);
    this.#message.role = "status";
    this.#message.id = "documents-message";
    this.#progress.setAttribute("aria-labelledby", this.#message.id);
    for (const format of FORMATS) this.#format.append(option(format, text.formats[format]));
    this.#language.addEventListener("change", () => this.#set({ language: this.#language.value }));
    this.#format.addEventListener("change", () => this.#set({ format: this.#format.value as Format }));
    this.#add.addEventListener("click", () => this.#paste());
    this.#stop.addEventListener("click", handlers.stop);
    this.#pasted.rows = 6;
    this.#pasted.dir = "auto";
    this.#pasted.spellcheck = false;
    const pasteRow = make("div", "documents-row");
    pasteRow.append(labelled(text.format, this.#format), this.#add);
    const paste = make("details", "documents-paste");
    paste.append(make("summary", "", text.paste), labelled(text.pasteHere, this.#pasted), pasteRow);
    this.#undo.addEventListener("click", () => this.#onUndo?.());
    const work = make("div", "documents-work");
    work.append(this.#progress, this.#stop, this.#undo);
    this.#fillDrop();
    this.element.append(heading, this.#drop, this.#message, work, this.#problems, labelled(text.language, this.#language), this.#languageNote, paste);
    this.#idle();
  }

  /** The language of what is added; "" leaves it to the words of each file. */
  get language(): string {
    return this.#language.value;
  }

  /** Shows the state, for a model of these languages. */
  update(languages: readonly string[]): void {
    if (languages.join() !== this.#languages.join()) {
      this.#languages = languages;
      this.#language.replaceChildren(option("", text.detect), ...languages.map((language) => option(language, languageName(language))));
      const names = format.list(languages.map(languageName));
      this.#languageNote.textContent = languages.length === 0 ? text.noEngine : text.languageNote(names);
    }
    const { documents } = this.#store.state;
    this.#language.value = languages.includes(documents.language) ? documents.language : "";
    this.#pasted.lang = this.#language.value;
    this.#format.value = documents.format;
  }

  /** Takes files and folders that are dropped anywhere in an element. */
  acceptDrops(area: HTMLElement): void {
    const over = (on: boolean) => this.#drop.classList.toggle("documents-over", on);
    const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
    area.addEventListener("dragover", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      over(true);
    });
    area.addEventListener("dragleave", (event) => {
      if (!area.contains(event.relatedTarget as Node | null)) over(false);
    });
    area.addEventListener("drop", (event) => {
      over(false);
      if (!event.dataTransfer || !holdsFiles(event)) return;
      event.preventDefault();
      dropped(event.dataTransfer).then(
        (found) => this.#give(found),
        (error: unknown) => this.fail(String(error)),
      );
    });
  }

  focus(): void {
    this.#files.focus();
  }

  /** Empties the field for a pasted text. */
  clear(): void {
    this.#pasted.value = "";
  }

  begin(): void {
    this.#problems.replaceChildren();
    this.offerUndo(undefined);
    this.#progress.hidden = false;
    this.#progress.removeAttribute("value");
    this.#stop.hidden = false;
    this.element.ariaBusy = "true";
  }

  progress(message: string, done: number | undefined, all: number | undefined): void {
    this.#message.textContent = message;
    if (done === undefined || all === undefined) this.#progress.removeAttribute("value");
    else {
      this.#progress.max = all;
      this.#progress.value = done;
    }
  }

  /** Tells the outcome; the first problem stands for the others. */
  end(message: string, [first, ...others]: readonly string[]): void {
    this.#idle();
    this.#message.textContent = message;
    this.#problems.replaceChildren();
    if (first === undefined) return;
    const notice = make("div", "notice");
    notice.role = "alert";
    notice.append(make("p", "", first));
    if (others.length > 0) {
      const list = make("ul");
      list.append(...others.map((problem) => make("li", "", problem)));
      notice.append(list);
    }
    this.#problems.append(notice);
  }

  /** Shows no work; what the last one told stays. */
  rest(): void {
    this.#idle();
  }

  fail(problem: string): void {
    this.end("", [problem]);
  }

  /** Offers to take the last step back; undefined takes the offer away. */
  offerUndo(onUndo: (() => void) | undefined): void {
    this.#onUndo = onUndo;
    this.#undo.hidden = onUndo === undefined;
    if (onUndo) this.#undo.focus();
  }

  #idle(): void {
    const focused = this.#stop === document.activeElement;
    this.#progress.hidden = true;
    this.#stop.hidden = true;
    this.offerUndo(undefined);
    this.element.ariaBusy = null;
    if (focused) this.focus();
  }

  #paste(): void {
    const pasted = this.#pasted.value;
    if (pasted.trim() === "") return this.fail(text.nothingPasted);
    this.#pastes += 1;
    // Its number tells it from those of an earlier visit.
    const name = text.pasted(format.count(this.#pastes), new Date().toLocaleTimeString(strings.locale));
    this.#handlers.paste({ name, text: pasted, format: this.#store.state.documents.format });
  }

  #give(files: readonly Found[]): void {
    if (files.length === 0) this.fail(text.noFiles);
    else this.#handlers.add(files);
  }

  #set(patch: Partial<DocumentsState>): void {
    this.#store.set({ documents: { ...this.#store.state.documents, ...patch } });
  }

  #fillDrop(): void {
    const folder = makeButton(text.chooseFolder);
    const inputs = [this.#files, folder].map((button) => {
      const input = make("input");
      input.type = "file";
      input.multiple = true;
      input.hidden = true;
      input.ariaLabel = button.textContent;
      input.webkitdirectory = button === folder;
      if (button !== folder) input.accept = ACCEPTED;
      button.addEventListener("click", () => input.click());
      input.addEventListener("change", () => {
        const found = filesOf(input.files);
        // The same file may be chosen again.
        input.value = "";
        this.#give(found);
      });
      return input;
    });
    const row = make("div", "documents-row");
    this.#files.classList.add("primary");
    row.append(this.#files, folder);
    this.#drop.append(make("p", "documents-lead", text.drop), row, ...inputs, make("p", "documents-note", text.kinds));
  }
}

function option(value: string, name: string): HTMLOptionElement {
  const element = make("option", "", name);
  element.value = value;
  return element;
}

function labelled(name: string, field: HTMLElement): HTMLLabelElement {
  const label = make("label", "documents-field");
  label.append(make("span", "", name), field);
  return label;
}

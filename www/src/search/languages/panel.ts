import { Chips } from "../../ui/chips";
import { make, makeButton } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import { corpusLanguages } from "../../model/models";
import type { Packs } from "../../model/packs";
import { languageName, strings } from "../../i18n/strings";
import { text } from "./strings";

interface Handlers {
  /** A person chose the language of the query; undefined leaves it to its words. */
  ask(language: string | undefined): void;
  load(language: string): void;
  remove(language: string): Promise<void>;
}

/** What is known of the query's language. */
export interface Asked {
  /** The languages that can be chosen. */
  read: readonly string[];
  chosen: string | undefined;
  /** The language that its words told; undefined where there is no query. */
  told: string | undefined;
}

/** The dialog of languages: the choice of the query's, and the packs with their bytes, how far they have come, and Remove. */
export class LanguagesPanel {
  readonly element = make("dialog", "languages-panel");
  readonly #chipsRoot = make("div", "chips");
  readonly #chips: Chips;
  readonly #rows = new Map<string, PackRow>();
  readonly #told = make("p", "languages-note");
  readonly #problem = make("p", "notice");
  #offered = "";

  constructor(packs: Packs, handlers: Handlers) {
    this.#chips = new Chips(this.#chipsRoot, "asked", (value) => handlers.ask(value === "" ? undefined : value));
    const heading = make("h2", "", text.heading);
    heading.id = "languages-heading";
    this.element.setAttribute("aria-labelledby", heading.id);
    const close = makeButton(text.close, () => this.element.close());
    const head = make("div", "languages-head");
    head.append(heading, close);
    const query = make("fieldset", "chip-group");
    query.append(make("legend", "", text.query), this.#chipsRoot, this.#told);
    this.#problem.role = "alert";
    this.#problem.hidden = true;
    this.element.append(head, query);
    // A press beside it closes it.
    this.element.addEventListener("click", ({ target }) => target === this.element && this.element.close());
    if (packs.languages.length === 0) return;
    const built = format.list(corpusLanguages().map(languageName));
    const list = make("ul", "packs");
    list.setAttribute("role", "list");
    const names = new Intl.Collator(strings.locale);
    const sorted = [...packs.languages].sort((one, other) => names.compare(languageName(one), languageName(other)));
    for (const language of sorted) {
      const row = new PackRow(language, packs, {
        load: () => handlers.load(language),
        remove: () => void this.#remove(language, handlers),
      });
      this.#rows.set(language, row);
      list.append(row.element);
    }
    this.element.append(make("h3", "", text.packs), make("p", "languages-note", text.note(built)), this.#problem, list);
  }

  open(asked: Asked): void {
    this.#problem.hidden = true;
    this.show(asked);
    this.element.showModal();
    this.#chipsRoot.querySelector<HTMLElement>("input:checked")?.focus();
  }

  /** Brings it up to date. */
  show({ read, chosen, told }: Asked): void {
    this.#told.textContent = chosen === undefined && told !== undefined ? text.told(languageName(told)) : "";
    const offered = [["", text.detect] as const, ...read.map((language) => [language, languageName(language)] as const)];
    // Radio buttons that are made anew lose the focus.
    if (offered.join() !== this.#offered) {
      const focused = this.#chipsRoot.contains(document.activeElement);
      this.#offered = offered.join();
      this.#chips.offer(offered);
      this.#chips.check(chosen ?? "");
      if (focused) this.#chipsRoot.querySelector<HTMLElement>("input:checked")?.focus();
    }
    this.#chips.check(chosen ?? "");
    for (const row of this.#rows.values()) row.show();
  }

  async #remove(language: string, handlers: Handlers): Promise<void> {
    try {
      this.#problem.hidden = true;
      await handlers.remove(language);
    } catch (error) {
      const { message, code } = toFailure(error);
      this.#problem.textContent = text.removeFailed(languageName(language), message, code);
      this.#problem.hidden = false;
    }
  }
}

/** A pack: its language, its bytes, how far it has come, and the button that fits. */
class PackRow {
  readonly element = make("li", "pack");
  readonly #language: string;
  readonly #packs: Packs;
  readonly #status = make("span", "pack-status");
  readonly #progress = make("progress");
  readonly #button: HTMLButtonElement;
  #press = () => {};

  constructor(language: string, packs: Packs, on: { load(): void; remove(): void }) {
    this.#language = language;
    this.#packs = packs;
    const name = make("span", "pack-name", languageName(language));
    const own = make("bdi", "pack-own", ownName(language));
    own.lang = language;
    this.#progress.max = packs.bytesOf(language);
    this.#progress.ariaLabel = languageName(language);
    this.#button = makeButton("", () => this.#press());
    this.#on = on;
    const told = make("span", "pack-told");
    told.append(name, " ", own);
    this.element.append(told, this.#status, this.#progress, this.#button);
    this.show();
  }

  readonly #on: { load(): void; remove(): void };

  show(): void {
    const state = this.#packs.stateOf(this.#language);
    const size = format.megabytes(this.#packs.bytesOf(this.#language));
    const { load, remove } = this.#on;
    this.#progress.hidden = state.kind !== "coming";
    this.#button.hidden = false;
    this.element.dataset["state"] = state.kind;
    switch (state.kind) {
      case "absent":
        this.#say(text.size(size), text.load, load);
        break;
      case "coming":
        this.#progress.value = state.loaded;
        this.#say(state.loaded === 0 ? text.size(size) : text.coming(format.megabytes(state.loaded), size), text.cancel, () => this.#packs.cancel(this.#language));
        break;
      case "failed": {
        const { message, code } = toFailure(state.error);
        this.#say(text.failed(strings.failures[code] ?? message, code), text.retry, load);
        break;
      }
      case "here": {
        const isInUse = this.#packs.isInUse(this.#language);
        this.#say(`${isInUse ? text.inUse : text.here}, ${text.size(size)}`, text.remove, remove);
        this.#button.hidden = isInUse;
      }
    }
  }

  #say(status: string, button: string, press: () => void): void {
    if (this.#status.textContent !== status) this.#status.textContent = status;
    if (this.#button.textContent !== button) {
      this.#button.textContent = button;
      this.#button.ariaLabel = text.buttonFor(button, languageName(this.#language));
    }
    this.#press = press;
  }
}

/** A language's name in itself. */
function ownName(language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? "";
  } catch {
    return "";
  }
}

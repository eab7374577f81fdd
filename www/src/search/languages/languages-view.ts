import type { SmoothClir } from "smooth-clir";
import { byId, make } from "../../ui/dom";
import { isHybrid, languagesOf } from "../../model/models";
import { Packs } from "../../model/packs";
import { QUERY_LANGUAGE } from "../../state/documents";
import type { Store } from "../../state/state";
import { languageName } from "../../i18n/strings";
import type { Found } from "../found";
import { readable, readableLanguages } from "../readable";
import { guess } from "./guess";
import "./languages.css";
import { OfferLine } from "./offer-line";
import { LanguagesPanel, type Asked } from "./panel";
import { text } from "./strings";

/** What the view needs of the page. */
export interface Host {
  readonly store: Store;
  /** The bytes of the full model that are not here yet. */
  modelBytes(): number;
  /** Goes over to the full model, which packs are of. */
  takeFull(): void;
  /** Searches once more. */
  searchAgain(): void;
}

/** The languages of queries: which one the query was taken for, another choice, and those that can be loaded. */
export class LanguagesView {
  readonly #host: Host;
  readonly #button = make("button", "asked-in");
  readonly #name = make("span");
  readonly #packs: Packs;
  readonly #panel: LanguagesPanel;
  readonly #offer: OfferLine;
  readonly #isHere = new Set<string>();
  #engine: SmoothClir | undefined;
  #found: Found | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#packs = new Packs(() => this.#packsChanged());
    this.#panel = new LanguagesPanel(this.#packs, {
      ask: (asked) => this.#ask(asked),
      load: (language) => this.#load(language),
      remove: (language) => this.#packs.remove(language),
    });
    this.#offer = new OfferLine(this.#packs, host.modelBytes, (language) => this.#load(language));
    this.#button.type = "button";
    this.#button.setAttribute("aria-haspopup", "dialog");
    this.#button.addEventListener("click", () => this.#panel.open(this.#asked));
    this.#button.append(make("span", "asked-in-words", `${text.asked} `), this.#name, make("span", "visually-hidden", `, ${text.change}`));
    const input = byId("query", HTMLInputElement);
    const box = input.parentElement!;
    const end = make("div", "query-end");
    end.append(...box.querySelectorAll("kbd"), this.#button);
    box.append(end);
    document.body.append(this.#panel.element);
    byId("word-status", HTMLDivElement).before(this.#offer.element);
    host.store.subscribe((_, changed) => {
      if (changed.has("asked")) this.#follow();
    });
    this.#follow();
  }

  /** Works with this engine from now on. */
  attach(engine: SmoothClir): void {
    this.#engine = engine;
    this.#packs.attach(isHybrid(engine) ? engine : undefined);
    this.#show();
  }

  /** Takes what was found last. */
  show(found: Found): void {
    this.#found = found;
    this.#show();
    void this.#guess(found);
  }

  get #asked(): Asked {
    const { asked } = this.#host.store.state;
    // A link may name any language.
    const chosen = asked !== undefined && [QUERY_LANGUAGE, ...languagesOf("full")].includes(asked) ? asked : undefined;
    // The example is none of the person's queries.
    const isQuery = this.#found !== undefined && this.#found.query === this.#host.store.state.query && this.#found.query.trim() !== "";
    return { read: this.#read, chosen, told: isQuery ? this.#found!.language : undefined };
  }

  /** The languages that can be chosen: those of the full model's documents come with it. */
  get #read(): string[] {
    const packs = this.#packs.languages.filter((language) => this.#packs.stateOf(language).kind === "here");
    return [QUERY_LANGUAGE, ...languagesOf("full").filter((language) => !this.#packs.languages.includes(language)), ...packs];
  }

  #show(): void {
    const asked = this.#asked;
    const language = asked.chosen ?? asked.told;
    this.#button.classList.toggle("is-chosen", asked.chosen !== undefined);
    this.#button.classList.toggle("is-empty", language === undefined);
    this.#name.textContent = language === undefined ? text.none : languageName(language);
    byId("query", HTMLInputElement).lang = language ?? "";
    this.#panel.show(asked);
    this.#offer.show();
  }

  #ask(asked: string | undefined): void {
    this.#host.store.set({ asked });
  }

  /** A language that was chosen, here or by a link, is loaded. */
  #follow(): void {
    const { asked } = this.#host.store.state;
    if (asked !== undefined && asked !== QUERY_LANGUAGE && languagesOf("full").includes(asked)) this.#load(asked);
    this.#show();
  }

  #load(language: string): void {
    this.#host.takeFull();
    if (this.#packs.languages.includes(language)) void this.#packs.load(language);
  }

  #packsChanged(): void {
    const here = this.#packs.languages.filter((language) => this.#packs.stateOf(language).kind === "here");
    const isOther = here.length !== this.#isHere.size || here.some((language) => !this.#isHere.has(language));
    this.#isHere.clear();
    for (const language of here) this.#isHere.add(language);
    const { asked } = this.#host.store.state;
    // What is gone is not asked in any more.
    const isGone = asked !== undefined && this.#packs.languages.includes(asked) && this.#packs.stateOf(asked).kind === "absent";
    if (isGone) this.#host.store.set({ asked: undefined });
    if (isOther) this.#host.searchAgain();
    this.#show();
  }

  async #guess(found: Found): Promise<void> {
    const engine = this.#engine;
    const isQuery = this.#asked.told !== undefined && found.chosen === undefined;
    const read = readableLanguages(engine);
    const others = languagesOf("full").filter((language) => !read.includes(language));
    let guessed: string | undefined;
    try {
      guessed = isQuery && engine ? await guess(found, read, others) : undefined;
    } catch {
      // What guesses could not be fetched: nothing is offered.
    }
    if (found !== this.#found) return;
    // A language that a link asks for is on its way.
    const { asked } = this.#host.store.state;
    const waits = asked !== undefined && engine !== undefined && readable(engine, asked) === undefined ? asked : undefined;
    this.#offer.offer(waits !== undefined && others.includes(waits) ? waits : guessed);
  }
}

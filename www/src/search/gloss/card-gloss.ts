import type { Gloss, Hit, LexicalMatch } from "smooth-clir";
import { make } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import { strings } from "../../i18n/strings";
import { answersIn } from "./excerpt";
import { wordsOf } from "./words";

/** Glosses words of documents: see `SmoothClir.gloss`. */
export type Glosser = (words: readonly string[], language: string) => Promise<Gloss[]>;

let count = 0;

/** What a card says in English: its title, and at a press its whole text word by word. */
export class CardGloss {
  /** The title in English; hidden where nothing is known of it. */
  readonly title = make("p", "gloss");
  /** Shows the whole text, and hides it again. */
  readonly button: HTMLButtonElement;
  /** The text word by word. */
  readonly text = make("div");
  readonly #card: HTMLElement;
  readonly #plain: HTMLElement;
  readonly #hit: Hit;
  readonly #glosser: Glosser;
  #answers: { matches: readonly LexicalMatch[]; words: readonly string[] } = { matches: [], words: [] };
  #isWritten = false;
  #isKnown = false;
  /** Whether the title is said in English. */
  #isSaid = false;
  /** Whether the document is in the language of the query, which its reader reads. */
  #isRead = false;
  #isOpen = false;

  /** `plain` shows the text of `card` as it is, unless it is shown word by word. */
  constructor(card: HTMLElement, hit: Hit, plain: HTMLElement, button: HTMLButtonElement, glosser: Glosser) {
    this.#card = card;
    this.#hit = hit;
    this.#plain = plain;
    this.#glosser = glosser;
    this.button = button;
    this.title.hidden = true;
    this.text.id = `gloss-${++count}`;
    this.text.role = "group";
    this.text.ariaLabel = strings.gloss.of(hit.title);
    plain.id = `text-${count}`;
    button.setAttribute("aria-controls", `${this.text.id} ${plain.id}`);
    this.#show();
  }

  /** Shows the title in English, as a person wrote it. */
  showEnglish(title: string): void {
    if (this.#isWritten) return;
    this.#isWritten = true;
    const english = make("span", "", title);
    english.lang = "en";
    this.title.replaceChildren(english);
    this.title.classList.add("is-written");
    this.#isSaid = title !== this.#hit.title;
    this.#show();
  }

  /** Takes the language of the query: a document in it needs no gloss. */
  readIn(language: string): void {
    this.#isRead = language === this.#hit.language;
    this.#show();
    if (this.#isOpen && this.#isGlossed && !this.text.hasChildNodes()) void this.#fill();
  }

  /** Whether the model has glosses of the card's language, and those of the title's words. */
  show(isKnown: boolean, ofTitle: readonly Gloss[]): void {
    this.#isKnown = isKnown;
    this.#show();
    if (this.#isOpen && this.#isGlossed && !this.text.hasChildNodes()) void this.#fill();
    if (this.#isWritten) return;
    const words = wordsOf(this.#hit.title);
    const line = words.map((word, place) => ofTitle[place] ?? word).join(" ");
    const says = ofTitle.some((gloss, place) => gloss !== undefined && gloss !== words[place]?.toLowerCase());
    this.title.replaceChildren();
    this.#isSaid = says;
    this.#show();
    if (!says) return;
    const english = make("span", "", line);
    english.lang = "en";
    this.title.append(`${strings.gloss.title} `, english);
  }

  /** Takes what answers the words of the query; the text is searched for it once it is read. */
  showAnswers(matches: readonly LexicalMatch[], words: readonly string[]): void {
    this.#answers = { matches, words };
    if (!this.text.hasChildNodes()) return;
    if (this.#isOpen) void this.#fill();
    else this.text.replaceChildren();
  }

  /** Shows the whole text, or its excerpt again. */
  toggle(): void {
    this.#isOpen = !this.#isOpen;
    this.#show();
    if (this.#isOpen && this.#isGlossed && !this.text.hasChildNodes()) void this.#fill();
  }

  get #isGlossed(): boolean {
    return this.#isKnown && !this.#isRead;
  }

  #show(): void {
    const isShown = this.#isOpen && this.#isGlossed;
    this.title.hidden = !this.#isSaid || this.#isRead;
    this.text.hidden = !isShown;
    this.#plain.hidden = isShown;
    this.#card.classList.toggle("is-read", this.#isOpen);
    // Where cards show whole texts, there is nothing more of one without glosses.
    this.button.classList.toggle("is-plain", !this.#isGlossed);
    this.button.ariaExpanded = String(this.#isOpen);
    this.button.firstChild!.nodeValue = this.#isGlossed ? strings.gloss.button : strings.gloss.whole;
  }

  async #fill(): Promise<void> {
    const { language } = this.#hit;
    const text = this.#plain.textContent ?? "";
    try {
      const [{ interlinear }, glosses] = await Promise.all([import("./interlinear"), this.#glosser(wordsOf(text), language)]);
      const { matches, words } = this.#answers;
      this.text.replaceChildren(interlinear(text, language, glosses, answersIn(text, matches, words)));
    } catch (cause) {
      const { message, code } = toFailure(cause);
      this.text.replaceChildren(make("p", "gloss-note", strings.gloss.failed(message, code)));
    }
  }
}

import type { Explanation, Hit } from "smooth-clir";
import { make } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import { latest } from "../../ui/latest";
import { strings } from "../../i18n/strings";
import type { ShownHit } from "../shown-hit";
import type { WhyView } from "./why-view";

/** Explains scores word by word. */
export interface Explainer {
  explain(query: string, hit: Hit, epsilon: number): Promise<Explanation | undefined>;
  /** Fetches what the words of a language's documents are explained with; all explanations then follow. */
  fetchWords(language: string, onProgress: (loaded: number, total: number | undefined) => void): Promise<void>;
}

let count = 0;

/** The explanation of a score: what shows it is fetched when it is first opened. */
export class Why {
  readonly element = make("div", "why");
  readonly #text: HTMLElement;
  readonly #plain: string;
  readonly #explainer: Explainer;
  readonly #explain = latest(() => this.#fetch());
  #button: HTMLButtonElement | undefined;
  #open = false;
  #shown: ShownHit | undefined;
  #view: WhyView | undefined;

  /** `text` shows the document's text, in which words can be highlighted. */
  constructor({ title }: Hit, text: HTMLElement, explainer: Explainer) {
    this.#text = text;
    this.#plain = text.textContent ?? "";
    this.#explainer = explainer;
    this.element.id = `why-${++count}`;
    this.element.role = "group";
    this.element.ariaLabel = strings.why.of(title);
    this.element.hidden = true;
  }

  /** This button opens it. */
  control(button: HTMLButtonElement): void {
    this.#button = button;
    button.ariaExpanded = "false";
    button.setAttribute("aria-controls", this.element.id);
  }

  set open(open: boolean) {
    if (open === this.#open) return;
    this.#open = open;
    this.element.hidden = !open;
    if (this.#button) this.#button.ariaExpanded = String(open);
    if (open) void this.#explain();
    else this.#text.textContent = this.#plain;
  }

  /** Updates the numbers at once, and the contribution of each word as soon as it is known. */
  update(shown: ShownHit): void {
    this.#shown = shown;
    if (!this.#open) return;
    this.#view?.follow(shown);
    void this.#explain();
  }

  again(): void {
    if (this.#open) void this.#explain();
  }

  async #fetch(): Promise<void> {
    const shown = this.#shown;
    if (!shown || !this.#open) return;
    const { query, hit, epsilon } = shown;
    try {
      const [{ WhyView }, explanation] = await Promise.all([
        import("./why-view"),
        this.#explainer.explain(query, hit, epsilon),
      ]);
      // A later request follows.
      if (!explanation || !this.#open || this.#shown?.query !== query) return;
      if (!this.#view) {
        this.#view = new WhyView(this.#text, this.#plain, (onProgress) => this.#explainer.fetchWords(hit.language, onProgress));
        this.element.replaceChildren(this.#view.element);
      }
      this.#view.show(query, explanation);
      this.#view.follow(this.#shown);
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#view = undefined;
      const notice = make("p", "notice", strings.why.failed(message, code));
      notice.role = "alert";
      this.element.replaceChildren(notice);
    }
  }
}

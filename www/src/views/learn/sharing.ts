import { make, makeButton } from "../../ui/dom";
import { copy } from "../../ui/copy";
import { text } from "./strings";

/** Tall enough for every figure at the width of a column. */
const EMBED_HEIGHT = 900;

/** Buttons that copy a figure's link, give the code that embeds it in another page, and present it. */
export class Sharing {
  readonly element = make("div", "learn-sharing");
  readonly #title: string;
  readonly #address: () => { link: string; embed: string };
  readonly #embed = makeButton(text.embed, undefined, "quiet");
  readonly #box = make("div", "learn-embed");
  readonly #code = make("textarea");
  readonly #status = make("p", "learn-copied");

  constructor(title: string, address: () => { link: string; embed: string }, present: (from: HTMLElement) => void) {
    this.#title = title;
    this.#address = address;
    const link = makeButton(text.copyLink, () => void this.#copyLink(), "quiet");
    this.#embed.ariaExpanded = "false";
    this.#embed.addEventListener("click", () => {
      this.#box.hidden = !this.#box.hidden;
      this.#embed.ariaExpanded = String(!this.#box.hidden);
      this.update();
    });
    this.#code.readOnly = true;
    this.#code.rows = 4;
    this.#code.ariaLabel = text.embedCode(title);
    this.#code.addEventListener("focus", () => this.#code.select());
    const copyCode = makeButton(text.copyCode, () => void this.#copyCode(), "quiet");
    this.#box.hidden = true;
    this.#box.append(this.#code, copyCode);
    this.#status.role = "status";
    const buttons = make("div", "button-row");
    const presenting = makeButton(text.presentThis, () => present(presenting), "quiet");
    buttons.append(link, this.#embed, presenting);
    this.element.append(buttons, this.#box, this.#status);
  }

  update(): void {
    this.#status.textContent = "";
    if (!this.#box.hidden) this.#code.value = this.#embedding();
  }

  #embedding(): string {
    const { embed } = this.#address();
    const quoted = (value: string) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    return `<iframe src="${quoted(embed)}" title="${quoted(this.#title)}" width="100%" height="${EMBED_HEIGHT}" loading="lazy"></iframe>`;
  }

  async #copyLink(): Promise<void> {
    const { link } = this.#address();
    if (await copy(link)) this.#status.textContent = text.copied;
    else this.#offer(link);
  }

  async #copyCode(): Promise<void> {
    if (await copy(this.#code.value)) this.#status.textContent = text.copied;
    else this.#offer(this.#code.value);
  }

  /** Shows a text to be copied by hand. */
  #offer(given: string): void {
    this.#box.hidden = false;
    this.#embed.ariaExpanded = "true";
    this.#code.value = given;
    this.#code.focus();
    this.#status.textContent = text.notCopied;
  }
}

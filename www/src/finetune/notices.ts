import { byId, make } from "../ui/dom";

type Kind = "remembered" | "newer" | "storage" | "refused";

interface Action {
  name: string;
  onPress: () => void;
}

/** Sentences that stay until they are no longer true, with what can be done about them. */
export class Notices {
  readonly #box = byId("finetune-notices", HTMLDivElement);
  readonly #shown = new Map<Kind, HTMLElement>();

  show(kind: Kind, text: string, action?: Action): void {
    const notice = make("div", "notice");
    notice.append(make("p", "", text));
    if (action) {
      const button = make("button", "", action.name);
      button.type = "button";
      button.addEventListener("click", action.onPress);
      notice.append(button);
    }
    const before = this.#shown.get(kind);
    this.#shown.set(kind, notice);
    if (before) before.replaceWith(notice);
    else this.#box.append(notice);
  }

  /** A focus that would be lost goes to the section. */
  hide(kind: Kind): void {
    const notice = this.#shown.get(kind);
    if (!notice) return;
    const focused = notice.contains(document.activeElement);
    notice.remove();
    this.#shown.delete(kind);
    if (focused) byId("finetune", HTMLElement).focus();
  }
}

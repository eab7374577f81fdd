import { make } from "../dom";
import { pick } from "../../i18n/locale";
import { en, type Term } from "./strings.en";
import { fr } from "./strings.fr";
import "./glossary.css";

export type { Term };

const TERMS = pick({ en, fr });
/** Between a term and its explanation, and between that and the edge of the window. */
const GAP = 8;
let count = 0;

/** A text whose terms, written `[[key]]` or `[[key|as it is written here]]`, open their explanations. */
export function withTerms(text: string): (string | Node)[] {
  const parts = text.split(/\[\[(\w+)(?:\|([^\]]+))?\]\]/);
  return parts.flatMap((part, at): (string | Node)[] => {
    if (at % 3 === 0) return part === "" ? [] : [part];
    return at % 3 === 1 ? [termOf(part as Term, parts[at + 1])] : [];
  });
}

/** A term that opens its explanation: a press, Enter or a tap opens it, Escape or a press elsewhere closes it. */
export function termOf(term: Term, shown: string = TERMS[term].name): Node {
  const { name, meaning } = TERMS[term];
  if (!("popover" in HTMLElement.prototype)) return document.createTextNode(shown);
  const button = make("button", "term", shown);
  button.type = "button";
  const explanation = make("span", "term-explanation");
  explanation.id = `term-${++count}`;
  explanation.popover = "auto";
  explanation.append(make("strong", "", name), ` ${meaning}`);
  button.popoverTargetElement = explanation;
  const close = () => explanation.hidePopover();
  explanation.addEventListener("toggle", (event) => {
    if ((event as ToggleEvent).newState === "open") {
      place(explanation, button.getBoundingClientRect());
      addEventListener("scroll", close, { capture: true, once: true, passive: true });
    } else {
      removeEventListener("scroll", close, { capture: true });
    }
  });
  const both = document.createDocumentFragment();
  both.append(button, explanation);
  return both;
}

/** Below a term where there is room, else above it. */
function place(explanation: HTMLElement, beside: DOMRect): void {
  const { width, height } = explanation.getBoundingClientRect();
  const left = Math.max(Math.min(beside.left, innerWidth - width - GAP), GAP);
  const below = beside.bottom + GAP;
  const top = below + height > innerHeight ? Math.max(beside.top - height - GAP, GAP) : below;
  explanation.style.setProperty("left", `${left}px`);
  explanation.style.setProperty("top", `${top}px`);
}

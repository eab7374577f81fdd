import { SmoothClirSearch } from "./search-box/element.js";

export { SmoothClirSearch } from "./search-box/element.js";
export type { SearchBoxStrings } from "./search-box/strings.js";

/** Defines the element `<smooth-clir-search>`, or one of another name, once. On a server that renders pages it does nothing. */
export function defineSearchBox(name = "smooth-clir-search"): void {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, SmoothClirSearch);
}

import { type SearchBoxDefaults, SmoothClirSearch } from "./search-box/element.js";

export { type SearchBoxDefaults, SmoothClirSearch } from "./search-box/element.js";
export type { SearchBoxStrings } from "./search-box/strings.js";

/**
 * Defines the element `<smooth-clir-search>`, or one of another name, once. Each element uses the `defaults` where it has no
 * attribute of that name, so that a page needs none. On a server that renders pages it does nothing.
 */
export function defineSearchBox(name = "smooth-clir-search", defaults: SearchBoxDefaults = {}): void {
  if (!globalThis.customElements || customElements.get(name)) return;
  // A class of its own: one class is one element.
  const Box = class extends SmoothClirSearch {
    static override defaults = defaults;
  };
  customElements.define(name, Box);
}

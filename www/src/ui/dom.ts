/** The element of an id, which `index.html` has. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`index.html has no ${type.name} with id ${id}`);
  return found;
}

/** A new element with a class and, as text only, its content. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  text = "",
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  if (text !== "") element.textContent = text;
  return element;
}

/** A new button with a name, and what a press on it does. */
export function makeButton(name: string, press?: () => void, className = ""): HTMLButtonElement {
  const button = make("button", className, name);
  button.type = "button";
  if (press) button.addEventListener("click", press);
  return button;
}

/** Hides an element. A focus that would be lost goes to another one. */
export function hide(element: HTMLElement, to: HTMLElement | null): void {
  const hasFocus = element.contains(document.activeElement);
  element.hidden = true;
  if (hasFocus) to?.focus({ preventScroll: true });
}

/** Whether a language is written from right to left: Arabic, Hebrew, Persian, Urdu. */
export const isRightToLeft = (language: string): boolean => /^(ar|fa|he|ur)\b/.test(language);

/** Tells of an element's width, and of each other that it gets. What is drawn then may change its height. */
export function onWidth(element: Element, tell: (width: number) => void): void {
  // In the next frame: in this one the browser would call a changed height an endless loop.
  new ResizeObserver(([entry]) => {
    requestAnimationFrame(() => tell(entry?.contentRect.width ?? 0));
  }).observe(element);
}

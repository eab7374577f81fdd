/**
 * Lights the words of documents that answer a word of the query, and that word, while a pointer or the focus is on any of
 * them. A press on a word of the query keeps them lit, for who has no pointer that hovers.
 */
export function lightAnswers(root: HTMLElement): void {
  /** The word whose button is pressed. */
  const kept = () => root.querySelector<HTMLElement>('button[data-word][aria-pressed="true"]')?.dataset["word"];
  const wordAt = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<HTMLElement>("[data-word]")?.dataset["word"] : undefined;
  const light = (word: string | undefined) => {
    for (const element of root.querySelectorAll<HTMLElement>("[data-word]")) {
      element.classList.toggle("is-lit", word !== undefined && element.dataset["word"] === word);
    }
  };
  for (const enters of ["pointerover", "focusin"]) root.addEventListener(enters, ({ target }) => light(wordAt(target) ?? kept()));
  for (const leaves of ["pointerleave", "focusout"]) root.addEventListener(leaves, () => light(kept()));
  root.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("button[data-word]") : null;
    if (!button) return;
    const word = kept() === button.dataset["word"] ? undefined : button.dataset["word"];
    for (const other of root.querySelectorAll<HTMLElement>("button[data-word]")) {
      other.ariaPressed = String(other.dataset["word"] === word);
    }
    light(word);
  });
}

/** What this browser keeps under a name; undefined where there is nothing, or the browser stores nothing. */
export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(`smooth-clir ${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value under a name for the next visit; undefined keeps none. In a browser that stores nothing the link holds it. */
export function keep(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`smooth-clir ${name}`);
    else localStorage.setItem(`smooth-clir ${name}`, value);
  } catch {
    // Refused: this visit goes on without.
  }
}

/** A page that never rests, on a busy machine, need not wait longer. */
const MOST_MS = 1000;

/** Resolves when the browser has nothing else to do, or soon. */
export function rest(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: MOST_MS });
    else setTimeout(resolve, 200);
  });
}

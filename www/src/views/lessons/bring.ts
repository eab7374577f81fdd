/** A view that has not come after this long is not waited for. */
const PATIENCE_MS = 15_000;

/** Scrolls to an element as soon as it is there and seen. Returns a function that stops waiting for it. */
export function bring(selector: string): () => void {
  let frame = 0;
  const find = () => [...document.querySelectorAll(selector)].find((one) => one.getClientRects().length > 0);
  const go = () => {
    const found = find();
    if (!found) return false;
    stop();
    // When what stands above it is laid out.
    frame = requestAnimationFrame(() => (frame = requestAnimationFrame(() => found.scrollIntoView({ block: "start" }))));
    return true;
  };
  const observer = new MutationObserver(() => void go());
  const timer = setTimeout(() => stop(), PATIENCE_MS);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
  if (!go()) observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden", "data-view"] });
  return stop;
}

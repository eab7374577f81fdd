import { fromHash, toHash, type Store } from "./state";

/** Browsers refuse an address that changes too often. */
const WRITE_AFTER_MS = 300;

/** Keeps the address and the state alike, in both directions. */
export function bindLink(store: Store): void {
  let timer = 0;
  let known = location.hash;
  const write = () => {
    timer = 0;
    const hash = toHash(store.state);
    // A link was just opened whose event is still to come: it counts, not what was to be written.
    if (location.hash !== known || hash === known) return;
    history.replaceState(null, "", hash === "" ? location.pathname + location.search : hash);
    known = location.hash;
  };
  store.subscribe(() => {
    timer ||= setTimeout(write, WRITE_AFTER_MS);
  });
  addEventListener("hashchange", () => {
    // The state that waits to be written is older than the link just opened.
    clearTimeout(timer);
    timer = 0;
    known = location.hash;
    const state = fromHash(location.hash);
    if (state) store.set(state);
  });
}

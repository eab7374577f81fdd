import { fromHash, toHash, type State, type Store } from "./state";

/** Browsers refuse an address that changes too often. */
const WRITE_AFTER_MS = 300;

const addressOf = (hash: string) => (hash === "" ? location.pathname + location.search : hash);

/** Keeps the address and the state alike, in both directions. Each view is a step that Back takes back. */
export function bindLink(store: Store): void {
  let timer = 0;
  let known = location.hash;
  const write = () => {
    timer = 0;
    const hash = toHash(store.state);
    // A link was just opened whose event is still to come: it counts, not what was to be written.
    if (location.hash !== known || hash === known) return;
    const view = fromHash(known)?.view ?? store.state.view;
    if (view === store.state.view) {
      history.replaceState(null, "", addressOf(hash));
    } else {
      // The view that is left, as it was left.
      const left: State = { ...store.state, view };
      history.replaceState(null, "", addressOf(toHash(left)));
      history.pushState(null, "", addressOf(hash));
    }
    known = location.hash;
  };
  store.subscribe((_, changed) => {
    if (changed.has("view")) {
      clearTimeout(timer);
      write();
    } else {
      timer ||= setTimeout(write, WRITE_AFTER_MS);
    }
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

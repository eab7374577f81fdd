import { fromHash, toHash, type State, type Store } from "./state";

/** Browsers refuse an address that changes too often. */
const WRITE_AFTER_MS = 300;

const addressOf = (hash: string) => (hash === "" ? location.pathname + location.search : hash);

/** A query that rests for so long is one that Back returns to. */
const SETTLED_AFTER_MS = 2000;

/** Keeps the address and the state alike, in both directions. Each view, and each settled query, is a step that Back takes back. */
export function bindLink(store: Store): void {
  let timer = 0;
  let known = location.hash;
  let settled: number | undefined;
  const write = () => {
    timer = 0;
    const hash = toHash(store.state);
    // A link was just opened whose event is still to come: it counts, not what was to be written.
    if (location.hash !== known || hash === known) return;
    const { view, query } = fromHash(known) ?? store.state;
    const isSettled = settled === undefined;
    if (query !== store.state.query) {
      clearTimeout(settled);
      settled = setTimeout(() => (settled = undefined), SETTLED_AFTER_MS);
    }
    if (view === store.state.view) {
      // While a query is typed its address is replaced.
      if (query !== store.state.query && isSettled) history.pushState(null, "", addressOf(hash));
      else history.replaceState(null, "", addressOf(hash));
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
